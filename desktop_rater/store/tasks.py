"""Tasks in the store: lists with filter and search, and their lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Literal

import msgspec
from msgspec import Struct

from desktop_rater.format.strict_json import sha256
from desktop_rater.store import bundle_events, state
from desktop_rater.store.bundles import CurrentRevision, current_revision
from desktop_rater.store.connection import matches_sha256
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store
from desktop_rater.store.window_index import WindowIndex

ListState = Literal["all", "unfinished", "incomplete", "complete", "skipped", "blocked"]

_LONGEST = 200  # code points; SQLite rejects an expression of more than 256 parts
_LAST_CHARACTER = re.compile(r"(?<!\w)(\w)\W*$")
_PARTS = re.compile(r'"[^"]*(?:"|$)|[^\s"]+')
_QUOTED = re.compile(r'"([^"]*)"')
_LATIN = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ʯ]")
_MAX_ID_MATCHES = 1_000  # a prefix shared by more tasks than this does not narrow the search
# Tasks that are searched before the whole index: at most so many, and this part of the store's tasks; so many at once.
_MAX_WINDOW, _WINDOW_PART, _AT_ONCE = 400, 100, 128

# Exactly the condition of the index `heads_blocked`.
_BLOCKED = "status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0"
_OF_STATUS = {name: f"status = '{name}'" for name in ("incomplete", "complete", "skipped")} | {"blocked": _BLOCKED}


class SearchExpression(Struct, frozen=True):
    """Words as FTS5 expressions: `full` is all of them. If `last` is not empty it is the last one, which is a prefix.

    `whole` are the others then, as far as they can be searched for without it.
    """

    full: str
    last: str = ""
    whole: str = ""


def search_expression(text: str) -> SearchExpression | None:
    """Return the expression that matches all the words, the last one also as a prefix; `None` if there are none.

    A single digit or letter is a word and no prefix: nearly every task would match. Only in scripts without capitals,
    where a character may be a word, is it a prefix. Everything in `text` is a word, never an operator; words in double
    quotes stay together.
    """
    words = " ".join(sql_text(text).split())
    quoted = " ".join(f'"{bare}"' for part in _PARTS.findall(words) if (bare := part.strip('"')))
    if not quoted:  # quotation marks around nothing
        return None
    single = _LAST_CHARACTER.search(words)
    is_word = single is not None and (single[1].isdecimal() or single[1].lower() != single[1].upper())
    if is_word or words.endswith('"'):
        return SearchExpression(quoted)
    *earlier, phrase = _QUOTED.findall(quoted)
    before, _blank, last = phrase.rpartition(" ")
    # Without a letter or digit there would be no word in it, which matches nothing.
    whole = (f'"{part}"' for part in (*earlier, before) if _LATIN.search(part))
    return SearchExpression(f"{quoted}*", f'"{last}"*', " ".join(whole))


def sql_text(text: str) -> str:
    """Replace what SQLite can't take in a text: lone surrogates by a question mark, U+0000 by a blank."""
    return text[:_LONGEST].encode("utf-8", "replace").decode().replace("\0", " ")


def heads_in_state(db: Database, state: ListState) -> str:
    """Return the SQL of heads in a state; the index is forced, or SQLite scans all tasks in progress for blocked."""
    index = "heads_by_status"
    if state == "blocked" and db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'heads_blocked'").fetchone():
        index = "heads_blocked"
    return f"heads INDEXED BY {index} WHERE bundle = :bundle AND rater = :rater AND {_OF_STATUS[state]}"


