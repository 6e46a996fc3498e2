"""What is good to know about a store and is no fault of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import backups, boxes, evidence
from desktop_rater.store.connection import begun
from desktop_rater.store.durable import PARTLY_SALVAGED, leftovers
from desktop_rater.store.holder import holder
from desktop_rater.store.lock import is_held
from desktop_rater.store.report import Finding
from desktop_rater.store.snapshots import listed, snapshot_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.store.backups import Backup
    from desktop_rater.store.store import Store

STANDS_IN = "stands in for a lost revision"  # what was done in such a revision
KEPT_ASIDE = ("set-aside", "replaced")
LITTLE_SPACE = 500_000_000  # bytes
_RESET_BUG = ((3, 7, 0), (3, 51, 2))


def of_sqlite(version: tuple[int, ...]) -> Iterator[Finding]:
    """The version of SQLite, and whether it is one with the WAL-reset bug."""
    name = ".".join(map(str, version))
    if _RESET_BUG[0] <= version <= _RESET_BUG[1]:
        yield Finding(
            "sqlite",
            f"SQLite {name} can damage a log that two programs write at once (3.7.0 to 3.51.2). Here only one may.",
        )
    else:
        yield Finding("sqlite", f"SQLite {name}.")


def of_space(free: int) -> Iterator[Finding]:
    """How much room is left; `free` in bytes."""
    if free < LITTLE_SPACE:
        yield Finding("space", f"Only {free // 1_000_000} MB are free on the disk of the store.")


def of_folder(folder: Path) -> Iterator[Finding]:
    """Who writes to the store, and what a killed process left in its folder."""
    last = holder(folder)
    who = "a program" if last is None else f"`{last.command}` (process {last.pid} on {last.host}, since {last.since})"
    try:
        held = is_held(folder)
    except OSError:
        yield Finding("holder", "Whether a program writes to it can't be seen from here.")
        return
    if held:
        yield Finding("holder", f"In use by {who}.")
        return
    if last is not None:
        yield Finding("holder", f"Nobody writes to it. The last program ended without closing it: {who}.")
    files = [*leftovers(folder), *leftovers(snapshot_folder(folder)), *begun(folder), *backups.leftovers(folder)]
    files += folder.glob(PARTLY_SALVAGED)
    files += (file for box in boxes.BOXES for file in leftovers(folder / box))
    for file in files:
        yield Finding("leftovers", f"{file.relative_to(folder)} was never finished. The next start removes it.")
    for name in KEPT_ASIDE:
        for place in sorted((folder / name).glob("*/")):
            size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
            yield Finding(
                "aside",
                f"{place.relative_to(folder)} keeps a store that was here before, {size / 1_000_000:.1f} MB. "
                "It may be deleted when nothing is missed.",
            )


def of_backups(copies: tuple[Backup, ...]) -> Iterator[Finding]:
    """How many good backups there are, and from when the newest is."""
    good = [one for one in copies if one.good]
    if good:
        many = "1 good backup" if len(good) == 1 else f"{len(good)} good backups"
        yield Finding("backups", f"{many}, the newest of {good[0].made} with {good[0].ratings or 0:,} revisions.")
    else:
        yield Finding("backups", "There is no good backup yet.")


def of_stand_ins(store: Store) -> Iterator[Finding]:
    """Revisions that were lost in a damaged store, and in whose place a copy of another one stands."""
    (count,) = store.db.execute("SELECT count(*) FROM ratings WHERE done = ?", (STANDS_IN,)).fetchone()
    if count:
        yield Finding("ratings", f"Lost revisions in whose place a copy of a neighbour stands: {count:,}.")


def of_hubs(store: Store) -> Iterator[Finding]:
    """What waits for each hub, and when it was last known to hold all that was sent."""
    query = """
        SELECT project, verified, (SELECT count(*) FROM outbox WHERE project = hubs.project AND state <> 'verified')
        FROM hubs ORDER BY project
    """
    for project, verified, waiting in store.db.execute(query):
        when = f"the last sync that ended well was at {verified}" if verified else "no sync has ended well yet"
        yield Finding("hubs", f"The hub of {project}: {waiting:,} files wait for it, and {when}.")


def of_imports(store: Store) -> Iterator[Finding]:
    """Imports that have begun and not ended."""
    query = "SELECT id, revision, tasks FROM bundles WHERE NOT ready"
    for bundle, revision, tasks in store.db.execute(query):
        yield Finding(
            "leftovers",
            f"The import of revision {revision} of the bundle {bundle} has not ended ({tasks} tasks so far). "
            "If nobody imports it now, the next start removes it.",
        )


def of_pages(store: Store) -> Iterator[Finding]:
    """Stored pages that are gone without anything resting on them, and those of which nothing is known."""
    files = {path.name.partition(".")[0] for path in listed(store.folder)}
    noted = {sha256 for (sha256,) in store.db.execute("SELECT sha256 FROM snapshots")}
    named = evidence.snapshots_named(store)
    gone = len(noted - files - named)
    if gone:
        yield Finding("pages", f"Stored pages that are gone and that no evidence names: {gone:,}.")
    unknown = len(files - noted)
    if unknown:
        yield Finding("pages", f"Stored pages that are not in the search: {unknown:,}. `pages read` takes them up.")
    elsewhere = len(named - noted - files)
    if elsewhere:
        yield Finding("pages", f"Stored pages that evidence names and that never were here: {elsewhere:,}.")
