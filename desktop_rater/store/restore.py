"""Replacing a store with a backup or a rebuilt one, setting the old one aside."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.files import create_partial, retry_while_open, sync_file, sync_folder, unused_path
from desktop_rater.model.change import CancelCheck, Progress
from desktop_rater.model.values import format_time
from desktop_rater.store import mailbox_files
from desktop_rater.store.connection import NAME, connect_reader, stored_version
from desktop_rater.store.errors import NotInStore, translate_errors

if TYPE_CHECKING:
    from desktop_rater.store.verification import StoreCounts

_RESTORED = f"{NAME}.restored"
REPLACED_STORES = "replaced"  # folder of the stores that a backup has replaced
DAMAGED_STORES = "set-aside"  # folder of the stores that a salvaged one has replaced
_UNDER_WAY = "under-way"
_FILES = tuple(f"{NAME}{end}" for end in ("", "-wal", "-shm", "-journal"))
_LOSS = "Nothing was restored, and the store is unchanged."
_ANOTHER = "Choose another backup."


class VerifiedCopy(NamedTuple):
    """A verified copy of a backup in the store's folder, and its contents."""

    path: Path
    holdings: StoreCounts


def prepare_from_file(folder: Path, source: Path, progress: Progress) -> VerifiedCopy:
    """Copy a backup or any store's file into the store's folder and verify the copy, or leave nothing behind."""
    from desktop_rater.store.backups import copy_database, database_size  # noqa: PLC0415 - only when it is used

    def fill(target: Path) -> None:
        if stored_version(source) is None:
            raise NotInStore(f"There is no {source}.", _LOSS)
        with closing(connect_reader(source)) as db:
            copy_database(db.conn, target, progress)

    return _prepare(folder, source, fill, lambda: progress(0, 0), size=database_size(source))


def prepare_from_chunks(
    folder: Path, source: Path, chunks: Iterable[bytes], progress: Progress, *, size: int
) -> VerifiedCopy:
    """Prepare a restore from an archive named `source`. `chunks` are one file without companions."""

    def fill(target: Path) -> None:
        with target.open("wb") as file:
            written = 0
            for chunk in chunks:
                file.write(chunk)
                written += len(chunk)
                progress(written, size)

    return _prepare(folder, source, fill, lambda: progress(0, 0), size=size)


def _prepare(
    folder: Path, source: Path, fill: Callable[[Path], None], check_cancelled: CancelCheck, *, size: int
) -> VerifiedCopy:
    from desktop_rater.store.backups import check_free_space, delete_draft  # noqa: PLC0415 - only when it is used
    from desktop_rater.store.verification import attributing_to, verify_store_file  # noqa: PLC0415 - only when it is used

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
    return VerifiedCopy(path, holdings)


def apply_restore(folder: Path, ready: VerifiedCopy, *, now: datetime) -> Path | None:
    """Make a verified copy the store. Requires the store's lock and no open connection.

    Returns the folder of the replaced store; `None` if there was none. Raises `StoreError`.
    """
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
        mailbox_files.share_outbox_files(folder, aside)
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


def store_file_of(folder: Path) -> Path:
    """Return the store's file: the restored one as soon as it exists."""
    restored = folder / _RESTORED
    return restored if restored.exists() else folder / NAME


def replace_damaged(folder: Path, new: Path, *, now: datetime, check_cancelled: CancelCheck) -> Path | None:
    """Make the database at `new` the store in `folder`; return the new place of the damaged files, if any.

    It is verified first. Requires the store's lock and no open connection. Raises `StoreError`.
    """
    from desktop_rater.store.verification import verify_store_file  # noqa: PLC0415 - only when it is used

    ready = VerifiedCopy(new, verify_store_file(new, "The new store", check_cancelled))
    replaced = apply_restore(folder, ready, now=now)
    if replaced is None:
        return None
    with translate_errors(f"The damaged files are in {replaced}."):
        aside = folder / DAMAGED_STORES
        aside.mkdir(mode=0o700, exist_ok=True)
        place = unused_path(aside / replaced.name)
        retry_while_open(replaced.replace, place)
        sync_folder(aside)
    return place
