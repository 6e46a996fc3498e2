"""State of the open task: its rating and what follows from it, the rater's place and reading, and the undo history."""

import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.edit import Difference, plain_rater_content
from desktop_rater.format.rating import Border, Claim, Evidence, Rating
from desktop_rater.format.rubric import Choice
from desktop_rater.format.task import Comment, Response, Target, Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.operations.rating.history import UndoTrail
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, suggest
from desktop_rater.rubric.research import ResearchEdit
from desktop_rater.text.markdown import markdown_words
from desktop_rater.text.urls import page_key
from desktop_rater.ui.rating import returned_comments, task_stops
from desktop_rater.ui.rating.task_stops import FormQuestion, StepState, WorkStep

TaskKey = tuple[str, str]  # bundle, task
MAX_TRIED_CHOICES = 9


class RatingState(Struct, frozen=True, eq=False, dict=True):
    """A task with one state of its rating, and what follows from both.

    `stored_task` is the task as stored; `task` has the borders that the rating corrects.
    """

    bundle: str
    stored_task: Task
    rubric: Rubric
    task: Task
    rating: Rating
    outcome: CheckOutcome
    # The outcome and the states before an edit, if they are known.
    before: tuple[CheckOutcome, dict[Place, task_stops.TargetState]] | None = None

    @classmethod
    def of(
        cls, bundle: str, stored_task: Task, rubric: Rubric, rating: Rating, outcome: CheckOutcome | None = None
    ) -> "RatingState":
        """Check a rating of a task, unless the `outcome` is known."""
        task = edit.with_corrected_targets(stored_task, rating)
        return cls(bundle, stored_task, rubric, task, rating, outcome or check_rating(rubric, task, rating))

    def with_rating(self, rating: Rating) -> "RatingState":
        """Return the state with another rating, which is checked."""
        task = self.task
        if rating.borders != self.rating.borders:
            task = edit.with_corrected_targets(self.stored_task, rating)
        outcome = check_rating(self.rubric, task, rating, before=self.outcome)
        before = (self.outcome, self.target_states) if "target_states" in self.__dict__ else None
        return replace(self, task=task, rating=rating, outcome=outcome, before=before)

    def rebased(self, earlier: Rating) -> Rating:
        """Return an earlier rating with what is never undone as in this one: time, opened links, and what was shown."""
        now = self.rating
        earlier = replace(earlier, rater=now.rater, rubric=now.rubric, time=now.time, links_opened=now.links_opened)
        earlier = replace(earlier, links_counted=now.links_counted, research=now.research)
        earlier = replace(earlier, suggestions=now.suggestions, precedents=now.precedents)
        return edit.with_opened_as_in(earlier, now)

    @property
    def key(self) -> TaskKey:
        return self.bundle, self.task.id

    @cached_property
    def _questions(self) -> dict[Place, tuple[FormQuestion, ...]]:
        """The questions asked for so far."""
        return {}

    @cached_property
    def stops(self) -> tuple[Place, ...]:
        """Return what is rated one after the other."""
        return task_stops.task_stops(self.rubric, self.task, self.outcome)

    @cached_property
    def target_states(self) -> dict[Place, task_stops.TargetState]:
        """Return the state of each stop, from the rater's own answers."""
        return task_stops.all_target_states(self.rubric, self.task, self.rating, self.outcome, self.stops, self.before)

    @cached_property
    def blocked_stops(self) -> frozenset[Place]:
        return task_stops.blocked_stops(self.outcome)

    @cached_property
    def still_to_do(self) -> frozenset[tuple[str, str]]:
        """Return rule and place of problems that the untouched task has too, at stops with open questions."""
        asked = task_stops.stops_with_questions(self.outcome)
        if not asked:
            return frozenset()
        untouched = check_rating(self.rubric, self.task, Rating(task=self.task.id, rater=self.rating.rater))
        early = [one for one in untouched.problems if task_stops.stop_of(untouched.places[one.where]) in asked]
        return frozenset((problem.rule, problem.where) for problem in early)

    @cached_property
    def steps(self) -> tuple[WorkStep, ...]:
        """Return the order of work; empty if there is none."""
        return task_stops.work_steps(self.rubric, self.task, self.outcome)

    @property
    def comments(self) -> dict[Place, tuple[Comment, ...]]:
        """Return the lead's comments by stop, for a task that was sent back."""
        return returned_comments.comments_by_stop(self.task, self.stops) if self.task.returned is not None else {}

    def questions(self, place: Place) -> tuple[FormQuestion, ...]:
        if place not in self._questions:
            self._questions[place] = task_stops.form_questions(self.rubric, self.outcome, place)
        return self._questions[place]

    def coming_questions(self, place: Place, current: str) -> dict[str, tuple[Choice, ...]]:
        """Return the questions of a place that only some answers to the open `current` one add, with these answers."""
        question = self.rubric.questions[current].question
        asked = {active.question.id: active.asked.value for active in self.questions(place)}
        tried = question.choices[:MAX_TRIED_CHOICES] if question.kind == "choice" and asked.get(current) is None else ()
        coming: dict[str, tuple[Choice, ...]] = {}
        for choice in tried:
            rating = edit.with_answer(self.rating, place, current, choice.id)
            outcome = check_rating(self.rubric, self.task, rating, before=self.outcome)
            for active in task_stops.form_questions(self.rubric, outcome, place):
                if (name := active.question.id) not in asked:
                    coming[name] = (*coming.get(name, ()), choice)
        return coming

    def claims(self, place: Place) -> tuple[Claim, ...]:
        """Return the claims recorded for the target of a place."""
        return task_stops.visible_claims(self.outcome, self.rating, place.target)

    def evidence(self, place: Place) -> tuple[Evidence, ...]:
        """Return the evidence of a stop, for all claims of it."""
        where = task_stops.place_path(task_stops.stop_of(place))
        return tuple(piece for piece in self.rating.evidence if f"{where}/evidence/{piece.id}" in self.outcome.kept)

    def claim_label(self, place: Place, claim: str) -> task_stops.TargetLabel | None:
        """Return the rater's label of a claim."""
        return task_stops.claim_label(self.rubric, self.outcome, Place(place.response, place.target, claim))

    def is_open_claim(self, place: Place, claim: str) -> bool:
        """Return whether a required answer about a claim is missing."""
        where = task_stops.place_path(Place(place.response, place.target, claim))
        return any(question.is_open for question in self.outcome.asked.get(where, ()))

    def suggested(self, place: Place) -> dict[str, Any]:
        """Return the bundle's suggestions at a place that are neither confirmed nor answered otherwise."""
        return suggest.open_suggestions(self.rubric, self.task, self.rating, self.outcome, place)

    def has_suggestions_elsewhere(self, stop: Place) -> bool:
        """Return whether there is a suggestion for another place of this task."""
        if self.task.suggestions is None:
            return False
        return any(self.suggested(place) for place in suggest.places_of_task(self.task) if place != stop)

    def border(self, target: Target, start: int, end: int, comment: str) -> Border | None:
        """Return other borders of a target, without blanks at the ends; `None` if nothing else is between them."""
        text = self._response_text(target)
        start, end = _trimmed(text, start, end)
        if start == end:
            return None
        before = self.rating.borders.get(target.id)
        was_start, was_end = target.start or 0, target.end or 0  # in the bundle
        if before is not None and (before.start, before.end) == (target.start, target.end):
            was_start, was_end = before.was_start, before.was_end
        return Border(
            start=start, end=end, quote=text[start:end], was_start=was_start, was_end=was_end, comment=comment
        )

    def claim(self, target: Target, start: int, end: int) -> Claim | None:
        """Return a new claim from the part of a span that is in a target; `None` if that is blank."""
        text = self._response_text(target)
        start, end = _trimmed(text, max(start, target.start or 0), min(end, target.end or 0))
        response = self.task.response(target.response or "")
        if response is None or start >= end:
            return None
        return claim_in_words(self.new_claim_id(target), response, ((start, end),))

    def new_claim_id(self, target: Target) -> str:
        """Return an unused claim id, which is none of the claims that the bundle suggests either."""
        suggested = self.task.suggestions.claims.get(target.id, ()) if self.task.suggestions is not None else ()
        return edit.new_id("c", [claim.id for claim in (*self.rating.claims.get(target.id, ()), *suggested)])

    def _response_text(self, target: Target) -> str:
        response = self.task.response(target.response)
        return response.text if response is not None else ""

    def placed_evidence(self, piece: Evidence, place: Place) -> Evidence:
        """Return evidence with its place; new evidence gets an id as well."""
        ids = [evidence.id for evidence in self.rating.evidence]
        if piece.id not in ids:
            # Evidence belongs to a target or a response, not both.
            response = place.response if place.target is None else None
            name = edit.new_id("e", ids)
            piece = replace(piece, id=name, target=place.target, response=response)
        claims = {claim.id for claim in self.claims(place)}
        if place.claim is not None and claims.isdisjoint(piece.claim_ids):
            return edit.speaking_of(piece, (place.claim,))
        return piece


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blanks at its ends; an empty one if it is blank."""
    part = text[start:end]
    blanks = len(part) - len(part.lstrip())
    return start + blanks, start + blanks + len(part.strip())


def with_opened_link(rating: Rating, url: str, when: str, *, seen: bool = True) -> Rating:
    """Record that a page was opened: as a link of the response, and in the evidence with its URL.

    A page that was not `seen` is only counted as opened; it loses that mark when it is seen.
    """
    page, links = page_key(url), rating.links_opened
    counted = tuple(link for link in rating.links_counted if page_key(link) != page)
    if not seen:
        return replace(rating, links_counted=(*counted, url), links_opened=_with_page(links, url))
    evidence = tuple(
        replace(piece, opened=when) if piece.opened is None and page_key(piece.url) == page else piece
        for piece in rating.evidence
    )
    return replace(rating, links_opened=_with_page(links, url), links_counted=counted, evidence=evidence)


def _with_page(urls: tuple[str, ...], url: str) -> tuple[str, ...]:
    return urls if page_key(url) in map(page_key, urls) else (*urls, url)


class Navigation:
    """The rater's place in a task: one place is current, and one question of the form there."""

    def __init__(self, place: Place = TASK_PLACE, question: str | None = None) -> None:
        self.place = place
        self.question = question
        self._visited = frozenset({self.stop})  # stops visited in this sitting
        self._previous_questions: tuple[Place | None, frozenset[str]] = None, frozenset()

    @classmethod
    def start(cls, state: RatingState, at: Place | None, question: str | None) -> "Navigation":
        """Start at a place, or else at the first stop with an open question."""
        stops, blocked = state.stops, state.blocked_stops
        first = state.comments if not state.rating.revision else ()  # a task sent back starts at a comment
        if at is not None and task_stops.stop_of(at) in stops:
            navigation = cls(at, question)
        else:
            navigation = cls((*first, *(stop for stop in stops if stop in blocked), *stops)[0])
        navigation.adjust(state)
        return navigation

    @property
    def stop(self) -> Place:
        """Return the current target, response or task."""
        return task_stops.stop_of(self.place)

    @property
    def position(self) -> tuple[Place, str | None]:
        return self.place, self.question

    def go_to(self, state: RatingState, place: Place, question: str | None = None) -> None:
        is_stop = task_stops.stop_of(place) in state.stops
        self.place = Place(place.response, place.target, place.claim) if is_stop else self._nearest_stop(state, place)
        self._visited |= {self.stop}
        self.question = question
        self.adjust(state)

    def go_to_change(self, state: RatingState, changed: Sequence[Difference]) -> None:
        """Go to the first change; `adjust` then follows when the changed rating is shown."""
        if not changed:
            return
        first = changed[0].place
        target = state.task.target(first.target) if first.target is not None else None
        self.place = Place(target.response if target is not None else first.response, first.target, first.claim)
        self.question = changed[0].question or None

    def adjust(self, state: RatingState) -> None:
        """Move place and question to where the rating still has them."""
        if self.stop not in state.stops:
            self.place = self._nearest_stop(state, self.place)
        names = [claim.id for claim in state.claims(self.place)]
        if self.place.claim not in names:
            self.place = Place(self.place.response, self.place.target, names[0] if names else None)
        questions = state.questions(self.place)
        if not any(question.question.id == self.question for question in questions):
            # The first open, else the first required, else the first question, which digits then answer.
            required = next((question for question in questions if question.asked.required), None)
            first = task_stops.next_open_question(questions, None) or required or next(iter(questions), None)
            self.question = first.question.id if first is not None else None
        else:
            self._focus_new_question(questions)
        self._previous_questions = self.place, frozenset(question.question.id for question in questions)

    def _focus_new_question(self, questions: tuple[FormQuestion, ...]) -> None:
        """Move back to a question that has just appeared above the current one, such as one that evidence brings up."""
        place, before = self._previous_questions
        names = [question.question.id for question in questions]
        index = names.index(self.question or "")
        if place == self.place and questions[index].open:
            fresh = (
                question.question.id
                for question in questions[:index]
                if question.open and question.question.id not in before
            )
            self.question = next(fresh, self.question)

    def next_unfinished(self, state: RatingState) -> Place | None:
        """Return the next claim or stop with something left to do."""
        return self._next_claim(state) or self._next_stop(state)

    def _next_claim(self, state: RatingState) -> Place | None:
        names = [claim.id for claim in state.claims(self.place)]
        index = names.index(self.place.claim) + 1 if self.place.claim in names else 0
        for name in (*names[index:], *names[:index]):
            place = Place(self.place.response, self.place.target, name)
            questions = state.outcome.asked.get(task_stops.place_path(place), ())
            if name != self.place.claim and any(question.is_open for question in questions):
                return place
        return None

    def _next_stop(self, state: RatingState) -> Place | None:
        # The lead's comments must be visited before the task is finished.
        waiting = {
            *state.blocked_stops,
            *(stop for stop in state.comments if stop not in self._visited),
        }
        index = state.stops.index(self.stop)
        following = (*state.stops[index + 1 :], *state.stops[:index])
        return next((stop for stop in following if stop in waiting), None)

    def _nearest_stop(self, state: RatingState, place: Place) -> Place:
        response = Place(response=place.response)
        return response if response in state.stops else state.stops[-1]


