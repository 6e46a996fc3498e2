"""A number that can be typed, or moved in steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import FieldEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from desktop_rater.settings import Setting

STEPS: dict[int, int] = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class _Edit(FieldEdit):
    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in STEPS:
            self.stepped.emit(STEPS[event.key()])
            return
        super().keyPressEvent(event)


class NumberField(QWidget):
    """What is typed counts when the field is left; what is no number, or out of bounds, does not."""

    chosen = Signal(int)

    def __init__(self, setting: Setting, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setting = setting
        self._value: int = setting.default
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        self.field = _Edit()
        self.field.setAccessibleName(label)
        theme.follow(self.field, lambda: self.field.setFixedWidth(theme.px(80)))
        self.field.left.connect(self._take)
        self.field.stepped.connect(self.step)
        row.addWidget(self.field)
        for text, name, by in (("−", self.tr("Less"), -1), ("+", self.tr("More"), 1)):
            button = KeyButton(text)
            button.setAccessibleName(f"{label}: {name}")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrows do the same in the field
            button.clicked.connect(lambda _on=False, by=by: self.step(by))
            row.addWidget(button)
        row.addStretch(1)

    def show_value(self, value: int) -> None:
        self._value = value
        self.field.show_text(f"{value}{self._setting.unit}")

    def step(self, by: int) -> None:
        """Move it, within its bounds."""
        row = self._setting
        self._choose(max(row.min, min(row.max, self._value + by * row.step)))

    def _take(self) -> None:
        typed = re.sub(r"\D", "", self.field.text())[:9]
        self._choose(int(typed) if typed and self._setting.fits(int(typed)) else self._value)

    def _choose(self, value: int) -> None:
        if value != self._value:
            self.chosen.emit(value)
        self.show_value(value)
