"""The field that narrows the task list down, with the key that goes there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_rater.ui import icons, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.theme_tokens import CONTROL

KEY = "/"


class FilterField(QLineEdit):
    """Return keeps the filter and goes to the list: it is not the window's "go on"."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filter")
        self.setAccessibleName(self.tr("Filter tasks"))
        self.setPlaceholderText(self.tr("Filter tasks"))
        self.setClearButtonEnabled(True)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(CONTROL))
        room = theme.px(18)  # on both sides: words of the other direction begin at the other end
        self.setTextMargins(room, 0, room, 0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _goes_in(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _goes_in(event):
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        size, pad, middle = theme.px(16), theme.px(8), self.height() / 2
        x = self.width() - pad - size if mirrored else pad
        icons.paint(painter, QRectF(x, middle - size / 2, size, size), "search", theme.color(self, "text2"))
        if not self.text() and not self.hasFocus():
            cap = cap_size(self, KEY)
            x = pad if mirrored else self.width() - pad - cap.width()
            draw_cap(painter, QRectF(x, middle - cap.height() / 2, cap.width(), cap.height()), KEY, self)
        painter.end()


def _goes_in(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down} and not event.modifiers()
