"""Seconds that a rater works on each target: with the window active and input within the last two minutes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from desktop_rater.model.edit import add_time, with_seconds
from desktop_rater.model.rating import Rating, TimeSpent

AWAKE_SECONDS = 120
TargetKey = tuple[str, str, str | None]  # bundle, task, target
TimedTaskKey = tuple[str, str]  # bundle, task


@dataclass
class _WaitingSeconds:
    """Seconds of a task that its rating does not hold, by target; `None` for those of no target."""

    active: dict[str | None, float] = field(default_factory=dict)
    idle: dict[str | None, float] = field(default_factory=dict)

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
        self._paused = self._outside = False
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

    @property
    def paused(self) -> bool:
        return self._paused

    def pause(self) -> None:
        """Stop counting until `resume`."""
        self._count()
        self._paused = True

    def resume(self) -> None:
        """Resume counting; input during the pause is not counted."""
        if self._paused:
            self._count()
            self._paused = False
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
        if self._spot is None or now <= start or self._paused or self._outside or now - start > self.awake_seconds:
            return
        awake_to = min(now, self._last_input + self.awake_seconds) if self._window_active else start
        active = max(0.0, awake_to - start)
        self._total += active
        key, target = self._spot[:2], self._spot[2]
        self._waiting.setdefault(key, _WaitingSeconds()).add(target, active, now - start - active)
        self._grown.add(key)
