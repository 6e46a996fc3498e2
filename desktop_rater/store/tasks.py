"""Tasks in the store: lists with filter and search, and their lines. Positions count from 0, in the bundle's order.

Everything is about the latest ready revision of a bundle, and raises `NotThere` where there is none.
"""

from __future__ import annotations

import heapq
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.model.canonical import sha256
from desktop_rater.store import finished_runs, returned_tasks, search
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
    """A row of the task list. Nobody's answer yet: `untouched`, and 0 of 0 questions answered.

    `returned`: the reasons for which it was sent back, of a bundle of such tasks.
    """

    position: int
    id: str
    title: str
    status: TaskState
    blocking: int
    warnings: int
    answered: int
    total: int
    skipped: str = ""  # why, where the status says so
    returned: tuple[str, ...] = ()


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


class StoredTask(msgspec.Struct, frozen=True):
    """A task as it was imported: its line byte for byte, and the JSON of the placed targets or `None`.

    `targets_sha256` is what was noted of them; `intact_targets` compares it.
    """

    position: int
    id: str
    line: bytes
    line_sha256: str
    targets: str | None
    targets_sha256: str | None


def page(
    store: Store, bundle_id: str, rater: str, *, text: str = "", state: ListState = "all", after: int = -1, limit: int
) -> list[TaskListRow]:
    """A piece of the list, in the bundle's order: tasks that hold all the words of `text` and are in `state`.

    It begins behind the position `after`: however far down a list is, its next piece costs the same. `unfinished` is
    neither complete nor skipped, `incomplete` is begun and not finished.
    """
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        return _rows(db, bundle, rater, list(islice(_positions(db, bundle, rater, (text, state), after), limit)))


def count(store: Store, bundle_id: str, rater: str, *, text: str = "", state: ListState = "all") -> int:
    """How many rows the list has in all."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        phrase = search.phrase_of(db, text)
        if phrase is not None:
            return sum(1 for _ in _positions(db, bundle, rater, (text, state), -1))
        if state == "all":
            return bundle.tasks
        if state == "unfinished":
            return bundle.tasks - finished_runs.count(db, bundle_id, rater)
        return _count(db, bundle, rater, state)


def counts_by_state(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """How far a rater is."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        finished = finished_runs.count(db, bundle_id, rater)  # the many are counted by the run
        incomplete, skipped = (_count(db, bundle, rater, state) for state in ("incomplete", "skipped"))
        return StateCounts(
            all=bundle.tasks,
            untouched=bundle.tasks - finished - incomplete,
            incomplete=incomplete,
            complete=finished - skipped,
            skipped=skipped,
            blocked=_count(db, bundle, rater, "blocked"),
        )


def get(store: Store, bundle_id: str, task_id: str) -> StoredTask:
    """One task. Raises `NotThere`, or `StoreDamaged` where the line is not the one that was stored."""
    with store.reading(f"The task {task_id} can't be read.") as db:
        query = STORED + "WHERE bundle = ? AND id = ?"
        row = db.execute(query, (current(db, bundle_id).key, task_id)).fetchone()
        if row is None:
            raise NotThere(f"There is no task {task_id!r} in the bundle {bundle_id}.")
        return intact_task(StoredTask(*row))


def at(store: Store, bundle_id: str, position: int) -> StoredTask:
    """The task at a position. Raises as `get`."""
    with store.reading("The task can't be read.") as db:
        row = db.execute(STORED + "WHERE tasks.key = ?", (current(db, bundle_id).task_key(position),)).fetchone()
        if row is None:
            raise NotThere(f"There is no task {position + 1} in the bundle {bundle_id}.")
        return intact_task(StoredTask(*row))


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
            query = STORED + "WHERE tasks.key BETWEEN ? AND ? ORDER BY tasks.key"
            rows = db.execute(query, (bundle.task_key(start), bundle.task_key(start + batch - 1))).fetchall()
        if not rows:
            return
        yield from (intact_task(StoredTask(*row)) for row in rows)
        start += batch


def next_unfinished(store: Store, bundle_id: str, rater: str, after_position: int) -> int | None:
    """The position of the first task behind `after_position` (-1: from the start) that the rater has not finished."""
    with store.reading(_LOSS) as db:
        bundle = current(db, bundle_id)
        position = finished_runs.next_open(db, bundle_id, rater, after_position)
        return position if position < bundle.tasks else None


# The fields of `StoredTask`, in their order.
STORED = """
    SELECT position, id, line, line_sha256, targets, placed.sha256
    FROM tasks LEFT JOIN placed ON placed.key = tasks.key
"""


