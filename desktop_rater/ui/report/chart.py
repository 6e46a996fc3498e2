"""The chart view: painting, tooltips, keyboard navigation between marks, and scrolling."""

from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from desktop_rater.audit.charts.svg import (
    PIXELS,
    DrawingArea,
    Key,
    Picture,
    Size,
    TooltipArea,
    part_of_picture,
    render_svg,
)
from desktop_rater.audit.report_panels import DrawPicture
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.labels import plain_tooltip, visible
from desktop_rater.ui.widgets.layouts import announce
from desktop_rater.ui.widgets.theme import font_of, smooth_painter


def picture_font(widget: QWidget, size: Size, *, bold: bool) -> QFont:
    """Return the font of a text in a picture at 100 %; the painter is scaled."""
    return font_of(widget.font(), pixels=PIXELS[size], bold=bold)


class TextWidths:
    """Text widths in the fonts of a widget, used to lay out a picture."""

    def __init__(self, widget: QWidget) -> None:
        self._metrics = {
            (size, bold): QFontMetricsF(picture_font(widget, size, bold=bold))
            for size in PIXELS
            for bold in (False, True)
        }

    def __call__(self, text: str, size: Size, bold: bool) -> float:
        return self._metrics[size, bold].horizontalAdvance(text)


def paint_picture(painter: QPainter, picture: Picture, widget: QWidget) -> None:
    """Paint a picture in the colours and the font of a widget."""
    colors = theme.tokens(widget)
    scale = painter.transform().m11() * widget.devicePixelRatioF()
    svg = render_svg(replace(picture, marks=()), ink_colors(colors), scale=scale, high_contrast=colors.high)
    painter.setFont(widget.font())
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, picture.width, picture.height))


MIN_HEIGHT, MIN_WIDTH, ANY_HEIGHT = 120, 220, 100_000
MOST_DRAWN = 4  # pictures for other sizes
RING, CHART_PAD = 2, 6  # PAD on both sides is for the focus ring at the picture's edges
DIRECTIONS = {
    Qt.Key.Key_Left: QPoint(-1, 0),
    Qt.Key.Key_Right: QPoint(1, 0),
    Qt.Key.Key_Up: QPoint(0, -1),
    Qt.Key.Key_Down: QPoint(0, 1),
}


