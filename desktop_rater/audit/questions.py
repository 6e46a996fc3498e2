"""Judged questions of a rubric, on which raters can agree or not, and the rules that choose the label of a place.

They choose it from the votes on the place: majority, median, or a model of the raters.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, log2
from statistics import median
from typing import Any, Literal, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from desktop_rater.format.rubric import Choice, Question
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import ScaleDomain, is_number, same_value
from desktop_rater.translation import N_

Measure = Literal["nominal", "ordinal", "interval"]
Value = str | float

_MEASURES: dict[str, Measure] = {"choice": "nominal", "choices": "nominal", "scale": "ordinal", "number": "interval"}
_MOST_STEPS = 50
_LABEL = "label"


class ValueStyle(msgspec.Struct, frozen=True):
    """Value that can be given, in the order of the rubric, with its text and style."""

    id: Value
    label: str
    tone: str = ""
    shape: str = ""


class JudgedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Question judged once a place.

    `per` is its place: a claim's question is asked of its target. `question` is the rubric's; `id` is the same except
    for the label of a place, which is based on several questions: `closing` holds, as (question, value, label), the
    answers that are the label where `question` has no value. `decisive`: it is a judgement, not merely a step towards
    one. `main`: the question that a report begins with. `conditional`: it is not asked of everybody, so a rater without
    an answer votes against asking it; `hangs_on`: the names this depends on. `only_claims`: a target that is split into
    claims has no value of it. Of a scale, `step` is the distance of two steps and `span` that of its ends; `low` and
    `high` are those of a number, too.
    """

    id: str
    question: str
    ask: str
    per: Literal["task", "response", "target"]
    measure: Measure
    decisive: bool = False
    main: bool = False
    conditional: bool = False
    only_claims: bool = False
    hangs_on: frozenset[str] = frozenset()
    step: float = 0
    span: float = 0
    low: float | None = None
    high: float | None = None
    looks: tuple[ValueStyle, ...] = ()
    closing: tuple[tuple[str, str, str], ...] = ()

    def value(self, values: Mapping[str, Any]) -> Value | None:
        """Return a rater's value, from all values of a place; `None` without one, or for no number on a scale."""
        given = plain_value(values.get(self.question))
        if given is not None and (self.measure == "nominal" or isinstance(given, float)):
            return given
        for question, value, label in self.closing:
            if same_value(values.get(question), value):
                return label
        return None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of its numbers, infinite where there is none."""
        return -inf if self.low is None else self.low, inf if self.high is None else self.high

    def text_of(self, value: Value) -> str:
        label = next((look.label for look in self.looks if look.id == value), None)
        return label or (value if isinstance(value, str) else f"{value:g}")


def judged_questions(rubric: Rubric) -> tuple[JudgedQuestion, ...]:
    """Return the label of a place, if based on more than one question, and every question that is not text."""
    decided = _decided(rubric)
    main = _main(rubric, decided)
    label = None if main is None else _label_of_a_place(rubric, main)
    holders = {_holder(rubric.questions[name].question) for name in decided}
    judged = [
        _judged(
            rubric,
            question.question,
            decisive=question.question.id in decided or _holder(question.question) not in holders,
        )
        for question in rubric.questions.values()
        if question.question.kind in _MEASURES and question.question.per != "evidence"
    ]
    if label is not None:
        return (label, *judged)
    return tuple(replace(question, main=question.question == main) for question in judged)


def main_question(rubric: Rubric) -> JudgedQuestion | None:
    """Return the question that a report begins with; `None` if a rubric asks for texts only."""
    return next((question for question in judged_questions(rubric) if question.main), None)


def plain_value(value: Any) -> Value | None:
    """Convert an answer to its comparable form: multiple choices as a sorted list, numbers as floats."""
    if isinstance(value, list | tuple):
        return canonical_json(sorted(value, key=str)).decode()
    if isinstance(value, str):
        return value
    if not is_number(value):
        return None
    number = float(value)
    # Round off floating-point noise, as in sums of tenths.
    return number if number.is_integer() else float(f"{number:.15g}")


def judgements(at_place: Mapping[str, Any], questions: Sequence[JudgedQuestion]) -> dict[str, Value]:
    """Return every judgement at one place, by question."""
    question_ids = {question.id for question in questions}
    values = {name: plain_value(raw) for name, raw in at_place.items() if name in question_ids}
    values |= {question.id: question.value(at_place) for question in questions if question.id != question.question}
    return {name: value for name, value in values.items() if value is not None}


def _decided(rubric: Rubric) -> tuple[str, ...]:
    """Return the combined and decided questions; those combined of answers alone come last."""
    sets = [row.sets for row in rubric.file.decide]
    names = dict.fromkeys([*rubric.file.combine, *sets])
    return tuple(sorted(names, key=lambda name: name not in sets))


def _main(rubric: Rubric, decided: tuple[str, ...]) -> str | None:
    """Return the first combined or decided question, targets before responses; else the first that is always asked."""
    questions = {
        name: compiled.question for name, compiled in rubric.questions.items() if compiled.question.kind in _MEASURES
    }
    of_targets = [name for name in decided if name in questions and questions[name].per in {"target", "claim"}]
    chosen = [question for question in questions.values() if question.kind != "number" and question.required is True]
    always = [question.id for question in chosen if not question.relevant]
    named = [name for name in decided if name in questions]
    return next(iter([*of_targets, *named, *always, *(question.id for question in chosen), *questions]), None)


def _judged(rubric: Rubric, question: Question, *, decisive: bool) -> JudgedQuestion:
    domain = rubric.questions[question.id].domain
    # A target has no answer of its own once claims are recorded: a missing answer then means nothing.
    only_claims = question.per == "claim" and rubric.claims is not None and question.id not in rubric.file.combine
    return JudgedQuestion(
        id=question.id,
        question=question.id,
        ask=question.ask,
        per=_holder(question),
        measure=_MEASURES[question.kind],
        decisive=decisive,
        conditional=bool(question.relevant) and not only_claims,
        only_claims=only_claims,
        hangs_on=frozenset(rubric.questions[question.id].relevant.names()),
        step=domain.step if isinstance(domain, ScaleDomain) else 0,
        span=domain.high - domain.low if isinstance(domain, ScaleDomain) else 0,
        low=None if question.min is None else float(question.min),
        high=None if question.max is None else float(question.max),
        looks=tuple(_looks(rubric, question)),
    )


def _holder(question: Question) -> Literal["task", "response", "target"]:
    match question.per:
        case "task" | "response":
            return question.per
    return "target"


def _looks(rubric: Rubric, question: Question) -> Iterator[ValueStyle]:
    if question.kind == "choice":
        yield from (ValueStyle(choice.id, choice.label, choice.tone, choice.shape) for choice in question.choices)
    domain = rubric.questions[question.id].domain
    if isinstance(domain, ScaleDomain) and (domain.high - domain.low) / domain.step <= _MOST_STEPS:
        anchors = {float(anchor.at): anchor.label for anchor in question.anchors}
        for step in map(float, domain.all()):
            level = next((level.label for level in question.levels if step <= level.to), "")
            yield ValueStyle(step, f"{step:g} {anchors.get(step, level)}".strip())


def _label_of_a_place(rubric: Rubric, name: str) -> JudgedQuestion | None:
    """Return the main question with its closing answers: choices with a tone of other questions at the same depth."""
    main = rubric.questions[name].question
    own = _judged(rubric, main, decisive=True)
    if main.kind != "choice":
        return None
    closing: list[tuple[str, str, str]] = []
    looks = {look.id: look for look in own.looks}
    for question, choice in _toned(rubric, own):
        looks.setdefault(choice.tone, ValueStyle(choice.tone, choice.tone.capitalize(), choice.tone, choice.shape))
        closing.append((question.id, choice.id, choice.tone))
    if not closing:
        return None
    ids = rubric.questions
    id_ = next(name for count in range(len(ids) + 1) if (name := _LABEL + "_" * count) not in ids)
    return replace(own, id=id_, ask="Label", main=True, looks=tuple(looks.values()), closing=tuple(closing))


def _toned(rubric: Rubric, main: JudgedQuestion) -> Iterator[tuple[Question, Choice]]:
    for compiled in reversed(list(rubric.questions.values())):
        question = compiled.question
        if question.id != main.question and question.kind == "choice" and _holder(question) == main.per:
            yield from ((question, choice) for choice in question.choices if choice.tone)


LabelMethod = Literal["majority", "median", "dawid-skene", "mace"]
LABEL_METHODS: tuple[LabelMethod, ...] = ("majority", "median", "dawid-skene", "mace")
METHOD_MEANINGS: dict[LabelMethod, str] = {
    "majority": N_("Report", "the label of more than half of the raters; of scales the middle answer"),
    "median": N_("Report", "the middle answer; labels without an order go by majority"),
    "dawid-skene": N_("Report", "weighs each rater by how often they seem to take one label for another"),
    "mace": N_("Report", "weighs each rater by how often they seem to guess"),
}
METHODS_HELP = "; ".join(f"{name}: {meaning.replace(';', ',')}" for name, meaning in METHOD_MEANINGS.items())
MODEL_METHODS = frozenset({"dawid-skene", "mace"})
Posterior = tuple[tuple[Value, float], ...]
"""Values with their probabilities, the most probable first."""

_EQUAL = 1e-9


class LabelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The lead's choice of how the votes of a bundle decide, and of the least probability of a final label."""

    by: LabelMethod = "majority"
    threshold: float = 0.0
    lead: str = ""
    changed: str = ""