class ReadingProgress:
    """Progress of reading. A reading step has no answer; it is done once it was passed in this sitting."""

    def __init__(self) -> None:
        self._step_id: str | None = None
        self._passed: frozenset[str] = frozenset()

    def states(self, state: RatingState) -> tuple[StepState, ...]:
        return task_stops.work_step_states(state.steps, state.rubric, state.outcome, self._passed)

    def step(self, state: RatingState, navigation: Navigation) -> WorkStep | None:
        return task_stops.current_work_step(state.steps, self._step_id, navigation.stop, navigation.question)

    def read(self, step: str | None) -> None:
        """Start another reading step, or none; the current one is passed."""
        if self._step_id is not None and self._step_id != step:
            self._passed |= {self._step_id}
        self._step_id = step

    def start(self, state: RatingState, navigation: Navigation) -> None:
        """Start with the prompt of a new task, or the first reading step at the stop."""
        steps, states = state.steps, self.states(state)
        prompt = task_stops.first_reading_step(steps, states, navigation.stop, from_start=True)
        self._step_id = prompt or task_stops.first_reading_step(steps, states, navigation.stop)

    def resume(self, state: RatingState, navigation: Navigation, step: str = "") -> None:
        """Resume a reading step of an earlier sitting; the steps before are passed."""
        self._step_id = step or None
        here = self.step(state, navigation)
        until = state.steps.index(here) if here is not None else 0
        self._passed = frozenset(step.id for step in state.steps[:until] if step.reads)

    def first_at(self, state: RatingState, place: Place) -> str | None:
        return task_stops.first_reading_step(state.steps, self.states(state), task_stops.stop_of(place))

    def following(self, state: RatingState, navigation: Navigation) -> WorkStep | None:
        step = self.step(state, navigation)
        if step is None or not step.reads or state.rating.status == "skipped":
            return None
        return task_stops.next_work_step(state.steps, self.states(state), step)


