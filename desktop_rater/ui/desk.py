"""What lies on the desk: which bundle, and which of its tasks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.ahead import Ahead
from desktop_rater.work import browse
from desktop_rater.work.open_task import OpenTask, bundle_of, open_task
from desktop_rater.work.remember_place import Spot, remembered
from desktop_rater.work.today import left

if TYPE_CHECKING:
    from desktop_rater.model.change import Change
    from desktop_rater.rubric import Outcome, Rubric
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.work.browse import TaskPage


class Desk(QObject):
    """Opens bundles and tasks; of several that are asked for, the last one counts."""

    bundles_listed = Signal(object)  # tuple[BundleRow, …]
    bundle_opened = Signal(str)
    guidelines_read = Signal(str)
    opening = Signal(str)  # a task that was asked for
    settled = Signal()  # it is here, or won't come
    resumed = Signal(object)  # Spot: the rater is back where it was
    left_read = Signal(object)  # Left: after a task, how much of the bundle is still to do
    all_done = Signal()
    rater_wanted = Signal()  # there is something to rate, and nobody has said who does

    def __init__(self, perform: Perform, session: Session, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self.bundle = ""
        self.task: str | None = None
        self.position = -1
        self.practice = False  # the rater sees the gold answer of each finished task
        self._rubric: Rubric | None = None
        self._wanted = ""
        self._asked = 0
        self._heading: int | None = None  # the position that was asked for and is not here yet
        self._ahead = Ahead(perform, rater, self)
        perform.changed.connect(self._changed)

    @property
    def read_only(self) -> str:
        """Why nothing here can be changed; empty where it can."""
        return self._perform.read_only

    def start(self) -> None:
        """List the bundles, and open the one where the rater was, else the first that is there."""
        self._perform.ask(_read_start, self._rater, done=self._started)

    def open_bundle(self, bundle: str) -> None:
        """Open a bundle where the rater was in it, else at its first unfinished task."""
        self._wanted = bundle
        if not self._rater:
            self.rater_wanted.emit()
            return
        self._perform.ask(_read_bundle, bundle, self._rater, done=partial(self._bundle_read, bundle))

    def open_task(self, task: str, spot: Spot | None = None) -> None:
        """Take up a task of the bundle, at a spot where there is one."""
        self._heading = None
        self._take_up(task, spot)

    def _take_up(self, task: str, spot: Spot | None = None) -> None:
        self._asked += 1
        if task == self.task and self._session.task is not None:
            self.settled.emit()
            return
        self._session.pause_typing()
        self.opening.emit(task)
        arrived = partial(self._task_read, self._asked, spot)
        failed = partial(self._task_lost, self._asked)
        self._perform.ask(open_task, self.bundle, task, self._rater, done=arrived, failed=failed)

    def move(self, by: int) -> None:
        """To the next or the previous task of the bundle; of one that is still on its way, if there is one."""
        at = (self.position if self._heading is None else self._heading) + by
        if self.bundle and at >= 0:
            self._asked += 1
            ready = self._ahead.at(self.bundle, at)
            if ready is not None:
                self._session.pause_typing()
                self._task_read(self._asked, None, ready.opened, ready.outcome)
                return
            self._heading = at
            query = partial(browse.task_page, after=at - 1, limit=1)
            self._perform.ask(query, self.bundle, self._rater, done=partial(self._moved, self._asked))

    def go_on(self) -> None:
        """To the next task that is not finished."""
        self._asked += 1
        self._session.saver.when_settled(lambda all_saved: self._tell_left() if all_saved else None)
        # The save of what was just finished may still be on its way: such a task is not what is meant.
        query = partial(_next_task, done=self._session.saver.done_but_unsaved(self.bundle))
        arrived = partial(self._next_found, self._asked)
        self._perform.ask(query, self.bundle, self._rater, self.position, done=arrived)

    def _tell_left(self) -> None:
        self._perform.ask(left, self.bundle, self._rater, done=self.left_read.emit)

    def _listed(self, rows: tuple[BundleRow, ...]) -> None:
        self.bundles_listed.emit(rows)
        names = [row.id for row in rows]
        if self.bundle and self.bundle not in names:
            self._put_away()
        if not self.bundle and names:
            self.open_bundle(self._wanted if self._wanted in names else names[0])

    def _started(self, read: tuple[str, tuple[BundleRow, ...]]) -> None:
        self._wanted = self._wanted or read[0]
        self._listed(read[1])

    def _bundle_read(self, bundle: str, read: _Read) -> None:
        if bundle != self._wanted:
            return
        self._session.close()
        self._rubric, self.practice, guidelines, task, spot = read
        self.bundle, self.task, self.position = bundle, None, -1
        self.bundle_opened.emit(bundle)
        self.guidelines_read.emit(guidelines)
        if task is not None:
            self.open_task(task, spot)

    def _task_read(self, asked: int, spot: Spot | None, opened: OpenTask, outcome: Outcome | None = None) -> None:
        if asked != self._asked or opened.bundle != self.bundle or self._rubric is None:
            return
        self.task, self.position, self._heading = opened.task.id, opened.position, None
        at, rail = (spot.place, spot.question) if spot is not None else (None, None)
        task, rating, spent = opened.task, opened.rating, opened.spent
        self._session.open(
            opened.bundle,
            task,
            rating,
            self._rubric,
            at=at,
            rail=rail,
            spent=spent,
            read_only=self.read_only,
            outcome=outcome,
        )
        self.settled.emit()
        if spot is not None:
            self._session.resume_reading(spot.step)
            self.resumed.emit(spot)
        self._ahead.look(self.bundle, self.position + 1, self._rubric)

    def _task_lost(self, asked: int, error: Exception) -> None:
        if asked == self._asked:
            self.settled.emit()
        if isinstance(error, RaterError):
            self._perform.trouble.emit(error)

    def _moved(self, asked: int, page: TaskPage) -> None:
        if asked != self._asked:
            return
        if page.rows:
            self._take_up(page.rows[0].id)
        else:
            self._heading = None

    def _next_found(self, asked: int, task: str | None) -> None:
        if asked != self._asked:
            return
        ready = self._ahead.named(self.bundle, task) if task is not None else None
        if task is None:
            self.all_done.emit()
        elif ready is not None:
            self._session.pause_typing()
            self._task_read(asked, None, ready.opened, ready.outcome)
        else:
            self.open_task(task)

    def _changed(self, change: Change) -> None:
        if change.bundles:
            self._perform.ask(browse.bundle_list, done=self._listed)
        if self.bundle in change.bundles:
            self.open_bundle(self.bundle)

    def _put_away(self) -> None:
        self.bundle, self.task, self.position, self._rubric = "", None, -1, None
        self._session.close()


def _read_start(store: Store, rater: str) -> tuple[str, tuple[BundleRow, ...]]:
    """The bundle that was open last, and those that there are."""
    return remembered(store, rater).bundle, browse.bundle_list(store)


class _Read(NamedTuple):
    rubric: Rubric
    practice: bool
    guidelines: str
    task: str | None
    spot: Spot | None


def _read_bundle(store: Store, bundle: str, rater: str) -> _Read:
    """What all tasks of a bundle share, and the task to begin with: where the rater was, else the first unfinished."""
    spot = remembered(store, rater).spots.get(bundle)
    if spot is not None and not browse.has_task(store, bundle, spot.task):
        spot = None
    task = spot.task if spot is not None else browse.next_unfinished(store, bundle, rater, -1)
    if task is None:
        rows = browse.task_page(store, bundle, rater, limit=1).rows
        task = rows[0].id if rows else None
    practice = bundle_of(store, bundle).practice
    return _Read(browse.rubric(store, bundle), practice, browse.guidelines(store, bundle), task, spot)


def _next_task(store: Store, bundle: str, rater: str, position: int, *, done: frozenset[str]) -> str | None:
    """The next unfinished task behind a position, round to the first; one of `done` is finished all the same."""
    for _ in range(len(done) + 1):
        found = browse.next_unfinished(store, bundle, rater, position)
        if found is None or found not in done:
            return found
        position = open_task(store, bundle, found, rater).position
    return None