class TaskQuery(Struct, frozen=True):
    """Query for the tasks of a bundle that match a text and are in a state for a rater."""

    db: Database
    bundle: CurrentRevision
    rater: str
    state: ListState
    window: WindowIndex

    def positions(self, text: str, after: int, limit: int) -> list[int]:
        """Return the first positions after `after` of the tasks that match, in order."""
        expression = search_expression(text)
        if expression is None:
            return list(islice(self._in_state(after), limit))
        if expression.last:
            matches, last = self._in_window(expression, after, limit)
        else:
            matches, last = self._in_few(expression.full, after)
        if len(matches) < limit and last < self.bundle.tasks:
            matches += self._in_index(expression.full, last, limit - len(matches))
        return sorted({*matches, *self._by_id(text, after)})[:limit]

    def _window_size(self) -> int:
        (tasks,) = self.db.execute("SELECT sum(tasks) FROM bundles").fetchone()
        return min(_MAX_WINDOW, tasks // _WINDOW_PART)

    def _in_window(self, expression: SearchExpression, after: int, limit: int) -> tuple[list[int], int]:
        """Return the matches among the next few tasks, and the position up to which there are no others.

        The tasks are the next ones in the state. If most of them have the last word, they are then the next ones that
        have the whole words; otherwise to search the whole index is less than to add those.
        """
        size = self._window_size()
        if size < limit:  # they can't fill the page, and the whole index of so few tasks is read sooner
            return [], after
        matches, after = self._scan(self._in_state(after), expression.full, after, (size, limit))
        limit -= len(matches)
        if (
            expression.whole
            and after < self.bundle.tasks
            and self.window.share(expression.last) * size >= 2 * limit > 0
        ):
            tasks = self._in_index(expression.whole, after, size)
            further, after = self._scan(tasks, expression.full, after, (size, limit))
            matches += further
        return matches, after

    def _scan(
        self, positions: Iterator[int], expression: str, after: int, most: tuple[int, int]
    ) -> tuple[list[int], int]:
        """Return the matches among some tasks, and the last searched position, or the end if there are no more.

        `most`: at most so many tasks are searched for so many matches; no more if the first ones have too few.
        """
        (size, limit), searched, matches = most, 0, []
        zero = self.bundle.task_key(0)
        while searched < size and len(matches) < limit and len(matches) * size >= limit * searched:
            batch_size = min(_AT_ONCE, size - searched)
            few = [zero + position for position in islice(positions, batch_size)]
            keys = self.window.add(self.db, few)
            if keys:
                matches += [key - zero for key in self.window.matches(expression, keys)]
                after = keys[-1] - zero
            if len(few) < batch_size and len(keys) == len(few):
                return matches, self.bundle.tasks
            if len(keys) < len(few):  # they are long
                break
            searched += len(keys)
        return matches, after

    def _in_few(self, expression: str, after: int) -> tuple[list[int], int]:
        """Return the matches of whole words among the tasks in the state, if these are few; as `_in_window`."""
        size = 0 if self.state == "all" else self._window_size()
        positions = list(islice(self._in_state(after), size + 1))
        if len(positions) > size:
            return [], after
        query = """
            SELECT texts.rowid - :zero FROM json_each(:keys) AS few CROSS JOIN texts ON texts.rowid = few.value
            WHERE texts MATCH :expression
        """
        keys = msgspec.json.encode([self.bundle.task_key(position) for position in positions]).decode()
        return list(self._select(query, keys=keys, expression=expression)), self.bundle.tasks

    def _in_index(self, expression: str, after: int, limit: int) -> Iterator[int]:
        """Return the first matches after a position, tested one after the other for the state."""
        query = f"""
            SELECT texts.rowid - :zero FROM texts
            WHERE texts MATCH :expression AND rowid BETWEEN :first AND :last AND {self._state_test("texts.rowid")}
            ORDER BY rowid LIMIT :limit
        """  # noqa: S608 - one of the conditions below
        span = {"first": self.bundle.task_key(after + 1), "last": self.bundle.task_key(self.bundle.tasks) - 1}
        return self._select(query, expression=expression, limit=limit, **span)

    def _by_id(self, text: str, after: int) -> Iterator[int]:
        """Return the positions of tasks whose id begins with a text; if these are many, only of the exact id."""
        beginning = sql_text(text).strip()
        names = {"key": self.bundle.key, "beginning": beginning, "end": f"{beginning}\U0010ffff"}
        many = "SELECT 1 FROM tasks WHERE bundle = :key AND id >= :beginning AND id < :end LIMIT 1 OFFSET :most"
        test = "id >= :beginning AND id < :end"
        if self.db.execute(many, {**names, "most": _MAX_ID_MATCHES}).fetchone():
            test = "id = :beginning"
        query = f"""
            SELECT key - :zero FROM tasks
            WHERE bundle = :key AND {test} AND tasks.key >= :first AND {self._state_test("tasks.key")}
        """  # noqa: S608 - as above
        return self._select(query, **names, first=self.bundle.task_key(after + 1))

    def _select(self, query: str, **parameters: Any) -> Iterator[int]:
        """Run a query for positions, which are read when they are requested."""
        shared = {"zero": self.bundle.task_key(0), "bundle": self.bundle.id, "rater": self.rater}
        return (position for (position,) in self.db.execute(query, {**shared, **parameters}))

    def _state_test(self, key: str) -> str:
        """Return the condition that the task with a key is in the state."""
        if self.state == "all":
            return "true"
        if self.state == "unfinished":
            return f"""
                coalesce((SELECT last FROM finished_runs
                          WHERE bundle = :bundle AND rater = :rater AND first <= {key} - :zero
                          ORDER BY first DESC LIMIT 1), -1) < {key} - :zero
            """  # noqa: S608 - names of columns
        return f"EXISTS (SELECT 1 FROM {heads_in_state(self.db, self.state)} AND position = {key} - :zero)"  # noqa: S608

    def _in_state(self, after: int) -> Iterator[int]:
        """Yield the positions of the tasks in the state after a position, in order; only requested ones are read."""
        if self.state == "all":
            return iter(range(after + 1, self.bundle.tasks))
        if self.state == "unfinished":
            open_ranges = bundle_events.open_ranges(self.db, self.bundle.id, self.rater, self.bundle.tasks, after)
            return chain.from_iterable(open_ranges)
        query = f"""
            SELECT position FROM {heads_in_state(self.db, self.state)} AND position > :after ORDER BY position
        """  # noqa: S608 - as above
        return self._select(query, after=after)


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


def count_unindexed(store: Store, bundle_id: str) -> int:
    """Return the number of tasks of a bundle that the search index lacks."""
    with store.reading(_LOSS) as db:
        bundle = current_revision(db, bundle_id)
        row = db.execute("SELECT position FROM unindexed WHERE bundle = ?", (bundle.key,)).fetchone()
        return 0 if row is None else bundle.tasks - row[0]


def count_tasks_by_state(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """Return a rater's progress."""
    with store.reading(_LOSS) as db:
        bundle = current_revision(db, bundle_id)
        finished = bundle_events.count_finished(db, bundle_id, rater)  # the large numbers are counted by runs
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
        position = bundle_events.next_open_position(db, bundle_id, rater, after_position)
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
    counted = state.counts_work(db)
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
    returned = state.return_reasons(db, bundle, positions)
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
