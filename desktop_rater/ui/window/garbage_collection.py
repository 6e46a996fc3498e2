"""Garbage collection in the GUI thread, between events.

The interpreter would collect in whichever thread allocates, at any allocation. A closed window that is destroyed in a
worker's thread, or while Qt goes through its widgets, ends the process.
"""

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

INTERVAL_MS = 1_000


class GarbageCollector(QObject):
    """Replaces the interpreter's automatic collection for as long as the application lives."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        gc.disable()
        timer = QTimer(self, interval=INTERVAL_MS)
        timer.timeout.connect(collect_due_generation)
        timer.start()


def collect_due_generation() -> None:
    """Collect the oldest generation whose threshold is passed, as the interpreter would."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, threshold) in enumerate(counts) if count > threshold]
    if due:
        gc.collect(due[-1])
