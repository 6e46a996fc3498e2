"""Looking at a store of an older version as it is: the tables that came later stand there empty, in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from desktop_rater.store import schema
from desktop_rater.store.connection import Writer

if TYPE_CHECKING:
    from sqlite_utils import Database


def stand_in(db: Database) -> None:
    """Let statements find today's tables in an older store that is only read. Raises `sqlite3.Error`.

    A name means the store's own table wherever it has one.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.migrate(Writer(connection, recursive_triggers=False, execute_plugins=False))
        # Before this was noted of targets, what stands there is all that there is to say of them.
        connection.execute("DROP TABLE placed")
        empty = connection.serialize()
    db.execute("PRAGMA query_only = OFF")
    db.execute("ATTACH ':memory:' AS later")
    db.conn.deserialize(empty, name="later")
    if db.execute("SELECT 1 FROM main.sqlite_schema WHERE name = 'placed'").fetchone() is None:
        schema.know_hashes(db)
        db.execute(f"CREATE TEMP VIEW placed AS {schema.HASHED_PLACES}")
    db.execute("PRAGMA query_only = ON")
