"""The parts around the text: header, task list, target strip, tool output and status, as a rater meets them."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from desktop_rater.operations.rating.rater_state import BundleOverview
from desktop_rater.ui.widgets.formatting import hours_and_minutes, remaining_time
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE
from tests.operations.bundles import make, task
from tests.ui.rooms import part, press, press_and_settle, resize, settle
from tests.ui.window_parts import WindowParts


def with_tools(*tools):
    response = {"id": "a", "text": "Nothing was found.", "tools": list(tools)}
    return {"id": "t1", "prompt": {"text": "Which flight?"}, "responses": [response]}


def line_of(room, row):
    return room.window.task_list.model.index(row).data(LIST_ROW_ROLE)


# -- header


def test_the_header_holds_menus_rooms_and_the_way_to_every_action(wide):
    header = part(wide, "header")
    assert header.height() == 36
    titles = [action.text().replace("&", "") for action in wide.window.menuBar().actions()]
    assert titles[:3] == ["File", "Edit", "Target"]
    assert part(wide, "rooms").tabText(1) == "Rate"
    find = part(wide, "find_action")
    assert find.isVisible()
    assert find.width() == 214
    QTest.mouseClick(find, Qt.MouseButton.LeftButton)
    settle()
    assert wide.window.parts["palette"].isVisible()
    wide.window.parts["palette"].close()


# -- task list


def test_a_task_that_is_answered_and_blocked_is_told_from_one_that_is_begun(wide, rooms):
    chips = part(wide, "states")
    assert part(wide, "states_unfinished").text() == "To do 2"
    assert not part(wide, "states_blocked").isVisible()
    press("N", "J", "N", "J", "Y", "3", "4", "U")
    wide.session.add_evidence("https://example.org/a")
    wide.session.change_evidence("e1", stance="contradicting")
    rooms.wait_until_saved(wide)
    rooms.qtbot.waitUntil(lambda: line_of(wide, 0).mark == "blocked")
    assert line_of(wide, 0).detail_end.endswith(", blocked")
    rooms.qtbot.waitUntil(lambda: part(wide, "states_blocked").isVisible())
    assert part(wide, "states_blocked").text() == "Blocked 1"
    part(wide, "states_blocked").click()
    rooms.qtbot.waitUntil(lambda: wide.window.task_list.model.rowCount() == 1)
    assert chips.current == "blocked"


def test_a_skipped_task_says_why_in_the_list(wide, rooms):
    rooms.press_and_save(wide, "X", "1", "Return")
    rooms.qtbot.waitUntil(lambda: line_of(wide, 0).mark == "task_skipped")
    assert line_of(wide, 0).detail_end == "skipped: cut off"
    rooms.qtbot.waitUntil(lambda: part(wide, "done_count").text() == "3")
    assert part(wide, "of_count").text() == "of 4 targets"


def test_the_time_that_is_left_comes_from_the_raters_own_pace(wide):
    left = part(wide, "time_left")
    assert left.text() == "", "nothing is said before it is known"
    progress = BundleOverview(
        id="b", revision=1, title="", rubric="", unit="targets", done=5, total=610, tasks=61, finished=0
    )
    wide.window.task_list.model.progressed.emit(replace(progress, seconds_left=6 * 3_600))
    assert left.text() == "about 6 h left"
    wide.window.task_list.model.progressed.emit(replace(progress, finished=61, seconds_left=0))
    assert left.text() == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(20, "about 1 min left"), (7 * 60, "about 7 min left"), (62 * 60, "about 60 min left"), (9_000, "about 2 h left")],
)
def test_a_guess_is_said_in_round_figures(qapp, seconds, words):
    assert remaining_time(seconds) == words


def test_hours_and_minutes(qapp):
    assert hours_and_minutes(59) == "0 min"
    assert hours_and_minutes(6_420) == "1 h 47 min"


# -- target strip


def test_the_strip_shows_how_each_target_stands(wide):
    strip = wide.window.text_pane.strip
    press("N", "J", "Y")
    wide.session.add_evidence("https://example.org/a")
    wide.session.change_evidence("e1", stance="supporting")
    press("A")
    states = [strip.stops.accessible_text(stop, wide.session.target_states[stop]) for stop in strip.stops.stops]
    assert states[0].startswith("1 of 3, ")
    assert states[1] == "2 of 3, current, Accurate"
    assert states[2] == "3 of 3, to do"
    assert strip.currentIndex().row() == 1


def test_clicks_and_arrows_in_the_strip_go_to_a_target(wide):
    strip = wide.window.text_pane.strip
    last = strip.stops.index(2)
    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=strip.visualRect(last).center())
    assert wide.session.target.id == "s3"
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Left)
    assert wide.session.target.id == "s2"
    press("Y")
    assert wide.session.rating.answers.targets["s2"] == {"factual": "yes"}, "letters answer here too"


def test_of_many_targets_the_current_one_is_in_sight(rooms):
    sentences = [f"Number {at} is here." for at in range(80)]
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", *sentences)]))
    strip = room.window.text_pane.strip
    settle()
    assert strip.width() <= room.window.text_pane.width() // 2
    room.session.go_to(room.session.stops[70])
    settle()
    assert strip.viewport().rect().contains(strip.visualRect(strip.currentIndex()).center())


def test_the_strip_is_walked_through_by_a_screen_reader(wide):
    strip = wide.window.text_pane.strip
    face = QAccessible.queryAccessibleInterface(strip)
    assert face is not None
    assert face.childCount() >= 3
    index = strip.stops.index(0)
    strip.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "1 of 3, current, to do"


# -- tools


def test_without_calls_the_tools_say_so_and_stay_shut(wide):
    tools = part(wide, "tools_a")
    assert tools.height() == 30
    assert tools.head.text() == "Tool output: this response called no tools"
    press("T")
    assert not tools.is_open


def test_calls_whose_output_was_not_kept_stay_shut_until_they_are_wanted(rooms):
    room = rooms.with_bundle(
        make(rooms.folder / "bundle.zip", [with_tools({"name": "search", "status": "missing", "input": {"q": "x"}})])
    )
    tools = part(room, "tools_a")
    assert not tools.is_open
    assert "output not stored" in tools.head.text()
    press("T")
    assert tools.is_open
    press_and_settle("T")
    assert tools.height() == 30


def test_calls_open_by_themselves_those_that_failed_first(rooms):
    calls = (
        {"name": "search", "status": "ok", "input": {"q": "x"}, "output": {"hits": [{"title": "<b>A</b>"}], "n": 1}},
        {"name": "clock", "status": "error", "input": {}, "output": "no route to host"},
    )
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [with_tools(*calls)]))
    resize(room, 1440, 900)
    tools = part(room, "tools_a")
    assert tools.is_open
    assert tools.head.text() == "Tool output: 1 of 2 calls returned no result"
    assert [tools.model.call(row).name for row in range(tools.model.rowCount())] == ["clock", "search"]
    share = tools.height() / tools.parentWidget().height()
    assert 0.5 < share < 0.65, "a short response leaves its height to long output"
    assert "no route to host" in tools.output.text.toPlainText()
    tools.list.setCurrentIndex(tools.model.index(1))
    assert tools.output.tree.isVisible()
    shown = []
    model = tools.output.tree.model()

    def walk(parent):
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            shown.append(index.data())
            walk(index)

    walk(tools.output.tree.rootIndex())
    assert shown == ["Input", "q: x", "Output", "hits: [1]", "0: <b>A</b> {1}", "title: <b>A</b>", "n: 1"]
    assert not tools.output.tree.isExpanded(model.index(0, 0, model.index(0, 0, model.index(1, 0))))


# -- status


def test_the_status_says_how_keys_are_taken(wide, rooms):
    keys = part(wide, "status_keys")
    assert keys.text() == "Keys answer"
    width = keys.width()
    press("/")
    assert keys.text() == "Typing (Esc to leave)"
    assert keys.width() == width, "what stands beside it stays where it is"
    wide.window.form_pane.form.setFocus()
    rooms.press_and_save(wide, "Y")
    rooms.qtbot.waitUntil(lambda: part(wide, "status_saved").text().startswith("Saved "))
    WindowParts(wide).status.show_today(6_420)
    assert part(wide, "status_today").text() == "1 h 47 min active today"
    WindowParts(wide).status.show_today(6_420, 63)
    assert part(wide, "status_today").text() == "63 targets, 1 h 47 min active today"
    assert part(wide, "status_zoom").text() == "100 %"


def test_without_a_task_keys_navigate(rooms):
    room = rooms.empty()
    assert part(room, "status_keys").text() == "Keys navigate"
