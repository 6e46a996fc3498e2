"""A rater takes what is read as evidence, and comes back to where it was read."""

import pytest
from PySide6.QtCore import Qt

from desktop_rater.format.values import Place
from tests.operations.bundles import task
from tests.ui.articles import (
    ARTICLE,
    CLAIM,
    FIRST,
    FOURTH,
    PATIENT,
    SECOND,
    THIRD,
    address,
    choose,
    pieces,
    read,
    read_and_choose,
    reader,
    serve,
)
from tests.ui.rooms import part, press, two_responses


@pytest.fixture
def room(rooms):
    room = rooms.with_tasks(task("t1", CLAIM, "It lies on the Loire."), task("t2"))
    press("Y")
    return room


def test_one_key_takes_the_sentence_with_all_that_belongs_to_it(room, rooms, qtbot, page):
    read_and_choose(room, qtbot, page, SECOND)
    press("C")
    (piece,) = pieces(room)
    assert (piece.url, piece.title, piece.stance) == (page, "Étaples reconsidered", "contradicting")
    assert (piece.target, piece.response, piece.claim) == ("s1", None, None)
    assert (piece.quote, piece.prefix, piece.suffix) == (SECOND, f"{FIRST}\n"[-32:], f" {THIRD}"[:32])
    assert piece.opened == "2026-11-20T12:00:00Z"
    assert (rooms.folder / "store" / "snapshots" / f"{piece.snapshot}.warc.gz").exists()
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").evidence == (piece,)


def test_taking_is_one_step_back_and_one_forth(room, qtbot, page):
    read_and_choose(room, qtbot, page, SECOND)
    press("S")
    taken = pieces(room)
    press("Ctrl+Z")
    assert pieces(room) == ()
    press("Ctrl+Shift+Z")
    assert pieces(room) == taken


def test_the_same_passage_goes_to_another_claim_with_one_key_and_to_no_other_target(room, qtbot, page):
    session = room.session
    session.add_claim(0, 15)
    session.add_claim(16, len(CLAIM))
    session.go_to(Place("a", "s1", "c1"))
    read_and_choose(room, qtbot, page, THIRD)

    press("S", "Shift+J", "S")
    assert [(one.claim_ids, one.quote) for one in pieces(room)] == [(("c1", "c2"), THIRD)]

    press("J", "Y")
    room.window.preview.focus_page()
    assert reader(room).selected is None, "what was selected belongs to the target before"
    choose(room, THIRD, "C")
    assert [(one.target, one.claim_ids, one.stance, one.quote) for one in pieces(room)][1:] == [
        ("s2", (), "contradicting", THIRD)
    ]


def test_the_passage_that_is_marked_is_the_one_that_s_takes_at_each_target(room, qtbot, page):
    read(room, qtbot, page)
    marked = reader(room).text[slice(*reader(room)._marks.best)]
    choose(room, reader(room).text.split("\n")[0][:40], "J", "K", "Y")
    room.window.preview.focus_page()
    assert reader(room).selected is None
    assert reader(room).passage.quote == marked
    assert part(room, "take_words").text().startswith("The marked passage")
    press("S")
    assert [(one.target, one.quote) for one in pieces(room)] == [("s1", marked)]
    press("Down")
    assert reader(room).selected is not None, "the arrows begin there"
    assert reader(room).passage.quote == marked


def test_keys_are_shown_on_the_page_only_while_they_take_from_it(room, qtbot, page):
    read(room, qtbot, page)
    take, extend = part(room, "take_supporting"), part(room, "extend_passage")
    assert (take._key, extend._key) == ("S", "Down")
    part(room, "close_preview").setFocus()
    assert (take._key, extend._key) == ("S", ""), "the arrows do not move on the page"
    room.window.form_pane.form.setFocus()
    assert (take._key, extend._key) == ("", "")


