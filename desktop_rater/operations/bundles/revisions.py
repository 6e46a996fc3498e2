"""Choose the current revision of a bundle, put bundles away or bring them back, and remove them."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Literal

import msgspec

from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time
from desktop_rater.operations.rating.open_task import load_bundle
from desktop_rater.paths import offered_samples, sample_bundle_path
from desktop_rater.store import bundle_events, removal
from desktop_rater.store.bundle_events import BundleEvent, RevisionEffect
from desktop_rater.store.removal import BundleHoldings, RatingOnHold
from desktop_rater.store.store import Store


class BundleChanged(Change, frozen=True, kw_only=True):
    """Outcome of an event. `effect`: on rated tasks, if another revision is current now."""

    what: Literal["revision", "put away", "brought back"]
    outcome: Literal["changed", "unchanged"]
    id: str
    revision: int
    effect: RevisionEffect = RevisionEffect()
    message: str


def go_to_revision(
    store: Store, bundle_id: str, revision: int, *, reason: str = "", now: Callable[[], datetime]
) -> BundleChanged:
    """Make a revision of the store current. Raises `NotInStore`. All ratings stay in the store."""
    load_bundle(store, bundle_id, revision)  # a revision that was altered or is missing is refused
    moment = format_time(now())
    event = BundleEvent(bundle=bundle_id, what="revision", revision=revision, reason=reason, moment=moment)
    effect = bundle_events.choose_revision(store, event)
    name = f"revision {revision} of {bundle_id}"
    if effect is None:
        message = f"Nothing to do: {name} is the current one."
        return BundleChanged(what="revision", outcome="unchanged", id=bundle_id, revision=revision, message=message)
    message = f"R{name[1:]} is the current one."
    if effect.finished or effect.begun:
        message += (
            f" {effect.finished:,} finished and {effect.begun:,} begun tasks are only in revision {effect.current}; "
            "they are stored, and come back with it."
        )
    if effect.reopened:
        message += f" {effect.reopened:,} finished tasks were rated with another text or rubric, and are open."
    return BundleChanged(
        bundles=frozenset({bundle_id}),
        what="revision",
        outcome="changed",
        id=bundle_id,
        revision=revision,
        effect=effect,
        message=message,
    )


def put_bundle_away(store: Store, bundle_id: str, *, reason: str = "", now: Callable[[], datetime]) -> BundleChanged:
    """Leave a bundle out of lists; its ratings stay, and are still sent. Raises `NotInStore`."""
    return _mark(store, bundle_id, "put away", reason, now)


def bring_bundle_back(store: Store, bundle_id: str, *, reason: str = "", now: Callable[[], datetime]) -> BundleChanged:
    """List a bundle again that was put away. Raises `NotInStore`."""
    return _mark(store, bundle_id, "brought back", reason, now)


def _mark(
    store: Store,
    bundle_id: str,
    what: Literal["put away", "brought back"],
    reason: str,
    now: Callable[[], datetime],
) -> BundleChanged:
    revision = load_bundle(store, bundle_id).revision
    event = BundleEvent(bundle=bundle_id, what=what, revision=revision, reason=reason, moment=format_time(now()))
    changed = bundle_events.set_put_away(store, event)
    state = "put away" if what == "put away" else "in the list"
    return BundleChanged(
        bundles=frozenset({bundle_id}) if changed else frozenset(),
        what=what,
        outcome="changed" if changed else "unchanged",
        id=bundle_id,
        revision=revision,
        message=f"{bundle_id} is {state}." if changed else f"Nothing to do: {bundle_id} is {state} already.",
    )


MAX_NAMED = 5  # ratings named in a message


class NotRemoved(RaterError):
    """The bundle holds work that is nowhere else."""


class RemovalCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Effect of a removal. `on_hold`: the ratings that prevent it; `audited`: so do results of raters."""

    id: str
    title: str
    revision: int
    holdings: BundleHoldings
    on_hold: tuple[RatingOnHold, ...]
    audited: bool

    @property
    def refusal(self) -> str:
        """Return why the bundle can't be removed; empty if it can."""
        if self.audited:
            return "The store holds results or reviews of it."
        names = [f"{rating.task} by {rating.rater}" for rating in self.on_hold[:MAX_NAMED]]
        more = f" and {len(self.on_hold) - MAX_NAMED:,} more" if len(self.on_hold) > MAX_NAMED else ""
        return f"Neither exported nor sent: {', '.join(names)}{more}." if names else ""


class RemovedBundle(Change, frozen=True, kw_only=True):
    """Outcome of a removal."""

    id: str
    removed: bool
    holdings: BundleHoldings
    message: str


def check_removal(store: Store, bundle_id: str) -> RemovalCheck:
    """Return what a removal would delete, and what prevents it. Raises `NotInStore`.

    Ratings of practice and of the samples that come with the program prevent nothing: nobody waits for them.
    """
    row = load_bundle(store, bundle_id)
    trial = row.practice or row.tasks_sha256 in _sample_tasks()
    return RemovalCheck(
        id=bundle_id,
        title=row.title or bundle_id,
        revision=row.revision,
        holdings=removal.bundle_holdings(store, bundle_id),
        on_hold=() if trial else tuple(removal.ratings_on_hold(store, bundle_id)),
        audited=removal.is_audited(store, bundle_id),
    )


def remove_bundle(store: Store, bundle_id: str, *, now: Callable[[], datetime]) -> RemovedBundle:
    """Delete a bundle with tasks, ratings and pages. Raises `NotInStore`, and `NotRemoved` if work would be lost."""
    check = check_removal(store, bundle_id)
    if check.refusal:
        hint = "Export the results or sync with the hub first, or put the bundle away: then it is out of all lists."
        raise NotRemoved(f"{bundle_id} was not removed.", check.refusal, hint)
    event = BundleEvent(bundle=bundle_id, what="removed", revision=check.revision, moment=format_time(now()))
    removal.remove_bundle(store, event)
    return RemovedBundle(
        bundles=frozenset({bundle_id}),
        id=bundle_id,
        removed=True,
        holdings=check.holdings,
        message=f"{bundle_id} is removed: {holdings_text(check.holdings)}.",
    )


def holdings_text(holdings: BundleHoldings) -> str:
    """Return the counts in English."""
    counts = ((holdings.tasks, "task"), (holdings.ratings, "rating"), (holdings.pages, "stored page"))
    names = [f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in counts]
    return f"{', '.join(names)}, {holdings.bytes / 1_000_000:.1f} MB"


@cache
def _sample_tasks() -> frozenset[str]:
    """Return the SHA-256 of the tasks of each bundle that comes with the program."""
    from desktop_rater.format.archive import TASKS, open_bundle  # noqa: PLC0415 - only when it is used

    hashes = set()
    for name in offered_samples():
        with open_bundle(sample_bundle_path(name)) as bundle:
            hashes.add(bundle.manifest.files[TASKS].sha256)
    return frozenset(hashes)
