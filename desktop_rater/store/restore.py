"""Replacing a store with a backup or a rebuilt one, moving one that another program has changed."""

import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from desktop_rater.files import (
    PARTIAL_SUFFIX,
    create_partial,
    make_private_folder,
    remove_leftovers,
    retry_while_open,
    sync_file,
    sync_folder,
    unused_path,
)
from desktop_rater.format.change import CancelCheck, Progress
from desktop_rater.format.values import format_time
from desktop_rater.paths import KEY_FOLDER, SETTINGS_NAME, settings_file
from desktop_rater.store import mailbox, snapshots
from desktop_rater.store.connection import NAME, connect_reader, stored_version
from desktop_rater.store.errors import NotInStore, StoreDamaged, translate_errors
from desktop_rater.store.journal import JOURNAL
from desktop_rater.store.store import Store

_RESTORED = f"{NAME}.restored"
REPLACED_STORES = "replaced"  # folder of the stores that a backup has replaced
DAMAGED_STORES = "set-aside"  # folder of the stores that a recovered one has replaced
_UNDER_WAY = "under-way"
_FILES = tuple(f"{NAME}{end}" for end in ("", "-wal", "-shm", "-journal"))
_LOSS = "Nothing was restored, and the store is unchanged."
_ANOTHER = "Choose another backup."


def backup_folder(folder: Path) -> Path:
    """Return the folder of a store's backups."""
    return folder / "backups"


def unfinished_backups(folder: Path) -> list[Path]:
    """Return the unfinished files that a killed process left among the backups."""
    return sorted(backup_folder(folder).glob(f".*{PARTIAL_SUFFIX}*"))


def delete_unfinished_backups(folder: Path) -> None:
    """Delete them, as far as no other program has them open."""
    remove_leftovers(unfinished_backups(folder))


StoreCounts = tuple[tuple[str, int, int], ...]
"""Name, rows and highest key of each table that can't be recreated; equal counts: equal contents."""


def rating_count(holdings: StoreCounts) -> int:
    """Return the number of revisions of ratings."""
    return next((rows for name, rows, _ in holdings if name == "ratings"), 0)


class BackupCopy(NamedTuple):
    """A copy of a backup in the store's folder, or one that becomes a backup: its contents and format version."""

    path: Path
    holdings: StoreCounts
    version: int = 0

    @property
    def ratings(self) -> int:
        return rating_count(self.holdings)


def prepare_from_file(folder: Path, source: Path, progress: Progress) -> BackupCopy:
    """Copy a backup or any store's file into the store's folder and verify the copy, or leave nothing behind."""
    from desktop_rater.store.backups import copy_database, database_size  # noqa: PLC0415 - only when it is used

    def fill(target: Path) -> None:
        if stored_version(source) is None:
            raise NotInStore(f"There is no {source}.", _LOSS)
        with closing(connect_reader(source)) as db:
            copy_database(db, target, progress)

    return prepare_copy(folder, source, fill, lambda: progress(0, 0), size=database_size(source))


def prepare_from_chunks(
    folder: Path, source: Path, chunks: Iterable[bytes], progress: Progress, *, size: int
) -> BackupCopy:
    """Prepare a restore from an archive named `source`. `chunks` are one file without companions."""

    def fill(target: Path) -> None:
        with target.open("wb") as file:
            written = 0
            for chunk in chunks:
                file.write(chunk)
                written += len(chunk)
                progress(written, size)

    return prepare_copy(folder, source, fill, lambda: progress(0, 0), size=size)


def prepare_copy(
    folder: Path, source: Path, fill: Callable[[Path], None], check_cancelled: CancelCheck, *, size: int
) -> BackupCopy:
    """Let `fill` write a copy of `source` into the store's folder and verify it, or leave nothing behind."""
    from desktop_rater.store.backups import attributing_to, check_free_space, delete_draft, verify_store_file  # noqa: PLC0415 - only when it is used

    with attributing_to(source.name, _LOSS, _ANOTHER):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        title = "There is not enough disk space to restore a backup."
        check_free_space(size, shutil.disk_usage(folder).free, title, _LOSS)
        path = create_partial(folder)
        try:
            fill(path)
            holdings = verify_store_file(path, source.name, check_cancelled)
            with path.open("rb+") as file:
                sync_file(file)
        except BaseException:
            delete_draft(path)
            raise
    return BackupCopy(path, holdings)


