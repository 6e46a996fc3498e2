"""What lies on the desk: which bundle, and which of its tasks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.work import browse
from desktop_rater.work.open_task import OpenTask, open_task

if TYPE_CHECKING:
    from desktop_rater.model.change import Change
    from desktop_rater.rubric import Rubric
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
    all_done = Signal()

    def __init__(self, perform: Perform, session: Session, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self.bundle = ""
        self.task: str | None = None
        self.position = -1
        self._rubric: Rubric | None = None
        self._wanted = ""
        self._asked = 0
        perform.changed.connect(self._changed)

    def start(self) -> None:
        """List the bundles, and open the first that is there."""
        self._perform.ask(browse.bundle_list, done=self._listed)

    def open_bundle(self, bundle: str) -> None:
        """Open a bundle at its first unfinished task."""
        self._wanted = bundle
        self._perform.ask(_read_bundle, bundle, self._rater, done=partial(self._bundle_read, bundle))

    def open_task(self, task: str) -> None:
        """Take up a task of the bundle."""
        self._asked += 1
        if task == self.task and self._session.task is not None:
            return
        self._session.pause_typing()
        arrived = partial(self._task_read, self._asked)
        self._perform.ask(open_task, self.bundle, task, self._rater, done=arrived)

    def move(self, by: int) -> None:
        """To the next or the previous task of the bundle."""
        at = self.position + by
        if self.bundle and at >= 0:
            query = partial(browse.task_page, offset=at, limit=1)
            self._perform.ask(query, self.bundle, self._rater, done=self._moved)

    def go_on(self) -> None:
        """To the next task that is not finished."""
        self._asked += 1
        # The save of what was just finished may still be on its way: such a task is not what is meant.
        query = partial(_next_task, done=self._session.saver.done_but_unsaved(self.bundle))
        arrived = partial(self._next_found, self._asked)
        self._perform.ask(query, self.bundle, self._rater, self.position, done=arrived)

    def _listed(self, rows: tuple[BundleRow, ...]) -> None:
        self.bundles_listed.emit(rows)
        names = [row.id for row in rows]
        if self.bundle and self.bundle not in names:
            self._put_away()
        if not self.bundle and names:
            self.open_bundle(self._wanted if self._wanted in names else names[0])

    def _bundle_read(self, bundle: str, read: tuple[Rubric, str, str | None]) -> None:
        if bundle != self._wanted:
            return
        self._session.close()
        self._rubric, guidelines, task = read
        self.bundle, self.task, self.position = bundle, None, -1
        self.bundle_opened.emit(bundle)
        self.guidelines_read.emit(guidelines)
        if task is not None:
            self.open_task(task)

    def _task_read(self, asked: int, opened: OpenTask) -> None:
        if asked != self._asked or opened.bundle != self.bundle or self._rubric is None:
            return
        self.task, self.position = opened.task.id, opened.position
        self._session.open(opened.bundle, opened.task, opened.rating, self._rubric)

    def _moved(self, page: TaskPage) -> None:
        if page.rows:
            self.open_task(page.rows[0].id)

    def _next_found(self, asked: int, task: str | None) -> None:
        if asked != self._asked:
            return
        if task is None:
            self.all_done.emit()
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


def _read_bundle(store: Store, bundle: str, rater: str) -> tuple[Rubric, str, str | None]:
    """The rubric, the guidelines and the task to begin with: the first unfinished one, else the first."""
    task = browse.next_unfinished(store, bundle, rater, -1)
    if task is None:
        rows = browse.task_page(store, bundle, rater, limit=1).rows
        task = rows[0].id if rows else None
    return browse.rubric(store, bundle), browse.guidelines(store, bundle), task


def _next_task(store: Store, bundle: str, rater: str, position: int, *, done: frozenset[str]) -> str | None:
    """The next unfinished task behind a position, round to the first; one of `done` is finished all the same."""
    for _ in range(len(done) + 1):
        found = browse.next_unfinished(store, bundle, rater, position)
        if found is None or found not in done:
            return found
        position = open_task(store, bundle, found, rater).position
    return None
