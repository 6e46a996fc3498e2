"""A read-only text view, the location of its text on the screen, and the lines under targets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Protocol, TypeVar, cast

from msgspec import Struct
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QImage,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QToolTip, QWidget

from desktop_rater.text.markdown import OBJECT, RenderedMap
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.text.untrusted import MAX_WORD_LENGTH, has_long_word
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import has_right_to_left, is_tall, plain_tooltip, right_to_left, select_range
from desktop_rater.ui.widgets.text_document import MINIMUM, DocumentSource, ReadDocument, Typography
from desktop_rater.ui.widgets.theme_tokens import TYPE, Tokens


class Marked(Protocol):
    """An object with a span in a document."""

    @property
    def span(self) -> tuple[int, int]: ...


M = TypeVar("M", bound=Marked)

# In units of the font size: from the baseline up to the top of a mark, its height, and the offset of its underline.
MARK_RISE, MARK_HEIGHT, UNDERLINE_OFFSET = 16 / 15, 23 / 15, 5.6 / 15
_OBJECT = OBJECT.encode("utf-16-le")
BLANKS = frozenset(" \t\u00a0\u2028\u3000".encode("utf-16-le")[start : start + 2] for start in range(0, 10, 2))


class LinePiece(Struct, frozen=True):
    """The part of a stretch on one line, from `left` to `right`; several per line where the direction changes.

    In document coordinates. `first`: the stretch begins on this line.
    """

    left: float
    right: float
    baseline: float
    first: bool
    rise: float = 0.0  # of an object above the baseline, such as a formula
    drop: float = 0.0  # ... and below it

    def field(self, size: int) -> QRectF:
        """Return the rectangle of a mark, for a font size; around an object it is higher."""
        top = min(-round(MARK_RISE * size), -self.rise - 1 if self.rise else 0)
        bottom = max(round(MARK_HEIGHT * size) - round(MARK_RISE * size), self.drop + size / 3 if self.drop else 0)
        return QRectF(self.left, self.baseline + top, self.right - self.left, bottom - top)

    def underline(self, size: int) -> float:
        """Return the y of the line under a mark."""
        return floor(self.baseline + max(UNDERLINE_OFFSET * size, self.drop + size / 5 if self.drop else 0))


class VisibleText:
    """The visible part of a document between two heights. Nothing else is examined."""

    def __init__(self, document: QTextDocument, top: float, bottom: float) -> None:
        self._layout = document.documentLayout()
        self.top, self.bottom = top, bottom
        self.blocks = tuple(self._visible_blocks(document))
        self._spans = tuple((block, block.position(), block.length() - 1) for block in self.blocks)
        self._measured: dict[int, tuple[bytes, bool, bool, QRectF, QTextLayout]] = {}

    def _visible_blocks(self, document: QTextDocument) -> Iterator[QTextBlock]:
        position = self._layout.hitTest(QPointF(0, max(0.0, self.top)), Qt.HitTestAccuracy.FuzzyHit)
        block = document.findBlock(max(0, position))
        # The cells of a table row are side by side: the row's first cell may come before the one that was hit.
        while block.previous().isValid() and self.rect(block.previous()).bottom() >= self.top:
            block = block.previous()
        while block.isValid() and self.rect(block).top() <= self.bottom:
            yield block
            block = block.next()

    @property
    def span(self) -> tuple[int, int]:
        """The positions of the first and the last visible character."""
        if not self.blocks:
            return 0, 0
        begin, end = self.blocks[0], self.blocks[-1]
        top = begin.layout().lineAt(self._line_at(begin, self.top))
        bottom = end.layout().lineAt(self._line_at(end, self.bottom))
        return begin.position() + top.textStart(), end.position() + bottom.textStart() + bottom.textLength() + 1

    def visible_marks(self, marks: Sequence[M]) -> list[M]:
        first, last = self.span
        return [mark for mark in marks if mark.span[0] < last and mark.span[1] > first]

    def rect(self, block: QTextBlock) -> QRectF:
        return self._layout.blockBoundingRect(block)

    def pieces(self, first: int, last: int) -> Iterator[LinePiece]:
        """Yield the visible pieces of the stretch between two positions."""
        for block, position, length in self._spans:
            if first < position + length and position < last:
                start, end = max(first - position, 0), min(last - position, length)
                yield from self._pieces(block, start, end, begins=start == first - position)

    def _pieces(self, block: QTextBlock, start: int, end: int, *, begins: bool) -> Iterator[LinePiece]:
        units, turning, tall, rect, layout = self._measure(block)
        origin = rect.topLeft()
        if origin.y() >= self.top:
            first_number = layout.lineForTextPosition(start).lineNumber()
        else:
            first_number = self._line_at(block, self.top)
        for number in range(first_number, layout.lineCount()):
            line = layout.lineAt(number)
            if line.textStart() >= end or origin.y() + line.y() > self.bottom:
                return
            left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            while left < right and units[2 * right - 2 : 2 * right] in BLANKS:
                right -= 1
            while left < right and units[2 * left : 2 * left + 2] in BLANKS:
                left += 1
            if left >= right:
                continue
            baseline = round(origin.y() + line.y() + line.ascent())  # rounded like Qt's glyphs: sharp edges
            first = begins and line.textStart() <= start
            has_object = _OBJECT in (units[at : at + 2] for at in range(2 * left, 2 * right, 2)) if tall else False
            reach = (line.ascent(), line.descent()) if has_object else (0.0, 0.0)
            for near, far in _parts(line, left, right) if turning else ((_x(line, left), _x(line, right)),):
                yield LinePiece(origin.x() + near, origin.x() + far, baseline, first, *reach)

    def _line_at(self, block: QTextBlock, height: float) -> int:
        """Return the first line that ends below a height, or the last one; by binary search: there may be thousands."""
        layout, origin = block.layout(), self.rect(block).top()
        low, high = 0, max(layout.lineCount() - 1, 0)
        while low < high:
            middle = (low + high) // 2
            line = layout.lineAt(middle)
            if origin + line.y() + line.height() < height:
                low = middle + 1
            else:
                high = middle
        return low

    def _measure(self, block: QTextBlock) -> tuple[bytes, bool, bool, QRectF, QTextLayout]:
        """Return a block's text in UTF-16, whether part of it runs the other way, may be higher, and where it is."""
        number = block.blockNumber()
        if number not in self._measured:
            text, tall = block.text(), block.blockFormat().lineHeightType() == MINIMUM
            units = text.encode("utf-16-le", "surrogatepass")
            self._measured[number] = units, has_right_to_left(text), tall, self.rect(block), block.layout()
        return self._measured[number]


