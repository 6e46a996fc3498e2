"""Connections to a store's file, and the look at it that decides whether it is one of ours.

The file is never read past SQLite: POSIX drops all locks of a process on a file when it closes any handle of it.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from desktop_rater.store import schema
from desktop_rater.store.durable import sync_folder
from desktop_rater.store.interruptible import interruptible
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.trouble import StoreDamaged, StoreError, StoreTooNew, primary_code

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

NAME = "store.sqlite3"
_NEW = "store.sqlite3.new"
_SMALLEST = 512  # bytes: SQLite's smallest page
_COMPANIONS = ("", "-wal", "-shm", "-journal")

_SAFE = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "busy_timeout = 5000")
_WRITER = ("foreign_keys = ON", "synchronous = FULL")


class Writer(Database):
    """A database whose transactions take the right to write when they begin.

    sqlite-utils begins with a plain BEGIN: a transaction that has read before it writes then fails at once, without
    the patience of busy_timeout, where another program has written meanwhile.
    """

    @contextmanager
    def atomic(self) -> Generator[Database, None, None]:
        """One transaction; a nested one is a savepoint of it."""
        if self.conn.in_transaction:
            with super().atomic():
                yield self
            return
        self.conn.execute("BEGIN IMMEDIATE")
        try:
            yield self
            self.conn.execute("COMMIT")
        except BaseException:
            self.rollback()
            raise


def version_of(file: Path) -> int | None:
    """The `user_version` of a store's file, which stays as it is, to the byte; `None` where there is no file.

    Raises `StoreTooNew`, `StoreDamaged`, `StoreError` for somebody else's database, or `sqlite3.Error`.
    """
    if not file.exists():
        return None
    if file.stat().st_size < _SMALLEST:
        # To SQLite that is a new database. We make a store under another name, so none of ours is ever so small.
        raise StoreDamaged("The store's file is empty.", f"{file} holds nothing any more.")
    # What a WAL holds counts, and only a real connection sees it; without one a look need not leave a trace.
    connection = _connect(file, "mode=ro" if _has_wal(file) else "mode=ro&immutable=1")
    try:
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()
    if not ours:
        raise StoreError("That is not a store.", f"{file} belongs to another program.", "Choose another folder.")
    if version > schema.version():
        raise StoreTooNew(
            "The store is from a newer version of this program.",
            f"It has format {version}, and this program knows {schema.version()}. Nothing was touched.",
            "Use the newer version, or another folder.",
        )
    return version


def create(file: Path) -> None:
    """A new, empty store at `file`. It gets its name when it is complete, so a killed start leaves no half a one."""
    new = file.with_name(_NEW)
    connection = _connect(new, "mode=rwc")
    try:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID:d}")  # pragmas take no parameters
        _keep_a_log(connection)
        schema.migrate(Writer(connection, recursive_triggers=False, execute_plugins=False))
        # Closing would put the log away too, and keep to itself that it could not: the log stays behind, under a name
        # that is no store's any more.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.close()
    new.replace(file)
    sync_folder(file.parent)


def begun(folder: Path) -> list[Path]:
    """The files of a store that was never completed."""
    return [path for end in _COMPANIONS if (path := folder / f"{_NEW}{end}").exists()]


def connect_writer(file: Path, look: Callable[[], None] | None = None) -> Database:
    """The one writing connection of the process, to a store that is brought up to date.

    `look` is called now and then meanwhile, and may raise; the store is as it was then. Raises `sqlite3.Error`.
    """
    connection = _connect(file, "mode=rw")
    try:
        for pragma in _WRITER:
            connection.execute(f"PRAGMA {pragma}")
        _keep_a_log(connection)
        db = Writer(connection, recursive_triggers=False, execute_plugins=False)
        with interruptible(connection, look) if look is not None else nullcontext():
            schema.migrate(db)
    except BaseException:
        connection.close()
        raise
    return db


def connect_reader(file: Path) -> Database:
    """A connection that can't write. Beside a writer it sees each commit. Raises `sqlite3.Error`."""
    connection = _connect(file, "mode=ro")
    try:
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        # In a folder that can't be written SQLite can't share a WAL. Without one the file is all there is.
        if primary_code(error) not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY} or _has_wal(file):
            raise
        connection = _connect(file, "mode=ro&immutable=1")
    connection.execute("PRAGMA query_only = ON")
    return Database(connection, recursive_triggers=False, execute_plugins=False)


def connect_still(file: Path) -> Database:
    """A connection to a file that nobody writes to, which leaves nothing beside it. Raises `sqlite3.Error`."""
    return Database(_connect(file, "mode=ro&immutable=1"), recursive_triggers=False, execute_plugins=False)


def _connect(file: Path, how: str) -> sqlite3.Connection:
    address = f"{file.absolute().as_uri()}?{how}"
    # A lane's worker uses what the main thread opened; never two at a time.
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    for pragma in _SAFE:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _keep_a_log(connection: sqlite3.Connection) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreError(
            "The store can't keep a log on this disk.",
            f"SQLite answers {mode!r} where it should keep a write-ahead log.",
            "Choose a folder on a disk of this computer, not on a network share.",
        )


def _has_wal(file: Path) -> bool:
    wal = file.with_name(f"{file.name}-wal")
    return wal.exists() and wal.stat().st_size > 0
