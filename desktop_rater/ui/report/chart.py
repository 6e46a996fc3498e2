"""A chart: a picture that can be pointed at, walked through by keys, and scrolled where it is larger than its room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from desktop_rater.audit.charts.shapes import Mark, Picture, Sheet
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.report.painting import Brushwork, Widths

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    Draw = Callable[[Sheet], Picture]

LEAST_HEIGHT, LEAST_WIDTH, ANY_HEIGHT = 120, 220, 100_000
RING, PAD = 2, 6  # PAD is at both sides, for the ring about what begins where the picture does
WAYS = {
    Qt.Key.Key_Left: QPoint(-1, 0),
    Qt.Key.Key_Right: QPoint(1, 0),
    Qt.Key.Key_Up: QPoint(0, -1),
    Qt.Key.Key_Down: QPoint(0, 1),
}


class Chart(QAbstractScrollArea):
    """`chosen` is emitted with the key of a mark that was clicked, or entered by the keyboard."""

    chosen = Signal(tuple)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self._draw: Draw | None = None
        self._picture = Picture(0, 0, ())
        self._mark = -1
        self._title = ""
        theme.follow(self, self._lay_out)

    @property
    def picture(self) -> Picture:
        """What is shown."""
        return self._picture

    @property
    def mark(self) -> Mark | None:
        """Where the keyboard stands."""
        return self._picture.marks[self._mark] if 0 <= self._mark < len(self._picture.marks) else None

    def show_chart(self, title: str, draw: Draw) -> None:
        """Show what `draw` makes of the room there is."""
        self._title, self._draw = title, draw
        self._lay_out()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        picture = self._drawn(theme.look().zoom / 100, ANY_HEIGHT)
        return QSize(theme.px(LEAST_WIDTH), theme.px(picture.height)) if picture is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(LEAST_WIDTH), theme.px(LEAST_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def _drawn(self, zoom: float, height: float) -> Picture | None:
        if self._draw is None:
            return None
        return self._draw(Sheet(self.viewport().width() / zoom - 2 * PAD, height, Widths(self), spelling.decimal))

    def _lay_out(self) -> None:
        zoom = theme.look().zoom / 100
        picture = self._drawn(zoom, self.viewport().height() / zoom)
        if picture is None:
            return
        self._picture = picture
        self._mark = min(self._mark, len(picture.marks) - 1)
        port = self.viewport().size()
        for bar, needed, room in (
            (self.verticalScrollBar(), picture.height, port.height()),
            (self.horizontalScrollBar(), picture.width + 2 * PAD, port.width()),
        ):
            bar.setRange(0, max(0, round(needed * zoom) - room))
            bar.setPageStep(room)
            bar.setSingleStep(theme.px(24))
        self._say()
        self.viewport().update()

    def _say(self) -> None:
        self.setAccessibleName(". ".join(part for part in (self._title, self._picture.words) if part))
        self.setAccessibleDescription(self.mark.words if self.mark is not None else "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-self._scrolled())
        zoom = theme.look().zoom / 100
        painter.scale(zoom, zoom)
        painter.translate(PAD, 0)
        Brushwork(painter, self).paint(self._picture)
        if self.hasFocus() and self.mark is not None:
            one = self.mark
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.tokens(self).accent), RING))
            box = _around(one, self._picture)
            painter.drawRoundedRect(box, 4, 4)
        painter.end()

    def _scrolled(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _at(self, where: QPoint) -> int:
        point = QPointF(where + self._scrolled()) / (theme.look().zoom / 100) - QPointF(PAD, 0)
        boxes = (QRectF(one.x, one.y, one.width, one.height) for one in self._picture.marks)
        return next((index for index, box in enumerate(boxes) if box.contains(point)), -1)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self._at(event.pos())
            words = self._picture.marks[found].words if found >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_tooltip(words), self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and found >= 0:
            self._stand_at(found)
            self.enter()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._mark < 0 and self._picture.marks and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._stand_at(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = WAYS.get(Qt.Key(event.key()))
        if way is not None and self._picture.marks:
            self._stand_at(self._next(way))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.enter()
        else:
            super().keyPressEvent(event)

    def enter(self) -> None:
        """Choose what the mark stands for."""
        if self.mark is not None and self.mark.key:
            self.chosen.emit(self.mark.key)

    def _next(self, way: QPoint) -> int:
        """The nearest mark that way, and rather straight on than aside."""
        marks = self._picture.marks
        here = marks[max(self._mark, 0)]
        x, y = here.x + here.width / 2, here.y + here.height / 2

        def distance(index: int) -> float:
            one = marks[index]
            on = (one.x + one.width / 2 - x) * way.x() + (one.y + one.height / 2 - y) * way.y()
            aside = abs((one.x + one.width / 2 - x) * way.y()) + abs((one.y + one.height / 2 - y) * way.x())
            return on + 4 * aside if on > 1 else ANY_HEIGHT

        best = min(range(len(marks)), key=distance)
        return best if distance(best) < ANY_HEIGHT else max(self._mark, 0)

    def _stand_at(self, index: int) -> None:
        self._mark = index
        one = self._picture.marks[index]
        zoom = theme.look().zoom / 100
        self._bring(self.verticalScrollBar().value(), one.y * zoom, one.height * zoom, vertical=True)
        self._bring(self.horizontalScrollBar().value(), one.x * zoom, one.width * zoom, vertical=False)
        self._say()
        event = QAccessibleAnnouncementEvent(self, one.words)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
        QAccessible.updateAccessibility(event)
        self.viewport().update()

    def _bring(self, value: int, start: float, length: float, *, vertical: bool) -> None:
        bar = self.verticalScrollBar() if vertical else self.horizontalScrollBar()
        room = self.viewport().height() if vertical else self.viewport().width()
        least = QFontMetrics(self.font()).height() if vertical else 0
        if start < value:
            bar.setValue(round(start) - least)
        elif start + length > value + room:
            bar.setValue(round(start + length - room) + least)


def _around(mark: Mark, picture: Picture) -> QRectF:
    """The ring about a mark; about a whole row it stands a little away from the words."""
    box = QRectF(mark.x, mark.y, mark.width, mark.height)
    whole = mark.width >= picture.width
    return box.adjusted(1 - PAD, 0, PAD - 1, 0) if whole else box.adjusted(1, 1, -1, -1)
