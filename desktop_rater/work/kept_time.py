"""The time spent on tasks, as far as their ratings do not say it yet: kept from one start to the next.

What is kept is the whole sum of a task and of each of its targets, and no difference to its rating. So it does not
matter which of the two was stored last when the program was killed: the larger sum counts, and no second counts twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.change import NOTHING, Change
from desktop_rater.model.rating import TimeSpent
from desktop_rater.model.ready import ready
from desktop_rater.store import state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_rater.store.store import Store

MOST_TASKS = 100  # of so many tasks it is known; of older ones it is forgotten


class KeptSum(msgspec.Struct, frozen=True, kw_only=True):
    """The seconds of one task; `targets`: target id → active seconds."""

    bundle: str
    task: str
    active: float = 0
    idle: float = 0
    targets: dict[str, float] = {}


def spent(store: Store, rater: str, bundle: str, task: str) -> TimeSpent:
    """What is kept of a task; nothing where nothing is, or where it can't be understood."""
    found = next((one for one in _all(store, rater) if (one.bundle, one.task) == (bundle, task)), None)
    if found is None:
        return TimeSpent()
    return TimeSpent(active_seconds=found.active, idle_seconds=found.idle, targets=found.targets)


def keep(store: Store, rater: str, sums: Mapping[tuple[str, str], TimeSpent | None]) -> Change:
    """Keep the sums of some tasks; `None` where the stored rating says it all. Raises `StoreError`."""
    others = [one for one in _all(store, rater) if (one.bundle, one.task) not in sums]
    fresh = [
        KeptSum(bundle=bundle, task=task, active=one.active_seconds, idle=one.idle_seconds, targets=dict(one.targets))
        for (bundle, task), one in sums.items()
        if one is not None
    ]
    kept = (*others, *fresh)[-MOST_TASKS:]
    state.put(store, _key(rater), msgspec.to_builtins(kept))
    return NOTHING


def _all(store: Store, rater: str) -> tuple[KeptSum, ...]:
    value: Any = state.get(store, _key(rater))
    try:
        return msgspec.convert(value, ready(tuple[KeptSum, ...])) if value is not None else ()
    except msgspec.ValidationError:
        return ()


def _key(rater: str) -> str:
    return f"time of {rater}"
