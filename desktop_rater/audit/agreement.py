"""Agreement of raters on a question: units, figures, confusion matrix, pairs and the units they differ on most."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import nan

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.items import value_distance
from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.question_units import QuestionUnits, UnitPlace, UnitRows, ValueCounts
from desktop_rater.audit.report import ConfusionMatrix, DifferingUnit, QuestionAgreement, RaterPair, ReportFigure
from desktop_rater.stats.agreement import RatingsTable, ValueKind, counted_ratings_table, ratings_table
from desktop_rater.stats.agreement_figures import (
    AGREEMENT_FIGURES,
    AgreementFigures,
    agreement_figures,
    alpha_with_interval,
)
from desktop_rater.stats.cluster_bootstrap import Estimate, Indices, compact, draw_weights, draws_for, with_other_factor
from desktop_rater.stats.rater_agreement import pair_figures

MOST_PAIRED = 200_000  # rows of the raters that one is paired with at once, besides those of the last of them
MOST_DIFFERING = 12  # units listed
FEW_VALUES = 16
LEAST = {"percent": 0.0}  # no figure is above 1, and this one not below 0
_STEPS = "krippendorff_alpha.interval"


def question_agreement(units: QuestionUnits, seed: int, *, raters_random: bool = False) -> QuestionAgreement:
    """Compute all figures of agreement on a question, with intervals over tasks.

    `raters_random`: the intervals also cover that other raters might have been asked.
    """
    rated = np.flatnonzero(units.sizes)
    tasks, clusters = units.tasks_of(rated)
    numbers = np.unique(units.people.rater).tolist()

    without = (_table(units, rated, numbers, rater) for rater in numbers)
    table = _table(units, rated, numbers)
    return agreement_of_table(units.question, table, clusters, tasks, seed, without if raters_random else None)


def agreement_of_table(
    question: JudgedQuestion,
    table: RatingsTable,
    clusters: Indices,
    tasks: Sequence[str],
    seed: int,
    without: Iterable[RatingsTable] | None = None,
) -> QuestionAgreement:
    """Compute all figures of agreement from a table. `clusters`: the number in `tasks` of each of its entries.

    `without`: the table without each one rater; the intervals then also cover that others might have been asked.
    """
    weights = draw_weights(seed, tasks, draws_for(len(tasks)))
    computed = agreement_figures(table, question.measure, clusters, weights)
    estimates = computed.figures
    if question.measure == "ordinal" and "krippendorff_alpha" in estimates:
        estimates[_STEPS] = alpha_with_interval(table, "interval", clusters, weights)
    elif question.measure == "ordinal":
        computed.undefined[_STEPS] = computed.undefined["krippendorff_alpha"]
    if without is not None:
        computed = computed._replace(figures=_over_raters(estimates, question.measure, without))
    units = table.pairable_units
    return QuestionAgreement(
        question=question,
        figures=as_figures(computed, units, len(table.raters)),
        units=units,
        ratings=sum(times * row.size for row, times in table.each()),
        pairs=sum(times * (row.size * (row.size - 1) // 2) for row, times in table.pairable()),
        rated=table.units,
        raters=len(table.raters),
        tasks=computed.tasks,
    )


def _table(units: QuestionUnits, rated: Indices, raters: Sequence[int], without: int | None = None) -> RatingsTable:
    if len(raters) == 2 and without is None:  # their ratings of a unit are compared in the order of the raters
        return ratings_table({str(index): given for index, given in enumerate(units.people_of(rated))})
    names = (units.raters[rater] for rater in raters if rater != without)
    if without is None:
        return counted_ratings_table(names, [units.kinds[kind] for kind in units.kind[rated].tolist()])
    return counted_ratings_table(names, [given for given in units.counts_without(without) if given])


def _over_raters(
    estimates: Mapping[str, Estimate], measure: ValueKind, without: Iterable[RatingsTable]
) -> dict[str, Estimate]:
    """Widen the intervals by what the figures vary if one rater at a time is left out."""
    kinds: dict[str, ValueKind] = dict.fromkeys(estimates, measure) | {_STEPS: "interval"}
    computed = {figure.name: figure.compute for figure in AGREEMENT_FIGURES}
    varied: dict[str, list[float]] = {name: [] for name in estimates}
    for table in without:
        for name, values in varied.items():
            compute = computed[name.removesuffix(".interval")]
            value = compute(table, kinds[name]) if table.pairable_units else None
            values.append(nan if value is None else value)
    widened = {name: with_other_factor(estimate, np.array(varied[name])) for name, estimate in estimates.items()}
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
    return confusion_of(units.question, _beside_majorities(units, only)) if units.question.looks else None


def confusion_of(question: JudgedQuestion, given: Mapping[tuple[Value, Value | None], int]) -> ConfusionMatrix:
    """Return the matrix of values that were given, each with the majority of the others, `None` if there is a tie."""
    values = tuple(look.id for look in question.looks)
    position = {value: number for number, value in enumerate(values)}
    counts = [[0] * len(values) for _ in values]
    tied = 0
    for (value, most), times in given.items():
        if most is None or value not in position or most not in position:
            tied += times
        else:
            counts[position[value]][position[most]] += times
    return ConfusionMatrix(question=question.id, values=values, counts=tuple(map(tuple, counts)), tied=tied)


def _beside_majorities(units: QuestionUnits, only: str) -> Counter[tuple[Value, Value | None]]:
    """Count each value given, of people or of one rater, with the majority of the others, `None` if there is a tie."""
    compared, values = units.compared, units.values
    kinds = compared.people
    if only:
        number = units.raters.index(only) if only in units.raters else -1
        kinds = np.concatenate(
            [compared.people[units.people.rater == number], compared.models[units.models.rater == number]]
        )
    times = np.bincount(kinds[kinds >= 0], minlength=len(compared.own))
    counted: Counter[tuple[Value, Value | None]] = Counter()
    for own, most, count in zip(compared.own.tolist(), compared.majority.tolist(), times.tolist(), strict=True):
        counted[values[own], values[most] if most >= 0 else None] += count
    return counted


def most_differing_units(units: QuestionUnits) -> tuple[DifferingUnit, ...]:
    """Return the units that disagree most; among equals those judged by most people first."""
    apart = np.array([value_distance(units.question, dict(counts)) for counts in units.kinds])
    differing = units.shared[[len(units.kinds[kind]) > 1 for kind in units.kind[units.shared].tolist()]]
    distances = apart[units.kind[differing]]
    most = np.lexsort((-units.sizes[differing], -distances))[:MOST_DIFFERING]
    return tuple(
        differing_unit(
            units.question, units.places[unit], units.kinds[int(units.kind[unit])], float(apart[units.kind[unit]])
        )
        for unit in differing[most].tolist()
    )


def most_differing_by_rater(units: QuestionUnits) -> dict[str, tuple[DifferingUnit, ...]]:
    """Return for each rater the units that differ most from the others, those with the most consensus first."""
    compared, others = units.compared, units.compared.others
    own = compared.own[others.kind]
    distance = (others.value != own).astype(np.float64)
    if units.question.span and all(isinstance(value, float) for value in units.values):
        numbers = np.array(units.values, dtype=np.float64)
        distance = np.minimum(1.0, np.abs(numbers[others.value] - numbers[own]) / units.question.span)
    total = np.bincount(others.kind, distance * others.count, len(compared.own))
    apart = np.divide(total, compared.sizes)
    agreed = np.zeros(len(compared.own), dtype=np.intp)
    differs = others.value != own
    np.maximum.at(agreed, others.kind[differs], others.count[differs])
    several = np.array([len(counts) > 1 for counts in units.kinds], dtype=bool)
    listed: dict[str, tuple[DifferingUnit, ...]] = {}
    for rows, kinds, is_model in ((units.people, compared.people, False), (units.models, compared.models, True)):
        wanted = kinds >= 0
        wanted[wanted] = apart[kinds[wanted]] > 0 if is_model else several[units.kind[rows.unit[wanted]]]
        rows, kinds = rows[wanted], kinds[wanted]  # noqa: PLW2901 - those that are listed
        order = np.lexsort((rows.unit, -agreed[kinds], -apart[kinds], rows.rater))
        for rater, first in zip(*np.unique(rows.rater[order], return_index=True), strict=True):
            most = [at for at in order[first : first + MOST_DIFFERING].tolist() if rows.rater[at] == rater]
            listed[units.raters[rater]] = tuple(
                differing_unit(units.question, units.places[rows.unit[at]], _rest(units, int(kinds[at])),
                               float(apart[kinds[at]]), units.values[rows.value[at]])
                for at in most
            )  # fmt: skip
    return listed


def _rest(units: QuestionUnits, kind: int) -> ValueCounts:
    """Return the counts of the others of a kind of judgement."""
    others = units.compared.others
    rows = slice(*np.searchsorted(others.kind, (kind, kind + 1)).tolist())
    pairs = zip(others.value[rows].tolist(), others.count[rows].tolist(), strict=True)
    return tuple((units.values[value], count) for value, count in pairs)


def differing_unit(
    question: JudgedQuestion, place: UnitPlace, counts: ValueCounts, distance: float, own: Value | None = None
) -> DifferingUnit:
    """Return a unit with the values given there, the most frequent first."""
    order = {look.id: index for index, look in enumerate(question.looks)}
    given = sorted(counts, key=lambda item: (-item[1], order.get(item[0], len(order))))
    task, where = place
    return DifferingUnit(
        task=task, where=where, question=question.id, quote="", given=tuple(given), distance=distance, own=own
    )


def rater_pairs(units: QuestionUnits, raters: Sequence[str], only: str = "") -> Iterator[RaterPair]:
    """Yield each pair of people with common units, or each with rater `only`, possibly a model."""
    named = sorted({*raters, only} - {""})
    places = {rater: place for place, rater in enumerate(named)}
    ranks = np.array([places.get(rater, -1) for rater in units.raters], dtype=np.intp)
    both = (units.people, units.models)
    unit, rater, value = (np.concatenate([getattr(rows, name) for rows in both]) for name in ("unit", "rater", "value"))
    rows = UnitRows(unit, ranks[rater], value)[np.lexsort((unit, ranks[rater]))]
    starts = np.searchsorted(rows.rater, np.arange(len(named) + 1)).tolist()
    for first in [places[only]] if only else range(len(named)):
        own = rows[starts[first] : starts[first + 1]]
        given = np.full(len(units.places), -1)
        given[own.unit] = own.value
        for start, end in pairwise(_starts_of_blocks(starts[0 if only else first + 1 :])):
            others = rows[start:end]
            others = others[(given[others.unit] >= 0) & (others.rater != first)]
            seconds, pair = compact(others.rater)
            columns = np.stack([pair, given[others.unit], others.value, units.task[others.unit]])
            counts = np.bincount(pair).tolist()
            for second, count, figures in zip(seconds.tolist(), counts, _figures_of_pairs(columns, units), strict=True):
                one, other = (named[place] for place in sorted((first, second)))
                yield RaterPair(question=units.question.id, one=one, other=other, figures=as_figures(figures, count, 2))


def _starts_of_blocks(starts: Sequence[int]) -> list[int]:
    """Return where blocks of some raters' rows begin, and the end. `starts`: where each rater's rows do, and the end.

    Its figures take some hundred bytes for each row.
    """
    begins = [start for before, start in pairwise(starts[:-1]) if start // MOST_PAIRED != before // MOST_PAIRED]
    return [*starts[:1], *begins, *starts[1:][-1:]]


def _figures_of_pairs(columns: Indices, units: QuestionUnits) -> Iterator[AgreementFigures]:
    """Yield the figures of each pair of raters. `columns`: pair, both values and task of each common unit, by pair."""
    values, measure = units.values, units.question.measure
    if len(values) <= FEW_VALUES:
        pair, first, second, task = columns
        yield from pair_figures(pair, first, second, task, values, measure) if len(pair) else ()
        return
    for start, end in pairwise(np.searchsorted(columns[0], np.arange(columns[0].max(initial=-1) + 2)).tolist()):
        _, first, second, task = columns[:, start:end]
        used, (own, others) = compact(np.stack([first, second]))
        numbers = [values[number] for number in used.tolist()]
        yield from pair_figures(np.zeros_like(task), own, others, task, numbers, measure)
