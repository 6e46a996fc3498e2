"""Backup of a store in one file: a zip of its database and its snapshots."""

import hashlib
import platform
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from importlib import metadata
from itertools import chain
from pathlib import Path

import msgspec

from desktop_rater import __version__
from desktop_rater.files import check_destination, file_sha256, is_stream
from desktop_rater.format.archive import snapshot_hash, snapshot_name
from desktop_rater.format.change import CancelCheck, Change, Progress
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.safe_zip import GIB, Limits, SafeZip
from desktop_rater.format.values import format_time
from desktop_rater.format.write import (
    HINT_UNCHANGED,
    QUICK,
    EntrySource,
    SnapshotSource,
    refuse_inside_store,
    write_zip,
)
from desktop_rater.operations.credentials import (
    KEYRING_TIMEOUT,
    TRUSTED_BACKENDS,
    KeyringTimeout,
    backend_name,
    call_with_timeout,
    installed_keyrings,
)
from desktop_rater.store import backups, restore, schema, snapshots
from desktop_rater.store.backups import Backup
from desktop_rater.store.connection import NAME, connect_reader, stored_version
from desktop_rater.store.doctor import DoctorFinding, DoctorReport, examine_store
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, translate_errors
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.restore import BackupCopy, backup_folder
from desktop_rater.store.store import Store, StoreLock

DATABASE = "store.sqlite3"

_ALLOWED = (r"store\.sqlite3(\.[0-9]{3})?", r"snapshots/([0-9a-f]{64}\.warc\.gz)?")
# Zip64 is not supported, so a large database is split into parts, and the zip stays below 2 GiB. The database is
# compressed to about a third of its size; snapshots are compressed already.
_PART = GIB
_MOST, _PACKED = 2_000_000_000, 2
_LIMITS = Limits(zip_bytes=2 * GIB, entries=65_000, inflated_bytes=16 * GIB, other_bytes=GIB)
_CHUNK = 1 << 20
_HINT = "Nothing was restored. Choose another backup."


class OpenBackup:
    """Open backup zip. Data can be trusted once it has been read completely, as far as zip checksums go."""

    def __init__(self, zip_file: SafeZip) -> None:
        self._door = zip_file
        self._parts = [name for name in zip_file.names if name.startswith(DATABASE)]

    @property
    def size(self) -> int:
        return sum(map(self._door.size, self._parts))

    @property
    def snapshots(self) -> tuple[str, ...]:
        return tuple(sha256 for name in self._door.names if (sha256 := snapshot_hash(name)))

    def database(self) -> Iterator[bytes]:
        return chain.from_iterable(map(self._door.chunks, self._parts))

    def snapshot(self, sha256: str) -> Iterator[bytes]:
        return self._door.chunks(snapshot_name(sha256))


@contextmanager
def open_backup(path: Path) -> Generator[OpenBackup]:
    """Open the zip of a backup. Raises `BundleError`."""
    with SafeZip(path, _ALLOWED, _LIMITS, _HINT) as zip_file:
        with zip_file.translate_errors():
            if DATABASE not in zip_file:
                raise BundleFault(f"It is not a backup: the zip has no {DATABASE}")
        yield OpenBackup(zip_file)


def write_backup(
    path: Path,
    database: Path,
    snapshots: Mapping[str, Path],
    moment: str,
    check_cancelled: CancelCheck,
    *,
    part: int = _PART,
) -> None:
    """Write a store's database, a closed file, and its snapshots (SHA-256 → file) to `path`.

    `part` is the maximum size of a database entry. Raises `BundleError`, leaving an existing file unchanged.
    """
    with bundle_errors(path, "written", HINT_UNCHANGED):
        sources: dict[str, EntrySource] = {
            snapshot_name(sha256): SnapshotSource(sha256, file) for sha256, file in snapshots.items()
        }
        size = database.stat().st_size
        if sum(source.size for source in sources.values()) + size // _PACKED > _MOST:
            raise BundleFault(
                f"The store is larger than {_MOST // 1_000_000:,} MB, which is too much for one zip",
                "Back up without a file, then copy the folders `backups` and `snapshots` of the store.",
            )
        for number, start in enumerate(range(0, size, part)):
            name = f"{DATABASE}.{number:03}" if number else DATABASE
            sources[name] = _Part(database, start, min(part, size - start), check_cancelled)
        write_zip(path, sources, moment, _LIMITS, effort=QUICK, private=True, check_cancelled=check_cancelled)


