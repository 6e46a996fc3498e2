"""Answers on their way to the store: one save in flight, the latest wins, nothing is lost while one fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.change import Change
    from desktop_rater.model.rating import Rating
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.perform import Perform

RETRY_MS = 5_000
Key = tuple[str, str]  # bundle, task


@dataclass(frozen=True)
class Unsaved:
    """A rating that is to be saved, and all that was done to it since the last save."""

    rubric: Rubric
    bundle: str
    task: Task
    rating: Rating
    done: tuple[str, ...]

    @property
    def key(self) -> Key:
        return self.bundle, self.task.id


class Saver(QObject):
    """Saves ratings in the order in which they were given.

    `not_saved` is emitted once for each streak of failures, `saved` after each success.
    """

    saved = Signal(object)  # datetime
    not_saved = Signal(object)  # Exception
    settled = Signal(bool)  # nothing is under way; whether all is saved

    def __init__(
        self,
        perform: Perform,
        save: Callable[..., Change],
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._save = save
        self._now = now
        self._waiting: dict[Key, Unsaved] = {}
        self._flying: Unsaved | None = None
        self._newest: dict[Key, Rating] = {}
        self._then: list[Callable[[bool], None]] = []
        self._trouble: Exception | None = None
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(RETRY_MS)
        self._retry.timeout.connect(self.try_now)
        perform.changed.connect(self._forget)

    @property
    def unsaved(self) -> tuple[str, ...]:
        """The ids of the tasks whose answers are not in the store yet."""
        flying = (self._flying.task.id,) if self._flying is not None else ()
        return tuple(dict.fromkeys((*flying, *(one.task.id for one in self._waiting.values()))))

    @property
    def failing(self) -> bool:
        """Whether the last save failed."""
        return self._trouble is not None

    @property
    def trouble(self) -> Exception | None:
        """Why the last save failed, if it did."""
        return self._trouble

    def newest(self, bundle: str, task: str) -> Rating | None:
        """The rating last handed over here: the store may be a moment behind."""
        return self._newest.get((bundle, task))

    def done_but_unsaved(self, bundle: str) -> frozenset[str]:
        """The tasks of a bundle that the rater is done with, and that the store does not know to be done yet."""
        flying = (self._flying,) if self._flying is not None else ()
        mine = (one for one in (*flying, *self._waiting.values()) if one.bundle == bundle)
        return frozenset(one.task.id for one in mine if one.rating.status != "incomplete")

    def when_settled(self, then: Callable[[bool], None]) -> None:
        """Call `then` once nothing is under way, with whether all is saved: at once where nothing is."""
        if self._flying is None:
            then(not self._waiting)
        else:
            self._then.append(then)

    def submit(self, unsaved: Unsaved) -> None:
        """Save a rating, or the newer one in its place if it has to wait."""
        before = self._waiting.pop(unsaved.key, None)
        self._waiting[unsaved.key] = _joined(before, unsaved)
        self._newest[unsaved.key] = unsaved.rating
        self.try_now()

    def try_now(self) -> None:
        """Save what waits, unless a save is under way: that one goes on with the rest."""
        if self._flying is not None:
            return
        self._retry.stop()
        if not self._waiting:
            self._settle(all_saved=True)
            return
        self._flying = self._waiting.pop(next(iter(self._waiting)))
        one = self._flying
        work = partial(self._save, done=", ".join(one.done), now=self._now)
        self._perform.perform(
            work, one.rubric, one.bundle, one.task, one.rating, done=self._arrived, failed=self._failed, first=True
        )

    def _arrived(self, _change: Any) -> None:
        self._flying = None
        self._trouble = None
        self.saved.emit(self._now())
        self.try_now()

    def _failed(self, error: Exception) -> None:
        one, self._flying = self._flying, None
        if one is not None:
            newer = self._waiting.pop(one.key, None)
            # Back to the front, with the newer answers if there are any: the order of the tasks stays.
            self._waiting = {one.key: _joined(one, newer or one), **self._waiting}
        first, self._trouble = self._trouble is None, error
        self._retry.start()
        if first:
            self.not_saved.emit(error)
        self._settle(all_saved=False)

    def _settle(self, *, all_saved: bool) -> None:
        waiting, self._then = self._then, []
        for then in waiting:
            then(all_saved)
        self.settled.emit(all_saved)

    def _forget(self, change: Change) -> None:
        """What others changed counts as it stands in the store, but for what is not saved here yet."""
        kept = {one.key for one in (*self._waiting.values(), *((self._flying,) if self._flying else ()))}
        gone = [key for key in self._newest if (key in change.tasks or key[0] in change.bundles) and key not in kept]
        for key in gone:
            del self._newest[key]


def _joined(before: Unsaved | None, after: Unsaved) -> Unsaved:
    if before is None:
        return after
    return replace(after, done=tuple(dict.fromkeys((*before.done, *after.done))))
