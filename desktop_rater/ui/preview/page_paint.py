"""What is painted under the text of a page: the passage that is chosen, the words of the claim, where they meet.

Everything comes from where the lines of text lie; no character changes its format, so nothing moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_rater.ui import shapes
from desktop_rater.ui.response.paint import HEIGHT, UP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.ui.read_document import Type
    from desktop_rater.ui.text_lines import Piece, Sight
    from desktop_rater.ui.theme_tokens import Tokens

Span = tuple[int, int]
BAR, BAR_AT, SHAPE, SHAPE_AT = 3, 6, 13, 18


class PageBrush:
    """Paints one picture of what is in sight. Spans are positions of the document."""

    def __init__(self, painter: QPainter, sight: Sight, look: Type, colors: Tokens, *, margin: float) -> None:
        self.painter = painter
        self.sight = sight
        self.look = look
        self.colors = colors
        self.margin = margin  # where the text begins on its reading side
        self.outwards = 1 if look.backwards else -1
        self._step = max(1.0, look.size / 15)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def words(self, spans: Iterable[Span]) -> None:
        """The words of the claim: a tint like that of the claim itself, in high contrast a dotted line."""
        for span in self._seen(spans):
            for piece in self.sight.pieces(*span):
                field = self._field(piece)
                if self.colors.high:
                    pen = QPen(QColor(self.colors.cur_edge), 2 * self._step, Qt.PenStyle.DotLine)
                    self.painter.setPen(pen)
                    self.painter.drawLine(field.bottomLeft(), field.bottomRight())
                else:
                    self.painter.setPen(Qt.PenStyle.NoPen)
                    self.painter.setBrush(QColor(self.colors.sel))
                    self.painter.drawRoundedRect(field.adjusted(-1, 0, 1, 0), 2, 2)

    def chosen(self, first: int, last: int) -> None:
        """The passage that is chosen: from line to line without a gap."""
        line, size = self.look.line, self.look.size
        self.painter.setPen(Qt.PenStyle.NoPen)
        # Under the letters stands a third of what a line has more than they are high.
        below = round((line - size) / 2 + size * 0.1)
        for piece in self.sight.pieces(first, last):
            field = QRectF(piece.left, piece.baseline + below - line, piece.right - piece.left, line)
            self.painter.fillRect(field, QColor(self.colors.pick))

    def link(self, first: int, last: int) -> None:
        """The link that the keys are on."""
        self.painter.setPen(QPen(QColor(self.colors.accent), 2))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for piece in self.sight.pieces(first, last):
            self.painter.drawRoundedRect(self._field(piece).adjusted(-2, 0, 2, 0), 3, 3)

    def passage(self, first: int, last: int) -> None:
        """A bar beside the passage that has most of the claim's words."""
        pieces = tuple(self.sight.pieces(first, last))
        if not pieces:
            return
        top, bottom = self._field(pieces[0]).top(), self._field(pieces[-1]).bottom()
        near, wide = self.margin + self.outwards * BAR_AT * self._step, BAR * self._step
        left = near if self.look.backwards else near - wide
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colors.cur_edge))
        self.painter.drawRoundedRect(QRectF(left, top, wide, bottom - top), 1.5, 1.5)

    def taken(self, first: int, last: int, shape: str) -> None:
        """A passage that is evidence here already: its stance in the margin, and a line under it."""
        pieces = tuple(self.sight.pieces(first, last))
        ink = QColor(self.colors.text2)
        for piece in pieces:
            field = self._field(piece)
            self.painter.setPen(QPen(ink, self._step))
            self.painter.drawLine(field.bottomLeft(), field.bottomRight())
        if pieces and pieces[0].first:
            side = SHAPE * self._step
            center = QPointF(
                self.margin + self.outwards * SHAPE_AT * self._step, pieces[0].baseline - self.look.size / 3
            )
            field = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
            shapes.paint(self.painter, field, shape, ink, QColor(self.colors.surface))

    def _seen(self, spans: Iterable[Span]) -> Iterable[Span]:
        first, last = self.sight.span
        return (span for span in spans if span[0] < last and span[1] > first)

    def _field(self, piece: Piece) -> QRectF:
        size = self.look.size
        return QRectF(piece.left, piece.baseline - round(UP * size), piece.right - piece.left, round(HEIGHT * size))
