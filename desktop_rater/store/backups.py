"""Backups of a store: named by number, time, format and SHA-256, and read completely before they count."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.files import create_partial, file_sha256, rename_durably, retry_while_open, sync_folder
from desktop_rater.format.change import CancelCheck, Progress
from desktop_rater.format.values import format_time, parse_time
from desktop_rater.store import schema
from desktop_rater.store.connection import NAME, connect_immutable, interruptible, refuse_long_path, stored_version
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, StoreTooNew, translate_errors
from desktop_rater.store.faults import STORE_CHECKS
from desktop_rater.store.journal import last_keys
from desktop_rater.store.restore import BackupCopy, StoreCounts, backup_folder, rating_count
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

# The search indexes and the lists can be recreated from these.
_CHECKED = ("schema", "database", "tasks", "gold", "ratings", "history", "received", "reviews", "signatures", "outbox")
# Excludes convenience data (`state`), data that a hub shows again, and anything derived from these tables.
_COUNTED = (
    *("bundles", "tasks", "gold", "ratings", "exports", "snapshots", "visits", "page_origins"),
    *("received", "received_ratings", "reviews", "signatures", "hubs", "outbox", "key_events", "bundle_events"),
)


def count_rows(db: Database) -> StoreCounts:
    """Count the contents of a store of any version. Raises `sqlite3.Error`."""
    existing = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    counts = []
    for table in _COUNTED:
        if table in existing:
            query = f"SELECT (SELECT count(*) FROM {table}), (SELECT max(rowid) FROM {table})"  # noqa: S608 - our names
            rows, last = db.execute(query).fetchone()
            counts.append((table, rows, last or 0))
    return tuple(counts)


def verify_store_file(file: Path, name: str, check_cancelled: CancelCheck) -> StoreCounts:
    """Verify and count a store's file that is not being written. Raises `StoreDamaged` or another `StoreError`."""
    with attributing_to(name, "Part of it can't be read."):
        if stored_version(file) is None:
            raise NotInStore(f"{name} does not exist.")
        # A read-only Store: no lock, and nothing else in the folder is read.
        with Store(file.parent, connect_immutable(file)) as store, interruptible(store.db, check_cancelled):
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


_PAGES = 128  # a step of about a millisecond: answers can be saved in between

# The copy is not read before it is complete and synced, and is discarded if interrupted.
_UNSYNCED = ("synchronous = OFF", "journal_mode = MEMORY")


def copy_database(source: sqlite3.Connection, target: Path, progress: Callable[[int, int], None]) -> None:
    """Copy `source` into the file `target`, a single file without companions.

    `progress` is called with the pages done and the total, but not after the last page, and may raise. Anything that
    `source` writes during that call goes into the copy. Raises `sqlite3.Error`.
    """

    def step(_status: int, left: int, pages: int) -> None:
        if left:
            progress(pages - left, pages)

    refuse_long_path(target)
    with closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)) as copy:
        for pragma in _UNSYNCED:
            copy.execute(f"PRAGMA {pragma}")
        source.backup(copy, pages=_PAGES, progress=step, sleep=0.05)
    with closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")  # the copied header says WAL


BACKUPS_KEPT = 5
FREE_SPACE_FACTOR = 2  # times the size of the store that must be free

_NAME = re.compile(r"(\d{5,})-(\d{8}T\d{6}Z)-format(\d+)-([0-9a-f]{16})\.sqlite3")
_LOSS = "No backup was made."


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """A named backup. `number` grows from one backup to the next, regardless of the clock; `made` is a time.

    `ratings` counts the revisions in it, `None` if unreadable. `good` tells if its bytes are those verified when it was
    made; `None` if that has not been checked.
    """

    path: Path
    number: int
    made: str
    version: int
    size: int
    ratings: int | None
    good: bool | None

    @property
    def usable(self) -> bool:
        """Tell if this program can restore it, as far as is known."""
        return self.good is not False and self.version <= schema.schema_version()


def list_backups(folder: Path, *, check_cancelled: CancelCheck | None = None) -> tuple[Backup, ...]:
    """Return the backups of a store, newest first. With `check_cancelled` each is read and `good` is set."""
    with translate_errors("The backups can't be listed."):
        backups = [backup for path in backup_folder(folder).glob("*.sqlite3") if (backup := backup_of_file(path))]
        backups.sort(key=lambda candidate: (candidate.number, candidate.path.name), reverse=True)
        return tuple(
            backups if check_cancelled is None else (verify_backup(candidate, check_cancelled) for candidate in backups)
        )


def verify_backup(backup: Backup, check_cancelled: CancelCheck) -> Backup:
    """Return the backup with `good` determined; an unreadable file is not good."""
    try:
        name = _NAME.fullmatch(backup.path.name)
        good = (
            backup.good is not False
            and name is not None
            and file_sha256(backup.path, check_cancelled).startswith(name[4])
        )
    except OSError:
        good = False
    return msgspec.structs.replace(backup, good=good)


def newest_good_backup(folder: Path, *, check_cancelled: CancelCheck = lambda: None) -> Backup | None:
    """Return the latest intact backup that this program can restore."""
    ours = (backup for backup in list_backups(folder) if backup.usable)
    return next((candidate for backup in ours if (candidate := verify_backup(backup, check_cancelled)).good), None)


def last_keys_of(backup: Backup) -> dict[str, int]:
    """Return the key of the last row of each journaled table in a backup of this version. Raises `StoreError`."""
    with translate_errors("The backup can't be read."), closing(connect_immutable(backup.path)) as db:
        return last_keys(db)


