"""Computes the report off the window's thread; of several that are asked for the last one counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from desktop_rater.audit.report import Filter
from desktop_rater.work import audit_figures

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.audit.report import Report
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.perform import Perform

SLOW_MS = 300  # what is quicker is not announced


class Figures(QObject):
    """The report of one bundle under one filter. `took` is in seconds; the seed is the day's."""

    ready = Signal()
    slow = Signal()
    failed = Signal()

    def __init__(self, perform: Perform, now: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._now = now
        self._running: Progress | None = None
        self._asked = 0
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self.slow)
        self.report: Report | None = None
        self.filter = Filter()
        self.bundle = ""
        self.took = 0.0

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def compute(self, bundle: str, wanted: Filter) -> None:
        """Compute it. What is there stays until then, unless it is of another bundle."""
        if bundle != self.bundle:
            self.report = None
        self.bundle, self.filter = bundle, wanted
        if self._running is not None:
            self._perform.cancel(self._running)
        self._asked += 1
        asked, now, clock = self._asked, self._now(), QElapsedTimer()
        clock.start()

        def done(report: Report) -> None:
            if asked == self._asked:
                self._slow.stop()
                self._running, self.report, self.took = None, report, clock.elapsed() / 1_000
                self.ready.emit()

        def failed(error: Exception) -> None:
            if asked == self._asked:
                self._slow.stop()
                self._running = None
                self._perform.trouble.emit(error)
                self.failed.emit()

        self._slow.start()
        self._running = self._perform.ask(
            lambda store: audit_figures.report(store, bundle, seed=int(f"{now:%Y%m%d}"), now=now, wanted=wanted),
            done=done,
            failed=failed,
        )

    def forget(self) -> None:
        """There is no bundle any more."""
        self.report, self.bundle = None, ""
