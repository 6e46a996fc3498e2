"""The calls of a response as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.tools.words import words_of, worst_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.task import ToolCall
    from desktop_rater.ui.rows import Index
    from desktop_rater.ui.tools.words import CallWords

ROOT = QModelIndex()
WORDS_ROLE = Qt.ItemDataRole.UserRole


class ToolCallModel(QAbstractListModel):
    """Held whole; what did not go well comes first, the rest as it was called. Words are made once they are seen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calls: tuple[ToolCall, ...] = ()
        self._words: dict[int, CallWords] = {}

    def show_calls(self, calls: Sequence[ToolCall]) -> None:
        """Show other calls."""
        self.beginResetModel()
        self._calls = tuple(call for _number, call in worst_first(calls))
        self._words = {}
        self.endResetModel()

    def call(self, row: int) -> ToolCall:
        """The call of a row."""
        return self._calls[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        said = self._said(index.row())
        if role == WORDS_ROLE:
            return said
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return said.spoken
        return plain_tooltip(said.spoken) if role == Qt.ItemDataRole.ToolTipRole else None

    def _said(self, row: int) -> CallWords:
        if row not in self._words:
            self._words[row] = words_of(self._calls[row])
        return self._words[row]
