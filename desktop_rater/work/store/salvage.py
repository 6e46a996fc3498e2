"""Salvage a damaged store into a new one, reporting every loss."""

import shutil
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

import msgspec

from desktop_rater.files import PARTIAL_SALVAGE, remove_folder, write_durably
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import format_time
from desktop_rater.store import backups, mailbox_files, restore, snapshots
from desktop_rater.store.backups import Backup
from desktop_rater.store.connection import NAME, stored_version
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError, StoreTooNew, translate_errors
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.restore import replace_damaged
from desktop_rater.store.salvage import SalvagedRows
from desktop_rater.store.store import StoreLock
from desktop_rater.work.pages.stored_pages import record_pages
from desktop_rater.work.store.rebuild import RebuiltStore, rebuild_store

SALVAGE_REPORT = "salvage.txt"
_COMMAND = "doctor --salvage"
_CHUNK = 1 << 20  # bytes


class SalvagedStore(msgspec.Struct, frozen=True, kw_only=True):
    """The new store, its content, and the losses. `aside`: folder of the damaged files, if moved."""

    store: Path
    report: Path
    aside: Path | None
    bundles: int
    tasks: int
    revisions: int
    snapshots: int
    lost: tuple[str, ...]


class RecoveryOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options for a store that can't be opened: a good backup to restore, or files to salvage."""

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
    return RecoveryOptions(backup=backup, salvage=restore.store_file_of(folder).exists() or backup is not None)


def salvage_to(folder: Path, out: Path, *, now: datetime, progress: Progress) -> SalvagedStore:
    """Salvage the store in `folder` to a new one at `out`, which must be empty. The old one stays unchanged.

    Raises `RaterError`, `Cancelled`; `out` is removed then.
    """
    sources = _sources(folder)
    with translate_errors(f"Nothing was saved to {out}."):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise RaterError(f"{out} is not empty.", "The salvaged data needs an empty folder.", "Choose a new folder.")
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        saved = _save(sources, out, progress)
        page_count, lost = _copy_snapshots(folder, out, progress)
        with translate_errors("The outbox for the hub could not be salvaged."):
            mailbox_files.share_outbox_files(folder, out)
        _note_pages(out, progress)
        saved = msgspec.structs.replace(saved, lost=(*saved.lost, *lost))
        return _reported(saved, out, out / SALVAGE_REPORT, None, page_count, now)
    except BaseException:
        with suppress(OSError):
            remove_folder(out)  # an incomplete store would look complete
        raise


def salvage_in_place(folder: Path, *, now: datetime, progress: Progress) -> SalvagedStore:
    """Replace the damaged store by a salvaged one, and set the damaged files aside.

    Raises `RaterError`, `Cancelled`; everything is in its old place then.
    """
    with ExitStack() as stack:
        with translate_errors("Nothing was saved."):
            stack.callback(StoreLock(folder, command=_COMMAND, now=now).release)
        sources = _sources(folder)
        partly = folder / PARTIAL_SALVAGE
        with translate_errors("Nothing was saved."):
            remove_folder(partly)  # left by an interrupted run
            partly.mkdir(mode=0o700)
        try:
            saved = _save(sources, partly, progress)
            aside = replace_damaged(folder, partly / NAME, now=now, check_cancelled=lambda: progress(0, 0))
        finally:
            shutil.rmtree(partly, ignore_errors=True)
    _note_pages(folder, progress)
    page_count = len(snapshots.list_snapshots(folder))
    return _reported(saved, folder, (aside or folder) / SALVAGE_REPORT, aside, page_count, now)


def _sources(folder: Path) -> list[Path]:
    """Return the damaged file and the usable backups that exist. Raises `NotInStore`, or `StoreTooNew`."""
    try:
        with translate_errors("It can't be examined."):
            stored_version(restore.store_file_of(folder))
    except StoreTooNew:
        raise  # it is not damaged
    except StoreError:
        pass
    files = [restore.store_file_of(folder), *(backup.path for backup in backups.list_backups(folder) if backup.usable)]
    existing = [file for file in files if file.exists()]
    if not existing:
        raise NotInStore(f"There is no store in {folder}.", "There is nothing to salvage.")
    return existing


def _save(sources: list[Path], out: Path, progress: Progress) -> RebuiltStore:
    with SalvagedRows() as findings:
        with translate_errors("The damaged store can't be read."):
            for source in sources:
                findings.add_file(source, progress)
        with open_writer(out, command=_COMMAND) as store:
            return rebuild_store(store, findings, progress)


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


def _reported(
    saved: RebuiltStore, store: Path, report: Path, aside: Path | None, page_count: int, now: datetime
) -> SalvagedStore:
    summary = f"{saved.revisions} revisions of ratings, {saved.tasks} tasks of {saved.bundles} bundles"
    lines = [
        f"Saved at {format_time(now)}: {summary}, {page_count} stored pages.",
        "",
        *(saved.lost or ("No known losses.",)),
    ]
    with translate_errors("The list of losses can't be written."):
        write_durably(report, ("\n".join(lines) + "\n").encode("utf-8", errors="backslashreplace"))
    return SalvagedStore(
        store=store,
        report=report,
        aside=aside,
        bundles=saved.bundles,
        tasks=saved.tasks,
        revisions=saved.revisions,
        snapshots=page_count,
        lost=saved.lost,
    )
