"""The open task with its rating, and the rater's place in it."""

from typing import Any

from PySide6.QtCore import QObject

from desktop_rater.model.rating import Claim, Evidence, Rating
from desktop_rater.model.task import Comment, Target, Task
from desktop_rater.model.values import Place
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.claims.proposals import ClaimProposals
from desktop_rater.ui.rating.rating_state import Navigation, RatingState, ReadingProgress
from desktop_rater.ui.rating.repeat.selection import TargetSelection
from desktop_rater.ui.rating.target_state import TargetState
from desktop_rater.ui.rating.task_stops import FormQuestion


class OpenRating(QObject):
    """State of the rating that is shown, and of the current place, as views read it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lock_reason = ""  # why nothing can be changed, apart from an earlier state being shown
        self.shows_gold = False  # the gold answer of a practice task replaces its questions
        self.shows_research = False  # the research record replaces the questions
        self._current: RatingState | None = None
        self._earlier: RatingState | None = None
        self._earlier_reason = ""
        self.navigation = Navigation()
        self.proposals = ClaimProposals()
        self.selection = TargetSelection()
        self.reading = ReadingProgress()

    # -- the task

    @property
    def state(self) -> RatingState | None:
        """Return the state that is shown: the current one, or an earlier one."""
        return self._earlier or self._current

    @property
    def _open_state(self) -> RatingState:
        state = self._earlier or self._current
        assert state is not None, "no task is open"
        return state

    @property
    def bundle(self) -> str:
        return self._current.bundle if self._current is not None else ""

    @property
    def task(self) -> Task | None:
        state = self._earlier or self._current
        return state.task if state is not None else None

    @property
    def rubric(self) -> Rubric | None:
        return self._current.rubric if self._current is not None else None

    @property
    def rating(self) -> Rating:
        return self._open_state.rating

    @property
    def outcome(self) -> CheckOutcome:
        return self._open_state.outcome

    @property
    def read_only(self) -> str:
        """Return why nothing can be changed; empty if it can."""
        return self._earlier_reason if self._earlier is not None else self.lock_reason

    # -- the current place

    @property
    def place(self) -> Place:
        return self.navigation.place

    @property
    def stop(self) -> Place:
        return task_stops.stop_of(self.navigation.place)

    @property
    def current_question(self) -> str | None:
        return self.navigation.question

    @property
    def stops(self) -> tuple[Place, ...]:
        return self.state.stops if self.state is not None else ()

    @property
    def target_order(self) -> tuple[str, ...]:
        """Return the targets in the order in which they are rated."""
        return tuple(stop.target for stop in self.stops if stop.target is not None)

    @property
    def target(self) -> Target | None:
        return self.task.target(self.place.target) if self.task is not None and self.place.target is not None else None

    @property
    def form_questions(self) -> tuple[FormQuestion, ...]:
        state, place = self._earlier or self._current, self.navigation.place
        if state is None:
            return ()
        return self.proposals.questions(state, place) or state.questions(place)

    @property
    def claims(self) -> tuple[Claim, ...]:
        state = self._earlier or self._current
        return state.claims(self.navigation.place) if state is not None else ()

    @property
    def claim_rows(self) -> tuple[Claim, ...]:
        """Return the claims of the current target, and those that are proposed."""
        state = self._earlier or self._current
        return self.proposals.rows(state, self.navigation.place) if state is not None else ()

    @property
    def open_proposals(self) -> tuple[Claim, ...]:
        """Return the proposed claims of the current target."""
        state = self._earlier or self._current
        return self.proposals.open_at(state, self.navigation.place) if state is not None else ()

    @property
    def proposal(self) -> Claim | None:
        """Return the proposed claim that the rater looks at."""
        current = self.proposals.current
        return next((claim for claim in self.open_proposals if claim.id == current), None) if current else None

    @property
    def claim_at_hand(self) -> Claim | None:
        """Return the proposed claim that the rater looks at, else the current claim."""
        return self.proposal or next((claim for claim in self.claims if claim.id == self.place.claim), None)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.state.evidence(self.place) if self.state is not None else ()

    @property
    def evidence_here(self) -> tuple[Evidence, ...]:
        """Return the evidence that speaks of the current claim, or all at a place without claims."""
        claim = self.place.claim
        return tuple(piece for piece in self.evidence if claim is None or claim in piece.claim_ids)

    @property
    def accepts_evidence(self) -> bool:
        state = self._earlier or self._current
        return state is not None and task_stops.place_path(self.navigation.stop) in state.outcome.evidence

    @property
    def accepts_claims(self) -> bool:
        state = self._earlier or self._current
        return state is not None and task_stops.place_path(self.navigation.stop) in state.outcome.claims

    @property
    def target_states(self) -> dict[Place, TargetState]:
        state = self._earlier or self._current
        return state.target_states if state is not None else {}

    @property
    def comments(self) -> dict[Place, tuple[Comment, ...]]:
        return self.state.comments if self.state is not None else {}

    def suggested(self, place: Place) -> dict[str, Any]:
        return self.state.suggested(place) if self.state is not None else {}

    @property
    def reading_step(self) -> str:
        """Return the id of the current step if it is a reading step; else ""."""
        step = self.reading.step(self.state, self.navigation) if self.state is not None else None
        return step.id if step is not None and step.reads else ""

    @property
    def current_rating(self) -> Rating:
        """Return the current rating, also while an earlier state is shown."""
        assert self._current is not None, "no task is open"
        return self._current.rating

    @property
    def shows_earlier_state(self) -> bool:
        return self._earlier is not None
