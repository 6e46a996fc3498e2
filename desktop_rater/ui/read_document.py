"""A document for text that is read: plain or Markdown, with room between its lines. It never loads anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextListFormat,
    QTextOption,
    QTextTable,
)

from desktop_rater.text.offsets import ShownMap
from desktop_rater.text.rendered import RenderedMap, align
from desktop_rater.text.weight import is_heavy_markdown
from desktop_rater.ui.plain import set_markdown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QObject

OBJECT = "\ufffc"
SEMIBOLD = 600
POINTS = {
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
}
FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


def _empty_picture() -> QImage:
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


@dataclass(frozen=True)
class Type:
    """Sizes in pixels: of the letters, from line to line, between paragraphs, of an indent; and two colours."""

    size: int
    line: int
    gap: int
    indent: int
    link: QColor
    edge: QColor
    backwards: bool = False


class ReadDocument(QTextDocument):
    """A document that knows where its characters came from."""

    def __init__(self, parent: QObject | None, font: QFont, look: Type, *, hide_points: bool = True) -> None:
        super().__init__(parent)
        self.look = look
        self._hide_points = hide_points
        self.map: ShownMap | RenderedMap = ShownMap("")
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setIndentWidth(look.indent)
        own = QFont(font)
        own.setPixelSize(look.size)
        self.own_font = own
        self.setDefaultFont(own)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        direction = Qt.LayoutDirection.RightToLeft if look.backwards else Qt.LayoutDirection.LeftToRight
        option.setTextDirection(direction)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing. In the place of a picture that is an empty one: where there is none, Qt reads the file by itself."""
        del name
        return _empty_picture() if kind == QTextDocument.ResourceType.ImageResource.value else None

    def fill(self, text: str, *, plain: bool = True, wanted: Sequence[tuple[int, int]] = ()) -> None:
        """Show a text: Markdown as what it means, unless a stretch that is wanted would not be seen then."""
        if not plain and not is_heavy_markdown(text) and self._fill_rendered(text, wanted):
            return
        self.map = ShownMap(text)
        self.setPlainText(self.map.shown)
        self._space_plain_lines()

    @property
    def is_rendered(self) -> bool:
        return isinstance(self.map, RenderedMap)

    def _fill_rendered(self, text: str, wanted: Sequence[tuple[int, int]]) -> bool:
        set_markdown(self, ShownMap(text).shown)
        if "![" in text:
            self._name_pictures()
        found = align(text, self.toRawText())
        if found is None or any(found.shown_span(*one) is None for one in wanted):
            return False
        self.map = found
        self._space_rendered_blocks()
        self._dress_words()
        self._dress_lists_and_tables()
        return True

    def _name_pictures(self) -> None:
        """Put the words that stand for a picture in its place."""
        pictures = [
            (position, form.stringProperty(QTextFormat.Property.ImageAltText))
            for position, _length, form in _fragments(self)
            if form.isImageFormat()
        ]
        cursor = QTextCursor(self)
        for position, words in reversed(pictures):
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(words.replace(OBJECT, ""), QTextCharFormat())

    def _space_plain_lines(self) -> None:
        cursor = QTextCursor(self)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(_spaced(self.look.line))
        # An empty line is a gap between paragraphs, not a line that nobody wrote on.
        for block in [block for block in _blocks(self) if block.length() == 1]:
            QTextCursor(block).mergeBlockFormat(_spaced(self.look.gap))

    def _space_rendered_blocks(self) -> None:
        for block in list(_blocks(self)):
            QTextCursor(block).setBlockFormat(self._block_format(block))

    def _block_format(self, block: QTextBlock) -> QTextBlockFormat:
        look, form = self.look, QTextBlockFormat(block.blockFormat())
        following = block.next()
        ruler = form.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        form.setLineHeight(look.gap if ruler else look.line, FIXED)
        form.setNonBreakableLines(False)
        form.setTopMargin(0)
        together = following.isValid() and (is_code(block) and is_code(following))
        close = block.textList() is not None and following.isValid() and following.textList() is not None
        form.setBottomMargin(0 if together else look.gap / 6 if close else look.gap)
        inset = look.indent * (quote_level(block) + int(is_code(block)))
        form.setLeftMargin(0 if look.backwards else inset)
        form.setRightMargin(inset if look.backwards else 0)
        return form

    def _dress_words(self) -> None:
        """Emphasis is weight; no size but the heading's own differs, and every line keeps its height."""
        dressed = [(position, length, self._words(form, position)) for position, length, form in list(_fragments(self))]
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, form in dressed:
            if form is not None:
                cursor.setPosition(position)
                cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(form)
        cursor.endEditBlock()

    def _dress_lists_and_tables(self) -> None:
        for block in _blocks(self):
            found = block.textList()
            hidden = self._hide_points and found is not None and found.format().style() in POINTS
            if hidden and found is not None and not _has_box(block):
                form = found.format()
                form.setStyle(QTextListFormat.Style.ListStyleUndefined)
                found.setFormat(form)
        for frame in self.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format().toTableFormat()
                form.setTopMargin(self.look.gap / 3)
                form.setBottomMargin(self.look.gap)
                form.setCellPadding(self.look.gap / 2)
                form.setBorderBrush(self.look.edge)
                form.setBorderCollapse(True)
                form.setBorder(1)
                frame.setFormat(form)

    def _words(self, before: QTextCharFormat, position: int) -> QTextCharFormat | None:
        heading = self.findBlock(position).blockFormat().headingLevel()
        bold = heading > 0 or before.fontWeight() > QFont.Weight.Medium
        if not (bold or before.fontItalic() or before.fontStrikeOut() or before.fontFixedPitch() or before.isAnchor()):
            return None
        form = QTextCharFormat()
        if bold:
            form.setFontWeight(SEMIBOLD)
        if heading == 1:
            form.setProperty(QTextFormat.Property.FontPixelSize, round(self.look.size * 19 / 15))
        form.setFontItalic(before.fontItalic())
        form.setFontStrikeOut(before.fontStrikeOut())
        if before.fontFixedPitch():
            form.setFontFamilies([QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
            form.setFontFixedPitch(True)
            size = self.look.size * (19 / 15 if heading == 1 else 1)
            form.setProperty(QTextFormat.Property.FontPixelSize, round(size * 0.93))
        if before.isAnchor():
            form.setAnchor(True)
            form.setAnchorHref(before.anchorHref())
            form.setForeground(self.look.link)
            form.setFontUnderline(True)
        return form


def quote_level(block: QTextBlock) -> int:
    """How deep a block stands in quotations."""
    level = block.blockFormat().property(QTextFormat.Property.BlockQuoteLevel)
    return level if isinstance(level, int) else 0


def has_point(block: QTextBlock) -> bool:
    """Whether a block begins with the point of a list, which is painted beside it."""
    found = block.textList()
    return found is not None and found.format().style() == QTextListFormat.Style.ListStyleUndefined


def _has_box(block: QTextBlock) -> bool:
    return block.blockFormat().marker() != QTextBlockFormat.MarkerType.NoMarker


def is_code(block: QTextBlock) -> bool:
    """Whether a block is a line of a program."""
    form = block.blockFormat()
    fence, language = QTextFormat.Property.BlockCodeFence, QTextFormat.Property.BlockCodeLanguage
    return form.hasProperty(fence) or form.hasProperty(language)


def _spaced(line: int) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(line, FIXED)
    return form


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _fragments(document: QTextDocument) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """Position, length and format of each stretch of one format."""
    for block in _blocks(document):
        at = block.begin()
        while not at.atEnd():
            fragment = at.fragment()
            yield fragment.position(), fragment.length(), fragment.charFormat()
            at += 1
