"""Where did I read this: a rater finds a page again by what stood on it."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from tests.operations.bundles import make, task
from tests.ui.rooms import Text, part, press, press_until, type_text

PATIENT = 20_000
URL = "https://museum.example/geese"
WORDS = "Live geese were bought from the market at Montreuil."
OTHER = "The hospital line went north in the winter of 1916."


def stored(url, title, *sentences):
    """The bytes of a page that a bundle brings."""
    paragraphs = "".join(f"<p>{one}</p>" for one in sentences)
    body = f"<html lang=en><title>{title}</title><article><h1>{title}</h1>{paragraphs}</article></html>".encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return warc.write_snapshot(
        WebResponse(
            url=url, final_url=url, status=200, headers=headers, raw=body, body=body, fetched="2026-11-12T10:02:00Z"
        )
    )


@pytest.fixture
def room(rooms, tmp_path):
    """A window with a bundle that brought two pages, which nobody has opened yet."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "one.warc.gz").write_bytes(stored(URL, "Geese", "Nothing here.", *[OTHER] * 40, WORDS))
    (folder / "two.warc.gz").write_bytes(stored("https://line.example/", "The line", OTHER))
    return rooms.with_bundle(make(tmp_path / "bundle.zip", [task("t1")], snapshots=folder))


def hits(room):
    return [line.title for line in part(room, "stored_hits").model().rows]


def test_a_page_of_the_bundle_is_found_by_its_words_and_opens_just_there(room, qtbot):
    press_until(qtbot, lambda: part(room, "stored_field").hasFocus(), "Ctrl+Shift+F")
    type_text("live geese")
    qtbot.waitUntil(lambda: hits(room) == ["Geese"], timeout=PATIENT)
    press("Return")
    qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading, timeout=PATIENT)
    assert (room.browsing.page.url, room.browsing.page.stored) == (URL, True)
    reader = room.window.preview.reader
    assert reader.passage.quote.casefold() in {"live", "live geese"}
    assert reader.viewport().rect().contains(reader.cursorRect())
    assert reader.hasFocus()


def test_arrows_choose_among_the_hits_while_the_words_are_typed(room, qtbot):
    press_until(qtbot, lambda: part(room, "stored_field").hasFocus(), "Ctrl+Shift+F")
    type_text("hospital")
    qtbot.waitUntil(lambda: set(hits(room)) == {"Geese", "The line"}, timeout=PATIENT)
    second = hits(room)[1]
    press("Down", "Return")
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=PATIENT)
    assert room.browsing.page.title == second


def test_words_that_stand_nowhere_say_so(room, qtbot):
    press_until(qtbot, lambda: part(room, "stored_field").hasFocus(), "Ctrl+Shift+F")
    type_text("zeppelin")
    words = part(room, "stored_words")
    qtbot.waitUntil(lambda: words.text() == "No stored page of this bundle has these words.", timeout=PATIENT)


def test_esc_goes_back_to_where_the_rater_was(room, qtbot):
    form = room.window.form_pane.form
    form.setFocus()
    press_until(qtbot, lambda: part(room, "stored_field").hasFocus(), "Ctrl+Shift+F")
    press("Esc")
    assert not room.window.preview.is_open
    assert QApplication.focusWidget() is form


def test_from_a_page_esc_goes_back_to_the_page(room, qtbot):
    room.browsing.open_stored(URL)
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=PATIENT)
    room.window.preview.focus_page()
    press("Ctrl+Shift+F")
    assert part(room, "stored_search").isVisible()
    press("Esc")
    assert room.window.preview.shows_reader
    assert room.window.preview.reader.hasFocus()


def test_words_are_found_in_the_page_at_its_own_foot(room, qtbot):
    room.browsing.open_stored(URL)
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=PATIENT)
    room.window.preview.focus_page()
    press("Ctrl+F", Text("geese were"))
    count = part(room, "find_count")
    qtbot.waitUntil(lambda: count.text() == "1 of 1")

    assert room.window.preview.isAncestorOf(part(room, "find_bar"))
    assert room.window.preview.reader.passage.quote == "geese were"
    press("Esc")
    assert room.window.preview.reader.hasFocus()
    room.browsing.close()
    room.window.text_pane.panes[0].view.setFocus()
    press("Ctrl+F")
    assert room.window.text_pane.isAncestorOf(part(room, "find_bar"))
