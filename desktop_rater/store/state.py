"""The state of a rater's work: progress, returned tasks, pace, remembered values, exports, and recent files."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from desktop_rater.format.manifests import RETURN_TOOL, derivation_in_manifest
from desktop_rater.format.strict_json import canonical_json, field_of, prepared_type, sha256
from desktop_rater.format.task import TaskReturn
from desktop_rater.format.values import format_time
from desktop_rater.store import bundles
from desktop_rater.store.bundle_events import CURRENT_BUNDLES
from desktop_rater.store.bundles import BundleRow, CurrentRevision
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A results zip: SHA-256, last change, tasks by outcome; `content` hashes everything in it but `supersedes`."""

    bundle: str
    rater: str
    sha256: str
    moment: str
    tasks: int
    complete: int
    skipped: int
    content: str = ""
    supersedes: str | None = None


_COLUMNS = ", ".join(ExportRow.__struct_fields__)


def record_export(store: Store, export: ExportRow) -> None:
    """Record an export. The same results are recorded once."""
    if export.sha256 in exported_hashes(store, export.bundle, export.rater):
        return
    with store.writing("The results were written, but the export was not recorded in the store.") as db:
        query = f"INSERT INTO exports ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - a constant
        db.execute(query, msgspec.structs.astuple(export))


def last_export(store: Store, bundle_id: str, rater: str, *, content: str | None = None) -> ExportRow | None:
    """Return the rater's latest results of a bundle, or the latest with that content."""
    query = f"""
        SELECT {_COLUMNS} FROM exports WHERE bundle = ?1 AND rater = ?2 AND (?3 IS NULL OR content = ?3)
        ORDER BY key DESC LIMIT 1
    """  # noqa: S608 - a constant
    with store.reading("The list of exports can't be read.") as db:
        row = db.execute(query, (bundle_id, rater, content)).fetchone()
        return None if row is None else row_struct(ExportRow, row)


def exported_hashes(store: Store, bundle_id: str, rater: str) -> frozenset[str]:
    """Return the SHA-256 of all results of a bundle that this store has exported for a rater."""
    with store.reading("The list of exports can't be read.") as db:
        query = "SELECT DISTINCT sha256 FROM exports WHERE bundle = ? AND rater = ?"
        return frozenset(sha256 for (sha256,) in db.execute(query, (bundle_id, rater)))


def get_state(store: Store, key: str) -> Any:
    """Return the value of a key; `None` if there is none or it can't be read: nothing depends on it."""
    with store.reading("The remembered values can't be read.") as db:
        row = db.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        return msgspec.json.decode(row[0])
    except msgspec.DecodeError:
        return None


def put_state(store: Store, key: str, value: Any) -> None:
    """Store a plain JSON value."""
    text = msgspec.json.encode(value).decode()
    with store.writing(f"{key} was not saved.") as db:
        db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (key, text))


_FILES_KEY = "recent files"
MAX_FILES = 12


class RecentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file by its name, without its folder; `moment` is a time."""

    name: str
    what: Literal["imported", "exported", "received"]
    bundle: str
    moment: str


def list_files(store: Store) -> tuple[RecentFile, ...]:
    """Return the files, the latest first; none if the record is unreadable, since nothing depends on it."""
    try:
        return msgspec.convert(get_state(store, _FILES_KEY) or [], prepared_type(tuple[RecentFile, ...]))
    except msgspec.ValidationError:
        return ()


def record_file(store: Store, new: RecentFile) -> None:
    """Record a file as the latest one. Raises `StoreError`."""
    others = [row for row in list_files(store) if (row.name, row.what, row.bundle) != (new.name, new.what, new.bundle)]
    put_state(store, _FILES_KEY, msgspec.to_builtins([new, *others][:MAX_FILES]))


def recent_file(
    name: str, what: Literal["imported", "exported", "received"], bundle: str, now: Callable[[], datetime]
) -> RecentFile:
    """Return a record of a file that was handled now; bytes of its name that are no text are replaced."""
    name = os.fsencode(name).decode(errors="replace")
    return RecentFile(name=name[:200], what=what, bundle=bundle, moment=format_time(now()))


def counts_work(db: Database) -> bool:
    """Return whether the store counts targets and responses: those of before version 10 do not."""
    return db.execute("PRAGMA table_info(work_done)").fetchone() is not None


def return_reasons(db: Database, bundle: CurrentRevision, positions: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Map positions to the reasons why the task was sent back, each once. Only for a bundle of returned tasks."""
    if not is_returned_bundle(db, bundle):
        return {}
    query = "SELECT line FROM tasks WHERE key = ?"
    rows = {position: db.execute(query, (bundle.task_key(position),)).fetchone() for position in positions}
    return {position: _reasons(row[0]) for position, row in rows.items() if row is not None}


