"""The seconds that a rater works on each target: the window active, and input within the last two minutes.

Time that the rater declares a pause is neither active nor idle: it does not count at all. Nor does time in which the
machine slept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.edit import with_more, with_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.rating import Rating, TimeSpent

AWAKE_SECONDS = 120
Spot = tuple[str, str, str | None]  # bundle, task, target
Key = tuple[str, str]  # bundle, task


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
        self._active: dict[Spot, float] = {}
        self._idle: dict[Spot, float] = {}
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
        return self._active.get(spot, 0.0) if spot is not None else 0.0

    def take_up(self, bundle: str, rating: Rating, kept: TimeSpent) -> None:
        """A task comes to the desk: what was `kept` for it altogether, and its rating does not hold, waits for it.

        Only at the first time; from then on what is known here is newer than what is kept.
        """
        key = bundle, rating.task
        if key not in self._held:
            held, targets = rating.time, 0.0
            for target, seconds in kept.targets.items():
                more = max(0.0, seconds - held.targets.get(target, 0))
                self._active[*key, target] = self._active.get((*key, target), 0.0) + more
                targets += more
            rest = kept.active_seconds - held.active_seconds - targets
            self._active[*key, None] = self._active.get((*key, None), 0.0) + max(0.0, rest)
            idle = max(0.0, kept.idle_seconds - held.idle_seconds)
            self._idle[*key, None] = self._idle.get((*key, None), 0.0) + idle
        self._held[key] = rating.time

    def spent(self) -> dict[Key, TimeSpent]:
        """All whole seconds of each task that was on the desk: those that its rating holds and those that wait.

        Sums and no differences: whichever of a rating and this is stored last, no second is counted twice.
        """
        self._count()
        all_spent = dict(self._held)
        for spot in {*self._active, *self._idle}:
            key = spot[:2]
            if key in all_spent:
                waiting = self._active.get(spot, 0.0), self._idle.get(spot, 0.0)
                all_spent[key] = with_more(all_spent[key], spot[2], *waiting)
        return all_spent

    def waits(self, key: Key) -> bool:
        """Whether there are whole active seconds that the rating of a task does not hold."""
        return any(int(seconds) for spot, seconds in self._active.items() if spot[:2] == key)

    def added_to(self, rating: Rating, bundle: str) -> Rating:
        """`rating` with the whole seconds counted for its task; fractions stay here."""
        self._count()
        for spot in {*self._active, *self._idle}:
            if spot[:2] != (bundle, rating.task):
                continue
            active, idle = self._active.get(spot, 0.0), self._idle.get(spot, 0.0)
            if int(active) or int(idle):
                rating = with_seconds(rating, spot[2], int(active), int(idle))
            self._active[spot] = active - int(active)
            self._idle[spot] = idle - int(idle)
        self._held[bundle, rating.task] = rating.time
        return rating

    def _count(self) -> None:
        now = self._clock()
        start, self._counted_to = self._counted_to, now
        if self._spot is None or now <= start or self._paused or now - start > self.awake_seconds:
            return
        awake_to = min(now, self._last_input + self.awake_seconds) if self._window_active else start
        active = max(0.0, awake_to - start)
        self._total += active
        self._active[self._spot] = self._active.get(self._spot, 0.0) + active
        self._idle[self._spot] = self._idle.get(self._spot, 0.0) + (now - start - active)
