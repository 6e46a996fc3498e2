"""Where the focus was before a dialog took it, and goes back to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class FocusBack:
    """What had the focus may be gone by then: the banner that led to the dialog, or a row that was painted anew."""

    def __init__(self) -> None:
        self._before: QWidget | None = None

    def remember(self) -> None:
        """The dialog is about to open."""
        self._before = QApplication.focusWidget()

    def give(self, window: QWidget | None = None) -> None:
        """It is closed; `window`, where it is another one than the dialog's, has the keys again."""
        if window is not None:
            window.activateWindow()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()
