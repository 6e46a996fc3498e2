"""What a lead has begun to write is there again when the lead is back, also after Esc and after a restart."""

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from desktop_rater.operations.rating.rater_state import load_drafts
from tests.operations.bundles import RATER
from tests.readers import reader_of
from tests.ui.reviews import reviewing, said_of
from tests.ui.rooms import Text, part, press, press_until

WORDS = "Would a captain be in an index at all?"


@pytest.fixture
def review(rooms, results):
    _room, review = reviewing(rooms, results)
    press("2", "B", "4", Text(WORDS))
    return review


def stands(rooms):
    return part(rooms.open_now[0], "verdict_stands").text()


def test_a_look_at_another_rater_costs_no_word(rooms, review):
    review.compare.grid.choose(0)  # as a click on that column does
    assert not review.compare.verdict.is_writing
    assert "Written" not in stands(rooms)
    review.compare.grid.setFocus()
    press("2")
    assert "Draft not sent. Press B to continue." in stands(rooms)
    press("B")
    assert review.compare.verdict.comment.text() == WORDS
    press("Ctrl+Return")
    rooms.qtbot.waitUntil(lambda: said_of(rooms, "ben") is not None, timeout=15_000)
    verdict = said_of(rooms, "ben")
    assert (verdict.kind, verdict.reason, verdict.comment) == ("returned", "search-too-thin", WORDS)
    press("2")
    assert "Written" not in stands(rooms)


def test_what_is_left_by_esc_is_offered_again_and_an_empty_comment_is_forgotten(rooms, review):
    press("Esc", "Esc", "1", "2")
    assert "Draft not sent. Press B to continue." in stands(rooms)
    press("B")
    assert review.compare.verdict.comment.text() == WORDS
    assert said_of(rooms, "ben") is None
    review.compare.verdict.comment.setFocus()
    press("Ctrl+A", "Delete", "Esc", "Esc", "1", "2")
    assert "Draft" not in stands(rooms)


def test_what_was_begun_is_in_the_store_when_the_window_is_closed(rooms, review):
    assert review.compare.verdict.is_writing
    rooms.shut(rooms.open_now[0])
    with reader_of(rooms.folder / "store") as reader:
        assert [text for text in load_drafts(reader, RATER).values() if text.endswith(WORDS)]


def test_the_words_wait_at_their_place_while_the_lead_looks_at_others(rooms, review):
    first = review.desk.name
    review.navigator.step(1)
    rooms.qtbot.waitUntil(lambda: review.desk.name != first)
    press("B")
    assert review.compare.verdict.comment.text() == ""
    press("Esc")
    review.navigator.go(first, "ben")
    press("B")
    assert review.compare.verdict.comment.text() == WORDS


def test_while_results_are_before_the_eyes_no_key_answers_in_the_form_behind_them(rooms, review):
    press_until(rooms.qtbot, lambda: review.own_rating.open is not None, "Esc", "Esc", "M")
    press("Y")
    begun = review.own_rating.open.rating.answers
    review.show_results()  # as when some have come in
    assert review.mode == "review"
    press("1", "A", "N")
    assert review.own_rating.open.rating.answers == begun
    press("Return")
    assert review.stack.currentWidget() is review.split
    assert review.mode == "rate"
    assert review.own_rating.open.isAncestorOf(QApplication.focusWidget())
    press("Ctrl+Z")
    assert review.own_rating.open.rating.answers != begun, "undo is the form's again"
    press("Y", "1", "A", "Return")
    rooms.qtbot.waitUntil(lambda: said_of(rooms, "ben") is not None, timeout=15_000)
    assert said_of(rooms, "ben").kind == "corrected"


def test_a_lead_s_correction_keeps_what_an_input_method_was_composing(rooms, review):
    press("Esc", "Esc")
    comment = review.compare.verdict.comment
    press("B")
    comment.setFocus()
    QApplication.sendEvent(comment, QInputMethodEvent("さくら", []))
    press("Esc", "Esc", "B")
    assert comment.text() == f"{WORDS}さくら"
