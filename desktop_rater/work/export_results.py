"""Let ratings leave the laptop, once no rule blocks any of them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.results import NewResults, write_results
from desktop_rater.bundle.sources import Spool, Spooled
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.change import Change
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.model.rating import Problem, Rating
from desktop_rater.rubric import Rubric, check, leaving
from desktop_rater.store import exports, history, ratings, snapshots, tasks
from desktop_rater.work import rubrics
from desktop_rater.work.open_task import bundle_of, task_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.store.tasks import StoredTask

_STEP = 100


class Stays(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose rating can't leave: `why` in words, and the rules that block it."""

    task: str
    why: str
    problems: tuple[Problem, ...] = ()


class Exported(Change, frozen=True, kw_only=True):
    """`written` is false, and there is no file, where ratings are missing or blocked and `partial` was not asked."""

    out: Path
    written: bool
    sha256: str = ""
    complete: int = 0
    skipped: int = 0
    stays: tuple[Stays, ...] = ()


def export_results(
    store: Store, bundle_id: str, rater: str, out: Path, *, progress: Progress, partial: bool = False
) -> Exported:
    """Write the rater's results of a bundle to `out`. Raises `RaterError`: then what was there is as it was.

    The same stored ratings give the same bytes.
    """
    return _Export(store, bundle_of(store, bundle_id), rater, progress).to(out, partial=partial)


class _Export:
    """One export: a first walk finds what leaves, the others fetch what goes with it."""

    def __init__(self, store: Store, bundle: BundleRow, rater: str, progress: Progress) -> None:
        self._store = store
        self._bundle = bundle
        self._rater = rater
        self._progress = progress
        self._rubric: Rubric = rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle.id)
        self._leaving: dict[str, int] = {}  # task id → the revision that leaves
        self._stays: list[Stays] = []
        self._complete = self._skipped = 0
        self._moment = ""
        self._snapshots: dict[str, Path] = {}
        self._content = hashlib.sha256()

    def to(self, out: Path, *, partial: bool) -> Exported:
        # The first walk can be long, and what it works out is too large to keep in memory.
        if self._store.folder.resolve() in out.resolve().parents:
            raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")
        with named(out, "written", TRY_AGAIN), Spool(self._store.folder) as spool:
            lines = spool.add_lines(self._lines())
            stays = tuple(self._stays)
            if not self._leaving or (stays and not partial):
                return Exported(out=out, written=False, stays=stays)
            return self._write(out, lines, partial=bool(stays))

    def _write(self, out: Path, lines: Spooled, *, partial: bool) -> Exported:
        supersedes, content = self._predecessor(partial=partial)
        digest = write_results(
            out,
            self._results(partial=partial, supersedes=supersedes),
            rating_lines=lines.lines(),
            task_lines=(tasks.get(self._store, self._bundle.id, task).line for task in self._leaving),
            history=self._history(),
        )
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
        )

    def _lines(self) -> Iterator[bytes]:
        """The leaving forms, in the order of the tasks; what stays is noted on the way."""
        for stored in tasks.stream(self._store, self._bundle.id):
            left = self._look_at(stored)
            if left is not None:
                line = canonical(to_plain(left))
                self._content.update(line)
                yield line
            if stored.position % _STEP == 0:
                self._progress(stored.position, self._bundle.tasks)

    def _look_at(self, stored: StoredTask) -> Rating | None:
        """The leaving form of the task's rating, if it leaves."""
        head = ratings.head(self._store, self._bundle.id, stored.id, self._rater)
        if head is None:
            self._stays.append(Stays(task=stored.id, why="it is not rated"))
            return None
        rating = head.rating
        outcome = check(self._rubric, task_of(stored), rating)
        problems = tuple(problem for problem in outcome.problems if problem.level == "block")
        if rating.status == "incomplete" or problems:
            why = "the task has changed since" if head.task_changed else "its rating is not complete"
            self._stays.append(Stays(task=stored.id, why=why, problems=problems))
            return None
        left = leaving(rating, outcome)
        self._leaving[stored.id] = rating.revision
        self._complete += rating.status == "complete"
        self._skipped += rating.status == "skipped"
        self._moment = max(self._moment, rating.changed or "")
        for sha256 in sorted({piece.snapshot for piece in left.evidence if piece.snapshot}):
            path = snapshots.path(self._store.folder, sha256)
            if path is not None:
                self._snapshots[sha256] = path
        return left

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
            supersedes=supersedes,
            rubric_toml=bundle.rubric_toml,
            snapshots=self._snapshots,
        )

    def _history(self) -> Iterator[HistoryLine]:
        for task_id, last in self._leaving.items():
            rows = history.history(self._store, self._bundle.id, task_id, self._rater)
            # The rater may have gone on meanwhile: what came later leaves next time.
            for row in rows[:last]:
                yield HistoryLine(
                    task=task_id,
                    revision=row.revision,
                    changed=row.changed,
                    done=row.done,
                    sha256=row.leaving_sha256,
                )
