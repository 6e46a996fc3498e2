"""State of each target from the rater's own answers, for the strip, the margin and the lists. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from desktop_rater.model.rating import Claim, Rating
from desktop_rater.model.rubric import Choice, Question
from desktop_rater.model.task import Task
from desktop_rater.model.values import Place
from desktop_rater.rubric import CheckOutcome, Rubric, suggest
from desktop_rater.rubric.condition import same_value
from desktop_rater.ui.rating import task_stops

TargetStateKind = Literal["todo", "part", "label", "done", "suggested", "skipped"]
TargetLabel = tuple["Question", "Choice"]


@dataclass(frozen=True)
class TargetState:
    """State of a target. `label` is the rater's, or the bundle's suggestion if `kind` is "suggested"."""

    kind: TargetStateKind
    label: TargetLabel | None = None
    blocked: bool = False

    @property
    def tone(self) -> str:
        """Return the tone of the chosen label; a suggestion has none."""
        return self.label[1].tone if self.label is not None and self.kind != "suggested" else ""

    @property
    def shape(self) -> str:
        """Return the shape of the state: the label's own, else that of the kind."""
        own = self.label[1].shape if self.label is not None and self.kind == "label" else ""
        return own or ("done" if self.kind == "label" else self.kind)

    @property
    def text(self) -> str:
        """Return the label as text, empty without one."""
        return label_text(self.label) if self.label is not None else ""


def label_text(label: TargetLabel) -> str:
    """Return a label as text: its choice, with the question if the choice alone is unclear, as in "No"."""
    question, choice = label
    return choice.label if question.per == "claim" else f"{question.ask} {choice.label}"


class KnownStates(NamedTuple):
    """The states of all stops before an edit, and the outcome that they follow from."""

    outcome: CheckOutcome
    states: dict[Place, TargetState]


def all_target_states(
    rubric: Rubric,
    task: Task,
    rating: Rating,
    outcome: CheckOutcome,
    stops: Iterable[Place],
    known: KnownStates | None = None,
) -> dict[Place, TargetState]:
    """Return the state of each stop of a task; those of targets that were not checked again are taken from `known`."""
    same: dict[Place, TargetState] = {}
    if known is not None:
        parts, before = outcome.parts, known.outcome.parts
        unchanged = {name for name, part in parts.items() if name and before.get(name) is part}
        same = {stop: state for stop, state in known.states.items() if stop.target in unchanged}
    places = outcome.places
    wrong = {
        task_stops.stop_of(places[problem.where])
        for problem in outcome.problems
        if problem.level == "block" and not problem.rule.startswith(task_stops.REQUIRED_PREFIX)
    }
    return {
        stop: same.get(stop) or _stop_state(rubric, task, rating, outcome, stop, blocked=stop in wrong)
        for stop in stops
    }


def own_label(rubric: Rubric, rating: Rating, outcome: CheckOutcome, stop: Place) -> TargetLabel | None:
    """Return the rater's label of a stop; with claims the worst of theirs, once each has one."""
    claims = task_stops.visible_claims(outcome, rating, stop.target)
    if claims:
        worst = _worst_label(rubric, outcome, stop, [claim.id for claim in claims])
        return worst or _label_of_answers(rubric, _answers(outcome, stop))
    return _label_of_answers(rubric, _answers(outcome, stop))


def claim_label(rubric: Rubric, outcome: CheckOutcome, place: Place) -> TargetLabel | None:
    """Return the rater's label of a claim."""
    return _label_of_answers(rubric, _answers(outcome, place))


def worst_labels(
    rubric: Rubric, outcome: CheckOutcome, stop: Place, claims: Iterable[Claim]
) -> tuple[TargetLabel, ...]:
    """Return the worst answer that the claims have so far, for each question that is combined from them."""
    labels = []
    answers = [_answers(outcome, Place(stop.response, stop.target, claim.id)) for claim in claims]
    for name, order in rubric.file.combine.items():
        question = rubric.questions[name].question
        given = [claim_answers.get(name) for claim_answers in answers]
        worst = next((value for value in order if any(same_value(value, answer) for answer in given)), None)
        choice = _choice_for(question, worst)
        if choice is not None:
            labels.append((question, choice))
    return tuple(labels)


def _stop_state(
    rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome, stop: Place, *, blocked: bool
) -> TargetState:
    if rating.status == "skipped":
        return TargetState("skipped")
    label = own_label(rubric, rating, outcome, stop)
    if label is not None:
        return TargetState("skipped" if label[1].shape == "skipped" else "label", label, blocked)
    suggested = suggest.open_suggestions(rubric, task, rating, outcome, stop)
    answered = any(value is not None for value in _answers(outcome, stop).values())
    if suggested and not answered:
        return TargetState("suggested", _label_of_answers(rubric, suggested))
    where = task_stops.place_path(stop)
    claims = task_stops.visible_claims(outcome, rating, stop.target)
    places = [where, *(f"{where}/claims/{claim.id}" for claim in claims)]
    questions = [question for place in places for question in outcome.asked.get(place, ())]
    if questions and not any(question.is_open for question in questions):
        return TargetState("done", None, blocked)
    return TargetState("part" if answered else "todo", None, blocked)


def _answers(outcome: CheckOutcome, place: Place) -> dict[str, Any]:
    return {question.question.id: question.value for question in outcome.asked.get(task_stops.place_path(place), ())}


def _label_of_answers(rubric: Rubric, given: Mapping[str, Any]) -> TargetLabel | None:
    for name, needs_tone in rubric.label_order:
        question = rubric.questions[name].question
        choice = _choice_for(question, given.get(name))
        if choice is not None and (choice.tone or not needs_tone):
            return question, choice
    return None


def _choice_for(question: Question, value: Any) -> Choice | None:
    return (
        next((choice for choice in question.choices if same_value(choice.id, value)), None)
        if value is not None
        else None
    )


def _worst_label(rubric: Rubric, outcome: CheckOutcome, stop: Place, claims: list[str]) -> TargetLabel | None:
    for name, order in rubric.file.combine.items():
        given = [_answers(outcome, Place(stop.response, stop.target, claim)).get(name) for claim in claims]
        if any(value is None for value in given):
            continue
        worst = next((value for value in order if any(same_value(value, answer) for answer in given)), None)
        question = rubric.questions[name].question
        choice = _choice_for(question, worst)
        if choice is not None:
            return question, choice
    return None
