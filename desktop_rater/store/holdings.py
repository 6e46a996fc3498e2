"""How much a store holds, in numbers: enough to see that something came since, and that a copy lacks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from sqlite_utils import Database

# What is remembered for comfort only (`state`), what a hub shows again and what follows from these is no part of it.
_TABLES = (
    *("bundles", "tasks", "gold", "ratings", "exports", "snapshots", "visits"),
    *("received", "received_ratings", "reviews", "signatures", "hubs", "outbox"),
)


class Holding(msgspec.Struct, frozen=True):
    """A table's number of rows, and its highest key, which grows also where a row takes another's place."""

    table: str
    rows: int
    last: int


class Holdings(msgspec.Struct, frozen=True):
    """The tables of a store that can't be made again. Equal ones hold the same: ratings are never altered."""

    tables: tuple[Holding, ...]

    @property
    def ratings(self) -> int:
        """How many revisions of ratings."""
        return next((one.rows for one in self.tables if one.table == "ratings"), 0)


def holdings(db: Database) -> Holdings:
    """Of any version's store. Raises `sqlite3.Error`."""
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return Holdings(tuple(_holding(db, table) for table in _TABLES if table in there))


def _holding(db: Database, table: str) -> Holding:
    query = f"SELECT (SELECT count(*) FROM {table}), (SELECT max(rowid) FROM {table})"  # noqa: S608 - one of the above
    rows, last = db.execute(query).fetchone()
    return Holding(table, rows, last or 0)
