"""What is painted under words that cite and under passages that are cited: tints and lines that move nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_rater.ui import theme
from desktop_rater.ui.response.paint import HEIGHT, UP
from desktop_rater.ui.text_lines import Sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QTextEdit

    from desktop_rater.ui.read_document import ReadDocument, Type
    from desktop_rater.ui.text_lines import Piece

Span = tuple[int, int]
MOST_PAINTED = 500


def paint_marks(view: QTextEdit, document: ReadDocument, spans: Sequence[Span], current: Span | None) -> None:
    """Mark stretches of the text that a view shows, as far as they are in sight; the one at hand in a box."""
    look = document.look
    painter = QPainter(view.viewport())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scroll, height = view.verticalScrollBar().value(), view.viewport().height()
    painter.translate(0, -scroll)
    sight = Sight(document, scroll - look.line, scroll + height + look.line)
    first, last = sight.span
    seen = [span for span in spans if span[0] < last and span[1] > first][:MOST_PAINTED]
    for span in seen:
        if span != current:
            for piece in sight.pieces(*span):
                _tint(painter, _field(piece, look))
    if current is not None:
        for piece in sight.pieces(*current):
            _box(painter, _field(piece, look), look)
    painter.end()


def _field(piece: Piece, look: Type) -> QRectF:
    size = look.size
    return QRectF(piece.left, piece.baseline - round(UP * size), piece.right - piece.left, round(HEIGHT * size))


def _tint(painter: QPainter, field: QRectF) -> None:
    colors = theme.tokens()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.sel))
    painter.drawRoundedRect(field.adjusted(-1, 1, 1, -1), 2, 2)
    painter.setPen(QPen(QColor(colors.accent), 1, Qt.PenStyle.DotLine))
    painter.drawLine(field.bottomLeft(), field.bottomRight())


def _box(painter: QPainter, field: QRectF, look: Type) -> None:
    colors = theme.tokens()
    edge = colors.box * max(1.0, look.size / 15)
    painter.setPen(QPen(QColor(colors.cur_edge), edge))
    painter.setBrush(QColor(colors.cur))
    painter.drawRoundedRect(field.adjusted(-1.25, edge / 2, 1.25, -edge / 2), 2, 2)
