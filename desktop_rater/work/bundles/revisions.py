"""Choose the current revision of a bundle, and put bundles away or bring them back."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from desktop_rater.model.change import Change
from desktop_rater.model.values import format_time
from desktop_rater.store import bundle_events
from desktop_rater.store.bundle_events import BundleEvent, RevisionEffect
from desktop_rater.store.store import Store
from desktop_rater.work.rating.open_task import load_bundle


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
