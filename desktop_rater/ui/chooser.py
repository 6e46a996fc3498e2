"""One of several, in a list that drops down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox

if TYPE_CHECKING:
    from PySide6.QtCore import QSize


class Chooser(QComboBox):
    """A combo box that becomes small again with the window's zoom."""

    def minimumSizeHint(self) -> QSize:
        # Qt works both out alike, and keeps this one when the font changes.
        return self.sizeHint()
