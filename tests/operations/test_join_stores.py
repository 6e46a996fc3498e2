"""Two stores that went on from the same one are joined: nothing is lost, replaced or joined twice."""

import json
import shutil
import signal
import subprocess
import sys

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import join_store
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.restore import moved_stores
from tests.operations.bundles import RATER, make, noon, rating, save_ratings, take_in, task, writer

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.operations.test_join_stores import rate
from desktop_rater.store.open_store import open_writer

store = open_writer(Path(sys.argv[1]), command="the window")
rate(store, Path(sys.argv[2]), **{"t-2": "of the killed program"})
os.kill(os.getpid(), signal.SIGKILL)
"""


def rate(store, place, **notes):
    for name, note in notes.items():
        save_ratings(store, "kelp", place / "ratings.jsonl", [rating(name, note=note)])


def notes_of(store, name):
    query = "SELECT json_extract(body, '$.note') FROM ratings WHERE task = ? ORDER BY revision"
    return [note for (note,) in store.db.execute(query, (name,))]


@pytest.fixture
def folder(tmp_path):
    """A store with three tasks, the first one rated."""
    folder = tmp_path / "store"
    with writer(folder) as store:
        take_in(store, make(tmp_path / "kelp.zip", [task(f"t-{number}") for number in range(3)]))
        rate(store, tmp_path, **{"t-0": "before"})
    return folder


@pytest.fixture
def other(folder, tmp_path):
    """A copy of it that went on: with another task, and with the first one again."""
    other = shutil.copytree(folder, tmp_path / "other")
    with writer(other) as store:
        rate(store, tmp_path, **{"t-0": "of the other", "t-1": "of the other"})
    return other


def joined(folder, source):
    with writer(folder) as store:
        return join_store(store, source, progress=Progress())


def test_what_the_store_lacks_is_added(folder, other):
    outcome = joined(folder, other)
    assert (outcome.revisions, outcome.conflicts, outcome.notes, outcome.damaged) == (2, (), (), 0)
    with writer(folder) as store:
        assert notes_of(store, "t-0") == ["before", "of the other"]
        assert notes_of(store, "t-1") == ["of the other"]
        assert open_task(store, "kelp", "t-1", RATER).rating.status == "complete"
    assert examine_store(folder).faults == ()


def test_a_rating_that_both_continued_keeps_both_and_is_named(folder, other, tmp_path):
    with writer(folder) as store:
        rate(store, tmp_path, **{"t-0": "of this one"})
    assert joined(folder, other).conflicts == (f"{RATER}'s rating of kelp/t-0",)
    with writer(folder) as store:
        assert notes_of(store, "t-0") == ["before", "of this one", "of the other"]
        assert open_task(store, "kelp", "t-0", RATER).rating.status == "incomplete", "somebody has to look at it"
    assert examine_store(folder).faults == ()


def test_joining_again_adds_nothing(folder, other, tmp_path):
    with writer(folder) as store:
        rate(store, tmp_path, **{"t-0": "of this one"})
    joined(folder, other)
    again = joined(folder, other)
    assert (again.revisions, again.reviews, again.conflicts) == (0, 0, ())
    assert joined(other, folder).revisions == 1, "the other way round"


def test_a_copy_by_a_synchronising_program_can_be_joined(folder, other):
    copy = folder / "store (ana's conflicted copy 2026-11-28).sqlite3"
    shutil.copy(other / "store.sqlite3", copy)
    assert joined(folder, copy).revisions == 2
    assert copy.exists(), "it is the user's"


def test_a_moved_store_is_renamed_once_it_is_joined(folder, other):
    moved = other.rename(folder.with_name("store, moved 2026-11-28 12-39"))
    assert moved_stores(folder) == [moved]
    assert joined(folder, moved).revisions == 2
    assert moved_stores(folder) == []
    assert folder.with_name("store, joined 2026-11-28 12-39").is_dir()


def test_a_bundle_that_only_the_other_store_has_is_named(folder, other, tmp_path):
    with writer(other) as store:
        take_in(store, make(tmp_path / "crabs.zip", [task("c-1")], id="crabs", title="Crabs"))
    (note,) = joined(folder, other).notes
    assert "crabs" in note
    assert "Import it again" in note


@pytest.mark.parametrize("source", ["nothing", "empty"])
def test_what_can_not_be_joined_is_refused(folder, tmp_path, source):
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotInStore):
        joined(folder, tmp_path / source)
    assert joined(folder, folder).revisions == 0, "it has all of itself"


def test_a_damaged_copy_adds_nothing(folder, other):
    file = other / "store.sqlite3"
    content = file.read_bytes()
    file.write_bytes(content.replace(b"of the other", b"of the OTHER"))
    with pytest.raises(StoreError, match="damaged"):
        joined(folder, file)
    with writer(folder) as store:
        assert notes_of(store, "t-1") == []


@pytest.mark.posix("Windows does not let other programs replace open files")
def test_the_journal_of_a_killed_program_is_joined_to_the_file_that_took_the_place(folder, other, tmp_path):
    with writer(folder) as store:
        back_up(store, now=noon, progress=Progress())
    killed = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    (other / "store.sqlite3").replace(folder / "store.sqlite3")
    with open_writer(folder, command="the window") as store:
        assert store.foreign_log is not None
        assert notes_of(store, "t-2") == []
        back_up(store, now=noon, progress=Progress())
        assert join_store(store, store.foreign_log, progress=Progress()).revisions == 1
        assert notes_of(store, "t-2") == ["of the killed program"]
        assert notes_of(store, "t-1") == ["of the other"]
    assert examine_store(folder).faults == ()


def test_the_command_says_what_was_added_and_what_was_continued_in_both(folder, other, tmp_path, capsys):
    with writer(folder) as store:
        rate(store, tmp_path, **{"t-0": "of this one"})
    command = ["--store", str(folder), "restore", "--join", str(other)]
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "added 2 revisions and 0 reviews of" in out
    assert f"Continued in both, to be reviewed: {RATER}'s rating of kelp/t-0." in out
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["revisions"] == 0
