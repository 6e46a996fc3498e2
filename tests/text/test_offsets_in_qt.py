"""What `text.offsets` says of Qt's text documents is so: measured on the real ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from desktop_rater.text.spans import Utf16Map, WidgetTextMap
from tests import shown

AWKWARD = ["\r\n", "\r", "\n", "\n\r", "\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\0", "\xa0", "\t", "\xad", "\u200b"]
AWKWARD += ["\ufeff", "\ufffe", "\uffff", "\ufdcf", "\ufdd0", "\ufdd1", "\ufffc", "\ud83d", "\ude00", "\U000e0041"]
AWKWARD += ["😀", "👩‍👩‍👧", "🏴\U000e0067\U000e0062\U000e007f", "e\u0301", "漢", "の", "ك", "\u202e", "ש"]
TEXTS = st.lists(st.sampled_from(AWKWARD) | st.text(max_size=3), max_size=20).map("".join)

QUOTES = {
    **shown.QUOTES,
    "CRLF inside": "one\r\ntwo\r\n\r\nthree",
    "old Mac line ends": "one\rtwo",
    "U+2029": "one\u2029two",
    "tabs": "one\ttwo\t\tthree",
}


def selected(document: QTextDocument, start: int, end: int) -> str:
    """The text between two positions as Qt sees it, with its block separators as line feeds."""
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2029", "\n")


def with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES.keys())
def test_the_highlight_covers_exactly_the_quote(quote):
    before = "Zwölf\r\n😀 Boxer\u2028\x0b👩‍👩‍👧\u2029\x85 מ\r"
    shown = WidgetTextMap(f"{before}{quote}\r\n and 🎉 so on")
    start, end = len(before), len(before) + len(quote)
    for widget in (QPlainTextEdit(), QTextEdit()):
        widget.setPlainText(shown.shown)
        assert selected(widget.document(), shown.to_shown(start), shown.to_shown(end)) == with_line_feeds(quote)


@pytest.mark.usefixtures("qapp")
@settings(max_examples=300)
@given(TEXTS)
def test_qt_keeps_every_place_of_what_it_is_given_to_show(source):
    shown = WidgetTextMap(source).shown
    document = QTextDocument()
    document.setPlainText(shown)

    # A document ends in one block separator of its own.
    assert document.characterCount() - 1 == Utf16Map(shown).units
    assert selected(document, 0, document.characterCount() - 1) == shown


@pytest.mark.usefixtures("qapp")
@settings(max_examples=300)
@given(TEXTS, st.data())
def test_what_a_rater_selects_is_what_is_taken_from_the_source(source, data):
    shown = WidgetTextMap(source)
    document = QTextDocument()
    document.setPlainText(shown.shown)
    places = st.integers(0, document.characterCount() - 1)
    start, end = sorted((data.draw(places), data.draw(places)))

    taken = source[shown.to_source(start) : shown.to_source(end)]

    # A position inside a surrogate pair counts as the start of the pair.
    start, end = shown.to_shown(shown.to_source(start)), shown.to_shown(shown.to_source(end))
    # "x": only at the start of a whole text has U+FEFF a stand-in.
    as_shown = WidgetTextMap("x" + taken).shown[1:].replace("\ufeff", "\u2060")
    assert selected(document, start, end).replace("\ufeff", "\u2060") == as_shown


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("text", "shown"), [("\ufeffb", "b"), ("\ufffeb", "\u6200"), ("a\ud800b", "ab")])
def test_qt_still_swallows_what_shown_has_stand_ins_for(text, shown):
    document = QTextDocument()
    document.setPlainText(text)
    assert document.toPlainText() == shown, "Qt keeps it now: the stand-in in text.offsets can go"
