"""Opening of a store: one writer, and concurrent readers."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

from desktop_rater.files import PARTIAL_SALVAGE, keep_private, make_private_folder, retry_while_open
from desktop_rater.format.change import Progress
from desktop_rater.store import bundles, mailbox, restore, schema, snapshots
from desktop_rater.store.connection import (
    NAME,
    attach_missing_tables,
    connect_reader,
    connect_writer,
    create_database,
    incomplete_creation,
    stored_version,
)
from desktop_rater.store.errors import StoreDamaged, StoreError, translate_errors
from desktop_rater.store.journal import JOURNAL
from desktop_rater.store.store import Store, StoreLock, log_is_foreign, read_holder, wal_is_missing

# Of what is in the folder, these belong to the store.
_PRIVATE = (
    *(NAME, f"{NAME}-wal", f"{NAME}-shm", JOURNAL, "lock", "backups", "snapshots"),
    *(*mailbox.MAILBOXES, restore.REPLACED_STORES, restore.DAMAGED_STORES),
)

FOREIGN_LOG = "The log beside the store's file belongs to another file."
_FOREIGN_LOG_HINT = "Close the window that uses it, then open the store: the log is set aside, and nothing is replayed."

# Steps of migrating an older store, in this order.
MigrationStage = Literal["copy", "check", "update"]


def needs_migration(folder: Path) -> bool:
    """Tell if the next writer has to migrate the store. Raises `StoreError`."""
    with translate_errors(f"The store in {folder} can't be read."):
        version = stored_version(restore.store_file_of(folder))
        return version is not None and version < schema.schema_version()


def open_writer(
    folder: Path,
    *,
    command: str,
    now: datetime | None = None,
    updating: Callable[[MigrationStage], Progress] = lambda _stage: Progress(),
) -> Store:
    """Open the store in `folder` for writing, creating it if missing, and clean up after a killed run.

    `command` and `now` (aware; default: the clock) tell other processes who holds it. An older store is backed up
    before it is migrated; `updating` provides the progress of each of these long stages. Raises `StoreTaken`,
    `StoreTooNew`, `StoreDamaged` or another `StoreError`, or `Cancelled`; a refused file is unchanged.
    """
    now = now or datetime.now(UTC)
    with translate_errors(f"The store in {folder} can't be opened."):
        make_private_folder(folder)
        gone, unclean = wal_is_missing(folder), read_holder(folder) is not None
        lock = StoreLock(folder, command=command, now=now)
        try:
            restore.complete_restore(folder, now=now)
            for file in incomplete_creation(folder):
                retry_while_open(file.unlink)
            for name in _PRIVATE:  # an older version left their rights to the umask
                keep_private(folder / name)
            if not (folder / NAME).exists():
                _refuse_gone(folder)
            foreign = restore.set_log_aside(folder, now=now, journal=True) if log_is_foreign(folder / NAME) else None
            version = stored_version(folder / NAME)
            if version is None:
                create_database(folder / NAME)
            elif version < schema.schema_version():
                _back_up(folder, now, updating)
                connect_writer(folder / NAME, check_cancelled=partial(updating("update"), 0, 0)).close()
            store = Store(folder, connect_writer(folder / NAME), lock)
            store.log_was_gone, store.foreign_log = gone, foreign
            if unclean:
                _catch_up_journal(store)
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
    """Open the store in `folder` read-only, also next to a writer; `None` if there is none. Never creates one.

    An older store is read as it is: tables that it lacks are empty.

    Raises `StoreTooNew`, `StoreDamaged` or another `StoreError`.
    """
    with translate_errors(f"The store in {folder} can't be read."):
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is not a folder.", "A store is a folder.", "Name the folder with --store.")
        file = restore.store_file_of(folder)
        if file.exists() and log_is_foreign(file):
            raise StoreError(FOREIGN_LOG, f"{file} was replaced while it was open.", _FOREIGN_LOG_HINT)
        version = stored_version(file)
        if version is None:
            _refuse_gone(folder)
            return None
        db = connect_reader(file)
        if version < schema.schema_version():
            try:
                attach_missing_tables(db)
            except BaseException:
                db.close()
                raise
        return Store(folder, db)


def _refuse_gone(folder: Path) -> None:
    """Raise if there are backups but no store: a new, empty one would hide the loss."""
    from desktop_rater.store import backups  # noqa: PLC0415 - only when it is used

    if backups.list_backups(folder):
        raise StoreDamaged("The store's file is missing.", f"{folder / NAME} no longer exists, but its backups do.")


def _back_up(folder: Path, now: datetime, updating: Callable[[MigrationStage], Progress]) -> None:
    """Back up the store before its tables change. Raises `StoreError` or `Cancelled`, and then nothing changes."""
    from desktop_rater.store import backups  # noqa: PLC0415 - only when it is used

    try:
        with Store(folder, connect_reader(folder / NAME)) as old:
            # A start that was killed or cancelled after its backup does not repeat it.
            newest = backups.newest_good_backup(folder, check_cancelled=partial(updating("check"), 0, 0))
            if not backups.backup_is_needed(old, newest):
                return
            made = backups.draft_backup(old, updating("copy"))
        check_cancelled = partial(updating("check"), 0, 0)
        backups.store_backup(folder, made, now=now, check_cancelled=check_cancelled)
        backups.prune_backups(folder, check_cancelled=check_cancelled)
    except StoreError as error:
        title = "The store was not updated because it could not be backed up first."
        raise type(error)(title, f"{error.title} {error.message}", error.hint) from error


def _catch_up_journal(store: Store) -> None:
    """Journal what a program that ended without closing the store has committed since the newest backup."""
    from desktop_rater.store import backups  # noqa: PLC0415 - only when it is used

    assert store.journal is not None, "the store was opened for writing"
    with suppress(StoreError, OSError):  # the backup of this start holds all of it
        newest = next((backup for backup in backups.list_backups(store.folder) if backup.usable), None)
        if newest is None or newest.version == schema.schema_version():
            store.journal.catch_up(store.db, {} if newest is None else backups.last_keys_of(newest))


def unfinished_results(store: Store) -> list[int]:
    """Return the keys of incompletely stored results."""
    with store.reading("Nothing can be shown.") as db:
        return [key for (key,) in db.execute("SELECT key FROM received WHERE NOT ready ORDER BY key")]


def _sweep(store: Store) -> None:
    for key in bundles.unfinished_imports(store):
        bundles.drop_import(store, key)
    for key in unfinished_results(store):
        from desktop_rater.store.received import drop_results  # noqa: PLC0415 - only when it is used

        drop_results(store, key)
    shutil.rmtree(store.folder / PARTIAL_SALVAGE, ignore_errors=True)
    snapshots.delete_unfinished_snapshots(store.folder)
    mailbox.delete_leftovers(store)
    restore.delete_unfinished_backups(store.folder)