class ChartView(QAbstractScrollArea):
    """A scrollable picture; `chosen` carries the key of a mark that was clicked or entered by the keyboard.

    `moved` carries the key of each mark that becomes the current one.
    """

    chosen = Signal(tuple)
    moved = Signal(tuple)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.stays_marked = False  # the current mark is drawn without the focus too: another list follows it
        self._draw: DrawPicture | None = None
        self.picture = Picture(0, 0, ())
        self._drawn: dict[tuple[float, float, int], Picture] = {}
        self._mark = -1
        self._title = ""
        theme.follow(self, self._lay_out)

    @property
    def mark(self) -> TooltipArea | None:
        return self.picture.marks[self._mark] if 0 <= self._mark < len(self.picture.marks) else None

    def show_chart(self, title: str, draw: DrawPicture) -> None:
        """Show the picture that `draw` makes for the available size."""
        self._title, self._draw = title, draw
        self._drawn.clear()
        self._lay_out()
        self.updateGeometry()

    def height_for(self, width: int) -> int:
        """Return the height of the picture at a width."""
        picture = self._draw_picture(theme.look().zoom / 100, ANY_HEIGHT, width)
        return theme.px(picture.height) + 1 if picture is not None else 0

    def sizeHint(self) -> QSize:
        picture = self._draw_picture(theme.look().zoom / 100, ANY_HEIGHT, self.viewport().width())
        return QSize(theme.px(MIN_WIDTH), theme.px(picture.height)) if picture is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(MIN_WIDTH), theme.px(MIN_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._drawn.clear()
            self._lay_out()

    def _draw_picture(self, zoom: float, height: float, width: int) -> Picture | None:
        if self._draw is None:
            return None
        # A layout asks several times; another height of the view is often the same picture, but not always.
        key = zoom, height, width
        if key not in self._drawn:
            if len(self._drawn) >= MOST_DRAWN:
                self._drawn.clear()
            area = DrawingArea(width / zoom - 2 * CHART_PAD, height, TextWidths(self), formatting.decimal)
            self._drawn[key] = self._draw(area)
        return self._drawn[key]

    def _lay_out(self) -> None:
        zoom = theme.look().zoom / 100
        picture = self._draw_picture(zoom, self.viewport().height() / zoom, self.viewport().width())
        if picture is None:
            return
        self.picture = picture
        self._mark = min(self._mark, len(picture.marks) - 1)
        port = self.viewport().size()
        for bar, needed, available in (
            (self.verticalScrollBar(), picture.height, port.height()),
            (self.horizontalScrollBar(), picture.width + 2 * CHART_PAD, port.width()),
        ):
            bar.setRange(0, max(0, round(needed * zoom) - available))
            bar.setPageStep(available)
            bar.setSingleStep(theme.px(24))
        self._update_accessible_text()
        self.viewport().update()

    def _update_accessible_text(self) -> None:
        self.setAccessibleName(visible(". ".join(part for part in (self._title, self.picture.description) if part)))
        self.setAccessibleDescription(visible(self.mark.text if self.mark is not None else ""))

    def paintEvent(self, event: QPaintEvent) -> None:
        with smooth_painter(self.viewport()) as painter:
            painter.translate(-self._scroll_offset())
            zoom = theme.look().zoom / 100
            painter.scale(zoom, zoom)
            painter.translate(CHART_PAD, 0)
            top = (self.verticalScrollBar().value() + event.rect().top()) / zoom
            paint_picture(painter, part_of_picture(self.picture, top, top + event.rect().height() / zoom), self)
            mark = self.mark
            if mark is not None and (self.picture.head or self.stays_marked) and not self.hasFocus():
                painter.setPen(QPen(QColor(theme.tokens(self).edge), 1))
                painter.drawRoundedRect(QRectF(mark.x, mark.y, mark.width, mark.height), 4, 4)
            if self.hasFocus() and mark is not None:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(theme.tokens(self).accent), RING))
                box = QRectF(mark.x, mark.y, mark.width, mark.height)
                # Around a whole row it keeps some distance from the text.
                is_row = mark.width >= self.picture.width
                box = box.adjusted(1 - CHART_PAD, 0, CHART_PAD - 1, 0) if is_row else box.adjusted(1, 1, -1, -1)
                painter.drawRoundedRect(box, 4, 4)
            if self.picture.head and self.verticalScrollBar().value():  # the titles stay while the rows scroll
                painter.resetTransform()
                head = QRectF(0, 0, self.viewport().width(), self.picture.head * zoom)
                painter.fillRect(head, QColor(theme.tokens(self).surface))
                painter.setClipRect(head)
                painter.translate(-self.horizontalScrollBar().value(), 0)
                painter.scale(zoom, zoom)
                painter.translate(CHART_PAD, 0)
                paint_picture(painter, part_of_picture(self.picture, 0, self.picture.head), self)

    def _scroll_offset(self) -> QPoint:
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def mark_key(self, key: Key) -> None:
        """Make the mark with this key the current one, without moving the focus."""
        self._mark = next((at for at, mark in enumerate(self.picture.marks) if mark.key == key), -1)
        self._update_accessible_text()
        self.viewport().update()

    def _mark_at(self, position: QPoint) -> int:
        zoom = theme.look().zoom / 100
        if position.y() < self.picture.head * zoom:
            return -1
        point = QPointF(position + self._scroll_offset()) / zoom - QPointF(CHART_PAD, 0)
        boxes = (QRectF(mark.x, mark.y, mark.width, mark.height) for mark in self.picture.marks)
        return next((index for index, box in enumerate(boxes) if box.contains(point)), -1)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._mark_at(event.pos())
            text = self.picture.marks[index].text if index >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._mark_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self._set_mark(index)
            self.enter()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._mark < 0 and self.picture.marks and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._set_mark(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = DIRECTIONS.get(Qt.Key(event.key()))
        if direction is not None and self.picture.marks:
            self._set_mark(self._nearest_mark(direction))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.enter()
        else:
            super().keyPressEvent(event)

    def enter(self) -> None:
        """Emit the key of the current mark."""
        if self.mark is not None and self.mark.key:
            self.chosen.emit(self.mark.key)

    def _nearest_mark(self, direction: QPoint) -> int:
        """Return the nearest mark in that direction; marks straight ahead are preferred over those to the side."""
        marks = self.picture.marks
        current = marks[max(self._mark, 0)]
        x, y = current.x + current.width / 2, current.y + current.height / 2

        def distance(index: int) -> float:
            mark = marks[index]
            dx, dy = mark.x + mark.width / 2 - x, mark.y + mark.height / 2 - y
            forward = dx * direction.x() + dy * direction.y()
            aside = abs(dx * direction.y()) + abs(dy * direction.x())
            return forward + 4 * aside if forward > 1 else ANY_HEIGHT

        best = min(range(len(marks)), key=distance)
        return best if distance(best) < ANY_HEIGHT else max(self._mark, 0)

    def _set_mark(self, index: int) -> None:
        self._mark = index
        mark = self.picture.marks[index]
        zoom = theme.look().zoom / 100
        self._scroll_to(self.verticalScrollBar().value(), mark.y * zoom, mark.height * zoom, vertical=True)
        self._scroll_to(self.horizontalScrollBar().value(), mark.x * zoom, mark.width * zoom, vertical=False)
        self._update_accessible_text()
        announce(self, mark.text)
        self.viewport().update()
        self.moved.emit(mark.key)

    def _scroll_to(self, value: int, start: float, length: float, *, vertical: bool) -> None:
        bar = self.verticalScrollBar() if vertical else self.horizontalScrollBar()
        visible = self.viewport().height() if vertical else self.viewport().width()
        head = round(self.picture.head * theme.look().zoom / 100) if vertical else 0
        least = max(head, QFontMetrics(self.font()).height()) if vertical else 0
        if start < value + head:
            bar.setValue(round(start) - least)
        elif start + length > value + visible:
            bar.setValue(round(start + length - visible) + least)
