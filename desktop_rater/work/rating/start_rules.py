"""Rules of the start page: the state of a bundle, the order of bundles, the one to go on with, and the week."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Literal

import msgspec

from desktop_rater.rubric.units import Unit
from desktop_rater.work.samples import SAMPLE_BUNDLES

BundleState = Literal["new", "going", "done", "left"]
BundleOrder = Literal["due", "recent", "name"]
Reason = Literal["begun", "returned", "due", "left off"]

ORDERS: tuple[BundleOrder, ...] = ("due", "recent", "name")
WEEK_DAYS = 7


class BundleOverview(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle with the rater's progress. `unit` is what `done` and `total` count.

    `due` is a date or a time, `changed` the time of the last change, `left` that of the last change in exports; these
    may be empty. `sent_back` counts unfinished tasks that the lead returned; the bundle is made of them if it is
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
