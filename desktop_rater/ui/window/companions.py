"""Screen reader announcements, and the other parts that follow the session on their own."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.values import Place
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.history_pane import HistoryLoader
from desktop_rater.ui.rating.problems_pane import problem_counts_text
from desktop_rater.ui.rating.rating_saver import RatingSaver, SavedMerger
from desktop_rater.ui.rating.savers import DayCounter, PositionSaver, WorkTimeSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import OpeningNotice, TaskLoader
from desktop_rater.ui.widgets.accessibility import announce
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.tab_order import TabOrder
from desktop_rater.work.samples import SAMPLE_BUNDLES


class Announcer(QObject):
    """Announces changes at the rater's current place; moving to another place is not announced."""

    announced = Signal(str)

    def __init__(self, session: Session, saver: RatingSaver, window: MainWindow) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._state: tuple[Place | None, str, str] = (None, "", "")
        self._failing = False
        session.opened.connect(self._reset)
        session.place_changed.connect(self._reset)
        session.rating_changed.connect(self._announce_change)
        window.preview.announced.connect(self.say)
        saver.not_saved.connect(self._not_saved)
        saver.saved.connect(self._saved)

    def say(self, text: str) -> None:
        """Have a text spoken after the screen reader's current sentence."""
        announce(self._window, text)
        self.announced.emit(text)

    def _reset(self) -> None:
        self._state = self._current_state()

    def _announce_change(self) -> None:
        place, label, problems = self._state
        self._state = self._current_state()
        if self._state[0] != place:
            return
        news = [new for new, old in zip(self._state[1:], (label, problems), strict=True) if new and new != old]
        if problems and not self._state[2]:
            news.append(self.tr("No problems here"))
        if news:
            self.say(". ".join(news))

    def _current_state(self) -> tuple[Place | None, str, str]:
        """Return the place, its label as text, and the number of its problems as text."""
        session = self._session
        if session.task is None or session.rubric is None:
            return None, "", ""
        if session.place.claim is not None:
            label = task_stops.claim_label(session.rubric, session.outcome, session.place)
        else:
            label = task_stops.own_label(session.rubric, session.rating, session.outcome, session.stop)
        text = task_stops.label_text(label) if label is not None else ""
        return session.place, text, problem_counts_text(self._window.form_pane.problems.here, 0)

    def _not_saved(self) -> None:
        self._failing = True
        self.say(self.tr("Not saved. Retrying …"))

    def _saved(self) -> None:
        if self._failing:
            self._failing = False
            self.say(self.tr("Saved"))


@dataclass(frozen=True)
class Companions:
    """The rater's day, the remembered place, earlier ratings, slow-task notices, and screen-reader announcements."""

    day: DayCounter
    remembering: PositionSaver
    recalling: HistoryLoader
    time_keeping: WorkTimeSaver
    opening: OpeningNotice
    announcer: Announcer
    tab_order: TabOrder


def start_companions(
    perform: WorkRunner, session: Session, desk: TaskLoader, window: MainWindow, rater: str, now: Callable[[], datetime]
) -> Companions:
    """Create the parts and let them follow a window."""
    day = DayCounter(
        perform,
        session,
        rater,
        now,
        window,
        counts=lambda: not desk.practice and session.bundle not in SAMPLE_BUNDLES,
    )
    window.closed.connect(day.keep)
    day.changed.connect(lambda today: window.show_today(today.seconds, *today.finished, paused=day.paused))
    day.start()
    session.drafts.keep_in_store(perform, rater)
    window.closed.connect(session.drafts.flush)
    SavedMerger(session.saver, perform, window)
    return Companions(
        day,
        PositionSaver(perform, session, desk, window, rater),
        HistoryLoader(perform, session, window),
        WorkTimeSaver(perform, session, window, rater),
        OpeningNotice(desk, window),
        Announcer(session, session.saver, window),
        TabOrder(session, window),
    )
