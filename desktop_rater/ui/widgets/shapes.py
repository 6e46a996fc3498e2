"""Icons, and the small shapes that stand for states: the shape comes first, then the word, then the colour.

Each is drawn on a grid of 16 by 16 around the origin and scaled to its place. `color` is its ink, `ground` its
background: a sign inside a filled shape is drawn in the ground's colour.
"""

from collections.abc import Callable
from math import ceil, floor

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QPixmapCache, QPolygonF
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets import theme

Draw = Callable[[QPainter, QColor, QColor], None]
# What draws a shape or, without a ground, an icon; the width of its pen, and its colours.
Drawing = tuple[Callable[..., None], float, int, int | None]

SHAPE_GRID = ICON_GRID = 16
BADGE_SHARE = 0.7  # of the size of the shape that it marks
RING = QRectF(-5.5, -5.5, 11, 11)
FULL = QRectF(-6, -6, 12, 12)
Points = tuple[tuple[float, float], ...]

# Made once: each enumerator that is passed to Qt while it paints costs two calls.
NO_PEN, NO_BRUSH = QPen(Qt.PenStyle.NoPen), QBrush()
_ROUND_PEN = QPen()
_ROUND_PEN.setCapStyle(Qt.PenCapStyle.RoundCap)
_ROUND_PEN.setJoinStyle(Qt.PenJoinStyle.RoundJoin)


def paint_shape(painter: QPainter, rect: QRectF, shape: str, color: QColor, ground: QColor) -> None:
    """Paint the shape of that name or state in the middle of `rect`, as large as fits.

    A name in neither table paints nothing: a rubric may be newer than the program.
    """
    name = STATES[shape][0] if shape in STATES else shape
    if name not in SHAPES:
        return
    _paint(painter, rect, (SHAPES[name], 1.3, color.rgba(), ground.rgba()))


def _paint(painter: QPainter, rect: QRectF, drawing: Drawing) -> None:
    side = min(rect.width(), rect.height())
    place = rect.center() - QPointF(side, side) / 2
    corner = QPointF(floor(place.x()), floor(place.y()))
    ratio = painter.device().devicePixelRatio()
    painter.drawPixmap(corner, _picture(drawing, side, place - corner, ratio))


def _picture(drawing: Drawing, side: float, offset: QPointF, ratio: float) -> QPixmap:
    """Return a drawing at `offset` on a transparent ground, from the cache if it was drawn before."""
    key, picture = f"shape {drawing} {side} {offset.x()} {offset.y()} {ratio}", QPixmap()
    if QPixmapCache.find(key, picture):
        return picture
    draw, width, color, ground = drawing
    picture = QPixmap(QSize(*[ceil((side + 1) * ratio)] * 2))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(offset + QPointF(side, side) / 2)
        painter.scale(side / SHAPE_GRID, side / SHAPE_GRID)
        painter.setPen(round_pen(QColor.fromRgba(color), width))
        draw(painter, *(() if ground is None else (QColor.fromRgba(color), QColor.fromRgba(ground))))
    QPixmapCache.insert(key, picture)
    return picture


def paint_blocked_badge(painter: QPainter, shape_rect: QRectF, color: QColor, ground: QColor) -> None:
    """Paint the sign of a blocking problem at the upper right corner of a shape, so that the shape stays visible."""
    size = shape_rect.width() * BADGE_SHARE
    badge = QRectF(shape_rect.right() - size * 0.6, shape_rect.top() - size * 0.4, size, size)
    theme.paint_box(painter, badge, size / 2, fill=ground)
    paint_shape(painter, badge, "circle-exclamation", color, ground)


def round_pen(color: QColor, width: float) -> QPen:
    """Return a pen with round ends and corners."""
    pen = QPen(_ROUND_PEN)
    pen.setColor(color)
    pen.setWidthF(width)
    return pen


def _line(painter: QPainter, *points: tuple[float, float]) -> None:
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


def _fill(painter: QPainter, color: QColor) -> None:
    painter.setPen(NO_PEN)
    painter.setBrush(color)


def _question(painter: QPainter, color: QColor) -> None:
    painter.setPen(round_pen(color, 1.4))
    painter.setBrush(NO_BRUSH)
    hook = QPainterPath(QPointF(-1.7, -1.6))
    hook.cubicTo(-1.7, -4.2, 1.9, -4.0, 1.7, -1.6)
    hook.cubicTo(1.6, -0.2, 0, -0.2, 0, 1.1)
    painter.drawPath(hook)
    painter.drawPoint(QPointF(0, 3.2))


def _exclamation(painter: QPainter, color: QColor, top: float = -3.2) -> None:
    painter.setPen(round_pen(color, 1.7))
    painter.drawLine(QPointF(0, top), QPointF(0, top + 3.6))
    painter.drawPoint(QPointF(0, top + 6.3))


