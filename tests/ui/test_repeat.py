"""One key for what repeats: a target answered as the last one, and several targets answered together."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.operations.bundles import task
from tests.ui.articles import serve
from tests.ui.rooms import Text, banner, part, press, press_until

COUNTRIES = ("Norway", "Denmark", "Sweden", "Finland", "Iceland")


def table_task(name, rows, before=("Here are the figures.",), after=("Ask for more.",)):
    """A Markdown table, each of its rows a target, with a sentence before and one after it."""
    head = "| Country | Population |\n|---|---|\n"
    text, targets = "", []

    def add(sentence):
        nonlocal text
        number = len(targets) + 1
        targets.append({"id": f"s{number}", "response": "a", "start": len(text), "end": len(text) + len(sentence)})
        targets[-1]["quote"] = sentence
        text += sentence

    for sentence in before:
        add(sentence)
    text += "\n\n" + head
    for row in rows:
        text += "| "
        add(row)
        text += " |\n"
    text += "\n"
    for sentence in after:
        add(sentence)
    response = {"id": "a", "text": text, "format": "markdown"}
    return {"id": name, "prompt": {"text": "How many?"}, "responses": [response], "targets": targets}


def answers(room):
    return room.session.rating.answers.targets


def head(room):
    return f"{part(room, 'where').text()} {part(room, 'where_beside').text()}"


@pytest.fixture
def rows(rooms):
    """A window with a table of five rows, targets 2 to 6 of 7."""
    return rooms.with_tasks(table_task("t1", [f"{name} | {n},000,000" for n, name in enumerate(COUNTRIES, 5)]))


def test_a_point_answers_a_target_as_the_last_one(rows, rooms):
    session = rows.session
    press("J", "Y")
    QApplication.clipboard().setText("https://example.org/population")
    press("E", "S", "A", "W", Text("Counted in 2020."), "Esc", "J", ".")
    assert answers(rows)["s3"] == answers(rows)["s2"]
    first, second = session.rating.evidence
    assert (second.target, second.url, second.stance) == ("s3", first.url, first.stance)
    assert banner(rows, "undo") == "Answered as target 2."
    assert not [problem for problem in session.outcome.problems_of("s3") if problem.level == "block"]
    press("Ctrl+Z")
    assert "s3" not in answers(rows), "one step takes the answers and the evidence away"
    assert len(session.rating.evidence) == 1
    rooms.press_and_save(rows, "Ctrl+Shift+Z", "Return")
    press(".")
    assert session.place.target == "s4", "Enter goes on"
    assert answers(rows)["s4"] == answers(rows)["s2"]
    assert session.rating.research == (), "nothing was searched or read for it"
    rooms.wait_until_saved(rows)
    press_until(rooms.qtbot, lambda: rows.window.parts["history"].pane.model.rowCount() > 1, "F7")
    assert "by repeating another target's answers" in rows.window.parts["history"].pane.model.rows[0].detail


def test_nothing_is_repeated_where_nothing_was_answered_and_facts_of_its_own_are_kept(rows):
    session = rows.session
    press(".")
    assert "No target was answered before" in banner(rows, "hint")
    press("Y", "1", "A", "J", "Y")
    session.add_claim(session.target.start, session.target.start + 6)
    claimed = answers(rows)["s2"], session.rating.claims
    press("K", "J", ".")
    assert "Not for target 2: its own evidence, claims" in banner(rows, "not_for")
    assert (answers(rows)["s2"], session.rating.claims) == claimed
    press("J", ".")
    assert answers(rows)["s3"] == answers(rows)["s1"], "a target with claims is no model: the last one without is"


SPACED = """Three are known.

1. **Oslo** is the capital of Norway. It lies by the sea.

2. **Bergen** is older.

   It rains there often.
3. **Kiruna** is in Sweden.

