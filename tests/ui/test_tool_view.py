"""What the tools of a response were asked and answered, and when: what failed can't be overlooked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.task import ToolCall
from desktop_rater.operations.rating.task_text import task_blocks
from desktop_rater.ui.rating import tool_output
from desktop_rater.ui.rating.task_search import output_lines, printed_document
from desktop_rater.ui.rating.tool_output import (
    MAX_CALL_LINE_LENGTH,
    MAX_JSON_LENGTH,
    call_time_text,
    formatted_json,
    tool_call_row,
)
from tests.operations.bundles import make, task
from tests.ui.rooms import Text, part, press, press_until

CALLS = [
    {"name": "maps", "status": "ok", "at": "2024-05-01T10:00:00Z", "input": {"to": "SPU"}, "output": {"km": 6.1}},
    {"name": "hotels", "status": "empty", "at": "2024-05-01T10:00:03Z", "input": {"q": "x"}, "output": ""},
    {"name": "flights", "status": "error", "at": "2024-05-01T10:00:00Z", "input": {"q": 1}, "output": "503 timed out"},
    {"name": "trains", "status": "no_results", "input": {"q": 2}, "output": {"trains": []}},
    {"name": "kept nothing", "status": "missing", "input": {"q": 3}},
]


def pair(calls_a, calls_b=(), text="Nothing was found."):
    responses = [{"id": "a", "text": text, "tools": list(calls_a)}, {"id": "b", "text": "No.", "tools": list(calls_b)}]
    return {"id": "t1", "prompt": {"text": "Which?"}, "responses": responses}


@pytest.fixture
def opened(rooms):
    def opened(*tasks):
        room = rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks, rubric="side-by-side"))
        room.window.resize(1440, 900)
        rooms.qtbot.waitUntil(lambda: room.window.text_pane.panes[0].view.height() > 100)
        return room

    return opened


def rows(room, name="calls_a"):
    model = part(room, name).model
    return [model.index(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(model.rowCount())]


# -- words


def test_json_is_shown_with_indents_and_capped():
    wide = {"to": "Köln", "note": "x" * 100}
    assert formatted_json(wide) == json.dumps(wide, ensure_ascii=False, indent=2)
    assert formatted_json({"to": "Köln"}) == '{"to": "Köln"}'
    assert formatted_json("<b>as it stands</b>") == "<b>as it stands</b>"
    long = {"x": ["y" * 1_000] * 1_000}
    assert len(formatted_json(long)) == MAX_JSON_LENGTH + 2
    assert formatted_json(long).endswith("\n…"), "what is cut says so"
    assert json.loads(formatted_json(long, whole=True)) == long


def test_the_moment_stands_with_its_zone():
    assert call_time_text("2024-05-01T10:00:00Z") == "1 May 2024, 10:00 UTC"
    assert call_time_text("2024-12-31T23:59:07Z") == "31 Dec 2024, 23:59:07 UTC"
    assert call_time_text(None) == ""


@pytest.mark.parametrize("status", ["ok", "no_results", "empty", "error", "missing"])
def test_every_status_has_a_word_and_a_shape_of_its_own_meaning(status):
    said = tool_call_row(ToolCall(name="x", status=status, output="out"))
    assert said.state
    assert said.mark in tool_output.WORST_FIRST
    assert (said.mark == "done") == (status == "ok")


def test_an_error_has_a_line_of_its_own_and_nothing_is_called_nothing():
    failed = tool_call_row(ToolCall(name="x", status="error", input={"q": 1}, output="503 timed out"))
    assert (failed.detail, failed.detail_end) == ("q: 1", "503 timed out")
    empty = tool_call_row(ToolCall(name="x", status="empty", input={"q": 1}, output=""))
    assert empty.detail == "q: 1 → (nothing)"


LONGEST_NAMED = len("[U+10FFFF]")  # how a character that can't be seen is shown

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
)


@given(st.text(min_size=1), values, values, st.sampled_from(("ok", "no_results", "empty", "error", "missing")))
def test_whatever_a_tool_said_its_row_is_one_bounded_line(name, given_in, given_out, status):
    said = tool_call_row(ToolCall(name=name, status=status, input=given_in, output=given_out))
    for line in (said.title, said.detail, said.detail_end):
        assert "\n" not in line
        assert len(line) <= 2 * LONGEST_NAMED * MAX_CALL_LINE_LENGTH + 20


# -- in the window


def foot(widget):
    return widget.mapToGlobal(widget.rect().bottomLeft()).y()


def test_of_a_pair_the_calls_stand_above_the_text_what_failed_first(rooms, opened):
    room = opened(pair(CALLS, CALLS[:1]))
    assert rows(room) == [
        "flights, error, 1 May 2024, 10:00 UTC, q: 1, 503 timed out",
        "hotels, empty result, 1 May 2024, 10:00:03 UTC, q: x → (nothing)",
        'trains, no results, q: 2 → {"trains": []}',
        "kept nothing, output not stored, q: 3",
        'maps, ok, 1 May 2024, 10:00 UTC, to: SPU → {"km": 6.1}',
    ]
    calls, text = part(room, "calls_a"), room.window.text_pane.panes[0].view
    press_until(rooms.qtbot, lambda: foot(calls) <= text.mapToGlobal(text.rect().topLeft()).y(), "T")
    assert len(rows(room, "calls_b")) == 1


def test_a_response_without_calls_gives_its_room_to_the_text(opened):
    room = opened(pair(CALLS))
    assert not part(room, "calls_b").isVisible()


def test_t_unfolds_a_call_to_its_whole_and_folds_it(opened):
    room = opened(pair(CALLS, CALLS[:1]))
    calls = part(room, "calls_a")
    press("T")
    assert calls.is_open
    assert "503 timed out" in calls.output.text.toPlainText()
    assert "1 May 2024, 10:00 UTC" in calls.output.text.toPlainText()
    assert part(room, "calls_b").output.tree.isVisible()
    press("T")
    assert not calls.is_open
    assert not calls.output.isVisible()


def test_each_call_unfolds_by_its_chip_or_in_the_list(opened):
    room = opened(pair(CALLS))
    calls, chips = part(room, "calls_a"), part(room, "chips_a").chips
    for at, words in (("1", "(nothing)"), ("0", "503")):
        QTest.mouseClick(chips[at], Qt.MouseButton.LeftButton)
        assert calls.is_open
        assert words in calls.output.text.toPlainText()
        assert [name for name, chip in chips.items() if chip.isChecked()] == [at]
    calls.list.setFocus()
    press("Down")
    assert "(nothing)" in calls.output.text.toPlainText()
    press("Space")
    assert not calls.is_open


def test_twenty_calls_leave_the_text_its_room_and_scroll_by_themselves(rooms, opened):
    calls = [{**CALLS[at % 5], "name": f"call {at}"} for at in range(20)]
    room = opened(pair(calls, calls))
    part_a, half, chips = part(room, "calls_a"), room.window.text_pane.panes[0], part(room, "chips_a")
    shown = sum(chip.isVisible() for chip in chips.chips.values())
    more = part(room, "chips_a_more")
    assert 0 < shown < 20
    assert more.text() == f"+{20 - shown}"
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert part_a.list.currentIndex().row() == shown
    rooms.qtbot.waitUntil(lambda: part_a.list.verticalScrollBar().maximum() > 0)
    rooms.qtbot.waitUntil(lambda: half.height() * 0.25 < part_a.height() < half.height() * 0.6)
    assert half.view.isVisible()


def test_output_of_megabytes_is_cut(opened):
    huge = {"name": "dump", "status": "ok", "output": "word " * 1_000_000}
    room = opened(pair([huge]))
    press("T")
    assert len(part(room, "calls_a").output.text.toPlainText()) <= MAX_JSON_LENGTH + 100


def test_of_one_response_the_calls_stay_at_its_foot(opened):
    one = {"id": "t1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "None.", "tools": CALLS}]}
    room = opened(one)
    assert part(room, "tools_a").isVisible()
    assert [part(room, "tools_a").model.call(row).name for row in (0, 1)] == ["flights", "hotels"]


FLIGHTS = [
    {
        "name": "flights",
        "input": {"from": "JFK", "to": "SEA", "cabin": "economy", "date": f"2024-05-{day}"},
        "output": 1,
    }
    for day in (20, 21, 22)
]


def test_calls_of_the_same_tool_are_told_apart_by_the_arguments_in_which_they_differ(opened):
    room = opened({"id": "t1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "None.", "tools": FLIGHTS}]})
    one = part(room, "tools_a")
    assert rows(room, "tools_a")[0] == "flights, ok, date: 2024-05-20, from: JFK, to: SEA, cabin: economy → 1"
    painted = [one.list.grab(one.list.visualRect(one.model.index(row))).toImage() for row in (1, 2)]
    assert painted[0] != painted[1], "the arguments are also seen"


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (["missing"], "1 call, output not stored"),
        (["missing", "missing"], "2 calls, output not stored"),
        (["error"], "the call returned no result"),
        (["error", "ok"], "1 of 2 calls returned no result"),
    ],
)
def test_the_head_of_the_tools_counts_as_one_speaks(opened, statuses, words):
    calls = [{"name": "maps", "status": status} for status in statuses]
    response = {"id": "a", "text": "One.", "tools": calls}
    room = opened({"id": "t1", "prompt": {"text": "Which?"}, "responses": [response]})
    assert room.window.text_pane.panes[0].tools.head.text().endswith(words)


def test_a_task_is_copied_as_text_with_what_was_said_of_each_target(room):
    press("Y")
    QApplication.clipboard().setText("https://example.org/a")
    press("E", "S", "A", "W", Text("Looked it up."), "Esc")
    room.session.change_evidence("e1", title="A page", quote="Paris is the capital.")
    room.commands.actions["copy_task"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(
        "Task t1\n\nPrompt\nWhat about t1?\n\nResponse\n[1] Paris is the capital of France. [2] It lies"
    )
    assert "Target 1\nParis is the capital of France.\n" in text
    assert "Accurate" in text
    assert "Looked it up." in text
    assert "  Supports: A page – https://example.org/a\n    “Paris is the capital.”\n" in text
    room.commands.actions["copy_target"].trigger()
    target = QGuiApplication.clipboard().text()
    assert target.startswith("Target 1\n")
    assert target.strip() in text
    assert "Target 2" not in target


def test_the_printed_task_is_plain_text_whatever_it_holds(rooms, tmp_path):
    hostile = "<img src='https://example.org/x.png'><b>Bold</b> & \u202eturned"
    room = rooms.with_tasks(task("t1", hostile, "Second.", prompt={"text": "<h1>Why?</h1>\nAnd how?"}))
    press("Ctrl+P")
    part(room, "print_dialog").reject()
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "task.pdf"))
    output = next(part for part in room.window.form_pane.children() if type(part).__name__ == "OutputCommands")
    output.print_task(printer)
    assert (tmp_path / "task.pdf").read_bytes().startswith(b"%PDF")
    state = room.session.state
    document = printed_document(
        output_lines(task_blocks(state.task, state.rating, state.outcome)), QGuiApplication.font()
    )
    shown = document.toPlainText()
    assert "<b>Bold</b> & [U+202E]turned" in shown
    assert "<h1>Why?</h1>\nAnd how?" in shown
    assert "[2] Second." in shown
