"""Figures of agreement, of each question and of each rater."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.items import is_near, value_distance
from desktop_rater.audit.question_units import (
    Judgements,
    QuestionUnits,
    RowsByRater,
    UnitPlace,
    UnitRows,
    ValueCounts,
    judgements_by_rater,
)
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import (
    ConfusionMatrix,
    DifferingUnit,
    LabelChanges,
    QuestionAgreement,
    RaterFigures,
    RaterPair,
    ReportFigure,
    TimeSpread,
)
from desktop_rater.audit.results import ReceivedRating, unresearched_hits
from desktop_rater.stats.agreement import RatingsTable, ValueKind, counted_ratings_table, ratings_table
from desktop_rater.stats.agreement_figures import (
    AgreementFigures,
    SingleRatings,
    agreement_figures,
    alpha_with_interval,
    over_raters,
)
from desktop_rater.stats.cluster_bootstrap import (
    Estimate,
    Floats,
    Indices,
    compact,
    draw_weights,
    draws_for,
    quantile_interval,
    share,
)
from desktop_rater.stats.rater_agreement import OthersAgreement, pair_figures
from desktop_rater.translation import N_

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
    table = _table(units, rated)
    return agreement_of_table(
        units.question, table, clusters, tasks, seed, _single_ratings(units, rated, table) if raters_random else None
    )


def agreement_of_table(
    question: JudgedQuestion,
    table: RatingsTable,
    clusters: Indices,
    tasks: Sequence[str],
    seed: int,
    given: SingleRatings | None = None,
) -> QuestionAgreement:
    """Compute all figures of agreement from a table. `clusters`: the number in `tasks` of each of its entries.

    `given`: the single ratings; the intervals then also cover that others might have been asked.
    """
    weights = draw_weights(seed, tasks, draws_for(len(tasks)))
    computed = agreement_figures(table, question.measure, clusters, weights)
    estimates = computed.figures
    if question.measure == "ordinal" and "krippendorff_alpha" in estimates:
        estimates[_STEPS] = alpha_with_interval(table, "interval", clusters, weights)
    elif question.measure == "ordinal":
        computed.undefined[_STEPS] = computed.undefined["krippendorff_alpha"]
    if given is not None and estimates:
        computed = computed._replace(figures=_over_raters(estimates, question.measure, table, given))
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


def _table(units: QuestionUnits, rated: Indices) -> RatingsTable:
    raters = np.unique(units.people.rater).tolist()
    if len(raters) == 2:  # their ratings of a unit are compared in the order of the raters
        return ratings_table({str(index): given for index, given in enumerate(units.people_of(rated))})
    names = (units.raters[rater] for rater in raters)
    return counted_ratings_table(names, [units.kinds[kind] for kind in units.kind[rated].tolist()])


def _single_ratings(units: QuestionUnits, rated: Indices, table: RatingsTable) -> SingleRatings:
    people = units.people
    row = np.asarray(table.kinds, dtype=np.intp)[np.searchsorted(rated, people.unit)]
    place = np.array([table.places.get(value, -1) for value in units.values], dtype=np.intp)
    return SingleRatings(people.rater, units.task[people.unit], row, place[people.value], np.ones_like(row))


def _over_raters(
    estimates: Mapping[str, Estimate], measure: ValueKind, table: RatingsTable, given: SingleRatings
) -> dict[str, Estimate]:
    """Widen the intervals by what the figures vary with the raters."""
    widened = over_raters(estimates, table, measure, given)
    if _STEPS in widened:
        steps = over_raters({"krippendorff_alpha": estimates[_STEPS]}, table, "interval", given)
        widened[_STEPS] = steps["krippendorff_alpha"]
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


NO_GOLD = N_("Report", "no gold")
NO_REPEATS = N_("Report", "no repeated tasks")
NO_OTHERS = N_("Report", "no other ratings")
NOBODY_WAITS: Callable[[int], None] = lambda _done: None  # noqa: E731 - the default of `advanced`
MOST_SHARES = 30  # of a question with more values, such as a number, shares say nothing

AcceptedValues = dict[tuple[str, UnitPlace], tuple[Value | None, ...]]
"""Question and place → the correct answers; `None` for each gold answer that leaves it out."""

Hits = list[tuple[str, bool]]
"""Comparisons, each with its task, and whether both sides are equal."""


class ComparisonBasis(NamedTuple):
    """Data that raters are compared with.

    `judgements`: rater → all judgements. `judged`: the questions that are judgements, each once; `dependent`: those
    combined of claims' answers, which count only where both sides have a value. `twice`: groups of tasks with the same
    text. `earlier`: rater → superseded ratings; `other_rubrics`: results by another. `scores`: rater → mean score of
    written justifications. `unresearched`: the rubric has answers that need no research.
    """

    questions: tuple[JudgedQuestion, ...]
    units: tuple[QuestionUnits, ...]
    judgements: Mapping[str, Judgements]
    chosen: str
    judged: frozenset[str]
    dependent: frozenset[str]
    gold: AcceptedValues
    tolerance: int
    twice: tuple[tuple[str, ...], ...]
    earlier: Mapping[str, Sequence[ReceivedRating]]
    other_rubrics: Collection[str]
    seed: int
    scores: Mapping[str, ReportFigure]
    unresearched: bool


class AnswerRows(NamedTuple):
    """Answers of a rater: the number of the task of each, of the value, and of the kind beside the others or -1.

    `repeats`: how many there are of each, by default one.
    """

    task: Indices
    value: Indices
    kind: Indices
    repeats: Indices | None = None

    @property
    def times(self) -> Indices:
        return np.ones(len(self.task), dtype=np.intp) if self.repeats is None else self.repeats


class RaterAnswers(NamedTuple):
    """Figures of a rater's answers to a question: how many, and how they agree with the others.

    `labels`: the count of each value that the question offers, `None` if it offers none, and `shares` the shares.
    """

    judged: int
    figures: Mapping[str, ReportFigure]
    labels: tuple[int, ...] | None = None
    shares: tuple[ReportFigure, ...] = ()


def rater_figures(
    given: Mapping[str, list[ReceivedRating]],
    models: frozenset[str],
    basis: ComparisonBasis,
    only: str = "",
    advanced: Callable[[int], None] = NOBODY_WAITS,
) -> tuple[RaterFigures, ...]:
    """Return the figures of each rater by name, or of one. `given`: rater → effective ratings.

    `advanced` is called with the number of ratings that are counted.
    """
    against = {units.question.id: _against(units) for units in basis.units}
    chosen = against[basis.chosen].units if basis.chosen in against else None
    differing = most_differing_by_rater(chosen) if chosen is not None else {}
    rows, done = [], 0
    for rater in sorted(given) if not only else [only] if only in given else []:
        advanced(done)
        answers = {name: others.answers(rater) for name, others in against.items()}
        row = figures_of_rater(rater, given[rater], basis, answers, model=rater in models)
        rows.append(replace(row, differing=differing.get(rater, ())))
        done += len(given[rater])
    return tuple(rows)


@dataclass(frozen=True, eq=False)
class _Against:
    """Question with each rater's units, as numbers of their kinds in `sums`, and the numbers of their tasks."""

    units: QuestionUnits
    numbers: Mapping[str, int]
    people: RowsByRater
    models: RowsByRater
    sums: OthersAgreement

    def answers(self, rater: str) -> RaterAnswers:
        """Return the figures of a rater's answers."""
        rows, kinds = self._of(rater)
        task = self.units.task[rows.unit]
        return rater_answers(self.units.question, self.units.values, self.sums, AnswerRows(task, rows.value, kinds))

    def _of(self, rater: str) -> tuple[UnitRows, Indices]:
        """Return a rater's judgements, and the kind of each beside the others, -1 without others."""
        number = self.numbers.get(rater, -1)
        rows, kinds = self.people.of(number)
        return (rows, kinds) if len(rows) else self.models.of(number)


