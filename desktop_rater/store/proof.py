"""Whether a file is a whole and sound store: what a backup has to pass before it counts, and before it is restored."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from desktop_rater.store import schema
from desktop_rater.store.connection import Writer, connect_still, version_of
from desktop_rater.store.faults import CHECKS
from desktop_rater.store.holdings import Holdings, holdings
from desktop_rater.store.interruptible import interruptible
from desktop_rater.store.store import Store
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreTooNew, translating

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from sqlite_utils import Database

# The search indexes and the lists can be made again from these.
_CHECKED = ("database", "tasks", "gold", "ratings", "history", "received", "reviews", "signatures", "outbox")


def prove(file: Path, name: str, look: Callable[[], None]) -> Holdings:
    """Read all of a store's file that nobody writes to, and say what it holds; `look` is called often and may raise.

    Raises `StoreDamaged` for the first fault, naming the file `name`; `StoreTooNew`; or another `StoreError`.
    """
    with about(name, "It can't be read whole."):
        version = _version_of(file, name)
        # The Store is one for looking only: no lock, and nothing of the folder is read.
        with Store(file.parent, connect_still(file)) as store, interruptible(store.db.conn, look):
            for fault in _faults(store, version, look):
                raise StoreDamaged(name, fault)
            return holdings(store.db)


@contextmanager
def about(name: str, loss: str, hint: str = "") -> Generator[None]:
    """What is wrong with a file that is not the store is said of that file. `loss` as for `translating`."""
    try:
        with translating(loss):
            yield
    except StoreTooNew as error:
        raise StoreTooNew(f"{name} is from a newer version of this program.", error.message, error.hint) from error
    except StoreDamaged as error:
        raise StoreDamaged(f"{name} is not sound.", error.message, hint or error.hint) from error


def _version_of(file: Path, name: str) -> int:
    version = version_of(file)
    if version is None:
        raise NotThere(f"{name} is not there.")
    return version


def _faults(store: Store, version: int, look: Callable[[], None]) -> Iterator[str]:
    yield from _of_tables(store.db, version)
    for check in _CHECKED:
        try:
            yield from CHECKS[check](store, look)
        except (TypeError, ValueError) as error:  # a damaged row holds values that its table does not allow
            yield f"What is stored makes no sense: {error}"


def _of_tables(db: Database, version: int) -> Iterator[str]:
    """Whether the tables are those of the version, and what SQLite does by itself with what is written to them."""
    wanted, found = _schema_of(version), _schema(db)
    for name in sorted(wanted.keys() - found.keys()):
        yield f"It has no {name[0]} {name[1]}."
    for name in sorted(found.keys() - wanted.keys()):
        yield f"The {name[0]} {name[1]} does not belong into a store."
    for name in sorted(wanted):
        if name[0] == "trigger" and wanted[name] != found[name]:
            yield f"The trigger {name[1]} is another one."


def _schema_of(version: int) -> dict[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        db = Writer(connection, recursive_triggers=False, execute_plugins=False)
        schema.migrate(db, version)
        return _schema(db)


def _schema(db: Database) -> dict[tuple[str, str], str]:
    """(kind, name) → statement, but for the parts of search indexes, whose names are the business of SQLite."""
    rows = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'").fetchall()
    virtual = [name for _, name, sql in rows if sql and re.match(r"CREATE VIRTUAL TABLE\b", sql)]
    return {
        (kind, name): " ".join((sql or "").split())
        for kind, name, sql in rows
        if not any(name.startswith(f"{index}_") for index in virtual)
    }
