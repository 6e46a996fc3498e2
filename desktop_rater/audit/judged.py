"""What of a rubric is judged, as raters can agree on it or not: its questions, and the label of a place.

The label of a place is what the rubric combines or decides there; where that is not asked, it is the answer that closed
it, such as "not factual". So every place that was rated has one. The window's marks follow the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.model.canonical import canonical
from desktop_rater.rubric.domains import Steps
from desktop_rater.rubric.values import is_number, same

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop_rater.model.rubric import Choice, Question
    from desktop_rater.rubric import Rubric

Measure = Literal["nominal", "ordinal", "interval"]
Value = str | float

_MEASURES: dict[str, Measure] = {"choice": "nominal", "choices": "nominal", "scale": "ordinal", "number": "interval"}
_MOST_STEPS = 50
_LABEL = "label"


class Look(msgspec.Struct, frozen=True):
    """A value that can be given, in the order of the rubric: its words, and how it looks."""

    id: Value
    label: str
    tone: str = ""
    shape: str = ""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is judged once a place. `per` is where: a claim's question is asked of its target.

    `question` is the rubric's; `id` is the same but for the label of a place, which comes of several questions:
    `closing` holds, as (question, value, label), the answers that are the label where `question` has no value.
    `decisive`: it is a judgement, and not something that leads to one. `main`: the one that a report begins with.
    `conditional`: it is not asked of everybody, so a rater without an answer says that it is not to be asked;
    `hangs_on`: the names on which that hangs.
    Of a scale, `step` is how far two steps lie apart, and `span` how far its ends do.
    """

    id: str
    question: str
    ask: str
    per: Literal["task", "response", "target"]
    measure: Measure
    decisive: bool = False
    main: bool = False
    conditional: bool = False
    hangs_on: frozenset[str] = frozenset()
    step: float = 0
    span: float = 0
    looks: tuple[Look, ...] = ()
    closing: tuple[tuple[str, str, str], ...] = ()

    def value(self, values: Mapping[str, Any]) -> Value | None:
        """What a rater said here, of all values of a place; `None` where nothing."""
        given = plain_value(values.get(self.question))
        if given is not None:
            return given
        for question, value, label in self.closing:
            if same(values.get(question), value):
                return label
        return None

    def words(self, value: Value) -> str:
        """A value as it is read."""
        found = next((look.label for look in self.looks if look.id == value), None)
        return found or (value if isinstance(value, str) else f"{value:g}")


def judged_questions(rubric: Rubric) -> tuple[Judged, ...]:
    """The label of a place, where it is more than one question's answer, and every question that is not text."""
    decided = _decided(rubric)
    main = _main(rubric, decided)
    label = None if main is None else _label_of_a_place(rubric, main)
    holders = {_holder(rubric.questions[name].question) for name in decided}
    found = [
        _judged(rubric, one.question, decisive=one.question.id in decided or _holder(one.question) not in holders)
        for one in rubric.questions.values()
        if one.question.kind in _MEASURES and one.question.per != "evidence"
    ]
    if label is not None:
        return (label, *found)
    return tuple(replace(one, main=one.question == main) for one in found)


def main_question(rubric: Rubric) -> Judged | None:
    """What a report begins with; `None` where a rubric asks for texts only."""
    return next((one for one in judged_questions(rubric) if one.main), None)


def plain_value(value: Any) -> Value | None:
    """An answer as figures compare it: several choices as their list in order, numbers as numbers."""
    if isinstance(value, list | tuple):
        return canonical(sorted(value, key=str)).decode()
    if isinstance(value, str):
        return value
    if not is_number(value):
        return None
    number = float(value)
    return number if number.is_integer() else float(f"{number:.15g}")  # a sum of tenths is what anybody writes for it


def _decided(rubric: Rubric) -> tuple[str, ...]:
    """What the rubric combines or decides, in that order."""
    return tuple(dict.fromkeys([*rubric.file.combine, *(row.sets for row in rubric.file.decide)]))


def _main(rubric: Rubric, decided: tuple[str, ...]) -> str | None:
    """The first that is combined or decided, of targets before responses; else the first that is always asked."""
    questions = {name: one.question for name, one in rubric.questions.items() if one.question.kind in _MEASURES}
    of_targets = [name for name in decided if name in questions and questions[name].per in {"target", "claim"}]
    chosen = [one for one in questions.values() if one.kind != "number" and one.required is True]
    always = [one.id for one in chosen if not one.relevant]
    named = [name for name in decided if name in questions]
    return next(iter([*of_targets, *named, *always, *(one.id for one in chosen), *questions]), None)


def _judged(rubric: Rubric, question: Question, *, decisive: bool) -> Judged:
    domain = rubric.questions[question.id].domain
    return Judged(
        id=question.id,
        question=question.id,
        ask=question.ask,
        per=_holder(question),
        measure=_MEASURES[question.kind],
        decisive=decisive,
        conditional=bool(question.relevant) and not _goes_to_claims(rubric, question),
        hangs_on=frozenset(rubric.questions[question.id].relevant.names()),
        step=domain.step if isinstance(domain, Steps) else 0,
        span=domain.high - domain.low if isinstance(domain, Steps) else 0,
        looks=tuple(_looks(rubric, question)),
    )


def _goes_to_claims(rubric: Rubric, question: Question) -> bool:
    """Whether a target has no answer of its own once claims are recorded: that it has none then says nothing."""
    return question.per == "claim" and rubric.claims is not None and question.id not in rubric.file.combine


def _holder(question: Question) -> Literal["task", "response", "target"]:
    match question.per:
        case "task" | "response":
            return question.per
    return "target"


def _looks(rubric: Rubric, question: Question) -> Iterator[Look]:
    if question.kind == "choice":
        yield from (Look(one.id, one.label, one.tone, one.shape) for one in question.choices)
    domain = rubric.questions[question.id].domain
    if isinstance(domain, Steps) and (domain.high - domain.low) / domain.step <= _MOST_STEPS:
        anchors = {float(one.at): one.label for one in question.anchors}
        for step in map(float, domain.all()):
            yield Look(step, f"{step:g} {anchors.get(step, '')}".strip())


def _label_of_a_place(rubric: Rubric, name: str) -> Judged | None:
    """The main question with what closes it: choices with a tone of other questions at the same kind of place."""
    main = rubric.questions[name].question
    own = _judged(rubric, main, decisive=True)
    if main.kind != "choice":
        return None
    closing: list[tuple[str, str, str]] = []
    looks = {look.id: look for look in own.looks}
    for question, choice in _toned(rubric, own):
        looks.setdefault(choice.tone, Look(choice.tone, choice.tone.capitalize(), choice.tone, choice.shape))
        closing.append((question.id, choice.id, choice.tone))
    if not closing:
        return None
    taken = rubric.questions
    id_ = next(name for turn in range(len(taken) + 1) if (name := _LABEL + "_" * turn) not in taken)
    return replace(own, id=id_, ask="Label", main=True, looks=tuple(looks.values()), closing=tuple(closing))


def _toned(rubric: Rubric, main: Judged) -> Iterator[tuple[Question, Choice]]:
    for one in reversed(list(rubric.questions.values())):
        question = one.question
        if question.id != main.question and question.kind == "choice" and _holder(question) == main.per:
            yield from ((question, choice) for choice in question.choices if choice.tone)
