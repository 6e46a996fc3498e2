"""The rater's day: active seconds and finished targets; and how much of a bundle is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.change import NOTHING, Change
from desktop_rater.model.ready import ready
from desktop_rater.store import pace, state, tasks

if TYPE_CHECKING:
    from datetime import datetime

    from desktop_rater.store.store import Store


class Today(msgspec.Struct, frozen=True, kw_only=True):
    """One day of one rater. `targets` names what was finished that day, each once: `bundle/task/targets/target`.

    Where a rubric asks about responses it is `bundle/task/responses/response`, and about the whole `bundle/task/task`.
    """

    day: str = ""
    seconds: int = 0
    targets: tuple[str, ...] = ()

    @property
    def finished(self) -> tuple[int, int]:
        """How many targets and how many responses were finished."""
        kinds = [f"/{name}".rsplit("/", 2)[-2] for name in self.targets]
        return kinds.count("targets"), kinds.count("responses")


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks of a bundle that are not finished; `seconds` at the rater's own pace, `None` while it is not known."""

    tasks: int
    seconds: int | None = None


def day_of(now: datetime) -> str:
    """The day where the rater sits."""
    return now.astimezone().date().isoformat()


def read(store: Store, rater: str, day: str) -> Today:
    """What is counted of that day so far; nothing where it is of another day or can't be understood."""
    value = state.get(store, _key(rater))
    try:
        known = msgspec.convert(value, ready(Today)) if value is not None else Today()
    except msgspec.ValidationError:
        known = Today()
    return known if known.day == day else Today(day=day)


def keep(store: Store, rater: str, today: Today) -> Change:
    """Remember the day. Raises `StoreError`."""
    state.put(store, _key(rater), msgspec.to_builtins(today))
    return NOTHING


def left(store: Store, bundle_id: str, rater: str) -> Left:
    """How much of a bundle is left for the rater."""
    counts = tasks.counts_by_state(store, bundle_id, rater)
    count = counts.untouched + counts.incomplete
    mean = pace.seconds_a_task(store, bundle_id, rater)
    return Left(tasks=count, seconds=None if mean is None else round(mean * count))


def _key(rater: str) -> str:
    return f"today of {rater}"
