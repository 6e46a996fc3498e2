"""A rater follows the order of work, leaves it, and takes it up again."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import theme
from tests.operations.bundles import make
from tests.ui.rooms import part, press

SPOKEN = Qt.ItemDataRole.AccessibleTextRole
FAILED = {"name": "search", "status": "error", "input": {"q": "x"}, "output": "no route"}
WELL = {"name": "maps", "status": "ok", "input": {"to": "SPU"}, "output": {"km": 6}}


def pair(name="t1"):
    responses = [
        {"id": "a", "text": "See https://example.org/a for more.", "tools": [FAILED]},
        {"id": "b", "text": "Nothing was found.", "tools": [WELL]},
    ]
    return {"id": name, "prompt": {"text": "Which flight?"}, "responses": responses}


def alone(name):
    return {"id": name, "prompt": {"text": "Which flight?"}, "responses": [{"id": "a", "text": "None."}]}


@pytest.fixture
def room(rooms):
    opened = rooms.with_bundle(make(rooms.folder / "bundle.zip", [pair(), alone("t2")], rubric="side-by-side"))
    opened.window.resize(1280, 620)  # too low for two responses side by side, which have a list of the steps instead
    QApplication.processEvents()
    return opened


def row(room):
    """The words of each step."""
    model = part(room, "stepper").model()
    return [model.index(at, 0).data() for at in range(model.rowCount())]


def here(room):
    """The words of the step where the rater is."""
    stepper = part(room, "stepper")
    return stepper.currentIndex().data()


def spoken(room, at):
    return part(room, "stepper").model().index(at, 0).data(SPOKEN)


def click(room, name):
    stepper = part(room, "stepper")
    index = stepper.model().index(row(room).index(name), 0)
    stepper.scrollTo(index)
    QTest.mouseClick(stepper.viewport(), Qt.MouseButton.LeftButton, pos=stepper.visualRect(index).center())


def test_the_order_of_work_stands_above_the_responses(room):
    assert part(room, "stepper").isVisible()
    assert row(room) == [
        "Prompt",
        "Response A",
        "A: tools",
        "A: fulfilment",
        "A: factuality",
        "Response B",
        "B: tools",
        "B: fulfilment",
        "B: factuality",
        "Choose",
        "Justify",
    ]
    assert here(room) == "Prompt"


def test_enter_goes_through_the_steps_and_what_is_read_is_ticked(room):
    seen = [here(room)]
    for _ in range(3):
        press("Return")
        seen.append(here(room))
    assert seen == ["Prompt", "Response A", "A: tools", "A: fulfilment"]
    assert spoken(room, 0) == "Prompt, 1 of 11, done"
    assert spoken(room, 3) == "A: fulfilment, 4 of 11, current, to do"


def test_who_answers_at_once_presses_no_key_more(room):
    press("2", "1", "3", "1")
    assert room.session.rating.answers.responses["a"] == {
        "tool_needed_and_failed": "no",
        "punt": "none",
        "fulfilment": "completely",
        "factuality": "completely_accurate",
    }
    press("Return")
    assert here(room) == "Response B"
    press("1", "3", "1", "Return")
    assert here(room) == "Choose"
    assert all("to do" not in spoken(room, at) for at in range(9))


def test_a_step_can_be_gone_to_and_left_at_any_time(room):
    click(room, "B: factuality")
    assert (room.session.place.response, room.session.current_question) == ("b", "factuality")
    click(room, "Choose")
    assert (room.session.place.response, room.session.current_question) == (None, "preference")
    click(room, "Response A")
    assert here(room) == "Response A"
    assert room.session.place.response == "a"
    part(room, "stepper").setFocus()
    press("Right")
    assert here(room) == "A: tools"
    press("Left", "Left")
    assert here(room) == "Prompt"
    press("Home", "End")
    assert here(room) == "Justify"


def test_links_that_were_not_opened_block_where_the_response_was_read(room):
    assert "blocked" not in spoken(room, 1)
    press("Return", "Return")
    assert spoken(room, 1) == "Response A, 2 of 11, blocked"


def test_the_step_that_was_read_is_read_again_after_a_restart(rooms, room):
    press("2", "1", "3", "1", "Return", "Return")
    assert here(room) == "B: tools"
    rooms.wait_until_saved(room)
    rooms.shut(room)
    again = rooms.empty()
    again.window.resize(1280, 620)
    rooms.wait_for_task(again, "t1")
    rooms.qtbot.waitUntil(lambda: here(again) == "B: tools")
    assert spoken(again, 5) == "Response B, 6 of 11, done"


def test_a_question_that_was_left_is_the_step_again_after_a_restart(rooms, room):
    click(room, "B: fulfilment")
    rooms.shut(room)
    again = rooms.empty()
    again.window.resize(1280, 620)
    rooms.wait_for_task(again, "t1")
    assert here(again) == "B: fulfilment"


def test_one_response_has_steps_of_its_own_and_other_rubrics_have_none(rooms, room):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert row(room) == ["Prompt", "Response", "Fulfilment", "Factuality"]
    other = rooms.folder / "other.zip"
    make(other, [{"id": "x", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "Yes."}]}])
    room.transfer.import_bundle(other)
    rooms.wait_for_task(room, "x")
    assert not part(room, "stepper").isVisible()


def test_undo_leaves_nothing_read_that_is_not_there(room):
    press("2", "1", "Ctrl+Z", "Ctrl+Z")
    assert here(room) in {"A: tools", "A: fulfilment"}
    assert part(room, "stepper").currentIndex().isValid()


@pytest.fixture
def zoom(qapp):
    yield lambda per_cent: theme.apply(qapp, theme.Look(zoom=per_cent))
    theme.apply(qapp, theme.Look())


def test_where_there_is_no_room_the_row_scrolls_with_the_rater(rooms, room, zoom):
    zoom(200)
    room.window.resize(1440, 900)  # at this zoom one pane at a time
    stepper = part(room, "stepper")
    room.session.go_to_step(stepper.steps.steps[-1])
    rooms.qtbot.waitUntil(lambda: stepper.viewport().rect().intersects(stepper.visualRect(stepper.currentIndex())))
    shown = stepper.visualRect(stepper.currentIndex())
    assert stepper.viewport().rect().contains(shown)
    before = stepper.horizontalScrollBar().value()
    assert before > 0
    where = QPointF(20, 20)
    wheel = QWheelEvent(
        where,
        stepper.viewport().mapToGlobal(where),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(stepper.viewport(), wheel)
    assert stepper.horizontalScrollBar().value() < before