def _against(units: QuestionUnits) -> _Against:
    compared = units.compared
    others, sizes = compared.others, compared.sizes
    sums = OthersAgreement(
        units.values,
        units.question.measure,
        compared.own,
        compared.alike / sizes,
        others.kind,
        others.value,
        others.count / sizes[others.kind],
    )
    numbers = {rater: number for number, rater in enumerate(units.raters)}
    return _Against(
        units, numbers, RowsByRater(units.people, compared.people), RowsByRater(units.models, compared.models), sums
    )


def figures_of_rater(
    rater: str,
    ratings: Sequence[ReceivedRating],
    basis: ComparisonBasis,
    answers: Mapping[str, RaterAnswers],
    *,
    model: bool,
) -> RaterFigures:
    """Return all figures of a rater but the units that differ. `answers`: question → figures of the answers."""
    digests = [rating.digest for rating in ratings]
    warnings = [warning for digest in digests for warning in digest.warnings]
    judged = basis.judgements.get(rater, {})
    return RaterFigures(
        rater=rater,
        model=model,
        tasks=len(ratings),
        skipped=sum(digest.status == "skipped" for digest in digests),
        targets=answers[basis.chosen].judged if basis.chosen in answers else 0,
        per_task=time_spread([[digest.seconds] if digest.status != "skipped" else [] for digest in digests]),
        per_target=time_spread([digest.targets.values() for digest in digests]),
        labels={name: given.labels for name, given in answers.items() if given.labels is not None},
        label_shares={name: given.shares for name, given in answers.items() if given.labels is not None},
        claims=sum(digest.claims for digest in digests),
        evidence=sum(sum(digest.evidence.values()) for digest in digests if digest.evidence),
        unresearched=share_figure(unresearched_hits(ratings) if basis.unresearched else (), ""),
        unopened=sum(digest.unopened for digest in digests),
        unquoted=sum(digest.unquoted for digest in digests),
        unkept=sum(digest.unkept for digest in digests),
        reused_evidence=sum(digest.reused[0] for digest in digests if digest.reused),
        reused_answers=sum(digest.reused[1] for digest in digests if digest.reused),
        warnings_left=sum(not warning.let_stand for warning in warnings),
        warnings_let_stand=sum(warning.let_stand for warning in warnings),
        revisions=sum(digest.revisions for digest in digests),
        others={name: given.figures["krippendorff_alpha"] for name, given in answers.items()},
        alike={name: given.figures["percent"] for name, given in answers.items()},
        gold=share_figure(
            gold_hits({rating.task for rating in ratings if rating.digest.status != "skipped"}, judged, basis), NO_GOLD
        ),
        repeats=share_figure(repeat_hits(judged, basis), NO_REPEATS),
        texts=basis.scores.get(rater, ReportFigure()),
        changed=_changed(basis.earlier.get(rater, ()), judged, basis),
        written=sum(sum(digest.texts.values()) for digest in digests if digest.texts),
    )


