"""How each target stands in the rater's own eyes: for the strip, the margin and the lists. Pure.

What the facts imply never shows here: only what the rater chose, and with claims the worst of what was chosen for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from desktop_rater.model.place import Place
from desktop_rater.rubric import suggestions
from desktop_rater.rubric.values import same
from desktop_rater.ui import moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop_rater.model.rating import Rating
    from desktop_rater.model.rubric import Choice, Question
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Outcome, Rubric

Kind = Literal["todo", "part", "label", "done", "suggested", "skipped"]
Label = tuple["Question", "Choice"]
_Order = tuple[tuple[str, bool], ...]  # questions, and whether a choice of theirs needs a tone to be the label


@dataclass(frozen=True)
class TargetState:
    """`label` is there where the rater chose one, or where the bundle suggests one and `kind` is "suggested"."""

    kind: Kind
    label: Label | None = None
    blocked: bool = False

    @property
    def tone(self) -> str:
        """The tone of the chosen label; a suggestion has none."""
        return self.label[1].tone if self.label is not None and self.kind != "suggested" else ""

    @property
    def shape(self) -> str:
        """The shape that stands for it: the label's own, else the kind."""
        own = self.label[1].shape if self.label is not None and self.kind == "label" else ""
        return own or ("done" if self.kind == "label" else self.kind)

    @property
    def words(self) -> str:
        """The chosen label in words, empty where there is none."""
        return label_words(self.label) if self.label is not None else ""


def label_words(label: Label) -> str:
    """A label in words: the choice's own, with its question where the choice alone says nothing, as in "No"."""
    question, choice = label
    return choice.label if question.per == "claim" else f"{question.ask} {choice.label}"


def all_states(
    rubric: Rubric, task: Task, rating: Rating, outcome: Outcome, stops: Iterable[Place]
) -> dict[Place, TargetState]:
    """The state of each stop of a task."""
    places = outcome.places
    wrong = {
        moves.stop_of(places[one.where]) for one in outcome.problems if one.level == "block" and not moves.is_open(one)
    }
    order = _order(rubric)
    return {stop: _state(rubric, task, rating, outcome, stop, order, blocked=stop in wrong) for stop in stops}


def own_label(rubric: Rubric, rating: Rating, outcome: Outcome, stop: Place) -> Label | None:
    """The label that the rater gave a stop; with claims the worst of theirs, once each of them has one."""
    return _own_label(rubric, rating, outcome, stop, _order(rubric))


def _own_label(rubric: Rubric, rating: Rating, outcome: Outcome, stop: Place, order: _Order) -> Label | None:
    claims = moves.claims_at(outcome, rating, stop.target)
    if claims:
        found = _worst(rubric, outcome, stop, [claim.id for claim in claims])
        return found or _label(rubric, _given(outcome, stop), order)
    return _label(rubric, _given(outcome, stop), order)


def claim_label(rubric: Rubric, outcome: Outcome, place: Place) -> Label | None:
    """The label that the rater gave a claim."""
    return _label(rubric, _given(outcome, place), _order(rubric))


def _state(
    rubric: Rubric, task: Task, rating: Rating, outcome: Outcome, stop: Place, order: _Order, *, blocked: bool
) -> TargetState:
    if rating.status == "skipped":
        return TargetState("skipped")
    label = _own_label(rubric, rating, outcome, stop, order)
    if label is not None:
        return TargetState("skipped" if label[1].shape == "skipped" else "label", label, blocked)
    suggested = suggestions.open_at(rubric, task, rating, outcome, stop)
    answered = any(value is not None for value in _given(outcome, stop).values())
    if suggested and not answered:
        return TargetState("suggested", _label(rubric, suggested, order))
    asked = [one for where in _wheres(outcome, rating, stop) for one in outcome.asked.get(where, ())]
    if asked and not any(one.required and one.value is None for one in asked):
        return TargetState("done", None, blocked)
    return TargetState("part" if answered else "todo", None, blocked)


def _wheres(outcome: Outcome, rating: Rating, stop: Place) -> list[str]:
    where = moves.where_of(stop)
    return [where, *(f"{where}/claims/{one.id}" for one in moves.claims_at(outcome, rating, stop.target))]


def _given(outcome: Outcome, place: Place) -> dict[str, Any]:
    return {one.question.id: one.value for one in outcome.asked.get(moves.where_of(place), ())}


def _order(rubric: Rubric) -> _Order:
    """What can be the label, and whether it needs a tone: what the rubric combines or decides, then the last toned."""
    first = dict.fromkeys([*rubric.file.combine, *(row.sets for row in rubric.file.decide)])
    toned = [name for name, one in rubric.questions.items() if any(choice.tone for choice in one.question.choices)]
    return *((name, False) for name in first), *((name, True) for name in reversed(toned) if name not in first)


def _label(rubric: Rubric, given: Mapping[str, Any], order: _Order) -> Label | None:
    """Of the answers, the one that is the label."""
    for name, needs_tone in order:
        question = rubric.questions[name].question
        choice = _choice(question, given.get(name))
        if choice is not None and (choice.tone or not needs_tone):
            return question, choice
    return None


def _choice(question: Question, value: Any) -> Choice | None:
    return next((one for one in question.choices if same(one.id, value)), None) if value is not None else None


def _worst(rubric: Rubric, outcome: Outcome, stop: Place, claims: list[str]) -> Label | None:
    for name, order in rubric.file.combine.items():
        given = [_given(outcome, Place(stop.response, stop.target, claim)).get(name) for claim in claims]
        if any(value is None for value in given):
            continue
        worst = next((value for value in order if any(same(value, one) for one in given)), None)
        question = rubric.questions[name].question
        choice = _choice(question, worst)
        if choice is not None:
            return question, choice
    return None
