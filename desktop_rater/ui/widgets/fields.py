"""Input fields: filter, number, and a line that handles Return and Escape itself."""

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.settings import Setting
from desktop_rater.ui.rating.form.choice import FieldEdit
from desktop_rater.ui.widgets import icons, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.layouts import tight_row
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL

FILTER_KEY = "/"


class FilterField(QLineEdit):
    """A filter field in which Return keeps the filter and moves to the list, instead of the window's default action."""

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
        margin = theme.px(18)  # on both sides: right-to-left text begins at the other end
        self.setTextMargins(margin, 0, margin, 0)

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
        painter = smooth_painter(self)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        size, pad, middle = theme.px(16), theme.px(8), self.height() / 2
        x = self.width() - pad - size if mirrored else pad
        icons.paint_icon(painter, QRectF(x, middle - size / 2, size, size), "search", theme.color(self, "text2"))
        if not self.text() and not self.hasFocus():
            cap = key_cap_size(self, FILTER_KEY)
            x = pad if mirrored else self.width() - pad - cap.width()
            draw_key_cap(painter, QRectF(x, middle - cap.height() / 2, cap.width(), cap.height()), FILTER_KEY, self)
        painter.end()


def _goes_in(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down} and not event.modifiers()


def read_only_text(name: str, label: str) -> QPlainTextEdit:
    """Return a view of plain text to read and copy; Tab leaves it."""
    view = QPlainTextEdit()
    view.setObjectName(name)
    view.setAccessibleName(visible(label))
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    return view


STEPS: dict[int, int] = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class _StepEdit(FieldEdit):
    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in STEPS:
            self.stepped.emit(STEPS[event.key()])
            return
        super().keyPressEvent(event)


class NumberField(NamedGroup):
    """A number field that takes the typed text when it is left, and ignores invalid or out-of-range numbers."""

    chosen = Signal(int)

    def __init__(self, setting: Setting, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setting = setting
        self._value: int = setting.default
        row = tight_row(self, spacing=5)
        self.field = _StepEdit()
        self.field.setAccessibleName(visible(label))
        theme.follow(self.field, lambda: self.field.setFixedWidth(theme.px(80)))
        self.field.left.connect(self._take)
        self.field.stepped.connect(self.step)
        row.addWidget(self.field)
        for text, name, delta in (("−", self.tr("Less"), -1), ("+", self.tr("More"), 1)):
            button = KeyButton(text)
            button.setAccessibleName(visible(f"{label}: {name}"))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys do the same
            button.clicked.connect(lambda _on=False, delta=delta: self.step(delta))
            row.addWidget(button)
        row.addStretch(1)

    def show_value(self, value: int) -> None:
        self._value = value
        self.field.show_text(f"{value}{self._setting.unit}")

    def step(self, delta: int) -> None:
        row = self._setting
        self._choose(max(row.min, min(row.max, self._value + delta * row.step)))

    def _take(self) -> None:
        typed = re.sub(r"\D", "", self.field.text())[:9]
        self._choose(int(typed) if typed and self._setting.accepts(int(typed)) else self._value)

    def _choose(self, value: int) -> None:
        if value != self._value:
            self.chosen.emit(value)
        self.show_value(value)


_OWN = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}


class LineField(QLineEdit):
    """A one-line field. `entered` carries 1, or −1 with Shift."""

    entered = Signal(int)
    left = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        name: str = "",
        label: str = "",
        placeholder: str = "",
        entered: Callable[[int], object] | SignalInstance | None = None,
        left: Callable[[], object] | SignalInstance | None = None,
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        self.setObjectName(name)
        self.setAccessibleName(label)
        if entered is not None:
            self.entered.connect(entered)
        if left is not None:
            self.left.connect(left)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _OWN:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
