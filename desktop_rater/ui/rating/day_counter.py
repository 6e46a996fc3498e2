"""The rater's day so far: active seconds and finished targets, saved across windows."""

from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.rating_state import RatingState, TaskKey
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.rating import rater_state
from desktop_rater.work.rating.rater_state import RaterDay, local_day

DAY_TICK_MS = 1_000
DAY_SAVE_SECONDS = 20  # at most this much of the count is lost if the program is killed


class DayCounter(QObject):
    """Counter of the day's active time (see `ActiveTime`: without idle time and pauses) and finished targets.

    A target is finished that day if it was open when its task was first opened that day and is answered now, however
    it was answered: by itself, with others, as the last one, by redo. `counts` decides whether a bundle is work:
    samples and practice are not.
    """

    changed = Signal(object)  # Today

    def __init__(
        self,
        perform: WorkRunner,
        session: Session,
        rater: str,
        now: Callable[[], datetime],
        parent: QObject | None = None,
        *,
        counts: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self._now = now
        self._counts = counts
        self._finished_before: dict[TaskKey, frozenset[str]] = {}  # on earlier days, of the tasks opened today
        self._is_loaded = False
        self._shown_paused = False
        self._counted = session.active_time.total
        self._today = RaterDay(day=local_day(now()))
        self._saved = self._today
        self._tick = QTimer(self, interval=DAY_TICK_MS)
        self._tick.timeout.connect(self.count)
        session.opened.connect(self._count_targets)
        session.rating_changed.connect(self._count_targets)

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
            self._is_loaded, self._today, self._finished_before = False, RaterDay(day=day), {}
            self._count_targets()
            self.start()
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
        self._tick.start()
        if before.day == self._today.day and not self._is_loaded:
            self._is_loaded = True
            self._saved = before
            self._finished_before = {
                task: names.difference(before.targets) for task, names in self._finished_before.items()
            }
            self._today = before.with_more(self._today)
            self._count_targets()
        self.changed.emit(self._today)

    def _count_targets(self) -> None:
        """Count the targets and responses of the task that are finished now and were not before today."""
        session = self._session
        state = session.state
        if state is None or session.read_only or not self._counts():
            return
        prefix = f"{session.bundle}/{state.task.id}/"
        finished = [f"{prefix}{name}" for name in _finished_stops(state)]
        others = [name for name in self._today.targets if not name.startswith(prefix)]
        here = frozenset(self._today.targets).difference(others)
        before = self._finished_before.setdefault(state.key, frozenset(finished) - here)
        today = (*others, *(name for name in finished if name not in before))
        if set(today) != set(self._today.targets):
            self._set_today(replace(self._today, targets=today))

    def _set_today(self, now: RaterDay) -> None:
        self._today = now
        self.changed.emit(now)


def _finished_stops(state: RatingState) -> Iterable[str]:
    """Yield the paths of the stops of a task where nothing required is open."""
    places = state.outcome.places
    still_open = {
        task_stops.stop_of(places[problem.where])
        for problem in state.outcome.problems
        if problem.rule.startswith(task_stops.REQUIRED_PREFIX)
    }
    for stop, target in state.target_states.items():
        if target.kind in {"label", "done"} and stop not in still_open:
            yield task_stops.place_path(stop)