def is_returned_bundle(db: Database, bundle: CurrentRevision) -> bool:
    """Tell if a bundle consists of returned tasks."""
    (manifest,) = db.execute("SELECT manifest FROM bundles WHERE key = ?", (bundle.key,)).fetchone()
    derived = derivation_in_manifest(manifest) if RETURN_TOOL in manifest else None
    return derived is not None and derived.tool == RETURN_TOOL


def _reasons(line: bytes) -> tuple[str, ...]:
    """Return the reasons in a task's line; none for a damaged line, which is reported when the task is opened."""
    try:
        returned = field_of(line, "returned", TaskReturn | None)
    except msgspec.MsgspecError:
        return ()
    comments = returned.comments if returned is not None else ()
    return tuple(dict.fromkeys(comment.reason for comment in comments if comment.reason))


class RatedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that a rater has begun. `mark` is equal as long as the exported results would be."""

    bundle: BundleRow
    complete: int
    skipped: int
    mark: str

    @property
    def open(self) -> int:
        """Count the tasks that are neither complete nor skipped."""
        return self.bundle.tasks - self.complete - self.skipped


def list_rated_bundles(store: Store, rater: str) -> list[RatedBundle]:
    """Return the bundles of which the rater has completed or skipped tasks, by id, also those put away."""
    # Keys of revisions only grow. The hash distinguishes a rebuilt store from the original.
    query = """
        SELECT done.bundle, complete, skipped, sum, sha256 FROM (
            SELECT bundle, total(heads.status = 'complete') AS complete, total(heads.status = 'skipped') AS skipped,
                   total(heads.revision) AS sum, max(rating) AS newest
            FROM heads WHERE rater = ? AND position IS NOT NULL GROUP BY bundle) AS done
        JOIN ratings ON ratings.key = newest WHERE complete + skipped > 0
    """
    with store.reading("The progress of the bundles can't be read.") as db:
        counts_by_bundle = {bundle: counted for bundle, *counted in db.execute(query, (rater,))}
    rated = []
    for bundle in bundles.list_bundles(store, put_away=True):
        if bundle.id in counts_by_bundle:
            complete, skipped, *rest = counts_by_bundle[bundle.id]
            mark = sha256(canonical_json([bundle.revision, bundle.identity, complete, skipped, *rest]))
            rated.append(RatedBundle(bundle=bundle, complete=int(complete), skipped=int(skipped), mark=mark))
    return rated


_LOSS = "The progress of the bundles can't be read."
_PACE_TASKS = 30  # number of finished tasks that determine the current pace


class BundleCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of one bundle: all its targets and responses, and those of the tasks that the rater has finished.

    `partial` is how many targets or responses are done in unfinished tasks. `changed` is the time of the last change,
    `left` that of the last results, both empty if there are none.
    """

    targets: int = 0
    responses: int = 0
    finished_tasks: int = 0
    finished_targets: int = 0
    finished_responses: int = 0
    partial: int = 0
    changed: str = ""
    left: str = ""