Ask for more."""


def test_a_list_with_blank_lines_between_its_items_is_selected_to_its_end(rooms):
    sentences = ("Three are known.", "**Oslo** is the capital of Norway.", "It lies by the sea.")
    sentences += ("**Bergen** is older.", "It rains there often.", "**Kiruna** is in Sweden.", "Ask for more.")
    places = [(SPACED.index(sentence), sentence) for sentence in sentences]
    targets = [
        {"id": f"s{n}", "response": "a", "start": start, "end": start + len(quote), "quote": quote}
        for n, (start, quote) in enumerate(places, 1)
    ]
    response = {"id": "a", "text": SPACED, "format": "markdown"}
    room = rooms.with_tasks({"id": "t1", "prompt": {"text": "?"}, "responses": [response], "targets": targets})
    press("J", "Alt+Shift+J")
    assert room.session.selection.targets == {"s2", "s3", "s4", "s5", "s6"}
    press("Alt+Shift+J")
    assert room.session.selection.targets == {"s2", "s3", "s4", "s5", "s6", "s7"}, "then to the end of the response"
    press("Esc", "J", "J", "J", "J", "Alt+Shift+K")
    assert room.session.selection.targets == {"s2", "s3", "s4", "s5", "s6"}


def test_selected_targets_take_each_answer_and_each_piece_of_evidence_in_one_step(rows, rooms):
    session = rows.session
    press("J", "J", "N", "K", "Alt+Shift+J")
    assert session.selection.targets == {"s2", "s3", "s4", "s5", "s6"}, "up to the end of the table"
    assert head(rows) == "5 targets selected answers go to all of them · Esc"
    assert "selected" in part(rows, "target_strip").model().index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    press("Y")
    assert [answers(rows)[f"s{n}"] for n in range(2, 7)] == [{"factual": "yes"}] * 5
    QApplication.clipboard().setText("https://example.org/population")
    press("E", "S", "A", "W", Text("All in one table."))
    assert len(session.rating.evidence) == 5
    assert {piece.stance for piece in session.rating.evidence} == {"supporting"}
    assert answers(rows)["s6"] == answers(rows)["s2"]
    assert answers(rows)["s6"]["comment"] == "All in one table."
    press("Esc", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert not session.rating.evidence
    press("Esc")
    assert head(rows).startswith("Target 2 of 7")
    press("2")
    assert answers(rows)["s2"] != answers(rows)["s3"], "answers go to one target again"


def test_targets_are_selected_by_mouse_and_by_shift_and_arrows(rows):
    session, view, strip = rows.session, rows.window.text_pane.panes[0].view, part(rows, "target_strip")
    press("Shift+Down", "Shift+Down", "Shift+Up")
    assert session.selection.targets == {"s1", "s2"}
    press("Esc")
    QTest.mouseClick(
        strip.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ShiftModifier,
        strip.visualRect(strip.model().index(3, 0)).center(),
    )
    assert session.selection.targets == {"s1", "s2", "s3", "s4"}
    mark = view._marks[1]
    middle = view.cursorRect(view._cursor(mark.span[0] + 2, mark.span[0] + 2)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, middle)
    assert session.selection.targets == {"s1", "s3", "s4"}
    assert session.place.target == "s1", "the current one stays"
    press("J")
    assert not session.selection.targets, "going to another target ends the selection"


def test_a_refused_target_leaves_the_selection_and_keeps_its_answers(rows):
    session = rows.session
    press("J", "J", "Y", "K")
    QApplication.clipboard().setText("https://example.org/own")
    press("J", "E", "C", "K", "Alt+J", "Alt+J", "Y", "3")
    assert "Not for target 3" in banner(rows, "not_for")
    assert session.selection.targets == {"s2", "s4"}
    assert answers(rows)["s4"] == {"factual": "yes", "common_knowledge": "no"}
    assert answers(rows)["s3"] == {"factual": "yes"}


def test_the_targets_with_hits_of_a_search_are_selected(rows, rooms):
    session = rows.session
    press_until(rooms.qtbot, lambda: part(rows, "find_select").isEnabled(), "Ctrl+F", Text("land"))
    part(rows, "find_select").click()
    assert session.selection.targets == {"s5", "s6"}, "Finland and Iceland"
    assert session.place.target == "s5"
    assert not part(rows, "find_bar").isVisible()
    press("N")
    assert answers(rows) == {"s5": {"factual": "no"}, "s6": {"factual": "no"}}
    press("Ctrl+F")
    part(rows, "find_field").setText("figures")
    rooms.qtbot.waitUntil(part(rows, "find_select").isEnabled)
    part(rows, "find_select").click()
    assert session.place.target == "s1"
    assert not session.selection.targets, "one target needs no selection"


def test_nineteen_rows_with_one_source_take_few_keys(rooms, httpserver):
    rows = [f"Country {n} | {n},000,000" for n in range(1, 20)]
    room = rooms.with_tasks(table_task("t1", rows, before=(), after=()), task("t2"))
    session = room.session
    QApplication.clipboard().setText(serve(httpserver))
    first, then = ("Y", "E", "O"), ("Down", "S", "Esc", "A", "Alt+Shift+J", ".", "Return")
    press_until(rooms.qtbot, lambda: room.browsing.page is not None and not room.browsing.is_loading, *first)
    room.window.preview.focus_page()  # as F6 does
    rooms.let_pass(room, 20)
    press(*then)
    assert len((*first, "F6", *then)) <= 25, "four keys a row would be 76"
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1")
    assert stored.status == "complete"
    assert len({(piece.target, piece.quote, piece.snapshot) for piece in stored.evidence}) == 19
    assert len({(piece.quote, piece.snapshot, piece.opened) for piece in stored.evidence}) == 1
    assert {entry.target for entry in stored.research} == {"s1"}, "the page was read for the first row only"
    assert [stored.answers.targets[f"s{n}"] for n in range(1, 20)] == [{"factual": "yes", "accuracy": "accurate"}] * 19
    press(".")
    assert session.rating.answers.targets["s1"] == {"factual": "yes", "accuracy": "accurate"}
    assert session.rating.evidence[0].opened is None, "it was opened for another task"
    assert banner(room, "undo") == "Answered as the last target of t1."
