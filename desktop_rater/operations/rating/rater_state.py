"""A rater's day, place and time per task, texts that were begun, and the bundle that comes next."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import reduce
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from desktop_rater.format.change import NO_CHANGE, Change
from desktop_rater.format.rating import ResearchEntry, TimeSpent
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import Place
from desktop_rater.paths import SAMPLE_BUNDLES
from desktop_rater.rubric.check import Unit
from desktop_rater.store import state
from desktop_rater.store.store import Store

BundleState = Literal["new", "going", "done", "left"]
BundleOrder = Literal["due", "recent", "name"]
Reason = Literal["begun", "returned", "due", "left off"]

ORDERS: tuple[BundleOrder, ...] = ("due", "recent", "name")
WEEK_DAYS = 7


class BundleOverview(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle with the rater's progress. `unit` is what `done` and `total` count.

    `due` is a date or a time, `changed` the time of the last change, `left` that of the last change in exports; these
    may be empty. `missing_libraries`: those that it wants and the store lacks, each with its date if it has one.
    `sent_back` counts unfinished tasks that the lead returned; the bundle is made of them if it is
    `returned`. `seconds_left`: at the rater's own pace, `None` if unknown.
    """

    id: str
    revision: int
    title: str
    rubric: str
    unit: Unit
    done: int
    total: int
    tasks: int
    finished: int
    due: str = ""
    missing_libraries: tuple[str, ...] = ()
    changed: str = ""
    left: str = ""
    imported: str = ""
    sent_back: int = 0
    returned: bool = False
    practice: bool = False
    put_away: bool = False
    seconds_left: int | None = None

    @property
    def open(self) -> bool:
        """Return whether there is anything to do in it."""
        return self.finished < self.tasks

    @property
    def for_trying(self) -> bool:
        """Return whether it is a sample or for practice, with no day until which it is due."""
        return not self.due and (self.practice or self.id in SAMPLE_BUNDLES)

    @property
    def state(self) -> BundleState:
        if self.open:
            return "going" if self.changed else "new"
        return "left" if self.left >= self.changed else "done"


def due_moment(due: str) -> datetime | None:
    """Return the end of the due day here, or the due time; `None` without one."""
    if not due:
        return None
    if "T" in due:
        return datetime.fromisoformat(due).astimezone()
    return datetime.combine(date.fromisoformat(due), time.max).astimezone()


def days_left(due: str, now: datetime) -> int | None:
    """Return the days from today to the due day, negative if it is over; `None` without one."""
    moment = due_moment(due)
    return None if moment is None else (moment.date() - now.astimezone().date()).days


def ordered_bundles(bundles: Iterable[BundleOverview], order: BundleOrder) -> list[BundleOverview]:
    """Return bundles in an order.

    In that of the due dates, those without one follow, the last changed first; then samples and practice; then those
    with nothing to do.
    """

    def by_due(bundle: BundleOverview) -> tuple[bool, bool, bool, float]:
        moment = due_moment(bundle.due)
        changed = datetime.fromisoformat(bundle.changed).timestamp() if bundle.changed else 0
        return not bundle.open, bundle.for_trying, moment is None, moment.timestamp() if moment else -changed

    named = sorted(bundles, key=lambda bundle: ((bundle.title or bundle.id).casefold(), bundle.id))
    if order == "recent":
        return sorted(named, key=lambda bundle: bundle.changed or bundle.imported, reverse=True)
    return sorted(named, key=by_due) if order == "due" else named


def next_bundle(bundles: Sequence[BundleOverview], last: str, *, begun: bool) -> tuple[str, Reason] | None:
    """Return the bundle to go on with, and why; `None` if there is none.

    A task that was left in the middle comes first (`begun`: one of the bundle `last`), then returned tasks, then what
    is due first, then where the rater left off, then what else is open. Samples and practice come in question only
    while nothing else is open.
    """
    listed = [bundle for bundle in ordered_bundles(bundles, "due") if not bundle.put_away]
    working = [bundle for bundle in listed if bundle.open]
    if own := [bundle for bundle in working if not bundle.for_trying]:
        listed = working = own
    here = next((bundle for bundle in listed if bundle.id == last), None)
    if here is not None and begun:
        return here.id, "begun"
    returned = next((bundle for bundle in working if bundle.returned), None)
    if returned is not None:
        return returned.id, "returned"
    due = next((bundle for bundle in working if bundle.due), None)
    if due is not None:
        return due.id, "left off" if due is here else "due"
    first = here if here is not None and (here.open or not working) else next(iter((*working, *listed)), None)
    return None if first is None else (first.id, "left off")


class DayWork(msgspec.Struct, frozen=True, kw_only=True):
    """The work of a rater on one day, a local date: finished targets and responses, and active seconds."""

    day: str
    seconds: int = 0
    done: int = 0


class WorkWeek(msgspec.Struct, frozen=True, kw_only=True):
    """The days of this week from Monday, those to come included, and the number of today among them."""

    days: tuple[DayWork, ...]
    today: int

    @property
    def done(self) -> int:
        return sum(day.done for day in self.days)

    @property
    def seconds(self) -> int:
        return sum(day.seconds for day in self.days)


def week_of(days: Iterable[DayWork], today: date) -> WorkWeek:
    """Return the week of a day. Several records of a day add up: it came back by travel or a changed clock."""
    monday = today - timedelta(days=today.weekday())
    names = [(monday + timedelta(days=number)).isoformat() for number in range(WEEK_DAYS)]
    week = {name: DayWork(day=name) for name in names}
    for part in days:
        if part.day in week:
            before = week[part.day]
            week[part.day] = DayWork(day=part.day, seconds=before.seconds + part.seconds, done=before.done + part.done)
    return WorkWeek(days=tuple(week.values()), today=today.weekday())


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
