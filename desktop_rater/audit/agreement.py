"""Agreement of raters on a question: units, figures, confusion matrix, pairs and the units they differ on most."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.items import distance_between, value_distance
from desktop_rater.audit.judged_questions import JudgedQuestion, Value, plain_value
from desktop_rater.audit.report import ConfusionMatrix, DifferingUnit, QuestionAgreement, RaterPair, ReportFigure
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.agreement import RatingsTable, ValueKind, counted_ratings_table, ratings_table
from desktop_rater.stats.agreement_figures import (
    AGREEMENT_FIGURES,
    AgreementFigures,
    agreement_figures,
    alpha_with_interval,
)
from desktop_rater.stats.cluster_bootstrap import Estimate, draw_weights, with_other_factor
from desktop_rater.stats.rater_agreement import pair_figures

UnitPlace = tuple[str, str]
"""A task id and a place in the task."""

ValueCounts = tuple[tuple[Value, int], ...]


class RatedUnit(Struct, frozen=True, gc=False):
    """One judged unit: `people` rater → value, `counts` value → number; `models` count in no figure of people."""

    place: UnitPlace
    people: dict[str, Value]
    counts: ValueCounts
    models: dict[str, Value]

    def value_of(self, rater: str) -> Value | None:
        own = self.people.get(rater)
        return self.models.get(rater) if own is None else own

    def others(self, rater: str) -> ValueCounts:
        own = self.people.get(rater)
        if own is None:
            return self.counts
        return tuple((value, n - (value == own)) for value, n in self.counts if n - (value == own))


class QuestionUnits(Struct, frozen=True):
    """All units of a question, in the order of their tasks."""

    question: JudgedQuestion
    units: tuple[RatedUnit, ...]

    @property
    def shared(self) -> tuple[RatedUnit, ...]:
        return tuple(unit for unit in self.units if len(unit.people) > 1)


Judgements = dict[UnitPlace, Mapping[str, Value]]
"""Place → question id → value."""


def judgements_by_rater(
    ratings: Iterable[ReceivedRating], questions: Sequence[JudgedQuestion]
) -> dict[str, Judgements]:
    """Return all judgements of the given ratings, by rater. Most places have the same values as many others."""
    by_rater: dict[str, Judgements] = {}
    known: dict[str, Mapping[str, Value]] = {}
    for rating in ratings:
        task, own = rating.task, by_rater.setdefault(rating.rater, {})
        for where, at_place in rating.digest.values.items():
            given = repr(at_place)  # exact, while 1 == True
            if given not in known:
                known[given] = judgements(at_place, questions)
            place = task, where
            own[place] = {**own[place], **known[given]} if place in own else known[given]
    return by_rater


def units_by_question(
    questions: Sequence[JudgedQuestion],
    by_rater: Mapping[str, Judgements],
    tasks: Sequence[str],
    models: frozenset[str],
) -> tuple[QuestionUnits, ...]:
    """Return the units of each question."""
    given: dict[str, dict[UnitPlace, dict[str, Value]]] = {question.id: {} for question in questions}
    for rater, own in by_rater.items():
        for place, values in own.items():
            for name, value in values.items():
                people = given[name].get(place)
                if people is None:
                    given[name][place] = {rater: value}
                else:
                    people[rater] = value
    order = {task: number for number, task in enumerate(tasks)}
    result = []
    counted: dict[tuple[Value, ...], ValueCounts] = {}
    for question in questions:
        places = sorted(given[question.id].items(), key=lambda item: order.get(item[0][0], len(order)))
        result.append(QuestionUnits(question, tuple(_unit(place, values, models, counted) for place, values in places)))
    return tuple(result)


def judgements(at_place: Mapping[str, Any], questions: Sequence[JudgedQuestion]) -> dict[str, Value]:
    """Return every judgement at one place, by question."""
    question_ids = {question.id for question in questions}
    values = {name: plain_value(raw) for name, raw in at_place.items() if name in question_ids}
    values |= {question.id: question.value(at_place) for question in questions if question.id != question.question}
    return {name: value for name, value in values.items() if value is not None}


def majority_value(counts: ValueCounts) -> Value | None:
    """Return the most frequent value; `None` if there is a tie or no value."""
    best = max((n for _, n in counts), default=0)
    most = [value for value, n in counts if n == best]
    return most[0] if len(most) == 1 else None


def _unit(
    place: UnitPlace,
    values: dict[str, Value],
    models: frozenset[str],
    counted: dict[tuple[Value, ...], ValueCounts],
) -> RatedUnit:
    if models.isdisjoint(values):
        people, of_models = values, {}
    else:
        people = {rater: value for rater, value in values.items() if rater not in models}
        of_models = {rater: value for rater, value in values.items() if rater in models}
    ordered = tuple(sorted(people.values()))
    if ordered not in counted:
        counted[ordered] = tuple(Counter(ordered).items())
    return RatedUnit(place, people, counted[ordered], of_models)


MOST_DIFFERING = 12  # units listed
FEW_VALUES = 16
LEAST = {"percent": 0.0}  # no figure is above 1, and this one not below 0
_STEPS = "krippendorff_alpha.interval"


def question_agreement(units: QuestionUnits, seed: int, *, raters_random: bool = False) -> QuestionAgreement:
    """Compute all figures of agreement on a question, with intervals over tasks.

    `raters_random`: the intervals also cover that other raters might have been asked.
    """
    question, shared = units.question, units.shared
    rated = [unit for unit in units.units if unit.people]
    raters = sorted(set[str]().union(*(unit.people for unit in rated)))
    rows = {task: row for row, task in enumerate(dict.fromkeys(unit.place[0] for unit in rated))}
    clusters, weights = [rows[unit.place[0]] for unit in rated], draw_weights(seed, list(rows))
    table = _table(rated, raters)
    computed = agreement_figures(table, question.measure, clusters, weights)
    estimates = computed.figures
    if question.measure == "ordinal" and "krippendorff_alpha" in estimates:
        estimates[_STEPS] = alpha_with_interval(table, "interval", clusters, weights)
    elif question.measure == "ordinal":
        computed.undefined[_STEPS] = computed.undefined["krippendorff_alpha"]
    if raters_random:
        computed = computed._replace(figures=_over_raters(estimates, rated, raters, question.measure))
    return QuestionAgreement(
        question=question,
        figures=as_figures(computed, table.pairable_units, len(raters)),
        units=len(shared),
        ratings=sum(len(unit.people) for unit in units.units),
        pairs=sum(len(unit.people) * (len(unit.people) - 1) // 2 for unit in shared),
        rated=len(rated),
        raters=len(raters),
        tasks=computed.tasks,
    )


def _table(rated: Sequence[RatedUnit], raters: Sequence[str], without: str = "") -> RatingsTable:
    if len(raters) == 2 and not without:  # their ratings of a unit are compared in the order of the raters
        return ratings_table({str(index): unit.people for index, unit in enumerate(rated)})
    counts = (unit.others(without) if without else unit.counts for unit in rated)
    return counted_ratings_table((rater for rater in raters if rater != without), [given for given in counts if given])


def _over_raters(
    estimates: Mapping[str, Estimate], rated: Sequence[RatedUnit], raters: Sequence[str], measure: ValueKind
) -> dict[str, Estimate]:
    """Widen the intervals by what the figures vary if one rater at a time is left out."""
    kinds: dict[str, ValueKind] = dict.fromkeys(estimates, measure) | {_STEPS: "interval"}
    computed = {figure.name: figure.compute for figure in AGREEMENT_FIGURES}
    without: dict[str, list[float]] = {name: [] for name in estimates}
    for rater in raters:
        table = _table(rated, raters, rater)
        for name, values in without.items():
            compute = computed[name.removesuffix(".interval")]
            value = compute(table, kinds[name]) if table.pairable_units else None
            values.append(nan if value is None else value)
    widened = {name: with_other_factor(estimate, np.array(without[name])) for name, estimate in estimates.items()}
    return {
        name: estimate
        if estimate.low is None or estimate.high is None
        else estimate._replace(low=max(estimate.low, LEAST.get(name, -1.0)), high=min(estimate.high, 1.0))
        for name, estimate in widened.items()
    }


def as_figure(estimate: Estimate, n: int, raters: int = 0) -> ReportFigure:
    """Convert an estimate over tasks to a report figure; `n`: the number of units."""
    value, low, high, tasks, why = estimate
    return ReportFigure(value=value, low=low, high=high, n=n, tasks=tasks, raters=raters, why=why)


def as_figures(computed: AgreementFigures, n: int, raters: int = 0) -> dict[str, ReportFigure]:
    """Convert the figures of a table to report figures."""
    result = {name: as_figure(estimate, n, raters) for name, estimate in computed.figures.items()}
    base = ReportFigure(n=n, tasks=computed.tasks, raters=raters)
    return result | {name: replace(base, why=why) for name, why in computed.undefined.items()}


def confusion_matrix(units: QuestionUnits, only: str = "") -> ConfusionMatrix | None:
    """Count given labels against the majority of the others; `None` for a question without a fixed set of values.

    `only`: count the labels of this rater alone.
    """
    values = tuple(look.id for look in units.question.looks)
    if not values:
        return None
    position = {value: number for number, value in enumerate(values)}
    counts = [[0] * len(values) for _ in values]
    tied = 0
    for (given, others, with_own), times in Counter(_given(unit, only) for unit in units.units).items():
        for value, n in given:
            most = majority_value(other_counts(others, value) if with_own else others)
            if most is None or value not in position or most not in position:
                tied += n * times
            else:
                counts[position[value]][position[most]] += n * times
    return ConfusionMatrix(question=units.question.id, values=values, counts=tuple(map(tuple, counts)), tied=tied)


def _given(unit: RatedUnit, only: str) -> tuple[ValueCounts, ValueCounts, bool]:
    """Return the values to compare, those to compare with, and whether the latter contain the former."""
    if only in unit.models:
        return ((unit.models[only], 1),) if unit.counts else (), unit.counts, False
    if len(unit.people) < 2:
        return (), (), True
    if not only:
        return unit.counts, unit.counts, True
    own = unit.people.get(only)
    return ((own, 1),) if own is not None else (), unit.counts, True


def other_counts(counts: ValueCounts, own: Value) -> ValueCounts:
    """Return the counts without one occurrence of `own`."""
    return tuple((value, n - (value == own)) for value, n in counts if n - (value == own))


def most_differing_units(units: QuestionUnits) -> tuple[DifferingUnit, ...]:
    """Return the units that disagree most; among equals those judged by most people first."""
    question = units.question
    differing = [unit for unit in units.shared if len(unit.counts) > 1]
    apart_by = {counts: value_distance(question, dict(counts)) for counts in {unit.counts for unit in differing}}
    most = sorted(differing, key=lambda unit: (-apart_by[unit.counts], -len(unit.people)))
    return tuple(_differing(question, unit, unit.counts, apart_by[unit.counts]) for unit in most[:MOST_DIFFERING])


def most_differing_by_rater(units: QuestionUnits) -> dict[str, tuple[DifferingUnit, ...]]:
    """Return for each rater the units that differ most from the others, those with the most consensus first."""
    by_rater: dict[str, list[_Distant]] = {}
    span = units.question.span
    for index, unit in enumerate(units.units):
        if len(unit.counts) > 1:
            of_value = {
                value: _distant(index, value, other_counts(unit.counts, value), span) for value, _ in unit.counts
            }
            for rater, value in unit.people.items():
                by_rater.setdefault(rater, []).append(of_value[value])
        for rater, value in unit.models.items() if unit.counts else ():
            far = _distant(index, value, unit.counts, span)
            if far.distance:
                by_rater.setdefault(rater, []).append(far)
    return {
        rater: tuple(
            _differing(units.question, units.units[far.at], far.others, far.distance, far.own)
            for far in nsmallest(MOST_DIFFERING, of)
        )
        for rater, of in by_rater.items()
    }


class _Distant(NamedTuple):
    """Sort key of a unit: distance of a value from the others', then how many of them agree on one other value."""

    nearness: float
    few: int
    at: int
    own: Value
    others: ValueCounts

    @property
    def distance(self) -> float:
        return -self.nearness