class _Part:
    """Range of a file that is not being written."""

    def __init__(self, path: Path, start: int, size: int, check_cancelled: CancelCheck) -> None:
        self._path = path
        self._start = start
        self.size = size
        digest = hashlib.sha256()
        for chunk in self.chunks():
            check_cancelled()
            digest.update(chunk)
        self.sha256 = digest.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            file.seek(self._start)
            for position in range(0, self.size, _CHUNK):
                yield file.read(min(_CHUNK, self.size - position))


class StoreCopy(Change, frozen=True, kw_only=True):
    """An unchecked copy of the store; `None` if nothing is newer than the newest good backup."""

    draft: BackupCopy | None


class BackupExport(msgspec.Struct, frozen=True, kw_only=True):
    """A backup in one file. `size`: in bytes, 0 for a stream. `left_out`: snapshots that do not match their names."""

    out: Path
    ratings: int
    size: int
    pages: int
    left_out: tuple[str, ...]


def back_up(store: Store, *, now: Callable[[], datetime], progress: Progress, always: bool = True) -> Backup | None:
    """Make a backup; unless `always`, only if something is newer than the newest good one.

    Raises `StoreError`, or `Cancelled`; no backup is made then, and earlier ones are unchanged.
    """
    newest = None if always else newest_backup(store.folder, progress)
    copied = copy_store(store, newest, progress=progress)
    return None if copied.draft is None else finish_backup(store.folder, copied.draft, now=now, progress=progress)


def newest_backup(folder: Path, progress: Progress) -> Backup | None:
    """Return the newest good backup. First step of `back_up`, for any thread."""
    return backups.newest_good_backup(folder, check_cancelled=lambda: progress(0, 0))


def copy_store(store: Store, newest: Backup | None, *, progress: Progress) -> StoreCopy:
    """Copy the store unless `newest` has everything. Second step, for the store's queue.

    The journal then begins after `newest`: with it, and with the new backup, it holds everything.
    """
    if newest is not None and newest.version == schema.schema_version() and store.journal is not None:
        store.journal.cut(newest.path, lambda: progress(0, 0))
    needed = newest is None or backups.backup_is_needed(store, newest)
    return StoreCopy(draft=backups.draft_backup(store, progress) if needed else None)


def finish_backup(
    folder: Path, draft: BackupCopy, *, now: Callable[[], datetime], progress: Progress, spare: Collection[Path] = ()
) -> Backup:
    """Check the copy and make it a backup. Last step, for any thread."""

    def check_cancelled() -> None:
        progress(0, 0)

    backup = backups.store_backup(folder, draft, now=now(), check_cancelled=check_cancelled)
    backups.prune_backups(folder, spare=(*spare, backup.path), check_cancelled=check_cancelled)
    return backup


def export_backup(store: Store, out: Path, *, now: Callable[[], datetime], progress: Progress) -> BackupExport:
    """Write database and snapshots to one zip. Raises `RaterError`; an existing file is then unchanged."""
    refuse_inside_store(store.folder, out)

    def check_cancelled() -> None:
        progress(0, 0)

    with bundle_errors(out, "written", HINT_UNCHANGED):
        folder = check_destination(out)
    draft = backups.draft_backup(store, progress, folder)
    try:
        backups.verify_draft(draft, check_cancelled)
        pages, left_out = _snapshots(store.folder, check_cancelled)
        write_backup(out, draft.path, pages, format_time(now()), check_cancelled)
    finally:
        backups.delete_draft(draft.path)
    size = 0 if is_stream(out) else out.stat().st_size
    return BackupExport(out=out, ratings=draft.ratings, size=size, pages=len(pages), left_out=left_out)