def test_taking_the_same_again_selects_its_row_and_changes_nothing(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    revision = room.session.rating
    room.session.add_evidence("https://example.org/other")
    room.window.form_pane.form.evidence.select("e2")
    press("S")
    assert pieces(room)[0] == revision.evidence[0]
    assert len(pieces(room)) == 2
    assert room.window.form_pane.form.evidence.selected.id == "e1"


def test_the_other_stance_for_the_same_passage_is_a_change_of_mind(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("S", "C")
    assert [(one.stance, one.quote) for one in pieces(room)] == [("contradicting", THIRD)]


def test_another_passage_of_the_page_takes_the_place_of_the_quote_and_can_be_taken_back(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    choose(room, FOURTH, "S")
    assert [one.quote for one in pieces(room)] == [FOURTH]
    assert "Its quote has been replaced with this passage" in room.window.preview.banners.text("page")
    assert not [one for one in room.session.outcome.problems if one.rule == "evidence-url-valid"]
    press("Ctrl+Z")
    assert [one.quote for one in pieces(room)] == [THIRD]
    assert room.window.preview.banners.text("page") is None


def test_a_link_that_was_pasted_first_gets_the_passage(room, qtbot, page):
    """Y E (paste) O, passage, S."""
    name = room.session.add_evidence(page)
    room.window.form_pane.form.evidence.select(name)
    room.window.form_pane.form.setFocus()
    press("O")
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=PATIENT)
    choose(room, THIRD, "S")
    (piece,) = pieces(room)
    assert (piece.id, piece.url, piece.stance, piece.quote) == (name, page, "supporting", THIRD)
    assert piece.snapshot == room.browsing.page.snapshot


def test_a_page_can_be_taken_without_a_passage_and_get_one_later(room, qtbot, page):
    press("J", "Y")
    read(room, qtbot, page)
    assert reader(room).passage is None, "nothing on the page is about this target"
    press("S")
    assert [(one.stance, one.quote) for one in pieces(room)] == [("supporting", "")]
    choose(room, THIRD, "Q")
    assert [(one.stance, one.quote) for one in pieces(room)] == [("supporting", THIRD)]


def test_q_takes_a_quote_without_a_stance(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Q")
    assert [(one.stance, one.quote) for one in pieces(room)] == [(None, THIRD)]


def test_a_page_that_was_reached_by_a_redirect_is_named_by_where_it_is(room, qtbot, page, httpserver):
    httpserver.expect_request("/short").respond_with_data("", status=302, headers={"Location": page})
    read_and_choose(room, qtbot, address(httpserver, "/short"), THIRD)
    press("S")
    assert [one.url for one in pieces(room)] == [page]


def test_away_from_the_page_the_same_keys_are_about_the_selected_row(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    room.window.form_pane.form.setFocus()
    choose(room, FOURTH, "C")
    assert [(one.stance, one.quote) for one in pieces(room)] == [("contradicting", THIRD)]


def test_nothing_is_taken_where_no_evidence_is_asked_for(room, qtbot, page):
    read(room, qtbot, page)
    room.session.answer("factual", "no")
    room.window.preview.focus_page()
    choose(room, THIRD, "S")
    assert pieces(room) == ()
    assert not part(room, "take_supporting").isEnabled()
    assert part(room, "take_words").text() == "No evidence is needed here."


def test_the_bar_says_what_is_chosen_and_for_what(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    words = part(room, "take_words")
    assert words.text() == "14 words selected, for target 1"
    room.session.add_claim(0, 15)
    assert words.text() == "14 words selected, for c1"
    reader(room).drop_selection()
    assert words.text() == "The marked passage (14 words), for c1"


def test_buttons_of_the_bar_do_what_their_keys_do(room, qtbot, page):
    read(room, qtbot, page)
    reader(room).drop_selection()
    qtbot.mouseClick(part(room, "extend_passage"), Qt.MouseButton.LeftButton)
    quote = reader(room).passage.quote
    assert quote
    qtbot.mouseClick(part(room, "take_contradicting"), Qt.MouseButton.LeftButton)
    assert [(one.stance, one.quote) for one in pieces(room)] == [("contradicting", quote)]


def test_the_evidence_is_as_high_as_its_rows_at_each_width(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("S", "Esc")
    rows = room.window.form_pane.form.evidence.list
    rows.open_at(0)
    for width in (150, 600):  # the quote takes more lines, then fewer
        rows.resize(width, rows.height())
        assert rows.height() == rows.sizeHintForRow(0) + 2 * rows.frameWidth()


def test_evidence_of_a_response_is_taken_for_the_response(rooms, qtbot, page):
    room = rooms.with_tasks(two_responses(), rubric="side-by-side")
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    assert [(one.target, one.response) for one in pieces(room)] == [(None, "a")]
    assert part(room, "take_words").text() == "14 words selected, for response A"


def open_row(room, qtbot):
    room.browsing.close()
    room.window.form_pane.form.setFocus()
    press("O")
    qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading, timeout=PATIENT)


def test_a_row_opens_the_page_as_it_was_read_at_the_quote(room, qtbot, page, httpserver):
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    serve(httpserver, "<title>Gone</title><p>Nothing here any more.</p>")
    open_row(room, qtbot)
    assert room.browsing.page.stored
    assert reader(room).passage.quote == THIRD


def test_a_quote_that_the_live_page_no_longer_has_says_so_and_leads_back_to_the_stored_one(
    room, qtbot, page, httpserver
):
    read_and_choose(room, qtbot, page, THIRD)
    press("S")
    serve(httpserver, ARTICLE.replace(THIRD, "The question is closed."))
    open_row(room, qtbot)

    press("Ctrl+R")
    banners = room.window.preview.banners
    qtbot.waitUntil(lambda: banners.text("page") is not None, timeout=PATIENT)
    assert banners.text("page") == "The page no longer has the quoted passage."
    assert not room.browsing.page.stored

    banners.banner("page").buttons[0].click()
    qtbot.waitUntil(lambda: room.browsing.page.stored, timeout=PATIENT)
    assert reader(room).passage.quote == THIRD
