"""The rater's day so far: active seconds and finished targets, saved across windows."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.rating import rater_state
from desktop_rater.work.rating.rater_state import RaterDay, local_day

DAY_TICK_MS = 1_000
DAY_SAVE_SECONDS = 20  # at most this much of the count is lost if the program is killed


class DayCounter(QObject):
    """Counter of the day's active time (see `ActiveTime`: without idle time and pauses) and finished targets."""

    changed = Signal(object)  # Today

    def __init__(
        self,
        perform: WorkRunner,
        session: Session,
        rater: str,
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self._now = now
        self._is_loaded = False
        self._shown_paused = False
        self._counted = session.active_time.total
        self._today = RaterDay(day=local_day(now()))
        self._saved = self._today
        self._tick = QTimer(self, interval=DAY_TICK_MS)
        self._tick.timeout.connect(self.count)
        session.rating_changed.connect(self._count_stop)

    @property
    def today(self) -> RaterDay:
        return self._today

    @property
    def paused(self) -> bool:
        return self._session.active_time.paused

    def start(self) -> None:
        """Load the day so far from the store."""
        self._perform.ask(rater_state.load_day, self._rater, self._today.day, done=self._loaded)

    def count(self) -> None:
        """Add the time since the last call, and save it now and then."""
        day = local_day(self._now())
        if day != self._today.day:
            self.keep()
            self._today = RaterDay(day=day)
        total = self._session.active_time.total
        seconds = int(total - self._counted)
        if seconds or self.paused is not self._shown_paused:
            self._counted += seconds
            self._shown_paused = self.paused
            self._set_today(replace(self._today, seconds=self._today.seconds + seconds))
        if self._today.seconds - self._saved.seconds >= DAY_SAVE_SECONDS:
            self.keep()

    def keep(self) -> None:
        """Save the day, once its stored state has been read."""
        if self._is_loaded and self._today != self._saved and not self._perform.read_only:
            self._saved = self._today
            self._perform.perform(rater_state.save_day, self._rater, self._today)

    def _loaded(self, before: RaterDay) -> None:
        self._is_loaded = True
        self._tick.start()
        if before.day == self._today.day:
            self._saved = before
            both = tuple(dict.fromkeys((*before.targets, *self._today.targets)))
            self._today = replace(self._today, seconds=before.seconds + self._today.seconds, targets=both)
        self.changed.emit(self._today)

    def _count_stop(self) -> None:
        """Count a stop as finished when nothing required is open, once a day."""
        session = self._session
        if session.task is None or session.read_only:
            return
        name = f"{session.bundle}/{session.task.id}/{task_stops.place_path(session.stop)}"
        state = session.target_states[session.stop]
        finished = state.kind in {"label", "done"} and not any(question.open for question in session.form_questions)
        if finished is not (name in self._today.targets):
            others = tuple(target for target in self._today.targets if target != name)
            self._set_today(replace(self._today, targets=(*others, name) if finished else others))

    def _set_today(self, now: RaterDay) -> None:
        self._today = now
        self.changed.emit(now)
