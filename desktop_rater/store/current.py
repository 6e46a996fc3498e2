"""Which revision of a bundle counts: the highest that is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.trouble import NotThere

if TYPE_CHECKING:
    from sqlite_utils import Database


class Current(msgspec.Struct, frozen=True):
    """The row of a bundle's latest ready revision, and its number of tasks."""

    id: str
    key: int
    tasks: int

    def task_key(self, position: int) -> int:
        """The key of the task at a position from 0."""
        return (self.key << POSITIONS) + position


def current(db: Database, bundle_id: str) -> Current:
    """Raises `NotThere`."""
    query = "SELECT id, key, tasks FROM bundles WHERE id = ? AND ready ORDER BY revision DESC LIMIT 1"
    row = db.execute(query, (bundle_id,)).fetchone()
    if row is None:
        raise NotThere(f"There is no bundle {bundle_id!r} in the store.")
    return Current(*row)
