"""Backups are whole, checked and sound before they count, and nothing bad ever pushes out a good one."""

import hashlib
import itertools
import shutil
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.store.backup import back_up
from desktop_rater.store import backups, bundles, pages, ratings, schema, state
from desktop_rater.store.connection import connect_immutable
from desktop_rater.store.errors import StoreDamaged, StoreError
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.restore import unfinished_backups
from desktop_rater.store.state import ExportRow
from tests.readers import reader_of
from tests.store.killed_at import killer
from tests.store.older import lay

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def noon():
    return NOON


def backed_up(store, now=noon):
    made = back_up(store, now=now, progress=Progress())
    assert made is not None
    return made


def every(folder):
    return backups.list_backups(folder, check_cancelled=lambda: None)


def flip(path, at=0.5):
    data = bytearray(path.read_bytes())
    data[int(len(data) * at)] ^= 1
    path.write_bytes(data)


@pytest.fixture
def rated(store, made):
    made.imported(store, made.tasks(20))
    made.rated(store, *(f"t-{number:05}" for number in range(10)))
    return store


def test_a_backup_is_one_file_that_holds_everything(rated, folder):
    made = backed_up(rated)
    assert [path.name for path in (folder / "backups").iterdir()] == [made.path.name]
    assert (made.number, made.made, made.version, made.ratings) == (
        1,
        "2026-11-20T12:00:00Z",
        schema.schema_version(),
        10,
    )
    assert every(folder) == (made,)
    db = connect_immutable(made.path)
    copied = db.execute("SELECT task, sha256, body FROM ratings ORDER BY key").fetchall()
    assert copied == rated.db.execute("SELECT task, sha256, body FROM ratings ORDER BY key").fetchall()
    assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    db.close()


def test_answers_that_come_while_it_is_copied_go_before_it_and_are_in_it(rated, made):
    state.put_state(rated, "large", "x" * 3_000_000)
    answered = []

    def answer(_done, _total):
        answered.append(ratings.append_revision(rated, "november", made.change("t-00015", comment=str(len(answered)))))

    backup = back_up(rated, now=noon, progress=Progress(answer))
    assert backup is not None
    assert len(answered) > 2
    db = connect_immutable(backup.path)
    stored = [sha for (sha,) in db.execute("SELECT sha256 FROM ratings WHERE task = 't-00015' ORDER BY revision")]
    db.close()
    # What was told of after the last page was copied came too late for this one, and is in the store.
    assert stored == [one.sha256 for one in answered[: len(stored)]]
    assert len(stored) >= 2
    assert len(ratings.rating_history(rated, "november", "t-00015", "r-17")) == len(answered)


def test_the_last_five_good_ones_are_kept(rated, folder):
    made = [backed_up(rated) for _ in range(8)]
    assert [one.path for one in backups.list_backups(folder)] == [one.path for one in reversed(made[3:])]


def test_a_bad_one_neither_counts_nor_pushes_out_a_good_one(rated, folder):
    made = [backed_up(rated) for _ in range(5)]
    flip(made[2].path)
    made[4].path.write_bytes(b"")
    made.append(backed_up(rated))
    assert [one.good for one in every(folder)] == [True, False, True, False, True, True]
    assert made[0].path.exists(), "with it there are four good ones only"
    newest = backups.newest_good_backup(folder)
    assert newest is not None
    assert newest.path == made[5].path


