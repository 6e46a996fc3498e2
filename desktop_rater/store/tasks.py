"""Tasks in the store: lists with filter and search, and their lines."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from desktop_rater.model.strict_json import sha256
from desktop_rater.store import finished_runs, progress
from desktop_rater.store.bundles import CurrentRevision, current_revision
from desktop_rater.store.checksums import matches_sha256
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store
from desktop_rater.store.task_search import ListState, TaskQuery, heads_in_state

TaskState = Literal["untouched", "incomplete", "complete", "skipped"]

_LOSS = "The list of tasks can't be read."


class TaskListRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the task list; `untouched` without a rating. `returned`: why it was sent back, in such a bundle.

    `answered` and `total` count required questions; `done` the targets or responses that are done, `None` if unknown.
    """

    position: int
    id: str
    title: str
    status: TaskState
    blocking: int
    warnings: int
    answered: int
    total: int
    targets: int = 0
    responses: int = 0
    done: int | None = None
    skipped: str = ""  # the reason, if skipped
    returned: tuple[str, ...] = ()


class StateCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Number of tasks of a bundle in each state for one rater; the four of `TaskState` add up to `all`.

    `blocked` are the incomplete ones with every question answered and a blocking problem.
    """

    all: int
    untouched: int
    incomplete: int
    complete: int
    skipped: int
    blocked: int = 0


class StoredTask(msgspec.Struct, frozen=True):
    """A task as imported: its exact line, the JSON of the placed targets or `None`, and the hashes stored for both."""

    position: int
    id: str
    line: bytes
    line_sha256: str
    targets: str | None
    targets_sha256: str | None


def list_tasks(
    store: Store, bundle_id: str, rater: str, *, text: str = "", state: ListState = "all", after: int = -1, limit: int
) -> list[TaskListRow]:
    """Return a part of the list, in the bundle's order: tasks that match `text` and are in `state`.

    It begins after the position `after`: however far down a list is, its next part costs the same. `unfinished` is
    neither complete nor skipped, `incomplete` is begun and not finished.
    """
    with store.reading(_LOSS) as db:
        bundle = current_revision(db, bundle_id)
        query = TaskQuery(db, bundle, rater, state, store.window_index)
        return _rows(db, bundle, rater, query.positions(text, after, limit))


def count_tasks_by_state(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """Return a rater's progress."""
    with store.reading(_LOSS) as db:
        bundle = current_revision(db, bundle_id)
        finished = finished_runs.count_finished(db, bundle_id, rater)  # the large numbers are counted by runs
        incomplete, skipped = (_count(db, bundle, rater, state) for state in ("incomplete", "skipped"))
        return StateCounts(
            all=bundle.tasks,
            untouched=bundle.tasks - finished - incomplete,
            incomplete=incomplete,
            complete=finished - skipped,
            skipped=skipped,
            blocked=_count(db, bundle, rater, "blocked"),
        )


def get_task(store: Store, bundle_id: str, task_id: str) -> StoredTask:
    """Return one task. Raises `NotInStore`, or `StoreDamaged` if the line was modified."""
    with store.reading(f"The task {task_id} can't be read.") as db:
        query = STORED_TASK_QUERY + "WHERE bundle = ? AND id = ?"
        row = db.execute(query, (current_revision(db, bundle_id).key, task_id)).fetchone()
        if row is None:
            raise NotInStore(f"There is no task {task_id!r} in the bundle {bundle_id}.")
        return intact_task(StoredTask(*row))


def task_at(store: Store, bundle_id: str, position: int) -> StoredTask:
    """Return the task at a position. Raises as `get_task`."""
    with store.reading("The task can't be read.") as db:
        row = db.execute(
            STORED_TASK_QUERY + "WHERE tasks.key = ?", (current_revision(db, bundle_id).task_key(position),)
        ).fetchone()
        if row is None:
            raise NotInStore(f"There is no task {position + 1} in the bundle {bundle_id}.")
        return intact_task(StoredTask(*row))


def task_position(store: Store, bundle_id: str, task_id: str) -> int | None:
    """Return the position of a task; `None` if there is none with that id."""
    with store.reading(_LOSS) as db:
        query = "SELECT position FROM tasks WHERE bundle = ? AND id = ?"
        row = db.execute(query, (current_revision(db, bundle_id).key, task_id)).fetchone()
        return None if row is None else row[0]


