"""Tasks in the store: lists with filter and search, and their lines. Positions count from 0, in the bundle's order.

Everything is about the latest ready revision of a bundle, and raises `NotThere` where there is none.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.store import finished_runs, search
from desktop_rater.store.current import Current, current
from desktop_rater.store.intact import intact
from desktop_rater.store.trouble import NotThere, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

TaskState = Literal["untouched", "incomplete", "complete", "skipped"]
ListState = Literal["all", "unfinished", "incomplete", "complete", "skipped", "blocked"]

_LOSS = "The list of tasks can't be read."


class TaskListRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the task list. Nobody's answer yet: `untouched`, and 0 of 0 questions answered."""

    position: int
    id: str
    title: str
    status: TaskState
    blocking: int
    warnings: int
    answered: int
    total: int
    skipped: str = ""  # why, where the status says so


class StateCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many tasks of a bundle are in which state for one rater; the four of `TaskState` add up to `all`.

    `blocked` are those of the incomplete ones where every question is answered and something blocks all the same.
    """

    all: int
    untouched: int
    incomplete: int
    complete: int
    skipped: int
    blocked: int = 0


class StoredTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task as it was imported: its line byte for byte, and the JSON of the placed targets or `None`."""

    position: int
    id: str
    line: bytes
    line_sha256: str
    targets: str | None


def page(
    store: Store, bundle_id: str, rater: str, *, text: str = "", state: ListState = "all", offset: int = 0, limit: int
) -> list[TaskListRow]:
    """A piece of the list, in the bundle's order: tasks that hold all the words of `text` and are in `state`.

    `unfinished` is neither complete nor skipped, `incomplete` is begun and not finished.
    """
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        phrase = search.phrase_of(db, text)
        if phrase is not None:
            found = _found(db, bundle, rater, phrase, state, (limit, offset))
        else:
            found = _positions(db, bundle, rater, state, offset, limit)
        return _rows(db, bundle, rater, found)


def count(store: Store, bundle_id: str, rater: str, *, text: str = "", state: ListState = "all") -> int:
    """How many rows the list has in all."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        phrase = search.phrase_of(db, text)
        if phrase is not None:
            return len(_found(db, bundle, rater, phrase, state, (-1, 0)))
        if state == "all":
            return bundle.tasks
        if state == "unfinished":
            return bundle.tasks - finished_runs.count(db, bundle_id, rater)
        if state == "blocked":
            return _blocked(db, bundle, rater)
        return _by_status(db, bundle, rater).get(state, 0)


def counts_by_state(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """How far a rater is."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        known = _by_status(db, bundle, rater)
        return StateCounts(
            all=bundle.tasks,
            untouched=bundle.tasks - sum(known.values()),
            incomplete=known.get("incomplete", 0),
            complete=known.get("complete", 0),
            skipped=known.get("skipped", 0),
            blocked=_blocked(db, bundle, rater),
        )


def get(store: Store, bundle_id: str, task_id: str) -> StoredTask:
    """One task. Raises `NotThere`, or `StoreDamaged` where the line is not the one that was stored."""
    with store.reading(f"The task {task_id} can't be read.") as db:
        query = _STORED + "WHERE bundle = ? AND id = ?"
        row = db.execute(query, (current(db, bundle_id).key, task_id)).fetchone()
        if row is None:
            raise NotThere(f"There is no task {task_id!r} in the bundle {bundle_id}.")
        return _stored(row)


def at(store: Store, bundle_id: str, position: int) -> StoredTask:
    """The task at a position. Raises as `get`."""
    with store.reading("The task can't be read.") as db:
        row = db.execute(_STORED + "WHERE key = ?", (current(db, bundle_id).task_key(position),)).fetchone()
        if row is None:
            raise NotThere(f"There is no task {position + 1} in the bundle {bundle_id}.")
        return _stored(row)


def position_of(store: Store, bundle_id: str, task_id: str) -> int | None:
    """Where a task stands; `None` where there is none of that id."""
    with store.reading(_LOSS) as db:
        query = "SELECT position FROM tasks WHERE bundle = ? AND id = ?"
        row = db.execute(query, (current(db, bundle_id).key, task_id)).fetchone()
        return None if row is None else row[0]


def stream(store: Store, bundle_id: str, batch: int = 500) -> Iterator[StoredTask]:
    """All tasks in order, `batch` of them in memory. Raises `StoreDamaged` at a line that was altered."""
    start = 0
    while True:
        with store.reading("The tasks can't be read.") as db:
            bundle = current(db, bundle_id)
            query = _STORED + "WHERE key BETWEEN ? AND ? ORDER BY key"
            rows = db.execute(query, (bundle.task_key(start), bundle.task_key(start + batch - 1))).fetchall()
        if not rows:
            return
        yield from map(_stored, rows)
        start += batch


