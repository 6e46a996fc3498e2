"""The small shapes that say how things stand. Shape first, colour second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF

from desktop_rater.ui.tokens import tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Mark = Literal["", "todo", "part", "done", "blocked", "warns", "skipped", "open", "supports", "contradicts"]


def draw_mark(painter: QPainter, center: QPointF, mark: Mark, widget: QWidget) -> None:
    """Draw a mark of 14 pixels."""
    if not mark:
        return
    colors = tokens(widget)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ring = QRectF(center.x() - 6, center.y() - 6, 12, 12)
    ink = QColor({"done": colors.ok, "blocked": colors.block, "warns": colors.warn}.get(mark, colors.text2))
    paper = widget.palette().color(QPalette.ColorRole.Base)
    painter.setPen(QPen(ink, 1.4))
    match mark:
        case "todo":
            painter.drawEllipse(ring.adjusted(1, 1, -1, -1))
        case "open":
            painter.setPen(QPen(ink, 1.4, Qt.PenStyle.DotLine))
            painter.drawEllipse(ring.adjusted(1, 1, -1, -1))
        case "part":
            accent = QColor(colors.accent)
            painter.setPen(QPen(accent, 1.4))
            painter.drawEllipse(ring.adjusted(1, 1, -1, -1))
            painter.setBrush(accent)
            painter.drawPie(ring.adjusted(2.5, 2.5, -2.5, -2.5), 90 * 16, -180 * 16)
        case "done":
            _lines(painter, center, (-4.5, 0.5), (-1.5, 3.5), (4.5, -3.5), width=2)
        case "blocked":
            painter.setBrush(ink)
            painter.drawEllipse(ring)
            painter.setPen(QPen(paper, 2))
            painter.drawLine(center + QPointF(0, -3.2), center + QPointF(0, 0.8))
            painter.drawPoint(center + QPointF(0, 3.4))
        case "warns":
            triangle = (QPointF(0, -5.5), QPointF(6, 5), QPointF(-6, 5))
            painter.drawPolygon(QPolygonF([center + point for point in triangle]))
            painter.drawLine(center + QPointF(0, -1.5), center + QPointF(0, 1.5))
            painter.drawPoint(center + QPointF(0, 3.4))
        case "skipped":
            _lines(painter, center, (-4, -4), (1.5, 0), (-4, 4), (-4, -4))
            painter.drawLine(center + QPointF(4, -4), center + QPointF(4, 4))
        case "supports":
            painter.drawEllipse(ring)
            painter.drawLine(center + QPointF(-3, 0), center + QPointF(3, 0))
            painter.drawLine(center + QPointF(0, -3), center + QPointF(0, 3))
        case "contradicts":
            painter.setBrush(ink)
            painter.drawRect(ring.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(QPen(paper, 2))
            painter.drawLine(center + QPointF(-3, 0), center + QPointF(3, 0))
    painter.restore()


def _lines(painter: QPainter, center: QPointF, *points: tuple[float, float], width: float = 1.4) -> None:
    pen = painter.pen()
    pen.setWidthF(width)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([center + QPointF(*point) for point in points]))
