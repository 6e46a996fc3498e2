"""Icons and state shapes, drawn in the colour and size of the text beside them."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets import shapes, theme

ICON_GRID = 16


def paint_icon(painter: QPainter, rect: QRectF, icon: str, color: QColor) -> None:
    """Paint an icon in the middle of `rect`, as large as fits."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    scale = min(rect.width(), rect.height()) / ICON_GRID
    painter.scale(scale, scale)
    painter.setPen(shapes.round_pen(color, 1.4))
    painter.setBrush(shapes.NO_BRUSH)
    ICONS[icon](painter)
    painter.restore()


def _line(painter: QPainter, *points: tuple[float, float]) -> None:
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


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
        painter = QPainter(self)
        ink, rect = theme.color(self, self._ink), QRectF(self.rect())
        if self._name in ICONS:
            paint_icon(painter, rect, self._name, ink)
        else:
            shapes.paint_shape(painter, rect, self._name, ink, theme.color(self, "surface"))
        painter.end()
