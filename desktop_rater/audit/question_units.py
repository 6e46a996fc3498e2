"""Units of the questions whose answers are compared: which raters answered where, as arrays."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from desktop_rater.audit.questions import JudgedQuestion, Measure, Value, judgements
from desktop_rater.audit.results import ReceivedRating, decoded
from desktop_rater.stats.cluster_bootstrap import Floats, Indices, compact

_MEASURES: dict[str, Measure] = {"choice": "nominal", "choices": "nominal", "scale": "ordinal", "number": "interval"}


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
