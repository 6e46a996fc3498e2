"""Let what was decided leave: one final value for each question at each place, as a table or as results."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.audit.adjudication import Decision, adjudicate
from desktop_rater.audit.judged import judged_questions
from desktop_rater.bundle.put import check_place, put_in_place
from desktop_rater.bundle.results import NewResults, ResultLines, write_results
from desktop_rater.bundle.results_out import TABLES
from desktop_rater.bundle.sources import Spool
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import to_plain
from desktop_rater.model.manifests import BundleRef, Counts, HistoryLine
from desktop_rater.rubric import leaving_sha256
from desktop_rater.store import received, snapshots
from desktop_rater.work import rubrics
from desktop_rater.work.adjudicated_ratings import WholeRatings
from desktop_rater.work.adjudicated_table import COLUMNS, rows
from desktop_rater.work.audit_desk import lead_copy, load_audit
from desktop_rater.work.review_list import load_reviews

if TYPE_CHECKING:
    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.reviews import Reviews
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.work.adjudicated_ratings import Adjudicated

RESULTS = "results"
FORMATS = (RESULTS, *sorted(TABLES))
_DONE = "adjudicated"
_STEP = 50


class Wished(msgspec.Struct, frozen=True, kw_only=True):
    """`partial`: what is decided leaves while other questions are open. `rater`: whose the results become."""

    to: str
    rater: str = ""
    partial: bool = False
    bom: bool = False


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `open`: what the lead has to decide. `stays`: decided tasks of which no whole rating holds.

    `written` is false, and there is no file, where something is open and `partial` was not asked, or nothing leaves.
    """

    out: Path
    written: bool
    decided: int
    open: tuple[Decision, ...] = ()
    stays: tuple[str, ...] = ()
    ratings: int = 0
    sha256: str = ""


def adjudicate_results(store: Store, bundle: str, out: Path, wished: Wished, progress: Progress) -> Final:
    """Write what is decided of a bundle to `out`. Raises `RaterError`: then what was there is as it was.

    The same results and reviews give the same bytes.
    """
    if store.folder.resolve() in out.resolve().parents:
        raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")
    with named(out, "written", TRY_AGAIN):
        check_place(out)
    audit = load_audit(store, bundle)
    reviews = load_reviews(store, audit)
    decisions = list(adjudicate(audit, reviews))
    waiting = tuple(one for one in decisions if one.is_open)
    final = [one for one in decisions if one.value is not None]
    done = Final(out=out, written=False, decided=len(final), open=waiting)
    if waiting and not wished.partial:
        return done
    if wished.to != RESULTS:
        if not final:
            return done
        with named(out, "written", TRY_AGAIN), put_in_place(out) as beside:
            TABLES[wished.to](beside, COLUMNS, rows(store, audit, reviews, final), bom=wished.bom)
        return msgspec.structs.replace(done, written=True)
    return _Results(store, audit, reviews, wished, progress).write(decisions, done)


class _Results:
    """A results zip of a lead: of each task that is decided a whole rating."""

    def __init__(self, store: Store, audit: Audit, reviews: Reviews, wished: Wished, progress: Progress) -> None:
        self._store = store
        self._audit = audit
        self._rater = wished.rater
        self._progress = progress
        self._whole = WholeRatings(store, audit, reviews, judged_questions(audit.rubric), wished.rater)

    def write(self, decisions: list[Decision], done: Final) -> Final:
        by_task = {task: list(some) for task, some in groupby(decisions, lambda one: one.task)}
        rated = {task for task, _ in self._audit.ratings}
        leaves: list[Adjudicated] = []
        stays: list[str] = []
        with named(done.out, "written", TRY_AGAIN), Spool(done.out.parent) as spool:
            lines = ResultLines(spool)
            for at, task in enumerate(self._audit.tasks):
                if at % _STEP == 0:
                    self._progress(at, len(self._audit.tasks))
                some = by_task.get(task, [])
                if task not in rated or any(one.is_open for one in some):
                    continue
                found = self._whole.of(task, some)
                if found is None:
                    stays.append(task)
                else:
                    self._add(lines, found)
                    leaves.append(found)
            if not leaves:
                return msgspec.structs.replace(done, stays=tuple(stays))
            digest = write_results(done.out, self._new(leaves), lines, progress=self._progress)
        return msgspec.structs.replace(done, written=True, stays=tuple(stays), ratings=len(leaves), sha256=digest)

    def _add(self, lines: ResultLines, found: Adjudicated) -> None:
        rating = found.rating
        told = HistoryLine(
            task=rating.task, revision=1, changed=found.changed, done=_DONE, sha256=leaving_sha256(rating)
        )
        lines.add([canonical(to_plain(rating))], [found.line], [told])

    def _new(self, leaves: list[Adjudicated]) -> NewResults:
        skipped = sum(one.rating.status == "skipped" for one in leaves)
        ref, tasks = self._bundle()
        named_pages = {piece.snapshot for one in leaves for piece in one.rating.evidence if piece.snapshot}
        pages = {name: snapshots.path(self._store.folder, name) for name in sorted(named_pages)}
        total = max(tasks, len(leaves))
        return NewResults(
            bundle=ref,
            rater=self._rater,
            rubric=self._audit.rubric.ref,
            counts=Counts(tasks=total, complete=len(leaves) - skipped, skipped=skipped),
            moment=max(one.changed for one in leaves),
            partial=len(leaves) < total,
            adjudicated=True,
            rubric_toml=self._toml(),
            snapshots={
                name: path
                for name, path in pages.items()
                if path is not None and snapshots.intact(self._store.folder, name) is not None
            },
        )

    def _bundle(self) -> tuple[BundleRef, int]:
        """The bundle that is audited, of its highest revision, and how many tasks it has."""
        newest = max(self._audit.received, key=lambda one: (one.revision, one.of == one.bundle, one.sha256))
        manifest = received.manifest_of(self._store, newest.sha256)
        ref, derived = manifest.bundle, manifest.bundle.derived
        if newest.of == newest.bundle or derived is None:
            return ref, max(manifest.counts.tasks, len(self._audit.tasks))
        (whole,) = derived.bundles
        ref = BundleRef(id=whole.id, revision=whole.revision, sha256=whole.sha256, language=ref.language)
        return ref, len(self._audit.tasks)

    def _toml(self) -> str | None:
        """The rubric's own text; `None` for a built-in one."""
        known = received.rubrics(self._store, self._audit.bundle).values()
        copy = lead_copy(self._store, self._audit.bundle)
        texts = {one.toml for one in known if one.ref == self._audit.rubric.ref}
        texts |= {copy.rubric_toml} if copy is not None and copy.rubric == self._audit.rubric.ref else set()
        return next(
            toml
            for toml in sorted(texts, key=lambda one: one or "")
            if rubrics.of_bundle(self._audit.rubric.ref, toml, self._audit.bundle).file == self._audit.rubric.file
        )
