"""A disk that is full or fails, and files that others hold open: what is not saved is said, and nothing is lost."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from desktop_rater import files
from desktop_rater.files import replaced_file, replaced_files, retry_while_open, write_durably
from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store import bundles, ratings, state
from desktop_rater.store.connection import database_uri
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import DiskFailed, StoreDamaged, StoreError, translate_errors
from desktop_rater.store.open_store import open_writer
from desktop_rater.windows_api import usual_path, verbatim_path
from tests.readers import reader_of
from tests.store.killed_at import noon

LARGE = "x" * 100_000


def test_a_full_disk_names_what_is_not_saved_and_saves_again_when_there_is_room(ready, made):
    pages = ready.db.execute("PRAGMA page_count").fetchone()[0]
    ready.db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError) as caught:
        ratings.append_revision(ready, "november", made.change(comment=LARGE))
    assert caught.value.title == "The disk is full."
    assert "The rating of t-00000 is not saved." in caught.value.message
    assert "Free some disk space" in caught.value.hint
    assert ratings.rating_head(ready, "november", "t-00000", "r-17") is None
    ready.db.execute("PRAGMA max_page_count = 1000000")
    assert ratings.append_revision(ready, "november", made.change(comment=LARGE)).rating.revision == 1


def test_a_full_disk_in_the_middle_of_an_import_leaves_the_rest_as_it_was(ready, made):
    key = bundles.begin_bundle_import(ready, made.bundle("large"))
    pages = ready.db.execute("PRAGMA page_count").fetchone()[0]
    ready.db.execute(f"PRAGMA max_page_count = {pages + 10}")
    with pytest.raises(StoreError, match="disk is full"):
        bundles.add_tasks(ready, key, made.tasks(20, response=LARGE))
    ready.db.execute("PRAGMA max_page_count = 1000000")
    bundles.drop_import(ready, key)
    assert [row.id for row in bundles.list_bundles(ready)] == ["november"]


def test_a_foreign_program_that_holds_the_file_is_waited_for_and_then_named(ready, file, made):
    ready.db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(file)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="busy") as caught:
        ratings.append_revision(ready, "november", made.change())
    assert "is not saved" in caught.value.message
    other.close()
    assert ratings.append_revision(ready, "november", made.change()).rating.revision == 1


FAILING = """
import resource, sys
from pathlib import Path
from desktop_rater.store import state
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.errors import DiskFailed
store = open_writer(Path(sys.argv[1]), command="the window")
state.put_state(store, "last-rater", "r-17")
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
for number in range(2):
    try:
        state.put_state(store, "large", "x" * 400_000)
    except DiskFailed as error:
        print(error.title)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
