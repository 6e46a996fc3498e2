"""A page as a document: its title, who wrote it, and its text in the type of what is read. It loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocumentFragment,
    QTextFormat,
)

from desktop_rater.text.page_parts import parts_of
from desktop_rater.text.page_places import PagePlaces
from desktop_rater.ui import theme
from desktop_rater.ui.plain import set_cleaned_html
from desktop_rater.ui.read_document import FIXED, SEMIBOLD, ReadDocument
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QTextBlock

    from desktop_rater.ui.read_document import Type

# Characters of a part: dressing one takes a few milliseconds, so keys and pointer come through in between.
PART = 4_000
LEAST_TITLE = 8


class PagePart(ReadDocument):
    """A part of a page, dressed as what is read."""

    def dress(self, html: str) -> None:
        set_cleaned_html(self, html)
        self._space_rendered_blocks()
        self._dress_words()
        self._dress_lists_and_tables()

    def _block_format(self, block: QTextBlock) -> QTextBlockFormat:
        if block.blockFormat().nonBreakableLines():
            form = QTextBlockFormat(block.blockFormat())
            form.setProperty(QTextFormat.Property.BlockCodeFence, "`")
            QTextCursor(block).setBlockFormat(form)
        form = super()._block_format(block)
        ruler = form.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        if block.length() == 1 and not ruler:
            # Qt puts one before and behind each table: nobody wrote that line.
            form.setLineHeight(1, FIXED)
            form.setBottomMargin(0)
        elif QTextCursor(block).currentTable() is not None:
            form.setBottomMargin(0)
        return form


class PageDocument(ReadDocument):
    """`places` says where the page's text stands in it, as far as it is there yet."""

    def __init__(self, parent: QObject | None, font: QFont, look: Type) -> None:
        super().__init__(parent, font, look)
        self.places = PagePlaces("")
        self._parts: Iterator[str] = iter(())
        self._byline = ""
        self.is_whole = True

    def begin_page(self, html: str, text: str, *, title: str, byline: str) -> None:
        """Show the beginning of cleaned HTML, whose text is `text`, under the page's title and who wrote it."""
        self.places = PagePlaces(text)
        self._parts = parts_of(html, PART)
        self.is_whole = False
        part = self._dressed(next(self._parts, ""))
        own = _own_title(part, title)
        if own or title:
            self._write(own or title, "title", "text", below=4)
        if own:
            self.places.add(own, 0)
            _cut_first_block(part)
        if byline:
            self._write(byline, "small", "text2", below=self.look.gap)
        self._append(part)

    def add_part(self) -> bool:
        """Show a part more; False where all of it is there."""
        html = next(self._parts, None)
        self.is_whole = html is None
        if html is not None:
            self._append(self._dressed(html))
        return not self.is_whole

    def _dressed(self, html: str) -> PagePart:
        part = PagePart(None, self.own_font, self.look)
        part.dress(html)
        return part

    def _write(self, words: str, kind: str, ink: str, *, below: float) -> None:
        """A line above the page."""
        size, height = TYPE[kind]
        form = QTextBlockFormat()
        form.setLineHeight(theme.reading_px(height), FIXED)
        form.setBottomMargin(below)
        form.setHeadingLevel(1 if kind == "title" else 0)
        letters = QTextCharFormat()
        letters.setProperty(QTextFormat.Property.FontPixelSize, theme.reading_px(size))
        letters.setForeground(QColor(theme.color(None, ink)))
        letters.setFontWeight(SEMIBOLD if kind == "title" else QFont.Weight.Normal)
        cursor = self._at_end()
        cursor.setBlockFormat(form)
        cursor.insertText(words, letters)

    def _append(self, part: PagePart) -> None:
        first = part.begin()
        cursor = self._at_end()
        before = cursor.block()
        number = before.blockNumber()
        cursor.insertFragment(QTextDocumentFragment(part))
        block = self.findBlockByNumber(number)
        # Qt keeps the format of the block into which it puts the first one; before a list it leaves it empty.
        form = QTextBlockFormat(first.blockFormat() if first.textList() is None else _nothing())
        QTextCursor(block).setBlockFormat(form)
        self.places.add(part.toRawText(), self.characterCount() - part.characterCount())

    def _at_end(self) -> QTextCursor:
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self.characterCount() > 1:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        return cursor


def _nothing() -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(1, FIXED)
    return form


def _own_title(part: PagePart, title: str) -> str:
    """The heading with which a page begins, where that is its title."""
    first = " ".join(part.begin().text().split())
    heading = part.begin().blockFormat().headingLevel() > 0
    same = first == title or (len(first) >= LEAST_TITLE and (first in title or title in first))
    return first if first and heading and same else ""


def _cut_first_block(part: PagePart) -> None:
    cursor = QTextCursor(part)
    following = part.begin().next()
    if following.isValid():
        form = QTextBlockFormat(following.blockFormat())
        cursor.setPosition(following.position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        QTextCursor(part.begin()).setBlockFormat(form)
    else:
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
