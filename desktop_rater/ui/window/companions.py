"""Parts that follow the session on their own: savers, announcements to screen readers, and the tab order."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLayout, QLineEdit, QPlainTextEdit, QScrollArea, QSplitter, QWidget

from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import ResearchEntry, TimeSpent
from desktop_rater.format.values import Place
from desktop_rater.operations.rating import rater_state
from desktop_rater.operations.rating.rater_state import RaterDay, RememberedSpot, local_day, save_place
from desktop_rater.paths import SAMPLE_BUNDLES
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import ProblemList
from desktop_rater.ui.rating.problems_pane import problem_counts_text
from desktop_rater.ui.rating.rating_saver import RatingSaver, SavedMerger
from desktop_rater.ui.rating.rating_state import RatingState, TaskKey
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import HistoryLoader, OpeningNotice, TaskLoader
from desktop_rater.ui.rating.work_time import TimedTaskKey
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.layouts import announce
from desktop_rater.ui.window.focus import is_typing
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

POSITION_SAVE_MS = 3_000
POSITION_OPEN_DELAY_MS = 50  # paint the opened task first


class PositionSaver(QObject):
    """Saves the position every few seconds, after opening a task, and when the window closes."""

    def __init__(self, perform: WorkRunner, session: Session, desk: TaskLoader, window: MainWindow, rater: str) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self._window = window
        self._rater = rater
        self._last: tuple[str, RememberedSpot] | None = None
        self._timer = QTimer(self, interval=POSITION_SAVE_MS)
        self._timer.timeout.connect(self.remember)
        self._timer.start()
        self._open_timer = DelayedCall(self, POSITION_OPEN_DELAY_MS, self.remember)
        session.opened.connect(self._open_timer.start)
        # After the layout has settled: new widgets have no height yet.
        desk.resumed.connect(lambda spot: QTimer.singleShot(0, self, lambda: self._restore(spot)))
        window.closed.connect(self._close)

    def remember(self) -> None:
        spot = self.spot()
        if spot is None or (self._session.bundle, spot) == self._last or self._perform.read_only:
            return
        self._last = self._session.bundle, spot
        self._perform.perform(save_place, self._rater, self._session.bundle, spot)

    def _close(self) -> None:
        """Save once more before the window and its focus are gone."""
        self.remember()
        self._timer.stop()
        self._open_timer.stop()

    def spot(self) -> RememberedSpot | None:
        session = self._session
        if session.task is None:
            return None
        field = QApplication.focusWidget()
        form, panes = self._window.form_pane.form, self._window.text_pane.panes
        typing = isinstance(field, (QLineEdit, QPlainTextEdit)) and is_typing(field) and form.holds(field)
        return RememberedSpot(
            task=session.task.id,
            place=session.place,
            question=session.current_question,
            step=session.reading_step,
            field=field.objectName() if typing and field is not None else "",
            cursor=cursor_of(field) if typing else 0,
            form_scroll=form.verticalScrollBar().value(),
            text_scroll=panes[0].view.verticalScrollBar().value() if panes else 0,
        )

    def _restore(self, spot: RememberedSpot) -> None:
        if self._session.task is None or self._session.task.id != spot.task:
            return
        window = self._window
        form = window.form_pane.form
        field = form.field(spot.field) if spot.field else None
        if isinstance(field, (QLineEdit, QPlainTextEdit)) and field.isVisibleTo(window):
            field.setFocus()
            put_cursor(field, spot.cursor)
        form.verticalScrollBar().setValue(spot.form_scroll)
        for pane in window.text_pane.panes[:1]:
            pane.view.verticalScrollBar().setValue(spot.text_scroll)


AT_END = -1  # a cursor that stays at the end of a text, which may be longer when it is put there again


def cursor_of(field: QWidget | None) -> int:
    """Return the position of the cursor in a field; 0 for other widgets."""
    if isinstance(field, QLineEdit):
        return AT_END if field.cursorPosition() == len(field.text()) else field.cursorPosition()
    if not isinstance(field, QPlainTextEdit):
        return 0
    return AT_END if field.textCursor().atEnd() else field.textCursor().position()


def put_cursor(field: QLineEdit | QPlainTextEdit, position: int) -> None:
    """Put the cursor of a field at a position, or at the end of a shorter text."""
    end = len(field.text()) if isinstance(field, QLineEdit) else field.document().characterCount() - 1
    position = end if position == AT_END else min(position, end)
    if isinstance(field, QLineEdit):
        field.setCursorPosition(position)
        return
    cursor = field.textCursor()
    cursor.setPosition(position)
    field.setTextCursor(cursor)


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
        self.is_busy = False
        self._failing = False  # report the first failure only, then retry
        self.timer = QTimer(self, interval=TIME_SAVE_MS)
        self.timer.timeout.connect(self.save)
        self.timer.start()
        self._open_timer = DelayedCall(self, TIME_OPEN_DELAY_MS, self.save)
        session.opened.connect(self._open_timer.start)
        window.closed.connect(self._close)

    def save(self) -> None:
        """Save the sums that have grown, unless a save is running."""
        grown, research = self._grown(), self._grown_research()
        if not (grown or research) or self.is_busy or self._perform.read_only:
            return
        self.is_busy = True

        def done(_change: Change) -> None:
            self.is_busy = self._failing = False
            self._saved |= grown
            self._saved_research |= research

        def failed(error: Exception) -> None:
            first, self._failing = not self._failing, True
            self.is_busy = False
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
        self.today = RaterDay(day=local_day(now()))
        self._saved = self.today
        self._tick = QTimer(self, interval=DAY_TICK_MS)
        self._tick.timeout.connect(self.count)
        session.opened.connect(self._count_targets)
        session.rating_changed.connect(self._count_targets)

    @property
    def paused(self) -> bool:
        return self._session.active_time.paused

    def start(self) -> None:
        """Load the day so far from the store."""
        self._perform.ask(rater_state.load_day, self._rater, self.today.day, done=self._loaded)

    def count(self) -> None:
        """Add the time since the last call, and save it now and then."""
        day = local_day(self._now())
        if day != self.today.day:
            self.keep()
            self._is_loaded, self.today, self._finished_before = False, RaterDay(day=day), {}
            self._count_targets()
            self.start()
        seconds = int(self._session.active_time.total - self._counted)
        if seconds or self.paused is not self._shown_paused:
            self._counted += seconds
            self._shown_paused = self.paused
            self._set_today(replace(self.today, seconds=self.today.seconds + seconds))
        if self.today.seconds - self._saved.seconds >= DAY_SAVE_SECONDS:
            self.keep()

    def keep(self) -> None:
        """Save the day, once its stored state has been read."""
        if self._is_loaded and self.today != self._saved and not self._perform.read_only:
            self._saved = self.today
            self._perform.perform(rater_state.save_day, self._rater, self.today)

    def _loaded(self, before: RaterDay) -> None:
        self._tick.start()
        if before.day == self.today.day and not self._is_loaded:
            self._is_loaded = True
            self._saved = before
            self._finished_before = {
                task: names.difference(before.targets) for task, names in self._finished_before.items()
            }
            self.today = before.with_more(self.today)
            self._count_targets()
        self.changed.emit(self.today)

    def _count_targets(self) -> None:
        """Count the targets and responses of the task that are finished now and were not before today."""
        session = self._session
        state = session.state
        if state is None or session.read_only or not self._counts():
            return
        prefix = f"{session.bundle}/{state.task.id}/"
        finished = [f"{prefix}{name}" for name in _finished_stops(state)]
        others = [name for name in self.today.targets if not name.startswith(prefix)]
        here = frozenset(self.today.targets).difference(others)
        before = self._finished_before.setdefault(state.key, frozenset(finished) - here)
        today = (*others, *(name for name in finished if name not in before))
        if set(today) != set(self.today.targets):
            self._set_today(replace(self.today, targets=today))

    def _set_today(self, now: RaterDay) -> None:
        self.today = now
        self.changed.emit(now)


def _finished_stops(state: RatingState) -> Iterable[str]:
    """Yield the paths of the stops of a task where nothing required is open."""
    still_open = task_stops.stops_with_questions(state.outcome)
    for stop, target in state.target_states.items():
        if target.kind in {"label", "done"} and stop not in still_open:
            yield task_stops.place_path(stop)


class TabOrder(QObject):
    """Updates the tab order when Tab is pressed after widgets may have been added or removed."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: tuple[QWidget, ...] = ()
        self._is_stale = False
        for signal in (session.opened, session.updated):
            signal.connect(self._make_stale)
        for banners in (window.banners, window.form_pane.banners):
            banners.changed.connect(self._make_stale)
        window.tab_pressed.connect(self._update)

    def _make_stale(self) -> None:
        self._is_stale = True

    def _update(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self.put()

    def put(self) -> None:
        """Order the widgets: tasks, text, form from top to bottom, problems, footer, and the header last."""
        parts = tuple(part for root in self._window.tab_roots() for part in tab_stops(root))
        if parts != self._before:
            self._before = parts
            for widget, next_widget in pairwise(parts):
                QWidget.setTabOrder(widget, next_widget)


def tab_stops(widget: QWidget) -> Iterator[QWidget]:
    """Yield the widgets in a widget that Tab can reach, itself first."""
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    if isinstance(widget, QSplitter):
        inside = [widget.widget(index) for index in range(widget.count())]
    elif isinstance(widget, QScrollArea):
        inside = [widget.widget()]
    elif isinstance(widget, ProblemList):
        inside = widget.row_widgets()
    else:
        inside = _layout_widgets(widget, layout) if layout is not None else []
    for child in inside:
        if child is not None:
            yield from tab_stops(child)


def _layout_widgets(widget: QWidget, layout: QLayout) -> list[QWidget]:
    """Return the widgets of a layout in its order, without touching its items: their wrappers can outlive them."""
    direct = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    layouts = [child for child in layout.children() if isinstance(child, QLayout)]
    inside = [(layout.indexOf(child), [child]) for child in direct]
    inside += [(layout.indexOf(nested), _layout_widgets(widget, nested)) for nested in layouts]
    in_layout = sorted((pair for pair in inside if pair[0] >= 0), key=lambda pair: pair[0])
    return [child for _index, group in in_layout for child in group]


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


class Companions(Struct, frozen=True):
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
