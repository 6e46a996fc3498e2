"""Let ratings leave the laptop, once no rule blocks any of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.put import check_place
from desktop_rater.bundle.results import NewResults, ResultLines, write_results
from desktop_rater.bundle.sources import Spool
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.change import Change
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.model.rating import Problem, Status
from desktop_rater.model.ready import ready
from desktop_rater.rubric import Rubric, check, leaving
from desktop_rater.rubric.leaving import plain_sha256
from desktop_rater.store import exports, ratings, snapshots
from desktop_rater.store import leaving as leavers
from desktop_rater.work import rubrics
from desktop_rater.work.open_task import bundle_of, task_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.leaving import Leaver
    from desktop_rater.store.store import Store

_BATCH = 100  # tasks between two reports; answers wait for one


class Stays(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose rating can't leave: `why` in words, and the rules that block it."""

    task: str
    why: str
    problems: tuple[Problem, ...] = ()


class Exported(Change, frozen=True, kw_only=True):
    """`written` is false, and there is no file, where ratings are missing or blocked and `partial` was not asked.

    `altered`: the SHA-256 of each stored page that evidence names and that stays, since it is not what was stored.
    """

    out: Path
    written: bool
    sha256: str = ""
    complete: int = 0
    skipped: int = 0
    stays: tuple[Stays, ...] = ()
    altered: tuple[str, ...] = ()


def export_results(
    store: Store, bundle_id: str, rater: str, out: Path, *, progress: Progress, partial: bool = False
) -> Exported:
    """Write the rater's results of a bundle to `out`. Raises `RaterError`: then what was there is as it was.

    The same stored ratings give the same bytes.
    """
    return _Export(store, bundle_of(store, bundle_id), rater, progress).to(out, partial=partial)


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


class _Export:
    """One export: one walk through the tasks puts aside what leaves, and then it is packed."""

    def __init__(self, store: Store, bundle: BundleRow, rater: str, progress: Progress) -> None:
        self._store = store
        self._bundle = bundle
        self._rater = rater
        self._progress = progress
        self._rubric: Rubric = rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle.id)
        self._stays: list[Stays] = []
        self._complete = self._skipped = 0
        self._moment = ""
        self._snapshots: dict[str, Path] = {}
        self._altered: set[str] = set()
        self._content = hashlib.sha256()

    def to(self, out: Path, *, partial: bool) -> Exported:
        if self._store.folder.resolve() in out.resolve().parents:
            raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")
        with named(out, "written", TRY_AGAIN):
            check_place(out)
            with Spool(out.parent) as spool:  # what leaves is too large to keep in memory
                lines = ResultLines(spool)
                self._gather(lines)
                stays = tuple(self._stays)
                if not (self._complete or self._skipped) or (stays and not partial):
                    return Exported(out=out, written=False, stays=stays)
                return self._write(out, lines, partial=bool(stays))

    def _write(self, out: Path, lines: ResultLines, *, partial: bool) -> Exported:
        supersedes, content = self._predecessor(partial=partial)
        results = self._results(partial=partial, supersedes=supersedes)
        digest = write_results(out, results, lines, progress=self._progress)
        self._progress(self._bundle.tasks, self._bundle.tasks)
        exports.remember(
            self._store,
            exports.Export(
                bundle=self._bundle.id,
                rater=self._rater,
                sha256=digest,
                supersedes=supersedes,
                content=content,
                moment=self._moment,
                tasks=self._bundle.tasks,
                complete=self._complete,
                skipped=self._skipped,
            ),
        )
        return Exported(
            out=out,
            written=True,
            sha256=digest,
            complete=self._complete,
            skipped=self._skipped,
            stays=tuple(self._stays),
            altered=tuple(sorted(self._altered)),
        )

    def _gather(self, lines: ResultLines) -> None:
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
                leavers.keep(self._store, basis, checked_now)
            # Answers come in here: after it nothing of the batch is looked at again.
            self._progress(batch[-1].task.position + 1, self._bundle.tasks)

    def _checked(self, leaver: Leaver) -> bytes | None:
        """The leaving form of the task's rating, checked anew, if it leaves."""
        task_id = leaver.task.id
        head = ratings.head(self._store, self._bundle.id, task_id, self._rater)
        if head is None:
            self._stays.append(Stays(task=task_id, why="it is not rated"))
            return None
        outcome = check(self._rubric, task_of(leaver.task), head.rating)
        problems = tuple(problem for problem in outcome.problems if problem.level == "block")
        if head.rating.status != "incomplete" and head.rating.rubric != self._rubric.ref:
            why = f"it was rated by {head.rating.rubric}, and the bundle asks {self._rubric.ref} now: finish it again"
            self._stays.append(Stays(task=task_id, why=why, problems=problems))
            return None
        if head.rating.status == "incomplete" or problems:
            why = "the task has changed since" if head.task_changed else "its rating is not complete"
            self._stays.append(Stays(task=task_id, why=why, problems=problems))
            return None
        form = canonical(to_plain(leaving(head.rating, outcome)))
        if not self._is_told(leaver, form):
            why = "it would leave otherwise than when it was saved: change an answer, and finish it again"
            self._stays.append(Stays(task=task_id, why=why))
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
        self._content.update(form)
        left = msgspec.json.decode(form, type=ready(_Form))
        self._complete += left.status == "complete"
        self._skipped += left.status == "skipped"
        self._moment = max(self._moment, left.changed)
        for sha256 in sorted({piece.snapshot for piece in left.evidence if piece.snapshot}):
            self._take_along(sha256)

    def _take_along(self, sha256: str) -> None:
        """A page that was altered says nothing of what the rater saw, and must not hold back the ratings."""
        path = snapshots.path(self._store.folder, sha256)
        if path is None or sha256 in self._snapshots or sha256 in self._altered:
            return
        if snapshots.intact(self._store.folder, sha256) is None:
            self._altered.add(sha256)
        else:
            self._snapshots[sha256] = path

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

    def _predecessor(self, *, partial: bool) -> tuple[str | None, str]:
        """What these results supersede, and the hash of their content.

        Exported twice, the same content supersedes the same: not itself.
        """
        whole = [self._bundle.id, self._bundle.revision, self._rater, partial, sorted(self._snapshots)]
        self._content.update(canonical(whole))
        content = self._content.hexdigest()
        last = exports.last(self._store, self._bundle.id, self._rater)
        if last is None:
            return None, content
        return (last.supersedes if last.content == content else last.sha256), content

    def _results(self, *, partial: bool, supersedes: str | None) -> NewResults:
        bundle = self._bundle
        return NewResults(
            bundle=BundleRef(
                id=bundle.id, revision=bundle.revision, sha256=bundle.tasks_sha256, language=bundle.language
            ),
            rater=self._rater,
            rubric=bundle.rubric,
            counts=Counts(tasks=bundle.tasks, complete=self._complete, skipped=self._skipped),
            moment=self._moment,
            partial=partial,
            practice=bundle.practice,
            supersedes=supersedes,
            rubric_toml=bundle.rubric_toml,
            snapshots=self._snapshots,
        )