def time_spread(seconds: Sequence[Collection[float]]) -> TimeSpread | None:
    """Return median and percentiles of the seconds above 0 of each task; `None` without any."""
    tasks = np.repeat(np.arange(len(seconds)), [len(of_task) for of_task in seconds])
    numbers = np.fromiter(chain.from_iterable(seconds), np.float64, len(tasks))
    tasks, numbers = tasks[numbers > 0], numbers[numbers > 0]
    if not len(numbers):
        return None
    result = quantile_interval(numbers, tasks)
    median, low, high = np.quantile(numbers, (0.5, 0.1, 0.9)).tolist()
    return TimeSpread(
        median=median,
        low=low,
        high=high,
        n=len(numbers),
        tasks=result.clusters,
        median_low=result.low,
        median_high=result.high,
        why=result.why,
    )


def rater_answers(
    question: JudgedQuestion, values: Sequence[Value], sums: OthersAgreement, rows: AnswerRows
) -> RaterAnswers:
    """Return the figures of a rater's answers. `values`: those numbered in the rows; `sums`: of their kinds."""
    times, shared = rows.times, rows.kind >= 0
    figures = dict.fromkeys(("percent", "krippendorff_alpha"), ReportFigure(why=NO_OTHERS))
    if shared.any():
        repeats = None if rows.repeats is None else times[shared]
        computed = sums.figures(rows.kind[shared], rows.task[shared], repeats)
        figures = as_figures(computed, int(times[shared].sum()))
    if not question.looks:
        return RaterAnswers(int(times.sum()), figures)
    looks = {look.id: column for column, look in enumerate(question.looks)}
    columns = np.array([*(looks.get(value, -1) for value in values), -1], dtype=np.intp)[rows.value]
    used, tasks = compact(rows.task)
    offered = columns >= 0
    cells = tasks[offered] * len(looks) + columns[offered]
    counts = np.bincount(cells, times[offered], len(used) * len(looks)).reshape(-1, len(looks)).astype(np.float64)
    return RaterAnswers(int(times.sum()), figures, tuple(map(int, counts.sum(axis=0))), _label_shares(counts))


