"""Verification that a file is a complete and sound store."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from desktop_rater.model.change import CancelCheck
from desktop_rater.store.connection import connect_immutable, interruptible, stored_version
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreTooNew, translate_errors
from desktop_rater.store.faults import STORE_CHECKS
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

# The search indexes and the lists can be recreated from these.
_CHECKED = ("schema", "database", "tasks", "gold", "ratings", "history", "received", "reviews", "signatures", "outbox")
# Excludes convenience data (`state`), data that a hub shows again, and anything derived from these tables.
_COUNTED = (
    *("bundles", "tasks", "gold", "ratings", "exports", "snapshots", "visits", "page_origins"),
    *("received", "received_ratings", "reviews", "signatures", "hubs", "outbox", "key_events", "bundle_events"),
)


class StoreCounts(msgspec.Struct, frozen=True):
    """Counts of tables that can't be recreated; equal counts: equal contents. `tables`: (name, rows, highest key)."""

    tables: tuple[tuple[str, int, int], ...]

    @property
    def ratings(self) -> int:
        return next((rows for name, rows, _ in self.tables if name == "ratings"), 0)


def count_rows(db: Database) -> StoreCounts:
    """Count the contents of a store of any version. Raises `sqlite3.Error`."""
    existing = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    counts = []
    for table in _COUNTED:
        if table in existing:
            query = f"SELECT (SELECT count(*) FROM {table}), (SELECT max(rowid) FROM {table})"  # noqa: S608 - our names
            rows, last = db.execute(query).fetchone()
            counts.append((table, rows, last or 0))
    return StoreCounts(tuple(counts))


def verify_store_file(file: Path, name: str, check_cancelled: CancelCheck) -> StoreCounts:
    """Verify and count a store's file that is not being written. Raises `StoreDamaged` or another `StoreError`."""
    with attributing_to(name, "Part of it can't be read."):
        if stored_version(file) is None:
            raise NotInStore(f"{name} does not exist.")
        # A read-only Store: no lock, and nothing else in the folder is read.
        with Store(file.parent, connect_immutable(file)) as store, interruptible(store.db.conn, check_cancelled):
            for fault in _faults(store, check_cancelled):
                raise StoreDamaged(name, fault)
            return count_rows(store.db)


@contextmanager
def attributing_to(name: str, loss: str, hint: str = "") -> Generator[None]:
    """Attribute errors to the file `name` instead of the store. `loss` as for `translate_errors`."""
    try:
        with translate_errors(loss):
            yield
    except StoreTooNew as error:
        raise StoreTooNew(f"{name} is from a newer version of this program.", error.message, error.hint) from error
    except StoreDamaged as error:
        raise StoreDamaged(f"{name} is damaged.", error.message, hint or error.hint) from error


def _faults(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    for check in _CHECKED:
        try:
            yield from STORE_CHECKS[check](store, check_cancelled)
        except (TypeError, ValueError) as error:  # a damaged row holds values that its table does not allow
            yield f"The stored data is invalid: {error}"