def next_unfinished(store: Store, bundle_id: str, rater: str, after_position: int) -> int | None:
    """The position of the first task behind `after_position` (-1: from the start) that the rater has not finished."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        position = finished_runs.next_open(db, bundle_id, rater, after_position)
        return position if position < bundle.tasks else None


_STORED = "SELECT position, id, line, line_sha256, targets FROM tasks "


def intact_task(task: StoredTask) -> StoredTask:
    """The task, if its line is the one that was imported. Raises `StoreDamaged`."""
    if not intact(task.line, task.line_sha256):
        raise StoreDamaged(f"The stored task {task.id!r} was altered.", "Its line is not the one that was imported.")
    return task


def _stored(row: tuple) -> StoredTask:
    position, task_id, line, digest, targets = row
    return intact_task(
        StoredTask(position=position, id=task_id, line=line, line_sha256=digest, targets=targets),
    )


def _positions(db: Database, bundle: Current, rater: str, state: ListState, offset: int, limit: int) -> Sequence[int]:
    if state == "all":
        return range(offset, min(offset + limit, bundle.tasks))
    if state == "unfinished":
        return list(_cut(finished_runs.gaps(db, bundle.id, rater, bundle.tasks), offset, limit))
    query = f"""
        SELECT position FROM heads WHERE bundle = ? AND rater = ? AND {_status(state)} AND position IS NOT NULL
        ORDER BY position LIMIT ? OFFSET ?
    """  # noqa: S608 - one of the conditions below
    return [position for (position,) in db.execute(query, (bundle.id, rater, limit, offset))]


_BLOCKED = "status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0"
_OF_STATUS = {name: f"status = '{name}'" for name in ("incomplete", "complete", "skipped")} | {"blocked": _BLOCKED}


def _status(state: ListState) -> str:
    """The condition on a head for a state of the list."""
    return _OF_STATUS[state]


def _cut(ranges: Iterable[range], offset: int, limit: int) -> Iterator[int]:
    """`limit` numbers of the ranges one after another, without walking through the first `offset` of them."""

    def rest() -> Iterator[int]:
        skip = offset
        for numbers in ranges:
            yield from numbers[skip:]
            skip = max(0, skip - len(numbers))

    return islice(rest(), limit)


_IN_STATE = {
    "all": "",
    "unfinished": """AND NOT EXISTS (
        SELECT 1 FROM heads WHERE bundle = :id AND rater = :rater AND status IN ('complete', 'skipped')
        AND position = texts.rowid - :first)""",
} | {
    state: f"""AND EXISTS (
        SELECT 1 FROM heads WHERE bundle = :id AND rater = :rater AND {condition}
        AND position = texts.rowid - :first)"""  # noqa: S608 - one of the conditions above
    for state, condition in _OF_STATUS.items()
}
_MATCH = "SELECT rowid - :first FROM texts WHERE texts MATCH :phrase AND rowid BETWEEN :first AND :last "


def _found(
    db: Database, bundle: Current, rater: str, phrase: str, state: ListState, part: tuple[int, int]
) -> list[int]:
    limit, offset = part
    # The index gives its rows by rowid, and that is the bundle's order: nothing is sorted.
    query = _MATCH + _IN_STATE[state] + " ORDER BY rowid LIMIT :limit OFFSET :offset"
    asked = {
        "phrase": phrase,
        "first": bundle.task_key(0),
        "last": bundle.task_key(bundle.tasks) - 1,
        "id": bundle.id,
        "rater": rater,
        "limit": limit,
        "offset": offset,
    }
    return [position for (position,) in db.execute(query, asked)]


def _rows(db: Database, bundle: Current, rater: str, positions: Sequence[int]) -> list[TaskListRow]:
    query = """
        SELECT tasks.position, tasks.id, title, coalesce(status, 'untouched'),
               coalesce(blocking, 0), coalesce(warnings, 0), coalesce(answered, 0), coalesce(total, 0),
               CASE WHEN heads.status = 'skipped' THEN (
                   SELECT CASE WHEN json_valid(body) THEN json_extract(body, '$.skipped.reason') END
                   FROM ratings WHERE key = heads.rating) END
        FROM json_each(:keys) AS wanted CROSS JOIN tasks ON tasks.key = wanted.value
        LEFT JOIN heads ON heads.bundle = :id AND heads.task = tasks.id AND heads.rater = :rater
    """
    keys = msgspec.json.encode([bundle.task_key(position) for position in positions]).decode()
    rows = db.execute(query, {"keys": keys, "id": bundle.id, "rater": rater})
    return sorted((_list_row(row) for row in rows), key=lambda row: row.position)


def _list_row(row: tuple) -> TaskListRow:
    position, task_id, title, status, blocking, warnings, answered, total, skipped = row
    return TaskListRow(
        position=position,
        id=task_id,
        title=title,
        status=status,
        blocking=blocking,
        warnings=warnings,
        answered=answered,
        total=total,
        skipped=skipped or "",
    )


def _blocked(db: Database, bundle: Current, rater: str) -> int:
    query = f"""
        SELECT count(*) FROM heads WHERE bundle = ? AND rater = ? AND {_BLOCKED} AND position IS NOT NULL
    """  # noqa: S608 - the condition above
    return db.execute(query, (bundle.id, rater)).fetchone()[0]


def _by_status(db: Database, bundle: Current, rater: str) -> dict[str, int]:
    query = """
        SELECT status, count(*) FROM heads WHERE bundle = ? AND rater = ? AND position IS NOT NULL GROUP BY status
    """
    return dict(db.execute(query, (bundle.id, rater)).fetchall())
