"""A rater's day, place and time per task, and texts that were begun, stored across restarts."""

from collections.abc import Mapping
from datetime import datetime
from functools import reduce
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.model.change import NO_CHANGE, Change
from desktop_rater.model.rating import ResearchEntry, TimeSpent
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.model.values import Place
from desktop_rater.store import state
from desktop_rater.store.store import Store
from desktop_rater.work.rating.start_rules import DayWork

T = TypeVar("T")

_DAYS_KEY, _KEPT_DAYS, _NAMED_DAYS = "days of {}", 60, 7
_DAY_KEY, _PLACE_KEY, _TIME_KEY, _RESEARCH_KEY = "today of {}", "place of {}", "time of {}", "research of {}"
_DRAFTS_KEY = "drafts of {}"


class RaterDay(msgspec.Struct, frozen=True, kw_only=True):
    """One day of one rater. `targets`: items finished that day, each once, as `bundle/task/targets/target`.

    For responses it is `bundle/task/responses/response`, for the whole task `bundle/task/task`. `done` counts targets
    and responses where a day of long ago no longer names them.
    """

    day: str = ""
    seconds: int = 0
    targets: tuple[str, ...] = ()
    done: int = 0

    @property
    def finished(self) -> tuple[int, int]:
        kinds = [f"/{name}".rsplit("/", 2)[-2] for name in self.targets]
        return kinds.count("targets"), kinds.count("responses")

    @property
    def work(self) -> DayWork:
        return DayWork(day=self.day, seconds=self.seconds, done=max(self.done, sum(self.finished)))

    def includes(self, other: "RaterDay") -> bool:
        return self.seconds >= other.seconds and set(self.targets) >= set(other.targets) and self.done >= other.done

    def with_more(self, other: "RaterDay") -> "RaterDay":
        """Return the day with another part of it; a target that both name counts once."""
        both = replace(self, targets=tuple(dict.fromkeys((*self.targets, *other.targets))))
        unnamed = sum(max(0, part.done - sum(part.finished)) for part in (self, other))
        done = unnamed + sum(both.finished) if unnamed else 0
        return replace(both, seconds=self.seconds + other.seconds, done=done)


def local_day(now: datetime) -> str:
    """Return the local date."""
    return now.astimezone().date().isoformat()


def load_day(store: Store, rater: str, day: str) -> RaterDay:
    """Return the counts of that day, which may have come back by travel or a changed clock; empty if there are none."""
    parts = (record for record in _records(store, rater) if record.day == day)
    return reduce(RaterDay.with_more, parts, RaterDay(day=day))


def save_day(store: Store, rater: str, today: RaterDay) -> Change:
    """Save the day; the one before goes to the earlier days. Raises `StoreError`."""
    *earlier, before = _records(store, rater) or [RaterDay()]
    if before.day and before.day != today.day:
        days = [day for day in (*earlier, before) if day.day != today.day or not today.includes(day)][-_KEPT_DAYS:]
        unnamed = [replace(day, done=day.work.done, targets=()) for day in days[:-_NAMED_DAYS]]
        state.put_state(store, _DAYS_KEY.format(rater), msgspec.to_builtins([*unnamed, *days[-_NAMED_DAYS:]]))
    state.put_state(store, _DAY_KEY.format(rater), msgspec.to_builtins(today))
    return NO_CHANGE


def load_days(store: Store, rater: str) -> tuple[DayWork, ...]:
    """Return the rater's days in order, the one of the last work included; a day that came back is there twice."""
    return tuple(record.work for record in _records(store, rater))


def _records(store: Store, rater: str) -> list[RaterDay]:
    """Return the stored records of the rater's days, that of the last work at the end."""
    last = _load(store, _DAY_KEY.format(rater), RaterDay, RaterDay())
    earlier = _load(store, _DAYS_KEY.format(rater), tuple[RaterDay, ...], ())
    return [*earlier, last] if last.day else list(earlier)


MAX_REMEMBERED_BUNDLES = 100  # remembered bundles; older ones are dropped