class ChosenLabel(NamedTuple):
    """The label that a rule chooses, `None` if it is left to the lead, and the method that chose it."""

    value: Value | None
    posterior: Posterior
    by: LabelMethod


class RaterModel(Protocol):
    """A fitted model of the raters."""

    def posterior(self, votes: Iterable[tuple[str, Value]]) -> Posterior:
        """Return the probable values of a place with these votes: pairs of rater and value."""
        ...


class LabelRule(msgspec.Struct, frozen=True, kw_only=True):
    """A method, the least probability that a label needs, and the fitted model of each question, if any.

    A question without a model (a number, or one with more than 50 values), and any scale that no model decides, has the
    median of its votes, also between two steps; a question whose values have no order is decided by the majority.
    """

    by: LabelMethod = "majority"
    threshold: float = 0.0
    models: Mapping[str, RaterModel] = {}

    def choose(self, question: JudgedQuestion, votes: Mapping[str, Value], omitting: int = 0) -> ChosenLabel:
        """Return the label of a place by its votes (rater → value). `omitting`: the votes for leaving it out."""
        by: LabelMethod = "majority" if question.measure == "nominal" else "median"
        model = self.models.get(question.id)
        posterior = vote_shares(votes.values())
        if not votes:
            return ChosenLabel(None, (), by if model is None else self.by)
        if model is not None:
            by, posterior = self.by, model.posterior(votes.items())
            value = None if is_tied(posterior) else posterior[0][0]
        elif by == "median":
            value = median(map(float, votes.values()))
        else:
            top, share = posterior[0]
            value = top if 2 * round(share * len(votes)) > len(votes) + omitting else None
        if value is not None and probability_of(posterior, value) < self.threshold - _EQUAL:
            value = None
        return ChosenLabel(value, posterior, by)


MAJORITY = LabelRule()


def vote_shares(votes: Iterable[Value]) -> Posterior:
    """Return each value with its share of the votes, the largest first."""
    counts = Counter(votes)
    shares = [(value, count / counts.total()) for value, count in counts.items()]
    return tuple(sorted(shares, key=lambda pair: (-pair[1], str(pair[0]))))


def probability_of(posterior: Posterior, value: Value) -> float:
    """Return the probability of one value."""
    return dict(posterior).get(value, 0.0)


def entropy_of(posterior: Posterior) -> float:
    """Return Shannon's entropy in bits: 0 if one value is certain, 1 if two are equally probable."""
    return sum(probability * log2(1 / probability) for _value, probability in posterior if probability > 0)


def is_tied(posterior: Posterior) -> bool:
    """Tell if no value is more probable, or has more votes, than all others."""
    return len(posterior) > 1 and posterior[0][1] - posterior[1][1] < _EQUAL
