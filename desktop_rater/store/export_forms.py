"""Export forms of ratings, stored when checked so that an export need not check them again."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from desktop_rater.format.manifests import HistoryLine
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.connection import matches_sha256
from desktop_rater.store.ratings import altered_rating, put_form
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import StoredTask, intact_task


class ExportedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task and its rating: `rating` is the key of the exported revision, `None` if there is none.

    `same_line`: it was made on this very line. `body` is that revision, byte for byte; `ready` is the export form,
    `None` if it has to be checked first. `last` is the last line of the history, which is exported with it.
    """

    task: StoredTask
    task_key: int
    rating: int | None
    same_line: bool
    body: bytes
    ready: bytes | None
    last: HistoryLine | None


def store_forms(store: Store, basis: str, checked: Sequence[tuple[ExportedTask, bytes]]) -> None:
    """Store checked export forms. Raises `StoreError`."""
    with store.writing("The checked ratings were not recorded.", lasting=False) as db:
        for task, form in checked:
            if task.rating is not None:
                put_form(db, task.rating, task.task_key, basis, None if form == task.body else form)


def stream_export(
    store: Store, bundle: BundleRow, rater: str, basis: str, batch: int, *, as_rated: bool
) -> Iterator[list[ExportedTask]]:
    """Yield batches of all tasks of a revision, in order, with the rater's latest ratings. Raises `StoreDamaged`.

    `as_rated`: where the latest rating was made on another line, the last checked one that was made on this line.
    """
    start = bundle.key << POSITIONS
    while True:
        with store.reading("The ratings can't be read.") as db:
            parameters = (basis, bundle.id, rater, start, start + batch - 1, as_rated)
            rows = db.execute(_EXPORTED_TASKS, parameters).fetchall()
        if not rows:
            return
        yield [_exported_task(rater, row) for row in rows]
        start += batch


def export_history(store: Store, bundle_id: str, rater: str, tasks: Sequence[tuple[str, int]]) -> list[HistoryLine]:
    """Return the histories of some ratings up to a revision each, one after another in that order."""
    with store.reading("The history can't be read.") as db:
        names = msgspec.json.encode(tasks).decode()
        return [_history_line(row) for row in db.execute(_REVISIONS, (names, bundle_id, rater))]


# Bodies as bytes: their hashes are over bytes, and a damaged one need not be UTF-8.
_EXPORTED_TASKS = """
    SELECT tasks.key, tasks.position, tasks.id, line, tasks.line_sha256, targets, placed.sha256,
           ratings.key, ratings.key IS NOT heads.rating OR heads.line_sha256 IS tasks.line_sha256,
           ratings.sha256, CAST(ratings.body AS BLOB),
           ratings.task, ratings.revision, ratings.changed, ratings.done, ratings.leaving_sha256,
           leaving.rating IS NOT NULL, leaving.sha256, form
    FROM tasks
    LEFT JOIN placed ON placed.key = tasks.key
    LEFT JOIN heads ON heads.bundle = ?2 AND heads.task = tasks.id AND heads.rater = ?3
    LEFT JOIN ratings ON ratings.key = coalesce(
        CASE WHEN ?6 AND heads.line_sha256 IS NOT tasks.line_sha256 THEN (
            SELECT max(earlier.key) FROM ratings AS earlier JOIN leaving AS form ON form.rating = earlier.key
            JOIN tasks AS rated ON rated.key = form.task
            WHERE earlier.bundle = ?2 AND earlier.task = tasks.id AND earlier.rater = ?3 AND rated.id = tasks.id
              AND rated.line_sha256 = tasks.line_sha256) END,
        heads.rating)
    LEFT JOIN leaving ON leaving.rating = ratings.key AND leaving.task = tasks.key AND leaving.basis = ?1
    WHERE tasks.key BETWEEN ?4 AND ?5 ORDER BY tasks.key
"""
_REVISIONS = """
    SELECT task, revision, changed, done, leaving_sha256
    FROM json_each(?1) AS wanted
    CROSS JOIN ratings ON bundle = ?2 AND task = json_extract(wanted.value, '$[0]') AND rater = ?3
         AND revision <= json_extract(wanted.value, '$[1]')
    ORDER BY wanted.key, revision
"""


def _history_line(row: Sequence[Any]) -> HistoryLine:
    task, revision, changed, done, sha256 = row
    return HistoryLine(task=task, revision=revision, changed=changed, done=done, sha256=sha256)


def _exported_task(rater: str, row: tuple) -> ExportedTask:
    task_key, position, task_id, line, line_digest, targets, placed, key, same_line, digest, body, *rest = row
    *last, checked, form_digest, form = rest
    task = StoredTask(position, task_id, line, line_digest, targets, placed)
    ready = None
    if key is not None:
        if not matches_sha256(body, digest):
            raise altered_rating(task_id, rater, last[1])
        if checked:
            ready = body if form_digest is None else form if matches_sha256(form, form_digest) else None
    return ExportedTask(
        task=intact_task(task),
        task_key=task_key,
        rating=key,
        same_line=bool(same_line),
        body=body or b"",
        ready=ready,
        last=None if key is None else _history_line(last),
    )
