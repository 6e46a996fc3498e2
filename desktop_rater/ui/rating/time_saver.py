"""Save working seconds and research that no rating holds yet, so that a killed window loses only the last few."""

from functools import partial

from PySide6.QtCore import QObject, QTimer

from desktop_rater.model.change import Change
from desktop_rater.model.errors import RaterError
from desktop_rater.model.rating import ResearchEntry, TimeSpent
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.work_time import TimedTaskKey
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.work.rating import rater_state

TIME_SAVE_MS = 5_000
TIME_OPEN_DELAY_MS = 50  # paint the opened task first


class WorkTimeSaver(QObject):
    """Saves the seconds every few seconds, after opening a task, and when the window closes."""

    def __init__(self, perform: WorkRunner, session: Session, window: MainWindow, rater: str) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self._rater = rater
        self._saved: dict[TimedTaskKey, TimeSpent | None] = {}
        self._watched: set[TimedTaskKey] = set()  # tasks that may have seconds missing in the stored rating
        self._saved_research: dict[TimedTaskKey, tuple[ResearchEntry, ...]] = {}
        self._is_saving = False
        self._failing = False  # report the first failure only, then retry
        self.timer = QTimer(self, interval=TIME_SAVE_MS)
        self.timer.timeout.connect(self.save)
        self.timer.start()
        self._open_timer = DelayedCall(self, TIME_OPEN_DELAY_MS, self.save)
        session.opened.connect(self._open_timer.start)
        window.closed.connect(self._close)

    @property
    def is_busy(self) -> bool:
        return self._is_saving

    def save(self) -> None:
        """Save the sums that have grown, unless a save is running."""
        grown, research = self._grown(), self._grown_research()
        if not (grown or research) or self._is_saving or self._perform.read_only:
            return
        self._is_saving = True

        def done(_change: Change) -> None:
            self._is_saving = self._failing = False
            self._saved |= grown
            self._saved_research |= research

        def failed(error: Exception) -> None:
            first, self._failing = not self._failing, True
            self._is_saving = False
            if first and isinstance(error, RaterError):
                self._perform.failed.emit(error)

        save = partial(rater_state.save_times, research=research)
        self._perform.perform(save, self._rater, grown, done=done, failed=failed)

    def _close(self) -> None:
        """Save a last time, even if another save is running."""
        grown, research = self._grown(), self._grown_research()
        if (grown or research) and not self._perform.read_only:
            self._perform.perform(partial(rater_state.save_times, research=research), self._rater, grown)

    def _grown(self) -> dict[TimedTaskKey, TimeSpent | None]:
        active, unsaved = self._session.active_time, self._session.unsaved
        self._watched |= active.grown()
        sums: dict[TimedTaskKey, TimeSpent | None] = {
            key: spent if active.has_waiting_seconds(key) or key[1] in unsaved else None
            for key, spent in active.spent(self._watched).items()
        }
        grown = {key: spent for key, spent in sums.items() if _active(self._saved.get(key)) != _active(spent)}
        self._watched = {key for key, spent in sums.items() if spent is not None or key in grown}
        return grown

    def _grown_research(self) -> dict[TimedTaskKey, tuple[ResearchEntry, ...]]:
        """Return the changed entries by task; for the task on the screen all of them until its rating is stored."""
        session, record = self._session, self._session.research
        entries = record.waiting({*record.grown(), *self._saved_research})
        if session.task is not None and session.task.id in session.unsaved:
            entries[session.bundle, session.task.id] = record.entries(session.bundle, session.current_rating)
        return {key: several for key, several in entries.items() if several != self._saved_research.get(key, ())}


def _active(spent: TimeSpent | None) -> tuple[float, dict[str, float]] | None:
    """Return what is compared to decide on a write, without idle time: an unused window writes nothing."""
    return (spent.active_seconds, spent.targets) if spent is not None else None
