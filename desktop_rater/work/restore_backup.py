"""Go back to a backup. The store that it replaces is kept aside."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.backup_zip import open_backup
from desktop_rater.store import backups, restore, schema, snapshots
from desktop_rater.store.connection import NAME, connect_reader, version_of
from desktop_rater.store.lock import Lock
from desktop_rater.store.opening import open_writer
from desktop_rater.store.restore import Ready
from desktop_rater.store.store import Store
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError, translating
from desktop_rater.work.back_up import copy_store, keep_copy, newest_backup

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Draft

_LIST = "`backup --list` names those that there are."


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `replaced`: the folder in which the store lies that was there, `None` where none was.

    `backed_up` is the backup of it that was made before, if it held something new; `not_backed_up` says why there is
    none though it did.
    """

    source: Path
    ratings: int
    replaced: Path | None
    backed_up: Path | None = None
    not_backed_up: str = ""


class Prepared(msgspec.Struct, frozen=True):
    """What is left is to put it in place. `not_backed_up` says why the store that is there could not be backed up."""

    ready: Ready
    not_backed_up: str = ""


def chosen(folder: Path, word: str | None) -> Path:
    """The file that a user means: a path, the name of a backup or its beginning; the newest good one without a word.

    Raises `NotThere`.
    """
    if word is None:
        newest = backups.newest_good(folder)
        if newest is None:
            raise NotThere("There is no good backup of this store.", f"Looked in {backups.backup_folder(folder)}.")
        return newest.path
    if Path(word).is_file():
        return Path(word)
    found = [one.path for one in backups.listed(folder) if word and one.path.name.startswith(word)]
    if len(found) != 1:
        says = "no backup and no file" if not found else f"the beginning of {len(found)} backups"
        raise NotThere(f"{word!r} is {says}.", "Nothing was restored.", _LIST)
    return found[0]


def restore_backup(
    folder: Path, source: Path, *, command: str, now: Callable[[], datetime], progress: Progress
) -> Restored:
    """Put a backup, another store's file or a backup's zip in the place of the store in `folder`, damaged or not.

    Raises `RaterError`, such as `StoreTaken` while it is open, or `Cancelled`: the store is as it was then.
    """
    with ExitStack() as stack:
        stack.callback(_take(folder, command, now).release)
        backed_up, why_not = _back_up(folder, source, now, progress)
        ready = _make_ready(folder, source, progress)
        replaced = restore.put_in_place(folder, ready, now=now())
    _bring_up_to_date(folder, command, now)
    return Restored(
        source=source,
        ratings=ready.holdings.ratings,
        replaced=replaced,
        backed_up=backed_up,
        not_backed_up=why_not,
    )


def prepare(
    folder: Path, source: Path, draft: Draft | None, *, why_not: str, now: Callable[[], datetime], progress: Progress
) -> Prepared:
    """Lay a checked copy of a backup beside the store, which may be in use, after keeping `draft`, a copy of the store.

    Without one, `why_not` says why. Raises `RaterError`, or `Cancelled`.
    """
    if draft is not None:
        _, why_not = _keep(folder, draft, source, now, progress)
    return Prepared(_make_ready(folder, source, progress), why_not)


def _make_ready(folder: Path, source: Path, progress: Progress) -> Ready:
    if source.suffix.lower() != ".zip":
        _refuse_altered(source, progress)
        return restore.ready_from_file(folder, source, progress)
    with open_backup(source) as backup:
        ready = restore.ready_from_chunks(folder, source, backup.database(), progress, size=backup.size)
        try:
            for sha256 in backup.snapshots:
                progress(0, 0)
                snapshots.keep(folder, sha256, backup.snapshot(sha256))
        except BaseException:
            backups.drop(ready.path)
            raise
    return ready


def put_ready_in_place(folder: Path, ready: Ready, *, command: str, now: Callable[[], datetime]) -> Path | None:
    """Let what `prepare` made ready be the store, once it is closed; where the replaced one lies, if there was one."""
    with ExitStack() as stack:
        stack.callback(_take(folder, command, now).release)
        return restore.put_in_place(folder, ready, now=now())


def _take(folder: Path, command: str, now: Callable[[], datetime]) -> Lock:
    with translating(f"The store in {folder} can't be restored."):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = Lock(folder, command=command, now=now())
        try:
            restore.carry_out(folder, now=now())  # one that was killed before
        except BaseException:
            lock.release()
            raise
        return lock


def _back_up(folder: Path, source: Path, now: Callable[[], datetime], progress: Progress) -> tuple[Path | None, str]:
    """The backup of the store that is there, or why there is none. Raises `StoreError` for one that is not ours."""
    try:
        with translating("The store that is there can't be read."):
            if version_of(folder / NAME) is None:
                return None, ""
    except StoreDamaged as damaged:
        return None, damaged.title
    try:
        newest = newest_backup(folder, progress)
        with translating("The store that is there can't be read."):
            current = Store(folder, connect_reader(folder / NAME))
        with current:
            copied = copy_store(current, newest, progress=progress)
    except StoreError as error:
        return None, f"{error.title} {error.message}"
    return _keep(folder, copied.draft, source, now, progress)


def _keep(
    folder: Path, draft: Draft | None, source: Path, now: Callable[[], datetime], progress: Progress
) -> tuple[Path | None, str]:
    """The backup, or why there is none: that stops nothing, since the store is kept aside whole."""
    if draft is None:
        return None, ""
    try:
        return keep_copy(folder, draft, now=now, progress=progress, spare=(source,)).path, ""
    except StoreError as error:
        return None, f"{error.title} {error.message}"


def _refuse_altered(source: Path, progress: Progress) -> None:
    """A backup says in its name what it was, wherever it lies now."""
    known = backups.of_file(source)
    if known is not None and not backups.checked(known, lambda: progress(0, 0)).good:
        raise StoreDamaged(
            "The backup is not what it was when it was made.",
            f"{source.name} was altered or damaged. Nothing was restored.",
            f"Choose another one: {_LIST}",
        )


def _bring_up_to_date(folder: Path, command: str, now: Callable[[], datetime]) -> None:
    with translating("The backup is restored, but not brought up to date."):
        older = (version_of(folder / NAME) or 0) < schema.version()
    if older:
        open_writer(folder, command=command, now=now()).close()
