"""The form is built from the rubric's data: every kind of question, every built-in rubric."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.paths import sample_bundle_path
from desktop_rater.ui.rating.form.choice import typed_number
from desktop_rater.ui.rating.pair.lines import FixButton, ProblemLine
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, SourceBadge
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE
from tests.operations.bundles import make, write
from tests.ui.pairs import B, resize, two_pairs
from tests.ui.rooms import Text, part, press, press_and_settle, settle, two_responses, type_text

CUSTOM = """
id = "custom"
[[questions]]
id = "kinds"
per = "response"
ask = "Which of these?"
kind = "choices"
choices = [{ id = "one", label = "One", key = "a" }, { id = "two", label = "Two" }, { id = "three", label = "Three" }]
required = true
[[questions]]
id = "count"
per = "response"
ask = "How many?"
kind = "number"
min = 0
max = 10
required = true
[[questions]]
id = "why"
per = "response"
ask = "Why so many?"
kind = "text"
relevant = { count = { min = 5 } }
required = true
"""


@pytest.fixture
def custom(rooms):
    rubric = write(rooms.folder / "custom.toml", CUSTOM)
    plain = [
        {"id": name, "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "Text."}]} for name in ("t1", "t2")
    ]
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", plain, rubric=str(rubric)))


def answers(room, response="a"):
    return room.session.rating.answers.responses.get(response, {})


def test_several_choices_are_put_on_and_taken_off(custom):
    press("A", "3")
    assert answers(custom)["kinds"] == ["one", "three"]
    press("A")
    assert answers(custom)["kinds"] == ["three"]
    part(custom, "choice_kinds_three").click()
    assert "kinds" not in answers(custom)


def test_a_number_is_typed_and_what_is_none_is_no_answer(custom):
    press("A", "Return")
    field = part(custom, "number_count")
    assert field.hasFocus(), "a field that has to be filled in takes the cursor when the rater goes on"
    type_text("4,5")
    assert answers(custom)["count"] == 4.5
    field.selectAll()
    type_text("five")
    assert "count" not in answers(custom)
    assert "not a valid answer" in part(custom, "problems_count").text()
    field.selectAll()
    type_text("7")
    assert answers(custom)["count"] == 7
    assert part(custom, "question_why").isVisible()
    press("Ctrl+Return")
    assert part(custom, "text_why").hasFocus()
    type_text("so", "Ctrl+Return")
    assert custom.session.rating.status == "complete"


def test_a_number_out_of_bounds_is_no_answer_and_stays_where_it_is_typed(custom):
    press("A", "Return")
    field = part(custom, "number_count")
    for figure, answer in (("1", 1), ("2", None), ("5", None)):
        type_text(figure)
        assert answers(custom).get("count") == answer, "never the last figure alone"
    assert field.text() == "125"
    assert "not a valid answer" in part(custom, "problems_count").text()
    press("Backspace", "Backspace")
    assert answers(custom)["count"] == 1


def test_enter_in_a_number_gives_the_keys_to_the_form_and_w_begins_it_anew(custom):
    press("A", "Return", Text("7"), "Return")
    assert custom.window.form_pane.form.hasFocus(), "somebody has the keys"
    custom.session.set_current_question("count")
    press("W", Text("9"))
    assert answers(custom)["count"] == 9


@pytest.mark.parametrize(
    ("typed", "number"), [("3", 3), (" 2.50 ", 2.5), ("−1", -1), ("", None), ("nan", None), ("1e999", None)]
)
def test_numbers(typed, number):
    assert typed_number(typed) == number


def test_widgets_stay_when_the_questions_change(room):
    press("Y", "W")
    comment = part(room, "text_comment")
    type_text("ab")
    room.session.answer("factual", "no")
    assert not comment.isVisible()
    room.session.answer("factual", "yes")
    assert part(room, "text_comment") is comment
    assert comment.text() == "ab"
    press("Esc", "J", "Y")
    assert comment.text() == ""
    press("K")
    assert comment.text() == "ab"


@pytest.mark.parametrize("sample", ["sample", "sample_scales"])
def test_a_click_on_the_chosen_answer_keeps_it_as_its_key_does(rooms, sample):
    """Of each choice and each step of a scale that can be clicked at the place where the sample opens."""
    room = rooms.empty()
    room.commands.actions[sample].trigger()
    rooms.wait_for_task(room)
    form = room.window.form_pane.form
    rooms.qtbot.waitUntil(lambda: bool(form.findChildren(ChoiceButton)))
    answered = 0
    for button in form.findChildren(ChoiceButton):
        if button.isVisible() and button.isEnabled() and button.autoExclusive():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            if button.isChecked():
                before = room.session.rating.answers
                QTest.mouseClick(button, Qt.MouseButton.LeftButton)
                assert (button.isChecked(), room.session.rating.answers) == (True, before)
                answered += 1
    assert answered


def test_backspace_clears_the_answer_at_the_bar(room):
    press("Y", "Up", "Backspace")
    assert room.session.rating.answers.targets.get("s1", {}) == {}


def test_digits_belong_to_the_question_at_the_rail(rooms):
    room = rooms.with_bundle(
        make(rooms.folder / "bundle.zip", [two_responses(), two_responses("t2")], rubric="side-by-side")
    )
    assert room.session.current_question == "punt"
    assert [button.key for button in room.window.form_pane.form.row("punt").buttons] == ["1", "2", "3", "4"]
    assert [button.key for button in room.window.form_pane.form.row("fulfilment").buttons] == ["", "", ""]
    press("1", "3", "1")
    assert answers(room) == {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}


def test_two_responses_side_by_side_to_the_end(rooms):
    room = rooms.with_bundle(
        make(rooms.folder / "bundle.zip", [two_responses(), two_responses("t2")], rubric="side-by-side")
    )
    press("1", "3", "1")
    assert room.session.outcome.blocking
    press("Shift+O")
    rooms.wait_for_page(room, "https://example.org/a")
    part(room, "count_as_opened").click()
    press("Shift+O")
    assert room.browsing.page.url == "https://example.org/a", "the placeholder counts as opened"
    press("Esc", "Return")
    assert room.session.place.response == "b"
    assert part(room, "chips_b").chips["0"].accessibleName() == "search, error"
    assert not part(room, "chips_a").isVisible()
    press("2", "1", "3", "1", "Return")
    assert room.session.place.response is None
    assert part(room, "where").text() == "Whole task"
    press("1")
    assert room.session.rating.answers.task["preference"] == -3
    assert part(room, "step_preference_-3").isChecked()
    press("Return")
    assert part(room, "text_justification").hasFocus()
    type_text("B failed.", "Ctrl+Return")
    rooms.wait_for_task(room, "t2")


def test_a_digit_never_answers_a_scale_that_nobody_looks_at(rooms):
    plain = two_responses() | {"context": [{"id": "c1", "text": "x"}], "reference": "y"}
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric="response-quality"))
    press("7")  # groundedness ends at 5; the risk scales go further
    assert answers(room) == {}


def test_stored_text_is_not_read_back_from_a_widget(room):
    odd = "no-break\u00a0space, line\u2028separator\r\nand a line end"
    press("Y")
    room.session.answer("comment", odd, typing=True)
    room.session.add_evidence("https://example.org/a")
    room.session.change_evidence("e1", quote=odd)
    press("1", "J", "K")
    assert room.session.rating.answers.targets["s1"]["comment"] == odd
    assert room.session.rating.evidence[0].quote == odd
    press("W", Text("x"))
    assert (
        "no-break\u00a0space, line\u2028separator\nand a line end"
        in room.session.rating.answers.targets["s1"]["comment"]
    )


def test_e_makes_nothing_until_there_is_an_address(room):
    session, note = room.session, part(room, "new_address_note")
    press("Y")
    before, blocking = session.rating, session.outcome.blocking
    QApplication.clipboard().setText("no link at all")
    press("E")
    field = part(room, "new_address")
    assert field.hasFocus()
    type_text("not an address", "Return")
    assert (note.isVisible(), note.text()) == (True, "This is not a web address.")
    assert field.hasFocus()
    press("Esc")
    assert not field.isVisible()
    assert room.window.form_pane.form.hasFocus(), "keys answer again"
    assert (session.rating, session.outcome.blocking) == (before, blocking), "nothing is left behind"
    press("E", Text("example.org/a"), "Return", "S")
    (piece,) = session.rating.evidence
    assert (piece.url, piece.stance) == ("https://example.org/a", "supporting")
    press("E")
    type_text("https://example.org/a#again")
    press("Return")
    assert note.text() == "This page is evidence here already. Enter again adds it once more."
    assert len(session.rating.evidence) == 1
    press("Return", "C")
    assert [one.stance for one in session.rating.evidence] == ["supporting", "contradicting"], (
        "it speaks for both sides"
    )
    press(*["Ctrl+Z"] * 4)
    assert session.rating.evidence == ()


def test_a_quote_that_has_nothing_to_do_with_the_target_is_noticed_and_blocks_nothing(room):
    session = room.session
    press("Y")
    name = session.add_evidence("https://example.org/a")
    warning, blocking = part(room, "evidence_warning"), session.outcome.blocking
    session.change_evidence(name, quote="Work began on 28 January 1887 and was finished in two years.")
    room.window.form_pane.form.evidence.select(name)
    assert warning.isVisible()
    assert warning.text() == "This passage speaks of none of the target's words."
    row = room.window.form_pane.form.evidence.model.index(0).data(LIST_ROW_ROLE)
    assert row.is_warning
    assert row.warning in row.spoken
    assert session.outcome.blocking == blocking, "no rule of the rubric"
    session.change_evidence(name, quote=f"It is said that {session.target.quote} and the rest.")
    assert not warning.isVisible()


def test_the_cursor_stays_where_the_rater_types(room):
    press("Y")
    QApplication.clipboard().clear()
    room.session.add_evidence("https://example.org/")
    room.window.form_pane.form.evidence.edit("url")
    address = part(room, "evidence_url")
    assert address.hasFocus()
    address.setCursorPosition(8)
    type_text("www.")
    assert room.session.rating.evidence[0].url == "https://www.example.org/"
    assert address.cursorPosition() == 12


def test_evidence_whose_address_is_changed_lets_go_of_the_stored_page(room):
    """The page was stored for another address; the same address again, by any spelling, has it again."""
    press("Y")
    room.session.add_evidence("https://kelp.example/a")
    room.window.form_pane.form.evidence.edit("url")
    part(room, "evidence_url").end(False)
    (piece,) = room.session.rating.evidence
    room.session.change_evidence(piece.id, snapshot="a" * 64)
    type_text("#top")
    assert room.session.rating.evidence[0].snapshot == "a" * 64
    for _ in "#top":
        press("Backspace")
    type_text("lga")
    assert room.session.rating.evidence[0].url == "https://kelp.example/alga"
    assert room.session.rating.evidence[0].snapshot is None
    for _ in "lga":
        press("Backspace")
    assert room.session.rating.evidence[0].snapshot == "a" * 64


@pytest.mark.parametrize("rubric", ["side-by-side", "response-quality"])
@pytest.mark.parametrize("size", [(1440, 900), (1100, 700)])
def test_a_form_scrolls_only_by_what_does_not_fit(rooms, rubric, size):
    one = two_responses()
    room = rooms.with_tasks(one | {"responses": one["responses"][:1]}, rubric=rubric)
    room.window.resize(*size)
    form = room.window.form_pane.form

    def too_much():
        """How much more there is to see than there is room."""
        return max(0, form.body.layout().totalHeightForWidth(form.viewport().width()) - form.viewport().height())

    rooms.qtbot.waitUntil(lambda: form.verticalScrollBar().maximum() == too_much())


def elided_texts(pane):
    """Return the texts of labels that are elided: neither their width nor their height holds them."""
    found = []
    for label in pane.findChildren(ElidedLabel):
        metrics, text, width = label.fontMetrics(), label.text(), label.width()
        if label.isVisible() and text and metrics.horizontalAdvance(text) >= width:
            space = metrics.boundingRect(QRect(0, 0, width, 10_000), Qt.TextFlag.TextWordWrap, text)
            if label.height() < max(space.height(), 2 * metrics.lineSpacing()):
                found.append(text)
    return found


@pytest.mark.parametrize("size", [(1366, 768), (1280, 700)])
def test_no_text_of_the_form_is_elided_where_there_is_room_for_it(rooms, size):
    room = rooms.with_bundle(sample_bundle_path())
    room.window.resize(*size)
    for key in ("N", "Y", "3", "5", "U"):
        press_and_settle(key)
        assert elided_texts(room.window.form_pane) == [], key
    press("W", Text("The first line of what was searched."), "Return", "Return", Text("The last line."))
    comment = QApplication.focusWidget()
    assert isinstance(comment, GrowingTextEdit)
    settle()
    assert not comment.hides_lines
    press_and_settle("Esc")
    assert comment.hides_lines, "an ellipsis says that there is more"
    room.commands.actions["research"].trigger()
    settle()
    assert elided_texts(room.window.form_pane) == []


def test_the_reason_of_a_rule_in_a_pair_has_the_room_of_its_second_fix_and_badge(rooms):
    room = two_pairs(rooms)
    room.session.go_to(B)
    press("1", "1", "2")
    for width in (1440, 1366, 1100):
        resize(room, (width, 768))
        lines = [line for line in room.window.form_pane.findChildren(ProblemLine) if line.isVisible()]
        assert lines
        for line in lines:
            cut = line.label.sizeHint().width() > line.label.width()
            beside = [*line.findChildren(FixButton), *line.findChildren(SourceBadge)]
            assert not cut or sum(widget.isVisible() for widget in beside) <= 1
