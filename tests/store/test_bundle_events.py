"""The choice of a revision and of the bundles in the list is kept, append-only, also where a store is rescued."""

from __future__ import annotations

import sqlite3

import pytest

from desktop_rater.model.change import Progress
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.work.bundles.revisions import bring_bundle_back, go_to_revision, put_bundle_away
from desktop_rater.work.rating.browse import bundle_statuses
from desktop_rater.work.rating.save import rate_from_file
from desktop_rater.work.store.backup import back_up
from desktop_rater.work.store.salvage import salvage_to
from tests.work.bundles import RATER, make, noon, rating, take_in, task, write_lines


@pytest.fixture
def chosen(folder, tmp_path):
    """A store whose user has gone back from revision 9 to 1, with two finished tasks, and put another bundle away."""
    names = ("t-1", "t-2")
    with open_writer(folder, command="the window") as store:
        take_in(store, make(tmp_path / "b.zip", map(task, names)))
        lines = write_lines(tmp_path / "ratings.jsonl", map(rating, names))
        rate_from_file(store, "b", lines, RATER, progress=Progress(), now=noon)
        take_in(store, make(tmp_path / "b9.zip", [task("t-9")], id="b", revision=9), replace=True)
        go_to_revision(store, "b", 1, now=noon)
        take_in(store, make(tmp_path / "c.zip", [task("t-1")]))
        put_bundle_away(store, "c", reason="not mine", now=noon)
    return folder


def listed(folder):
    reader = open_reader(folder)
    assert reader is not None
    with reader:
        rows = bundle_statuses(reader, put_away=True)
    return {row.id: (row.revision, row.complete, row.put_away) for row in rows}


CHOSEN = {"b": (1, 2, False), "c": (1, 0, True)}


def test_the_choices_are_there_after_the_next_start_and_the_store_is_sound(chosen):
    assert listed(chosen) == CHOSEN
    assert examine_store(chosen).faults == ()


def test_the_choices_are_saved_from_a_damaged_store(chosen, tmp_path):
    saved = salvage_to(chosen, tmp_path / "saved", now=noon(), progress=Progress())
    assert saved.lost == ()
    assert listed(tmp_path / "saved") == CHOSEN
    assert examine_store(tmp_path / "saved").faults == ()


def test_a_backup_that_lacks_the_last_choices_does_not_undo_them(chosen, tmp_path):
    with open_writer(chosen, command="the window") as store:
        back_up(store, now=noon, progress=Progress())
        go_to_revision(store, "b", 9, now=noon)
        go_to_revision(store, "b", 1, reason="again", now=noon)
        bring_bundle_back(store, "c", now=noon)
    salvage_to(chosen, tmp_path / "saved", now=noon(), progress=Progress())
    assert listed(tmp_path / "saved") == {"b": (1, 2, False), "c": (1, 0, False)}


@pytest.mark.parametrize("statement", ["DELETE FROM bundle_events", "UPDATE bundle_events SET revision = 9"])
def test_an_event_is_never_changed_nor_deleted(chosen, file, statement):
    connection = sqlite3.connect(file)
    with pytest.raises(sqlite3.IntegrityError, match="events of bundles are never"):
        connection.execute(statement)
    connection.close()
    assert listed(chosen) == CHOSEN
