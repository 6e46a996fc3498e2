"""A virus scanner, an indexer or Excel holds files open for a moment, and Windows refuses to move them."""

import os
import time
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from desktop_rater import files
from desktop_rater.files import replaced_file, replaced_files, retry_while_open, write_durably
from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store import state
from desktop_rater.store.connection import database_uri
from desktop_rater.store.open_store import open_writer
from desktop_rater.windows_api import usual_path, verbatim_path
from tests.store.killed_at import noon


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
