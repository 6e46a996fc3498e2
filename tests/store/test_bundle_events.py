"""The choice of a revision and of the bundles in the list is kept, append-only, also where a store is rescued."""

import random
import sqlite3

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.revisions import bring_bundle_back, go_to_revision, put_bundle_away
from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.store import bundle_events, bundles, tasks
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import make, noon, rating, save_ratings, take_in, task
from tests.readers import reader_of

NAMES = tuple(f"t-{number}" for number in range(4))
MOMENT = "2026-11-20T12:00:00Z"


@pytest.fixture
def chosen(folder, tmp_path):
    """A store whose user has gone back from revision 9 to 1, with two finished tasks, and put another bundle away."""
    names = ("t-1", "t-2")
    with open_writer(folder, command="the window") as store:
        take_in(store, make(tmp_path / "b.zip", map(task, names)))
        save_ratings(store, "b", tmp_path / "ratings.jsonl", map(rating, names))
        take_in(store, make(tmp_path / "b9.zip", [task("t-9")], id="b", revision=9), replace=True)
        go_to_revision(store, "b", 1, now=noon)
        take_in(store, make(tmp_path / "c.zip", [task("t-1")]))
        put_bundle_away(store, "c", reason="not mine", now=noon)
    return folder


def listed(folder):
    with reader_of(folder) as reader:
        rows = bundle_statuses(reader, put_away=True)
    return {row.id: (row.revision, row.complete, row.put_away) for row in rows}


CHOSEN = {"b": (1, 2, False), "c": (1, 0, True)}


def test_the_choices_are_there_after_the_next_start_and_the_store_is_sound(chosen):
    assert listed(chosen) == CHOSEN
    assert examine_store(chosen).faults == ()


def test_the_choices_are_saved_from_a_damaged_store(chosen, tmp_path):
    with open_writer(chosen, command="the window") as store:
        back_up(store, now=noon, progress=Progress())
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


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_imported_and_gone_back_to_each_revision_shows_the_work_done_on_its_texts(store, made, seed):
    chance = random.Random(seed)
    revisions: dict[int, dict[str, str]] = {}  # of each revision, the texts by task
    rated: dict[str, str] = {}  # the text that a task was last rated on
    current = 0

    def imports():
        nonlocal current
        texts = {name: chance.choice(("old", "new")) for name in NAMES if chance.random() < 0.7} or {"t-0": "old"}
        current = chance.choice([number for number in range(1, 30) if number not in revisions])
        made.imported(store, [made.task(name, prompt=text) for name, text in texts.items()], revision=current)
        revisions[current] = texts

    def goes():
        nonlocal current
        current = chance.choice(list(revisions))
        event = bundle_events.BundleEvent(bundle="november", what="revision", revision=current, moment=MOMENT)
        bundle_events.choose_revision(store, event)

    def rates():
        name = chance.choice(list(revisions[current]))
        made.rated(store, name)
        rated[name] = revisions[current][name]

    imports()
    for _ in range(25):
        chance.choice((imports, goes, rates, rates))()
        shown = {row.id: row.status for row in tasks.list_tasks(store, "november", "r-17", limit=99)}
        here = {name for name in rated if name in revisions[current]}
        done = {name for name in here if rated[name] == revisions[current][name]}
        assert set(shown) == set(revisions[current])
        assert {name for name, state in shown.items() if state == "complete"} == done
        assert {name for name, state in shown.items() if state == "incomplete"} == here - done
        (status,) = bundles.count_progress(store)
        assert (status.revision, status.complete) == (current, len(done))
    assert examine_store(store.folder).faults == ()
