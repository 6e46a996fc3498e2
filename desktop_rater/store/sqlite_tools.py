"""SQLite databases, their migrations by sqlite-utils, and rows as structs."""

import sqlite3
import sys
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

import msgspec

# Optional dependencies, its plugins, ranks of FTS4, and functions of its command line with their library for dates.
_UNUSED = {
    "numpy": None,
    "pandas": None,
    "sqlite_fts4": SimpleNamespace(rank_bm25=None),
    "sqlite_utils.hookspecs": SimpleNamespace(hookimpl=None, hookspec=None),
    "sqlite_utils.plugins": SimpleNamespace(ensure_plugins_loaded=None, pm=None),
    "sqlite_utils.recipes": ModuleType("sqlite_utils.recipes"),
}
_SET = "desktop-rater"  # the name of our migrations in a database

T = TypeVar("T", bound=msgspec.Struct)


class Database:
    """A database, in which a statement outside a transaction is committed at once."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn

    def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> sqlite3.Cursor:
        return self.conn.execute(sql, parameters)

    @contextmanager
    def atomic(self) -> Generator[None, None, None]:
        """Run one transaction; a nested one is a savepoint of it.

        The write lock is acquired when it begins. After a plain BEGIN a transaction that reads before it writes fails
        at once, without waiting for busy_timeout, if another program has written meanwhile.
        """
        nested = self.conn.in_transaction
        self.conn.execute("SAVEPOINT nested" if nested else "BEGIN IMMEDIATE")
        try:
            yield
            self.conn.execute("RELEASE nested" if nested else "COMMIT")
        except BaseException:
            if not nested:
                self.rollback()
            elif self.conn.in_transaction:  # an error may have ended all of it
                self.conn.execute("ROLLBACK TO nested")
                self.conn.execute("RELEASE nested")
            raise

    def rollback(self) -> None:
        if self.conn.in_transaction:
            self.conn.execute("ROLLBACK")

    def close(self) -> None:
        self.conn.close()


def recorded_migrations(db: Database) -> list[str]:
    """Return the names of the migrations that a database has had, in this order. Raises `sqlite3.Error`."""
    query = "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid"
    return [name for (name,) in db.execute(query, (_SET,))]


def apply_migrations(db: Database, migrations: Iterable[FunctionType]) -> None:
    """Apply those that the database has not had yet. The library is loaded without what is not used of it."""
    unused = {name: stub for name, stub in _UNUSED.items() if name not in sys.modules}
    sys.modules.update(unused)  # ty: ignore[no-matching-overload]
    try:
        import sqlite_utils  # noqa: PLC0415 - only new and older stores need it, and it takes long to load
    finally:
        for name in unused:
            del sys.modules[name]
    registered = sqlite_utils.Migrations(_SET)
    for migration in migrations:
        registered(name=migration.__name__)(lambda _database, migration=migration: migration(db))
    registered.apply(sqlite_utils.Database(db.conn, recursive_triggers=False, execute_plugins=False))


def row_struct(shape: type[T], row: Iterable[Any]) -> T:
    """Return a row as a struct whose fields are its columns, in this order."""
    return shape(**dict(zip(shape.__struct_fields__, row, strict=True)))


def placeholders(columns: Collection[Any]) -> str:
    """Return a question mark for each column, as in `VALUES (?, ?)`."""
    return ", ".join("?" for _ in columns)
