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

# What FTS5 keeps an index in.
_PARTS = {
    "SELECT id, block FROM texts_data": "INSERT OR REPLACE INTO texts_data (id, block) VALUES (?, ?)",
    "SELECT segid, term, pgno FROM texts_idx": "INSERT INTO texts_idx (segid, term, pgno) VALUES (?, ?, ?)",
    "SELECT id, sz FROM texts_docsize": "INSERT INTO texts_docsize (id, sz) VALUES (?, ?)",
    "SELECT id, c0, c1, c2 FROM texts_content": "INSERT INTO texts_content (id, c0, c1, c2) VALUES (?, ?, ?, ?)",
    "SELECT k, v FROM texts_config": "INSERT OR REPLACE INTO texts_config (k, v) VALUES (?, ?)",
}


@contextmanager
def of(store: Store, look: Callable[[], None]) -> Generator[sqlite3.Connection]:
    """Copy the index; `look` is called often and may raise."""
    copy = sqlite3.connect("", isolation_level=None)
    try:
        copy.execute(schema.SEARCH_INDEX)
        copy.execute("BEGIN")
        for query, insert in _PARTS.items():
            rows = store.db.execute(query)
            while batch := rows.fetchmany(_BATCH):
                look()
                copy.executemany(insert, batch)
        copy.execute("COMMIT")
        yield copy
    finally:
        copy.close()


def trouble(copy: sqlite3.Connection, look: Callable[[], None]) -> str | None:
    """What SQLite says against the index; `None` where it is sound."""
    copy.set_progress_handler(look, 100_000)  # what it raises makes SQLite stop, with an error of another code
    try:
        copy.execute("INSERT INTO texts (texts) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return str(error)
    return None
