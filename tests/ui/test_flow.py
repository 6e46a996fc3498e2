"""What a rater does beside answering: suggestions, ways out of problems, warnings, borders, notes."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.rating import task_stops
from tests.operations.bundles import task
from tests.ui.rooms import SENTENCES, Text, banner, part, press, type_text

SUGGESTED = {
    "targets": {
        "s1": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},
        "s2": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},
        "s3": {"factual": "yes"},
    }
}


def state(room, target):
    return next(one for place, one in room.session.target_states.items() if place.target == target)


def select(room, start, end):
    view = room.window.text_pane.panes[0].view
    cursor = view.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)


def ways(room, row=0):
    widget = room.window.form_pane.problems.list.row_widgets()[row]
    return {button.label: button for button in widget.buttons}


# -- suggestions


def test_suggestions_are_no_answers_until_they_are_confirmed(rooms):
    room = rooms.with_tasks(task("t1", *SENTENCES, suggestions=SUGGESTED), task("t2"))
    session = room.session
    assert session.rating.answers.targets == {}
    assert state(room, "s1").kind == "suggested"
    assert part(room, "suggestion_bar").isVisible()
    assert "suggested" in part(room, "choice_factual_yes").accessibleName()
    press("Z")
    assert session.rating.answers.targets["s1"] == SUGGESTED["targets"]["s1"]
    assert not part(room, "suggestion_bar").isVisible()
    assert state(room, "s1").text == "Accurate"
    press("Ctrl+Z")
    assert session.rating.answers.targets == {}, "one step back"
    press("Z", "Return", "N", "Return")
    assert session.rating.answers.targets["s2"] == {"factual": "no"}, "an answer takes the place of a suggestion"
    rooms.press_for_task(room, "t2", "N", "Return")
    rooms.wait_until_saved(room)
    counts = rooms.stored("t1").suggestions
    assert (counts.accepted, counts.changed, counts.ignored) == (3, 2, 2)
    press("Z")
    assert "There are no unconfirmed suggestions here." in banner(room, "hint")


def test_what_is_suggested_and_not_offered_is_no_suggestion(rooms):
    strange = {"targets": {"s1": {"factual": "perhaps", "unheard_of": 1}, "s9": {"factual": "yes"}}}
    room = rooms.with_tasks(task("t1", *SENTENCES, suggestions=strange))
    assert state(room, "s1").kind == "todo"
    assert room.session.suggested(room.session.stop) == {}


# -- how a target stands


def label_of(session, target):
    """Return the question and the choice of the rater's label of a target."""
    (stop,) = (stop for stop in session.state.stops if stop.target == target)
    return task_stops.own_label(session.rubric, session.rating, session.state.outcome, stop)


def test_the_state_of_a_target_is_what_the_rater_chose(room):
    session = room.session
    assert state(room, "s1") == task_stops.TargetState("todo")
    press("Y")
    assert state(room, "s1").kind == "part"
    press("1")
    assert state(room, "s1").kind == "part", "what the facts imply shows nowhere"
    press("A")
    assert (state(room, "s1").tone, state(room, "s1").shape) == ("accurate", "circle-tick")
    press("I")
    assert state(room, "s1").blocked
    question, choice = label_of(session, "s1")
    assert (question.id, choice.id) == ("accuracy", "inaccurate")
    press("J", "N")
    assert state(room, "s2").tone == "not factual"
    press("X", "1", "Return")
    assert state(room, "s1").kind == "skipped"


def test_with_claims_the_label_is_the_worst_once_each_has_one(room):
    session = room.session
    press("Y")
    for stretch in ((0, 8), (9, 31)):
        select(room, *stretch)
        press("L")
    press("2", "I", "6")
    assert label_of(session, "s1") is None
    assert part(room, "whole_target_so_far").text() == "so far, c1 is open"
    press("Return", "1", "A")
    assert label_of(session, "s1")[1].id == "inaccurate"
    assert part(room, "whole_target").text() == "Inaccurate, Minor"
    assert part(room, "whole_target_so_far").text() == ""


