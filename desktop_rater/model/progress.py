"""How long work tells how far it is, and how it is told to stop."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Cancelled(Exception):
    """Raised inside work that the user asked to stop."""


class Progress:
    """The only handle that work receives: it can report, and it can be told to stop.

    `publish(done, total)` is called on the thread of the work; a total of 0 means that it is not known.
    """

    def __init__(self, publish: Callable[[int, int], None] | None = None) -> None:
        self._publish = publish
        self._stop = Event()

    def __call__(self, done: int, total: int) -> None:
        """Report `done` of `total` steps. Raises `Cancelled` once `stop` was called."""
        if self._stop.is_set():
            raise Cancelled
        if self._publish is not None:
            self._publish(done, total)

    def stop(self) -> None:
        """Ask the work to end at its next report. May be called from any thread."""
        self._stop.set()
