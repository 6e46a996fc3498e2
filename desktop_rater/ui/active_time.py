"""The seconds that a rater works on each target: the window active, and input within the last two minutes.

Time that the rater declares a pause is neither active nor idle: it does not count at all. Nor does time in which the
machine slept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_rater.model.edit import with_more, with_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop_rater.model.rating import Rating, TimeSpent

AWAKE_SECONDS = 120
Spot = tuple[str, str, str | None]  # bundle, task, target
Key = tuple[str, str]  # bundle, task


@dataclass
class _Waiting:
    """Seconds of a task that its rating does not hold, by target; of what belongs to no target, by `None`."""

    active: dict[str | None, float] = field(default_factory=dict)
    idle: dict[str | None, float] = field(default_factory=dict)

    def add(self, target: str | None, active: float, idle: float) -> None:
        self.active[target] = self.active.get(target, 0.0) + active
        self.idle[target] = self.idle.get(target, 0.0) + idle

    @property
    def spots(self) -> set[str | None]:
        return {*self.active, *self.idle}


class ActiveTime:
    """Counts for one spot at a time. `clock` is monotonic; `awake_seconds` after the last input counting rests.

    It is asked every second or so while the window is there. Where the clock has gone on for longer than
    `awake_seconds` meanwhile, the machine slept.
    """

    def __init__(self, clock: Callable[[], float], awake_seconds: float = AWAKE_SECONDS) -> None:
        self._clock = clock
        self.awake_seconds = awake_seconds
        self._paused = False
        self._total = 0.0
        self._spot: Spot | None = None
        self._counted_to = clock()
        self._last_input = clock()
        self._window_active = True
        self._waiting: dict[Key, _Waiting] = {}
        self._grown: set[Key] = set()
        self._held: dict[Key, TimeSpent] = {}  # what the ratings hold

    def move(self, spot: Spot | None) -> None:
        """Count for `spot` from now on."""
        self._count()
        self._spot = spot

    def touch(self) -> None:
        """A key was pressed or the pointer used."""
        self._count()
        self._last_input = self._clock()

    def set_window_active(self, active: bool) -> None:
        self._count()
        self._window_active = active

    @property
    def paused(self) -> bool:
        """Whether the rater declared a pause."""
        return self._paused

    def pause(self) -> None:
        """Count nothing until `resume`."""
        self._count()
        self._paused = True

    def resume(self) -> None:
        """Count again; what was done in the pause is not made good."""
        if self._paused:
            self._count()
            self._paused = False
            self._last_input = self._clock()

    @property
    def total(self) -> float:
        """All active seconds since the window was opened."""
        self._count()
        return self._total

    def waiting(self, spot: Spot | None) -> float:
        """Active seconds of a spot that no rating holds yet."""
        self._count()
        waiting = self._waiting.get(spot[:2]) if spot is not None else None
        return waiting.active.get(spot[2], 0.0) if spot is not None and waiting is not None else 0.0

    def take_up(self, bundle: str, rating: Rating, kept: TimeSpent) -> None:
        """A task comes to the desk: what was `kept` for it altogether, and its rating does not hold, waits for it.

        Only at the first time; from then on what is known here is newer than what is kept.
        """
        key = bundle, rating.task
        if key not in self._held:
            held, targets = rating.time, 0.0
            waiting = self._waiting.setdefault(key, _Waiting())
            for target, seconds in kept.targets.items():
                more = max(0.0, seconds - held.targets.get(target, 0))
                waiting.add(target, more, 0.0)
                targets += more
            rest = kept.active_seconds - held.active_seconds - targets
            waiting.add(None, max(0.0, rest), max(0.0, kept.idle_seconds - held.idle_seconds))
        self._hold(key, rating.time)

    def spent(self, tasks: Iterable[Key] | None = None) -> dict[Key, TimeSpent]:
        """All whole seconds of some tasks, or of each that was on the desk: what its rating holds, and what waits.

        Sums and no differences: whichever of a rating and this is stored last, no second is counted twice.
        """
        self._count()
        return {key: self._spent(key) for key in (self._held if tasks is None else tasks) if key in self._held}

    def _spent(self, key: Key) -> TimeSpent:
        spent, waiting = self._held[key], self._waiting.get(key, _Waiting())
        for target in waiting.spots:
            spent = with_more(spent, target, waiting.active.get(target, 0.0), waiting.idle.get(target, 0.0))
        return spent

    def grown(self) -> set[Key]:
        """The tasks for which something was counted, or that came to the desk, since this was last asked."""
        self._count()
        grown, self._grown = self._grown, set()
        return grown

    def waits(self, key: Key) -> bool:
        """Whether there are whole active seconds that the rating of a task does not hold."""
        waiting = self._waiting.get(key)
        return waiting is not None and any(map(int, waiting.active.values()))

    def added_to(self, rating: Rating, bundle: str) -> Rating:
        """`rating` with the whole seconds counted for its task; fractions stay here."""
        self._count()
        key = bundle, rating.task
        waiting = self._waiting.get(key, _Waiting())
        for target in waiting.spots:
            active, idle = waiting.active.get(target, 0.0), waiting.idle.get(target, 0.0)
            if int(active) or int(idle):
                rating = with_seconds(rating, target, int(active), int(idle))
            waiting.active[target] = active - int(active)
            waiting.idle[target] = idle - int(idle)
        self._hold(key, rating.time)
        return rating

    def _hold(self, key: Key, time: TimeSpent) -> None:
        self._held[key] = time
        self._grown.add(key)

    def _count(self) -> None:
        now = self._clock()
        start, self._counted_to = self._counted_to, now
        if self._spot is None or now <= start or self._paused or now - start > self.awake_seconds:
            return
        awake_to = min(now, self._last_input + self.awake_seconds) if self._window_active else start
        active = max(0.0, awake_to - start)
        self._total += active
        key, target = self._spot[:2], self._spot[2]
        self._waiting.setdefault(key, _Waiting()).add(target, active, now - start - active)
        self._grown.add(key)
