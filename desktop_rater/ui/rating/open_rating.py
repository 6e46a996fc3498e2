"""The open task with its rating, as views read it: place, proposed claims, selected targets, and undo."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_rater.format import edit
from desktop_rater.format.edit import differences
from desktop_rater.format.rating import Claim, Evidence, Rating
from desktop_rater.format.task import Comment, Target, Task
from desktop_rater.format.values import Place
from desktop_rater.operations.rating.history import UndoTrail
from desktop_rater.rubric import CheckOutcome, Rubric
from desktop_rater.rubric.check import excess_of_rating
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.rating_state import (
    Navigation,
    RatingState,
    ReadingProgress,
    TaskKey,
    UndoHistories,
    UndoHistory,
    UndoStep,
    claim_in_words,
)
from desktop_rater.ui.rating.task_stops import FormQuestion, TargetState

ProposalSource = Literal["bundle", "rule", "model"]


class ClaimProposals:
    """Proposals for the targets of the open task that are neither confirmed nor dismissed.

    A confirmed proposal keeps its id as a claim. `current` is the proposal that the rater looks at. What is dismissed,
    or split by rule or by a model, is forgotten when the task is left.
    """

    def __init__(self) -> None:
        self.current: str | None = None
        self._requested: set[str] = set()
        self._by_rule: dict[tuple[str, int | None, int | None], tuple[Claim, ...]] = {}
        self._by_model: dict[tuple[str, int | None, int | None], tuple[Claim, ...]] = {}  # instead of all others
        self._dismissed: set[tuple[str, str]] = set()
        self._confirmed: tuple[RatingState, str, RatingState] | None = None  # with this proposal

    def open_at(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Return the open proposals for the target of a place."""
        target = _target(state, place)
        if target is None:
            return ()
        recorded = {claim.id for claim in state.claims(place)}
        return tuple(
            claim
            for claim in self._proposed(state, target)
            if claim.id not in recorded and (target.id, claim.id) not in self._dismissed
        )

    def rows(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Return claims and open proposals, in the order of the proposals."""
        return self._with_claims(state, place, {claim.id for claim in self.open_at(state, place)})

    def confirmed(self, state: RatingState, place: Place, ids: Collection[str], words: str = "") -> Rating:
        """Return the rating with proposals recorded as claims, in `words` if there are any."""
        assert place.target is not None, "only targets have claims"
        claims = self._with_claims(state, place, ids)
        claims = tuple(replace(claim, text=words) if words and claim.id in ids else claim for claim in claims)
        return edit.with_claims(state.rating, place.target, claims)

    def questions(self, state: RatingState, place: Place) -> tuple[FormQuestion, ...]:
        """Return the questions that the proposal at hand brings when it is confirmed; empty without one."""
        claim = self.current
        if claim is None or not any(proposal.id == claim for proposal in self.open_at(state, place)):
            return ()
        if self._confirmed is None or self._confirmed[:2] != (state, claim):
            rating = self.confirmed(state, place, [claim])
            too_many = excess_of_rating(state.rubric, state.task, rating)
            self._confirmed = state, claim, state if too_many else state.with_rating(rating)
        return self._confirmed[2].questions(Place(place.response, place.target, claim))

    def source(self, state: RatingState, place: Place) -> ProposalSource:
        target = _target(state, place)
        if target is not None and (target.id, target.start, target.end) in self._by_model:
            return "model"
        return "bundle" if target is not None and bundle_claims(state, target) else "rule"

    def offered(self, state: RatingState, place: Place) -> int:
        """Return the number of claims that a split by rule would propose for a target that is not split."""
        target = _target(state, place)
        if target is None or state.claims(place) or self.open_at(state, place):
            return 0
        return len(bundle_claims(state, target) or rule_claims(state, target))

    def is_splittable(self, state: RatingState, place: Place) -> bool:
        """Return whether a split of a target without claims is proposed, or would be."""
        return not state.claims(place) and bool(self.open_at(state, place) or self.offered(state, place) > 1)

    def split(self, state: RatingState, place: Place) -> tuple[Claim, ...]:
        """Propose a split of the target, also one that was dismissed; return the open proposals."""
        target = _target(state, place)
        if target is None:
            return ()
        self._undismiss(target)
        self._requested.add(target.id)
        self._by_rule[target.id, target.start, target.end] = by_rule = rule_claims(state, target)
        if by_rule or bundle_claims(state, target):
            self._by_model.pop((target.id, target.start, target.end), None)
        return self.open_at(state, place)

    def propose(self, state: RatingState, target: Target, claims: Collection[Claim]) -> None:
        """Propose the claims of a model for a target without any, instead of those of the bundle or by rule."""
        self._undismiss(target)
        ids = [claim.id for claim in bundle_claims(state, target)]
        proposed = []
        for claim in claims:
            ids.append(edit.new_id("c", ids))  # the bundle's claims keep their ids, and can be proposed again
            proposed.append(replace(claim, id=ids[-1]))
        self._by_model[target.id, target.start, target.end] = tuple(proposed)
        self.current = None

    def _undismiss(self, target: Target) -> None:
        self._dismissed = {(name, claim) for name, claim in self._dismissed if name != target.id}

    def dismiss(self, place: Place, claim: str) -> None:
        self._dismissed.add((place.target or "", claim))
        self.current = None

    def restore(self, place: Place, claim: str) -> None:
        """Propose a dismissed claim again."""
        self._dismissed.discard((place.target or "", claim))
        self.current = claim

    def as_proposed(self, state: RatingState, place: Place, claim: Claim) -> str:
        """Return the words of a claim as they were proposed, else those of its spans."""
        target = _target(state, place)
        response = state.task.response(place.response or "")
        if target is None or response is None:
            return ""
        words = next((other.text for other in self._proposed(state, target) if other.id == claim.id), "")
        return words or claim_in_words(claim.id, response, claim.ranges_in(response.text)).text

    def _proposed(self, state: RatingState, target: Target) -> tuple[Claim, ...]:
        """Return all proposals; a rating that is complete has none of the bundle's, unless they are requested."""
        if by_model := self._by_model.get((target.id, target.start, target.end)):
            return by_model
        claims = bundle_claims(state, target)
        if claims:
            return claims if state.rating.status != "complete" or target.id in self._requested else ()
        return self._by_rule.get((target.id, target.start, target.end), ())

    def _with_claims(self, state: RatingState, place: Place, ids: Collection[str]) -> tuple[Claim, ...]:
        target = _target(state, place)
        claims = {claim.id: claim for claim in state.claims(place)}
        proposed = self._proposed(state, target) if target is not None else ()
        rows = [claims.pop(claim.id, claim) for claim in proposed if claim.id in claims or claim.id in ids]
        return (*rows, *claims.values())


def _target(state: RatingState, place: Place) -> Target | None:
    """Return the target of a place, if claims of it can be recorded."""
    accepted = task_stops.place_path(task_stops.stop_of(place)) in state.outcome.claims
    return state.task.target(place.target) if accepted and place.target is not None else None


def bundle_claims(state: RatingState, target: Target) -> tuple[Claim, ...]:
    """Return the claims that the bundle suggests for a target, without answers and blank ones."""
    suggested = state.task.suggestions.claims.get(target.id, ()) if state.task.suggestions is not None else ()
    return tuple(
        replace(claim, text=text, answers={})
        for claim in suggested
        if (text := claim.text.strip() or edit.words_of_spans(claim.spans).strip())
    )


def rule_claims(state: RatingState, target: Target) -> tuple[Claim, ...]:
    """Return the claims of a target by rule, except for recorded ones; empty where no rule applies."""
    from desktop_rater.text.claim_split import split_claims  # noqa: PLC0415 - only when it is used

    response = state.task.response(target.response)
    if response is None or target.start is None or target.end is None:
        return ()
    recorded = state.rating.claims.get(target.id, ())
    known = {claim.ranges for claim in recorded}
    ids = [claim.id for claim in recorded]
    claims = []
    for ranges in split_claims(response.text, target.start, target.end):
        if ranges not in known:
            ids.append(edit.new_id("c", ids))
            claims.append(claim_in_words(ids[-1], response, ranges))
    return tuple(claims)


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_LIST_LINE = re.compile(r"[ \t]{2,}\S|[ \t]*(?:[-*+•‣◦–]|\d{1,9}[.)])[ \t]")  # an item, or a further line of it


class TargetSelection:
    """The selected targets; none while each target is answered by itself.

    A range goes from its anchor to its moving `end`; `targets` are in no order.
    """

    def __init__(self) -> None:
        self.targets: frozenset[str] = frozenset()
        self.end: str | None = None
        self._anchor: str | None = None

    def __len__(self) -> int:
        return len(self.targets)

    def clear(self) -> None:
        self.targets, self.end, self._anchor = frozenset(), None, None

    def extend_to(self, order: Sequence[str], here: str, target: str) -> None:
        """Select the range from the anchor, which is `here` at first, to a target."""
        anchor = self._anchor if self._anchor in order else here
        first, last = sorted((order.index(anchor), order.index(target)))
        self._set(order[first : last + 1])
        self._anchor, self.end = anchor, target

    def switch(self, here: str, target: str) -> None:
        """Select a target besides the others, or leave it out."""
        self._set({here, *self.targets} ^ {target} if target != here else self.targets)
        self._anchor = self.end = target

    def select(self, targets: Iterable[str]) -> None:
        self._set(targets)
        self._anchor = self.end = None

    def leave_out(self, targets: Iterable[str]) -> None:
        self._set(self.targets.difference(targets))

    def _set(self, targets: Iterable[str]) -> None:
        chosen = frozenset(targets)
        self.targets = chosen if len(chosen) > 1 else frozenset()


def end_of_block(task: Task, order: Sequence[str], target: str, direction: int) -> str:
    """Return the last target (or the first, backwards) of the table, list or paragraph that a target is in.

    At the end of its block that is the last target of its response. `order` are the targets as they are rated.
    """
    start = reached = task.target(target)
    response = task.response(start.response) if start is not None else None
    if start is None or reached is None or response is None:
        return target
    index = order.index(target)
    names = order[index + 1 :] if direction > 0 else order[:index][::-1]
    way = [other for name in names if (other := task.target(name)) is not None and other.response == response.id]
    for following in way:
        first, second = (reached, following) if direction > 0 else (following, reached)
        apart = _BLANK_LINE.search(response.text, first.end or 0, second.start or 0)
        if apart and not all(_is_in_list(response.text, part.start or 0) for part in (first, second)):
            break
        reached = following
    return way[-1].id if reached is start and way else reached.id


def _is_in_list(text: str, offset: int) -> bool:
    """Return whether the line of an offset belongs to an item of a list, whose items may be blank lines apart."""
    return _LIST_LINE.match(text, text.rfind("\n", 0, offset) + 1) is not None


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
