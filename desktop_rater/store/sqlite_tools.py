"""SQLite databases, their migrations by sqlite-utils, and rows as structs."""

import sqlite3
import sys
from collections.abc import Collection, Generator, Iterable
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
MIGRATIONS = "desktop-rater"  # name of the set in a database

T = TypeVar("T", bound=msgspec.Struct)


class Database(sqlite3.Connection):
    """A connection to a database; `isolation_level` is `None`, so a statement outside a transaction is committed."""

    identity: tuple[int, int] | None = None  # device and number of a writer's file just before it was opened

    @contextmanager
    def atomic(self) -> Generator[None, None, None]:
        """Run one transaction; a nested one is a savepoint of it.

        The write lock is acquired when it begins. After a plain BEGIN a transaction that reads before it writes fails
        at once, without waiting for busy_timeout, if another program has written meanwhile.
        """
        nested = self.in_transaction
        self.execute("SAVEPOINT nested" if nested else "BEGIN IMMEDIATE")
        try:
            yield
            self.execute("RELEASE nested" if nested else "COMMIT")
        except BaseException:
            if not nested:
                self.rollback()
            elif self.in_transaction:  # an error may have ended all of it
                self.execute("ROLLBACK TO nested")
                self.execute("RELEASE nested")
            raise


def apply_migrations(db: Database, migrations: Iterable[FunctionType]) -> None:
    """Apply the migrations that a database lacks. The library is loaded without its parts that are not used."""
    unused = {name: stub for name, stub in _UNUSED.items() if name not in sys.modules}
    sys.modules.update(unused)  # ty: ignore[no-matching-overload]
    try:
        import sqlite_utils  # noqa: PLC0415 - only new and older stores need it, and it takes long to load
    finally:
        for name in unused:
            del sys.modules[name]
    registered = sqlite_utils.Migrations(MIGRATIONS)
    for migration in migrations:
        registered(name=migration.__name__)(lambda _database, migration=migration: migration(db))
    registered.apply(sqlite_utils.Database(db, recursive_triggers=False, execute_plugins=False))


def row_struct(shape: type[T], row: Iterable[Any]) -> T:
    """Return a row as a struct whose fields are its columns, in this order."""
    return shape(**dict(zip(shape.__struct_fields__, row, strict=True)))


def placeholders(columns: Collection[Any]) -> str:
    """Return a question mark for each column, as in `VALUES (?, ?)`."""
    return ", ".join("?" for _ in columns)
