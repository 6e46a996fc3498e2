"""What of a rater's results leaves: the forms, their tasks, histories and stored pages, and what has to stay."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import HistoryLine
from desktop_rater.model.rating import Problem, Status
from desktop_rater.model.ready import ready
from desktop_rater.rubric import Rubric, check, leaving
from desktop_rater.rubric.leaving import plain_sha256
from desktop_rater.store import leaving as leavers
from desktop_rater.store import ratings, snapshots
from desktop_rater.work.open_task import task_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop_rater.bundle.results import ResultLines
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.leaving import Leaver
    from desktop_rater.store.store import Store

    Keep = Callable[[str, Sequence[tuple[Leaver, bytes]]], None]

_BATCH = 100  # tasks between two reports; answers wait for one


class Stays(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose rating can't leave: `why` in words, and the rules that block it."""

    task: str
    why: str
    problems: tuple[Problem, ...] = ()


class _Piece(msgspec.Struct, frozen=True):
    snapshot: str | None = None


class _Form(msgspec.Struct, frozen=True):
    """What the export itself has to know of a form that leaves."""

    task: str
    rater: str
    status: Status
    revision: int = 0
    changed: str = ""
    evidence: tuple[_Piece, ...] = ()


class Gathering:
    """One walk through the tasks of a bundle. Everything here is filled by it, and read afterwards.

    `store` only has to read where `keep` notes what was checked; what another connection writes meanwhile is not seen
    inside `Store.at_one_moment`.

    `snapshots`: SHA-256 → file of each stored page that leaves; `altered`: those that stay, since they are not what
    was stored. `content` is the running SHA-256 of the forms, `moment` the time of the last of them.
    """

    def __init__(self, store: Store, bundle: BundleRow, rater: str, rubric: Rubric, keep: Keep | None = None) -> None:
        self._store = store
        self._keep = keep or partial(leavers.keep, store)
        self._bundle = bundle
        self._rater = rater
        self._rubric = rubric
        self.stays: list[Stays] = []
        self.complete = self.skipped = 0
        self.moment = ""
        self.snapshots: dict[str, Path] = {}
        self.altered: set[str] = set()
        self.content = hashlib.sha256()

    def gather(self, lines: ResultLines, progress: Progress) -> None:
        """Take the leaving forms, in the order of the tasks, with their tasks and histories; note what stays."""
        basis = self._rubric.basis
        for batch in leavers.stream(self._store, self._bundle.id, self._rater, basis, _BATCH):
            leaving_now: list[tuple[Leaver, bytes]] = []
            checked_now: list[tuple[Leaver, bytes]] = []
            for leaver in batch:
                form = leaver.ready
                if form is None or not self._is_told(leaver, form):
                    form = self._checked(leaver)
                    if form is not None:
                        checked_now.append((leaver, form))
                if form is not None:
                    self._count(form)
                    leaving_now.append((leaver, form))
            if leaving_now:
                lines.add(
                    [form for _, form in leaving_now],
                    [leaver.task.line for leaver, _ in leaving_now],
                    self._history([leaver for leaver, _ in leaving_now]),
                )
            if checked_now:
                self._keep(basis, checked_now)
            # Answers come in here: after it nothing of the batch is looked at again.
            progress(batch[-1].task.position + 1, self._bundle.tasks)

    def _checked(self, leaver: Leaver) -> bytes | None:
        """The leaving form of the task's rating, checked anew, if it leaves."""
        task_id = leaver.task.id
        head = ratings.head(self._store, self._bundle.id, task_id, self._rater)
        if head is None:
            self.stays.append(Stays(task=task_id, why="it is not rated"))
            return None
        outcome = check(self._rubric, task_of(leaver.task), head.rating)
        problems = tuple(problem for problem in outcome.problems if problem.level == "block")
        if head.rating.status != "incomplete" and head.rating.rubric != self._rubric.ref:
            why = f"it was rated by {head.rating.rubric}, and the bundle asks {self._rubric.ref} now: finish it again"
            self.stays.append(Stays(task=task_id, why=why, problems=problems))
            return None
        if head.rating.status == "incomplete" or problems:
            why = "the task has changed since" if head.task_changed else "its rating is not complete"
            self.stays.append(Stays(task=task_id, why=why, problems=problems))
            return None
        form = canonical(to_plain(leaving(head.rating, outcome)))
        if not self._is_told(leaver, form):
            why = "it would leave otherwise than when it was saved: change an answer, and finish it again"
            self.stays.append(Stays(task=task_id, why=why))
            return None
        return form

    def _is_told(self, leaver: Leaver, form: bytes) -> bool:
        """Whether the history ends with that form: whoever receives another one would take it for altered.

        Raises `StoreDamaged` where it is not even the form of that revision.
        """
        last, left = leaver.last, msgspec.json.decode(form, type=ready(_Form))
        number = last.revision if last is not None else 0
        said = left.task, left.rater, left.revision, left.changed
        if last is None or said != (leaver.task.id, self._rater, number, last.changed):
            raise ratings.altered(leaver.task.id, self._rater, number)
        return plain_sha256(msgspec.json.decode(form)) == last.sha256

    def _count(self, form: bytes) -> None:
        self.content.update(form)
        left = msgspec.json.decode(form, type=ready(_Form))
        self.complete += left.status == "complete"
        self.skipped += left.status == "skipped"
        self.moment = max(self.moment, left.changed)
        for sha256 in sorted({piece.snapshot for piece in left.evidence if piece.snapshot}):
            self._take_along(sha256)

    def _take_along(self, sha256: str) -> None:
        """A page that was altered says nothing of what the rater saw, and must not hold back the ratings."""
        path = snapshots.path(self._store.folder, sha256)
        if path is None or sha256 in self.snapshots or sha256 in self.altered:
            return
        if snapshots.intact(self._store.folder, sha256) is None:
            self.altered.add(sha256)
        else:
            self.snapshots[sha256] = path

    def _history(self, leaving_now: list[Leaver]) -> list[HistoryLine]:
        """The histories of some ratings. Raises `StoreDamaged` where one has a gap: such results count as altered."""
        names = [leaver.task.id for leaver in leaving_now]
        rows = leavers.revisions(self._store, self._bundle.id, self._rater, names)
        there = Counter(row.task for row in rows)
        for leaver in leaving_now:
            if leaver.last is not None and there[leaver.task.id] != leaver.last.revision:
                raise ratings.incomplete(leaver.task.id, self._rater, there[leaver.task.id], leaver.last.revision)
        return [
            HistoryLine(task=row.task, revision=row.revision, changed=row.changed, done=row.done, sha256=row.sha256)
            for row in rows
        ]
