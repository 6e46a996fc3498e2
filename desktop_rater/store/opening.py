"""Opening a store: one writer, and readers beside it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal

from desktop_rater.model.progress import Progress
from desktop_rater.store import backups, boxes, bundles, received, restore, schema, snapshots
from desktop_rater.store.connection import NAME, begun, connect_reader, connect_writer, create, version_of
from desktop_rater.store.durable import PARTLY_SALVAGED
from desktop_rater.store.later import stand_in
from desktop_rater.store.lock import Lock
from desktop_rater.store.log import log_is_gone
from desktop_rater.store.store import Store
from desktop_rater.store.trouble import StoreDamaged, StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# What is done with a store of an older version, in this order.
Stage = Literal["copy", "check", "update"]


def _untold(_stage: Stage) -> Progress:
    return Progress()


def is_older(folder: Path) -> bool:
    """Whether the next program that opens the store for writing has to bring it up to date. Raises `StoreError`."""
    with translating(f"The store in {folder} can't be read."):
        version = version_of(restore.file_of(folder))
        return version is not None and version < schema.version()


def open_writer(
    folder: Path, *, command: str, now: datetime | None = None, updating: Callable[[Stage], Progress] = _untold
) -> Store:
    """The store in `folder`, made where there is none, with the right to write and without what a killed run left.

    `command` and `now` (aware; the clock where it is missing) tell others who holds it. A store of an older version is
    backed up before it is brought up to date; `updating` is asked for the progress of each stage of that, which takes
    long. Raises `StoreTaken`, `StoreTooNew`, `StoreDamaged` or another `StoreError`, or `Cancelled`; a file that is
    refused stays as it is.
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
                _back_up(folder, now, updating)
                connect_writer(folder / NAME, look=partial(updating("update"), 0, 0)).close()
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

    One of an older version is read as it is: what it has no tables for it holds nothing of.

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
        db = connect_reader(file)
        if version < schema.version():
            try:
                stand_in(db)
            except BaseException:
                db.close()
                raise
        return Store(folder, db)


def _refuse_gone(folder: Path) -> None:
    """Where there are backups there was a store. A new, empty one would hide that, and its backups push out theirs."""
    if backups.listed(folder):
        raise StoreDamaged("The store's file is gone.", f"{folder / NAME} is not there any more, and its backups are.")


def _back_up(folder: Path, now: datetime, updating: Callable[[Stage], Progress]) -> None:
    """Before the tables change. Raises `StoreError` or `Cancelled`, and then they don't."""
    try:
        with Store(folder, connect_reader(folder / NAME)) as old:
            # A start that was killed or cancelled after its backup does not make the same once more.
            newest = backups.newest_good(folder, look=partial(updating("check"), 0, 0))
            if not backups.is_needed(old, newest):
                return
            made = backups.draft(old, updating("copy"))
        look = partial(updating("check"), 0, 0)
        backups.keep(folder, made, now=now, look=look)
        backups.prune(folder, look=look)
    except StoreError as error:
        title = "The store is not brought up to date, since it could not be backed up before."
        raise type(error)(title, f"{error.title} {error.message}", error.hint) from error


def _sweep(store: Store) -> None:
    for key in bundles.unready(store):
        bundles.drop(store, key)
    for key in received.unready(store):
        received.drop(store, key)
    shutil.rmtree(store.folder / PARTLY_SALVAGED, ignore_errors=True)
    snapshots.sweep(store.folder)
    boxes.sweep(store)
    backups.sweep(store.folder)
