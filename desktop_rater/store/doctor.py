"""Examination of a store for damage. It is only read."""

import shutil
import sqlite3
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from desktop_rater.files import PARTIAL_SALVAGE, find_partial_files
from desktop_rater.format.change import CancelCheck, Progress
from desktop_rater.store import backups, faults, mailbox, ratings
from desktop_rater.store.backups import Backup
from desktop_rater.store.connection import NAME, incomplete_creation, interruptible
from desktop_rater.store.errors import StoreDamaged, StoreError, translate_errors
from desktop_rater.store.journal import damaged_lines, read_journal, rows_after
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.restore import DAMAGED_STORES, REPLACED_STORES, surroundings, unfinished_backups
from desktop_rater.store.schema import schema_version
from desktop_rater.store.snapshots import list_snapshots, snapshot_folder
from desktop_rater.store.store import Store, is_held, read_holder, wal_is_missing


class DoctorFinding(msgspec.Struct, frozen=True):
    """A finding: `check` is the key of the check, `text` one or more sentences."""

    check: str
    text: str


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of an examination: `faults` are damage, `notes` are harmless remarks."""

    faults: tuple[DoctorFinding, ...]
    notes: tuple[DoctorFinding, ...]

    @property
    def sound(self) -> bool:
        return not self.faults


STAND_IN_ENTRY = "stands in for a lost revision"  # the history entry of such a revision
LITTLE_SPACE = 500_000_000  # bytes
_RESET_BUG = ((3, 7, 0), (3, 51, 2))


def note_sqlite(version: tuple[int, ...]) -> Iterator[DoctorFinding]:
    """Report the version of SQLite, and if it has the WAL-reset bug."""
    name = ".".join(map(str, version))
    if _RESET_BUG[0] <= version <= _RESET_BUG[1]:
        risk = " (as 3.7.0 to 3.51.2) can damage a log that two programs write at once. Only one writes to a store."
        yield DoctorFinding("sqlite", f"SQLite {name}{risk}")
    else:
        yield DoctorFinding("sqlite", f"SQLite {name}.")


def note_space(free: int) -> Iterator[DoctorFinding]:
    """Warn if disk space is low; `free` in bytes."""
    if free < LITTLE_SPACE:
        yield DoctorFinding("space", f"Only {free // 1_000_000} MB are free on the disk of the store.")


def note_folder(folder: Path) -> Iterator[DoctorFinding]:
    """Report the process that writes to the store, and files that a killed process left in its folder."""
    last = read_holder(folder)
    who = "a program" if last is None else f"`{last.command}` (process {last.pid} on {last.host}, since {last.since})"
    try:
        held = is_held(folder)
    except OSError:
        yield DoctorFinding("holder", "It can't be determined if a program is writing to the store.")
        return
    if held:
        yield DoctorFinding("holder", f"In use by {who}.")
        return
    if last is not None:
        yield DoctorFinding("holder", f"No program is writing to it. The last one ended without closing it: {who}.")
    files = [
        *find_partial_files(folder),
        *find_partial_files(snapshot_folder(folder)),
        *incomplete_creation(folder),
        *unfinished_backups(folder),
    ]
    files += folder.glob(PARTIAL_SALVAGE)
    files += (file for box in mailbox.MAILBOXES for file in find_partial_files(folder / box))
    for file in files:
        name = file.relative_to(folder).as_posix()
        yield DoctorFinding("leftovers", f"{name} was never finished. The next start removes it.")
    for kept in (DAMAGED_STORES, REPLACED_STORES):
        for place in sorted((folder / kept).glob("*/")):
            size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
            text = f"contains an earlier store, {size / 1_000_000:.1f} MB. It may be deleted if nothing is missing."
            yield DoctorFinding("aside", f"{place.relative_to(folder).as_posix()} {text}")


def note_synchronisation(folder: Path) -> Iterator[DoctorFinding]:
    """Report copies of the store that other programs have made, and that the folder is synchronised."""
    for copy in sorted(folder.glob("store*.sqlite3")):
        if copy.name != NAME:
            text = (
                f"{copy.name} is not the store, but may be a copy of it, made by a program that synchronises folders."
            )
            yield DoctorFinding("copies", f"{text} `restore --join` adds what it has.")
    moved_stores, name = surroundings(folder)
    for moved in moved_stores:
        text = f"{moved} holds what was answered after another program changed this store's files."
        yield DoctorFinding("copies", f"{text} `restore --join` adds it.")
    if name is not None:
        text = f"The store is in a folder of {name}, which may replace its files while it is open."
        yield DoctorFinding("folder", f"{text} Put it into another folder; a hub brings work to other computers.")


def note_backups(copies: tuple[Backup, ...]) -> Iterator[DoctorFinding]:
    """Report the number of good backups and the date of the newest."""
    good = [backup for backup in copies if backup.good]
    if good:
        many = "1 good backup" if len(good) == 1 else f"{len(good)} good backups"
        yield DoctorFinding("backups", f"{many}, the newest of {good[0].made} with {good[0].ratings or 0:,} revisions.")
    else:
        yield DoctorFinding("backups", "There is no good backup yet.")


def note_journal(store: Store, copies: tuple[Backup, ...]) -> Iterator[DoctorFinding]:
    """Report the lines of the journal, and the revisions that neither it nor the newest good backup holds."""
    newest = next((backup for backup in copies if backup.good and backup.version == schema_version()), None)
    after = {} if newest is None else backups.last_keys_of(newest)
    lines = [None if entry is None else entry.identity for entry in read_journal(store.folder)]
    there = set(lines)
    missing = sum(entry.identity not in there for entry in rows_after(store.db, after, ("ratings", "reviews")))
    text = f"{len(lines):,} lines. With the newest good backup, it holds every answer."
    if missing:
        text = f"{len(lines):,} lines. Revisions that neither it nor the newest good backup holds: {missing:,}."
    yield DoctorFinding("journal", text)
    if None in there:
        yield from _first_findings("journal", damaged_lines(store.folder))


def note_stand_ins(store: Store) -> Iterator[DoctorFinding]:
    """Report lost revisions of a damaged store that were replaced with a copy of a neighbouring one."""
    (count,) = store.db.execute("SELECT count(*) FROM ratings WHERE done = ?", (STAND_IN_ENTRY,)).fetchone()
    if count:
        text = f"Lost revisions that were replaced with a copy of a neighbouring revision: {count:,}."
        yield DoctorFinding("ratings", text)


def note_hubs(store: Store) -> Iterator[DoctorFinding]:
    """Report the files queued for each hub, and its last successful sync."""
    query = """
        SELECT project, verified, (SELECT count(*) FROM outbox WHERE project = hubs.project AND state <> 'verified')
        FROM hubs ORDER BY project
    """
    for project, verified, waiting in store.db.execute(query):
        when = f"the last successful sync was at {verified}" if verified else "no sync has succeeded yet"
        yield DoctorFinding("hubs", f"The hub of {project}: {waiting:,} files wait for it, and {when}.")


def note_imports(store: Store) -> Iterator[DoctorFinding]:
    """Report unfinished imports."""
    query = "SELECT id, revision, tasks FROM bundles WHERE NOT ready"
    for bundle, revision, tasks in store.db.execute(query):
        text = f"The import of revision {revision} of the bundle {bundle} is not finished ({tasks} tasks so far)."
        yield DoctorFinding("leftovers", f"{text} If no import is running, the next start removes it.")


def note_pages(store: Store) -> Iterator[DoctorFinding]:
    """Report stored pages that are missing but not named by evidence, and those not in the database."""
    files = {path.name.partition(".")[0] for path in list_snapshots(store.folder)}
    noted = {sha256 for (sha256,) in store.db.execute("SELECT sha256 FROM snapshots")}
    named = ratings.evidence_snapshots(store)
    gone = len(noted - files - named)
    if gone:
        yield DoctorFinding("pages", f"Missing stored pages that no evidence refers to: {gone:,}.")
    unknown = len(files - noted)
    if unknown:
        text = f"Stored pages that are not in the search index: {unknown:,}. `pages read` adds them."
        yield DoctorFinding("pages", text)
    elsewhere = len(named - noted - files)
    if elsewhere:
        yield DoctorFinding("pages", f"Pages that evidence refers to and that were never stored here: {elsewhere:,}.")


NOT_OPENED = "opening"  # the check that reports that nothing could be examined, though nothing is damaged
_FINDINGS_LISTED = 20  # findings of one check that are listed


def examine_store(folder: Path, progress: Progress | None = None) -> DoctorReport:
    """Examine a store's folder; damage is a fault in the report. Raises only `Cancelled`. No store is sound."""
    progress = progress or Progress()
    findings = []
    if wal_is_missing(folder):
        text = "The store was not closed properly and its log is missing: the last answers may be lost."
        findings.append(DoctorFinding("log", text))
    findings += _check_snapshots(folder, progress)
    hints = list(note_sqlite(sqlite3.sqlite_version_info))
    try:
        with translate_errors("The folder can't be read."):
            if folder.is_dir():
                hints += [*note_space(shutil.disk_usage(folder).free), *note_folder(folder)]
                hints += note_synchronisation(folder)
                copies = backups.list_backups(folder, check_cancelled=lambda: progress(0, 0))
                bad = (backup.path.name for backup in copies if backup.good is False)
                findings += (
                    DoctorFinding("backups", f"The backup {name} was modified and can't be used.") for name in bad
                )
                hints += note_backups(copies)
        store = open_reader(folder)
        if store is not None:
            with store, store.snapshot_isolation(), translate_errors("Part of it can't be read."):
                for number, (name, check) in enumerate(faults.STORE_CHECKS.items()):
                    check_cancelled = partial(progress, number, len(faults.STORE_CHECKS))
                    findings += _run_check(store, name, check(store, check_cancelled), check_cancelled)
                progress(len(faults.STORE_CHECKS), len(faults.STORE_CHECKS))
                hints += [*note_journal(store, copies), *note_imports(store), *note_pages(store)]
                hints += [*note_stand_ins(store), *note_hubs(store)]
    except StoreDamaged as damaged:
        findings.append(DoctorFinding("store", str(damaged)))
    except StoreError as error:
        findings.append(DoctorFinding(NOT_OPENED, str(error)))
    return DoctorReport(faults=tuple(findings), notes=tuple(hints))


def _check_snapshots(folder: Path, progress: Progress) -> Iterator[DoctorFinding]:
    try:
        with translate_errors("The snapshots can't be read."):
            yield from _first_findings("snapshots", faults.check_snapshots(folder, lambda: progress(0, 0)))
    except StoreError as error:
        yield DoctorFinding("snapshots", str(error))


def _run_check(store: Store, name: str, texts: Iterator[str], check_cancelled: CancelCheck) -> Iterator[DoctorFinding]:
    """Run one check; data that it cannot read is a fault too."""
    check_cancelled()
    try:
        with interruptible(store.db, check_cancelled), translate_errors("Part of it can't be read."):
            yield from _first_findings(name, texts)
    except StoreError as error:
        yield DoctorFinding(name, str(error))
    except (TypeError, ValueError) as error:  # a damaged row holds values that its table does not allow
        yield DoctorFinding(name, f"The stored data is invalid: {error}")


def _first_findings(name: str, texts: Iterator[str]) -> Iterator[DoctorFinding]:
    for text in islice(texts, _FINDINGS_LISTED):
        yield DoctorFinding(name, text)
    more = sum(1 for _ in texts)
    if more:
        yield DoctorFinding(name, f"… and {more} more of this kind.")
