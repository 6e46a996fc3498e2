"""Questions whose answers are compared, and the units of each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.results import ReceivedRating, decoded
from desktop_rater.model.rubric import Choice, Question
from desktop_rater.model.strict_json import canonical_json
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import ScaleDomain, is_number, same_value
from desktop_rater.stats.bootstrap import Floats, Indices, compact

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
    claims has no value of it. Of a scale, `step` is the distance of two steps and `span` that of its ends.
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
    looks: tuple[ValueStyle, ...] = ()
    closing: tuple[tuple[str, str, str], ...] = ()

    def value(self, values: Mapping[str, Any]) -> Value | None:
        """Return a rater's value, from all values of a place; `None` without one."""
        given = plain_value(values.get(self.question))
        if given is not None:
            return given
        for question, value, label in self.closing:
            if same_value(values.get(question), value):
                return label
        return None

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
            yield ValueStyle(step, f"{step:g} {anchors.get(step, '')}".strip())


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


UnitPlace = tuple[str, str]
"""A task id and a place in the task."""

ValueCounts = tuple[tuple[Value, int], ...]

Judgements = dict[UnitPlace, Mapping[str, Value]]
"""Place → question id → value."""


@dataclass(frozen=True, eq=False)
class UnitRows:
    """Judgements of some raters on one question, by unit: the number of the unit, of the rater, and of the value."""

    unit: Indices
    rater: Indices
    value: Indices

    def __getitem__(self, rows: Any) -> "UnitRows":
        return UnitRows(self.unit[rows], self.rater[rows], self.value[rows])

    def __len__(self) -> int:
        return len(self.unit)


class RowsByRater:
    """Judgements in the order of their raters, each with its kind beside the others: a rater's lie side by side."""

    def __init__(self, rows: UnitRows, kinds: Indices) -> None:
        order = np.argsort(rows.rater, kind="stable")
        self._rows, self._kinds = rows[order], kinds[order]

    def of(self, rater: int) -> tuple[UnitRows, Indices]:
        """Return a rater's judgements, by unit, and the kind of each."""
        own = slice(*np.searchsorted(self._rows.rater, (rater, rater + 1)).tolist())
        return self._rows[own], self._kinds[own]


@dataclass(frozen=True, eq=False)
class CountRows:
    """Counts of values for each of some kinds: the number of the kind, of the value, and how often it occurs."""

    kind: Indices
    value: Indices
    count: Indices


@dataclass(frozen=True, eq=False)
class ComparedKinds:
    """Kinds of judgements beside those of the others: `own` value of each, and `others`, the counts of the rest.

    `people` and `models`: the kind of each row of `QuestionUnits`, -1 where nobody else judged the unit.
    """

    own: Indices
    others: CountRows
    people: Indices
    models: Indices

    @cached_property
    def sizes(self) -> Floats:
        """The number of others of each kind."""
        return np.bincount(self.others.kind, self.others.count, len(self.own)).astype(np.float64)

    @cached_property
    def alike(self) -> Floats:
        """The number of others with the same value."""
        same = self.others.value == self.own[self.others.kind]
        return np.bincount(self.others.kind[same], self.others.count[same], len(self.own)).astype(np.float64)

    @cached_property
    def majority(self) -> Indices:
        """The most frequent value of the others, -1 if there is a tie."""
        best = np.zeros(len(self.own), dtype=np.intp)
        np.maximum.at(best, self.others.kind, self.others.count)
        top = self.others.count == best[self.others.kind]
        majority = np.full(len(self.own), -1, dtype=np.intp)
        majority[self.others.kind[top]] = self.others.value[top]
        majority[np.bincount(self.others.kind[top], minlength=len(self.own)) > 1] = -1
        return majority


