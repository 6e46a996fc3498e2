"""Save what can be read of a damaged store into a new one; what can't be saved is named, piece by piece."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.limits import format_time
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import backups, boxes, restore, snapshots
from desktop_rater.store.backups import Backup
from desktop_rater.store.connection import NAME, version_of
from desktop_rater.store.durable import PARTLY_SALVAGED
from desktop_rater.store.lock import Lock
from desktop_rater.store.opening import open_writer
from desktop_rater.store.salvage import Findings
from desktop_rater.store.set_aside import replace_damaged
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError, StoreTooNew, translating
from desktop_rater.work.put_together import put_together
from desktop_rater.work.stored_pages import ALL, note

if TYPE_CHECKING:
    from collections.abc import Generator
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.work.put_together import Saved

REPORT = "salvage.txt"
_COMMAND = "doctor --salvage"
_CHUNK = 1 << 20  # bytes


class Rescued(msgspec.Struct, frozen=True, kw_only=True):
    """The store that is sound now, what is in it, and what is lost. `aside`: where the damaged files are, if moved."""

    store: Path
    report: Path
    aside: Path | None
    bundles: int
    tasks: int
    revisions: int
    snapshots: int
    lost: tuple[str, ...]


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What can be done about a store that can't be opened: a good backup to go back to, or files to save from."""

    backup: Backup | None
    salvage: bool


def choices(folder: Path, trouble: RaterError, progress: Progress) -> Choices:
    """What to offer; nothing where the store is sound and only not for us. It may read all of a backup."""
    damaged = isinstance(trouble, StoreDamaged)
    if not damaged:
        return Choices(backup=None, salvage=False)
    try:
        backup = backups.newest_good(folder, look=lambda: progress(0, 0))
    except StoreError:
        backup = None
    return Choices(backup=backup, salvage=restore.file_of(folder).exists() or backup is not None)


def salvage_to(folder: Path, out: Path, *, now: datetime, progress: Progress) -> Rescued:
    """Save what can be read in `folder` into a new store at `out`, which must be empty. The old one stays as it is.

    Raises `RaterError`, `Cancelled`: there is no such folder then.
    """
    sources = _sources(folder)
    with translating(f"Nothing is saved to {out}."):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise RaterError(f"{out} is not empty.", "What is saved becomes a new store there.", "Name a new folder.")
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        saved = _save(sources, out, progress)
        kept, lost = _copy_snapshots(folder, out, progress)
        with translating("What goes to the hub is not saved."):
            boxes.share(folder, out)
        _note_pages(out, progress)
        saved = msgspec.structs.replace(saved, lost=(*saved.lost, *lost))
        return _reported(saved, out, out / REPORT, None, kept, now)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)  # half a store would pass for one
        raise


def salvage_in_place(folder: Path, *, now: datetime, progress: Progress) -> Rescued:
    """Put a new store with what can be read in the place of the damaged one, whose files are set aside.

    Raises `RaterError`, `Cancelled`; then everything is where it was.
    """
    with _locked(folder, now):
        sources = _sources(folder)
        partly = folder / PARTLY_SALVAGED
        with translating("Nothing is saved."):
            shutil.rmtree(partly, ignore_errors=True)  # what a killed run left
            partly.mkdir(mode=0o700)
        try:
            saved = _save(sources, partly, progress)
            aside = replace_damaged(folder, partly / NAME, now=now, look=lambda: progress(0, 0))
        finally:
            shutil.rmtree(partly, ignore_errors=True)
    _note_pages(folder, progress)
    kept = len(snapshots.listed(folder))
    return _reported(saved, folder, (aside or folder) / REPORT, aside, kept, now)


@contextmanager
def _locked(folder: Path, now: datetime) -> Generator[None]:
    with translating("Nothing is saved."):
        lock = Lock(folder, command=_COMMAND, now=now)
    try:
        yield
    finally:
        lock.release()


def _sources(folder: Path) -> list[Path]:
    """The damaged file and the backups, those that are there. Raises `NotThere`, or `StoreTooNew`."""
    _refuse_newer(folder)
    files = [restore.file_of(folder), *(one.path for one in backups.listed(folder) if one.usable)]
    there = [file for file in files if file.exists()]
    if not there:
        raise NotThere(f"There is no store in {folder}.", "So there is nothing to save.")
    return there


def _save(sources: list[Path], out: Path, progress: Progress) -> Saved:
    """Fill a new store at `out` with what those files hold."""
    with Findings() as found:
        with translating("The damaged store can't be read."):
            for source in sources:
                found.take(source, progress)
        with open_writer(out, command=_COMMAND) as store:
            return put_together(store, found, progress)


def _refuse_newer(folder: Path) -> None:
    """What a newer version wrote is no damage. Raises `StoreTooNew`."""
    try:
        with translating("It can't be looked at."):
            version_of(restore.file_of(folder))
    except StoreTooNew:
        raise
    except StoreError:
        return  # that is what we are here for


def _copy_snapshots(folder: Path, out: Path, progress: Progress) -> tuple[int, list[str]]:
    """Those that are what their names say; how many, and a sentence for each other one."""
    lost = []
    kept = 0
    for file in snapshots.listed(folder):
        progress(kept, 0)
        try:
            with translating(f"The snapshot {file.name} can't be read."), file.open("rb") as opened:
                snapshots.keep(out, file.name.partition(".")[0], iter(lambda: opened.read(_CHUNK), b""))
            kept += 1
        except StoreError as error:
            lost.append(f"The snapshot {file.name}: {error.title}")
    return kept, lost


def _note_pages(folder: Path, progress: Progress) -> None:
    """Let the stored pages be found by their URLs again."""
    with open_writer(folder, command=_COMMAND) as store:
        note(store, ALL, [file.name.partition(".")[0] for file in snapshots.listed(folder)], progress)


def _reported(saved: Saved, store: Path, report: Path, aside: Path | None, kept: int, now: datetime) -> Rescued:
    saved_words = f"{saved.revisions} revisions of ratings, {saved.tasks} tasks of {saved.bundles} bundles"
    lines = [
        f"Saved at {format_time(now)}: {saved_words}, {kept} stored pages.",
        "",
        *(saved.lost or ("Nothing is known to be lost.",)),
    ]
    with translating("The list of what is lost can't be written."):
        report.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="backslashreplace")
    return Rescued(
        store=store,
        report=report,
        aside=aside,
        bundles=saved.bundles,
        tasks=saved.tasks,
        revisions=saved.revisions,
        snapshots=kept,
        lost=saved.lost,
    )
