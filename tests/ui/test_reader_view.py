"""A rater reads a page, and chooses passages of it by keys and mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.reader_view import PageSentences, grow_selection, shrink_selection, step_sentence
from desktop_rater.ui.widgets.buttons import is_key_dimmed
from tests.operations.bundles import task
from tests.ui.articles import (
    CLAIM,
    FIRST,
    FOURTH,
    PATIENT,
    SECOND,
    THIRD,
    choose,
    pieces,
    read,
    read_and_choose,
    reader,
    serve,
)
from tests.ui.rooms import press


@pytest.fixture
def room(rooms):
    room = rooms.with_tasks(task("t1", CLAIM, "It lies on the Loire."), task("t2"))
    press("Y")
    return room


def test_the_arrows_choose_sentences_and_more_or_less_of_them(room, qtbot, page):
    read(room, qtbot, page)
    view = reader(room)
    choose(room, FIRST)

    press("Down")
    assert view.passage.quote == SECOND
    press("Shift+Right")
    assert view.passage.quote == f"{SECOND} {THIRD}"
    press("Shift+Right")
    assert view.passage.quote == f"{SECOND} {THIRD}\n{FOURTH}"
    press("Shift+Left", "Shift+Left")
    assert view.passage.quote == SECOND
    press("Up")
    assert view.passage.quote == FIRST
    assert pieces(room) == ()


def test_the_mouse_selects_and_a_click_on_a_link_goes_there(room, qtbot, page):
    read(room, qtbot, page)
    view = reader(room)
    choose(room, "The diary")
    at = view.cursorRect().center() - QPoint(4, 0)
    view.drop_selection()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: room.browsing.page.title == "Diary", timeout=PATIENT)


def test_links_are_reached_and_opened_by_keys(room, qtbot, page):
    read_and_choose(room, qtbot, page, FOURTH)
    press("Right")
    assert reader(room).anchor.url.endswith("/diary")
    assert is_key_dimmed("Enter", room.window.form_pane.go_on), "it opens the link"
    press("Esc")
    assert reader(room).anchor is None
    assert not is_key_dimmed("Enter", room.window.form_pane.go_on)
    assert room.browsing.page is not None
    press("Right", "Return")
    qtbot.waitUntil(lambda: room.browsing.page.title == "Diary", timeout=PATIENT)


def test_the_words_of_the_claim_are_marked_and_their_passage_is_where_reading_begins(room, qtbot, page):
    read(room, qtbot, page)
    press("Down")
    assert reader(room).passage.quote == THIRD


def test_words_that_are_chosen_can_be_copied_as_they_stand(room, qtbot, page):
    read_and_choose(room, qtbot, page, SECOND)
    press("Ctrl+C")
    assert QGuiApplication.clipboard().text() == SECOND


def test_all_of_a_page_can_be_read_and_its_main_text_again(room, qtbot, page):
    read(room, qtbot, page)
    assert "Elsewhere" not in reader(room).text
    room.commands.actions["whole_page"].trigger()
    assert "Elsewhere" in reader(room).text
    assert "Elsewhere" in reader(room).toPlainText()
    room.commands.actions["whole_page"].trigger()
    assert "Elsewhere" not in reader(room).text


def test_another_size_of_the_letters_leaves_the_passage_where_it_is(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Ctrl++")
    assert reader(room).passage.quote == THIRD
    assert reader(room).viewport().rect().contains(reader(room).cursorRect())
    press("Ctrl+0")


def test_a_long_page_comes_in_parts_and_all_of_it_comes(room, qtbot, httpserver):
    last = "The very last sentence names the geese of Montreuil."
    lines = "".join(f"<p>{number}. {FIRST} {THIRD}</p>" for number in range(400))
    read(room, qtbot, serve(httpserver, f"<title>Long</title><body>{lines}<p>{last}</p></body>"))
    view = reader(room)
    assert not view.read.is_whole
    qtbot.waitUntil(lambda: view.read.is_whole)
    assert view.toPlainText().count(THIRD) == 400
    choose(room, last)
    assert view.passage.quote == last
    assert view.viewport().rect().intersects(view.cursorRect())


def test_a_passage_far_down_a_long_page_comes_into_view_as_soon_as_it_is_there(room, qtbot, httpserver):
    told = f"<p>{SECOND} Everybody agrees that no single place of origin commands the field.</p>"
    lines = "".join(f"<p>{number}. {FIRST}</p>" for number in range(400))
    read(room, qtbot, serve(httpserver, f"<title>Long</title><body>{lines}{told}</body>"))
    view = reader(room)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 0)
    qtbot.waitUntil(lambda: view.read.is_whole)
    press("Down")
    assert view.passage.quote == "Everybody agrees that no single place of origin commands the field."


CITIES = """<title>Cities</title><body><h1>Cities</h1><p>The largest cities of the world by their population.</p>
<table><tr><th>City</th><th>Country</th><th>People</th></tr><tr><td>Tokyo</td><td>Japan</td><td>37 million</td></tr>
<tr><td>Delhi</td><td>India</td><td>St. Delhi. 30 million</td></tr></table></body>"""
TOKYO = "City: Tokyo | Country: Japan | People: 37 million"
DELHI = "City: Delhi | Country: India | People: St. Delhi. 30 million"


def test_the_arrows_go_through_a_table_row_by_row_and_a_row_is_taken_with_its_headings(rooms, qtbot, httpserver):
    room = rooms.with_tasks(task("t1", "Tokyo in Japan has 37 million people."))
    press("Y")
    read(room, qtbot, serve(httpserver, CITIES))
    view = reader(room)
    assert view.passage.quote == TOKYO, "the row is marked for the target"

    press("Down")
    assert view.passage.quote == TOKYO
    press("Down")
    assert view.passage.quote == DELHI
    press("Up", "Shift+Right")
    assert view.passage.quote == f"{TOKYO}\n{DELHI}"
    press("Shift+Left", "S")

    assert [piece.quote for piece in pieces(room)] == [TOKYO]
    assert view.show_passage(view.passage)
    assert view.selected == (view.text.index(TOKYO), view.text.index(TOKYO) + len(TOKYO))


def test_a_quote_of_cells_without_their_headings_is_found_in_its_row(room, qtbot, httpserver):
    read(room, qtbot, serve(httpserver, CITIES))
    assert reader(room).show_passage(PagePassage("Tokyo\nJapan\n37 million", "", ""))
    assert reader(room).passage.quote == TOKYO


def test_struck_text_is_seen_but_not_quoted(room, qtbot, httpserver):
    built = "<p>The tower was built in <s>1900</s> <ins>1901</ins>. In 1900 it was planned.</p>"
    read(room, qtbot, serve(httpserver, f"<title>Tower</title><body>{built}</body>"))
    view = reader(room)
    choose(room, "The tower", "Shift+Right")
    assert "1900 1901" in view.toPlainText()
    assert view.passage.quote == "The tower was built in 1901."


def test_what_is_left_out_is_said_beside_the_way_to_the_whole_page(room, qtbot, httpserver):
    told = f"<article><p>{FIRST} {SECOND}</p><p>{THIRD} {FOURTH} In <s>1900</s> 1901.</p></article>"
    beside = "<div class=sidebar><ul><li>Postcards<li>Maps</ul><table><tr><th>A<th>B<tr><td>c<td>d</table></div>"
    read(room, qtbot, serve(httpserver, f"<title>Camp</title><body>{told}{beside}</body>"))
    state = room.window.preview.state
    assert "Left out: 1 table" in state.text_label.text()
    assert "1 struck-out part is not quoted" in state.text_label.text()
    state.whole_wanted.emit()
    assert "Maps" in reader(room).text
    assert "Left out" not in state.text_label.text()
    assert "1 struck-out part" in state.text_label.text()


TEXT = "A heading\nOne fell. Two ran away.\nOf 3.5 kg: three.\n\nEnd"
KNOWN = PageSentences(TEXT)


def span(words):
    start = TEXT.index(words)
    return start, start + len(words)


def test_each_block_has_its_own_sentences():
    found, at = [], None
    while not found or found[-1] != at:
        found.append(at)
        at = step_sentence(KNOWN, at, 1)
    assert [TEXT[slice(*one)] for one in found[1:]] == [
        "A heading",
        "One fell.",
        "Two ran away.",
        "Of 3.5 kg: three.",
        "End",
    ]


def test_backwards_they_come_the_same_way():
    assert step_sentence(KNOWN, span("End"), -1) == span("Of 3.5 kg: three.")
    assert step_sentence(KNOWN, span("Of 3.5 kg: three."), -1) == span("Two ran away.")
    assert step_sentence(KNOWN, span("A heading"), -1) == span("A heading")


def test_with_nothing_chosen_the_one_at_hand_is_taken():
    assert step_sentence(KNOWN, None, 1, near=TEXT.index("ran")) == span("Two ran away.")
    assert step_sentence(KNOWN, None, -1, near=TEXT.index("ran")) == span("Two ran away.")


def test_growing_and_shrinking_go_over_the_ends_of_blocks():
    chosen = grow_selection(KNOWN, span("Two ran away."))
    assert chosen == span("Two ran away.\nOf 3.5 kg: three.")
    assert shrink_selection(KNOWN, chosen) == span("Two ran away.")
    assert shrink_selection(KNOWN, span("Two ran away.")) == span("Two ran away.")


def test_a_few_words_first_grow_to_their_sentence():
    assert grow_selection(KNOWN, span("ran")) == span("Two ran away.")


def test_the_last_sentence_does_not_grow():
    assert grow_selection(KNOWN, span("End")) == span("End")


def test_a_page_without_a_sentence_has_nothing_to_choose():
    assert step_sentence(PageSentences(""), None, 1) is None
    assert step_sentence(PageSentences("\n\n"), None, 1) is None
    assert grow_selection(PageSentences(""), None) is None
    assert shrink_selection(PageSentences(""), None) is None
