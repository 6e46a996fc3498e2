"""The small shapes that say how things stand. Shape first, then the word, then the colour.

Each is drawn on a field of 16 by 16 with its middle at nought, and scaled to where it is wanted. `color` is its ink,
`ground` what it stands on: a sign inside a filled shape is drawn in the ground's colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    Draw = Callable[[QPainter, QColor, QColor], None]

FIELD = 16
RING = QRectF(-5.5, -5.5, 11, 11)
FULL = QRectF(-6, -6, 12, 12)
Points = tuple[tuple[float, float], ...]


def paint(painter: QPainter, rect: QRectF, shape: str, color: QColor, ground: QColor) -> None:
    """Paint the shape of that name, or of that state, in the middle of `rect`, as large as fits.

    A name that is in neither table paints nothing: a rubric may be newer than the program.
    """
    draw = SHAPES.get(STATES[shape][0] if shape in STATES else shape)
    if draw is None:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    scale = min(rect.width(), rect.height()) / FIELD
    painter.scale(scale, scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _pen(painter, color, 1.3)
    draw(painter, color, ground)
    painter.restore()


def _pen(painter: QPainter, color: QColor, width: float) -> None:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)


def _lines(painter: QPainter, points: Points) -> None:
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


def _fill(painter: QPainter, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)


def _question(painter: QPainter, color: QColor) -> None:
    _pen(painter, color, 1.4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    hook = QPainterPath(QPointF(-1.7, -1.6))
    hook.cubicTo(-1.7, -4.2, 1.9, -4.0, 1.7, -1.6)
    hook.cubicTo(1.6, -0.2, 0, -0.2, 0, 1.1)
    painter.drawPath(hook)
    painter.drawPoint(QPointF(0, 3.2))


def _exclamation(painter: QPainter, color: QColor, top: float = -3.2) -> None:
    _pen(painter, color, 1.7)
    painter.drawLine(QPointF(0, top), QPointF(0, top + 3.6))
    painter.drawPoint(QPointF(0, top + 6.3))


def _circle_tick(painter: QPainter, color: QColor, ground: QColor) -> None:
    _fill(painter, color)
    painter.drawEllipse(FULL)
    _pen(painter, ground, 1.6)
    _lines(painter, ((-2.8, 0.2), (-0.9, 2.1), (2.8, -2)))


def _square_cross(painter: QPainter, color: QColor, ground: QColor) -> None:
    _fill(painter, color)
    painter.drawRoundedRect(RING, 1, 1)
    _pen(painter, ground, 1.6)
    _lines(painter, ((-2.2, -2.2), (2.2, 2.2)))
    _lines(painter, ((-2.2, 2.2), (2.2, -2.2)))


def _diamond_question(painter: QPainter, color: QColor, ground: QColor) -> None:
    _pen(painter, color, 1)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(0, -6.8), QPointF(6.8, 0), QPointF(0, 6.8), QPointF(-6.8, 0)]))
    _question(painter, ground)


def _half_circle(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(RING)
    _fill(painter, color)
    painter.drawPie(RING, 90 * 16, 180 * 16)


def _ring(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(QRectF(-5, -5, 10, 10))


def _ring_bar(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(RING)
    _lines(painter, ((-2.8, 0), (2.8, 0)))


def _dashed_ring(painter: QPainter, color: QColor, _ground: QColor) -> None:
    pen = QPen(color, 1.3)
    pen.setDashPattern([1.7, 1.62])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawEllipse(RING)


def _bar_triangle(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(-4.2, -4.2), QPointF(1.4, 0), QPointF(-4.2, 4.2)]))
    _lines(painter, ((4.4, -4.2), (4.4, 4.2)))


def _ring_plus(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(FULL)
    _pen(painter, color, 1.5)
    _lines(painter, ((-3, 0), (3, 0)))
    _lines(painter, ((0, -3), (0, 3)))


def _square_minus(painter: QPainter, color: QColor, ground: QColor) -> None:
    _fill(painter, color)
    painter.drawRoundedRect(FULL, 1, 1)
    _pen(painter, ground, 1.8)
    _lines(painter, ((-3, 0), (3, 0)))


def _tick(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _pen(painter, color, 1.7)
    _lines(painter, ((-4.6, 0.2), (-1.4, 3.4), (4.6, -3.2)))


def _double_tick(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _pen(painter, color, 1.6)
    _lines(painter, ((-6.8, 0.4), (-4.2, 3), (0.6, -2.6)))
    _lines(painter, ((-0.2, 2.4), (0.6, 3.1), (6.4, -3.4)))


def _pie(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(RING)
    _fill(painter, color)
    painter.drawPie(QRectF(-3.6, -3.6, 7.2, 7.2), 90 * 16, -225 * 16)


def _circle_exclamation(painter: QPainter, color: QColor, ground: QColor) -> None:
    _fill(painter, color)
    painter.drawEllipse(FULL)
    _exclamation(painter, ground)


def _triangle_exclamation(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(0, -5.8), QPointF(6.2, 5), QPointF(-6.2, 5)]))
    _pen(painter, color, 1.4)
    _lines(painter, ((0, -1.8), (0, 1)))
    painter.drawPoint(QPointF(0, 3.1))


def _arrow_back(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _pen(painter, color, 1.5)
    _lines(painter, ((-1.6, -5), (-4.8, -1.8), (-1.6, 1.4)))
    hook = QPainterPath(QPointF(-4.6, -1.8))
    hook.lineTo(1.2, -1.8)
    hook.cubicTo(5.6, -1.8, 5.6, 4.6, 1.2, 4.6)
    painter.drawPath(hook)


def _ring_cross(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(RING)
    _pen(painter, color, 1.4)
    _lines(painter, ((-2, -2), (2, 2)))
    _lines(painter, ((-2, 2), (2, -2)))


def _cross(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _pen(painter, color, 1.7)
    _lines(painter, ((-3.6, -3.6), (3.6, 3.6)))
    _lines(painter, ((-3.6, 3.6), (3.6, -3.6)))


def _dash(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    _lines(painter, ((-3, 0), (3, 0)))


def _circle(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _fill(painter, color)
    painter.drawEllipse(RING)


def _square(painter: QPainter, color: QColor, _ground: QColor) -> None:
    _fill(painter, color)
    painter.drawRoundedRect(RING, 1, 1)


def _chevron(points: Points) -> Draw:
    def draw(painter: QPainter, color: QColor, _ground: QColor) -> None:
        _pen(painter, color, 1.6)
        _lines(painter, points)

    return draw


# What a rubric may name as the `shape` of a choice.
LABEL_SHAPES: dict[str, Draw] = {
    "circle-tick": _circle_tick,
    "square-cross": _square_cross,
    "diamond-question": _diamond_question,
    "half-circle": _half_circle,
    "ring-bar": _ring_bar,
    "ring-plus": _ring_plus,
    "square-minus": _square_minus,
    "circle": _circle,
    "square": _square,
}
STATE_SHAPES: dict[str, Draw] = {
    "ring": _ring,
    "dashed-ring": _dashed_ring,
    "bar-triangle": _bar_triangle,
    "tick": _tick,
    "double-tick": _double_tick,
    "pie": _pie,
    "circle-exclamation": _circle_exclamation,
    "triangle-exclamation": _triangle_exclamation,
    "arrow-back": _arrow_back,
    "ring-cross": _ring_cross,
    "cross": _cross,
    "dash": _dash,
    "chevron-left": _chevron(((2, -4), (-2, 0), (2, 4))),
    "chevron-right": _chevron(((-2, -4), (2, 0), (-2, 4))),
    "chevron-down": _chevron(((-4, -2), (0, 2), (4, -2))),
}
SHAPES: dict[str, Draw] = LABEL_SHAPES | STATE_SHAPES

# The shape and the token of the ink for each state that is no label of the rubric.
STATES: dict[str, tuple[str, str]] = {
    "todo": ("ring", "text2"),
    "open": ("ring", "text2"),
    "suggested": ("dashed-ring", "text2"),
    "part": ("pie", "accent"),
    "done": ("tick", "ok"),
    "sent": ("double-tick", "ok"),
    "back": ("arrow-back", "block"),
    "blocked": ("circle-exclamation", "block"),
    "warns": ("triangle-exclamation", "warn"),
    "skipped": ("bar-triangle", "text2"),
    "supports": ("ring-plus", "text"),
    "contradicts": ("square-minus", "text2"),
    "dead": ("ring-cross", "text2"),
    "nothing": ("dash", "text2"),
    "failed": ("cross", "block"),
}
