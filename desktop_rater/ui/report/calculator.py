"""The computation of figures on the reading queue."""

from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from desktop_rater.model.change import Progress
from desktop_rater.store.store import Store
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.latest_request import LatestRequest

SLOW_MS = 300  # shorter computations are not announced
R = TypeVar("R")
F = TypeVar("F")


class FigureCalculator(QObject, Generic[R, F]):
    """The figures of one bundle under one filter, as `load(store, bundle, filter)` computes them."""

    ready = Signal()
    slow = Signal()
    failed = Signal()

    def __init__(
        self,
        perform: WorkRunner,
        now: Callable[[], datetime],
        load: Callable[[Store, str, F, datetime], R],
        no_filter: F,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._now = now
        self._load = load
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self.slow)
        self.report: R | None = None
        self.filter = no_filter
        self.bundle = ""
        self.took = 0.0  # seconds

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def compute(self, bundle: str, filter_: F) -> None:
        """Compute the report. The present one stays until then, unless it is of another bundle."""
        if bundle != self.bundle:
            self.report = None
        self.bundle, self.filter = bundle, filter_
        if self._running is not None:
            self._perform.cancel(self._running)
        self._latest.replace()
        clock = QElapsedTimer()
        clock.start()

        def done(report: R) -> None:
            self._slow.stop()
            self._running, self.report, self.took = None, report, clock.elapsed() / 1_000
            self.ready.emit()

        def failed(error: Exception) -> None:
            self._slow.stop()
            self._running = None
            self._perform.failed.emit(error)
            self.failed.emit()

        self._slow.start()
        self._running = self._perform.ask(
            self._load, bundle, filter_, self._now(), done=self._latest.only(done), failed=self._latest.only(failed)
        )

    def forget(self) -> None:
        """Discard the report: there is no bundle any more."""
        self.report, self.bundle = None, ""
