"""A rater's progress in all bundles: counts of tasks, targets and responses, pace, and when results left."""

import msgspec

from desktop_rater.store.bundle_events import CURRENT_BUNDLES
from desktop_rater.store.progress import counts_work
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import row_struct
from desktop_rater.store.store import Store

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
    query = f"""
        WITH current AS (SELECT id, key FROM ({CURRENT_BUNDLES}) WHERE ?1 IS NULL OR id = ?1),
        sizes AS (
            SELECT current.id, total(targets) AS targets, total(responses) AS responses
            FROM current JOIN task_sizes ON task_sizes.key >= current.key << {POSITIONS}
                 AND task_sizes.key < (current.key + 1) << {POSITIONS}
            GROUP BY current.id),
        done AS (
            SELECT current.id, total(status <> 'incomplete') AS tasks,
                   total(CASE WHEN status <> 'incomplete' THEN targets END) AS targets,
                   total(CASE WHEN status <> 'incomplete' THEN responses END) AS responses,
                   total(CASE WHEN status = 'incomplete' THEN done END) AS partial, max(heads.rating) AS last
            FROM current JOIN heads ON heads.bundle = current.id AND heads.rater = ?2 AND position IS NOT NULL
            JOIN task_sizes ON task_sizes.key = (current.key << {POSITIONS}) + position
            LEFT JOIN work_done ON work_done.rating = heads.rating GROUP BY current.id)
        SELECT sizes.id, sizes.targets, sizes.responses, done.tasks, done.targets, done.responses, partial,
               coalesce(changed, ''),
               coalesce(max((SELECT max(moment) FROM exports WHERE bundle = sizes.id AND exports.rater = ?2),
                            ''), '')
        FROM sizes LEFT JOIN done ON done.id = sizes.id LEFT JOIN ratings ON ratings.key = last
    """  # noqa: S608 - constants
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (bundle_id, rater)).fetchall() if counts_work(db) else []
    return {
        name: row_struct(BundleCounts, (*(int(count or 0) for count in counts), changed, left))
        for name, *counts, changed, left in rows
    }


def seconds_per_unit(store: Store, bundle_id: str, rater: str, size: str) -> float | None:
    """Return the active seconds that a target, response or task of the latest complete tasks took; `None` without any.

    `size`: `targets`, `responses` or `tasks`, which is what is counted.
    """
    column = {"targets": "targets", "responses": "responses"}.get(size, "1")
    query = f"""
        SELECT total(seconds), total(size) FROM (
            SELECT json_extract(body, '$.time.active_seconds') AS seconds, {column} AS size
            FROM heads JOIN ratings ON ratings.key = heads.rating
            JOIN ({CURRENT_BUNDLES}) AS current ON current.id = heads.bundle
            JOIN task_sizes ON task_sizes.key = (current.key << {POSITIONS}) + position
            WHERE heads.bundle = ? AND heads.rater = ? AND heads.status = 'complete' AND position IS NOT NULL
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