def _label_shares(counts: Floats) -> tuple[ReportFigure, ...]:
    if counts.shape[1] > MOST_SHARES:
        return ()
    wholes = counts.sum(axis=1)
    return tuple(as_figure(share(parts, wholes), int(wholes.sum())) for parts in counts.T)


def share_figure(hits: Iterable[tuple[str, bool]], why: str) -> ReportFigure:
    """Return the share of hits, each with its task; the reason if there is nothing to count."""
    by_task: dict[str, list[int]] = {}
    for task, hit in hits:
        counts = by_task.setdefault(task, [0, 0])
        counts[0] += hit
        counts[1] += 1
    if not by_task:
        return ReportFigure(why=why)
    parts, wholes = np.array([*by_task.values()], dtype=np.float64).T
    return as_figure(share(parts, wholes), int(wholes.sum()))


def gold_hits(tasks: set[str], judged: Judgements, basis: ComparisonBasis) -> Hits:
    """Compare the judgements of these tasks with gold."""
    steps = {question.id: question.step for question in basis.questions}
    hits: Hits = []
    for (name, place), right in basis.gold.items():
        if place[0] in tasks and name in basis.judged:
            own = _judgement(judged, name, place)
            if own is None and (None in right or name in basis.dependent):
                continue
            near = own is not None and any(
                correct is not None and is_near(own, correct, steps[name] * basis.tolerance) for correct in right
            )
            hits.append((place[0], near))
    return hits


def _judgement(judged: Judgements, name: str, place: UnitPlace) -> Value | None:
    return judged[place].get(name) if place in judged else None


def repeat_hits(judged: Judgements, basis: ComparisonBasis) -> Hits:
    """Compare each task with the next one of the same text, over all places judged in at least one of them."""
    compared = {task for group in basis.twice for task in group}
    by_task: dict[str, dict[tuple[str, str], Value]] = {}
    for (task, where), values in judged.items() if compared else ():
        if task in compared:
            own = {(name, where): value for name, value in values.items() if name in basis.judged}
            by_task.setdefault(task, {}).update(own)
    hits: Hits = []
    for group in basis.twice:
        rated = [by_task[task] for task in group if by_task.get(task)]
        for first, second in pairwise(rated):
            hits += [
                (group[0], first.get(key) == second.get(key))
                for key in first.keys() | second.keys()
                if key[0] not in basis.dependent or (key in first and key in second)
            ]
    return hits


def _changed(earlier: Sequence[ReceivedRating], judged: Judgements, basis: ComparisonBasis) -> LabelChanges:
    if not earlier:
        return LabelChanges()
    before = {
        (name, place): value
        for own in judgements_by_rater(earlier, basis.questions).values()
        for place, values in own.items()
        for name, value in values.items()
    }
    tasks = {task for (task, _), values in judged.items() if values}
    keys = [
        (name, place)
        for name, place in before
        if name in basis.judged
        and place[0] in tasks
        and (name not in basis.dependent or _judgement(judged, name, place) is not None)
    ]
    same = sum(_judgement(judged, name, place) == before[name, place] for name, place in keys)
    others = {rating.task for rating in earlier if rating.results in basis.other_rubrics}
    return LabelChanges(same=same, total=len(keys), other_rubric=sum(place[0] in others for _, place in keys))
