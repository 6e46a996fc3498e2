"""Tables of a response: no word and no number is split; what is wider than the pane scrolls."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import theme
from tests.ui.responses import target

HEAD = "| Country | Population | GDP | Area | Central bank | Inflation | Founded | Federal republic |"
ROWS = [
    "| Germany | 83237124 | 4259934911821 | 357592 | Deutsche **Bundes**bank | 5.9 % | 1957-08-01 | Federal republic |",
    "| United States | 331893745 | 23315080560000 | 9833517 | Federal Reserve | 4.1 % | 1913-12-23 | no, `states` |",
]
TABLE = "\n".join(("Before it.", "", HEAD, "|---|--:|--:|--:|---|---|---|---|", *ROWS, "", "After it."))


@pytest.fixture
def view(qtbot):
    view = ResponseView("view")
    qtbot.addWidget(view)
    view.resize(420, 400)
    view.show()
    return view


def split_words(view):
    """The words of the document that a line break runs through."""
    words, block = [], view.document().begin()
    while block.isValid():
        layout, text = block.layout(), block.text()
        for number in range(layout.lineCount() - 1):
            end = layout.lineAt(number).textStart() + layout.lineAt(number).textLength()
            if not text[end - 1].isspace() and text[end - 1] != "-" and not text[end].isspace():
                words.append(text)
        block = block.next()
    return words


@pytest.mark.parametrize("width", [300, 420, 700, 1200])
@pytest.mark.parametrize("zoom", [100, 200])
def test_a_table_never_splits_words_and_numbers(view, qapp, width, zoom):
    theme.apply(qapp, theme.Look(theme="light", zoom=zoom))
    view.resize(width, 400)
    view.show_response(TABLE, [], plain=False)
    QApplication.processEvents()
    view.grab()
    split = split_words(view)
    theme.apply(qapp, theme.Look(theme="light"))

    assert split == []


def test_a_table_wider_than_the_pane_scrolls_and_takes_its_marks_along(view):
    view.show_response(TABLE, [target("s1", TABLE, "Before it."), target("s2", TABLE, "1913-12-23")], plain=False)
    QApplication.processEvents()
    across = view.horizontalScrollBar()
    assert across.maximum() > 0

    view.show_states({}, "s2")

    assert across.value() > 0
    first, _last = view._marks[1].span
    assert view.viewport().rect().contains(view.cursorRect(view._cursor(first, first)).center())
    assert view.cursorForPosition(view.cursorRect(view._cursor(first, first)).center()).position() == first


def test_a_wider_pane_needs_no_scroll_bar_and_a_narrower_one_does_again(view):
    view.show_response("|a|b|\n|-|-|\n|one|" + "several words " * 8 + "|", [], plain=False)
    assert view.horizontalScrollBar().maximum() == 0
    view.show_response(TABLE, [], plain=False)
    for width, scrolls in ((2_000, False), (420, True)):
        view.resize(width, 400)
        QApplication.processEvents()
        assert (view.horizontalScrollBar().maximum() > 0) is scrolls


def test_an_address_in_a_cell_may_be_split(view):
    view.resize(900, 400)
    view.show_response(f"|page|year|\n|-|-|\n|https://x.example/{'a' * 400}|1986|", [], plain=False)
    QApplication.processEvents()

    assert view.horizontalScrollBar().maximum() == 0
    assert split_words(view)
