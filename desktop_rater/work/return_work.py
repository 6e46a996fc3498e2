"""Send a rater's work back: a bundle of the tasks that the lead returned, with the comments and the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.rework import Next, OnTheWay, Rework, SentBack, next_round, on_the_way, sent_back
from desktop_rater.audit.verdicts import Verdict
from desktop_rater.bundle.make import NewBundle, make_bundle
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.bundle.write import TRY_AGAIN
from desktop_rater.model.canonical import canonical
from desktop_rater.model.change import Change
from desktop_rater.model.derived import DERIVED, RETURN
from desktop_rater.model.kept import to_plain
from desktop_rater.model.progress import Progress
from desktop_rater.model.returned import MOST_COMMENTS, Returned
from desktop_rater.store import received, reviews, snapshots
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import audit_desk
from desktop_rater.work.raters_file import in_file_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.audit.filed import Audit
    from desktop_rater.model.manifests import BundleRef
    from desktop_rater.model.rating import Rating
    from desktop_rater.store.store import Store

KIND = "rework"
"""The kind of review that says what went back to a rater."""

_REFUSED = "Nothing was written."


class ReturnedWork(Change, frozen=True, kw_only=True):
    """What went back. `rework` None: nothing is to go back, and there is no file.

    `again`: it is the same as before. `waiting`: tasks that can only go once this has come back. `outdated`: (task,
    where) of what was sent back while another rating counts since. `unchanged`: tasks that came back as they were.
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
    """Write what the lead sent back to a rater as a bundle. Raises `RaterError`: then nothing was written.

    The same verdicts give the same bytes, and are noted once.
    """
    _refuse_inside(store, out)
    audit = audit_desk.load_audit(store, bundle)
    if rater not in audit.raters:
        known = ", ".join(audit.raters) or "none"
        raise NotThere(f"There are no results of {rater!r}.", f"Raters of {bundle}: {known}.", _REFUSED)
    found, outdated = what_is_next(store, audit, rater)
    named = tuple((one.task, one.where) for one in outdated)
    if found.rework is None:
        return ReturnedWork(out=out, rework=None, outdated=named, unchanged=found.unchanged)
    _write(store, audit, found.rework, out, progress)
    if not found.again:
        by = max(found.rework.tasks, key=lambda one: one.at).by
        reviews.append(store, bundle, (KIND, rater), by, found.rework, now=now())
    return ReturnedWork(
        audits=frozenset({bundle}),
        out=out,
        rework=found.rework,
        again=found.again,
        waiting=found.waiting,
        outdated=named,
        unchanged=found.unchanged,
    )


def _refuse_inside(store: Store, out: Path) -> None:
    if store.folder.resolve() in out.resolve().parents:
        raise BundleError(f"{out.name} can't be written", "That is inside the store.", "Choose another folder.")


class ReturnedAll(Change, frozen=True, kw_only=True):
    """What went back to all raters, those first who get something; `folder` holds the bundles."""

    folder: Path
    raters: tuple[tuple[str, ReturnedWork], ...]

    @property
    def written(self) -> tuple[tuple[str, ReturnedWork], ...]:
        """The raters who get something."""
        return tuple(one for one in self.raters if one[1].rework is not None)


def return_all(
    store: Store, bundle: str, folder: Path, *, progress: Progress, now: Callable[[], datetime]
) -> ReturnedAll:
    """Write what goes back to each rater as a bundle of its own into a folder, which may be new.

    Raises as `return_work`. What was written before one of them failed stays, and the next time is written as it was.
    """
    audit = audit_desk.load_audit(store, bundle)
    done = []
    for count, rater in enumerate(audit.raters):
        progress(count, len(audit.raters))
        found, _ = what_is_next(store, audit, rater)
        out = folder
        if found.rework is not None:
            out = folder / f"{_file_name(bundle, found.rework)}.zip"
            _refuse_inside(store, out)
            with named(folder, "written", TRY_AGAIN):
                folder.mkdir(exist_ok=True)
        done.append((rater, return_work(store, bundle, rater, out, progress=Progress(), now=now)))
    done.sort(key=lambda one: one[1].rework is None)
    touched = any(one.rework is not None for _, one in done)
    return ReturnedAll(audits=frozenset({bundle} if touched else ()), folder=folder, raters=tuple(done))


def _file_name(bundle: str, rework: Rework) -> str:
    """Like the bundle's id, in plain letters; of a later revision with its number."""
    again = f"-r{rework.revision}" if rework.revision > 1 else ""
    return f"{in_file_names([bundle])[0]}{rework.id[len(bundle) :]}{again}"


def what_is_next(store: Store, audit: Audit, rater: str) -> tuple[Next, tuple[Verdict, ...]]:
    """What would go back to a rater now, and the verdicts that are about an earlier rating."""
    return _next(audit, _verdicts(store, audit), rounds(store, audit.bundle), rater)


