"""Records of changes to the store, progress reports and cancellation."""

from collections.abc import Callable
from threading import Event

import msgspec

UNDO_ACTION, REDO_ACTION = "undo", "redo"  # names in the action text of a revision

# Called often during long work; raises `Cancelled` to end it.
CancelCheck = Callable[[], None]


class Cancelled(Exception):
    """Raised inside work that the user asked to stop."""


class Progress:
    """Handle to report progress and to be stopped; `publish(done, total)`, on the work's thread, total 0: unknown."""

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


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change to the store.

    `bundles`: ids whose tasks were added, removed or changed. `tasks`: (bundle id, task id) whose rating changed.
    `audits`: ids of bundles whose results or reviews changed. `hub`: something to send to a hub, or received from one,
    changed. `indexed`: ids of bundles of which a search finds all tasks now.
    """

    bundles: frozenset[str] = frozenset()
    tasks: frozenset[tuple[str, str]] = frozenset()
    audits: frozenset[str] = frozenset()
    hub: bool = False
    indexed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.bundles or self.tasks or self.audits or self.hub or self.indexed)


NO_CHANGE = Change()