class SightPainter:
    """Painter of marks in the visible part of a text, whose positions are those of the document.

    `margin`: x of the text on its leading side, in pixels. `scale`: the font size relative to the design's 15 pixels.
    """

    def __init__(
        self, painter: QPainter, sight: VisibleText, look: Typography, colors: Tokens, *, margin: float
    ) -> None:
        self.painter = painter
        self.sight = sight
        self.look = look
        self.colors = colors
        self.scale = look.size / 15
        self.unit = max(1.0, self.scale)
        self.margin = margin
        self.outwards = 1 if look.backwards else -1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def field(self, piece: LinePiece) -> QRectF:
        """Return the rectangle of a mark."""
        return piece.field(self.look.size)


def line_at(document: QTextDocument, position: int) -> QRectF:
    """Return the line of a position, in coordinates of the document, without looking at its glyphs."""
    block = document.findBlock(position)
    rect, layout = document.documentLayout().blockBoundingRect(block), block.layout()
    if not layout.lineCount():
        return rect
    line = layout.lineForTextPosition(position - block.position())
    return QRectF(rect.left(), rect.top() + line.y(), rect.width(), line.height())


def height_at(document: QTextDocument, position: int) -> float:
    """Return the distance from the top of the document to the line of a position."""
    return line_at(document, position).top()


def _x(line: QTextLine, position: int) -> float:
    x, _position = cast("tuple[float, int]", line.cursorToX(position))
    return x