NO_RESEARCH_EDIT = ResearchEdit()
_STEP_NUMBERS = itertools.count(1)
MAX_UNDO_HISTORIES = 30  # tasks whose steps of this sitting are remembered; for others, the stored revisions


class UndoStep(Struct, frozen=True):
    """Rating before a change, and the place of the change; the place is unknown for earlier sittings.

    `typed`: the change was made by typing. `research` is what the rater changed in the research record.
    """

    rating: Rating
    place: Place | None = None
    question: str | None = None
    typed: bool = False
    research: ResearchEdit = NO_RESEARCH_EDIT


class UndoHistory:
    """Undo and redo stacks of a task. Typing in one field without other changes is one step.

    `earlier` is the last revision of before this sitting while its changes are not loaded, else 0; `pending` are the
    actions, undo or redo, that wait for them.
    """

    def __init__(self, earlier: int = 0) -> None:
        self.earlier = earlier
        self.pending: list[str] = []
        self._undo: list[UndoStep] = []
        self._redo: list[UndoStep] = []
        self._typing: object = None
        self._has_changes = False
        self.last_step = 0  # greater than that of each history changed before

    @property
    def can_undo(self) -> bool:
        """Return whether there is, or may be, a step to undo."""
        return bool(self._undo or self.earlier)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo or (self.earlier and not self._has_changes))

    @property
    def has_undo_step(self) -> bool:
        """Return whether a step can be undone at once."""
        return bool(self._undo)

    @property
    def has_redo_step(self) -> bool:
        return bool(self._redo)

    def add(self, before: UndoStep, typing: object = None) -> None:
        """Add a step for a change of `before.rating`; `typing` identifies the field typed in."""
        if typing is None or typing != self._typing:
            self._undo.append(replace(before, typed=typing is not None))
        self._typing = typing
        self.last_step = next(_STEP_NUMBERS)
        self._has_changes = True
        self._redo.clear()
        self.pending.clear()

    def pause(self) -> None:
        """Let further typing be a new step."""
        self._typing = None

    def undo(self, rating: Rating) -> UndoStep:
        """Return the step to go back to; `rating` is the current state."""
        self._typing = None
        self.last_step = next(_STEP_NUMBERS)
        step = self._undo.pop()
        while self._undo and step.typed and plain_rater_content(step.rating) == plain_rater_content(rating):
            step = self._undo.pop()  # text typed and deleted again leaves no change to undo
        self._redo.append(replace(step, rating=rating))
        return step

    def redo(self, rating: Rating) -> UndoStep:
        self._typing = None
        self.last_step = next(_STEP_NUMBERS)
        step = self._redo.pop()
        self._undo.append(replace(step, rating=rating))
        return step

    def add_earlier_steps(self, trail: UndoTrail, rating: Rating) -> None:
        """Add the steps of before this sitting; `rating` is the current state."""
        steps = [UndoStep(rating_before) for rating_before in trail.undo]
        first = self._undo[0].rating if self._undo else rating
        # A change not stored yet when the task was opened is a step of its own.
        here = _is_same_state(trail.now, first)
        self._undo[:0] = steps if here else [*steps, UndoStep(trail.now)]
        if here and not self._has_changes:
            self._redo = [UndoStep(rating_before) for rating_before in trail.redo]
        self.earlier = 0


