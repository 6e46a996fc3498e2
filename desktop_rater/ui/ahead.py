"""The task behind the one on the desk, read while the rater works, so that going on waits for nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from desktop_rater.rubric import check
from desktop_rater.work import browse
from desktop_rater.work.open_task import OpenTask, open_task

if TYPE_CHECKING:
    from desktop_rater.model.change import Change
    from desktop_rater.rubric import Outcome, Rubric
    from desktop_rater.store.store import Store
    from desktop_rater.ui.perform import Perform

AFTER_MS = 50  # what was just opened is painted first


class ReadAhead(NamedTuple):
    """A task as it stands in the store, and what the rubric says of its rating."""

    opened: OpenTask
    outcome: Outcome


class Ahead(QObject):
    """Holds one task as it stands in the store, and forgets it when something of it changes there."""

    def __init__(self, perform: Perform, rater: str, parent: QObject) -> None:
        super().__init__(parent)
        self._perform = perform
        self._rater = rater
        self._at: tuple[str, int] | None = None
        self._rubric: Rubric | None = None
        self._read: ReadAhead | None = None
        self._asked = 0
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_MS)
        self._later.timeout.connect(self._ask)
        perform.changed.connect(self._changed)

    def look(self, bundle: str, position: int, rubric: Rubric) -> None:
        """Read the task at a position soon. Where others write, nothing is read ahead: they would not tell."""
        self._at, self._rubric = (bundle, position), rubric
        self._look_again()

    def _look_again(self) -> None:
        self._asked, self._read = self._asked + 1, None
        if not self._perform.read_only:
            self._later.start()

    def at(self, bundle: str, position: int) -> ReadAhead | None:
        """The task at a position, if it is the one that was read."""
        return self._read if self._at == (bundle, position) else None

    def named(self, bundle: str, task: str) -> ReadAhead | None:
        """The task of that id, if it is the one that was read."""
        return self._read if self._read is not None and _key(self._read) == (bundle, task) else None

    def _ask(self) -> None:
        if self._at is not None and self._rubric is not None:
            arrived = partial(self._arrived, self._asked)
            self._perform.ask(_task_at, *self._at, self._rater, self._rubric, done=arrived, failed=_pass_over)

    def _arrived(self, asked: int, read: ReadAhead | None) -> None:
        if asked == self._asked:
            self._read = read

    def _changed(self, change: Change) -> None:
        if self._at is None:
            return
        if self._at[0] in change.bundles:
            self._asked += 1  # what is being read may be as it was before
            self._at = self._read = None
        elif self._read is None or _key(self._read) in change.tasks:
            self._look_again()


def _key(read: ReadAhead) -> tuple[str, str]:
    return read.opened.bundle, read.opened.task.id


def _task_at(store: Store, bundle: str, position: int, rater: str, rubric: Rubric) -> ReadAhead | None:
    rows = browse.task_page(store, bundle, rater, after=position - 1, limit=1).rows
    if not rows:
        return None
    opened = open_task(store, bundle, rows[0].id, rater)
    # The rules are read here as well: they cost the window a tenth of what showing the task does.
    return ReadAhead(opened, check(rubric, opened.task, opened.rating))


def _pass_over(_error: Exception) -> None:
    """Whoever goes there is told."""
