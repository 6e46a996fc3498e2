"""A rater sees which prices, times and names of a response stand in the output of its tools."""

import pytest

from desktop_rater.ui.rating.comparison import TOOL_LAYER
from tests.operations.bundles import make
from tests.ui.rooms import banner, part

TEXT = "Iberia Express costs €999 and leaves at 10:20 AM. The Grand Hotel is near."
OUTPUT = {"flights": [{"airline": "Iberia Express", "price": "€899", "departs": "10:20"}]}


@pytest.fixture
def room(rooms):
    tool = {"name": "flights", "status": "ok", "output": OUTPUT}
    responses = [{"id": "a", "text": TEXT, "tools": [tool]}, {"id": "b", "text": "No €5."}]
    tasks = [
        {"id": "t1", "prompt": {"text": "?"}, "responses": responses},
        {"id": "t2", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "€5"}, {"id": "b", "text": "No."}]},
    ]
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks, rubric="side-by-side"))


def marked(room, index=0):
    pane = room.window.text_pane.panes[index]
    return [(pane.response.text[slice(*mark.span)], mark.look, mark.tip) for mark in pane.view.layer(TOOL_LAYER)]


def test_the_help_is_turned_on_and_off_and_answers_nothing(room, rooms):
    before = room.session.rating
    assert marked(room) == []

    part(room, "action_tool_comparison").trigger()

    assert marked(room) == [
        ("Iberia Express", "found", "in the tool output"),
        ("€999", "differs", "differs: €899 in the tool output"),
        ("10:20 AM", "found", "in the tool output"),
        ("Grand Hotel", "absent", "not there"),
    ]
    assert marked(room, 1) == [], "a response without tools is compared with nothing"
    assert "2 in the tool output, 1 differ, 1 not there" in banner(room, "hint")
    values = part(room, "tool_comparison_a")
    assert values.isVisible()
    assert values.rows.rowCount() == 4
    values.clicked.emit(values.rows.index(0))
    view = room.window.text_pane.panes[0].view
    assert view.textCursor().selectedText() == "€999", "what differs comes first, and is shown in the text"
    assert room.session.rating == before

    part(room, "action_tool_comparison").trigger()
    assert marked(room) == []
    assert values.isHidden()


def test_a_task_without_tool_output_says_so(room, rooms):
    rooms.open_task(room, "t2")
    part(room, "action_tool_comparison").trigger()
    assert banner(room, "hint") == "The responses of this task have no tool output."
    assert marked(room) == []


def test_the_next_task_is_compared_too_while_the_help_is_on(room, rooms):
    part(room, "action_tool_comparison").trigger()
    rooms.open_task(room, "t2")
    assert marked(room) == []
    assert part(room, "tool_comparison_a").isHidden()
    rooms.open_task(room, "t1")
    assert len(marked(room)) == 4
