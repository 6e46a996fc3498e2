"""A rater marks sentences and lists intents by keyboard alone; what is typed is never lost, and every step undone."""

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from desktop_rater.format import edit
from desktop_rater.ui.rating.form.rows import RowEditor
from desktop_rater.ui.rating.history_pane import difference_text
from tests.operations.bundles import make
from tests.ui.rooms import Text, part, press, type_text

TASK = {
    "id": "g-1",
    "prompt": {"text": "When does the pool open, what is it, and may I dive?"},
    "responses": [{"id": "a", "text": "It opens at six. Caps are worn."}],
    "context": [
        {"id": "c1", "title": "Hours", "text": "It opens at seven."},
        {"id": "c2", "title": "Rules", "text": "Swimming caps are worn."},
    ],
}
HOURS = {"text": "hours", "choice": "yes", "documents": [1]}
PRICE = {"text": "price", "choice": "no"}


@pytest.fixture
def room(rooms):
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", [TASK], rubric="groundedness"))


@pytest.fixture
def at_list(room):
    """The window at the list of intents, with its first row ready to be written."""
    press("J", "J", "J", "W")
    assert QApplication.focusWidget() is part(room, "row_text_intents_1")
    return room


def intents(room):
    return room.session.rating.answers.task.get("intents")


def shown(room):
    rows = [row for row in part(room, "question_intents").findChildren(RowEditor) if not row.isHidden()]
    return [row.field.text() for row in rows]


def test_a_task_is_rated_by_keyboard_from_its_sentences_to_its_documents(room, rooms):
    press("N", "1", "W", Text("six: document 1 says seven"), "Esc", "Return", "Y", "Return", "4")
    assert {problem.rule for problem in room.session.outcome.problems if problem.level == "block"} >= {
        "contradiction-is-low"
    }
    press("2", "Return", Text("hours"), "Return", "Y", "1", "Return")
    type_text("price", "Return", "N", "Return", "Return", "Return", "3", "Return")
    rooms.qtbot.waitUntil(lambda: rooms.stored("g-1").status == "complete")
    answers = rooms.stored("g-1").answers
    assert answers.targets["s1"] == {
        "grounded": "no",
        "ungrounded": "contradicted",
        "reason": "six: document 1 says seven",
    }
    assert answers.task == {"intents": [HOURS, PRICE], "retrieval": 3}


def test_a_digit_names_a_document_and_means_yes_and_no_forgets_it(at_list):
    type_text("hours", "Return", "1", "2", "1")
    assert intents(at_list) == [{"text": "hours", "choice": "yes", "documents": [2]}]
    assert "Rules" in part(at_list, "row_intents_1_2").toolTip()
    press("3", "Shift+Y", "N")
    assert intents(at_list) == [{"text": "hours", "choice": "no"}]


def test_each_step_is_undone_and_done_again(at_list):
    type_text("hours", "Return", "1", "Esc", "Ctrl+Z")
    assert intents(at_list) == [{"text": "hours"}]
    press("Ctrl+Z")
    assert (intents(at_list), shown(at_list)) == (None, [""])
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert (intents(at_list), shown(at_list)) == ([HOURS], ["hours", ""])


def test_a_row_goes_by_delete_or_when_it_is_emptied_and_left(at_list):
    for words in ("hours", "price", "dive"):
        type_text(words, "Return", "N", "Return")
    press("Up", "Up", "Ctrl+A", "Backspace")
    assert shown(at_list) == ["hours", "", "dive", ""]
    type_text("cost")
    assert [row["text"] for row in intents(at_list)] == ["hours", "cost", "dive"]
    press("Return", "Delete")
    assert shown(at_list) == ["hours", "dive", ""]
    press("Esc", "W", Text("x"), "Backspace", "Esc")
    assert [row["text"] for row in intents(at_list)] == ["hours", "dive"]


def test_the_cursor_stays_in_the_middle_of_a_row_that_is_edited(at_list):
    type_text("hors", "Left", "Left")
    type_text("u")
    assert (intents(at_list), part(at_list, "row_text_intents_1").cursorPosition()) == ([{"text": "hours"}], 3)


def test_what_an_input_method_composes_is_in_the_row_when_it_is_left(at_list):
    QApplication.processEvents()  # the field gets its keeper
    QApplication.sendEvent(part(at_list, "row_text_intents_1"), QInputMethodEvent("開館", []))
    part(at_list, "form").setFocus()
    assert intents(at_list) == [{"text": "開館"}]


def test_what_is_missing_is_open_and_w_goes_there(at_list):
    type_text("hours", "Return", "Return")
    type_text("price", "Return", "N", "Esc")
    assert [question.question.id for question in at_list.session.form_questions if question.open] == [
        "intents",
        "retrieval",
    ]
    press("W")
    assert QApplication.focusWidget() is part(at_list, "row_intents_1")
    assert "Y" in part(at_list, "row_intents_1_yes").accessibleName()


def test_a_list_is_read_in_the_history(at_list):
    type_text("hours", "Return", "1", "Esc")
    session = at_list.session
    (change,) = edit.differences(edit.with_answer(session.rating, session.stop, "intents", None), session.rating)
    assert difference_text(change, session.task, session.rubric) == "Intents: “hours: Yes (1)”"


PAIR = """
id = "points"
[[questions]]
id = "good"
per = "response"
ask = "Is it good?"
kind = "choice"
choices = [{ id = "yes", label = "Yes", key = "y" }, { id = "no", label = "No", key = "n" }]
[[questions]]
id = "points"
per = "task"
ask = "Which points count?"
kind = "list"
max = 2
required = true
"""


def test_a_list_of_texts_alone_below_a_pair_of_responses(rooms):
    (rooms.folder / "points.toml").write_text(PAIR, encoding="utf-8")
    task = TASK | {"responses": [{"id": name, "text": "It opens."} for name in "ab"]}
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task], rubric=str(rooms.folder / "points.toml")))
    press("Y", "Return", "N", "Return", Text("the hour"), "Return", Text("the rules"))
    press("Return")  # a third row is not offered
    assert room.session.rating.answers.task == {"points": [{"text": "the hour"}, {"text": "the rules"}]}
    assert room.session.outcome.problems == ()