def _distant(index: int, own: Value, others: ValueCounts, span: float) -> _Distant:
    count = sum(n for _, n in others)
    distance = sum(distance_between(own, value, span) * n for value, n in others if value != own) / count
    return _Distant(-distance, -max((n for value, n in others if value != own), default=0), index, own, others)


def _differing(
    question: JudgedQuestion, unit: RatedUnit, counts: ValueCounts, distance: float, own: Value | None = None
) -> DifferingUnit:
    order = {look.id: index for index, look in enumerate(question.looks)}
    given = sorted(counts, key=lambda item: (-item[1], order.get(item[0], len(order))))
    task, where = unit.place
    return DifferingUnit(
        task=task, where=where, question=question.id, quote="", given=tuple(given), distance=distance, own=own
    )


def rater_pairs(units: QuestionUnits, raters: Sequence[str], only: str = "") -> Iterator[RaterPair]:
    """Yield each pair of people with common units, or each with rater `only`, possibly a model."""
    question = units.question
    named = sorted({*raters, only} - {""})
    values = sorted({value for unit in units.units for value in (*unit.people.values(), *unit.models.values())})
    numbers = {value: number for number, value in enumerate(values)}
    tasks = {task: row for row, task in enumerate(dict.fromkeys(unit.place[0] for unit in units.units))}
    rows = np.array([tasks[unit.place[0]] for unit in units.units], dtype=np.intp)
    given = np.full((len(named), len(rows)), -1, dtype=np.intp)
    positions = {rater: position for position, rater in enumerate(named)}
    for column, unit in enumerate(units.units):
        for rater, value in (*unit.models.items(), *unit.people.items()):
            if rater in positions:
                given[positions[rater], column] = numbers[value]
    rated = given >= 0
    for first, second in combinations(range(len(named)), 2):
        if only not in {"", named[first], named[second]}:
            continue
        both = np.flatnonzero(rated[first] & rated[second])
        if len(both):
            own, others, used = given[first, both], given[second, both], values
            if len(values) > FEW_VALUES:
                numbers_used, compact = np.unique(np.stack([own, others]), return_inverse=True)
                (own, others), used = compact.reshape(2, -1), [values[number] for number in numbers_used]
            computed = pair_figures(own, others, rows[both], used, question.measure)
            figures = as_figures(computed, len(both), 2)
            yield RaterPair(question=question.id, one=named[first], other=named[second], figures=figures)