def _diamond_question(painter: QPainter, color: QColor, ground: QColor) -> None:
    painter.setPen(round_pen(color, 1))
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(0, -6.8), QPointF(6.8, 0), QPointF(0, 6.8), QPointF(-6.8, 0)]))
    _question(painter, ground)


def _half_circle(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.drawEllipse(RING)
    _fill(painter, color)
    painter.drawPie(RING, 90 * 16, 180 * 16)


def _dashed_ring(painter: QPainter, color: QColor, _ground: QColor) -> None:
    pen = QPen(color, 1.3)
    pen.setDashPattern([1.7, 1.62])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawEllipse(RING)


def _bar_triangle(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(-4.2, -4.2), QPointF(1.4, 0), QPointF(-4.2, 4.2)]))
    _line(painter, (4.4, -4.2), (4.4, 4.2))


def _two_triangles_bar(painter: QPainter, _color: QColor, _ground: QColor) -> None:
    for left in (-6.2, -1.2):
        painter.drawPolygon(QPolygonF([QPointF(left, -4.2), QPointF(left + 4.6, 0), QPointF(left, 4.2)]))
    _line(painter, (5.6, -4.2), (5.6, 4.2))


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
    painter.setPen(round_pen(color, 1.4))
    _line(painter, (0, -1.8), (0, 1))
    painter.drawPoint(QPointF(0, 3.1))


def _arrow_back(painter: QPainter, color: QColor, _ground: QColor) -> None:
    painter.setPen(round_pen(color, 1.5))
    _line(painter, (-1.6, -5), (-4.8, -1.8), (-1.6, 1.4))
    hook = QPainterPath(QPointF(-4.6, -1.8))
    hook.lineTo(1.2, -1.8)
    hook.cubicTo(5.6, -1.8, 5.6, 4.6, 1.2, 4.6)
    painter.drawPath(hook)


def _strokes(width: float, *lines: Points, ring: QRectF | None = None) -> Draw:
    """Return a shape of lines in the ink, inside an outlined circle if there is one."""

    def draw(painter: QPainter, color: QColor, _ground: QColor) -> None:
        if ring is not None:
            painter.drawEllipse(ring)
        painter.setPen(round_pen(color, width))
        for points in lines:
            _line(painter, *points)

    return draw


def _filled(rect: QRectF, width: float = 0, *lines: Points, square: bool = False) -> Draw:
    """Return a filled circle or square with lines in the colour of the ground."""

    def draw(painter: QPainter, color: QColor, ground: QColor) -> None:
        _fill(painter, color)
        if square:
            painter.drawRoundedRect(rect, 1, 1)
        else:
            painter.drawEllipse(rect)
        if lines:
            painter.setPen(round_pen(ground, width))
        for points in lines:
            _line(painter, *points)

    return draw


# The names that a rubric may use as the `shape` of a choice.
LABEL_SHAPES: dict[str, Draw] = {
    "circle-tick": _filled(FULL, 1.6, ((-2.8, 0.2), (-0.9, 2.1), (2.8, -2))),
    "square-cross": _filled(RING, 1.6, ((-2.2, -2.2), (2.2, 2.2)), ((-2.2, 2.2), (2.2, -2.2)), square=True),
    "diamond-question": _diamond_question,
    "half-circle": _half_circle,
    "ring-bar": _strokes(1.3, ((-2.8, 0), (2.8, 0)), ring=RING),
    "ring-plus": _strokes(1.5, ((-3, 0), (3, 0)), ((0, -3), (0, 3)), ring=FULL),
    "square-minus": _filled(FULL, 1.8, ((-3, 0), (3, 0)), square=True),
    "circle": _filled(RING),
    "square": _filled(RING, square=True),
}
STATE_SHAPES: dict[str, Draw] = {
    "ring": _strokes(1.3, ring=QRectF(-5, -5, 10, 10)),
    "dashed-ring": _dashed_ring,
    "bar-triangle": _bar_triangle,
    "two-triangles-bar": _two_triangles_bar,
    "tick": _strokes(1.7, ((-4.6, 0.2), (-1.4, 3.4), (4.6, -3.2))),
    "double-tick": _strokes(1.6, ((-6.8, 0.4), (-4.2, 3), (0.6, -2.6)), ((-0.2, 2.4), (0.6, 3.1), (6.4, -3.4))),
    "pie": _pie,
    "circle-exclamation": _circle_exclamation,
    "triangle-exclamation": _triangle_exclamation,
    "arrow-back": _arrow_back,
    "ring-cross": _strokes(1.4, ((-2, -2), (2, 2)), ((-2, 2), (2, -2)), ring=RING),
    "cross": _strokes(1.7, ((-3.6, -3.6), (3.6, 3.6)), ((-3.6, 3.6), (3.6, -3.6))),
    "diamond-bar": _strokes(1.3, ((0, -6.5), (6.5, 0), (0, 6.5), (-6.5, 0), (0, -6.5)), ((-2.6, 0), (2.6, 0))),
    "dash": _strokes(1.3, ((-3, 0), (3, 0))),
    "chevron-left": _strokes(1.6, ((2, -4), (-2, 0), (2, 4))),
    "chevron-right": _strokes(1.6, ((-2, -4), (2, 0), (-2, 4))),
    "chevron-down": _strokes(1.6, ((-4, -2), (0, 2), (4, -2))),
    "chevron-up": _strokes(1.6, ((-4, 2), (0, -2), (4, 2))),
}
SHAPES: dict[str, Draw] = LABEL_SHAPES | STATE_SHAPES