class RememberedSpot(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a task, and `step`, the item read there.

    `field`: the text field with the cursor, `cursor`: its position, −1 at the end; scroll positions are in pixels.
    """

    task: str
    place: Place = Place()
    question: str | None = None
    step: str = ""
    field: str = ""
    cursor: int = 0
    form_scroll: int = 0
    text_scroll: int = 0


class RememberedPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """The bundle opened last, and the spots by bundle, latest last."""

    bundle: str = ""
    spots: dict[str, RememberedSpot] = {}


def load_places(store: Store, rater: str) -> RememberedPlaces:
    """Return the remembered places; empty if unreadable, since nothing depends on them."""
    return _load(store, _PLACE_KEY.format(rater), RememberedPlaces, RememberedPlaces())


def save_place(store: Store, rater: str, bundle: str, spot: RememberedSpot) -> Change:
    """Save the rater's current place. Raises `StoreError`."""
    before = load_places(store, rater)
    spots = {name: previous for name, previous in before.spots.items() if name != bundle}
    recent = dict(list(spots.items())[1 - MAX_REMEMBERED_BUNDLES :])
    now = RememberedPlaces(bundle=bundle, spots={**recent, bundle: spot})
    if now != before:
        state.put_state(store, _PLACE_KEY.format(rater), msgspec.to_builtins(now))
    return NO_CHANGE


MAX_TIMED_TASKS = 100  # stored tasks; older ones are dropped


class StoredTime(msgspec.Struct, frozen=True, kw_only=True):
    """The seconds of one task; `targets`: target id → active seconds."""

    bundle: str
    task: str
    active: float = 0
    idle: float = 0
    targets: dict[str, float] = {}


def load_time(store: Store, rater: str, bundle: str, task: str) -> TimeSpent:
    """Return the stored time of a task; zero if there is none or it is unreadable."""
    stored = next((entry for entry in _all(store, rater) if (entry.bundle, entry.task) == (bundle, task)), None)
    if stored is None:
        return TimeSpent()
    return TimeSpent(active_seconds=stored.active, idle_seconds=stored.idle, targets=stored.targets)


class StoredResearch(msgspec.Struct, frozen=True, kw_only=True):
    """Research entries of one task that its rating does not hold."""

    bundle: str
    task: str
    entries: tuple[ResearchEntry, ...] = ()


def load_research(store: Store, rater: str, bundle: str, task: str) -> tuple[ResearchEntry, ...]:
    """Return the research entries stored beside a rating; none if they are unreadable."""
    stored = _load(store, _RESEARCH_KEY.format(rater), tuple[StoredResearch, ...], ())
    return next((entry.entries for entry in stored if (entry.bundle, entry.task) == (bundle, task)), ())


def save_times(
    store: Store,
    rater: str,
    sums: Mapping[tuple[str, str], TimeSpent | None],
    research: Mapping[tuple[str, str], tuple[ResearchEntry, ...]] | None = None,
) -> Change:
    """Save the totals of some tasks, and their research that no stored rating holds. Raises `StoreError`.

    A total is `None` if the stored rating contains everything.
    """
    if research:
        key = _RESEARCH_KEY.format(rater)
        rows = _load(store, key, tuple[StoredResearch, ...], ())
        rows = tuple(row for row in rows if (row.bundle, row.task) not in research)
        rows += tuple(
            StoredResearch(bundle=bundle, task=task, entries=entries)
            for (bundle, task), entries in research.items()
            if entries
        )
        state.put_state(store, key, msgspec.to_builtins(rows[-MAX_TIMED_TASKS:]))
    if not sums:
        return NO_CHANGE
    others = [entry for entry in _all(store, rater) if (entry.bundle, entry.task) not in sums]
    new = [
        StoredTime(
            bundle=bundle, task=task, active=entry.active_seconds, idle=entry.idle_seconds, targets=dict(entry.targets)
        )
        for (bundle, task), entry in sums.items()
        if entry is not None
    ]
    stored = (*others, *new)[-MAX_TIMED_TASKS:]
    state.put_state(store, _TIME_KEY.format(rater), msgspec.to_builtins(stored))
    return NO_CHANGE


MAX_DRAFTS = 200  # stored texts; older ones are dropped
DraftKey = tuple[str, str, str]  # bundle, task, kind


class StoredDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A text that was begun and is no part of a rating or a review yet; `kind`: where it was typed."""

    bundle: str
    task: str
    kind: str
    text: str


def load_drafts(store: Store, rater: str) -> dict[DraftKey, str]:
    """Return the texts that were begun; none if they are unreadable."""
    stored = _load(store, _DRAFTS_KEY.format(rater), tuple[StoredDraft, ...], ())
    return {(draft.bundle, draft.task, draft.kind): draft.text for draft in stored}


def save_drafts(store: Store, rater: str, changed: Mapping[DraftKey, str]) -> Change:
    """Save texts that were begun; an empty one is forgotten. Raises `StoreError`."""
    others = {key: text for key, text in load_drafts(store, rater).items() if key not in changed}
    drafts = [
        StoredDraft(bundle=bundle, task=task, kind=kind, text=text)
        for (bundle, task, kind), text in {**others, **changed}.items()
        if text
    ]
    state.put_state(store, _DRAFTS_KEY.format(rater), msgspec.to_builtins(drafts[-MAX_DRAFTS:]))
    return NO_CHANGE


def _all(store: Store, rater: str) -> tuple[StoredTime, ...]:
    return _load(store, _TIME_KEY.format(rater), tuple[StoredTime, ...], ())


def _load(store: Store, key: str, shape: type[T], default: T) -> T:
    """Return a stored value; the default if there is none or it is unreadable."""
    value = state.get_state(store, key)
    try:
        return msgspec.convert(value, prepared_type(shape)) if value is not None else default
    except msgspec.ValidationError:
        return default
