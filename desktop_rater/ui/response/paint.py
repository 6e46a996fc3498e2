"""What is painted under and beside the text of a response: tints, lines, the box of the current target, the margin.

Everything comes from where the lines of text lie; no character changes its format, so nothing moves.
"""

from __future__ import annotations

from bisect import bisect_left
from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from desktop_rater.ui import shapes
from desktop_rater.ui.patterned_line import draw_line
from desktop_rater.ui.read_document import has_point, is_code, quote_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextBlock

    from desktop_rater.ui.read_document import Type
    from desktop_rater.ui.response.mark import Mark, QuietMark
    from desktop_rater.ui.text_lines import Piece, Sight
    from desktop_rater.ui.theme_tokens import Tokens

MOST_FLAGS = 500
# Of the size of the letters: from the baseline up to where a mark begins, its height, and where its line runs.
UP, HEIGHT, LINE_AT = 16 / 15, 23 / 15, 5.6 / 15
# In the margin, from the text outwards: the bar, and the shapes beside each other.
BAR, BAR_AT, SHAPE, FIRST_SHAPE, NEXT_SHAPE, MOST_SHAPES = 4, 8, 16, 22, 15.5, 3


class Brush:
    """Paints one picture of what is in sight. `scale` is the size of the letters against the design's 15 pixels."""

    def __init__(self, painter: QPainter, sight: Sight, look: Type, colors: Tokens, *, margin: float) -> None:
        self.painter = painter
        self.sight = sight
        self.look = look
        self.colors = colors
        self.scale = look.size / 15
        self.margin = margin  # where the text begins on its reading side
        self.outwards = 1 if look.backwards else -1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def grounds(self, width: float) -> None:
        """What lies under programs, the bar beside quotations, and the points of lists."""
        inset, painter = self.look.indent, self.painter
        for block in self.sight.blocks:
            rect, level = self.sight.rect(block), quote_level(block)
            tall = max(rect.height(), self.look.line)
            start = self.margin - self.outwards * inset * level
            if is_code(block):
                left = start if self.outwards < 0 else start - width + inset * level
                painter.fillRect(QRectF(left, rect.top(), width - inset * level, tall), QColor(self.colors.hover))
            for step in range(level):
                at = self.margin - self.outwards * (inset * step + 4)
                painter.fillRect(QRectF(at - 1.5, rect.top() + 4, 3, tall), QColor(self.colors.edge))
            if has_point(block):
                self._point(block, rect)

    def _point(self, block: QTextBlock, rect: QRectF) -> None:
        """In the middle of the indent: where Qt would draw it, it sticks to the words."""
        line = block.layout().lineAt(0)
        words = self.margin - self.outwards * self.look.indent * block.textList().format().indent()
        baseline = rect.top() + line.y() + line.ascent()
        middle = QPointF(words + self.outwards * 13 * self._step, baseline - self.look.size / 3)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colors.text))
        self.painter.drawEllipse(middle, 2.6 * self._step, 2.6 * self._step)

    def quiet(self, marks: Sequence[QuietMark]) -> None:
        """What is pointed out: a ground, and a line that tells the two kinds apart without it."""
        colors = self.colors
        for mark in marks:
            alone = mark.look == "only"
            ink, style = (colors.edge, Qt.PenStyle.SolidLine) if alone else (colors.accent, Qt.PenStyle.DotLine)
            for piece in self.sight.pieces(*mark.span):
                field = self._field(piece)
                self.painter.fillRect(field, QColor(colors.hover if alone else colors.info_back))
                self.painter.setPen(QPen(QColor(ink), self._step, style))
                y = floor(piece.baseline + LINE_AT * self.look.size) + 0.5
                self.painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))

    def marks(self, marks: Sequence[Mark], current: int | None, claim: tuple[int, int] | None) -> None:
        """All targets in sight; the one at hand last, over its neighbours."""
        found = [(mark, tuple(self.sight.pieces(*mark.span))) for mark in marks]
        here = [(mark, seen) for mark, seen in found if seen and mark.number == current]
        for mark, seen in found:
            if mark.number != current:
                for piece in seen:
                    self._tint(piece, mark)
        for _mark, seen in here:
            self._box(seen)
            if claim is not None:
                for piece in self.sight.pieces(*claim):
                    self._underline_claim(piece)
        self._margin([(mark, seen) for mark, seen in found if seen], current)

    def _field(self, piece: Piece) -> QRectF:
        size = self.look.size
        return QRectF(piece.left, piece.baseline - round(UP * size), piece.right - piece.left, round(HEIGHT * size))

    def _tint(self, piece: Piece, mark: Mark) -> None:
        # Where no blank parts two targets, a narrow gap does.
        field = self._field(piece).adjusted(0.75, 0, -0.75, 0)
        if mark.tint is not None:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(mark.tint)
            self.painter.drawRoundedRect(field, 2, 2)
        y = floor(piece.baseline + LINE_AT * self.look.size)
        draw_line(self.painter, mark, QPointF(field.left(), y), field.width(), self._step)

    def _box(self, seen: Sequence[Piece]) -> None:
        edge = self.colors.box * max(1.0, self.scale)
        self.painter.setPen(QPen(QColor(self.colors.cur_edge), edge))
        self.painter.setBrush(QColor(self.colors.cur))
        for piece in seen:
            self.painter.drawRoundedRect(self._field(piece).adjusted(-1.25, edge / 2, 1.25, -edge / 2), 2, 2)

    def _underline_claim(self, piece: Piece) -> None:
        field = self._field(piece)
        self.painter.fillRect(
            QRectF(field.left(), field.bottom() - 3.5 * self._step, field.width(), 3 * self._step),
            QColor(self.colors.cur_edge),
        )

    def _margin(self, found: Sequence[tuple[Mark, Sequence[Piece]]], current: int | None) -> None:
        lines: dict[int, list[Mark]] = {}
        for mark, seen in found:
            if mark.number == current:
                self._bar(seen)
            if seen[0].first:
                lines.setdefault(round(seen[0].baseline), []).append(mark)
        for baseline, marks in lines.items():
            middle = baseline - self.look.size / 3
            shown = marks if len(marks) <= MOST_SHAPES else _nearest(marks, current)
            for place, mark in enumerate(reversed(shown)):
                self._sign(mark, place, middle, current=mark.number == current)
            if len(marks) > len(shown):
                self._words(f"+{len(marks) - len(shown)}", len(shown), middle, QColor(self.colors.text2), bold=False)

    def _at(self, place: int, middle: float) -> QPointF:
        return QPointF(self.margin + self.outwards * (FIRST_SHAPE + place * NEXT_SHAPE) * self._step, middle)

    @property
    def _step(self) -> float:
        return max(1.0, self.scale)

    def _sign(self, mark: Mark, place: int, middle: float, *, current: bool) -> None:
        if current:
            self._words(str(mark.number), place, middle, QColor(self.colors.cur_edge), bold=True)
            return
        side = SHAPE * self._step
        center = self._at(place, middle)
        field = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
        shapes.paint(self.painter, field, mark.shape, mark.ink, QColor(self.colors.surface))

    def _words(self, words: str, place: int, middle: float, ink: QColor, *, bold: bool) -> None:
        font = QFont(self.painter.font())
        font.setPixelSize(max(12, round(self.look.size * 13 / 15)))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        self.painter.setFont(font)
        self.painter.setPen(ink)
        center = self._at(place, middle)
        field = QRectF(center.x() - 20, center.y() - 10, 40, 20)
        self.painter.drawText(field, Qt.AlignmentFlag.AlignCenter, words)

    def _bar(self, seen: Sequence[Piece]) -> None:
        top, bottom = self._field(seen[0]).top() - 1, self._field(seen[-1]).bottom() + 1
        near, wide = self.margin + self.outwards * BAR_AT * self._step, BAR * self._step
        left = near if self.look.backwards else near - wide
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colors.cur_edge))
        self.painter.drawRoundedRect(QRectF(left, top, wide, bottom - top), 2, 2)

    def flags(self, hidden: Sequence[tuple[int, str]]) -> None:
        """A flag where a character stands that can't be seen. Thousands of them in sight stand on each other."""
        first, last = self.sight.span
        at = bisect_left(hidden, (first, ""))
        for position, _name in hidden[at : at + MOST_FLAGS]:
            if position >= last:
                break
            self._flag(position)

    def _flag(self, position: int) -> None:
        piece = self.sight.caret(position)
        if piece is None:
            return
        x, top, ink = piece.left, piece.baseline - UP * self.look.size, QColor(self.colors.warn)
        self.painter.setPen(QPen(ink, 1))
        self.painter.drawLine(QPointF(x, top + 2), QPointF(x, piece.baseline + 3))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(ink)
        self.painter.drawPolygon(QPolygonF([QPointF(x - 3.5, top - 2), QPointF(x + 3.5, top - 2), QPointF(x, top + 3)]))


def _nearest(marks: list[Mark], current: int | None) -> list[Mark]:
    """Where there is no room for all: two of them, and the one at hand is among them."""
    here = [mark for mark in marks if mark.number == current]
    rest = [mark for mark in marks if mark.number != current]
    return sorted((*here, *rest[: MOST_SHAPES - 1 - len(here)]), key=lambda mark: mark.number)
