"""The rating under the rater's hands: each change is checked at once, can be undone, and goes to the saver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.model import edit
from desktop_rater.model.difference import differences
from desktop_rater.model.place import TASK, Place
from desktop_rater.rubric import Outcome, Rubric, check
from desktop_rater.ui.history.steps import Histories, History, Step
from desktop_rater.ui.saving import Saver, Unsaved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.difference import Difference
    from desktop_rater.model.rating import Problem, Rating, TimeSpent
    from desktop_rater.model.task import Task
    from desktop_rater.ui.active_time import ActiveTime
    from desktop_rater.work.history import Trail

TEXT_PAUSE_MS = 400


class Ledger(QObject):
    """One task with its rating, and what the rubric says of it."""

    opened = Signal()  # another task, or none
    rating_changed = Signal()
    borders_changed = Signal()  # a target stands elsewhere
    hinted = Signal(str)  # what was asked for can't be done here, and why
    place_changed = Signal()  # the place or the rail
    earlier_wanted = Signal()  # what was done before this sitting is to be taken back, and is not known yet
    earlier_known = Signal()  # it is now

    def __init__(self, saver: Saver, active_time: ActiveTime, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.saver = saver
        self.active_time = active_time
        self.bundle = ""
        self.task: Task | None = None
        self.rubric: Rubric | None = None
        self.place = TASK
        self.rail: str | None = None
        self.read_only = ""
        self.beside_gold = False  # the gold answer of a task for practice stands where its questions were
        self._source: Task | None = None
        self._rating: Rating | None = None
        self._outcome: Outcome | None = None
        self._history = History()
        self._histories = Histories()
        self._steps_wanted: list[str] = []
        self._not_submitted: list[str] = []
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TEXT_PAUSE_MS)
        self._pause.timeout.connect(self.flush)

    @property
    def rating(self) -> Rating:
        assert self._rating is not None, "no task is open"
        return self._rating

    @property
    def present(self) -> Rating:
        """The rating that counts, also where an earlier state is looked at."""
        return self.rating

    @property
    def outcome(self) -> Outcome:
        assert self._outcome is not None, "no task is open"
        return self._outcome

    @property
    def can_undo(self) -> bool:
        return self._history.can_undo and not self.read_only

    @property
    def can_redo(self) -> bool:
        return self._history.can_redo and not self.read_only

    @property
    def unsaved(self) -> frozenset[str]:
        """The ids of the tasks whose ratings the store does not know as they stand here, half a comment included."""
        typed = (self.task.id,) if self._not_submitted and self.task is not None else ()
        return frozenset((*typed, *self.saver.unsaved))

    def is_acknowledged(self, problem: Problem) -> bool:
        """Whether the rater has seen a warning and lets it stand."""
        known = ((one.rule, one.where) for one in self.rating.acknowledged)
        return problem.level == "warn" and (problem.rule, problem.where) in known

    def take(
        self,
        bundle: str,
        task: Task | None,
        rating: Rating | None,
        rubric: Rubric | None,
        spent: TimeSpent | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        """Put the task that lies here away, and take up another or none.

        `spent` is all the time that is known to be spent on it, where that may be more than its rating says.
        `outcome` is what the rubric says of that rating, where it was read before.
        """
        self.flush()
        if self.task is not None and self._rating is not None:
            self._histories.keep((self.bundle, self.task.id), self._history, self._rating)
        self.bundle, self.task, self.rubric = bundle, task, rubric
        self._source, self.read_only, self.beside_gold = task, "", False
        self._rating = self._outcome = None
        self._history = History()
        self._steps_wanted = []
        self.place, self.rail = TASK, None
        if task is not None and rating is not None and rubric is not None:
            # The store may be a moment behind what was handed over here.
            self._rating = self.saver.newest(bundle, task.id) or rating
            self._history = self._histories.take((bundle, task.id), self._rating) or History(rating.revision)
            self.active_time.take_up(bundle, self._rating, spent or self._rating.time)
            self.task = edit.corrected(task, self._rating)
            known = outcome if self._rating is rating else None
            self._outcome = known or check(rubric, task, self._rating)

    def change(self, rating: Rating, done: str, typing: object = None) -> None:
        """Put a changed rating in place. `typing` names a text field: it is saved when the rater pauses."""
        if rating == self.rating or self._refuses():
            return
        self.active_time.resume()
        self._steps_wanted = []
        self._history.add(Step(self.rating, self.place, self.rail), typing)
        self._put(rating, done, at_once=typing is None)

    def note(self, rating: Rating, done: str) -> None:
        """Put in place what is no answer, and so is not undone."""
        if rating != self.rating and not self.read_only:
            self._put(rating, done, at_once=True)

    def undo(self) -> None:
        if self.task is not None and self.can_undo:
            self._want_step("undo")

    def redo(self) -> None:
        if self.task is not None and self.can_redo:
            self._want_step("redo")

    @property
    def earlier(self) -> int:
        """The last revision of before this sitting, where it is not known yet what was done until then; else 0."""
        return self._history.earlier

    def know_earlier(self, trail: Trail | None) -> None:
        """What was done to this task before this sitting; `None` where that can't be read now."""
        wanted, self._steps_wanted = self._steps_wanted, []
        if trail is None or not self.earlier:
            return
        self._history.reach_back(trail, self.present)
        for done in wanted:
            self._want_step(done)
        self.earlier_known.emit()

    def pause_typing(self) -> None:
        """A field was left: what was typed is saved, and what is typed next is a step of its own."""
        self._history.pause()
        self.flush()

    def flush(self) -> None:
        """Hand over what the saver does not have yet."""
        self._pause.stop()
        if self._not_submitted and self._source is not None and self.rubric is not None:
            done, self._not_submitted = tuple(dict.fromkeys(self._not_submitted)), []
            self.saver.submit(Unsaved(self.rubric, self.bundle, self._source, self.rating, done))

    def count_here(self) -> None:
        """Count the time for the target at hand."""
        self.active_time.move((self.bundle, self.task.id, self.place.target) if self.task is not None else None)

    def seconds_here(self) -> float:
        """Active seconds on the target at hand."""
        if self.task is None or self.place.target is None:
            return 0.0
        spot = (self.bundle, self.task.id, self.place.target)
        return self.rating.time.targets.get(self.place.target, 0) + self.active_time.waiting(spot)

    def settle(self) -> None:
        """Hook: put place and rail where the rating still has them."""

    def _refuses(self) -> bool:
        if self.read_only:
            self.hinted.emit(self.read_only)
        return bool(self.read_only)

    def _want_step(self, done: str) -> None:
        history = self._history
        if done == "undo" and history.knows_undo:
            self._step(history.undo(self.rating), done)
        elif done == "redo" and history.knows_redo:
            self._step(history.redo(self.rating), done)
        elif history.earlier:
            self._steps_wanted.append(done)
            self.earlier_wanted.emit()

    def _step(self, step: Step, done: str) -> None:
        rating = self._as_of_now(step.rating)
        if step.place is not None:
            self.place, self.rail = step.place, step.rail
        else:
            self._stand_at(differences(self.rating, rating))
        self._put(rating, done, at_once=True)
        self.count_here()

    def _as_of_now(self, rating: Rating) -> Rating:
        """An earlier state as it would stand here. Time and what was opened are no answers: they are not taken back."""
        now = self.present
        rating = replace(rating, rater=now.rater, rubric=now.rubric, time=now.time, links_opened=now.links_opened)
        return edit.with_opened_as_in(rating, now)

    def _stand_at(self, changed: Sequence[Difference]) -> None:
        """Go to the first thing that changed."""
        if not changed or self.task is None:
            return
        first = changed[0].place
        target = self.task.target(first.target) if first.target is not None else None
        self.place = Place(target.response if target is not None else first.response, first.target, first.claim)
        self.rail = changed[0].question or None

    def _put(self, rating: Rating, done: str, *, at_once: bool) -> None:
        assert self.rubric is not None
        assert self.task is not None
        assert self._source is not None
        before = self.place, self.rail
        moved = rating.borders != self.rating.borders
        self._rating = self.active_time.added_to(rating, self.bundle)
        if moved:
            self.task = edit.corrected(self._source, self._rating)
        self._outcome = check(self.rubric, self.task, self._rating)
        if self._rating.status == "complete" and self._outcome.blocking:
            self._rating = replace(self._rating, status="incomplete")
        self._not_submitted.append(done)
        self.settle()
        # Before the views: it is on its way to the disk while they show it.
        if at_once:
            self.flush()
        else:
            self._pause.start()
        if moved:
            self.borders_changed.emit()
        self.rating_changed.emit()
        if (self.place, self.rail) != before or done in ("undo", "redo"):
            self.place_changed.emit()