def backup_is_needed(store: Store, newest: Backup | None) -> bool:
    """Tell if the store holds something that its newest good backup does not."""
    with translate_errors(_LOSS):
        if newest is None:
            return True
        return (newest.version, _holdings_of(newest.path)) != (_version(store), count_rows(store.db))


def draft_backup(store: Store, progress: Progress, place: Path | None = None) -> BackupCopy:
    """Copy the contents of a store into an unnamed file, in its backup folder or in `place`.

    For the thread that owns the store's connection: `progress` is called between short steps, and anything written
    meanwhile goes into the copy. Raises `StoreError` or `Cancelled` and then leaves nothing behind.
    """
    with translate_errors(_LOSS):
        place = place or _create_folder(store.folder)
        title = "There is not enough disk space for a backup."
        check_free_space(database_size(store.folder / NAME), shutil.disk_usage(place).free, title, _LOSS)
        path = create_partial(place)
        try:
            with store.snapshot_isolation():
                store.db.execute(
                    "SELECT 1 FROM sqlite_schema"
                ).fetchone()  # a read transaction begins with its first read
                copy_database(store.db, path, progress)
                return BackupCopy(path, count_rows(store.db), _version(store))
        except BaseException:
            delete_draft(path)
            raise


def verify_draft(draft: BackupCopy, check_cancelled: CancelCheck) -> None:
    """Read the whole copy. Raises `StoreDamaged` if it is damaged or incomplete."""
    actual = verify_store_file(draft.path, "The backup", check_cancelled)
    if actual != draft.holdings:
        raise StoreDamaged("The backup is incomplete.", _LOSS)


def store_backup(
    folder: Path, draft: BackupCopy, *, now: datetime, check_cancelled: CancelCheck = lambda: None
) -> Backup:
    """Verify a copy and give it its name. Uses no connection of a store.

    Raises `StoreError` or `Cancelled`; then nothing is left behind and the earlier backups are unchanged.
    """
    try:
        with translate_errors(_LOSS):
            verify_draft(draft, check_cancelled)
            number = max((backup.number for backup in list_backups(folder)), default=0) + 1
            digest = file_sha256(draft.path, check_cancelled)
            stamp = format_time(now).replace("-", "").replace(":", "")
            name = f"{number:05}-{stamp}-format{draft.version}-{digest[:16]}.sqlite3"
            path = backup_folder(folder) / name
            with draft.path.open("rb+") as file:
                rename_durably(file, draft.path, path)
            return Backup(
                path=path,
                number=number,
                made=format_time(now),
                version=draft.version,
                size=path.stat().st_size,
                ratings=draft.ratings,
                good=True,
            )
    finally:
        delete_draft(draft.path)


def prune_backups(folder: Path, *, spare: Collection[Path] = (), check_cancelled: CancelCheck = lambda: None) -> None:
    """Delete backups older than the last five good ones, except `spare`. Bad ones do not count."""
    backups = list_backups(folder)
    good = 0
    with translate_errors("The oldest backups are not removed."):
        for backup in backups if len(backups) > BACKUPS_KEPT else ():
            if good == BACKUPS_KEPT:
                if backup.path not in spare:
                    retry_while_open(backup.path.unlink, missing_ok=True)
            elif backup.usable:
                good += bool(verify_backup(backup, check_cancelled).good)


def delete_draft(path: Path) -> None:
    """Delete an unfinished copy and SQLite's companion files."""
    for file in path.parent.glob(f"{path.name}*"):
        retry_while_open(file.unlink, missing_ok=True)


def _create_folder(folder: Path) -> Path:
    place = backup_folder(folder)
    if not place.exists():
        place.mkdir(mode=0o700)
        sync_folder(folder)
    return place


def _version(store: Store) -> int:
    return store.db.execute("PRAGMA user_version").fetchone()[0]


def database_size(file: Path) -> int:
    """Return the size of a database and its WAL in bytes; 0 if it does not exist."""
    files = (file, file.with_name(f"{file.name}-wal"))
    return sum(path.stat().st_size for path in files if path.exists())


def check_free_space(size: int, free: int, title: str, loss: str) -> None:
    """Raise `StoreError` with `title` if a copy of a store of `size` bytes could fill the disk."""
    if free < FREE_SPACE_FACTOR * size:
        needed = FREE_SPACE_FACTOR * size // 1_000_000 + 1
        why = f"It takes up to {needed} MB, and {free // 1_000_000} MB are free. {loss}"
        raise StoreError(title, why, "Free some disk space, then try again.")


def backup_of_file(path: Path) -> Backup | None:
    """Describe a backup without reading the whole file; `None` if it does not have the name of a backup."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        return None
    stamp = name[2]
    made = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:]}"
    try:
        parse_time(made)
        size = path.stat().st_size
    except (ValueError, OSError):
        return None
    version = int(name[3])
    contents = _holdings_of(path) if version <= schema.schema_version() else None
    bad = contents is None and version <= schema.schema_version()
    return Backup(
        path=path,
        number=int(name[1]),
        made=made,
        version=version,
        size=size,
        ratings=rating_count(contents) if contents is not None else None,
        good=False if bad else None,
    )


def _holdings_of(path: Path) -> StoreCounts | None:
    try:
        if stored_version(path) is None:
            return None
        db = connect_immutable(path)
        try:
            return count_rows(db)
        finally:
            db.close()
    except (StoreError, sqlite3.Error, OSError, UnicodeDecodeError):
        return None
