"""Suggestions fill the form as suggestions, and become answers one by one, target by target, or all at once."""

import pytest

from tests.operations.bundles import task
from tests.ui.rooms import banner, part, press

GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
SUGGESTED = {"targets": {"s1": GOOD, "s2": {"factual": "no"}}}
SENTENCES = ("Paris is the capital of France.", "A fine question!")


@pytest.fixture
def room(rooms):
    return rooms.with_tasks(task("t1", *SENTENCES, suggestions=SUGGESTED), task("t2"))


def answers(room):
    return room.session.rating.answers.targets


def test_nothing_is_answered_until_it_is_confirmed(rooms, room):
    assert part(room, "suggestion_words").text() == "Suggested: Yes, Yes, and right, Accurate"
    assert answers(room) == {}
    press("Ctrl+Shift+Return")
    assert "block" in banner(room, "refused")


def test_one_question_a_target_or_the_whole_task(rooms, room):
    press("Shift+Z")
    assert answers(room) == {"s1": {"factual": "yes"}}
    assert room.session.current_question == "common_knowledge"
    press("Ctrl+Z")
    assert answers(room) == {}
    press("Z")
    assert answers(room) == {"s1": GOOD}
    press("Ctrl+Z", "Alt+Z")
    assert answers(room) == {"s1": GOOD, "s2": {"factual": "no"}}
    press("Ctrl+Z")
    assert part(room, "suggestion_bar").isVisible()
    assert answers(room) == {}


def test_the_bar_offers_the_whole_task_only_where_something_else_is_suggested(room):
    whole = part(room, "confirm_all_suggestions")
    assert whole.isVisible()
    press("J", "Z", "K")
    assert not whole.isVisible()
    assert part(room, "confirm_suggestions").isVisible()
    press("Z")
    assert not part(room, "suggestion_bar").isVisible()
    press("Shift+Z")
    assert "There are no unconfirmed suggestions here." in banner(room, "hint")


def test_what_became_of_them_is_stored_with_the_rating(rooms, room):
    rooms.press_and_save(room, "Shift+Z", "2", "I", "6", "J", "Y")
    counts = rooms.stored("t1").suggestions
    assert (counts.accepted, counts.changed, counts.ignored) == (1, 3, 0)
    room.session.answer("factual", None)
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").suggestions.ignored == 1


def test_a_suggested_text_stands_where_nothing_is_written_yet_as_plain_text(rooms):
    words = "<b>I searched</b> for it."
    suggested = {"targets": {"s1": {"factual": "yes", "comment": words}}}
    room = rooms.with_tasks(task("t1", suggestions=suggested))
    press("Y")
    edit = part(room, "text_comment")
    assert edit.placeholderText() == f"Suggested: {words}"
    assert edit.toPlainText() == ""
    room.session.set_current_question("comment")
    press("Shift+Z")
    assert answers(room)["s1"]["comment"] == words
    assert edit.toPlainText() == words
    assert edit.placeholderText() == ""


def test_a_suggestion_that_can_t_be_given_is_told_at_the_import(rooms):
    room = rooms.with_tasks(task("t1", suggestions={"targets": {"s1": {"factual": "maybe"}}}))
    rooms.qtbot.waitUntil(lambda: not room.transfer.is_running)
    assert '"maybe" is suggested for "factual"' in room.window.banners.text("transfer")
    assert not part(room, "suggestion_bar").isVisible()