@pytest.mark.parametrize("harm", ["a byte", "a half", "nothing", "text"])
def test_whatever_becomes_of_the_newest_the_one_before_is_offered(rated, folder, harm):
    first, second = backed_up(rated), backed_up(rated)
    data = second.path.read_bytes()
    match harm:
        case "a byte":
            flip(second.path, 0.9)
        case "a half":
            second.path.write_bytes(data[: len(data) // 2])
        case "nothing":
            second.path.write_bytes(b"")
        case "text":
            second.path.write_text("no database" * 1000, encoding="utf-8")
    newest = backups.newest_good_backup(folder)
    assert newest is not None
    assert newest.path == first.path
    assert backups.backup_is_needed(rated, newest) is False


def test_other_files_among_them_are_no_backups(rated, folder):
    made = backed_up(rated)
    (folder / "backups" / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "backups" / "00009-20261399T990000Z-format2-0123456789abcdef.sqlite3").write_bytes(made.path.read_bytes())
    shutil.copy(made.path, folder / "backups" / "copy.sqlite3")
    assert every(folder) == (made,)


def test_a_clock_that_goes_back_does_not_change_the_order(rated, folder):
    made = [backed_up(rated, lambda days=days: NOON - timedelta(days=days)) for days in range(7)]
    assert [one.path for one in backups.list_backups(folder)] == [one.path for one in reversed(made[2:])]


def test_one_is_made_by_itself_only_where_something_came(rated, made, folder):
    assert back_up(rated, now=noon, progress=Progress(), always=False) is not None
    state.put_state(rated, "place", "t-00003")
    assert back_up(rated, now=noon, progress=Progress(), always=False) is None
    for change in (
        lambda: made.rated(rated, "t-00001"),
        lambda: made.imported(rated, made.tasks(2), revision=2),
        lambda: state.record_export(
            rated, ExportRow(bundle="november", rater="r-17", sha256="0", moment="", tasks=1, complete=1, skipped=0)
        ),
    ):
        change()
        assert back_up(rated, now=noon, progress=Progress(), always=False) is not None
        assert back_up(rated, now=noon, progress=Progress(), always=False) is None
    flip(backups.list_backups(folder)[0].path)
    assert back_up(rated, now=noon, progress=Progress(), always=False) is not None, "the newest one is not good"


def test_a_damaged_store_is_not_backed_up_and_the_earlier_backups_stay(folder, rated, damage):
    good = backed_up(rated)
    rated.close()
    damage("DROP TRIGGER ratings_never_change", "UPDATE ratings SET body = replace(body, 'fine', 'bad!') WHERE key = 3")
    with open_writer(folder, command="the window") as store, pytest.raises(StoreDamaged, match="is damaged"):
        backed_up(store)
    assert every(folder) == (good,)
    assert unfinished_backups(folder) == []


def test_a_copy_that_lacks_something_does_not_count(rated, folder):
    draft = backups.draft_backup(rated, Progress())
    connection = sqlite3.connect(draft.path)
    (trigger,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'ratings_never_go'").fetchone()
    connection.execute("DROP TRIGGER ratings_never_go")
    connection.execute("DELETE FROM heads WHERE rating = 10")
    connection.execute("DELETE FROM work_done WHERE rating = 10")
    connection.execute("DELETE FROM ratings WHERE key = 10")
    connection.execute(trigger)
    connection.commit()
    connection.close()
    with pytest.raises(StoreDamaged, match="is incomplete"):
        backups.store_backup(folder, draft, now=NOON)
    assert list((folder / "backups").iterdir()) == []


def test_one_that_is_stopped_leaves_nothing(rated, folder):
    state.put_state(rated, "large", "x" * 3_000_000)
    progress = Progress(lambda _done, _total: progress.stop())
    with pytest.raises(Cancelled):
        back_up(rated, now=noon, progress=progress)
    draft = backups.draft_backup(rated, Progress())
    with pytest.raises(Cancelled):
        backups.store_backup(folder, draft, now=NOON, check_cancelled=progress_that_is_stopped())
    assert list((folder / "backups").iterdir()) == []


def progress_that_is_stopped():
    progress = Progress()
    progress.stop()
    return lambda: progress(0, 0)


FULL = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from desktop_rater.format.change import Progress
from desktop_rater.store import state
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.errors import StoreError
from desktop_rater.operations.store.backup import back_up
with open_writer(Path(sys.argv[1]), command="backup") as store:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        back_up(store, now=lambda: datetime(2026, 11, 20, 12, tzinfo=UTC), progress=Progress())
    except StoreError as error:
        print(error.message)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    state.put_state(store, "after", "still writes")
"""


@pytest.mark.posix("Windows has no resource limits")
def test_a_disk_that_takes_no_more_costs_the_backup_and_nothing_else(rated, folder):
    good = backed_up(rated)
    rated.close()
    printed = subprocess.check_output([sys.executable, "-c", FULL, str(folder)], text=True)
    assert "No backup was made." in printed
    assert every(folder) == (good,)
    assert unfinished_backups(folder) == []
    with open_writer(folder, command="the window") as store:
        assert state.get_state(store, "after") == "still writes"


def test_where_less_than_twice_its_size_is_free_none_is_begun(rated):
    backups.check_free_space(1_000_000, 2_000_000, "No space.", "No backup was made.")
    with pytest.raises(StoreError, match="No space") as caught:
        backups.check_free_space(1_000_000, 1_999_999, "No space.", "No backup was made.")
    assert "No backup was made." in caught.value.message


@pytest.mark.posix("Windows has no signals to send to a process")
def test_killed_at_any_step_it_leaves_good_backups_only(rated, folder, tmp_path):
    for _ in range(5):
        backed_up(rated)
    rated.close()
    as_it_was = folder.rename(tmp_path / "as it was")
    with killer() as run:
        for step in itertools.count(1):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(as_it_was, folder)
            ended = run("back_up", step, folder)
            found = every(folder)
            assert len(found) >= 5
            assert all(one.good and one.ratings == 10 for one in found)
            open_writer(folder, command="the window").close()
            assert unfinished_backups(folder) == []
            if ended != -signal.SIGKILL:
                break
    assert ended == 0
    assert step > 5


# Another process answers without a pause while this one copies.
ANSWERS = """
import sys
from pathlib import Path
from desktop_rater.format.rating import Rating
from desktop_rater.store import ratings
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.ratings import NewRevision
store = open_writer(Path(sys.argv[1]), command="the window")
for number in range(100_000):
    rating = Rating(task=f"t-{number % 20:05}", rater="r-17", status="complete")
    ratings.append_revision(store, "november", NewRevision(rating=rating, changed="2026-11-20T09:12:00Z", done="answer",
        leaving_sha256="0" * 64))
    if number % 10 == 0:
        print(number, flush=True)
"""


def test_beside_a_window_that_saves_it_is_of_one_moment(rated, folder):
    state.put_state(rated, "large", "x" * 3_000_000)
    rated.close()
    with subprocess.Popen([sys.executable, "-c", ANSWERS, str(folder)], stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        answers = window.stdout
        answers.readline()
        with reader_of(folder) as reader:
            seen = [0]

            def wait_for_an_answer(_done, _total):
                answers.readline()
                seen[0] += 1

            made = back_up(reader, now=noon, progress=Progress(wait_for_an_answer))
        window.kill()
    assert seen[0] > 2
    assert made is not None
    assert every(folder) == (made,)


# -- before the tables change


@pytest.fixture
def old(file):
    return lay(file, 1)


def test_a_store_of_an_older_version_is_backed_up_before_it_changes(old):
    with open_writer(old, command="the window", now=NOON) as store:
        assert bundles.list_bundles(store)
    (made,) = every(old)
    assert (made.version, made.ratings, made.good) == (1, 2, True)
    db = connect_immutable(made.path)
    assert not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'visits'").fetchall()
    db.close()
    open_writer(old, command="the window", now=NOON).close()
    assert every(old) == (made,)


def test_where_it_can_not_be_backed_up_it_does_not_change(old, file, damage):
    damage("DROP TRIGGER ratings_never_change", "UPDATE ratings SET body = replace(body, 'second', 'altered')")
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    with pytest.raises(StoreDamaged, match="not updated because it could not be backed up") as caught:
        open_writer(old, command="the window", now=NOON)
    assert caught.value.hint
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert list((old / "backups").iterdir()) == []


def test_pages_are_shared_with_the_store(rated, folder):
    backed_up(rated)
    assert pages.last_states(rated, "november") == {}
    assert not (folder / "backups" / "snapshots").exists()