def _snapshots(folder: Path, check_cancelled: CancelCheck) -> tuple[dict[str, Path], tuple[str, ...]]:
    good, bad = {}, []
    with translate_errors("The snapshots can't be read, so nothing was written."):
        for path in snapshots.list_snapshots(folder):
            check_cancelled()
            sha256 = file_sha256(path)
            if path.name.startswith(sha256):
                good[sha256] = path
            else:
                bad.append(path.name)
    return good, tuple(bad)


_LIST = "`backup --list` shows all backups."


class RestoredBackup(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome. `replaced`: folder of the replaced store, `None` if there was none.

    `backed_up`: backup made of it before, if it had new content; `not_backed_up`: reason if that failed.
    """

    source: Path
    ratings: int
    replaced: Path | None
    backed_up: Path | None = None
    not_backed_up: str = ""


class RestorePlan(msgspec.Struct, frozen=True):
    """A restore that is ready to be put in place. `not_backed_up`: reason why the current store was not backed up."""

    ready: BackupCopy
    not_backed_up: str = ""


def find_backup(folder: Path, name: str | None) -> Path:
    """Return the file a user names: a path, a backup's name or its beginning; by default the newest good one.

    Raises `NotInStore`.
    """
    if name is None:
        newest = backups.newest_good_backup(folder)
        if newest is None:
            raise NotInStore("There is no good backup of this store.", f"Looked in {backup_folder(folder)}.")
        return newest.path
    if Path(name).is_file():
        return Path(name)
    paths = [backup.path for backup in backups.list_backups(folder) if name and backup.path.name.startswith(name)]
    if len(paths) != 1:
        description = "no backup and no file" if not paths else f"the beginning of {len(paths)} backups"
        raise NotInStore(f"{name!r} is {description}.", "Nothing was restored.", _LIST)
    return paths[0]


def restore_backup(
    folder: Path, source: Path, *, command: str, now: Callable[[], datetime], progress: Progress
) -> RestoredBackup:
    """Replace the store in `folder`, damaged or not, by a backup, another store's file, or a backup's zip.

    Raises `RaterError`, such as `StoreTaken` while it is open, or `Cancelled`; the store is unchanged then.
    """
    with ExitStack() as stack:
        stack.callback(_lock_store(folder, command, now).release)
        backed_up, why_not = _back_up(folder, source, now, progress)
        ready = _make_ready(folder, source, progress)
        replaced = restore.apply_restore(folder, ready, now=now())
    with translate_errors("The backup was restored, but could not be upgraded to the current format."):
        older = (stored_version(folder / NAME) or 0) < schema.schema_version()
    if older:
        open_writer(folder, command=command, now=now()).close()
    return RestoredBackup(
        source=source, ratings=ready.ratings, replaced=replaced, backed_up=backed_up, not_backed_up=why_not
    )


def prepare_restore(
    folder: Path,
    source: Path,
    draft: BackupCopy | None,
    *,
    why_not: str,
    now: Callable[[], datetime],
    progress: Progress,
) -> RestorePlan:
    """Put a checked copy of a backup beside the store, which may be open, after keeping `draft`, a copy of the store.

    Without one, `why_not` gives the reason. Raises `RaterError`, or `Cancelled`.
    """
    if draft is not None:
        _, why_not = _keep(folder, draft, source, now, progress)
    return RestorePlan(_make_ready(folder, source, progress), why_not)


def _make_ready(folder: Path, source: Path, progress: Progress) -> BackupCopy:
    if source.suffix.lower() != ".zip":
        _refuse_altered(source, progress)
        return restore.prepare_from_file(folder, source, progress)
    with open_backup(source) as backup:
        ready = restore.prepare_from_chunks(folder, source, backup.database(), progress, size=backup.size)
        try:
            for sha256 in backup.snapshots:
                progress(0, 0)
                snapshots.store_snapshot(folder, sha256, backup.snapshot(sha256))
        except BaseException:
            backups.delete_draft(ready.path)
            raise
    return ready


def finish_restore(folder: Path, ready: BackupCopy, *, command: str, now: Callable[[], datetime]) -> Path | None:
    """Replace the closed store by the prepared copy; return where the old one is, if there was one."""
    with ExitStack() as stack:
        stack.callback(_lock_store(folder, command, now).release)
        return restore.apply_restore(folder, ready, now=now())


def _lock_store(folder: Path, command: str, now: Callable[[], datetime]) -> StoreLock:
    with translate_errors(f"The store in {folder} can't be restored."):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = StoreLock(folder, command=command, now=now())
        try:
            restore.complete_restore(folder, now=now())  # finish an interrupted restore
        except BaseException:
            lock.release()
            raise
        return lock


def _back_up(folder: Path, source: Path, now: Callable[[], datetime], progress: Progress) -> tuple[Path | None, str]:
    """Back up the current store; return the backup or the reason. Raises `StoreError` for a foreign file."""
    try:
        with translate_errors("The current store can't be read."):
            if stored_version(folder / NAME) is None:
                return None, ""
    except StoreDamaged as damaged:
        return None, damaged.title
    try:
        newest = newest_backup(folder, progress)
        with translate_errors("The current store can't be read."):
            current = Store(folder, connect_reader(folder / NAME))
        with current:
            copied = copy_store(current, newest, progress=progress)
    except StoreError as error:
        return None, f"{error.title} {error.message}"
    return _keep(folder, copied.draft, source, now, progress)


def _keep(
    folder: Path, draft: BackupCopy | None, source: Path, now: Callable[[], datetime], progress: Progress
) -> tuple[Path | None, str]:
    """Return the backup, or the reason without one: that stops nothing, since the store is set aside whole."""
    if draft is None:
        return None, ""
    try:
        return finish_backup(folder, draft, now=now, progress=progress, spare=(source,)).path, ""
    except StoreError as error:
        return None, f"{error.title} {error.message}"


def _refuse_altered(source: Path, progress: Progress) -> None:
    """Raise if a backup no longer matches the checksum in its name."""
    backup = backups.backup_of_file(source)
    if backup is not None and not backups.verify_backup(backup, lambda: progress(0, 0)).good:
        raise StoreDamaged(
            "The backup has changed since it was made.",
            f"{source.name} was altered or damaged. Nothing was restored.",
            f"Choose another backup: {_LIST}",
        )


_NONE = {"keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"}


def check_store(
    folder: Path,
    progress: Progress | None = None,
    *,
    backends: Callable[[], list[str]] | None = None,
    timeout: float = KEYRING_TIMEOUT,
) -> DoctorReport:
    """Run `examine_store`, and add notes on the environment. `backends`: names of the keyrings, best first.

    Raises `Cancelled`.
    """
    report = examine_store(folder, progress)
    try:
        qt = f"Qt by PySide6 {metadata.version('PySide6_Essentials')}"
    except metadata.PackageNotFoundError:
        qt = "no PySide6"
    versions = f"Desktop Rater {__version__}, Python {platform.python_version()}, {qt}."
    notes = (DoctorFinding("versions", versions), _keyring(backends or keyring_backends, timeout))
    return msgspec.structs.replace(report, notes=(*report.notes, *notes))


def keyring_backends() -> list[str]:
    """Return the names of the keyrings the library would use, best first; may be slow."""
    return [backend_name(keyring) for keyring in installed_keyrings()]


def _keyring(backends: Callable[[], list[str]], timeout: float) -> DoctorFinding:
    try:
        names = call_with_timeout(backends, timeout)
    except KeyringTimeout:
        return DoctorFinding("keyring", f"The keyring did not answer within {timeout:g} s. Secrets can't be stored.")
    except Exception as error:  # noqa: BLE001 - backends may raise anything, which does not concern the store
        return DoctorFinding("keyring", f"The keyring can't be used ({type(error).__name__}). Secrets can't be stored.")
    trusted = next((name for name in names if name in TRUSTED_BACKENDS), None)
    others = [name for name in names if name not in _NONE]
    text = "This system has no keyring. Secrets must be entered at each start."
    if trusted is not None:
        text = f"Secrets are stored in {TRUSTED_BACKENDS[trusted]} ({trusted})."
    elif others:
        text = f"The only keyring is {others[0]}, which is not known to be secure. Secrets can't be stored."
    return DoctorFinding("keyring", text)
