"""Stopwatch for research in the rater's own browser."""

from collections.abc import Callable

from desktop_rater.ui.rating.work_time import ActiveTime


class Stopwatch:
    """Measures from `start` until `stop`, or until the rater works in the window again after leaving it.

    It then ends at the moment of the return. The time in the program rests meanwhile, so no second counts twice.
    """

    def __init__(self, active_time: ActiveTime, ended: Callable[[float], object]) -> None:
        self._active_time = active_time
        self._ended = ended
        self._started: float | None = None
        self._left = False
        self._returned: float | None = None
        active_time.on_input = self._resume_work
        active_time.on_activation = self._follow_window

    @property
    def is_running(self) -> bool:
        return self._started is not None

    @property
    def seconds(self) -> float:
        """Return the seconds so far."""
        if self._started is None:
            return 0.0
        end = self._active_time.now() if self._returned is None else self._returned
        return end - self._started

    def start(self) -> None:
        self._started, self._left, self._returned = self._active_time.now(), False, None
        self._active_time.set_outside(on=True)

    def stop(self) -> None:
        """Stop and report the seconds, if it is running."""
        if self._started is not None:
            seconds, self._started, self._returned = self.seconds, None, None
            self._active_time.set_outside(on=False)
            self._ended(seconds)

    def _resume_work(self) -> None:
        if self._returned is not None:
            self.stop()

    def _follow_window(self, active: bool) -> None:
        if self._started is None:
            return
        if not active:
            self._left, self._returned = True, None
        elif self._left:
            self._returned = self._active_time.now()
