"""Garbage collection in the GUI thread, between events.

The interpreter would collect in whichever thread allocates, at any allocation. A closed window that is destroyed in a
worker's thread, or while Qt goes through its widgets, ends the process.
"""

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

INTERVAL_MS = 1_000
GROWTH = 1.25  # of the oldest generation, before it is collected again: that takes the longest


class GarbageCollector(QObject):
    """Replaces the interpreter's automatic collection for as long as the application lives."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        gc.disable()
        self._survivors = 0  # of the last collection of all objects
        self._oldest_due_after = gc.get_threshold()[2]  # collections of the middle generation
        timer = QTimer(self, interval=INTERVAL_MS)
        timer.timeout.connect(self._collect_due_generation)
        timer.start()

    def _collect_due_generation(self) -> None:
        """Collect the oldest generation whose threshold is passed, as the interpreter would."""
        youngest, middle, oldest = gc.get_count()
        limits = gc.get_threshold()
        if oldest > self._oldest_due_after and self._oldest_has_grown():
            gc.collect()
            self._survivors = _count_oldest()
            self._oldest_due_after = limits[2]
        elif middle > limits[1]:
            gc.collect(1)
        elif youngest > limits[0]:
            gc.collect(0)

    def _oldest_has_grown(self) -> bool:
        """Return whether a collection is worth it. Counting takes long, too: the next count waits as the first did."""
        self._oldest_due_after += gc.get_threshold()[2]
        return _count_oldest() >= GROWTH * self._survivors


def _count_oldest() -> int:
    return len(gc.get_objects(generation=2))
