"""Agreement of raters on a question: units, figures, confusion matrix, pairs and the units they differ on most."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct

from desktop_rater.audit.items import distance_between, value_distance
from desktop_rater.audit.judged_questions import JudgedQuestion, Value, plain_value
from desktop_rater.audit.report import ConfusionMatrix, DifferingUnit, QuestionAgreement, RaterPair, ReportFigure
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import RatingsTable, counted_ratings_table, pair_ratings_table, ratings_table
from desktop_rater.stats.agreement_figures import (
    REASON_ALL_EQUAL,
    REASON_NO_PAIR,
    AgreementFigures,
    agreement_figures,
    intervals_of_sums,
)
from desktop_rater.stats.bootstrap import unit_sums, wilson_interval

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
MOST_RATERS_IN_PAIRS = 60
_STEPS = "krippendorff_alpha.interval"


def seeded_random(seed: int, *names: str) -> Random:
    """Return a random generator for one figure alone, so that no other figure affects it."""
    return Random("\n".join([str(seed), *names]))  # noqa: S311 - draws of a bootstrap


def question_agreement(units: QuestionUnits, seed: int, picks: int) -> QuestionAgreement:
    """Compute all figures of agreement on a question; bootstrap intervals draw up to `picks` units."""
    question = units.question
    shared = units.shared
    table = _table(units)
    values = as_figures(
        agreement_figures(table, question.measure, seeded_random(seed, question.id), picks), table.pairable_units
    )
    if question.measure == "ordinal":
        values[_STEPS] = _with_steps(table, seeded_random(seed, question.id, _STEPS), picks)
    return QuestionAgreement(
        question=question,
        figures=values,
        units=len(shared),
        ratings=sum(len(unit.people) for unit in units.units),
        pairs=sum(len(unit.people) * (len(unit.people) - 1) // 2 for unit in shared),
        rated=sum(bool(unit.people) for unit in units.units),
        raters=len(table.raters),
    )


def _table(units: QuestionUnits) -> RatingsTable:
    raters = set[str]().union(*(unit.people for unit in units.units))
    if len(raters) == 2:  # their ratings of a unit are compared in the order of the raters
        return ratings_table({str(index): unit.people for index, unit in enumerate(units.units) if unit.people})
    return counted_ratings_table(raters, Counter(unit.counts for unit in units.units if unit.people))


def as_figures(computed: AgreementFigures, n: int) -> dict[str, ReportFigure]:
    """Convert the figures of a table to report figures."""
    result = {}
    for name, value in computed.values.items():
        low, high = computed.intervals.get(name, (None, None))
        result[name] = ReportFigure(value=value, low=low, high=high, n=n)
    return result | {name: ReportFigure(n=n, why=why) for name, why in computed.undefined.items()}


def _with_steps(table: RatingsTable, random: Random, picks: int) -> ReportFigure:
    value = agreement.krippendorff_alpha(table, "interval") if table.pairable_units else None
    if value is None:
        return ReportFigure(n=table.pairable_units, why=REASON_ALL_EQUAL if table.pairable_units else REASON_NO_PAIR)
    sums = unit_sums(table, "interval") if table.pairable_units > 1 else None
    ends = {} if sums is None else intervals_of_sums(sums, {"krippendorff_alpha": value}, random, picks)
    low, high = ends.get("krippendorff_alpha", (None, None))
    return ReportFigure(value=value, low=low, high=high, n=table.pairable_units)


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


def rater_pairs(units: QuestionUnits, raters: Sequence[str], only: str = "") -> Iterable[RaterPair]:
    """Yield each pair of people, or each with rater `only`, possibly a model; nothing if there are too many."""
    if len(raters) > MOST_RATERS_IN_PAIRS and not only:
        return
    named = sorted({*raters, only} - {""})
    given: dict[str, list[Value | None]] = {rater: [unit.value_of(rater) for unit in units.units] for rater in named}
    for first, second in combinations(named, 2):
        if only in {"", first, second}:
            met = Counter(zip(given[first], given[second], strict=True))
            both = {(a, b): count for (a, b), count in met.items() if a is not None and b is not None}
            if both:
                yield _pair(units.question, first, second, both)


def _pair(question: JudgedQuestion, rater: str, other_rater: str, counts: dict[tuple[Value, Value], int]) -> RaterPair:
    table = pair_ratings_table((rater, other_rater), counts)
    n = sum(counts.values())
    same = sum(times for (first, other_value), times in counts.items() if first == other_value)
    low, high = wilson_interval(same, n)
    values = {
        "cohen_kappa": agreement.cohen_kappa(table),
        "krippendorff_alpha": agreement.krippendorff_alpha(table, question.measure),
    }
    figures_of = {"percent": ReportFigure(value=same / n, low=low, high=high, n=n)}
    for name, value in values.items():
        figures_of[name] = ReportFigure(value=value, n=n, why="" if value is not None else REASON_ALL_EQUAL)
    return RaterPair(question=question.id, one=rater, other=other_rater, figures=figures_of)