store.close()
"""


@pytest.mark.posix("Windows has no resource limits")
def test_a_failing_disk_stops_all_writing_until_the_store_is_opened_again(folder):
    open_writer(folder, command="the window").close()
    printed = subprocess.check_output([sys.executable, "-c", FAILING, str(folder)], text=True)
    assert printed.splitlines() == ["The disk failed."] * 2
    assert examine_store(folder).faults == ()
    with open_writer(folder, command="the window") as store:
        assert state.get_state(store, "last-rater") == "r-17"
        assert state.get_state(store, "large") is None
        state.put_state(store, "large", "now it fits")


@pytest.fixture
def read_only(made):
    """A store in a folder that may not be written, also where the tests run as root."""
    if sys.platform == "win32":
        pytest.skip("permissions of a folder are a matter of POSIX")
    base = Path(tempfile.mkdtemp())
    base.chmod(0o755)
    with open_writer(base / "store", command="the window") as store:
        made.imported(store, made.tasks(3))
    for path in (base / "store", *(base / "store").iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    yield base / "store"
    if was_root:
        os.seteuid(0)
    (base / "store").chmod(0o755)
    shutil.rmtree(base)


def test_a_read_only_store_can_be_looked_at(read_only):
    with reader_of(read_only) as reader:
        assert [row.tasks for row in bundles.list_bundles(reader)] == [3]
    assert examine_store(read_only).faults == ()
    assert sorted(path.name for path in read_only.iterdir()) == ["journal.jsonl", "lock", "store.sqlite3"]


def test_a_read_only_store_says_so_to_a_writer(read_only):
    with pytest.raises(StoreError) as caught:
        open_writer(read_only, command="the window")
    assert caught.value.title == "The store is not writable."
    assert "read-only" in caught.value.hint


def test_a_folder_that_is_a_file_is_refused_with_a_word(tmp_path):
    (tmp_path / "store").write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError, match="can't be opened"):
        open_writer(tmp_path / "store", command="the window")


def test_a_table_that_is_gone_is_damage_and_no_bug(folder, damage):
    open_writer(folder, command="the window").close()
    damage("DROP TABLE state")
    with open_writer(folder, command="the window") as store, pytest.raises(StoreDamaged, match="no such table"):
        state.get_state(store, "last-rater")


def test_heads_that_contradict_the_ratings_are_damage_and_no_bug(folder, made, damage):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(1))
        made.rated(store, "t-00000")
    damage("DELETE FROM heads")
    with open_writer(folder, command="the window") as store, pytest.raises(StoreDamaged, match="is not saved"):
        made.rated(store, "t-00000")


def test_a_mistake_of_the_program_is_not_dressed_up_as_trouble(store):
    with pytest.raises(sqlite3.OperationalError), translate_errors("Nothing was saved."):
        store.db.execute("SELEKT")


def test_trouble_is_told_in_three_parts():
    with pytest.raises(DiskFailed) as caught, translate_errors("The rating is not saved."):
        raise OSError(5, "Input/output error")
    assert (caught.value.title, caught.value.message) == (
        "The disk failed.",
        "The rating is not saved. ([Errno 5] Input/output error)",
    )
    assert caught.value.hint


class Scanner:
    """Refuses the first moves and removals of each path as Windows does while another program has it open."""

    def __init__(self, monkeypatch, *, code=32):
        self.refusals = 2
        self.code = code
        self.held: dict[tuple[str, str], int] = {}
        for name in ("replace", "rename", "unlink"):
            monkeypatch.setattr(os, name, self._refusing(name, getattr(os, name)))

    def _refusing(self, name, call):
        def refusing(path, *arguments, **options):
            key = (name, os.fspath(path))
            if os.path.lexists(path) and self.held.setdefault(key, 0) < self.refusals:
                self.held[key] += 1
                error = PermissionError(13, "Sharing violation", os.fspath(path), None, *map(os.fspath, arguments[:1]))
                error.winerror = self.code  # ty: ignore[missing-attribute]
                raise error
            return call(path, *arguments, **options)

        return refusing


@pytest.mark.parametrize("code", [5, 32, 33])
def test_a_store_is_made_used_and_backed_up_while_a_scanner_looks_at_each_new_file(monkeypatch, folder, code):
    scanner = Scanner(monkeypatch, code=code)
    with open_writer(folder, command="the window") as store:
        state.put_state(store, "last-rater", "ana")
        made = back_up(store, now=noon, progress=Progress())
    with open_writer(folder, command="the window") as store:
        assert state.get_state(store, "last-rater") == "ana"
    assert made is not None
    assert made.path.exists()
    assert {name for name, _ in scanner.held} >= {"replace", "unlink"}


def test_a_leftover_that_somebody_holds_does_not_keep_the_store_shut(monkeypatch, folder):
    open_writer(folder, command="the window").close()
    left = [folder / ".desktop-rater-eekdxoa5.part", folder / "backups" / ".desktop-rater-eekdxoa5.part"]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"half")
    scanner = Scanner(monkeypatch)
    scanner.refusals = 1
    open_writer(folder, command="the window").close()
    assert all(path.exists() for path in left)  # one attempt each
    open_writer(folder, command="the window").close()
    assert not any(path.exists() for path in left)


def test_a_table_that_is_open_in_excel_stays_and_is_named(monkeypatch, tmp_path):
    table = tmp_path / "held.csv"
    table.write_bytes(b"old")
    scanner = Scanner(monkeypatch)
    with replaced_file(table) as partial:
        partial.write_bytes(b"new")
    with replaced_files(tmp_path, ["held.csv", "other.csv"]) as unfinished:
        for name in ("held.csv", "other.csv"):
            (unfinished / name).write_bytes(b"newer")
    assert table.read_bytes() == b"newer"

    scanner.refusals = 1_000_000
    monkeypatch.setattr(files, "_OPEN_ELSEWHERE_SECONDS", 0.02)
    with pytest.raises(PermissionError) as caught:
        write_durably(table, b"newest")
    why = "Sharing violation: held.csv may be open in another program, such as Excel or a virus scanner"
    assert caught.value.strerror == why
    assert table.read_bytes() == b"newer"


def test_other_errors_are_not_repeated(monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _seconds: pytest.fail("it waited"))
    with pytest.raises(FileNotFoundError):
        retry_while_open(Path("nowhere").rename, Path("elsewhere"))


def test_a_store_on_a_share_has_an_address_that_sqlite_reads():
    assert database_uri(PureWindowsPath(r"\\server\share\a b#1\store.sqlite3")) == (
        "file:////server/share/a%20b%231/store.sqlite3"
    )
    assert database_uri(PureWindowsPath(r"C:\Users\ana\store.sqlite3")) == "file:///C:/Users/ana/store.sqlite3"
    assert verbatim_path(r"C:\hub") == r"\\?\C:\hub"
    assert verbatim_path(r"\\server\share\hub") == r"\\?\UNC\server\share\hub"
    assert usual_path(PureWindowsPath(r"\\?\C:\hub")) == r"C:\hub"
    assert usual_path(PureWindowsPath(r"\\?\UNC\server\share\hub")) == r"\\server\share\hub"
    assert usual_path(PurePosixPath("/mnt/hub")) == "/mnt/hub"