def apply_restore(folder: Path, ready: BackupCopy, *, now: datetime) -> Path | None:
    """Make a verified copy the store. Requires the store's lock and no open connection.

    Returns the folder of the replaced store; `None` if there was none. Its journal goes with it: it does not continue
    the backup. Raises `StoreError`.
    """
    replaced = _apply(folder, ready, now)
    if replaced is not None and (folder / JOURNAL).exists():
        with translate_errors("The backup was restored, but the journal of the replaced store is still in its place."):
            retry_while_open((folder / JOURNAL).replace, replaced / JOURNAL)
            sync_folder(folder)
    return replaced


def _apply(folder: Path, ready: BackupCopy, now: datetime) -> Path | None:
    with translate_errors("The restore is not complete yet. The next start continues it."):
        retry_while_open(ready.path.replace, folder / _RESTORED)
        sync_folder(folder)
        return complete_restore(folder, now=now)


def complete_restore(folder: Path, *, now: datetime) -> Path | None:
    """Complete a restore that has begun, if any. Requires the lock. Raises `OSError`."""
    restored, aside = folder / _RESTORED, folder / REPLACED_STORES / _UNDER_WAY
    if restored.exists():
        for place in (aside.parent, aside):  # `parents` would make the outer one without this mode
            place.mkdir(mode=0o700, exist_ok=True)
        # Files that it still has to send and the restored store lacks stay with it.
        mailbox.share_box(folder, "outbox", aside)
        for name in _FILES:
            if (folder / name).exists():
                retry_while_open((folder / name).replace, aside / name)
        for changed in (aside, aside.parent, folder):
            sync_folder(changed)
        retry_while_open(restored.replace, folder / NAME)
        sync_folder(folder)
    if not aside.is_dir():
        return None
    if not any(aside.iterdir()):
        retry_while_open(aside.rmdir)
        return None
    place = unused_path(aside.with_name(format_time(now).replace(":", "")))
    retry_while_open(aside.replace, place)
    sync_folder(place.parent)
    return place


def set_log_aside(folder: Path, *, now: datetime, journal: bool = False) -> Path:
    """Move a log that belongs to another file out of SQLite's sight; return its new folder. Raises `OSError`.

    With it goes the `journal` of the program that wrote the log.
    """
    aside = folder / DAMAGED_STORES
    aside.mkdir(mode=0o700, exist_ok=True)
    place = unused_path(aside / format_time(now).replace(":", ""))
    place.mkdir(mode=0o700)
    for name in (*_FILES[1:], *[JOURNAL] * journal):
        if (folder / name).exists():
            retry_while_open((folder / name).replace, place / name)
    for changed in (place, aside, folder):
        sync_folder(changed)
    return place


def store_file_of(folder: Path) -> Path:
    """Return the store's file: the restored one as soon as it exists."""
    restored = folder / _RESTORED
    return restored if restored.exists() else folder / NAME


def replace_damaged(folder: Path, new: Path, *, now: datetime, check_cancelled: CancelCheck) -> Path | None:
    """Make the database at `new` the store in `folder`; return the new place of the damaged files, if any.

    It is verified first. The journal stays. Requires the store's lock and no open connection. Raises `StoreError`.
    """
    from desktop_rater.store.backups import verify_store_file  # noqa: PLC0415 - only when it is used

    ready = BackupCopy(new, verify_store_file(new, "The new store", check_cancelled))
    replaced = _apply(folder, ready, now)
    if replaced is None:
        return None
    with translate_errors(f"The damaged files are in {replaced}."):
        aside = folder / DAMAGED_STORES
        aside.mkdir(mode=0o700, exist_ok=True)
        place = unused_path(aside / replaced.name)
        retry_while_open(replaced.replace, place)
        sync_folder(aside)
    return place


_MOVED = re.compile(r"(?P<origin>.+), moved \d{4}-\d\d-\d\d \d\d-\d\d(-\d+)?")
_UNMOVED = "The answers are in the memory of this program only."


def move_store(store: Store, displacement: str) -> None:
    """Copy everything that the open connection holds to a new store, verify it, and let `store` go on there.

    SQLite still has the files, also if they were deleted or replaced. Raises `StoreError`; the store is unchanged then.
    """
    with translate_errors(_UNMOVED):
        target = _new_folder(store.folder)
        make_private_folder(target)
        try:
            _copy(store, target)
            if store.files is not None and store.files.log_is_foreign:  # closing would delete it
                set_log_aside(store.folder, now=datetime.now().astimezone())
            store.continue_in(target, displacement)
        except BaseException:
            with suppress(OSError):
                target.rmdir()  # unless it holds a complete copy
            raise


