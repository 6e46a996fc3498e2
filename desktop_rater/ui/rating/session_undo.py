"""Undo and redo in the open task, and on into the task that was changed before it."""

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.difference import differences
from desktop_rater.model.rating import Rating
from desktop_rater.ui.rating.open_rating import OpenRating
from desktop_rater.ui.rating.rating_state import TaskKey, UndoHistories, UndoHistory, UndoStep
from desktop_rater.work.rating.history import UndoTrail


class UndoableRating(OpenRating):
    """The open task with its undo steps, and those of the tasks changed before it in this sitting."""

    earlier_wanted = Signal()  # an undo needs the changes of before this sitting, which are not loaded yet
    earlier_known = Signal()  # they are loaded now
    task_wanted = Signal(str)  # a step of another task of the bundle: it has to be opened
    stepped_elsewhere = Signal(str, str)  # "undo" or "redo", and the task in which the step was made

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_history = UndoHistory()
        self.opens_other_tasks = False  # whether somebody opens a task when `task_wanted` is emitted
        self._undo_histories = UndoHistories()
        self._finishing = self._follows_finished = False  # no change since the task before was finished
        self._step_elsewhere: tuple[TaskKey, str] | None = None  # the task that is being opened for a step

    @property
    def can_undo(self) -> bool:
        return self._current is not None and (self._can_step_here("undo") or self._task_to_step_in("undo") is not None)

    @property
    def can_redo(self) -> bool:
        return self._current is not None and (self._can_step_here("redo") or self._task_to_step_in("redo") is not None)

    def undo(self) -> None:
        self._step("undo")

    def redo(self) -> None:
        self._step("redo")

    def add_earlier_changes(self, trail: UndoTrail | None) -> None:
        """Add the changes of before this sitting; `None` if they can't be read now."""
        history = self.undo_history
        pending, history.pending = history.pending, []
        if trail is None or not history.earlier or self._current is None:
            return
        history.add_earlier_steps(trail, self._current.rating)
        for action in pending:
            self._request_step(action)
        self.earlier_known.emit()

    def _can_step_here(self, action: str) -> bool:
        history = self.undo_history
        return not self.read_only and (history.can_undo if action == "undo" else history.can_redo)

    def _task_to_step_in(self, action: str) -> TaskKey | None:
        """Return the other task in which the next step is made, if there is one."""
        if self._current is None or not self.opens_other_tasks or self.shows_earlier_state:
            return None
        if action == "undo" and self._follows_finished and not self.undo_history.has_undo_step:
            return self._undo_histories.last_changed(self.bundle, action)
        return None if self._can_step_here(action) else self._undo_histories.last_changed(self.bundle, action)

    def _step(self, action: str) -> None:
        if self._current is None:
            return
        other = self._task_to_step_in(action)
        if other is not None:
            self._step_elsewhere = other, action
            self.task_wanted.emit(other[1])
        elif self._can_step_here(action):
            self._request_step(action)

    def _finish_step_elsewhere(self) -> None:
        """Make the step for which the task has just been opened."""
        wanted, self._step_elsewhere = self._step_elsewhere, None
        if wanted is not None and self._current is not None and wanted[0] == self._current.key:
            self._request_step(wanted[1])
            self.stepped_elsewhere.emit(wanted[1], wanted[0][1])

    def _request_step(self, action: str) -> None:
        history = self.undo_history
        if action == "undo" and history.has_undo_step:
            self._apply_step(history.undo(self.rating), action)
        elif action == "redo" and history.has_redo_step:
            self._apply_step(history.redo(self.rating), action)
        elif history.earlier:
            history.pending.append(action)
            self.earlier_wanted.emit()

    def _apply_step(self, step: UndoStep, action: str) -> None:
        state = self._open_state
        rating = step.research.applied_to(state.rebased(step.rating), back=action == "undo")
        if step.place is not None:
            self.navigation.place, self.navigation.question = step.place, step.question
        else:
            self.navigation.go_to_change(state, differences(state.rating, rating))
        self._apply(rating, action, at_once=True)
        self._start_timing_here()

    def _apply(self, rating: Rating, action: str, *, at_once: bool) -> None:
        """Show and save a changed rating (overridden by the session)."""
        raise NotImplementedError

    def _start_timing_here(self) -> None:
        """Count the time for the current place from now on (overridden by the session)."""
        raise NotImplementedError
