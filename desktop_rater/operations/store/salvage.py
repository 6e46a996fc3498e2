"""Recover a damaged store: the newest good backup, and every later answer of the journal."""

import shutil
from collections.abc import Generator
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from desktop_rater.files import PARTIAL_SALVAGE, remove_folder, unused_path, write_durably
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time
from desktop_rater.operations.pages.stored_pages import record_pages
from desktop_rater.store import backups, bundles, mailbox, restore, schema, snapshots
from desktop_rater.store.backups import Backup
from desktop_rater.store.connection import (
    NAME,
    attach_missing_tables,
    connect_immutable,
    connect_writer,
    stored_version,
)
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, StoreTooNew, translate_errors
from desktop_rater.store.joining import join_rows, journal_and_store
from desktop_rater.store.journal import JOURNAL, JournalEntry, damaged_lines, last_keys, read_journal, rows_after
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.restore import replace_damaged
from desktop_rater.store.store import Store, StoreLock, is_held, log_is_foreign

SALVAGE_REPORT = "salvage.txt"
_COMMAND = "doctor --salvage"
_CHUNK = 1 << 20  # bytes


class SalvagedStore(msgspec.Struct, frozen=True, kw_only=True):
    """The new store, its content, and what it lacks. `aside`: folder of the damaged files, if moved.

    `backup`: name of the backup that it began with, empty without one. Of `revisions`, `joined` came after it.
    """

    store: Path
    report: Path
    aside: Path | None
    backup: str
    bundles: int
    tasks: int
    revisions: int
    joined: int
    reviews: int
    snapshots: int
    lost: tuple[str, ...]


class RecoveryOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options for a store that can't be opened: a good backup to restore, or a recovery with the journal."""

    backup: Backup | None
    salvage: bool


def recovery_options(folder: Path, error: RaterError, progress: Progress) -> RecoveryOptions:
    """Return the options; none if the store is undamaged but not usable here. May read a whole backup."""
    if not isinstance(error, StoreDamaged):
        return RecoveryOptions(backup=None, salvage=False)
    try:
        backup = backups.newest_good_backup(folder, check_cancelled=lambda: progress(0, 0))
    except StoreError:
        backup = None
    some = backup is not None or restore.store_file_of(folder).exists() or (folder / JOURNAL).exists()
    return RecoveryOptions(backup=backup, salvage=some)


def salvage_to(folder: Path, out: Path, *, now: datetime, progress: Progress) -> SalvagedStore:
    """Recover the store in `folder` in a new one at `out`, which must be empty. The old one stays unchanged.

    Raises `RaterError`, `Cancelled`; `out` is removed then.
    """
    with translate_errors(f"Nothing was saved to {out}."):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise RaterError(f"{out} is not empty.", "It needs an empty folder.", "Choose a new folder.")
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        saved = _rebuild(folder, out, progress)
        page_count, lost = _copy_snapshots(folder, out, progress)
        with translate_errors("The files of the hub could not be recovered."):
            for box in mailbox.MAILBOXES:
                mailbox.share_box(folder, box, out)
        _note_pages(out, progress)
        saved = replace(saved, snapshots=page_count, lost=(*saved.lost, *lost))
        return _reported(saved, now)
    except BaseException:
        with suppress(OSError):
            remove_folder(out)  # an incomplete store would look complete
        raise


def salvage_in_place(folder: Path, *, now: datetime, progress: Progress) -> SalvagedStore:
    """Replace the damaged store by a recovered one, and set the damaged files aside. The journal stays.

    Raises `RaterError`, `Cancelled`; everything is in its old place then.
    """
    with ExitStack() as stack:
        with translate_errors("Nothing was saved."):
            stack.callback(StoreLock(folder, command=_COMMAND, now=now).release)
        partly = folder / PARTIAL_SALVAGE
        with translate_errors("Nothing was saved."):
            remove_folder(partly)  # left by an interrupted run
            partly.mkdir(mode=0o700)
        try:
            saved = _rebuild(folder, partly, progress)
            aside = replace_damaged(folder, partly / NAME, now=now, check_cancelled=lambda: progress(0, 0))
        finally:
            shutil.rmtree(partly, ignore_errors=True)
    _note_pages(folder, progress)
    page_count = len(snapshots.list_snapshots(folder))
    report = (aside or folder) / SALVAGE_REPORT
    return _reported(replace(saved, store=folder, report=report, aside=aside, snapshots=page_count), now)


def _file_and_backup(folder: Path, progress: Progress) -> tuple[Path, Backup | None]:
    """Return the damaged file, and the newest good backup. Raises `NotInStore`, or `StoreTooNew`."""
    file = restore.store_file_of(folder)
    try:
        with translate_errors("It can't be examined."):
            stored_version(file)
    except StoreTooNew:
        raise  # it is not damaged
    except StoreError:
        pass
    backup = backups.newest_good_backup(folder, check_cancelled=lambda: progress(0, 0))
    if backup is None and not file.exists() and not (folder / JOURNAL).exists():
        raise NotInStore(f"There is no store in {folder}.", "There is nothing to salvage.")
    return file, backup


