"""Open bundles, their tasks and earlier changes, prefetch the next task, and show that one is being opened."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.rating.history import UndoTrail, load_trail
from desktop_rater.operations.rating.open_task import (
    OpenTask,
    TaskListPage,
    bundle_guidelines,
    bundle_list,
    has_task,
    load_bundle,
    next_unfinished,
    open_task,
    shown_rubric,
    task_list_page,
)
from desktop_rater.operations.rating.overview import bundle_progress
from desktop_rater.operations.rating.rater_state import RememberedSpot, load_places
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.store import Store
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

PREFETCH_DELAY_MS = 50  # paint the opened task first
HISTORY_DELAY_MS = 300  # no lookups while the rater leafs through tasks


class PrefetchedTask(NamedTuple):
    """Task as stored, with the outcome of checking its rating."""

    opened: OpenTask
    outcome: CheckOutcome


class TaskPrefetcher(QObject):
    """Cache for the open task and those after and before it; one that changes in the store is dropped."""

    fetched = Signal(object)  # Task

    def __init__(self, perform: WorkRunner, rater: str, parent: QObject) -> None:
        super().__init__(parent)
        self._perform = perform
        self._rater = rater
        self._bundle = ""
        self._positions: tuple[int, ...] = ()
        self._rubric: Rubric | None = None
        self._prefetched: dict[int, PrefetchedTask | None] = {}  # by position; `None`: there is no task
        self._request = 0
        self._timer = DelayedCall(self, PREFETCH_DELAY_MS, self._prefetch)
        perform.changed.connect(self._changed)

    def prefetch(self, read: PrefetchedTask, rubric: Rubric) -> None:
        """Prefetch the tasks beside one that was just opened soon, the next one first.

        Not if read-only, which gets no notice of other writers' changes.
        """
        here = read.opened.position
        if self._bundle != read.opened.bundle:
            self._prefetched = {}
        self._bundle, self._rubric = read.opened.bundle, rubric
        self._positions = (here + 1, here - 1) if here > 0 else (here + 1,)
        known = {position: self._prefetched[position] for position in self._positions if position in self._prefetched}
        self._prefetched = {} if self._perform.read_only else {**known, here: read}
        self._schedule()

    def _schedule(self) -> None:
        self._request += 1
        if not self._perform.read_only:
            self._timer.start()

    def at(self, bundle: str, position: int) -> PrefetchedTask | None:
        """Return the task at a position beside the open one if it was prefetched."""
        here = self._bundle == bundle and position in self._positions
        return self._prefetched.get(position) if here else None

    def named(self, bundle: str, task: str) -> PrefetchedTask | None:
        ready = (self.at(bundle, position) for position in self._positions)
        return next((read for read in ready if read is not None and read.opened.task.id == task), None)

    def _missing(self) -> list[int]:
        return [position for position in self._positions if position not in self._prefetched]

    def _prefetch(self) -> None:
        if self._rubric is None:
            return
        for position in self._positions:
            if position in self._prefetched:
                self._announce(position)
            else:
                arrived = partial(self._arrived, self._request, position)
                place = self._bundle, position, self._rater, self._rubric
                self._perform.ask(_task_at, *place, done=arrived, failed=_ignore_error)

    def _arrived(self, request: int, position: int, read: PrefetchedTask | None) -> None:
        if request == self._request:
            self._prefetched[position] = read
            self._announce(position)

    def _announce(self, position: int) -> None:
        read = self._prefetched[position]
        if read is not None:
            self.fetched.emit(read.opened.task)

    def _changed(self, change: Change) -> None:
        if self._bundle in change.bundles:
            self._request += 1  # the results of the running reads may be outdated
            self._positions, self._prefetched = (), {}
            return
        for position, read in list(self._prefetched.items()):
            if read is not None and (read.opened.bundle, read.opened.task.id) in change.tasks:
                del self._prefetched[position]
        if self._missing():
            self._schedule()


def _task_at(store: Store, bundle: str, position: int, rater: str, rubric: Rubric) -> PrefetchedTask | None:
    rows = task_list_page(store, bundle, rater, after=position - 1, limit=1).rows
    if not rows:
        return None
    return _checked_task(store, bundle, rows[0].id, rater, rubric)


def _checked_task(store: Store, bundle: str, task: str, rater: str, rubric: Rubric) -> PrefetchedTask:
    """Load a task, and check its rating: the GUI thread waits for neither."""
    opened = open_task(store, bundle, task, rater)
    return PrefetchedTask(opened, check_rating(rubric, opened.task, opened.rating))


def _ignore_error(_error: Exception) -> None:
    """Ignore the error: opening the task reports it."""


class TaskLoader(QObject):
    """Loader of bundles and tasks; of several requests, the last one counts."""

    bundles_listed = Signal(object)  # tuple[BundleRow, …]
    bundle_opened = Signal(str)
    guidelines_read = Signal(str, object)  # Markdown, and its pictures by name
    loading = Signal()  # a bundle is about to be read, and with it a task
    opening = Signal(str)  # the id of a requested task
    settled = Signal()  # the task was opened, or could not be, or there is none
    resumed = Signal(object)  # Spot: the rater is back at the saved position
    work_left_read = Signal(object)  # BundleOverview: after a task, the progress of the bundle
    prefetched = Signal(object)  # Task: it may be opened next
    all_done = Signal()
    rater_wanted = Signal()  # there is something to rate, but no rater name is set

    def __init__(self, perform: WorkRunner, session: Session, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self.bundle = ""
        self.bundles: tuple[BundleRow, ...] = ()  # as they were listed last
        self.task: str | None = None
        self.position = -1
        self.practice = False  # each finished task shows its gold answer
        self._rubric: Rubric | None = None
        self._wanted_bundle = ""
        self._request = 0
        self._requested_position: int | None = None  # the requested position that is not open yet
        self._prefetcher = TaskPrefetcher(perform, rater, self)
        self._prefetcher.fetched.connect(self.prefetched)
        session.opens_other_tasks = True
        session.task_wanted.connect(self.open_task)
        perform.changed.connect(self._changed)

    @property
    def read_only(self) -> str:
        """Return why nothing can be changed; empty if it can."""
        return self._perform.read_only

    def start(self) -> None:
        """List the bundles, and open the one opened last, else the first."""
        self.loading.emit()
        failed = partial(self._bundle_failed, "", ())
        self._perform.ask(_read_start, self._rater, done=self._started, failed=failed)

    @property
    def is_opening_bundle(self) -> bool:
        return self._wanted_bundle != self.bundle

    def open_bundle(self, bundle: str, others: tuple[str, ...] = ()) -> None:
        """Open a bundle at the rater's last position, else at its first unfinished task.

        If it can't be read, the first of the others that can is opened.
        """
        self._wanted_bundle = bundle
        if not self._rater:
            self.rater_wanted.emit()
            return
        self._request += 1  # a task that is still being read is not opened meanwhile
        self.loading.emit()
        read, failed = partial(self._bundle_read, bundle), partial(self._bundle_failed, bundle, others)
        self._perform.ask(_read_bundle, bundle, self._rater, done=read, failed=failed)

    def open_task(self, task: str, spot: RememberedSpot | None = None) -> None:
        """Open a task of the bundle, at a saved position if there is one."""
        self._requested_position = None
        self._request_task(task, spot)

    def _request_task(self, task: str, spot: RememberedSpot | None = None) -> None:
        self._request += 1
        if task == self.task and self._session.task is not None:
            self.settled.emit()
            return
        self._session.pause_typing()
        self.opening.emit(task)
        arrived = partial(self._task_read, self._request, spot)
        failed = partial(self._task_failed, self._request)
        self._perform.ask(_checked_task, self.bundle, task, self._rater, self._rubric, done=arrived, failed=failed)

    def move(self, by: int) -> None:
        """Go to the next or previous task, counted from the one being opened if there is one."""
        position = (self.position if self._requested_position is None else self._requested_position) + by
        if self.bundle and position >= 0:
            self._request += 1
            ready = self._prefetcher.at(self.bundle, position)
            if ready is not None:
                self._session.pause_typing()
                self._task_read(self._request, None, ready)
                return
            self._requested_position = position
            query = partial(task_list_page, after=position - 1, limit=1)
            self._perform.ask(query, self.bundle, self._rater, done=partial(self._moved, self._request))

    def go_on(self) -> None:
        self._request += 1
        self._session.saver.when_settled(self._read_work_left)
        # Exclude finished tasks whose save is still running.
        query = partial(_next_task, finished=self._session.saver.finished_but_unsaved(self.bundle))
        arrived = partial(self._next_found, self._request)
        self._perform.ask(query, self.bundle, self._rater, self.position, done=arrived)

    def _read_work_left(self, all_saved: bool) -> None:
        if all_saved:
            self._perform.ask(bundle_progress, self.bundle, self._rater, done=self.work_left_read.emit)

    def _listed(self, rows: tuple[BundleRow, ...], *, reopen: bool = False) -> None:
        self.bundles = rows
        self.bundles_listed.emit(rows)
        names = [row.id for row in rows if not row.put_away]
        if self.bundle and self.bundle not in names:
            self._close()
        elif self.bundle and reopen:
            self.open_bundle(self.bundle)
        if not names:
            self.settled.emit()
        elif not self.bundle:
            first = self._wanted_bundle if self._wanted_bundle in names else names[0]
            self.open_bundle(first, tuple(name for name in names if name != first))

    def _started(self, read: tuple[str, tuple[BundleRow, ...]]) -> None:
        self._wanted_bundle = self._wanted_bundle or read[0]
        self._listed(read[1])

    def _bundle_failed(self, bundle: str, others: tuple[str, ...], error: Exception) -> None:
        if isinstance(error, RaterError):
            self._perform.failed.emit(error)
            if others and bundle == self._wanted_bundle:
                self.open_bundle(others[0], others[1:])
                return
        self.settled.emit()

    def _bundle_read(self, bundle: str, read: "_BundleData") -> None:
        if bundle != self._wanted_bundle:
            return
        if self._session.task is not None:
            self._session.close()
        self._rubric, self.practice, guidelines, task, spot = read
        self.bundle, self.task, self.position = bundle, None, -1
        self.bundle_opened.emit(bundle)
        self.guidelines_read.emit(*guidelines)
        if task is not None:
            self.open_task(task, spot)
        else:
            self.settled.emit()

    def _task_read(self, request: int, spot: RememberedSpot | None, read: PrefetchedTask) -> None:
        opened = read.opened
        if request != self._request or opened.bundle != self.bundle or self._rubric is None:
            return
        self.task, self.position, self._requested_position = opened.task.id, opened.position, None
        place, question = (spot.place, spot.question) if spot is not None else (None, None)
        task, rating, spent = opened.task, opened.rating, opened.spent
        theme.use_language(opened.language)
        self._session.open(
            opened.bundle,
            task,
            rating,
            self._rubric,
            at=place,
            question=question,
            spent=spent,
            research=opened.research,
            read_only=self.read_only,
            outcome=read.outcome,
        )
        self.settled.emit()
        if spot is not None:
            self._session.resume_reading(spot.step)
            self.resumed.emit(spot)
        self._prefetcher.prefetch(read, self._rubric)

    def _task_failed(self, request: int, error: Exception) -> None:
        if request == self._request:
            self.settled.emit()
        if isinstance(error, RaterError):
            self._perform.failed.emit(error)

    def _moved(self, request: int, page: TaskListPage) -> None:
        if request != self._request:
            return
        if page.rows:
            self._request_task(page.rows[0].id)
        else:
            self._requested_position = None
            self.settled.emit()

    def _next_found(self, request: int, task: str | None) -> None:
        if request != self._request:
            return
        ready = self._prefetcher.named(self.bundle, task) if task is not None else None
        if task is None:
            self.all_done.emit()
        elif ready is not None:
            self._session.pause_typing()
            self._task_read(request, None, ready)
        else:
            self.open_task(task)

    def _changed(self, change: Change) -> None:
        if change.bundles:
            reopen = self.bundle in change.bundles
            self._perform.ask(bundle_list, done=partial(self._listed, reopen=reopen))

    def _close(self) -> None:
        self.bundle, self.task, self.position, self._rubric = "", None, -1, None
        self._session.close()


def _read_start(store: Store, rater: str) -> tuple[str, tuple[BundleRow, ...]]:
    """Return the bundle opened last, and all bundles."""
    return load_places(store, rater).bundle, bundle_list(store)


class _BundleData(NamedTuple):
    rubric: Rubric
    practice: bool
    guidelines: tuple[str, dict[str, bytes]]
    task: str | None
    spot: RememberedSpot | None


def _read_bundle(store: Store, bundle: str, rater: str) -> _BundleData:
    """Read what the tasks of a bundle share, and the first task: at the last position, else the first unfinished."""
    spot = load_places(store, rater).spots.get(bundle)
    if spot is not None and not has_task(store, bundle, spot.task):
        spot = None
    task = spot.task if spot is not None else next_unfinished(store, bundle, rater, -1)
    if task is None:
        rows = task_list_page(store, bundle, rater, limit=1).rows
        task = rows[0].id if rows else None
    practice = load_bundle(store, bundle).practice
    return _BundleData(shown_rubric(store, bundle), practice, bundle_guidelines(store, bundle), task, spot)


def _next_task(store: Store, bundle: str, rater: str, position: int, *, finished: frozenset[str]) -> str | None:
    """Return the next unfinished task after a position, cyclically; tasks in `finished` count as finished."""
    for _ in range(len(finished) + 1):
        task = next_unfinished(store, bundle, rater, position)
        if task is None or task not in finished:
            return task
        position = open_task(store, bundle, task, rater).position
    return None


OPENING_NOTICE_DELAY_MS = 300  # no notice for tasks that open sooner


class OpeningNotice(QObject):
    """Delayed notice, so that quickly opened tasks cause no flicker."""

    def __init__(self, desk: TaskLoader, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._task = ""
        self.timer = DelayedCall(self, OPENING_NOTICE_DELAY_MS, self._show_notice)
        desk.opening.connect(self._wait)
        desk.settled.connect(self._finish)

    def _wait(self, task: str) -> None:
        self._task = task
        self.timer.start()

    def _show_notice(self) -> None:
        message = self.tr("Opening {task} …").format(task=isolated(self._task[:80]))
        self._window.form_pane.banners.show_banner("opening", "info", message)
        for pane in (self._window.text_pane, self._window.form_pane.form):
            pane.setEnabled(False)

    def _finish(self) -> None:
        self.timer.stop()
        self._window.form_pane.banners.drop("opening")
        for pane in (self._window.text_pane, self._window.form_pane.form):
            pane.setEnabled(True)


class HistoryLoader(QObject):
    """Loader of earlier changes: after a pause at a task, or at once for an undo."""

    def __init__(self, perform: WorkRunner, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._query: Progress | None = None
        self.timer = DelayedCall(self, HISTORY_DELAY_MS, self.ask)
        session.opened.connect(self._restart)
        session.earlier_wanted.connect(self.ask)

    def ask(self) -> None:
        """Read the revisions of the current task, unless they are known or being read."""
        session = self._session
        self.timer.stop()
        if self._query is not None or session.task is None or not session.undo_history.earlier:
            return
        key, last = (session.bundle, session.task.id), session.undo_history.earlier

        def arrived(trail_read: UndoTrail) -> None:
            self._query = None
            if session.task is not None and (session.bundle, session.task.id, session.undo_history.earlier) == (
                *key,
                last,
            ):
                session.add_earlier_changes(trail_read)

        def failed(error: Exception) -> None:
            self._query = None
            session.add_earlier_changes(None)
            if isinstance(error, RaterError):
                self._perform.failed.emit(error)

        self._query = self._perform.ask(load_trail, *key, session.rating.rater, last, done=arrived, failed=failed)

    def _restart(self) -> None:
        self.timer.stop()
        if self._query is not None:
            self._perform.cancel(self._query)
            self._query = None
        if self._session.task is not None and self._session.undo_history.earlier:
            self.timer.start()