def _parts(line: QTextLine, start: int, stop: int) -> list[tuple[float, float]]:
    """Return left and right of each contiguous part of a stretch."""
    rects = sorted((run.boundingRect() for run in line.glyphRuns(start, stop - start)), key=QRectF.left)
    parts: list[tuple[float, float]] = []
    for rect in rects:
        if parts and rect.left() <= parts[-1][1] + 1:
            parts[-1] = parts[-1][0], max(parts[-1][1], rect.right())
        else:
            parts.append((rect.left(), rect.right()))
    return parts


GAP, INDENT = 12, 20
PREPARED_DOCUMENTS, MAX_PREPARED_LENGTH = 2, 8_000  # the next and the previous task; characters
TALL = TYPE["tall reading"][0] / TYPE["reading"][0], TYPE["tall reading"][1] / TYPE["reading"][1]


class TextView(QTextEdit):
    """A text with space between its lines that follows the direction of its script."""

    KIND = "reading"
    PAINTS_POINTS = False  # whether it paints list bullets itself

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the window shows one
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._text = ""
        self._plain = True
        self._wanted: tuple[tuple[int, int], ...] = ()  # spans that must be visible
        self._known_pictures: Collection[str] = ()  # names of the pictures that are shown
        # Pictures by their addresses, or what is said in their place; `None`: a picture is its words alone.
        self._web_pictures: dict[str, QImage | str] | None = None
        # Of right-to-left text: pixels by which a table is wider than the text, and the document than the view.
        self._table_margin = self._extra_width = 0
        self._across_maximum = 0
        self.horizontalScrollBar().rangeChanged.connect(self._stay_at_start)
        self._read = ReadDocument(self, self.font(), self._type(""), hide_points=self.PAINTS_POINTS)
        self._is_outdated = False  # laid out for another look than the one applied since
        self._prepared: list[ReadDocument] = []  # laid out for texts that may be shown next, the oldest first
        theme.follow(self, self._take_look)

    @property
    def shown_map(self) -> WidgetTextMap | RenderedMap:
        """The map between the shown characters and the text."""
        return self._read.map

    @property
    def hidden(self) -> tuple[tuple[int, str], ...]:
        """Return position and name of each character that can't be seen."""
        return self._read.hidden

    @property
    def is_rendered(self) -> bool:
        return self._read.is_rendered

    @property
    def backwards(self) -> bool:
        return self._read.look.backwards

    def _set_margins(self, near: int, far: int, *, top: int, bottom: int) -> None:
        """Set the margins in pixels: `near` at the start of lines, `far` at their end. Does nothing if unchanged."""
        frame = self._read.rootFrame()
        form = frame.frameFormat()
        taken = self._table_margin - self._extra_width
        left, right = (far - taken, near) if self.backwards else (near, far)
        if (form.leftMargin(), form.rightMargin()) != (left, right):
            form.setLeftMargin(left)
            form.setRightMargin(right)
            form.setTopMargin(top)
            form.setBottomMargin(bottom)
            frame.setFrameFormat(form)

    def show_text(self, text: str, *, plain: bool = True) -> None:
        """Show a text from its start; Markdown, unless it is `plain`."""
        self._text, self._plain, self._is_outdated = text, plain, False
        self._lay_anew()  # with a new document, whose text cursor is at its start
        self.verticalScrollBar().setValue(0)
        self._scroll_across(self.horizontalScrollBar().maximum() if self.backwards else 0)

    def select_source(self, start: int, end: int) -> None:
        """Select a span of the text, given in code points, and scroll to it; do nothing if it is not shown."""
        span = self.shown_map.shown_span(start, end)
        if span is not None:
            self.setTextCursor(select_range(self.textCursor(), span[0], span[1]))
            self.ensureCursorVisible()

    def _take_look(self) -> None:
        """Lay out the text for the applied look: a hidden part of a window when it is next shown."""
        self._own_font = theme.text_font(self.font())
        self.drop_prepared()
        self._is_outdated = bool(self._text) and not self.isVisible() and self.window().isVisible()
        if not self._is_outdated:
            self._lay_anew()

    def showEvent(self, event: QShowEvent) -> None:
        if self._is_outdated:
            self._take_look()
        super().showEvent(event)

    def prepare(self, text: str, *, plain: bool = True, wanted: Sequence[tuple[int, int]] = ()) -> None:
        """Lay out a text that may be shown next.

        Long texts, pictures, and tables of right-to-left text, which widen the view, are left to `show_text`.
        """
        if len(text) > MAX_PREPARED_LENGTH or (not plain and "![" in text):
            return
        source = self._source(text, plain, tuple(wanted), None if self._web_pictures is None else {})
        if any(read.source == source for read in self._prepared) or (source.look.backwards and not plain):
            return
        read = self._empty(source)
        self._fill(read, 0)
        read.rootFrame().setFrameFormat(self._read.rootFrame().frameFormat())
        read.setTextWidth(self.viewport().width())
        read.size()  # shapes the text, the larger part of a layout, and setting the document does not repeat it
        self._prepared.append(read)
        if len(self._prepared) > PREPARED_DOCUMENTS:
            self._prepared.pop(0).deleteLater()

    def drop_prepared(self) -> None:
        """Delete the documents that were prepared for another look, width or task."""
        for read in self._prepared:
            read.deleteLater()
        self._prepared.clear()

    def _source(
        self, text: str, plain: bool, wanted: tuple[tuple[int, int], ...], images: Mapping[str, QImage | str] | None
    ) -> DocumentSource:
        return DocumentSource(text, plain, wanted, self._own_font, self._type(text), self._known_pictures, images)

    def _empty(self, source: DocumentSource) -> ReadDocument:
        read = ReadDocument(self, source.font, source.look, hide_points=self.PAINTS_POINTS)
        read.source = source
        return read

    @staticmethod
    def _fill(read: ReadDocument, widest: float) -> None:
        assert read.source is not None
        text, plain, wanted, _font, _look, known, images = read.source
        read.fill(text, plain=plain, wanted=wanted, known_pictures=known, images=images, widest=widest)

    def _lay_anew(self) -> None:
        previous, source = self._read, self._source(self._text, self._plain, self._wanted, self._web_pictures)
        form = previous.rootFrame().frameFormat()
        widest = self.viewport().width() - form.leftMargin() - form.rightMargin() - self._table_margin
        widest += self._extra_width
        prepared = next((read for read in self._prepared if read.source == source), None)
        if prepared is not None:
            self._prepared.remove(prepared)
        self._read = prepared or self._empty(source)
        self._table_margin = 0
        self._widen(0)
        if prepared is None:
            self._fill(self._read, widest)
        self._frame()
        self._fit_tables()
        self._show_document(self._read)
        previous.deleteLater()

    def _show_document(self, read: ReadDocument) -> None:
        """Show a document. The wrap mode is set while the cheaper document is shown: see `weight`."""
        usual, anywhere = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere
        # A run of boxes is one long word.
        breaks = has_long_word(self._text) or len(self.hidden) > MAX_WORD_LENGTH
        if breaks:
            self.setWordWrapMode(anywhere)
        self.setExtraSelections([])  # their cursors are of the previous document, and would outlive it
        self.setDocument(read)
        read.lay_out_in_steps()
        if not breaks and self.wordWrapMode() == anywhere:
            self.setWordWrapMode(usual)

    def changeEvent(self, event: QEvent) -> None:
        """Restore the document's own font: Qt applies the widget's font to it whenever that changes, and scrolls."""
        down = self.verticalScrollBar().value()
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            document, self._own_font = self.document(), theme.text_font(self.font())
            if isinstance(document, ReadDocument):
                document.setDefaultFont(document.own_font)
                self.verticalScrollBar().setValue(down)

    def _frame(self) -> None:
        """Hook: set the margins of the document before it is shown."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        if any(read.textWidth() != self.viewport().width() for read in self._prepared):
            self.drop_prepared()
        self._fit_tables()
        super().resizeEvent(event)

    def _fit_tables(self) -> None:
        """Give the tables the width of the text, and what they need beyond it.

        Tables of right-to-left text grow to the left, where Qt scrolls no further than 0: the document becomes wider,
        and its paragraphs stay as wide as the view shows them.
        """
        if self._read.table_columns is None:
            return
        form = self._read.rootFrame().frameFormat()
        taken = self._table_margin - self._extra_width  # of the margin after the text
        width = self.viewport().width() - form.leftMargin() - form.rightMargin() - taken
        far = form.leftMargin() + taken if self.backwards else form.rightMargin()
        beyond = max(0.0, far - theme.px(GAP))
        if not self.backwards:
            self._read.table_columns.fit(width, beyond)
            return
        self._table_margin = ceil(self._read.table_columns.fit(width, backwards=True))
        self._widen(max(0, self._table_margin - int(beyond)))
        left = far - self._table_margin + self._extra_width
        if left != form.leftMargin():
            form.setLeftMargin(left)
            self._read.rootFrame().setFrameFormat(form)
        self._read.indent_text(self._table_margin)

    def _widen(self, extra: int) -> None:
        """Make the document wider than the view."""
        self._extra_width = extra
        usual, wide = QTextEdit.LineWrapMode.WidgetWidth, QTextEdit.LineWrapMode.FixedPixelWidth
        if extra:
            self.setLineWrapColumnOrWidth(self.viewport().width() + extra)
        if self.lineWrapMode() != (wide if extra else usual):
            self.setLineWrapMode(wide if extra else usual)

    def _scroll_across(self, x: int) -> None:
        """Scroll the text to the left, by pixels of the document."""
        across = self.horizontalScrollBar()
        across.setValue(across.maximum() - x if self.isRightToLeft() else x)

    def _stay_at_start(self, _least: int, most: int) -> None:
        """Keep the start of lines in view, if it was, when the width of the text or of the view changes."""
        across = self.horizontalScrollBar()
        starts_at_maximum = self.backwards != self.isRightToLeft()
        if starts_at_maximum and across.value() >= self._across_maximum:
            across.setValue(most)
        self._across_maximum = most

    @property
    def scrolled(self) -> QPoint:
        """Return by how much the text is scrolled, to the left and up."""
        across = self.horizontalScrollBar()
        x = across.maximum() - across.value() if self.isRightToLeft() else across.value()
        return QPoint(x, self.verticalScrollBar().value())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text, with formulas as their source."""
        cursor, data = self.textCursor(), QMimeData()
        data.setText(self._read.selected_text(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tooltip(self._tip(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, point: QPoint) -> str:
        """Return the tooltip at a point: the source of a formula, or the address of a link."""
        position = self.cursorForPosition(point).position()
        near = (at for at in (position, position - 1) if at >= 0 and self._covers(at, point))
        return next(filter(None, map(self._read.source_of_object, near)), "") or self.anchorAt(point)

    def _covers(self, position: int, point: QPoint) -> bool:
        """Return whether a character is painted at a point of the viewport."""
        cursor = QTextCursor(self._read)
        cursor.setPosition(position)
        near = self.cursorRect(cursor).center().x()
        cursor.setPosition(position + 1)
        left, right = sorted((near, self.cursorRect(cursor).center().x()))
        return left <= point.x() <= right

    def _type(self, text: str) -> Typography:
        size, line = map(float, TYPE[self.KIND])
        backwards = right_to_left(text)
        if is_tall(text):
            size, line = size * TALL[0], line * TALL[1]
        px = theme.reading_px if self.KIND == "reading" else theme.px
        colors = [theme.color(self, name) for name in ("accent", "edge", "text2", "warn")]
        ink = theme.color(self, "text")
        code = {kind: QColor(color) for kind, color in theme.code_inks(theme.tokens(self)).items()}
        return Typography(px(size), px(line), px(GAP), px(INDENT), *colors, backwards, ink, code)


class FittedTextView(TextView):
    """A text as high as its content, up to a number of lines; then it scrolls."""

    KIND = "prompt"

    def __init__(self, name: str, most_lines: int, parent: QWidget | None = None) -> None:
        self.most_lines = most_lines
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _lay_anew(self) -> None:
        super()._lay_anew()
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        most = self.most_lines * self._read.look.line + 4
        across = self.horizontalScrollBar()
        bar = across.sizeHint().height() if across.maximum() > 0 else 0
        return QSize(200, min(int(self.document().size().height()) + 2 + bar, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), self._read.look.line + 4))


def small_fixed_font() -> QFont:
    """Return the font for program output beside other text, at the zoom of the window."""
    font = theme.fixed_font()
    font.setPixelSize(theme.px(TYPE["small"][0]))
    return font