def _rebuild(folder: Path, out: Path, progress: Progress) -> SalvagedStore:
    """Make a store at `out` from the newest good backup and every later answer. Raises `StoreError`, `Cancelled`."""
    file, backup = _file_and_backup(folder, progress)
    if backup is not None:
        with translate_errors("The backup can't be read."), closing(connect_immutable(backup.path)) as db:
            backups.copy_database(db, out / NAME, progress)
            connect_writer(out / NAME).close()  # migrates it; opening it as a store would back it up first
    with open_writer(out, command=_COMMAND) as store:
        with translate_errors("The journal can't be read."):
            joined = join_rows(store, journal_and_store(folder, file, last_keys(store.db)), progress)
        stored = bundles.list_bundles(store, put_away=True)
        with store.reading("The new store can't be read.") as db:
            (revisions,) = db.execute("SELECT count(*) FROM ratings").fetchone()
    return SalvagedStore(
        store=out,
        report=out / SALVAGE_REPORT,
        aside=None,
        backup="" if backup is None else backup.path.name,
        bundles=len(stored),
        tasks=sum(row.tasks for row in stored),
        revisions=revisions,
        joined=joined.revisions,
        reviews=joined.reviews,
        snapshots=0,
        lost=(*damaged_lines(folder), *joined.notes),
    )


def _copy_snapshots(folder: Path, out: Path, progress: Progress) -> tuple[int, list[str]]:
    """Copy the intact snapshots; return their number, and a sentence for each other one."""
    lost = []
    count = 0
    for file in snapshots.list_snapshots(folder):
        progress(count, 0)
        try:
            with translate_errors(f"The snapshot {file.name} can't be read."), file.open("rb") as opened:
                snapshots.store_snapshot(out, file.name.partition(".")[0], iter(lambda: opened.read(_CHUNK), b""))
            count += 1
        except StoreError as error:
            lost.append(f"The snapshot {file.name}: {error.title}")
    return count, lost


def _note_pages(folder: Path, progress: Progress) -> None:
    names = [file.name.partition(".")[0] for file in snapshots.list_snapshots(folder)]
    with open_writer(folder, command=_COMMAND) as store:
        record_pages(store, PageOrigin(), names, progress)


def _reported(saved: SalvagedStore, now: datetime) -> SalvagedStore:
    """Write the report beside the store, or beside the damaged files, and return the outcome."""
    source = f"the backup {saved.backup}" if saved.backup else "no backup"
    summary = f"{saved.revisions} revisions of ratings, {saved.tasks} tasks of {saved.bundles} bundles"
    lines = [
        f"Saved at {format_time(now)}: {summary}, {saved.snapshots} stored pages.",
        f"From {source}, and {saved.joined} revisions and {saved.reviews} reviews that were saved after it.",
        "",
        *(saved.lost or ("No known losses.",)),
    ]
    with translate_errors("The list of losses can't be written."):
        write_durably(saved.report, ("\n".join(lines) + "\n").encode("utf-8", errors="backslashreplace"))
    return saved


_LOSS = "Nothing was joined."


class StoresJoined(Change, frozen=True, kw_only=True):
    """Counts of what was added. `conflicts`: ratings that both stores had continued; the added revisions come last.

    `damaged`: rows that do not verify; `notes`: a sentence for each thing that is only in the other store.
    """

    source: Path
    revisions: int
    reviews: int
    conflicts: tuple[str, ...]
    damaged: int
    notes: tuple[str, ...]


def join_store(store: Store, source: Path, *, progress: Progress) -> StoresJoined:
    """Add what `source` has and the store lacks: a store's folder or file, a backup, or a folder with a journal.

    Revisions of ratings and reviews are appended, never changed or removed, so that it can be repeated. A folder to
    which the store was moved is renamed once it is joined. Raises `StoreError` or `Cancelled`.
    """
    file = source / NAME if source.is_dir() else source
    if not file.exists() and not (source / JOURNAL).exists():
        raise NotInStore(f"There is no store and no journal in {source}.", _LOSS)
    entries: Generator[JournalEntry | None]
    entries = _stored_rows(store, file, progress) if file.exists() else _journaled_rows(store, source)
    with translate_errors(_LOSS), closing(entries):
        joined = join_rows(store, entries, progress)
        if file.name == NAME:
            restore.share_stored_files(file.parent, store.folder)
    if source in restore.moved_stores(store.folder) and not is_held(source):
        with suppress(OSError):  # it is offered again, and then adds nothing
            source.rename(unused_path(source.with_name(source.name.replace(", moved ", ", joined "))))
    ids = frozenset(row.id for row in bundles.list_bundles(store))
    return StoresJoined(
        bundles=ids,
        audits=ids,
        source=source,
        revisions=joined.revisions,
        reviews=joined.reviews,
        conflicts=joined.conflicts,
        damaged=joined.damaged,
        notes=joined.notes,
    )


def _stored_rows(store: Store, file: Path, progress: Progress) -> Generator[JournalEntry]:
    """Yield the rows of a verified copy of a store's file."""
    if log_is_foreign(file):
        raise StoreError("The log beside this file belongs to another file.", _LOSS, "Move the log away first.")
    ready = restore.prepare_from_file(store.folder, file, progress)
    try:
        with closing(connect_immutable(ready.path)) as db:
            if (stored_version(ready.path) or 0) < schema.schema_version():
                attach_missing_tables(db)
            yield from rows_after(db, {})
    finally:
        backups.delete_draft(ready.path)


def _journaled_rows(store: Store, folder: Path) -> Generator[JournalEntry | None]:
    """Yield the rows of the store's backups and then those of a journal, which was begun after one of them."""
    for backup in reversed(backups.list_backups(store.folder)):
        if backup.version == schema.schema_version() and backups.verify_backup(backup, lambda: None).good:
            with closing(connect_immutable(backup.path)) as db:
                yield from rows_after(db, {})
    yield from read_journal(folder)
