"""A copy of the search index to be examined: SQLite checks an index only where it may write, and nobody waits for it.

The copy lies in a temporary database, which SQLite keeps in memory while it is small and removes with its connection.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_rater.store import schema
from desktop_rater.store.trouble import primary_code

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from desktop_rater.store.store import Store

_BATCH = 500  # rows

# What FTS5 keeps an index in, behind the index's name. The last one is missing where another table holds the texts.
_PARTS = {
    "data": "id, block",
    "idx": "segid, term, pgno",
    "docsize": "id, sz",
    "config": "k, v",
    "content": "id, c0, c1, c2",
}
# Its index, and how many of the parts it has.
_INDEXES = {"texts": (schema.SEARCH_INDEX, 5), "page_texts": (schema.PAGE_INDEX, 4)}


@contextmanager
def of(store: Store, index: str, look: Callable[[], None]) -> Generator[sqlite3.Connection]:
    """Copy an index; `look` is called often and may raise."""
    statement, parts = _INDEXES[index]
    copy = sqlite3.connect("", isolation_level=None)
    try:
        copy.execute(statement)
        copy.execute("BEGIN")
        for part, columns in list(_PARTS.items())[:parts]:
            table = f"{index}_{part}"
            values = ", ".join("?" for _ in columns.split(","))
            rows = store.db.execute(f"SELECT {columns} FROM {table}")  # noqa: S608 - the names above
            insert = f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
            while batch := rows.fetchmany(_BATCH):
                look()
                copy.executemany(insert, batch)
        copy.execute("COMMIT")
        yield copy
    finally:
        copy.close()


def trouble(copy: sqlite3.Connection, index: str, look: Callable[[], None]) -> str | None:
    """What SQLite says against the index; `None` where it is sound."""
    copy.set_progress_handler(look, 100_000)  # what it raises makes SQLite stop, with an error of another code
    try:
        copy.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")  # noqa: S608 - one of the names above
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return str(error)
    return None