# -- problems and the ways out


def test_a_contradiction_offers_the_other_label_and_the_facts(room):
    session = room.session
    press("Y", "1", "I", "6")
    offered = ways(room)
    assert list(offered) == ["Change to Accurate", "Reconsider common knowledge"], "there is nothing to split"
    assert [button.key for button in offered.values()] == ["A", "1–3"]
    offered["Reconsider common knowledge"].click()
    assert session.current_question == "common_knowledge"
    ways(room)["Change to Accurate"].click()
    assert session.rating.answers.targets["s1"]["accuracy"] == "accurate"
    assert part(room, "problem_count").text() == "No problems here"


def test_a_missing_comment_is_one_key_away(room):
    press("Y", "3", "5", "U")
    offered = ways(room)
    assert list(offered) == ["Write the comment"]
    offered["Write the comment"].click()
    assert part(room, "text_comment").hasFocus()


def test_a_warning_is_acknowledged_with_a_reason_and_counted_apart(room, rooms):
    session = room.session
    press("Y", "3", "5", "U", "W", Text("Three archives."), "Esc")
    assert "1 warning" in part(room, "problem_count").text()
    press("V")
    field = part(room, "word_bar_field")
    assert field.hasFocus()
    press("Return")
    assert part(room, "word_bar").isVisible(), "not without a word"
    type_text("The only index is closed", "Return")
    (seen,) = session.rating.acknowledged
    assert (seen.rule, seen.where, seen.comment) == (
        "unsupported-research-time",
        "targets/s1",
        "The only index is closed",
    )
    assert part(room, "problem_count").text() == "1 warning acknowledged"
    ways(room)["Withdraw"].click()
    assert session.rating.acknowledged == ()
    rooms.press_and_save(room, "Ctrl+Z")
    assert len(rooms.stored("t1").acknowledged) == 1


def test_evidence_without_a_quote_opens_its_page_or_its_fields(room, rooms):
    press("Y")
    QApplication.clipboard().setText("https://example.org/a")
    press("E", "S")
    assert list(ways(room, 1)) == ["Open", "Write the quote", "Acknowledge…"]
    offered = ways(room)
    assert list(offered) == ["Open", "Acknowledge…"]
    offered["Open"].click()
    rooms.wait_for_page(room, "https://example.org/a")
    assert not part(room, "evidence_fields").isVisible(), "the fields are there only while somebody writes in them"
    press("Esc", "Q")
    assert part(room, "evidence_quote").hasFocus()
    type_text("The passage.", "Esc")
    assert not part(room, "evidence_fields").isVisible()
    assert room.session.rating.evidence[0].quote == "The passage."


# -- borders and notes


def test_the_borders_of_a_target_are_corrected_and_taken_back(room, rooms):
    session = room.session
    text = session.task.responses[0].text
    select(room, 0, text.index("Loire.") + 6)
    press("B")
    border = session.rating.borders["s1"]
    assert (border.was_start, border.was_end, border.end) == (0, len(SENTENCES[0]), text.index("Loire.") + 6)
    assert session.target.quote == f"{SENTENCES[0]} {SENTENCES[1]}", "it is shown at its new place"
    select(room, 0, 8)
    press("B")
    assert session.rating.borders["s1"].was_end == len(SENTENCES[0]), "the bundle's borders are kept, not those between"
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").borders["s1"].quote == "Paris is"
    press("Ctrl+Z", "Ctrl+Z")
    assert session.target.quote == SENTENCES[0]
    assert session.rating.borders == {}


def test_wrong_borders_can_be_reported_in_words(room):
    press("B", Text("It begins one word late"), "Return")
    border = room.session.rating.borders["s1"]
    assert (border.start, border.end) == (border.was_start, border.was_end)
    assert border.comment == "It begins one word late"


def test_a_note_to_the_lead_goes_with_the_rating(room, rooms):
    press("M", Text("The prompt names no year"), "Return")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").note == "The prompt names no year"
    press("M")
    assert part(room, "word_bar_field").text() == "The prompt names no year"
    press("Esc")
    assert not part(room, "word_bar").isVisible()


