"""How wide the columns of a table are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics

    from desktop_rater.audit.report_tables import Cell, Table

MOST_LOOKED_AT = 200  # rows; those beyond are elided where they are wider
MOST_CHARACTERS = 60


@dataclass(frozen=True)
class Widths:
    """`sign` is the room of a shape, `pad` that on both sides."""

    metrics: QFontMetrics
    sign: int
    pad: int

    def column(self, table: Table, at: int) -> int:
        """The widest cell of a column."""
        return max((self._cell(row[at]) for row in table.rows[:MOST_LOOKED_AT]), default=0)

    def _cell(self, cell: Cell) -> int:
        words = " ".join(part for part in (cell.before, cell.words) if part)[:MOST_CHARACTERS]
        # Names are bold: a twelfth more is what that takes.
        wide = self.metrics.horizontalAdvance(words)
        return wide + wide // 12 + (self.sign if cell.shape else 0) + self.pad


def in_lines(title: str, metrics: QFontMetrics) -> tuple[str, ...]:
    """A head in one line, or in two that are as even as its words let them be."""
    words = title.split()
    ways = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    if not ways:
        return (title,)
    return min(ways, key=lambda way: max(map(metrics.horizontalAdvance, way)))


def head_width(title: str, metrics: QFontMetrics) -> int:
    """The width of the longer line of a head."""
    return max(map(metrics.horizontalAdvance, in_lines(title, metrics)))
