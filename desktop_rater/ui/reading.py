"""What the rater is reading: the steps of a task, of which some ask nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.ui import moves, steps
from desktop_rater.ui.history.looking_back import LookingBack

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.rubric import Outcome
    from desktop_rater.ui.steps import State, WorkStep


class Reading(LookingBack):
    """What is read has no answer that tells; what was passed in this sitting does."""

    _reading: str | None = None
    _passed: frozenset[str] = frozenset()
    _ordered: tuple[Outcome, tuple[WorkStep, ...]] | None = None

    @property
    def steps(self) -> tuple[WorkStep, ...]:
        """The order of work of this task; empty where it has none."""
        if self.rubric is None or self.task is None:
            return ()
        # Several views ask after each answer; an outcome is made anew for each.
        if self._ordered is None or self._ordered[0] is not self.outcome:
            self._ordered = self.outcome, steps.steps_of(self.rubric, self.task, self.outcome)
        return self._ordered[1]

    @property
    def step_states(self) -> tuple[State, ...]:
        """How each of the steps stands."""
        if self.rubric is None or self.task is None:
            return ()
        return steps.states_of(self.steps, self.rubric, self.outcome, self._passed)

    @property
    def step(self) -> WorkStep | None:
        """The step where the rater is."""
        return steps.current_of(self.steps, self._reading, moves.stop_of(self.place), self.rail)

    @property
    def reading(self) -> str:
        """The id of what is being read, where it is something that asks nothing; else empty."""
        step = self.step
        return step.id if step is not None and step.reads else ""

    def read(self, step: str | None) -> None:
        """Read something else; what was read until now is passed."""
        if self._reading is not None and self._reading != step:
            self._passed |= {self._reading}
        self._reading = step

    def begin_reading(self, *, fresh: bool) -> None:
        """What is to be read where a task is taken up; where it is not `fresh`, nothing."""
        self._reading, self._passed = None, frozenset()
        if fresh:
            stop, states = moves.stop_of(self.place), self.step_states
            prompt = steps.reading_at(self.steps, states, stop, from_start=True)
            self._reading = prompt or steps.reading_at(self.steps, states, stop)
        else:
            self._pass_until_here()

    def resume_reading(self, step: str) -> None:
        """Go on reading where the rater was before."""
        if step and step in [one.id for one in self.steps]:
            self._reading = step
            self._pass_until_here()
            self.place_changed.emit()

    def _pass_until_here(self) -> None:
        here, known = self.step, self.steps
        until = known.index(here) if here is not None else 0
        self._passed = frozenset(step.id for step in known[:until] if step.reads)

    def reading_at(self, place: Place) -> str | None:
        """What is to be read first where the rater goes; nothing where the rater is there already."""
        stop = moves.stop_of(place)
        if stop == moves.stop_of(self.place):
            return None
        return steps.reading_at(self.steps, self.step_states, stop)

    def onward(self) -> WorkStep | None:
        """What comes after what is being read."""
        step = self.step
        if step is None or not step.reads or self.rating.status == "skipped":
            return None
        return steps.onward_from(self.steps, self.step_states, step)