# -- texts that were begun

BARS = {
    "note": (("M",), "word_bar_field"),
    "reason of a warning": (("V",), "word_bar_field"),
    "skip": (("X", "5"), "skip_comment"),
    "claim in own words": (("Ctrl+L",), "word_bar_field"),
    "border": (("B",), "word_bar_field"),
}
BEGUN = "Words that took a while to find"


def begin(room, name):
    """Open a bar and type into it; return the keys that open it and its field."""
    if name == "reason of a warning":
        press("Y", "3", "5", "U", "W", Text("Three archives."), "Esc")
    elif name == "claim in own words":
        press("Y")
    keys, field = BARS[name]
    press(*keys)
    assert part(room, field).hasFocus(), name
    type_text(BEGUN)
    return keys, field


def is_open(room, field):
    return part(room, field).isVisible()


@pytest.mark.parametrize("name", BARS)
def test_what_was_begun_in_a_bar_is_offered_again_after_esc_and_after_a_restart(room, rooms, name):
    keys, field = begin(room, name)
    press(*(("Esc", "Esc") if name == "skip" else ("Esc",)))
    assert not is_open(room, field)
    press(*keys)
    assert part(room, field).text() == BEGUN
    again = rooms.reopened(room)
    assert BEGUN not in str(rooms.stored("t1")), "it is no part of the rating"
    rooms.qtbot.waitUntil(lambda: again.session.drafts._texts != {})
    press(*keys)
    assert part(again, field).text() == BEGUN


@pytest.mark.parametrize("name", BARS)
def test_what_was_begun_stays_with_its_task(room, rooms, name):
    keys, field = begin(room, name)
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    assert not is_open(room, field)
    if name in {"note", "skip", "border"}:  # the others need answers first
        press(*keys)
        assert part(room, field).text() == ""
    room.desk.move(-1)
    rooms.wait_for_task(room, "t1")
    press(*keys)
    assert part(room, field).text() == BEGUN


def test_a_text_that_is_used_or_emptied_is_not_offered_again(room):
    press("M", Text(BEGUN), "Return", "M")
    assert room.session.rating.note == BEGUN
    assert "Begun earlier" not in part(room, "word_bar_about").text()
    type_text("!", "Esc", "M")
    assert part(room, "word_bar_field").text() == f"{BEGUN}!"
    assert "Begun earlier" in part(room, "word_bar_about").text()
    press("Ctrl+A", "Delete", "Esc", "M")
    assert part(room, "word_bar_field").text() == BEGUN


def test_a_claim_in_own_words_is_not_recorded_for_another_target(room):
    begin(room, "claim in own words")
    room.session.move(1)
    assert not is_open(room, "word_bar")
    press("Y", "Ctrl+L")
    assert part(room, "word_bar_field").text() == ""


def test_keys_stay_in_the_skip_bar(room):
    press("X", "2", "Tab")
    assert part(room, "skip_comment").hasFocus()
    type_text("twice", "Tab")
    assert part(room, "skip_cancel").hasFocus()
    place, rating = room.session.place, room.session.rating
    press("Y", "J", "E", "N", "Shift+J")
    assert (room.session.place, room.session.rating) == (place, rating)
    assert room.window.form_pane.banners.text("hint") is None
    press("Tab", "Tab", "4")
    assert part(room, "skip_harmful").isChecked()
    press("5", "Tab")
    assert part(room, "skip_comment").text() == "twice"


def test_the_digit_of_another_reason_and_tab_lead_to_the_comment(room):
    press("X", "5", "Tab")
    assert part(room, "skip_comment").hasFocus()


def test_keys_on_a_button_of_a_bar_do_not_act_on_the_task(room):
    press("M")
    part(room, "word_bar_cancel").setFocus()
    press("N", "J", "X")
    assert room.session.rating.answers.targets == {}
    assert room.session.place.target == "s1"
    assert not is_open(room, "skip_bar")
