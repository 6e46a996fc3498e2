"""The deadline of an exchange, which also checks for cancellation, and its limits."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from desktop_rater.http.errors import HttpError
from desktop_rater.model.change import Progress

WAIT_SLICE = 0.05
"""Seconds. The longest wait without a check for cancellation."""


class ExchangeLimits(NamedTuple):
    """Limits in seconds and bytes. `read_seconds`: the longest silence; `most_bytes` includes the head."""

    connect_seconds: float
    read_seconds: float
    head_bytes: int
    most_bytes: int


class Deadline:
    """One deadline for all steps of an exchange; each step may have a shorter one of its own.

    With `bytes_per_second` given, transferred bytes extend the deadline, but never to more than `seconds` from now: a
    slow trickle does not get the time that a large file takes. `progress` is called at each check with the number of
    bytes received or sent, and the total if it is known; it raises `Cancelled`.
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
        self._next_report = clock()
        self.received = 0
        self.sent = 0
        self.whole = 0

    def left(self) -> float:
        """Return the seconds until the deadline; not negative."""
        return max(self._end - self._clock(), 0)

    def check(self) -> None:
        """Raise `Cancelled`, or `HttpError` when the time is over. Cheap: a page may arrive in a million pieces."""
        now = self._clock()
        moved = self.received + self.sent
        self._end = min(self._end + (moved - self._moved) / self._rate, now + self._seconds)
        self._moved = moved
        if now >= self._end:
            raise HttpError("timeout", "the time limit was exceeded")
        if now >= self._next_report:
            self._next_report = now + WAIT_SLICE
            done = max(self.received, self.sent)
            self._progress(min(done, self.whole or done), self.whole)

    def slices(self, seconds: float, late: str) -> Iterator[float]:
        """Yield short waits. After `seconds`, raise `HttpError` with the reason `late`."""
        end = self._clock() + seconds
        while True:
            self.check()
            left = end - self._clock()
            if left <= 0:
                raise HttpError("timeout", late)
            yield max(min(WAIT_SLICE, left, self.left()), 0.001)