@dataclass(frozen=True, eq=False)
class QuestionUnits:
    """All units of a question, in the order of their tasks. `models` count in no figure of people.

    `task`: the number of each unit's task, in order. `raters` and `values`: the names and values that rows number.
    `kinds`: the counts of people's values that units have, and `kind` that of each unit; without people it is `()`.
    """

    question: JudgedQuestion
    places: tuple[UnitPlace, ...]
    task: Indices
    raters: tuple[str, ...]
    values: tuple[Value, ...]
    people: UnitRows
    models: UnitRows
    kinds: tuple[ValueCounts, ...]
    kind: Indices
    counts: CountRows

    @cached_property
    def sizes(self) -> Indices:
        """The number of people who judged each unit."""
        return np.bincount(self.people.unit, minlength=len(self.places))

    @cached_property
    def shared(self) -> Indices:
        """The units with two people or more."""
        return np.flatnonzero(self.sizes > 1)

    def tasks_of(self, units: Indices) -> tuple[tuple[str, ...], Indices]:
        """Return the tasks of units in order, and the number of each unit's."""
        first, numbers = np.unique(self.task[units], return_index=True, return_inverse=True)[1:]
        return tuple(self.places[unit][0] for unit in units[first].tolist()), numbers

    def people_of(self, units: Indices) -> list[dict[str, Value]]:
        """Return rater → value of each unit."""
        wanted = np.full(len(self.places), -1)
        wanted[units] = np.arange(len(units))
        given: list[dict[str, Value]] = [{} for _ in range(len(units))]
        rows = self.people[wanted[self.people.unit] >= 0]
        for unit, rater, value in zip(
            wanted[rows.unit].tolist(), rows.rater.tolist(), rows.value.tolist(), strict=True
        ):
            given[unit][self.raters[rater]] = self.values[value]
        return given

    def counts_without(self, rater: int) -> list[ValueCounts]:
        """Return the counts of people's values of all units, without those of a rater."""
        given = [self.kinds[kind] for kind in self.kind.tolist()]
        rows = self.people[self.people.rater == rater]
        for unit, value in zip(rows.unit.tolist(), rows.value.tolist(), strict=True):
            given[unit] = other_counts(given[unit], self.values[value])
        return given

    @cached_property
    def compared(self) -> ComparedKinds:
        """Each judgement beside those of the others."""
        of_people, of_models = (self.kind[rows.unit] for rows in (self.people, self.models))
        sizes = np.bincount(self.counts.kind, self.counts.count, len(self.kinds)).astype(np.intp)
        # Every (kind of unit, value, whether the value is one of its counts) that occurs, numbered.
        keys = [
            np.where(sizes[kinds] > own, (kinds * max(len(self.values), 1) + rows.value) * 2 + own, -1)
            for kinds, rows, own in ((of_people, self.people, 1), (of_models, self.models, 0))
        ]
        used = np.unique(np.concatenate(keys)).astype(np.intp)
        used = used[used >= 0]
        numbers = [np.where(key >= 0, np.searchsorted(used, key), -1) for key in keys]
        own, value = used % 2, used // 2 % max(len(self.values), 1)
        kind = used // 2 // max(len(self.values), 1)
        starts = np.searchsorted(self.counts.kind, np.arange(len(self.kinds) + 1))
        lengths = (starts[1:] - starts[:-1])[kind]
        of = np.repeat(np.arange(len(used)), lengths)
        at = np.arange(len(of)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + starts[kind][of]
        left = self.counts.count[at] - ((self.counts.value[at] == value[of]) & (own[of] == 1))
        others = CountRows(of[left > 0], self.counts.value[at][left > 0], left[left > 0])
        return ComparedKinds(value, others, *numbers)


def units_by_question(
    questions: Sequence[JudgedQuestion],
    ratings: Iterable[tuple[ReceivedRating, bytes]],
    tasks: Sequence[str],
    models: frozenset[str],
) -> tuple[QuestionUnits, ...]:
    """Return the units of each question. `ratings`: each as `ReceivedRating.without_values` returns it.

    Ratings of a task with the same values, and places with the same values, are read once.
    """
    names: dict[str, int] = {}
    places: dict[UnitPlace, int] = {}
    of_task: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    patterns: dict[tuple[str, bytes], int] = {}  # task and values → number
    starts, pattern_places, pattern_kinds = [0], [], []  # of each pattern, in the two lists
    kinds: defaultdict[bytes, int] = defaultdict()  # values at a place, encoded and so exact, while 1 == True
    kinds.default_factory = kinds.__len__
    raters, given = [], []
    for rating, packed in ratings:
        task = rating.task
        if (task, packed) not in patterns:
            patterns[task, packed] = len(patterns)
            values = decoded(packed, dict[str, msgspec.Raw])
            key = task, tuple(values)
            if key not in of_task:
                of_task[key] = [places.setdefault((task, where), len(places)) for where in values]
            pattern_places += of_task[key]
            pattern_kinds += map(kinds.__getitem__, map(bytes, values.values()))
            starts.append(len(pattern_places))
        raters.append(names.setdefault(rating.rater, len(names)))
        given.append(patterns[task, packed])
    of_kind = [judgements(decoded(values, dict[str, Any]), questions) for values in kinds]
    first, pattern = np.array(starts, dtype=np.intp), np.array(given, dtype=np.intp)
    lengths = (first[1:] - first[:-1])[pattern]
    at = np.repeat(first[pattern] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    order = {task: number for number, task in enumerate(tasks)}
    by_task = sorted(places, key=lambda place: order.get(place[0], len(order)))
    ranks = np.empty(len(places), dtype=np.intp)
    ranks[[places[place] for place in by_task]] = np.arange(len(places))
    unit_rows = ranks[np.array(pattern_places, dtype=np.intp)][at]
    rater_rows = np.repeat(np.array(raters, dtype=np.intp), lengths)
    rows = UnitRows(unit_rows, rater_rows, np.array(pattern_kinds, dtype=np.intp)[at])
    rows = rows[np.argsort(unit_rows, kind="stable")]
    is_model = np.array([name in models for name in names], dtype=bool)
    return tuple(_units(question, rows, by_task, tuple(names), of_kind, is_model) for question in questions)


def judgements_by_rater(
    ratings: Iterable[ReceivedRating], questions: Sequence[JudgedQuestion]
) -> dict[str, Judgements]:
    """Return all judgements of the given ratings, by rater."""
    by_rater: dict[str, Judgements] = {}
    values_by_task: dict[bytes, Mapping[str, Value]] = {}
    encode = msgspec.msgpack.Encoder().encode
    for rating in ratings:
        task, own = rating.task, by_rater.setdefault(rating.rater, {})
        for where, at_place in rating.digest.values.items():
            given = encode(at_place)
            if given not in values_by_task:
                values_by_task[given] = judgements(at_place, questions)
            place = task, where
            own[place] = {**own[place], **values_by_task[given]} if place in own else values_by_task[given]
    return by_rater


def other_counts(counts: ValueCounts, own: Value) -> ValueCounts:
    """Return the counts without one occurrence of `own`."""
    return tuple((value, n - (value == own)) for value, n in counts if n - (value == own))


def _units(
    question: JudgedQuestion,
    rows: UnitRows,
    places: Sequence[UnitPlace],
    raters: tuple[str, ...],
    of_kind: Sequence[Mapping[str, Value]],
    is_model: np.ndarray,
) -> QuestionUnits:
    """Return the units of a question. `rows`: all judgements by place, with the number of their values at it."""
    values = tuple(sorted({given[question.id] for given in of_kind if question.id in given}))
    numbers = {value: number for number, value in enumerate(values)}
    codes = np.array([numbers.get(given.get(question.id), -1) for given in of_kind], dtype=np.intp)
    given = codes[rows.value]
    own = UnitRows(rows.unit, rows.rater, given)[given >= 0]
    used, unit = compact(own.unit)
    own = UnitRows(unit, own.rater, own.value)
    by_model = is_model[own.rater]
    people, models = own[~by_model], own[by_model]
    own_places = tuple(places[place] for place in used.tolist())
    tasks: dict[str, int] = {}
    kinds, kind = _kinds_of_units(people, len(own_places), len(values))
    counts = [(number, *pair) for number, pairs in enumerate(kinds) for pair in pairs]
    return QuestionUnits(
        question=question,
        places=own_places,
        task=np.array([tasks.setdefault(task, len(tasks)) for task, _ in own_places], dtype=np.intp),
        raters=raters,
        values=values,
        people=people,
        models=models,
        kinds=tuple(tuple((values[value], count) for value, count in pairs) for pairs in kinds),
        kind=kind,
        counts=CountRows(*np.array(counts, dtype=np.intp).reshape(-1, 3).T),
    )


def _kinds_of_units(people: UnitRows, units: int, values: int) -> tuple[list[list[tuple[int, int]]], Indices]:
    """Return the distinct counts of values, each (value, count) in order, and the number of those of each unit."""
    cells, counts = np.unique(people.unit * max(values, 1) + people.value, return_counts=True)
    unit, value = np.divmod(cells, max(values, 1))
    starts = np.searchsorted(unit, np.arange(units + 1)).tolist()
    pairs = np.ascontiguousarray(np.stack([value, counts], axis=1))
    kinds: dict[bytes, int] = {}
    firsts: list[int] = []
    kind = []
    for start, end in pairwise(starts):
        key = pairs[start:end].tobytes()
        if key not in kinds:
            kinds[key] = len(kinds)
            firsts.append(len(kind))
        kind.append(kinds[key])
    distinct = [[(v, n) for v, n in pairs[starts[first] : starts[first + 1]].tolist()] for first in firsts]
    return distinct, np.array(kind, dtype=np.intp)