def what_is_on_the_way(store: Store, audit: Audit) -> tuple[OnTheWay, ...]:
    """Each rater who has something coming or is to send something back. Raises `StoreDamaged`."""
    verdicts, before = _verdicts(store, audit), rounds(store, audit.bundle)
    whose = {one.rater for one in verdicts if one.kind == "returned"} | before.keys()
    found = []
    for rater in audit.raters:
        if rater in whose:
            coming, _ = _next(audit, verdicts, before, rater)
            found.append(on_the_way(coming, before.get(rater, ()), audit.ratings, audit.received, rater=rater))
    return tuple(one for one in found if one.unsent or one.out)


def _verdicts(store: Store, audit: Audit) -> list[Verdict]:
    return [review.read(Verdict) for review in reviews.latest(store, audit.bundle, "verdict")]


def _next(
    audit: Audit, verdicts: list[Verdict], before: dict[str, tuple[Rework, ...]], rater: str
) -> tuple[Next, tuple[Verdict, ...]]:
    tasks, outdated = sent_back(rater, audit.ratings, verdicts)
    name = f"{audit.bundle}-return-{_letters(audit, before, rater)}-"
    return next_round(tasks, before.get(rater, ()), audit.received, rater=rater, name=name), outdated


def rounds(store: Store, bundle: str) -> dict[str, tuple[Rework, ...]]:
    """Rater → what went back so far, from the first round. Raises `StoreDamaged`."""
    raters = [review.subject[1] for review in reviews.latest(store, bundle, KIND)]
    return {rater: tuple(one.read(Rework) for one in reviews.history(store, bundle, (KIND, rater))) for rater in raters}


def _letters(audit: Audit, before: dict[str, tuple[Rework, ...]], rater: str) -> str:
    """What stands for the rater in ids, the same in every round and another one than any other rater's."""
    middle = len(f"{audit.bundle}-return-")
    known = {name: done[0].id[middle:].rpartition("-")[0] for name, done in before.items()}
    if rater in known:
        return known[rater]
    taken = {letters.lower() for letters in known.values()}
    others = [name for name in audit.raters if name not in known]
    spelt = dict(zip(others, in_file_names(others), strict=True))[rater]
    letters, number = spelt, 1
    while letters.lower() in taken:
        number += 1
        letters = f"{spelt}-{number}"
    return letters


def _write(store: Store, audit: Audit, rework: Rework, out: Path, progress: Progress) -> None:
    def lines() -> Iterator[bytes]:
        for count, task in enumerate(rework.tasks):
            progress(count, len(rework.tasks))
            yield _line(store, task)

    pages: dict[str, Path] = {}
    for task in rework.tasks:
        pages.update(_pages(store, received.get(store, task.results, task.task).rating))
    make_bundle(out, _new(store, audit, rework, pages), lines())
    progress(len(rework.tasks), len(rework.tasks))


def _new(store: Store, audit: Audit, rework: Rework, pages: dict[str, Path]) -> NewBundle:
    """The bundle without its tasks: like the one that is audited, and derived from it."""
    manifest = received.manifest_of(store, rework.results)
    rubric = received.rubrics(store, audit.bundle)[rework.results]
    copy = audit_desk.lead_copy(store, audit.bundle)
    return NewBundle(
        id=rework.id,
        revision=rework.revision,
        title=f"{audit.title} (sent back, {rework.round})",
        created=rework.at,
        language=manifest.bundle.language,
        rubric=rubric.ref,
        rubric_toml=rubric.toml,
        guidelines=copy.guidelines or None if copy is not None else None,
        snapshots=pages,
        unknown={DERIVED: _derived(audit, manifest.bundle, rework)},
    )


def _derived(audit: Audit, of: BundleRef, rework: Rework) -> dict[str, Any]:
    whole = of.derived.bundles[0] if of.derived is not None and of.id != audit.bundle else of
    return {
        "tool": RETURN,
        "rater": rework.rater,
        "results": rework.results,
        "round": rework.round,
        "bundles": [{"id": whole.id, "revision": whole.revision, "sha256": whole.sha256}],
    }


def _line(store: Store, task: SentBack) -> bytes:
    """The task as it was rated, with what the lead says to it. Raises `BundleError` where that is too much."""
    if len(task.comments) > MOST_COMMENTS:
        why = f"{len(task.comments):,} of its places are sent back, and {MOST_COMMENTS:,} comments can go at once."
        raise BundleError(f'Task "{task.task}" can\'t go back', why, "Take some of the verdicts back, and say it once.")
    rating = received.get(store, task.results, task.task).rating
    returned = Returned(by=task.by, at=task.at, comments=task.comments, rating=rating)
    return canonical({**msgspec.json.decode(received.text(store, task.text)), "returned": to_plain(returned)})


def _pages(store: Store, rating: Rating) -> dict[str, Path]:
    """The stored pages that the rating names and that are as they were."""
    names = {piece.snapshot for piece in rating.evidence if piece.snapshot}
    found = {name: snapshots.intact(store.folder, name) for name in names}
    return {name: path for name, path in found.items() if path is not None}
