"""Opening a store: one writer, and readers beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import bundles, schema, snapshots
from desktop_rater.store.connection import NAME, begun, connect_reader, connect_writer, create, version_of
from desktop_rater.store.lock import Lock
from desktop_rater.store.store import Store
from desktop_rater.store.trouble import StoreError, translating

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


def open_writer(folder: Path, *, command: str, now: datetime | None = None) -> Store:
    """The store in `folder`, made where there is none, with the right to write and without what a killed run left.

    `command` and `now` (aware; the clock where it is missing) tell others who holds it. Raises `StoreTaken`,
    `StoreTooNew`, `StoreDamaged` or another `StoreError`; a file that is refused stays as it is.
    """
    with translating(f"The store in {folder} can't be opened."):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = Lock(folder, command=command, now=now)
        try:
            for left in begun(folder):
                left.unlink()
            if version_of(folder / NAME) is None:
                create(folder / NAME)
            store = Store(folder, connect_writer(folder / NAME), lock)
        except BaseException:
            lock.release()
            raise
    try:
        _sweep(store)
    except BaseException:
        store.close()
        raise
    return store


def open_reader(folder: Path) -> Store | None:
    """The store in `folder` for looking only, also beside a writer; `None` where there is none. It makes no store.

    Raises `StoreTooNew`, `StoreDamaged` or another `StoreError`.
    """
    with translating(f"The store in {folder} can't be read."):
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is not a folder.", "A store is one.", "Name the folder with --store.")
        version = version_of(folder / NAME)
        if version is None:
            return None
        if version < schema.version():
            raise StoreError(
                "The store is from an older version of this program.",
                f"It has format {version}, and this program reads {schema.version()}.",
                "Open it once for writing, for example with the window: that brings it up to date.",
            )
        return Store(folder, connect_reader(folder / NAME))


def _sweep(store: Store) -> None:
    for key in bundles.unready(store):
        bundles.drop(store, key)
    snapshots.sweep(store.folder)
