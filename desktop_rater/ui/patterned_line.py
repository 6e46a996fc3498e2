"""The lines under targets, drawn once as a strip and then laid wherever they are needed.

A pattern that is drawn anew under each line of a text costs more than the text itself.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPixmapCache, QPolygonF

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from desktop_rater.ui.response.mark import Mark

# A dash and the gap behind it, in pixels of the design.
DASHES: dict[str, tuple[float, float]] = {"dashes": (6, 3), "dots": (0.01, 4), "dotted": (1, 2)}
STEP, HIGH = 2, 1.2  # of a zigzag: a corner's way on, and its way up or down
PERIODS = 100  # in a strip: so many are a whole number of pixels at any zoom in per cent


def draw_line(painter: QPainter, mark: Mark, start: QPointF, length: float, scale: float) -> None:
    """The line under a target, from its upper left end on: its shape tells the label where colours can't."""
    if mark.line == "none" or length <= 0:
        return
    width = mark.width * scale
    if mark.line == "solid":
        pen = QPen(mark.ink, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        y = start.y() + width / 2
        painter.drawLine(QPointF(start.x(), y), QPointF(start.x() + length, y))
        return
    strip = _strip(mark.line, mark.ink, width, scale, painter.device().devicePixelRatioF())
    top = start.y() - _rise(mark.line, width, scale)
    field = QRectF(start.x(), top, length, strip.deviceIndependentSize().height())
    painter.drawTiledPixmap(field, strip)


def _strip(line: str, ink: QColor, width: float, scale: float, ratio: float) -> QPixmap:
    key = f"line {line} {ink.rgba():x} {width} {scale} {ratio}"
    strip = QPixmap()
    if QPixmapCache.find(key, strip):
        return strip
    zigzag = line == "zigzag"
    period = (2 * STEP if zigzag else sum(DASHES[line])) * scale
    rise = _rise(line, width, scale)
    strip = QPixmap(round(period * PERIODS * ratio), round((2 * rise + ceil(width)) * ratio))
    strip.setDevicePixelRatio(ratio)
    strip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(strip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if zigzag:
        _zigzag(painter, QPen(ink, width), rise + width / 2, scale)
    else:
        _dashes(painter, QPen(ink, width), [size * scale / width for size in DASHES[line]], rise + width / 2)
    painter.end()
    QPixmapCache.insert(key, strip)
    return strip


def _rise(line: str, width: float, scale: float) -> int:
    """The whole pixels of a strip above the top of its line."""
    return ceil(HIGH * scale + width) if line == "zigzag" else ceil(width)


def _zigzag(painter: QPainter, pen: QPen, y: float, scale: float) -> None:
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    step, high = STEP * scale, HIGH * scale
    # One corner more at each end: the strip is cut there, and the next one goes on.
    corners = [QPointF(step * at, y + (high if at % 2 else -high)) for at in range(-1, 2 * PERIODS + 2)]
    painter.drawPolyline(QPolygonF(corners))


def _dashes(painter: QPainter, pen: QPen, pattern: list[float], y: float) -> None:
    dots = pattern[0] < 0.1  # a dash of no length with round ends
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if dots else Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(pattern)
    painter.setPen(pen)
    first = pen.widthF() / 2 if dots else 0.0  # the first dot is whole
    painter.drawLine(QPointF(first, y), QPointF(sum(pattern) * pen.widthF() * PERIODS, y))