def count_bundles(store: Store, rater: str, bundle_id: str | None = None) -> dict[str, BundleCounts]:
    """Return a rater's counts of each bundle's current revision, or of that bundle."""
    # Finished tasks are counted by runs, without their ratings: this is asked after each answer.
    query = f"""
        SELECT sizes.targets, sizes.responses, finished.tasks, finished.targets, finished.responses, partial,
               coalesce((SELECT changed FROM ratings WHERE key = (
                   SELECT max(rating) FROM heads
                   WHERE bundle = :bundle AND rater = :rater AND position IS NOT NULL)), ''),
               coalesce((SELECT max(moment) FROM exports WHERE bundle = :bundle AND rater = :rater), '')
        FROM (SELECT count(*) AS tasks, total(targets) AS targets, total(responses) AS responses
              FROM task_sizes WHERE key >= :key << {POSITIONS} AND key < (:key + 1) << {POSITIONS}) AS sizes,
             (SELECT count(*) AS tasks, total(targets) AS targets, total(responses) AS responses
              FROM finished_runs CROSS JOIN task_sizes
                   ON key BETWEEN (:key << {POSITIONS}) + first AND (:key << {POSITIONS}) + last
              WHERE bundle = :bundle AND rater = :rater) AS finished,
             (SELECT total(done) AS partial
              FROM heads INDEXED BY heads_by_status JOIN work_done ON work_done.rating = heads.rating
              WHERE bundle = :bundle AND rater = :rater AND status = 'incomplete' AND position >= 0)
        WHERE sizes.tasks > 0
    """  # noqa: S608 - constants
    current = f"SELECT id, key FROM ({CURRENT_BUNDLES}) WHERE ?1 IS NULL OR id = ?1"  # noqa: S608 - a constant
    with store.reading(_LOSS) as db:
        bundles_by_key = db.execute(current, (bundle_id,)).fetchall() if counts_work(db) else []
        return {
            name: row_struct(BundleCounts, (*(int(count) for count in counts), changed, left))
            for name, key in bundles_by_key
            for *counts, changed, left in db.execute(query, {"bundle": name, "key": key, "rater": rater})
        }


def seconds_per_unit(store: Store, bundle_id: str, rater: str, size: str) -> float | None:
    """Return the active seconds that a target, response or task of the latest complete tasks took; `None` without any.

    `size`: `targets`, `responses` or `tasks`, which is what is counted.
    """
    column = {"targets": "targets", "responses": "responses"}.get(size, "1")
    query = f"""
        SELECT total(seconds), total(size) FROM (
            SELECT json_extract(body, '$.time.active_seconds') AS seconds, {column} AS size
            FROM heads CROSS JOIN ratings ON ratings.key = heads.rating
            CROSS JOIN ({CURRENT_BUNDLES}) AS current ON current.id = heads.bundle
            CROSS JOIN task_sizes ON task_sizes.key = (current.key << {POSITIONS}) + position
            WHERE +heads.bundle = ? AND heads.rater = ? AND heads.status = 'complete' AND position IS NOT NULL
            ORDER BY heads.rating DESC LIMIT {_PACE_TASKS}
        ) WHERE seconds > 0 AND size > 0
    """  # noqa: S608 - our own names
    with store.reading("The times of the tasks can't be read.") as db:
        seconds, size_sum = db.execute(query, (bundle_id, rater)).fetchone()
    return seconds / size_sum if size_sum else None


def is_begun(store: Store, bundle_id: str, task_id: str, rater: str) -> bool:
    """Return whether a rater has begun a task of the bundle, and not finished it."""
    query = "SELECT 1 FROM heads WHERE bundle = ? AND task = ? AND rater = ? AND status = 'incomplete'"
    with store.reading(_LOSS) as db:
        return db.execute(query, (bundle_id, task_id, rater)).fetchone() is not None
