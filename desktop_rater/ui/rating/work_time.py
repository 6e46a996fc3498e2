"""Seconds that a rater works on each target, and research of this sitting that no rating holds yet."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format.edit import add_time, with_seconds
from desktop_rater.format.rating import Rating, ResearchEntry, TimeSpent
from desktop_rater.rubric.research import EntryKey, entry_key, merged_entries, with_research

AWAKE_SECONDS = 120
TargetKey = tuple[str, str, str | None]  # bundle, task, target
TimedTaskKey = tuple[str, str]  # bundle, task


class _WaitingSeconds(Struct):
    """Seconds of a task that its rating does not hold, by target; `None` for those of no target."""

    active: dict[str | None, float] = {}
    idle: dict[str | None, float] = {}

    def add(self, target: str | None, active: float, idle: float) -> None:
        self.active[target] = self.active.get(target, 0.0) + active
        self.idle[target] = self.idle.get(target, 0.0) + idle

    @property
    def spots(self) -> set[str | None]:
        return {*self.active, *self.idle}


class ActiveTime:
    """Timer of one spot at a time. `clock` is monotonic; counting stops `awake_seconds` after the last input.

    It is polled about once a second. If the clock advanced more than `awake_seconds` between two polls, the machine
    slept.
    """

    def __init__(self, clock: Callable[[], float], awake_seconds: float = AWAKE_SECONDS) -> None:
        self._clock = clock
        self.awake_seconds = awake_seconds
        self.paused = self._outside = False
        self.on_input: Callable[[], object] = lambda: None
        self.on_activation: Callable[[bool], object] = lambda _active: None
        self._total = 0.0
        self._spot: TargetKey | None = None
        self._counted_to = clock()
        self._last_input = clock()
        self._window_active = True
        self._waiting: dict[TimedTaskKey, _WaitingSeconds] = {}
        self._grown: set[TimedTaskKey] = set()
        self._held: dict[TimedTaskKey, TimeSpent] = {}  # seconds that the ratings hold

    def move(self, spot: TargetKey | None) -> None:
        """Count for another spot. What is left of a second goes with the rater to the next target of the task."""
        self._count()
        before, self._spot = self._spot, spot
        if before is not None and spot is not None and before[:2] == spot[:2]:
            waiting = self._waiting.setdefault(spot[:2], _WaitingSeconds())
            part = waiting.active.get(before[2], 0.0) % 1
            waiting.add(before[2], -part, 0.0)
            waiting.add(spot[2], part, 0.0)

    def touch(self) -> None:
        """Record input by keyboard or pointer."""
        self._count()
        self._last_input = self._clock()
        self.on_input()

    def set_window_active(self, active: bool) -> None:
        self._count()
        self._window_active = active
        self.on_activation(active)

    def set_outside(self, *, on: bool) -> None:
        """Set whether the rater works in another program, where time is reported and not counted."""
        self._count()
        self._outside = on
        self._last_input = self._clock()

    def now(self) -> float:
        """Return the time of the clock."""
        return self._clock()

    def pause(self) -> None:
        """Stop counting until `resume`."""
        self._count()
        self.paused = True

    def resume(self) -> None:
        """Resume counting; input during the pause is not counted."""
        if self.paused:
            self._count()
            self.paused = False
            self._last_input = self._clock()

    @property
    def total(self) -> float:
        """Return all active seconds since the window was opened."""
        self._count()
        return self._total

    def waiting(self, spot: TargetKey | None) -> float:
        """Return the active seconds of a spot that no rating holds yet."""
        self._count()
        waiting = self._waiting.get(spot[:2]) if spot is not None else None
        return waiting.active.get(spot[2], 0.0) if spot is not None and waiting is not None else 0.0

    def register_task(self, bundle: str, rating: Rating, kept: TimeSpent) -> None:
        """Register an opened task; seconds of `kept` that its rating does not hold become waiting seconds.

        Only the first time; later the values here are newer.
        """
        key = bundle, rating.task
        if key not in self._held:
            held, targets = rating.time, 0.0
            waiting = self._waiting.setdefault(key, _WaitingSeconds())
            for target, seconds in kept.targets.items():
                more = max(0.0, seconds - held.targets.get(target, 0))
                waiting.add(target, more, 0.0)
                targets += more
            rest = kept.active_seconds - held.active_seconds - targets
            waiting.add(None, max(0.0, rest), max(0.0, kept.idle_seconds - held.idle_seconds))
        self._register(key, rating.time)

    def spent(self, tasks: Iterable[TimedTaskKey] | None = None) -> dict[TimedTaskKey, TimeSpent]:
        """Return all whole seconds of some tasks, or of all registered ones: those in the rating plus waiting ones.

        Totals, not differences, so that no second is counted twice, whichever is stored last.
        """
        self._count()
        return {key: self._spent(key) for key in (self._held if tasks is None else tasks) if key in self._held}

    def _spent(self, key: TimedTaskKey) -> TimeSpent:
        spent, waiting = self._held[key], self._waiting.get(key, _WaitingSeconds())
        for target in waiting.spots:
            spent = add_time(spent, target, waiting.active.get(target, 0.0), waiting.idle.get(target, 0.0))
        return spent

    def grown(self) -> set[TimedTaskKey]:
        """Return the tasks with new seconds, or newly registered, since the last call."""
        self._count()
        grown, self._grown = self._grown, set()
        return grown

    def has_waiting_seconds(self, key: TimedTaskKey) -> bool:
        """Return whether there are whole active seconds that the rating of a task does not hold."""
        waiting = self._waiting.get(key)
        return waiting is not None and any(map(int, waiting.active.values()))

    def added_to(self, rating: Rating, bundle: str) -> Rating:
        """Return `rating` with the whole seconds counted for its task; fractions remain here."""
        self._count()
        key = bundle, rating.task
        waiting = self._waiting.get(key, _WaitingSeconds())
        for target in waiting.spots:
            active, idle = waiting.active.get(target, 0.0), waiting.idle.get(target, 0.0)
            if int(active) or int(idle):
                rating = with_seconds(rating, target, int(active), int(idle))
            waiting.active[target] = active - int(active)
            waiting.idle[target] = idle - int(idle)
        self._register(key, rating.time)
        return rating

    def _register(self, key: TimedTaskKey, time: TimeSpent) -> None:
        self._held[key] = time
        self._grown.add(key)

    def _count(self) -> None:
        now = self._clock()
        start, self._counted_to = self._counted_to, now
        if self._spot is None or now <= start or self.paused or self._outside or now - start > self.awake_seconds:
            return
        awake_to = min(now, self._last_input + self.awake_seconds) if self._window_active else start
        active = max(0.0, awake_to - start)
        self._total += active
        key, target = self._spot[:2], self._spot[2]
        self._waiting.setdefault(key, _WaitingSeconds()).add(target, active, now - start - active)
        self._grown.add(key)


MIN_VISIT_SECONDS = 1  # a page that was read for less is left out, unless it was used
CARRIED_SECONDS = 5  # the same for a page that was still open when the rater came from another place


class OpenPage(Struct, frozen=True):
    """The page that is open now; `since` is the total of active seconds when it was opened.

    It counts from `least` seconds on.
    """

    task: TimedTaskKey
    entry: ResearchEntry
    since: float
    least: float


class ResearchRecord:
    """Entries of each task, and the active seconds on the open page."""

    def __init__(self, active_time: ActiveTime) -> None:
        self._active_time = active_time
        self._waiting: dict[TimedTaskKey, dict[EntryKey, ResearchEntry]] = {}
        self._page: OpenPage | None = None
        self._grown: set[TimedTaskKey] = set()

    def register_task(self, bundle: str, rating: Rating, kept: Sequence[ResearchEntry]) -> None:
        """Register an opened task, with the entries stored beside its rating; only the first time."""
        key = bundle, rating.task
        if key not in self._waiting:
            self._waiting[key] = {entry_key(entry): entry for entry in kept}
            self._grown.add(key)

    def add(self, bundle: str, task: str, entry: ResearchEntry) -> None:
        """Add a search, or a page that is not shown."""
        self._put((bundle, task), entry)

    def open_page(self, bundle: str, rating: Rating, entry: ResearchEntry, *, carried: bool = False) -> None:
        """Measure the active seconds on a page from now on; those of an entry with the same key continue."""
        if not self.is_open(entry):
            self.close_page()
        known = {entry_key(before): before for before in self.entries(bundle, rating)}
        before = known.get(entry_key(entry))
        least = CARRIED_SECONDS if carried and before is None else MIN_VISIT_SECONDS
        since = self._active_time.total
        if self._page is not None:  # the same page in the other view
            least, since, before = min(least, self._page.least), self._page.since, self._page.entry
        entry = replace(entry, seconds=before.seconds or 0 if before is not None else 0)
        self._page = OpenPage((bundle, rating.task), entry, since, least)

    def use_page(self) -> None:
        """Count the open page: the rater scrolls, selects or takes something."""
        if self._page is not None:
            self._page = replace(self._page, least=0)

    def close_page(self) -> None:
        """Stop measuring, and keep the entry of the page."""
        page, entry = self._page, self._open_entry()
        self._page = None
        if page is not None and entry is not None:
            self._put(page.task, entry)

    def forget(self, bundle: str, task: str, entry: ResearchEntry) -> None:
        """Drop an entry that the rater leaves out; if its page is open, it is no longer measured."""
        if self._page is not None and entry_key(self._page.entry) == entry_key(entry):
            self._page = None
        self._waiting.get((bundle, task), {}).pop(entry_key(entry), None)
        self._grown.add((bundle, task))

    def is_open(self, entry: ResearchEntry) -> bool:
        """Return whether the page of an entry is open now."""
        return self._page is not None and entry_key(self._page.entry) == entry_key(entry)

    def with_all(self, bundle: str, rating: Rating) -> Rating:
        """Return the rating with all research on its task, as a view shows it."""
        return with_research(rating, self._newer((bundle, rating.task)))

    def entries(self, bundle: str, rating: Rating) -> tuple[ResearchEntry, ...]:
        """Return all research entries of a task: those of the rating and those that it does not hold."""
        return self.with_all(bundle, rating).research

    def has_waiting(self, bundle: str, rating: Rating) -> bool:
        """Return whether the rating lacks entries or seconds."""
        return self.entries(bundle, rating) != rating.research

    def added_to(self, rating: Rating, bundle: str) -> Rating:
        """Return the rating with all research on its task, which then waits no more."""
        rating = self.with_all(bundle, rating)
        self._waiting.get((bundle, rating.task), {}).clear()
        self._grown.add((bundle, rating.task))
        return rating

    def waiting(self, tasks: Iterable[TimedTaskKey]) -> dict[TimedTaskKey, tuple[ResearchEntry, ...]]:
        """Return the entries that no rating holds, or not with all their seconds."""
        return {key: self._newer(key) for key in tasks}

    def grown(self) -> set[TimedTaskKey]:
        """Return the tasks whose waiting entries may have changed since the last call."""
        grown, self._grown = self._grown, {self._page.task} if self._page is not None else set()
        return grown | self._grown

    def _put(self, key: TimedTaskKey, entry: ResearchEntry) -> None:
        entries = self._waiting.setdefault(key, {})
        (entries[entry_key(entry)],) = merged_entries(
            [before for before in (entries.get(entry_key(entry)),) if before is not None], [entry]
        )
        self._grown.add(key)

    def _newer(self, key: TimedTaskKey) -> tuple[ResearchEntry, ...]:
        opened = self._open_entry() if self._page is not None and self._page.task == key else None
        waiting = self._waiting.get(key, {}).values()
        return merged_entries((), (*waiting, *((opened,) if opened is not None else ())))

    def _open_entry(self) -> ResearchEntry | None:
        """Return the entry of the open page with its whole seconds; `None` before it counts."""
        page = self._page
        if page is None:
            return None
        seconds = (page.entry.seconds or 0) + int(self._active_time.total - page.since)
        return replace(page.entry, seconds=seconds) if seconds >= page.least else None


class Stopwatch:
    """Measures from `start` until `stop`, or until the rater works in the window again after leaving it.

    It then ends at the moment of the return. The time in the program rests meanwhile, so no second counts twice.
    """

    def __init__(self, active_time: ActiveTime, ended: Callable[[float], object]) -> None:
        self._active_time = active_time
        self._ended = ended
        self._started: float | None = None
        self._left = False
        self._returned: float | None = None
        active_time.on_input = self._resume_work
        active_time.on_activation = self._follow_window

    @property
    def is_running(self) -> bool:
        return self._started is not None

    @property
    def seconds(self) -> float:
        """Return the seconds so far."""
        if self._started is None:
            return 0.0
        end = self._active_time.now() if self._returned is None else self._returned
        return end - self._started

    def start(self) -> None:
        self._started, self._left, self._returned = self._active_time.now(), False, None
        self._active_time.set_outside(on=True)

    def stop(self) -> None:
        """Stop and report the seconds, if it is running."""
        if self._started is not None:
            seconds, self._started, self._returned = self.seconds, None, None
            self._active_time.set_outside(on=False)
            self._ended(seconds)

    def _resume_work(self) -> None:
        if self._returned is not None:
            self.stop()

    def _follow_window(self, active: bool) -> None:
        if self._started is None:
            return
        if not active:
            self._left, self._returned = True, None
        elif self._left:
            self._returned = self._active_time.now()
