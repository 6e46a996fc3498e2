"""What is wrong with the very thing above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.theme import quiet

if TYPE_CHECKING:
    from collections.abc import Sequence


class ProblemWords(QWidget):
    """What blocks, then what warns; nothing, and no room, where all is well."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._blocking = WrappedLabel(name=f"{name}_blocking")
        self._warnings = WrappedLabel(name=f"{name}_warnings")
        column.addWidget(self._blocking)
        column.addWidget(self._warnings)
        self.hide()

    def show_words(self, blocking: Sequence[str], warnings: Sequence[str]) -> None:
        for label, words, tone in ((self._blocking, blocking, "block"), (self._warnings, warnings, "warn")):
            label.setText("\n".join(words))
            label.setHidden(not words)
            quiet(label, tone)
        self.setHidden(not blocking and not warnings)

    def text(self) -> str:
        """All that is said."""
        return "\n".join(label.text() for label in (self._blocking, self._warnings) if label.text())
