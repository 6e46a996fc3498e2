"""Keep a copy of the store that can be gone back to."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.backup_zip import write_backup
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.change import Change
from desktop_rater.model.limits import format_time
from desktop_rater.store import backups, snapshots
from desktop_rater.store.trouble import translating

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Backup, Draft
    from desktop_rater.store.store import Store


class Copied(Change, frozen=True, kw_only=True):
    """A copy that is still to be checked; `None` where nothing came since the newest good backup."""

    draft: Draft | None


class WrittenOut(msgspec.Struct, frozen=True, kw_only=True):
    """A backup in one file. `left_out` are snapshots that are not what their names say."""

    out: Path
    ratings: int
    size: int
    pages: int
    left_out: tuple[str, ...]


def back_up(store: Store, *, now: Callable[[], datetime], progress: Progress, always: bool = True) -> Backup | None:
    """Make a backup; unless `always`, only where something came since the newest good one.

    Raises `StoreError`, or `Cancelled`: there is none then, and the earlier ones are as they were.
    """
    newest = None if always else newest_backup(store.folder, progress)
    copied = copy_store(store, newest, progress=progress)
    return None if copied.draft is None else keep_copy(store.folder, copied.draft, now=now, progress=progress)


def newest_backup(folder: Path, progress: Progress) -> Backup | None:
    """The first step of `back_up`, for any thread: read the newest backups until one is good."""
    return backups.newest_good(folder, look=lambda: progress(0, 0))


def copy_store(store: Store, newest: Backup | None, *, progress: Progress) -> Copied:
    """The second step, for the store's lane: copy what the store holds unless `newest` holds it."""
    needed = newest is None or backups.is_needed(store, newest)
    return Copied(draft=backups.draft(store, progress) if needed else None)


def keep_copy(
    folder: Path, draft: Draft, *, now: Callable[[], datetime], progress: Progress, spare: Collection[Path] = ()
) -> Backup:
    """The last step, for any thread: check the copy, and let it be a backup."""

    def look() -> None:
        progress(0, 0)

    backup = backups.keep(folder, draft, now=now(), look=look)
    backups.prune(folder, spare=(*spare, backup.path), look=look)
    return backup


def write_out(store: Store, out: Path, *, now: Callable[[], datetime], progress: Progress) -> WrittenOut:
    """Write database and snapshots to one zip. Raises `RaterError`: then what was at `out` is as it was."""
    if store.folder.resolve() in out.resolve().parents:
        raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")

    def look() -> None:
        progress(0, 0)

    draft = backups.draft(store, progress, out.parent)
    try:
        backups.prove_draft(draft, look)
        pages, left_out = _snapshots(store.folder, look)
        write_backup(out, draft.path, pages, format_time(now()), look)
    finally:
        backups.drop(draft.path)
    return WrittenOut(
        out=out, ratings=draft.holdings.ratings, size=out.stat().st_size, pages=len(pages), left_out=left_out
    )


def _snapshots(folder: Path, look: Callable[[], None]) -> tuple[dict[str, Path], tuple[str, ...]]:
    """SHA-256 → file, and the names of those that are not what they say."""
    good, bad = {}, []
    with translating("The snapshots can't be read, so nothing was written."):
        for path in snapshots.listed(folder):
            look()
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            if path.name.startswith(sha256):
                good[sha256] = path
            else:
                bad.append(path.name)
    return good, tuple(bad)
