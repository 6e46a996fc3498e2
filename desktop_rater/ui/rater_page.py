"""Asks once who rates, when there is something to rate: in the window, not in a dialog."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.settings import BY_ID
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import FieldEdit
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from desktop_rater.ui.preferences import Preferences

WIDTH = 460


class NameField(FieldEdit):
    """Return takes the name."""

    taken = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.taken.emit()
            return
        super().keyPressEvent(event)


class RaterPage(QFrame):
    """A page with one question. The name of the login is the suggestion."""

    named = Signal(str)

    def __init__(self, suggested: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rater_page")
        theme.ground(self, "surface")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 24, 24, 24)
        outer.addStretch(2)
        box = QWidget()
        box.setMaximumWidth(theme.px(WIDTH))
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        title = PlainLabel(self.tr("Who rates here?"))
        theme.write(title, "title", bold=True)
        column.addWidget(title)
        words = WrappedLabel(self.tr("Your ratings and results carry this name. It can be changed in the settings."))
        theme.quiet(words)
        column.addWidget(words)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.field = NameField()
        self.field.setObjectName("rater_name")
        self.field.setAccessibleName(self.tr("Your name in ratings"))
        self.field.setMaxLength(BY_ID["rater"].max)
        self.field.setText(suggested)
        self.field.textChanged.connect(lambda _text: self._show())
        self.field.taken.connect(self._take)
        row.addWidget(self.field, 1)
        self._button = KeyButton(self.tr("Rate as this"), "Enter", primary=True)
        self._button.setObjectName("rater_take")
        self._button.clicked.connect(self._take)
        row.addWidget(self._button)
        column.addLayout(row)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(box, 2, Qt.AlignmentFlag.AlignTop)
        middle.addStretch(1)
        outer.addLayout(middle)
        outer.addStretch(3)

    def begin(self) -> None:
        """Type at once."""
        self.field.setFocus()
        self.field.selectAll()

    def _name(self) -> str:
        return self.field.text().strip()

    def _show(self) -> None:
        self._button.setEnabled(bool(self._name()) and BY_ID["rater"].fits(self._name()))

    def _take(self) -> None:
        if self._button.isEnabled():
            self.named.emit(self._name())


def rater_here() -> str:
    """The name of who is logged in: what a rater is asked to confirm."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # a login without a name in the system's list
        return "rater"


def show_in(stack: QStackedWidget, preferences: Preferences) -> None:
    """Ask in the place of the panes; the answer is a setting."""
    page = stack.findChild(RaterPage)
    if page is None:
        page = RaterPage(rater_here())
        page.named.connect(lambda name: preferences.set("rater", name))
        stack.addWidget(page)
    stack.setCurrentWidget(page)
    page.begin()
