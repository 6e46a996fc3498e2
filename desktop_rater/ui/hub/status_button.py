"""Hub button in the status line: shows whether the work is safe on the hub, and opens the dialog."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMoveEvent, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui.widgets import icons, theme
from desktop_rater.ui.widgets.labels import LEFT_LINE, RIGHT_LINE, draw_text, elided_text, set_tooltip, visible
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.focus import OWN_RING

ICON, GAP, PAD, HEIGHT = 14, 6, 4, 24


class HubButton(QAbstractButton):
    """Button with a globe and a text; if the text does not fit, it is in the tooltip."""

    resized = Signal()  # the preferred width changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status_hub")
        self._ink = "text2"
        self._key = "Ctrl Shift H"
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setProperty(OWN_RING, True)  # the status line is hardly higher than the button
        theme.set_type(self, "small")
        self.show_words(self.tr("No hub"))

    def show_words(self, text: str, ink: str = "text2", more: str = "") -> None:
        """Show a text; `more` is added to the tooltip."""
        self.setText(visible(text))
        self._ink = ink
        self.setAccessibleName(visible(self.tr("Hub: {words}").format(words=text)))
        self.setAccessibleDescription(visible(more))
        set_tooltip(self, "\n".join(part for part in (text, more, keys.cap_text(self._key)) if part))
        self.updateGeometry()
        self.resized.emit()
        self.update()

    @property
    def ink(self) -> str:
        return self._ink

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + theme.px(ICON + GAP + 2 * PAD) + 1, theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(HEIGHT), theme.px(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = smooth_painter(self)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(QRectF(self.rect()), px(4), px(4))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(4), px(4))
        mirrored = self.isRightToLeft()
        ink, size = theme.color(self, self._ink), px(ICON)
        x = self.width() - px(PAD) - size if mirrored else px(PAD)
        icons.paint_icon(painter, QRectF(x, (self.height() - size) / 2, size, size), "globe", ink)
        used = px(PAD + ICON + GAP)
        area = QRect(px(PAD) if mirrored else used, 0, self.width() - used - px(PAD), self.height())
        text = elided_text(self.fontMetrics(), self.text(), area.width() + 1)
        painter.setPen(ink)
        draw_text(painter, area, RIGHT_LINE if mirrored else LEFT_LINE, text)
        painter.end()


class HubButtonPlaceholder(QWidget):
    """Placeholder for the button in the layout of the status line.

    Qt leaves a margin there, while the button is to be clickable over the whole height.
    """

    def __init__(self, button: HubButton, line: QWidget) -> None:
        super().__init__()
        self._button = button
        self._line = line
        button.setParent(line)
        button.resized.connect(self.updateGeometry)
        self.setSizePolicy(button.sizePolicy())
        theme.follow(self, self.updateGeometry)

    def sizeHint(self) -> QSize:
        return self._button.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._button.minimumSizeHint().width(), 0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange and (parent := self.parentWidget()) is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        # The children of a moved widget get no event, and the button is a child of another widget.
        if isinstance(event, QMoveEvent):
            self._place()
        return False

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        high = theme.px(HEIGHT)
        corner = self.mapTo(self._line, QPoint(0, 0))  # level with the text next to it
        top = min(max(0, corner.y() + (self.height() - high) // 2), self._line.height() - high)
        self._button.setGeometry(corner.x(), top, self.width(), high)
        self._button.raise_()
