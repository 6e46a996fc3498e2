"""The computation of figures on the reading queue."""

from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from desktop_rater.model.change import Progress
from desktop_rater.ui.widgets.callbacks import DelayedCall, LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner

SLOW_MS = 300  # shorter computations are not announced
R = TypeVar("R")
F = TypeVar("F")


class FigureCalculator(QObject, Generic[R, F]):
    """The figures of one bundle under one filter, as `load(store, bundle, filter)` computes them.

    With `long`, it also gets a `progress`, of which `advanced` tells.
    """

    advanced = Signal(int, int)
    ready = Signal()
    slow = Signal()
    failed = Signal()

    def __init__(
        self,
        perform: WorkRunner,
        now: Callable[[], datetime],
        load: Callable[..., R],
        no_filter: F,
        parent: QObject | None = None,
        *,
        long: bool = False,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._now = now
        self._load = load
        self._long = long
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._slow = DelayedCall(self, SLOW_MS, self.slow)
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
        self.cancel()
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
            self._load,
            bundle,
            filter_,
            self._now(),
            done=self._latest.only(done),
            failed=self._latest.only(failed),
            progressed=self._latest.only(self.advanced.emit) if self._long else None,
        )

    def cancel(self) -> None:
        """Stop the computation, if there is one. The present figures stay."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._slow.stop()
        self._running = None
        self._latest.replace()

    def forget(self) -> None:
        """Discard the report: there is no bundle any more."""
        self.report, self.bundle = None, ""
