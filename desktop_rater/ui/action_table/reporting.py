"""What can be done in the report room, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.ui.action_table.row import Row

ROWS: tuple[Row, ...] = ()