# The shape and the ink token of each state that is not a label of the rubric.
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
    "task_skipped": ("two-triangles-bar", "text2"),
    "supports": ("ring-plus", "text"),
    "contradicts": ("square-minus", "text2"),
    "neutral": ("diamond-bar", "text2"),
    "matches": ("circle-tick", "ok"),
    "differs": ("square-cross", "block"),
    "sign_in": ("ring-bar", "text2"),
    "counted": ("dashed-ring", "text2"),
    "dead": ("ring-cross", "text2"),
    "nothing": ("dash", "text2"),
    "failed": ("cross", "block"),
}


def paint_icon(painter: QPainter, rect: QRectF, icon: str, color: QColor) -> None:
    """Paint an icon in the middle of `rect`, as large as fits."""
    _paint(painter, rect, (ICONS[icon], 1.4, color.rgba(), None))


def _search(painter: QPainter) -> None:
    painter.drawEllipse(QPointF(-1, -1), 4.2, 4.2)
    _line(painter, (2.2, 2.2), (5.6, 5.6))


def _clock(painter: QPainter) -> None:
    painter.drawEllipse(QPointF(0, 0), 5.6, 5.6)
    _line(painter, (0, -3.2), (0, 0.3), (2.4, 1.6))


def _prompt(painter: QPainter) -> None:
    _line(painter, (-5, -3.6), (-1.4, 0), (-5, 3.6))
    _line(painter, (0.6, 4.2), (5.4, 4.2))


def _list(painter: QPainter) -> None:
    for y in (-4.4, 0, 4.4):
        painter.drawPoint(QPointF(-5.6, y))
        _line(painter, (-2.6, y), (5.8, y))


def _page(painter: QPainter) -> None:
    outline = QPainterPath(QPointF(1.6, -6.4))
    for x, y in ((-4.8, -6.4), (-4.8, 6.4), (4.8, 6.4), (4.8, -3.2), (1.6, -6.4)):
        outline.lineTo(x, y)
    painter.drawPath(outline)
    _line(painter, (1.6, -6.4), (1.6, -3.2), (4.8, -3.2))


def _sample(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(-6, -5, 12, 10), 1, 1)
    painter.drawPolygon(QPolygonF([QPointF(-1.4, -2.2), QPointF(2.2, 0), QPointF(-1.4, 2.2)]))


def _cross_icon(painter: QPainter) -> None:
    _line(painter, (-3.6, -3.6), (3.6, 3.6))
    _line(painter, (-3.6, 3.6), (3.6, -3.6))


def _offline(painter: QPainter) -> None:
    for radius in (6.6, 3.6):
        painter.drawArc(QRectF(-radius, 3.4 - radius, 2 * radius, 2 * radius), 40 * 16, 100 * 16)
    painter.drawPoint(QPointF(0, 3.6))
    _line(painter, (-5.4, 5.4), (5.4, -5.4))


def _table(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(-6, -5, 12, 10), 1, 1)
    _line(painter, (-6, -1.8), (6, -1.8))
    _line(painter, (-6, 1.6), (6, 1.6))
    _line(painter, (-1.6, -1.8), (-1.6, 5))


def _globe(painter: QPainter) -> None:
    painter.drawEllipse(QRectF(-6, -6, 12, 12))
    painter.drawEllipse(QRectF(-2.6, -6, 5.2, 12))
    _line(painter, (-6, 0), (6, 0))


ICONS: dict[str, Callable[[QPainter], None]] = {
    "search": _search,
    "clock": _clock,
    "prompt": _prompt,
    "list": _list,
    "page": _page,
    "sample": _sample,
    "cross": _cross_icon,
    "offline": _offline,
    "table": _table,
    "globe": _globe,
}


class Icon(QWidget):
    """An icon or a state shape as a widget; it says nothing that the text beside it does not say."""

    def __init__(self, name: str, *, size: int = ICON_GRID, ink: str = "text2", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._ink = ink
        theme.follow(self, lambda: self.setFixedSize(QSize(theme.px(size), theme.px(size))))

    def show_icon(self, name: str, ink: str = "text2") -> None:
        if (name, ink) != (self._name, self._ink):
            self._name, self._ink = name, ink
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            ink, rect = theme.color(self, self._ink), QRectF(self.rect())
            if self._name in ICONS:
                paint_icon(painter, rect, self._name, ink)
            else:
                paint_shape(painter, rect, self._name, ink, theme.color(self, "surface"))
