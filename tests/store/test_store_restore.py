"""A backup takes the place of a store, whatever state that is in: all of it or nothing, and nothing is thrown away."""

import hashlib
import itertools
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store import backups, schema, snapshots
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, StoreTooNew
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.restore import unfinished_backups
from desktop_rater.store.store import StoreTaken
from tests.readers import head_of
from tests.store.going_back import SHA, files, restored, revisions
from tests.store.killed_at import killer, noon
from tests.store.older import lay


def test_the_store_is_as_it_was_then_and_the_replaced_one_is_kept(folder, backup):
    done = restored(folder, "00001")
    assert (done.ratings, revisions(folder)) == (4, 4)
    assert examine_store(folder).sound
    assert done.replaced is not None
    assert done.replaced == folder / "replaced" / "2026-11-20T120000Z"
    assert revisions(done.replaced) == 7
    assert snapshots.snapshot_path(folder, SHA) is not None
    assert done.backed_up is not None
    assert [one.ratings for one in backups.list_backups(folder, check_cancelled=lambda: None)] == [7, 4]


def test_and_back_again(folder, backup):
    first = restored(folder, "00001")
    assert first.backed_up is not None
    restored(folder, first.backed_up)
    assert revisions(folder) == 7
    assert len(list((folder / "replaced").iterdir())) == 2


def test_work_goes_on_from_there(folder, backup, made):
    restored(folder, "00001")
    with open_writer(folder, command="the window") as store:
        head = head_of(store, "november", "t-00000", "r-17")
        assert head.rating.revision == 1
        made.rated(store, "t-00000", "t-00004")
    assert revisions(folder) == 6
    assert examine_store(folder).sound


def test_without_a_word_it_is_the_newest_good_one(folder, backup, made):
    with open_writer(folder, command="the window") as store:
        newer = back_up(store, now=noon, progress=Progress())
        made.rated(store, "t-00000")
    assert newer is not None
    data = bytearray(newer.path.read_bytes())
    data[-100] ^= 1
    newer.path.write_bytes(data)
    assert restored(folder).source == backup
    assert revisions(folder) == 4


