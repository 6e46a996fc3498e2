"""Marks of targets under and beside the text of a response, their painting, and the choice of words by keyboard."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Literal

from msgspec import Struct, structs
from PySide6.QtCore import QPointF, QRectF, Qt, QTextBoundaryFinder
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap, QPixmapCache, QPolygonF, QTextBlock

from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.widgets import shapes
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.text_document import has_bullet, is_code, quote_level
from desktop_rater.ui.widgets.text_view import LinePiece, SightPainter
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import Tokens, UnderlineStyle


class TargetMark(Struct, frozen=True):
    """Look of one target; `span` are positions in the document."""

    span: tuple[int, int]
    number: int
    shape: str
    ink: QColor
    tint: QColor | None
    line: UnderlineStyle
    width: float
    words_ink: QColor | None = None
    blocked: bool = False


class QuietMark(Struct, frozen=True):
    """Mark of a span that is not rated, with a tooltip.

    A sentence missing in the other response (`only`) or differing words; or a value that the tool output has
    (`found`), has otherwise (`differs`) or has not (`absent`).
    """

    span: tuple[int, int]
    look: Literal["only", "differs", "found", "absent"]
    tip: str = ""


def target_mark(state: TargetState | None, span: tuple[int, int], number: int, colors: Tokens) -> TargetMark:
    """Return the look of a target in that state; plain for a label with an unknown tone."""
    return structs.replace(_label_mark(state, span, number, colors), blocked=state is not None and state.blocked)


def _label_mark(state: TargetState | None, span: tuple[int, int], number: int, colors: Tokens) -> TargetMark:
    kind = state.kind if state is not None else "todo"
    shape, ink = shapes.STATES.get(kind, shapes.STATES["done"])
    tone = colors.tones.get(state.tone) if state is not None and kind in ("label", "skipped") else None
    if tone is not None and kind == "label":
        own = state.shape if state is not None and state.shape in shapes.SHAPES else tone.shape
        pale = QColor(tone.ink) if tone.line == "none" else None
        return TargetMark(span, number, own, QColor(tone.ink), QColor(tone.tint), tone.line, tone.width, pale)
    if kind in ("label", "done"):
        own = state.shape if state is not None and state.shape in shapes.SHAPES else shape
        return TargetMark(span, number, own, QColor(colors.text2), None, "solid", 1.0)
    line: UnderlineStyle = "none" if kind == "skipped" else "dotted"
    return TargetMark(span, number, shape, QColor(getattr(colors, ink)), None, line, 1.0)


# A dash and the gap behind it, in pixels of the design.
DASHES: dict[str, tuple[float, float]] = {"dashes": (6, 3), "dots": (0.01, 4), "dotted": (1, 2)}
ZIGZAG_STEP, ZIGZAG_HEIGHT = 2, 1.2  # of a zigzag: half a period, and its amplitude
STRIP_PERIODS = 100  # in a strip: a whole number of pixels at any integer zoom


def target_line(
    painter: QPainter, line: UnderlineStyle, ink: QColor, width: float, scale: float
) -> Callable[[QPointF, float], None] | None:
    """Return what draws the line under a target from an upper left end, at a length; `None` for a target without one.

    The pattern of the line identifies the label where colours can't.
    """
    if line == "none":
        return None
    width *= scale
    if line == "solid":
        pen = QPen(ink, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)

        def draw_solid(start: QPointF, length: float) -> None:
            y = start.y() + width / 2
            painter.setPen(pen)
            painter.drawLine(QPointF(start.x(), y), QPointF(start.x() + length, y))

        return draw_solid
    strip = _strip(line, ink, width, scale, painter.device().devicePixelRatioF())
    rise, height = _rise(line, width, scale), strip.deviceIndependentSize().height()

    def draw_strip(start: QPointF, length: float) -> None:
        painter.drawTiledPixmap(QRectF(start.x(), start.y() - rise, length, height), strip)

    return draw_strip


def _strip(line: str, ink: QColor, width: float, scale: float, ratio: float) -> QPixmap:
    key = f"line {line} {ink.rgba():x} {width} {scale} {ratio}"
    strip = QPixmap()
    if QPixmapCache.find(key, strip):
        return strip
    zigzag = line == "zigzag"
    period = (2 * ZIGZAG_STEP if zigzag else sum(DASHES[line])) * scale
    rise = _rise(line, width, scale)
    strip = QPixmap(round(period * STRIP_PERIODS * ratio), round((2 * rise + ceil(width)) * ratio))
    strip.setDevicePixelRatio(ratio)
    strip.fill(Qt.GlobalColor.transparent)
    with smooth_painter(strip) as painter:
        if zigzag:
            _zigzag(painter, QPen(ink, width), rise + width / 2, scale)
        else:
            _dashes(painter, QPen(ink, width), [size * scale / width for size in DASHES[line]], rise + width / 2)
    QPixmapCache.insert(key, strip)
    return strip


def _rise(line: str, width: float, scale: float) -> int:
    """Return the whole pixels of a strip above the top of its line."""
    return ceil(ZIGZAG_HEIGHT * scale + width) if line == "zigzag" else ceil(width)


def _zigzag(painter: QPainter, pen: QPen, y: float, scale: float) -> None:
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    step, high = ZIGZAG_STEP * scale, ZIGZAG_HEIGHT * scale
    # One extra corner at each end, since the strip is tiled there.
    corners = [QPointF(step * index, y + (high if index % 2 else -high)) for index in range(-1, 2 * STRIP_PERIODS + 2)]
    painter.drawPolyline(QPolygonF(corners))


def _dashes(painter: QPainter, pen: QPen, pattern: list[float], y: float) -> None:
    dots = pattern[0] < 0.1  # a zero-length dash with round caps
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if dots else Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(pattern)
    painter.setPen(pen)
    first = pen.widthF() / 2 if dots else 0.0  # the first dot is whole
    painter.drawLine(QPointF(first, y), QPointF(sum(pattern) * pen.widthF() * STRIP_PERIODS, y))


# In the margin, from the text outwards: the bar, and the shapes next to each other.
TARGET_MARGIN = 60  # beside the text, where the marks are
BAR_WIDTH, BAR_OFFSET, MARGIN_SHAPE_SIZE, FIRST_SHAPE_OFFSET, SHAPE_SPACING, MAX_MARGIN_SHAPES = 4, 8, 16, 22, 15.5, 3


class ResponsePainter(SightPainter):
    """Painter of the marks of a response."""

    def grounds(self, width: float) -> None:
        """Paint the background of code, the bars of quotations, and list bullets."""
        inset, painter = self.look.indent, self.painter
        for block in self.sight.blocks:
            rect, level = self.sight.rect(block), quote_level(block)
            following = block.next()
            tall = max(rect.height(), self.look.line * block.layout().lineCount())
            if is_code(block) and not block.blockFormat().bottomMargin() and following.isValid():
                tall = self.sight.rect(following).top() - rect.top()  # without a gap
            start = self.margin - self.outwards * inset * level
            if is_code(block):
                left = start if self.outwards < 0 else start - width + inset * level
                painter.fillRect(QRectF(left, rect.top(), width - inset * level, tall), QColor(self.colors.hover))
            for step in range(level):
                x = self.margin - self.outwards * (inset * step + 4)
                painter.fillRect(QRectF(x - 1.5, rect.top() + 4, 3, tall), QColor(self.colors.edge))
            if has_bullet(block):
                self._point(block, rect)

    def _point(self, block: QTextBlock, rect: QRectF) -> None:
        """Paint a bullet in the middle of the indent; Qt would draw it too close to the text."""
        line = block.layout().lineAt(0)
        text_start = self.margin - self.outwards * self.look.indent * block.textList().format().indent()
        baseline = rect.top() + line.y() + line.ascent()
        middle = QPointF(text_start + self.outwards * 13 * self.unit, baseline - self.look.size / 3)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colors.text))
        self.painter.drawEllipse(middle, 2.6 * self.unit, 2.6 * self.unit)

    def quiet(self, marks: Sequence[QuietMark]) -> None:
        """Paint quiet marks: a background or none, and an underline that distinguishes the kinds without colour."""
        colors = self.colors
        for mark in marks:
            ink, style, back = {
                "only": (colors.edge, Qt.PenStyle.SolidLine, colors.hover),
                "differs": (colors.accent, Qt.PenStyle.DotLine, colors.info_back),
                "found": (colors.ok, Qt.PenStyle.SolidLine, ""),
                "absent": (colors.text2, Qt.PenStyle.DashLine, ""),
            }[mark.look]
            for piece in self.sight.pieces(*mark.span):
                field = self.field(piece)
                if back:
                    self.painter.fillRect(field, QColor(back))
                self.painter.setPen(QPen(QColor(ink), self.unit, style))
                y = piece.underline(self.look.size) + 0.5
                self.painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))

    def marks(
        self,
        marks: Sequence[TargetMark],
        current: int | None,
        claim: Sequence[tuple[int, int]],
        selected: frozenset[int] = frozenset(),
    ) -> None:
        """Paint all visible targets; the selected ones in a frame, the current one last, over its neighbours."""
        pieces = [(mark, tuple(self.sight.pieces(*mark.span))) for mark in marks]
        here = [(mark, seen) for mark, seen in pieces if seen and mark.number == current]
        for mark, seen in pieces:
            if mark.number != current:
                self._tint(seen, mark)
                if mark.number in selected:
                    self._frame(seen)
        for _mark, seen in here:
            self._box(seen)
            for span in claim:
                for piece in self.sight.pieces(*span):
                    self._underline_claim(piece)
        for mark, seen in pieces:
            if mark.blocked and seen:
                self._flag(seen)
        self._margin([(mark, seen) for mark, seen in pieces if seen], current, selected)

    def _tint(self, seen: Sequence[LinePiece], mark: TargetMark) -> None:
        painter = self.painter
        draw_line = target_line(painter, mark.line, mark.ink, mark.width, self.unit)
        for piece in seen:
            # A narrow gap separates targets without a space between them.
            field = self.field(piece).adjusted(0.75, 0, -0.75, 0)
            if mark.tint is not None:
                paint_box(painter, field, 2, fill=mark.tint)
            if draw_line is not None and field.width() > 0:
                draw_line(QPointF(field.left(), piece.underline(self.look.size)), field.width())

    def _box(self, seen: Sequence[LinePiece]) -> None:
        edge = self.colors.box * max(1.0, self.scale)
        self.painter.setPen(QPen(QColor(self.colors.cur_edge), edge))
        self.painter.setBrush(QColor(self.colors.cur))
        for piece in seen:
            self.painter.drawRoundedRect(self.field(piece).adjusted(-1.25, edge / 2, 1.25, -edge / 2), 2, 2)

    def _frame(self, seen: Sequence[LinePiece]) -> None:
        """Paint the frame of a selected target, whose tint stays visible."""
        self.painter.setPen(QPen(QColor(self.colors.cur_edge), max(1.0, self.scale), Qt.PenStyle.DashLine))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for piece in seen:
            self.painter.drawRoundedRect(self.field(piece).adjusted(-0.5, 0.5, 0.5, -0.5), 2, 2)

    def _flag(self, seen: Sequence[LinePiece]) -> None:
        """Paint a line over a target that a problem blocks, and a corner at its first word; no label has either."""
        painter, ink, unit = self.painter, QColor(self.colors.block), self.unit
        for piece in seen:
            field = self.field(piece).adjusted(0.75, 0, -0.75, 0)
            painter.fillRect(QRectF(field.left(), field.top() - unit, field.width(), 1.5 * unit), ink)
        field, side = self.field(seen[0]), 7 * unit
        start = QPointF(field.right() if self.look.backwards else field.left(), field.top() - unit)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        inwards = QPointF(self.outwards * -side, 0)
        painter.drawPolygon(QPolygonF([start, start + inwards, start + QPointF(0, side)]))

    def _underline_claim(self, piece: LinePiece) -> None:
        field = self.field(piece)
        self.painter.fillRect(
            QRectF(field.left(), field.bottom() - 3.5 * self.unit, field.width(), 3 * self.unit),
            QColor(self.colors.cur_edge),
        )

    def _margin(
        self,
        pieces: Sequence[tuple[TargetMark, Sequence[LinePiece]]],
        current: int | None,
        selected: frozenset[int],
    ) -> None:
        lines: dict[int, list[TargetMark]] = {}
        for mark, seen in pieces:
            if mark.number == current or (mark.number in selected and seen):
                self._bar(seen)
            if seen[0].first:
                lines.setdefault(round(seen[0].baseline), []).append(mark)
        for baseline, marks in lines.items():
            middle = baseline - self.look.size / 3
            visible = marks
            if len(marks) > MAX_MARGIN_SHAPES:
                count, place = self._fitting_count(len(marks))
                visible = _nearest(marks, current, len(marks) - count)
                self._draw_text(f"+{count}", place, middle, QColor(self.colors.text2), bold=False)
            for place, mark in enumerate(reversed(visible)):
                self._draw_sign(mark, place, middle, current=mark.number == current)

    def _fitting_count(self, marks: int) -> tuple[int, float]:
        """Return how many marks of a line only count, so that the count fits into the margin, and its place there."""
        inner = FIRST_SHAPE_OFFSET - MARGIN_SHAPE_SIZE / 2
        self.painter.setFont(self._margin_font(bold=False))
        for shapes_shown in range(MAX_MARGIN_SHAPES - 1, 0, -1):
            width = self.painter.fontMetrics().horizontalAdvance(f"+{marks - shapes_shown}") / self.unit
            edge = inner + shapes_shown * SHAPE_SPACING
            if edge + width <= TARGET_MARGIN - 1:
                break
        return marks - shapes_shown, (edge + width / 2 - FIRST_SHAPE_OFFSET) / SHAPE_SPACING

    def _at(self, place: float, middle: float) -> QPointF:
        return QPointF(self.margin + self.outwards * (FIRST_SHAPE_OFFSET + place * SHAPE_SPACING) * self.unit, middle)

    def _draw_sign(self, mark: TargetMark, place: int, middle: float, *, current: bool) -> None:
        side = MARGIN_SHAPE_SIZE * self.unit
        center = self._at(place, middle)
        field = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
        if current:
            self._draw_text(str(mark.number), place, middle, QColor(self.colors.cur_edge), bold=True)
        else:
            shapes.paint_shape(self.painter, field, mark.shape, mark.ink, QColor(self.colors.surface))
        if mark.blocked:
            shapes.paint_blocked_badge(self.painter, field, QColor(self.colors.block), QColor(self.colors.surface))

    def _margin_font(self, *, bold: bool) -> QFont:
        return font_of(self.painter.font(), pixels=max(12, round(self.look.size * 13 / 15)), bold=bold)

    def _draw_text(self, text: str, place: float, middle: float, ink: QColor, *, bold: bool) -> None:
        self.painter.setFont(self._margin_font(bold=bold))
        self.painter.setPen(ink)
        center = self._at(place, middle)
        field = QRectF(center.x() - 20, center.y() - 10, 40, 20)
        draw_text(self.painter, field, Qt.AlignmentFlag.AlignCenter, text)

    def _bar(self, seen: Sequence[LinePiece]) -> None:
        top, bottom = self.field(seen[0]).top() - 1, self.field(seen[-1]).bottom() + 1
        near, wide = self.margin + self.outwards * BAR_OFFSET * self.unit, BAR_WIDTH * self.unit
        left = near if self.look.backwards else near - wide
        paint_box(self.painter, QRectF(left, top, wide, bottom - top), 2, fill=QColor(self.colors.cur_edge))


def _nearest(marks: list[TargetMark], current: int | None, most: int) -> list[TargetMark]:
    """Return so many marks, the current one among them."""
    here = [mark for mark in marks if mark.number == current]
    rest = [mark for mark in marks if mark.number != current]
    return sorted((*here, *rest[: most - len(here)]), key=lambda mark: mark.number)


WordSpan = tuple[int, int]


class WordChoice(Struct, frozen=True):
    """Choice of words by their spans (UTF-16 units): from `anchor` to `active`, both included."""

    words: tuple[WordSpan, ...]
    anchor: int = 0
    active: int = 0

    @property
    def span(self) -> WordSpan:
        low, high = sorted((self.anchor, self.active))
        return self.words[low][0], self.words[high][1]

    def moved(self, by: int, *, extend: bool) -> "WordChoice":
        """Return the choice moved by `by` words, or with `extend` grown or shrunk by as many."""
        return self.at(self.active + by, extend=extend)

    def at(self, word: int, *, extend: bool) -> "WordChoice":
        """Return the choice at a word, limited to the words there are."""
        active = max(0, min(word, len(self.words) - 1))
        return structs.replace(self, active=active, anchor=self.anchor if extend else active)


def word_spans(text: str) -> tuple[WordSpan, ...]:
    """Return the spans of the words of a text in UTF-16 units, by Unicode word boundaries, without punctuation."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    units = text.encode("utf-16-le", "surrogatepass")
    spans: list[WordSpan] = []
    begin, end = 0, finder.toNextBoundary()
    while end > begin:
        if any(map(str.isalnum, units[2 * begin : 2 * end].decode("utf-16-le", "replace"))):
            spans.append((begin, end))
        begin, end = end, finder.toNextBoundary()
    return tuple(spans)