def intact_task(task: StoredTask) -> StoredTask:
    """The task, if its line is the one that was imported. Raises `StoreDamaged`."""
    if not intact(task.line, task.line_sha256):
        raise StoreDamaged(f"The stored task {task.id!r} was altered.", "Its line is not the one that was imported.")
    return task


def intact_targets(task: StoredTask) -> str | None:
    """The JSON of the placed targets, if it is what the import made of them. Raises `StoreDamaged`."""
    found = None if task.targets is None else sha256(task.targets.encode())
    if found != task.targets_sha256:
        why = "Its targets are not where the import put them."
        raise StoreDamaged(f"The stored task {task.id!r} was altered.", why)
    return task.targets


def _positions(db: Database, bundle: Current, rater: str, wanted: tuple[str, ListState], after: int) -> Iterator[int]:
    """The positions behind `after` of what holds a text and is in a state.

    Nothing is read that is not asked for, and only the few whose id begins with the text are sorted.
    """
    text, state = wanted
    phrase = search.phrase_of(db, text)
    ranges = _ranges(db, bundle, rater, state, after)
    if phrase is None:
        return chain.from_iterable(ranges)
    # The index gives its rows by rowid, and that is the bundle's order.
    query = "SELECT rowid - ? FROM texts WHERE texts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid"
    span = (bundle.task_key(after + 1), bundle.task_key(bundle.tasks) - 1)
    found = db.execute(query, (bundle.task_key(0), phrase, *span))
    called = (position for position in _called(db, bundle, text) if position > after)
    both = heapq.merge((position for (position,) in found), called)
    return _within((position for position, _twice in groupby(both)), ranges)


def _called(db: Database, bundle: Current, text: str) -> list[int]:
    """The positions of the tasks whose id begins with a text, in order; only the one of that very id where most do."""
    beginning = search.sendable(text).strip()
    query = "SELECT key - ? FROM tasks WHERE bundle = ? AND id >= ? AND id < ? LIMIT ?"
    known = (bundle.task_key(0), bundle.key, beginning, f"{beginning}\U0010ffff", _MOST_CALLED + 1)
    found = sorted(position for (position,) in db.execute(query, known))
    if len(found) <= _MOST_CALLED:
        return found
    same = db.execute("SELECT key - ? FROM tasks WHERE bundle = ? AND id = ?", known[:3])
    return [position for (position,) in same]


def _ranges(db: Database, bundle: Current, rater: str, state: ListState, after: int) -> Iterator[range]:
    """Where the tasks in a state are, behind `after`, in order."""
    if state == "all":
        return iter((range(after + 1, bundle.tasks),))
    if state == "unfinished":
        return finished_runs.gaps(db, bundle.id, rater, bundle.tasks, after)
    query = f"""
        SELECT position FROM {_heads(db, state)} AND position > ? ORDER BY position
    """  # noqa: S608 - one of the conditions below
    return (range(position, position + 1) for (position,) in db.execute(query, (bundle.id, rater, after)))


def _within(positions: Iterable[int], ranges: Iterator[range]) -> Iterator[int]:
    """Those positions that lie in one of the ranges; both are in order."""
    here = next(ranges, None)
    for position in positions:
        while here is not None and here.stop <= position:
            here = next(ranges, None)
        if here is None:
            return
        if position >= here.start:
            yield position


_MOST_CALLED = 1_000  # of so many tasks a beginning of their ids says nothing

# To the letter the condition of the index `heads_blocked`.
_BLOCKED = "status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0"
_OF_STATUS = {name: f"status = '{name}'" for name in ("incomplete", "complete", "skipped")} | {"blocked": _BLOCKED}


def _heads(db: Database, state: ListState) -> str:
    """Of a bundle and a rater, those in a state. SQLite would look for what is blocked in all that is begun.

    It has to where a store is looked at that is older than the index of what is blocked.
    """
    index = "heads_by_status"
    if state == "blocked" and db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'heads_blocked'").fetchone():
        index = "heads_blocked"
    return f"heads INDEXED BY {index} WHERE bundle = ? AND rater = ? AND {_OF_STATUS[state]}"


def _count(db: Database, bundle: Current, rater: str, state: ListState) -> int:
    query = f"SELECT count(*) FROM {_heads(db, state)} AND position >= 0"  # noqa: S608 - one of the conditions above
    return db.execute(query, (bundle.id, rater)).fetchone()[0]


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
    rows = db.execute(query, {"keys": keys, "id": bundle.id, "rater": rater}).fetchall()
    returned = returned_tasks.reasons(db, bundle, positions)
    return sorted((_list_row(row, returned.get(row[0], ())) for row in rows), key=lambda row: row.position)


def _list_row(row: tuple, returned: tuple[str, ...]) -> TaskListRow:
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
        returned=returned,
    )