def stream_tasks(store: Store, bundle_id: str, batch: int = 500) -> Iterator[StoredTask]:
    """Yield all tasks in order, `batch` of them in memory. Raises `StoreDamaged` at a modified line."""
    start = 0
    while True:
        with store.reading("The tasks can't be read.") as db:
            bundle = current_revision(db, bundle_id)
            query = STORED_TASK_QUERY + "WHERE tasks.key BETWEEN ? AND ? ORDER BY tasks.key"
            rows = db.execute(query, (bundle.task_key(start), bundle.task_key(start + batch - 1))).fetchall()
        if not rows:
            return
        yield from (intact_task(StoredTask(*row)) for row in rows)
        start += batch


def next_unfinished_position(store: Store, bundle_id: str, rater: str, after_position: int) -> int | None:
    """Return the position of the first unfinished task after `after_position` (-1: from the start)."""
    with store.reading(_LOSS) as db:
        bundle = current_revision(db, bundle_id)
        position = finished_runs.next_open_position(db, bundle_id, rater, after_position)
        return position if position < bundle.tasks else None


# The fields of `StoredTask`, in their order.
STORED_TASK_QUERY = """
    SELECT position, id, line, line_sha256, targets, placed.sha256
    FROM tasks LEFT JOIN placed ON placed.key = tasks.key
"""


def intact_task(task: StoredTask) -> StoredTask:
    """Return the task if its line is the one that was imported. Raises `StoreDamaged`."""
    if not matches_sha256(task.line, task.line_sha256):
        raise StoreDamaged(f"The stored task {task.id!r} was modified.", "Its line is not the one that was imported.")
    return task


def intact_targets(task: StoredTask) -> str | None:
    """Return the JSON of the placed targets if unmodified since the import. Raises `StoreDamaged`."""
    digest = None if task.targets is None else sha256(task.targets.encode())
    if digest != task.targets_sha256:
        reason = "Its targets are not where the import placed them."
        raise StoreDamaged(f"The stored task {task.id!r} was modified.", reason)
    return task.targets


def _count(db: Database, bundle: CurrentRevision, rater: str, state: ListState) -> int:
    query = f"SELECT count(*) FROM {heads_in_state(db, state)} AND position >= 0"  # noqa: S608 - fixed conditions
    return db.execute(query, {"bundle": bundle.id, "rater": rater}).fetchone()[0]


def _rows(db: Database, bundle: CurrentRevision, rater: str, positions: Sequence[int]) -> list[TaskListRow]:
    counted = progress.counts_work(db)
    sizes = "coalesce(task_sizes.targets, 0), coalesce(responses, 0), done" if counted else "0, 0, NULL"
    tables = """
        LEFT JOIN task_sizes ON task_sizes.key = tasks.key LEFT JOIN work_done ON work_done.rating = heads.rating
    """
    query = f"""
        SELECT tasks.position, tasks.id, title, coalesce(status, 'untouched'),
               coalesce(blocking, 0), coalesce(warnings, 0), coalesce(answered, 0), coalesce(total, 0), {sizes},
               CASE WHEN heads.status = 'skipped' THEN (
                   SELECT CASE WHEN json_valid(body) THEN json_extract(body, '$.skipped.reason') END
                   FROM ratings WHERE key = heads.rating) END
        FROM json_each(:keys) AS wanted CROSS JOIN tasks ON tasks.key = wanted.value
        LEFT JOIN heads ON heads.bundle = :id AND heads.task = tasks.id AND heads.rater = :rater
        {tables if counted else ""}
    """  # noqa: S608 - the parts above
    keys = msgspec.json.encode([bundle.task_key(position) for position in positions]).decode()
    rows = db.execute(query, {"keys": keys, "id": bundle.id, "rater": rater}).fetchall()
    returned = progress.return_reasons(db, bundle, positions)
    return sorted((_list_row(row, returned.get(row[0], ())) for row in rows), key=lambda row: row.position)


def _list_row(row: tuple, returned: tuple[str, ...]) -> TaskListRow:
    position, task_id, title, status, blocking, warnings, answered, total, targets, responses, done, skipped = row
    return TaskListRow(
        position=position,
        id=task_id,
        title=title,
        status=status,
        blocking=blocking,
        warnings=warnings,
        answered=answered,
        total=total,
        targets=targets,
        responses=responses,
        done=done,
        skipped=skipped or "",
        returned=returned,
    )
