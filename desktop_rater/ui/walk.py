"""Where the rater stands in a task, what stands there, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import Signal

from desktop_rater.model.place import Place
from desktop_rater.rubric import suggestions
from desktop_rater.ui import labels, moves
from desktop_rater.ui.reading import Reading
from desktop_rater.ui.returned import places

if TYPE_CHECKING:
    from desktop_rater.model.rating import Claim, Evidence, Rating, TimeSpent
    from desktop_rater.model.returned import Comment
    from desktop_rater.model.task import Target, Task
    from desktop_rater.rubric import Outcome, Rubric
    from desktop_rater.ui.moves import Shown
    from desktop_rater.ui.steps import WorkStep


class Walk(Reading):
    """One place and one question are current; only going on leaves the target."""

    finished = Signal()  # the rater goes on to the next task
    refused = Signal()  # the rater wanted to, and something blocks

    _asked_before: tuple[Place, frozenset[str]] = Place(), frozenset()
    _stated: tuple[Outcome, dict[Place, labels.TargetState]] | None = None
    _visited: frozenset[Place] = frozenset()  # stops of this task in this sitting

    # -- what stands there

    @property
    def stops(self) -> tuple[Place, ...]:
        """What is rated one after the other in this task."""
        if self.rubric is None or self.task is None:
            return ()
        return moves.stops(self.rubric, self.task, self.outcome)

    @property
    def stop(self) -> Place:
        """The target, response or task where the rater stands."""
        return moves.stop_of(self.place)

    @property
    def target(self) -> Target | None:
        """The target at hand."""
        return self.task.target(self.place.target) if self.task is not None and self.place.target is not None else None

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The questions of the form."""
        return moves.shown_at(self.rubric, self.outcome, self.place) if self.rubric is not None else ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims recorded for the target at hand."""
        return moves.claims_at(self.outcome, self.rating, self.place.target) if self.task is not None else ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence of the stop; where a claim is current, its own and what names no claim that is there."""
        if self.task is None:
            return ()
        where = moves.where_of(self.stop)
        known = {claim.id for claim in self.claims}
        here = (one for one in self.rating.evidence if f"{where}/evidence/{one.id}" in self.outcome.kept)
        return tuple(one for one in here if not known or one.claim == self.place.claim or one.claim not in known)

    @property
    def takes_evidence(self) -> bool:
        return self.task is not None and moves.where_of(self.stop) in self.outcome.evidence

    @property
    def takes_claims(self) -> bool:
        return self.task is not None and moves.where_of(self.stop) in self.outcome.claims

    @property
    def states(self) -> dict[Place, labels.TargetState]:
        """How each stop stands in the rater's own eyes."""
        if self.rubric is None or self.task is None:
            return {}
        # Several views ask after each answer; an outcome is made anew for each.
        if self._stated is None or self._stated[0] is not self.outcome:
            found = labels.all_states(self.rubric, self.task, self.rating, self.outcome, self.stops)
            self._stated = self.outcome, found
        return self._stated[1]

    @property
    def comments(self) -> dict[Place, tuple[Comment, ...]]:
        """What the lead says to the stops of a task that was sent back."""
        if self.task is None or self.task.returned is None:
            return {}
        return places.comments_at(self.task, self.stops)

    def label_of(self, target: str) -> labels.Label | None:
        """The label that the rater gave a target: its question and the choice."""
        stop = next((one for one in self.stops if one.target == target), None)
        if self.rubric is None or stop is None:
            return None
        return labels.own_label(self.rubric, self.rating, self.outcome, stop)

    def suggested(self, place: Place) -> dict[str, Any]:
        """What the bundle suggests at a place and the rater has neither confirmed nor replaced."""
        if self.rubric is None or self.task is None:
            return {}
        return suggestions.open_at(self.rubric, self.task, self.rating, self.outcome, place)

    @property
    def suggests_elsewhere(self) -> bool:
        """Whether something is suggested in this task that is not for the place at hand."""
        if self.task is None or self.task.suggestions is None:
            return False
        return any(self.suggested(one) for one in suggestions.places_of(self.task) if one != self.stop)

    # -- where the rater stands

    def open(  # noqa: PLR0913 - all that is known of what is opened
        self,
        bundle: str,
        task: Task,
        rating: Rating,
        rubric: Rubric,
        *,
        at: Place | None = None,
        rail: str | None = None,
        spent: TimeSpent | None = None,
        read_only: str = "",
        outcome: Outcome | None = None,
    ) -> None:
        """Take up a task, where the rater was or at the first place where something is open.

        `spent` is all the time that is known to be spent on it, where that may be more than its rating says.
        `read_only` says why nothing can be changed, where it is so. `outcome` is what the rubric says of `rating`,
        where that is known.
        """
        self.take(bundle, task, rating, rubric, spent, outcome)
        self.read_only = read_only
        stops, comments = self.stops, self.comments
        blocked = moves.blocked(self.outcome)
        first = comments if not self.rating.revision else ()  # what was sent back is whole: it begins at what was said
        self.place = (*first, *(one for one in stops if one in blocked), *stops)[0]
        if at is not None and moves.stop_of(at) in stops:
            self.place, self.rail = at, rail
        self._visited = frozenset({self.stop})
        self.settle()
        self.begin_reading(fresh=at is None and not comments)
        self.count_here()
        self.opened.emit()

    def close(self) -> None:
        """Put the task away."""
        self.take("", None, None, None)
        self.count_here()
        self.opened.emit()

    def go_to(self, place: Place, question: str | None = None, *, step: str = "") -> None:
        """Stand at a place, the rail at a question there or at the first open one; `step` is what is read there."""
        if self.task is None:
            return
        self.pause_typing()
        self.read(step or (self.reading_at(place) if question is None else None))
        known = moves.stop_of(place) in self.stops
        self.place = Place(place.response, place.target, place.claim) if known else self._nearest(place)
        self._visited |= {self.stop}
        self.rail = question
        self.settle()
        self.count_here()
        self.place_changed.emit()

    def go_to_step(self, step: WorkStep) -> None:
        """Stand at a step of the task: read it, or answer what it asks."""
        if self.task is None:
            return
        asked = self.outcome.asked.get(moves.where_of(step.place), ())
        here = [one for one in asked if one.question.id in step.questions]
        first = next((one for one in here if one.required and one.value is None), next(iter(here), None))
        question = first.question.id if first is not None else None
        # The prompt stands above everything: reading it moves nothing else.
        place = self.place if step.kind == "prompt" else step.place
        self.go_to(place, question, step=step.id if step.reads else "")

    def set_rail(self, question: str) -> None:
        """Make a question of the form the current one."""
        if any(one.question.id == question for one in self.shown) and (question != self.rail or self.reading):
            self.read(None)
            self.rail = question
            self.place_changed.emit()

    def move_rail(self, by: int) -> None:
        """The rail to the next or the previous question."""
        names = [one.question.id for one in self.shown]
        if names:
            at = names.index(self.rail) + by if self.rail in names else 0
            self.set_rail(names[max(0, min(at, len(names) - 1))])

    def move(self, by: int) -> None:
        """To the next or the previous target, response or task."""
        at = self.stops.index(self.stop) + by if self.task is not None else -1
        if 0 <= at < len(self.stops):
            self.go_to(self.stops[at])

    def move_claim(self, by: int) -> None:
        """To the next or the previous claim of the target."""
        names = [claim.id for claim in self.claims] if self.task is not None else []
        at = names.index(self.place.claim) + by if self.place.claim in names else -1
        if 0 <= at < len(names):
            self.go_to(Place(self.place.response, self.place.target, names[at]))

    def go_on(self) -> None:
        """To the next open question, then the next claim and target that are not finished, then the next task."""
        if self.task is None:
            return
        self.pause_typing()
        onward = self.onward()
        self.read(None)
        if onward is not None:
            self.go_to_step(onward)
            return
        here = moves.next_open(self.shown, self.rail)
        if here is not None:
            self.rail = here.question.id
            self.place_changed.emit()
            return
        place = self._next_claim() or self._next_stop()
        if place is not None:
            self.go_to(place, self._blocking_at(place))
        else:
            self.finish()

    def finish(self) -> None:
        """Done with this task, unless something blocks."""
        if self.task is None:
            return
        self.pause_typing()
        if self.rating.status != "skipped":
            if self.outcome.blocking:
                self.refused.emit()
                return
            if not self.read_only:
                self.change(replace(self.rating, status="complete"), "finish")
        self.finished.emit()

    @property
    def is_last(self) -> bool:
        """Whether nothing is left to do in this task but to finish it."""
        return not any(one.open for one in self.shown) and (self._next_claim() or self._next_stop()) is None

    def _next_claim(self) -> Place | None:
        names = [claim.id for claim in self.claims]
        at = names.index(self.place.claim) + 1 if self.place.claim in names else 0
        for name in (*names[at:], *names[:at]):
            there = Place(self.place.response, self.place.target, name)
            asked = self.outcome.asked.get(moves.where_of(there), ())
            if name != self.place.claim and any(one.required and one.value is None for one in asked):
                return there
        return None

    def _next_stop(self) -> Place | None:
        stops = self.stops
        # What the lead said is read before the task is done, whatever comes of it.
        waits = {*moves.blocked(self.outcome), *(stop for stop in self.comments if stop not in self._visited)}
        at = stops.index(self.stop)
        return next((one for one in (*stops[at + 1 :], *stops[:at]) if one in waits), None)

    def _blocking_at(self, place: Place) -> str | None:
        """The question that blocks at a place where every question has its answer."""
        problems = [one for one in self.outcome.problems if one.level == "block" and one.where == moves.where_of(place)]
        if self.rubric is None or any(moves.is_open(one) for one in problems):
            return None
        about = (moves.concerns(self.rubric, one) for one in problems)
        return next((name for name in about if name is not None), None)

    def _nearest(self, place: Place) -> Place:
        response = Place(response=place.response)
        return response if response in self.stops else self.stops[-1]

    def settle(self) -> None:
        stops = self.stops
        if self.stop not in stops:
            self.place = self._nearest(self.place)
        names = [claim.id for claim in self.claims]
        if self.place.claim not in names:
            self.place = Place(self.place.response, self.place.target, names[0] if names else None)
        shown = self.shown
        if not any(one.question.id == self.rail for one in shown):
            self.rail = self._first_question()
        else:
            self._back_to_fresh(shown)
        self._asked_before = self.place, frozenset(one.question.id for one in shown)

    def _back_to_fresh(self, shown: tuple[Shown, ...]) -> None:
        """What has just come up above the rail is answered first, as evidence may bring up a question."""
        place, before = self._asked_before
        names = [one.question.id for one in shown]
        at = names.index(self.rail or "")
        if place == self.place and shown[at].open:
            fresh = (one.question.id for one in shown[:at] if one.open and one.question.id not in before)
            self.rail = next(fresh, self.rail)

    def _first_question(self) -> str | None:
        """What is open, else what has to be answered, else what can be: a digit must not hit what nobody looks at."""
        required = next((one for one in self.shown if one.asked.required), None)
        first = moves.next_open(self.shown, None) or required or next(iter(self.shown), None)
        return first.question.id if first is not None else None
