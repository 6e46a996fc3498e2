"""Join another store, a copy of one, or a journal to the store: what it lacks is added, and nothing is replaced."""

from collections.abc import Generator
from contextlib import closing, suppress
from pathlib import Path

from desktop_rater.files import unused_path
from desktop_rater.model.change import Change, Progress
from desktop_rater.store import backups, bundles, restore, schema
from desktop_rater.store.connection import NAME, attach_missing_tables, connect_immutable, stored_version
from desktop_rater.store.errors import NotInStore, StoreError, translate_errors
from desktop_rater.store.joining import join_rows
from desktop_rater.store.journal import JOURNAL, JournalEntry, read_journal, rows_after
from desktop_rater.store.open_files import log_is_foreign
from desktop_rater.store.store import Store, is_held

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