@pytest.mark.parametrize("harm", ["garbage", "empty", "half", "gone", "a broken log"])
def test_a_store_that_can_not_be_opened_is_replaced_and_kept_as_it_is(folder, file, backup, harm):
    data = file.read_bytes()
    match harm:
        case "garbage":
            file.write_bytes(b"no database" * 5000)
        case "empty":
            file.write_bytes(b"")
        case "half":
            file.write_bytes(data[: len(data) // 2])
        case "gone":
            file.unlink()
        case "a broken log":
            file.with_name("store.sqlite3-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(100_000))
    before = file.read_bytes() if file.exists() else None
    done = restored(folder)
    assert revisions(folder) == 4
    assert examine_store(folder).sound
    if harm == "gone":
        assert done.replaced is None
    else:
        assert done.replaced is not None
        assert (done.replaced / "store.sqlite3").read_bytes() == before
    if harm in {"garbage", "empty", "half"}:
        assert done.backed_up is None
        assert done.not_backed_up


def test_a_log_that_was_not_put_away_goes_with_the_replaced_store(folder, backup, made):
    """The last program was killed: its last answers stand in the log only."""
    store = open_writer(folder, command="the window")
    made.rated(store, "t-00001")
    killed = folder.with_name("killed")
    shutil.copytree(folder, killed)
    store.close()
    done = restored(killed, "00001")
    assert done.replaced is not None
    assert (revisions(killed), revisions(done.replaced)) == (4, 8)
    assert not (killed / "store.sqlite3-wal").exists()


def altered(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def with_a_word_changed(path):
    data = path.read_bytes()
    assert b'"comment":"fine"' in data
    path.write_bytes(data.replace(b'"comment":"fine"', b'"comment":"best"'))


def with_statements(*statements):
    def harm(path):
        connection = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    return harm


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        (with_a_word_changed, StoreDamaged),
        (lambda path: path.write_bytes(b""), StoreDamaged),
        (lambda path: path.write_bytes(b"text" * 1000), StoreDamaged),
        (lambda path: path.write_bytes(path.read_bytes()[:-8192]), StoreDamaged),
        (with_statements("PRAGMA application_id = 7"), StoreError),
        (with_statements(f"PRAGMA user_version = {schema.schema_version() + 1}"), StoreTooNew),
        (with_statements("CREATE TRIGGER spy AFTER INSERT ON ratings BEGIN DELETE FROM state; END"), StoreDamaged),
        (with_statements("CREATE VIEW spy AS SELECT * FROM ratings"), StoreDamaged),
        (with_statements("DROP TRIGGER ratings_never_go"), StoreDamaged),
        (
            with_statements("PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'heads'"),
            StoreDamaged,
        ),
    ],
    ids=["a-byte", "nothing", "text", "half", "foreign", "newer", "trigger", "view", "no-trigger", "no-table"],
)
def test_a_file_that_is_no_sound_backup_is_refused_and_nothing_changes(folder, backup, tmp_path, harm, kind):
    strange = tmp_path / "strange.sqlite3"
    strange.write_bytes(backup.read_bytes())
    harm(strange)
    before = files(folder)
    with pytest.raises(kind) as caught:
        restored(folder, strange)
    after = files(folder)
    for name in before:
        assert after[name] == before[name]
    assert revisions(folder) == 7
    assert not (folder / "replaced").exists()
    assert not list(folder.glob(".*.part*"))
    assert "strange.sqlite3" in str(caught.value)


def test_a_listed_backup_that_was_altered_is_refused_by_its_name(folder, backup):
    altered(backup)
    with pytest.raises(StoreDamaged, match="has changed since it was made"):
        restored(folder, "00001")
    assert revisions(folder) == 7


def test_a_word_that_names_no_backup_changes_nothing(folder, backup):
    before = files(folder)
    for word in ("yesterday", ""):
        with pytest.raises(NotInStore, match="no backup and no file"):
            restored(folder, word)
    backup.unlink()
    with pytest.raises(NotInStore, match="no good backup"):
        restored(folder)
    assert files(folder).keys() == before.keys() - {f"backups/{backup.name}"}


def test_a_store_that_is_open_is_not_replaced(folder, backup):
    with open_writer(folder, command="the window"), pytest.raises(StoreTaken):
        restored(folder, "00001")
    assert revisions(folder) == 7


@pytest.mark.parametrize("version", [schema.schema_version() + 1, None], ids=["newer", "foreign"])
def test_a_file_that_is_not_ours_is_not_replaced(folder, file, backup, version):
    with_statements("PRAGMA application_id = 7" if version is None else f"PRAGMA user_version = {version}")(file)
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    with pytest.raises(StoreError):
        restored(folder, "00001")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert not (folder / "replaced").exists()


def test_one_that_is_stopped_changes_nothing(folder, backup):
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        restored(folder, "00001", progress)
    assert revisions(folder) == 7
    assert not list(folder.glob(".*.part*"))


@pytest.mark.posix("Windows has no signals to send to a process")
@pytest.mark.parametrize("damaged", [False, True])
def test_killed_at_any_step_the_store_is_the_old_or_the_new_one_and_the_old_one_is_there(
    folder, file, backup, tmp_path, damaged
):
    if damaged:
        file.write_bytes(b"no database" * 5000)
    old = hashlib.sha256(file.read_bytes()).hexdigest()
    as_it_was = folder.rename(tmp_path / "as it was")
    seen = []
    with killer() as run:
        for step in itertools.count(1):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(as_it_was, folder)
            ended = run("restore", step, folder)
            seen.append(_after(folder, old, damaged=damaged))
            if ended != -signal.SIGKILL:
                break
    assert ended == 0
    assert step > 10
    assert set(seen) == {"old", "new"}
    assert seen == sorted(seen, reverse=True), "from one step on it is the new one"


def _after(folder, old, *, damaged):
    """Which store is there for who looks, and the same for who writes."""
    if damaged:
        try:
            looked = revisions(folder)
        except StoreDamaged:
            assert hashlib.sha256((folder / "store.sqlite3").read_bytes()).hexdigest() == old
            return "old"
    else:
        looked = revisions(folder)
        assert looked in {4, 7}
    open_writer(folder, command="the window").close()
    assert revisions(folder) == looked
    if looked == 7:
        return "old"
    assert examine_store(folder).sound
    (place,) = (folder / "replaced").iterdir()
    assert hashlib.sha256((place / "store.sqlite3").read_bytes()).hexdigest() == old
    return "new"


FULL = """
import resource, sys
from pathlib import Path
from desktop_rater.format.change import Progress
from desktop_rater.store.errors import StoreError
from desktop_rater.operations.store.backup import find_backup, restore_backup
from tests.store.killed_at import noon
folder = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    restore_backup(folder, find_backup(folder, "00001"), command="restore", now=noon, progress=Progress())
except StoreError as error:
    print(error.message)
"""


@pytest.mark.posix("Windows has no resource limits")
def test_a_disk_that_takes_no_more_leaves_the_store_as_it_was(folder, backup):
    printed = subprocess.check_output(
        [sys.executable, "-c", FULL, str(folder)], text=True, cwd=Path(__file__).parents[2]
    )
    assert "Nothing was restored" in printed
    assert revisions(folder) == 7
    open_writer(folder, command="the window").close()
    assert not list(folder.glob(".*.part*"))
    assert unfinished_backups(folder) == []


def test_a_backup_of_an_older_version_is_brought_up_to_date(folder, backup, tmp_path):
    lay(tmp_path / "old.sqlite3", 1)
    done = restored(folder, tmp_path / "old.sqlite3")
    assert (done.ratings, revisions(folder)) == (2, 2)
    assert examine_store(folder).sound
