"""Whose turn it is when many pages are fetched: one per host at a time, with a pause before the next."""

from __future__ import annotations

import heapq
from collections import deque
from threading import Condition
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class HostTurns:
    """URLs for several workers. `clock` counts seconds and never goes back."""

    def __init__(self, urls: Iterable[str], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = Condition()
        self._waiting: dict[str, deque[str]] = {}
        for url in urls:
            self._waiting.setdefault(_host(url), deque()).append(url)
        # (not before, number, host) of each host that nobody talks to; the number keeps the order of the URLs.
        self._free = [(0.0, number, host) for number, host in enumerate(self._waiting)]
        self._number = len(self._free)
        self._out = 0
        self._closed = False

    def take(self) -> str | None:
        """The next URL, as soon as its host may be asked; `None` when there is none any more."""
        with self._changed:
            while not self._closed and (self._free or self._out):
                soonest = self._free[0][0] - self._clock() if self._free else None
                if soonest is not None and soonest <= 0:
                    host = heapq.heappop(self._free)[2]
                    self._out += 1
                    return self._waiting[host].popleft()
                self._changed.wait(soonest)
            return None

    def give_back(self, url: str, *, pause: float, again: bool = False) -> None:
        """`url` is done, or comes once more when `again`; its host is left alone for `pause` seconds."""
        host = _host(url)
        with self._changed:
            self._out -= 1
            if again:
                self._waiting[host].appendleft(url)
            if self._waiting[host]:
                self._number += 1
                heapq.heappush(self._free, (self._clock() + pause, self._number, host))
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody gets a turn any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:  # it will be refused, and then it does not matter by which turn
        return ""
