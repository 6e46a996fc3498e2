"""Paints a picture of the report in the colours of the window."""

from __future__ import annotations

from functools import singledispatchmethod
from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPen

from desktop_rater.audit.charts.shapes import (
    PIXELS,
    Dot,
    Ink,
    Line,
    Picture,
    Rect,
    Shape,
    Sign,
    Size,
    Text,
    clear_of,
)
from desktop_rater.ui import shapes, theme
from desktop_rater.ui.plain import text_direction

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

ALIGNED = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "middle": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}
ROOM = 4_000  # more than any text of a picture needs


def font(widget: QWidget, size: Size, *, bold: bool) -> QFont:
    """The font of a text in a picture, at 100 %: the painter is scaled."""
    found = QFont(widget.font())
    found.setPixelSize(PIXELS[size])
    found.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return found


class Widths:
    """How wide texts are in the fonts of a widget: what a picture is laid out by."""

    def __init__(self, widget: QWidget) -> None:
        self._metrics = {
            (size, bold): QFontMetricsF(font(widget, size, bold=bold)) for size in PIXELS for bold in (False, True)
        }

    def __call__(self, words: str, size: Size, bold: bool) -> float:
        return self._metrics[size, bold].horizontalAdvance(words)


class Brushwork:
    """Paints shapes one after the other. In high contrast all grounds are the surface: edges and figures stay."""

    def __init__(self, painter: QPainter, widget: QWidget) -> None:
        self._painter = painter
        self._widget = widget
        self._colors = theme.tokens(widget)
        self._scale = painter.transform().m11() * widget.devicePixelRatioF()

    def paint(self, picture: Picture) -> None:
        for shape in picture.shapes:
            self._shape(shape)

    def color(self, ink: Ink) -> QColor:
        if ink.name in {"ink", "tint"}:
            tone = self._colors.tones.get(ink.tone)
            if tone is None:
                return QColor(self._colors.text2 if ink.name == "ink" else self._colors.surface)
            return QColor(tone.ink if ink.name == "ink" else tone.tint)
        color = QColor(getattr(self._colors, ink.name))
        if ink.strength < 1:
            color.setAlphaF(0 if self._colors.high else ink.strength)
        return color

    def _sharp(self, at: float, width: float) -> float:
        """The nearest place where a line of that width fills whole pixels of the screen."""
        odd = round(width * self._scale) % 2
        return (floor(at * self._scale) + 0.5 if odd else round(at * self._scale)) / self._scale

    @singledispatchmethod
    def _shape(self, shape: Shape) -> None:
        raise NotImplementedError(type(shape))

    @_shape.register
    def _rect(self, shape: Rect) -> None:
        width = shape.edge_width if shape.edge is not None else 0
        self._painter.setPen(QPen(self.color(shape.edge), width) if shape.edge is not None else Qt.PenStyle.NoPen)
        self._painter.setBrush(self.color(shape.fill) if shape.fill is not None else Qt.BrushStyle.NoBrush)
        left, top = self._sharp(shape.x + width / 2, width), self._sharp(shape.y + width / 2, width)
        right = self._sharp(shape.x + shape.width - width / 2, width)
        box = QRectF(QPointF(left, top), QPointF(right, self._sharp(shape.y + shape.height - width / 2, width)))
        self._painter.drawRoundedRect(box, shape.radius, shape.radius)

    @_shape.register
    def _line(self, shape: Line) -> None:
        pen = QPen(self.color(shape.ink), shape.width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if shape.dashed:
            pen.setDashPattern([3, 2])
        elif shape.ink.name == "line" and self._colors.high:  # there it has the colour of what is measured
            pen.setDashPattern([1, 4])
        self._painter.setPen(pen)
        start, end = QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2)
        if shape.x1 == shape.x2:
            start.setX(self._sharp(shape.x1, shape.width))
            end.setX(start.x())
        if shape.y1 == shape.y2:
            start.setY(self._sharp(shape.y1, shape.width))
            end.setY(start.y())
        self._painter.drawLine(start, end)

    @_shape.register
    def _dot(self, shape: Dot) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self.color(shape.ink))
        self._painter.drawEllipse(QPointF(shape.x, shape.y), shape.radius, shape.radius)

    @_shape.register
    def _text(self, shape: Text) -> None:
        under = clear_of(shape)
        if under is not None:
            self._rect(under)
        self._painter.setFont(font(self._widget, shape.size, bold=shape.bold))
        self._painter.setPen(self.color(shape.ink))
        self._painter.setLayoutDirection(text_direction(shape.words, Qt.LayoutDirection.LeftToRight))
        left = {"left": shape.x, "middle": shape.x - ROOM / 2, "right": shape.x - ROOM}[shape.align]
        box = QRectF(left, shape.y - 12, ROOM, 24)
        flags = ALIGNED[shape.align] | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
        self._painter.drawText(box, flags | Qt.TextFlag.TextSingleLine, shape.words)

    @_shape.register
    def _sign(self, shape: Sign) -> None:
        half = shape.size / 2
        box = QRectF(shape.x - half, shape.y - half, shape.size, shape.size)
        shapes.paint(self._painter, box, shape.shape, self.color(shape.ink), QColor(self._colors.surface))
