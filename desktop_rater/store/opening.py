"""Opening a store: one writer, and readers beside it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from desktop_rater.model.progress import Progress
from desktop_rater.store import backups, bundles, restore, schema, snapshots
from desktop_rater.store.connection import NAME, begun, connect_reader, connect_writer, create, version_of
from desktop_rater.store.lock import Lock
from desktop_rater.store.log import log_is_gone
from desktop_rater.store.store import Store
from desktop_rater.store.trouble import StoreDamaged, StoreError, translating

if TYPE_CHECKING:
    from pathlib import Path


def open_writer(folder: Path, *, command: str, now: datetime | None = None) -> Store:
    """The store in `folder`, made where there is none, with the right to write and without what a killed run left.

    `command` and `now` (aware; the clock where it is missing) tell others who holds it. A store of an older version is
    backed up before it is brought up to date. Raises `StoreTaken`, `StoreTooNew`, `StoreDamaged` or another
    `StoreError`; a file that is refused stays as it is.
    """
    now = now or datetime.now(UTC)
    with translating(f"The store in {folder} can't be opened."):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        gone = log_is_gone(folder)
        lock = Lock(folder, command=command, now=now)
        try:
            restore.carry_out(folder, now=now)
            for left in begun(folder):
                left.unlink()
            version = version_of(folder / NAME)
            if version is None:
                _refuse_gone(folder)
                create(folder / NAME)
            elif version < schema.version():
                _back_up(folder, now)
            store = Store(folder, connect_writer(folder / NAME), lock)
            store.log_was_gone = gone
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
        file = restore.file_of(folder)
        version = version_of(file)
        if version is None:
            _refuse_gone(folder)
            return None
        if version < schema.version():
            raise StoreError(
                "The store is from an older version of this program.",
                f"It has format {version}, and this program reads {schema.version()}.",
                "Open it once for writing, for example with the window: that brings it up to date.",
            )
        return Store(folder, connect_reader(file))


def _refuse_gone(folder: Path) -> None:
    """Where there are backups there was a store. A new, empty one would hide that, and its backups push out theirs."""
    if backups.listed(folder):
        raise StoreDamaged("The store's file is gone.", f"{folder / NAME} is not there any more, and its backups are.")


def _back_up(folder: Path, now: datetime) -> None:
    """Before the tables change. Raises `StoreError`, and then they don't."""
    try:
        with Store(folder, connect_reader(folder / NAME)) as old:
            made = backups.draft(old, Progress())
        backups.keep(folder, made, now=now)
        backups.prune(folder)
    except StoreError as error:
        title = "The store is not brought up to date, since it could not be backed up before."
        raise type(error)(title, f"{error.title} {error.message}", error.hint) from error


def _sweep(store: Store) -> None:
    for key in bundles.unready(store):
        bundles.drop(store, key)
    snapshots.sweep(store.folder)
    backups.sweep(store.folder)
