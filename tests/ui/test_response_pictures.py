"""Pictures of a response are places with their host until the rater has them fetched; then they come from the store."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.task import Target
from tests.pictures import png
from tests.shown import text_of
from tests.ui.articles import address

PATIENT = 15_000


@pytest.fixture
def served(httpserver):
    httpserver.expect_request("/dog.png").respond_with_data(png(60, 40), content_type="image/png")
    httpserver.expect_request("/page").respond_with_data("<p>No picture</p>", content_type="text/html")
    httpserver.expect_request("/bad.png").respond_with_data(b"no picture", content_type="image/png")
    httpserver.expect_request("/drawing").respond_with_data("<svg/>", content_type="image/svg+xml")
    return httpserver


def show(room, *urls):
    """Show a response with a picture for each address, and a target around each."""
    text = "Look: " + "\n\n".join(f"![A *dog* {number}]({url})" for number, url in enumerate(urls)) + " there."
    targets = [
        Target(
            id=f"s{number}", response="a", start=text.index(f"![A *dog* {number}"), end=text.index(url) + len(url) + 1
        )
        for number, url in enumerate(urls)
    ]
    view = room.window.text_pane.panes[0].view
    view.forget()
    view.show_response(text, targets, plain=False)
    QApplication.processEvents()
    return view, text


def place_of(view, number=0):
    """The middle of a picture, or of what is in its place."""
    position, _url = view._read.placeholders[number]
    first, after = (view.cursorRect(view._cursor(at, at)).center() for at in (position, position + 1))
    return (first + after) / 2


def pictures_of(view):
    return [url for url, picture in view._web_pictures.items() if isinstance(picture, QImage)]


def test_a_picture_is_fetched_by_a_click_and_shown_from_the_store_later(room, qtbot, served):
    url = address(served, "/dog.png")
    view, text = show(room, url)
    assert text_of(view.document()) == "Look: A dog 0\ufffc there."
    assert "Only in the source" not in view.toPlainText()
    assert view._tip(place_of(view)).startswith(url)
    assert served.log == [], "nothing is fetched by itself"
    start, end = view.shown_map.source_span(*view._marks[0].span)
    assert text[start:end] == f"A *dog* 0]({url})"

    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view))

    qtbot.waitUntil(lambda: pictures_of(view) == [url], timeout=PATIENT)
    assert [request.path for request, _response in served.log] == ["/dog.png"]
    assert view.picture_under(place_of(view)) is None
    served.clear()

    view, text = show(room, url)
    qtbot.waitUntil(lambda: pictures_of(view) == [url], timeout=PATIENT)
    assert served.log == [], "it came from the store"
    view.selectAll()
    assert view.selected_stretch() == (0, len(text))


def test_a_picture_is_fetched_by_a_key_where_the_cursor_is_before_it(room, qtbot, served):
    url = address(served, "/dog.png")
    view, _text = show(room, url)
    view.setFocus()
    position, _url = view._read.placeholders[0]
    view.setTextCursor(view._cursor(position, position))
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pictures_of(view) == [url], timeout=PATIENT)


def test_what_is_no_picture_or_may_not_be_fetched_says_so_in_its_place(room, qtbot, served):
    urls = [address(served, path) for path in ("/page", "/bad.png", "/drawing", "/none")]
    private = "http://192.168.1.1/dog.png"
    view, _text = show(room, *urls, private)
    assert "Only in the source" not in view.toPlainText()
    for url in (*urls, private):
        view.picture_wanted.emit(url)

    def refused():
        return all(str(view._web_pictures[url]).startswith("No picture") for url in (*urls, private))

    qtbot.waitUntil(refused, timeout=PATIENT)
    assert pictures_of(view) == []
