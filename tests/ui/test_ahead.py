"""The next task is read while the rater works on this one; what is shown is what is so."""

import pytest

from desktop_rater.ui.rating.task_loader import TaskPrefetcher
from tests.operations.bundles import make, task
from tests.ui.rooms import press


@pytest.fixture
def room(rooms):
    return rooms.with_tasks(*(task(f"t{number}", "One.", "Two.") for number in range(1, 5)))


def ahead(room, rooms):
    """The task that was read ahead, once it is there."""
    there = room.desk.findChild(TaskPrefetcher)
    rooms.qtbot.waitUntil(lambda: there.at("bundle", room.desk.position + 1) is not None)
    return there.at("bundle", room.desk.position + 1).opened


def test_the_task_behind_is_ready_and_going_there_waits_for_nothing(room, rooms):
    assert ahead(room, rooms).task.id == "t2"
    press("Ctrl+PgDown")
    assert room.session.task.id == "t2", "without a turn of the event loop"
    assert ahead(room, rooms).task.id == "t3"


def test_what_was_answered_there_before_is_seen_there(room, rooms):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    press("N")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    ahead(room, rooms)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert room.session.rating.answers.targets["s1"]["factual"] == "no"


def test_a_new_revision_of_the_bundle_is_not_hidden_by_what_was_read_before(room, rooms):
    ahead(room, rooms)
    newer = [task("t1", "One.", "Two."), task("t2", "Another sentence."), task("t3"), task("t4")]
    room.transfer.import_bundle(make(rooms.folder / "bundle.zip", newer, revision=2))
    there = room.desk.findChild(TaskPrefetcher)

    def is_the_newer_one():
        read = there.at("bundle", 1)
        return read is not None and read.opened.task.responses[0].text == "Another sentence."

    rooms.qtbot.waitUntil(is_the_newer_one)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert [target.quote for target in room.session.task.targets] == ["Another sentence."]


def test_behind_the_last_task_there_is_nothing(room, rooms):
    rooms.open_task(room, "t4")
    press("Ctrl+PgDown")
    rooms.open_task(room, "t3")
    assert ahead(room, rooms).task.id == "t4"


def test_the_next_task_begins_at_its_top_with_nothing_selected(rooms):
    long = [f"Sentence {number} of a long response that goes on for a while." for number in range(80)]
    room = rooms.with_tasks(task("t1", *long), task("t2", *long))
    view = room.window.text_pane.panes[0].view
    room.session.go_to(room.session.stops[-1])
    view.selectAll()
    assert view.verticalScrollBar().value() > 0
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    again = room.window.text_pane.panes[0].view
    assert again is view, "the same view, filled anew"
    assert view.verticalScrollBar().value() == 0
    assert room.window.text_pane.selected_stretch() is None
