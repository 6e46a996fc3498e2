"""Return work to a rater: a bundle of the tasks the lead sent back, with comments and the earlier ratings."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.audit.results import Audit, Verdict
from desktop_rater.audit.rework import (
    NextRound,
    Rework,
    ReworkState,
    next_round,
    returned_tasks,
    rework_state,
)
from desktop_rater.files import check_inside
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.make import BundleDraft, make_bundle
from desktop_rater.format.manifests import DERIVED_KEY, RETURN_TOOL, BundleRef
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, to_plain
from desktop_rater.format.task import MAX_RETURN_COMMENTS, ORDER_KEY, RETURN_KEY, Comment, TaskReturn
from desktop_rater.format.write import HINT_UNCHANGED, NOTHING_WRITTEN, refuse_inside_store
from desktop_rater.operations.audit import load_audit
from desktop_rater.store import received, reviews, snapshots
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.snapshots import find_pictures
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import distinct_file_name_parts, file_name

REWORK_KIND = "rework"
"""Kind of review that records what was returned to a rater."""


class ReturnedWork(Change, frozen=True, kw_only=True):
    """Work returned to one rater. `rework` None: nothing to return and no file.

    `again`: same as before. `waiting`: tasks that must wait until this round has come back. `outdated`: (task, place)
    of verdicts on ratings that no longer count. `unchanged`: tasks that came back unchanged.
    """

    out: Path
    rework: Rework | None
    again: bool = False
    waiting: tuple[str, ...] = ()
    outdated: tuple[tuple[str, str], ...] = ()
    unchanged: tuple[str, ...] = ()


def return_work(
    store: Store, bundle: str, rater: str, out: Path, *, progress: Progress, now: Callable[[], datetime]
) -> ReturnedWork:
    """Write the tasks sent back to a rater as a bundle. Raises `RaterError`; nothing is written then.

    The same verdicts give the same bytes, and are recorded once.
    """
    refuse_inside_store(store.folder, out)
    audit = load_audit.load_audit(store, bundle)
    if rater not in audit.raters:
        names = ", ".join(audit.raters) or "none"
        raise NotInStore(f"There are no results of {rater!r}.", f"Raters of {bundle}: {names}.", NOTHING_WRITTEN)
    next_work, outdated = next_rework(store, audit, rater)
    outdated_places = tuple((part.task, part.where) for part in outdated)
    if next_work.rework is None:
        return ReturnedWork(out=out, rework=None, outdated=outdated_places, unchanged=next_work.unchanged)
    _write(store, audit, next_work.rework, out, progress)
    if not next_work.again:
        by = max(next_work.rework.tasks, key=lambda part: part.at).by
        reviews.append_review(store, bundle, (REWORK_KIND, rater), by, next_work.rework, now=now())
    return ReturnedWork(
        audits=frozenset({bundle}),
        out=out,
        rework=next_work.rework,
        again=next_work.again,
        waiting=next_work.waiting,
        outdated=outdated_places,
        unchanged=next_work.unchanged,
    )


class ReturnedBundles(Change, frozen=True, kw_only=True):
    """Work returned to all raters, those with a bundle first. `folder` contains the bundles."""

    folder: Path
    raters: tuple[tuple[str, ReturnedWork], ...]

    @property
    def written(self) -> tuple[tuple[str, ReturnedWork], ...]:
        return tuple(entry for entry in self.raters if entry[1].rework is not None)


def return_all(
    store: Store, bundle: str, folder: Path, *, progress: Progress, now: Callable[[], datetime]
) -> ReturnedBundles:
    """Write a bundle for each rater with returned tasks into a folder, created if missing.

    Raises as `return_work`. Bundles written before a failure stay, and are written identically next time.
    """
    audit = load_audit.load_audit(store, bundle)
    returned = []
    for index, rater in enumerate(audit.raters):
        progress(index, len(audit.raters))
        next_work, _ = next_rework(store, audit, rater)
        out = folder
        if next_work.rework is not None:
            rework = next_work.rework
            again = f"-r{rework.revision}" if rework.revision > 1 else ""
            out = folder / f"{file_name(bundle)}{rework.id[len(bundle) :]}{again}.zip"
            refuse_inside_store(store.folder, out)
            with bundle_errors(out, "written", HINT_UNCHANGED):
                folder.mkdir(exist_ok=True)
                check_inside(folder, out)
        returned.append((rater, return_work(store, bundle, rater, out, progress=Progress(), now=now)))
    returned.sort(key=lambda entry: entry[1].rework is None)
    touched = any(entry.rework is not None for _, entry in returned)
    return ReturnedBundles(audits=frozenset({bundle} if touched else ()), folder=folder, raters=tuple(returned))


def next_rework(store: Store, audit: Audit, rater: str) -> tuple[NextRound, tuple[Verdict, ...]]:
    """Return what would be returned to a rater now, and the verdicts on outdated ratings."""
    return _next(audit, _verdicts(store, audit), rework_rounds(store, audit.bundle), rater)


def pending_rework(store: Store, audit: Audit) -> tuple[ReworkState, ...]:
    """Return the pending rework of each rater who has any. Raises `StoreDamaged`."""
    verdicts, before = _verdicts(store, audit), rework_rounds(store, audit.bundle)
    names = {entry.rater for entry in verdicts if entry.kind == "returned"} | before.keys()
    pending = []
    for rater in audit.raters:
        if rater in names:
            coming, _ = _next(audit, verdicts, before, rater)
            pending.append(rework_state(coming, before.get(rater, ()), audit.ratings, audit.received, rater=rater))
    return tuple(entry for entry in pending if entry.unsent or entry.out)


def _verdicts(store: Store, audit: Audit) -> list[Verdict]:
    return [review.read(Verdict) for review in reviews.latest_reviews(store, audit.bundle, "verdict")]


def _next(
    audit: Audit, verdicts: list[Verdict], before: dict[str, tuple[Rework, ...]], rater: str
) -> tuple[NextRound, tuple[Verdict, ...]]:
    tasks, outdated = returned_tasks(rater, audit.ratings, verdicts)
    name = f"{audit.bundle}-return-{_letters(audit, before, rater)}-"
    return next_round(tasks, before.get(rater, ()), audit.received, rater=rater, name=name), outdated


def rework_rounds(store: Store, bundle: str) -> dict[str, tuple[Rework, ...]]:
    """Return rater → rounds of rework so far. Raises `StoreDamaged`."""
    raters = [review.subject[1] for review in reviews.latest_reviews(store, bundle, REWORK_KIND)]
    return {
        rater: tuple(entry.read(Rework) for entry in reviews.review_history(store, bundle, (REWORK_KIND, rater)))
        for rater in raters
    }


def _letters(audit: Audit, before: dict[str, tuple[Rework, ...]], rater: str) -> str:
    """Return the letters that stand for the rater in ids: stable over rounds and unique among raters."""
    middle = len(f"{audit.bundle}-return-")
    letters_by_rater = {name: rework[0].id[middle:].rpartition("-")[0] for name, rework in before.items()}
    if rater in letters_by_rater:
        return letters_by_rater[rater]
    used = {letters.lower() for letters in letters_by_rater.values()}
    others = [name for name in audit.raters if name not in letters_by_rater]
    spelt = dict(zip(others, distinct_file_name_parts(others), strict=True))[rater]
    letters, number = spelt, 1
    while letters.lower() in used:
        number += 1
        letters = f"{spelt}-{number}"
    return letters


def _write(store: Store, audit: Audit, rework: Rework, out: Path, progress: Progress) -> None:
    def lines() -> Iterator[bytes]:
        for count, task in enumerate(rework.tasks):
            progress(count, len(rework.tasks))
            text = received.task_text(store, task.text)
            rating = received.received_rating(store, task.results, task.task)
            yield returned_line(text, rating, task.comments, task.by, task.at)

    pages: dict[str, Path] = {}
    for task in rework.tasks:
        pages.update(pages_of(store, received.received_rating(store, task.results, task.task)))
    make_bundle(out, _new(store, audit, rework, pages), lines())
    progress(len(rework.tasks), len(rework.tasks))


def _new(store: Store, audit: Audit, rework: Rework, pages: dict[str, Path]) -> BundleDraft:
    """Return the new bundle without its tasks: like the audited one, and derived from it."""
    manifest = received.results_manifest(store, rework.results)
    rubric = received.rubrics_by_results(store, audit.bundle)[rework.results]
    copy = audit.copy
    return BundleDraft(
        id=rework.id,
        revision=rework.revision,
        title=f"{audit.title} (sent back, {rework.round})",
        created=rework.at,
        language=manifest.bundle.language,
        rubric=rubric.ref,
        rubric_toml=rubric.toml,
        guidelines=copy.guidelines or None if copy is not None else None,
        pictures=find_pictures(store, copy.pictures) if copy is not None else {},
        snapshots=pages,
        unknown={DERIVED_KEY: _derived(audit, manifest.bundle, rework)},
    )


def _derived(audit: Audit, bundle: BundleRef, rework: Rework) -> dict[str, Any]:
    whole = bundle.derived.bundles[0] if bundle.derived is not None and bundle.id != audit.bundle else bundle
    return {
        "tool": RETURN_TOOL,
        "rater": rework.rater,
        "results": rework.results,
        "round": rework.round,
        "bundles": [{"id": whole.id, "revision": whole.revision, "sha256": whole.sha256}],
    }


def returned_line(text: bytes, rating: Rating, comments: tuple[Comment, ...], by: str, at: str) -> bytes:
    """Return the task line as it was rated, with the lead's comments. Raises `BundleError` for too many comments."""
    if len(comments) > MAX_RETURN_COMMENTS:
        why = f"{len(comments):,} of its places are sent back, and {MAX_RETURN_COMMENTS:,} comments can go at once."
        raise BundleError(
            f'Task "{rating.task}" can\'t be sent back',
            why,
            "Withdraw some of the verdicts, and put their comments into one.",
        )
    returned = TaskReturn(by=by, at=at, comments=comments, rating=rating)
    order = {} if rating.display_order is None else {ORDER_KEY: rating.display_order}
    return canonical_json({**msgspec.json.decode(text), **order, RETURN_KEY: to_plain(returned)})


def pages_of(store: Store, rating: Rating) -> dict[str, Path]:
    """Return SHA-256 → file of the stored pages of a rating."""
    names = {piece.snapshot for piece in rating.evidence if piece.snapshot}
    paths = {name: snapshots.intact_snapshot(store.folder, name) for name in names}
    return {name: path for name, path in paths.items() if path is not None}