class UndoHistories:
    """Histories of recently opened tasks, each with its last rating."""

    def __init__(self) -> None:
        self._histories: dict[TaskKey, tuple[UndoHistory, Rating]] = {}

    def keep(self, key: TaskKey, history: UndoHistory, rating: Rating) -> None:
        history.pending.clear()
        self._histories.pop(key, None)
        self._histories[key] = history, rating
        while len(self._histories) > MAX_UNDO_HISTORIES:
            del self._histories[next(iter(self._histories))]

    def last_changed(self, bundle: str, action: str) -> TaskKey | None:
        """Return the task of a bundle with the latest step that can be undone, or redone."""
        candidates = {
            key: history
            for key, (history, _rating) in self._histories.items()
            if key[0] == bundle and (history.has_undo_step if action == "undo" else history.has_redo_step)
        }
        return max(candidates, key=lambda key: candidates[key].last_step, default=None)

    def take(self, key: TaskKey, rating: Rating) -> UndoHistory | None:
        """Return the history of a task, unless its rating was changed elsewhere meanwhile."""
        history, last = self._histories.pop(key, (None, None))
        return history if last is not None and _is_same_state(last, rating) else None


def _is_same_state(first: Rating, second: Rating) -> bool:
    """Return whether two states are the same; the status may differ, since a changed task makes a rating incomplete."""
    return {**plain_rater_content(first), "status": ""} == {**plain_rater_content(second), "status": ""}


def claim_in_words(name: str, response: Response, ranges: Iterable[tuple[int, int]]) -> Claim:
    """Return a claim in the words of its spans of a response, without the marks of Markdown."""
    claim = edit.claim_of_spans(name, response.text, ranges)
    return replace(claim, text=markdown_words(claim.text)) if response.format == "markdown" else claim
