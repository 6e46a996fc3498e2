"""Import what came from a hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.bundle.read import open_bundle
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.model.change import Change
from desktop_rater.store import inbox
from desktop_rater.work.import_bundle import Imported, import_bundle
from desktop_rater.work.synced import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.inbox import Arrival
    from desktop_rater.store.store import Store


class Taken(Change, frozen=True, kw_only=True):
    """What became of what came. `lost`: so many had no file any more, and are fetched once more with the next sync."""

    imported: tuple[Imported, ...] = ()
    refused: tuple[Refused, ...] = ()
    lost: int = 0


def arrivals(store: Store, project: str, rater: str) -> tuple[Arrival, ...]:
    """What came for a rater and waits to be imported, in the order in which it was seen."""
    return tuple(inbox.listed(store, project, rater=rater, states=("fetched",), kinds=("assignment", "returned")))


def take_arrivals(
    store: Store,
    project: str,
    rater: str,
    *,
    progress: Progress,
    now: Callable[[], datetime],
    only: frozenset[int] | None = None,
) -> Taken:
    """Import it: all, or those with the keys in `only`. For the lane that writes.

    A bundle that is refused does not hold up the others. What a killed run had imported already is only noted. Raises
    `StoreError`, or `Cancelled`: what was imported before stays.
    """
    imported: list[Imported] = []
    refused: list[Refused] = []
    lost = 0
    for arrival in arrivals(store, project, rater):
        if only is not None and arrival.key not in only:
            continue
        path = inbox.content(store, arrival, lambda: progress(0, 0))
        if path is None:
            inbox.again(store, [arrival.key], now=now())
            lost += 1
            continue
        try:
            _refuse_another(arrival, path)
            one = import_bundle(store, path, progress=progress, now=now)
            imported.append(replace(one, words=one.words.replace(path.name, arrival.title)))
        except BundleError as error:
            why = str(error).replace(path.name, arrival.title)
            inbox.refused(store, arrival.key, why, now=now())
            refused.append(Refused(name=arrival.name, why=why, lasting=True))
        else:
            inbox.taken(store, [arrival.key], now=now())
    ids = frozenset(name for one in imported for name in one.bundles)
    return Taken(bundles=ids, hub=True, imported=tuple(imported), refused=tuple(refused), lost=lost)


def _refuse_another(arrival: Arrival, path: Path) -> None:
    """Raise `BundleError` for a bundle that is not the one that was said to come."""
    with open_bundle(path) as bundle:
        found = bundle.manifest.id, bundle.manifest.revision
    if found != (arrival.bundle, arrival.revision):
        said = f"It is {found[0]} revision {found[1]}, and {arrival.bundle} revision {arrival.revision} was assigned."
        raise BundleError(f"{arrival.title} is refused", said, "Ask your team to publish it again.")
