"""The points by topics as rows of a list, each with what the text at hand says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.stats.justification import Said
    from desktop_rater.ui.scoring.sheet import Sheet

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
ROOT = QModelIndex()
SHAPES: dict[str, str] = {"agree": "ring-plus", "disagree": "square-minus", "silent": "dash"}


@dataclass(frozen=True)
class PointRow:
    """A head where `at` is negative, else the point with that number. `says` is empty while it is not answered."""

    at: int
    words: str
    says: str = ""
    spoken: str = ""

    @property
    def is_head(self) -> bool:
        return self.at < 0


def says_words(says: str) -> str:
    """What a text says of a point, in words."""
    return {
        "agree": QCoreApplication.translate("Scoring", "agrees"),
        "disagree": QCoreApplication.translate("Scoring", "disagrees"),
        "silent": QCoreApplication.translate("Scoring", "silent"),
    }.get(says, QCoreApplication.translate("Scoring", "open"))


def says_of(said: Said) -> str:
    """The name of an answer."""
    return {1: "agree", 0: "disagree", None: "silent"}[said]


def rows_of(sheet: Sheet) -> tuple[PointRow, ...]:
    """A head for each topic, and its points beneath."""
    rows: list[PointRow] = []
    topic = None
    for at, point in enumerate(sheet.points):
        if point.topic != topic:
            topic = point.topic
            rows.append(PointRow(-1, topic, spoken=topic))
        says = says_of(sheet.said[point.text]) if point.text in sheet.said else ""
        rows.append(PointRow(at, point.text, says, f"{point.text}, {says_words(says)}"))
    return tuple(rows)


class PointModel(QAbstractListModel):
    """Holds the rows whole."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[PointRow, ...] = ()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        return row.spoken if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole} else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.rows[index.row()].is_head:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def show(self, rows: Sequence[PointRow]) -> None:
        """Show other rows; where only answers changed, nothing moves."""
        before, self_rows = self.rows, tuple(rows)
        if [(one.at, one.words) for one in before] != [(one.at, one.words) for one in self_rows]:
            self.beginResetModel()
            self.rows = self_rows
            self.endResetModel()
            return
        self.rows = self_rows
        for at, (old, new) in enumerate(zip(before, self_rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(at), self.index(at))

    def row_of(self, point: int) -> int:
        """The row of a point by its number, or −1."""
        return next((at for at, one in enumerate(self.rows) if one.at == point), -1)
