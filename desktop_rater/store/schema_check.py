"""Comparison of a store's tables, indexes, triggers and views with those that this program creates."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from desktop_rater.model.change import CancelCheck
from desktop_rater.store import schema
from desktop_rater.store.connection import WritingDatabase
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store


def check_schema(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare the schema with one that is created in memory by the same migrations."""
    check_cancelled()
    (version,) = store.db.execute("PRAGMA user_version").fetchone()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        new = WritingDatabase(connection, recursive_triggers=False, execute_plugins=False)
        schema.migrate_tables(new, version)
        expected, actual = _statements(new), _statements(store.db)
    for kind, name in sorted(expected.keys() - actual.keys()):
        yield f"It has no {kind} {name}."
    for kind, name in sorted(actual.keys() - expected.keys()):
        yield f"The {kind} {schema.display_name(name)} does not belong in a store."
    indexes = tuple(f"{name}_" for (_, name), sql in expected.items() if re.match(r"CREATE VIRTUAL TABLE\b", sql))
    for kind, name in sorted(expected.keys() & actual.keys()):
        # The internal tables of a search index, and the list of migrations, are worded by the version of a library.
        if not name.startswith((*indexes, "_sqlite_")) and expected[kind, name] != actual[kind, name]:
            yield f"The {kind} {name} was modified."


def _statements(db: Database) -> dict[tuple[str, str], str]:
    """Map (kind, name) to statement, without the tables and indexes that SQLite creates for itself."""
    query = """
        SELECT type, name, coalesce(sql, '') FROM sqlite_schema
        WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite^_%' ESCAPE '^')
    """
    return {(kind, name): schema.normalised_sql(sql) for kind, name, sql in db.execute(query)}
