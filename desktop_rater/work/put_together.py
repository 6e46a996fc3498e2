"""A new store from what was found of a damaged one: bundles, tasks, ratings with their history, heads and search."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from desktop_rater.bundle.targets import prepare
from desktop_rater.model import edit
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.kept import from_plain, to_plain
from desktop_rater.model.rating import Rating
from desktop_rater.model.ready import ready
from desktop_rater.model.strict_json import NotSound, read_object, read_struct
from desktop_rater.model.task import Target, Task
from desktop_rater.model.trouble import RaterError
from desktop_rater.rubric import Outcome, Rubric, check, leaving, leaving_sha256
from desktop_rater.store import bundles, gold, put_back, tasks
from desktop_rater.store.notes import STANDS_IN
from desktop_rater.store.put_back import Head
from desktop_rater.store.salvage import OTHERS, FoundRating
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import rubrics
from desktop_rater.work.import_bundle import row_of
from desktop_rater.work.open_task import task_of
from desktop_rater.work.put_audits import put_audits
from desktop_rater.work.put_hubs import put_hubs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.bundles import TaskRow
    from desktop_rater.store.salvage import Findings, FoundTask
    from desktop_rater.store.store import Store

_BATCH = 200  # rows of one transaction
_NAMED = 5  # tasks of a bundle that are spelt out

Key = tuple[str, str, str]  # bundle, task, rater


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """How much there is, and a sentence for each thing that is lost."""

    bundles: int
    tasks: int
    revisions: int
    lost: tuple[str, ...]


def put_together(store: Store, found: Findings, progress: Progress) -> Saved:
    """Fill an empty store. Raises `StoreError`, `Cancelled`."""
    placed = _Bundles(store, found, progress)
    placed.take_in()
    history = _History(store, found, placed.rubrics, progress)
    history.take_in()
    for bundle in bundles.listed(store):
        put_back.rebuild_runs(store, bundle.id)
    for table in OTHERS:
        put_back.put_others(store, table, found.others(table))
    lost = (*placed.lost, *history.lost, *put_audits(store, found, progress), *put_hubs(store, found))
    return Saved(bundles=placed.count, tasks=placed.tasks, revisions=history.read, lost=lost)


class _Bundles:
    """Takes in what there is of each revision of each bundle."""

    def __init__(self, store: Store, found: Findings, progress: Progress) -> None:
        self._store = store
        self._found = found
        self._progress = progress
        self.rubrics: dict[str, Rubric] = {}  # of the last revision of each bundle
        self.count = self.tasks = 0
        self.lost: list[str] = []

    def take_in(self) -> None:
        for new, expected in self._found.bundles():
            name = f"Revision {new.revision} of the bundle {new.id}"
            try:
                rubric = rubrics.of_bundle(new.rubric, new.rubric_toml, new.id)
            except RaterError as error:
                self.lost.append(f"{name}: its rubric can't be read ({error.title})")
                continue
            self.rubrics[new.id] = rubric
            self._take(new, rubric, expected, name)

    def _take(self, new: bundles.NewBundle, rubric: Rubric, expected: int, name: str) -> None:
        key = bundles.begin_import(self._store, new)
        positions: list[int] = []
        rows = self._rows(new, rubric, positions)
        while chunk := list(islice(rows, _BATCH)):
            self._progress(bundles.add_tasks(self._store, key, chunk), expected)
        gold.put(self._store, key, self._gold_rows(new, name))
        bundles.finish_import(self._store, key)
        self.count += 1
        self.tasks += len(positions)
        gone = sorted(set(range(expected)) - set(positions))
        if gone:
            known = self._found.task_names(new.id, new.revision)
            named = ", ".join(known.get(one, f"number {one + 1}") for one in gone[:_NAMED])
            more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
            self.lost.append(f"{name}: {len(gone)} of {expected} tasks can't be read: {named}{more}.")

    def _gold_rows(self, new: bundles.NewBundle, name: str) -> Iterator[tuple[str, bytes]]:
        known = self._found.task_names(new.id, new.revision)
        for position, line in self._found.gold(new.id, new.revision, new.identity):
            if line is None:
                task = known.get(position, f"number {position + 1}")
                self.lost.append(f"{name}: the gold answer of the task {task} can't be read.")
                continue
            with suppress(msgspec.MsgspecError):  # its hash is right, so it is what was imported
                yield from_plain(msgspec.json.decode(line), Rating).task, line

    def _rows(self, new: bundles.NewBundle, rubric: Rubric, positions: list[int]) -> Iterator[TaskRow]:
        for one in self._found.tasks(new.id, new.revision, new.identity):
            task = _placed(one, rubric, new.language)
            if task is not None:
                positions.append(one.position)
                yield row_of(one.line, task)


class _History:
    """Takes in revisions in their order.

    Where one is lost a copy of its neighbour stands in: results whose history has a gap would count as altered.
    """

    def __init__(self, store: Store, found: Findings, known: dict[str, Rubric], progress: Progress) -> None:
        self._store = store
        self._found = found
        self._rubrics = known
        self._progress = progress
        self._lasts: dict[Key, tuple[int, int]] = {}
        revisions = Counter(new.id for new, _ in found.bundles())
        self._never_changed = {name for name, count in revisions.items() if count == 1}
        self.read = 0
        self.lost: list[str] = []

    def take_in(self) -> None:
        for bundle, task, rater, last, ever in self._found.lasts():
            self._lasts[bundle, task, rater] = last, ever
            if not last:
                self.lost.append(f"{rater}'s rating of {bundle}/{task}: none of its {ever} revisions can be read.")
        rows = self._rows()
        done = 0
        while chunk := list(islice(rows, _BATCH)):
            put_back.put_ratings(self._store, chunk)
            done += len(chunk)
            self._progress(done, 0)

    def _rows(self) -> Iterator[tuple[FoundRating, Head | None]]:
        before: dict[Key, int] = {}
        for row in self._found.ratings():
            key = row.bundle, row.task, row.rater
            last, ever = self._lasts[key]
            for number in range(before.get(key, 0) + 1, row.revision):
                yield _stand_in(row, number), None
                self._tell(row, number, "")
            before[key] = row.revision
            self.read += 1
            yield (row, None) if row.revision < max(last, ever) else self._with_head(row)
            for number in range(last + 1, ever + 1) if row.revision == last else ():
                # What the rater said last is not known: the task has to be looked at again.
                stand_in = _stand_in(row, number, status="incomplete")
                self._tell(row, number, " The task is not finished any more.")
                yield self._with_head(stand_in) if number == ever else (stand_in, None)

    def _tell(self, row: FoundRating, number: int, what: str) -> None:
        name = f"Revision {number} of {row.rater}'s rating of {row.bundle}/{row.task}"
        self.lost.append(f"{name} can't be read; a copy of revision {row.revision} stands in.{what}")

    def _with_head(self, row: FoundRating) -> tuple[FoundRating, Head]:
        """The last revision, and what follows from it today."""
        rubric = self._rubrics.get(row.bundle)
        try:
            stored = tasks.get(self._store, row.bundle, row.task)
            rating = from_plain(msgspec.json.decode(row.body), Rating)
        except (NotThere, msgspec.MsgspecError):
            stored = None
        if rubric is None or stored is None:
            return row, Head(line_sha256=None, blocking=0, warnings=0, answered=0, total=0)
        head = self._found.head(row.bundle, row.task, row.rater)
        line = head.line_sha256 if head is not None and head.line_sha256 else None
        if head is None and row.bundle in self._never_changed:
            line = stored.line_sha256  # there never was another one to rate
        if rating.rubric != rubric.ref:
            line = None  # what it asks now nobody has answered
        outcome = check(rubric, task_of(stored), rating)
        if line == stored.line_sha256:
            # No hash covers it in its row, and it leaves with the results.
            row = replace(row, leaving_sha256=leaving_sha256(leaving(rating, outcome)))
        return row, _head(outcome, line)


def _head(outcome: Outcome, line: str | None) -> Head:
    asked = [one for several in outcome.asked.values() for one in several if one.required]
    return Head(
        line_sha256=line,
        blocking=outcome.blocking,
        warnings=outcome.warnings,
        answered=sum(one.value is not None for one in asked),
        total=len(asked),
    )


def _stand_in(row: FoundRating, number: int, status: str = "") -> FoundRating:
    rating = replace(from_plain(msgspec.json.decode(row.body), Rating), revision=number)
    if status and rating.status == "skipped":
        rating = edit.not_skipped(rating)
    elif status:
        rating = replace(rating, status="incomplete")
    body = canonical(to_plain(rating))
    return replace(row, revision=number, status=rating.status, done=STANDS_IN, sha256=sha256(body), body=body.decode())


def _placed(found: FoundTask, rubric: Rubric, lang: str) -> Task | None:
    """A task with its targets where the import placed them, or, where that can't be trusted, placed anew."""
    try:
        task = read_struct(read_object(found.line), Task)
    except NotSound:  # it is as it was imported, by a version that took more than this one
        return None
    if found.targets is not None:
        try:
            targets = msgspec.json.decode(found.targets, type=ready(tuple[Target, ...]))
        except msgspec.MsgspecError:
            targets = None
        if targets is not None and all(_stands(task, one) for one in targets):
            return replace(task, targets=targets)
    return prepare(task, per_target=rubric.per_target, accept_close=True, lang=lang).task


def _stands(task: Task, target: Target) -> bool:
    response = task.response(target.response) if target.response else None
    return response is not None and response.text[target.start or 0 : target.end or 0] == target.quote
