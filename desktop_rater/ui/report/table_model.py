"""A table of the report as Qt's views want it: whole, frozen, and with words for those who hear it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rater.audit.report_tables import Table
from desktop_rater.ui.plain import plain_tooltip

if TYPE_CHECKING:
    from desktop_rater.audit.report_tables import Cell

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
CELL_ROLE = Qt.ItemDataRole.UserRole
NOTHING = Table((), ())
LONG = 24  # characters of a cell that may not fit: they are its tooltip too


class ReportTableModel(QAbstractTableModel):
    """Holds one table of the report."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = NOTHING

    def show_table(self, table: Table) -> None:
        """Show another one."""
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def cell(self, row: int, column: int) -> Cell:
        return self.table.rows[row][column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self.cell(index.row(), index.column())
        words = " ".join(part for part in (cell.before, cell.words) if part)
        if role == CELL_ROLE:
            return cell
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.table.columns[index.column()].title}: {words}"
        return plain_tooltip(words) if role == Qt.ItemDataRole.ToolTipRole and len(words) > LONG else None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.table.columns[section].title
        return None
