"""How long an exchange may take, and whether somebody still wants it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.model.progress import Progress

SLICE = 0.05
"""Seconds. Nothing waits longer than this without looking whether it was cancelled."""


class Patience:
    """One deadline for all steps of an exchange; each step may have a shorter one of its own.

    Where `bytes_per_second` is given, whatever moves puts the deadline off, but never farther than `seconds` from now:
    nobody gets the time that a large file takes for a few bytes that drip, neither before it nor after.

    `progress` hears how many bytes have come or gone, of `whole` where that is known, each time that somebody looks; it
    raises `Cancelled`.
    """

    def __init__(
        self, progress: Progress, clock: Callable[[], float], seconds: float, bytes_per_second: float = math.inf
    ) -> None:
        self._progress = progress
        self._clock = clock
        self._seconds = seconds
        self._end = clock() + seconds
        self._moved = 0
        self._rate = bytes_per_second
        self._look_at = clock()
        self.received = 0
        self.sent = 0
        self.whole = 0

    def left(self) -> float:
        """Seconds until the deadline; not negative."""
        return max(self._end - self._clock(), 0)

    def check(self) -> None:
        """Raise `Cancelled`, or `HttpTrouble` when the time is over. Cheap: a page may come in a million pieces."""
        now = self._clock()
        self._put_off(now)
        if now >= self._end:
            raise HttpTrouble("timeout", "it took too long altogether")
        if now >= self._look_at:
            self._look_at = now + SLICE
            done = max(self.received, self.sent)
            self._progress(min(done, self.whole or done), self.whole)

    def slices(self, seconds: float, late: str) -> Iterator[float]:
        """Short waits, one after another. When `seconds` are over: `HttpTrouble`, for the reason `late`."""
        end = self._clock() + seconds
        while True:
            self.check()
            left = end - self._clock()
            if left <= 0:
                raise HttpTrouble("timeout", late)
            yield max(min(SLICE, left, self.left()), 0.001)

    def _put_off(self, now: float) -> None:
        moved = self.received + self.sent
        self._end = min(self._end + (moved - self._moved) / self._rate, now + self._seconds)
        self._moved = moved
