"""Where a rater was: the bundle, and in each bundle the task, the place and the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.change import NOTHING, Change
from desktop_rater.model.place import Place
from desktop_rater.model.ready import ready
from desktop_rater.store import state

if TYPE_CHECKING:
    from desktop_rater.store.store import Store

MOST_BUNDLES = 100  # of so many bundles the place is known; of older ones it is forgotten


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a task, and `step`, what was read there.

    `field` is the text field in which the cursor stood, `cursor` where; scrolls are in pixels.
    """

    task: str
    place: Place = Place()
    question: str | None = None
    step: str = ""
    field: str = ""
    cursor: int = 0
    form_scroll: int = 0
    text_scroll: int = 0


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """`bundle` is the one that was open last; `spots` are by bundle, the latest last."""

    bundle: str = ""
    spots: dict[str, Spot] = {}


def remembered(store: Store, rater: str) -> Remembered:
    """What was remembered; nothing where it can't be understood, since nothing depends on it."""
    return _understood(state.get(store, _key(rater)))


def remember(store: Store, rater: str, bundle: str, spot: Spot) -> Change:
    """Remember where the rater is now. Raises `StoreError`."""
    before = remembered(store, rater)
    spots = {name: known for name, known in before.spots.items() if name != bundle}
    kept = dict(list(spots.items())[1 - MOST_BUNDLES :])
    now = Remembered(bundle=bundle, spots={**kept, bundle: spot})
    if now != before:
        state.put(store, _key(rater), msgspec.to_builtins(now))
    return NOTHING


def _understood(value: Any) -> Remembered:
    try:
        return msgspec.convert(value, ready(Remembered)) if value is not None else Remembered()
    except msgspec.ValidationError:
        return Remembered()


def _key(rater: str) -> str:
    return f"place of {rater}"