def _copy(store: Store, target: Path) -> None:
    from desktop_rater.store import backups  # noqa: PLC0415 - only when it is used
    from desktop_rater.store.backups import count_rows  # noqa: PLC0415 - as above

    def fill(path: Path) -> None:
        backups.copy_database(store.db, path, lambda _done, _total: None)

    pages = store.db.execute("PRAGMA page_count").fetchone()[0] * store.db.execute("PRAGMA page_size").fetchone()[0]
    copy = prepare_copy(target, store.folder / NAME, fill, lambda: None, size=pages)
    if copy.holdings != count_rows(store.db):
        raise StoreDamaged("The copy of the store is incomplete.", _UNMOVED)
    with suppress(OSError):  # pages that are missing are found by `doctor`, and come back when the stores are joined
        present = None if store.files is None else store.files.current_folder()
        share_stored_files(present or store.folder, target)
        settings = settings_file(store.folder).parent
        _copy_settings(settings if present is None or settings != store.folder else present, target)
    retry_while_open(copy.path.replace, target / NAME)
    sync_folder(target)
    sync_folder(target.parent)


def share_stored_files(folder: Path, target: Path) -> None:
    """Link the stored pages and the files for the hub into another store's folder, or copy them. Raises `OSError`."""
    pages = snapshots.list_snapshots(folder)
    if pages:
        place = snapshots.snapshot_folder(target)
        place.mkdir(mode=0o700, exist_ok=True)
        mailbox.share_files(pages, place)
    mailbox.share_box(folder, "outbox", target)


def _copy_settings(source: Path, target: Path) -> None:
    """Copy the settings and the key files: a rater without the key file would sign with another key from now on."""
    if (source / SETTINGS_NAME).exists():
        shutil.copy2(source / SETTINGS_NAME, target)
    if (source / KEY_FOLDER).is_dir():
        shutil.copytree(source / KEY_FOLDER, target / KEY_FOLDER, dirs_exist_ok=True)


def _new_folder(folder: Path) -> Path:
    name = _MOVED.fullmatch(folder.name)
    origin = folder.name if name is None else name["origin"]
    return unused_path(folder.with_name(f"{origin}, moved {datetime.now().astimezone():%Y-%m-%d %H-%M}"))


def moved_stores(folder: Path) -> list[Path]:
    """Return the stores beside the one in `folder` that were moved out of it, the oldest first."""
    with suppress(OSError):
        beside = sorted(folder.absolute().parent.iterdir())
        names = ((path, _MOVED.fullmatch(path.name)) for path in beside)
        return [path for path, name in names if name and name["origin"] == folder.name and (path / NAME).is_file()]
    return []


# Files and folders that synchronising programs keep in the folder that they synchronise, and its usual names.
_MARKERS = {
    ".dropbox.cache": "Dropbox",
    ".stfolder": "Syncthing",
    ".sync_*.db": "Nextcloud",
    "._sync_*.db": "Nextcloud",
    ".849C9593-D756-4E56-8D6E-42412F2A707B": "OneDrive",
}
_FOLDER_NAMES = {
    r"dropbox( .+)?": "Dropbox",
    r"onedrive( - .+)?": "OneDrive",
    r"nextcloud|owncloud": "Nextcloud",
    r"syncthing": "Syncthing",
    r"com~apple~clouddocs|iclouddrive": "iCloud Drive",
    r"google ?drive(-.+)?": "Google Drive",
}


def _synchronising_program(folder: Path) -> str | None:
    """Return the name of the program that keeps the store's folder in step with other computers, if one is known."""
    for place in (folder.absolute(), *folder.absolute().parents):
        for pattern, name in _MARKERS.items():
            if any(place.glob(pattern)):
                return name
        for pattern, name in _FOLDER_NAMES.items():
            if re.fullmatch(pattern, place.name, re.IGNORECASE):
                return name
    return None


def surroundings(folder: Path) -> tuple[list[Path], str | None]:
    """Return the stores moved out of the one in `folder`, and the name of the program that synchronises it."""
    return moved_stores(folder), _synchronising_program(folder)


_BATCH = 200  # rows per transaction
