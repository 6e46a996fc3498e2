"""Garbage collection in the GUI thread, between events.

The interpreter would collect in whichever thread allocates, at any allocation. A closed window that is destroyed in a
worker's thread, or while Qt goes through its widgets, ends the process.
"""

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

INTERVAL_MS = 1_000
GROWTH = 1.25  # of the oldest objects, before all are looked at again: that takes the longest


class GarbageCollector(QObject):
    """Replaces the interpreter's automatic collection for as long as the application lives."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        gc.disable()
        self._survivors = 0  # of the last collection of all objects
        timer = QTimer(self, interval=INTERVAL_MS)
        timer.timeout.connect(self._collect_due_generation)
        timer.start()

    def _collect_due_generation(self) -> None:
        """Collect the oldest generation whose threshold is passed, as the interpreter would."""
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = max((generation for generation, (count, threshold) in enumerate(counts) if count > threshold), default=-1)
        if due == 2 and len(gc.get_objects(generation=2)) < GROWTH * self._survivors:
            due = 1
        if due >= 0:
            gc.collect(due)
        if due == 2:
            self._survivors = len(gc.get_objects(generation=2))
