"""Figures of scales and their raters, and change of each rater over time and with practice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from math import atanh, nan, sqrt, tanh

import numpy as np

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.question_units import QuestionUnits, RowsByRater, UnitPlace
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import PlaceFigures, RaterTrend, ReportFigure, ScaleFigures, ScaleRater
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.bootstrap import wilson_interval
from desktop_rater.stats.cluster_bootstrap import (
    ALL_ALIKE,
    MIN_CLUSTERS,
    Estimate,
    Floats,
    Indices,
    Weights,
    compact,
    draw_weights,
    draws_for,
    few_clusters,
    ratio,
)
from desktop_rater.stats.reliability import (
    FacetsModel,
    classical_interval,
    fit_facets,
    intraclass_correlations,
    item_analysis,
    rater_offsets,
    raters_needed,
    reason_for_no_model,
    slope,
)
from desktop_rater.stats.weighted_agreement import WEIGHTS, ScaleRatings, conger_kappa, weighted_agreement
from desktop_rater.translation import N_

MEASURES = {"ordinal", "interval"}
RELIABILITIES = {"raters_for.80": 0.8, "raters_for.90": 0.9}
_WEIGHTED = ("ordinal", "linear", "quadratic")
_MOST_VALUES = 50  # numbers with more have no steps
_MOST_STEPS = 15  # of the many-facet model
_MOST_NAMED = 30  # raters whose shares are drawn
_95 = 1.959963984540054
NO_RELIABILITY = N_("Report", "one rater has no reliability")
NO_UPPER_END = N_("Report", "the interval has no upper end")
NO_PAIR = N_("Report", "no unit has two ratings")


def _plain(value: Value) -> float | None:
    return value if isinstance(value, float) else None


def scale_figures(units: Iterable[QuestionUnits], seed: int) -> tuple[ScaleFigures, ...]:
    """Return the figures of each question whose answers are numbers, in the order of the questions."""
    scales = ((scale, ratings_of(scale)) for scale in units if scale.question.measure in MEASURES)
    return tuple(figures_of_scale(scale.question, ratings, seed) for scale, ratings in scales if len(ratings.value))


def ratings_of(
    units: QuestionUnits, number: Callable[[Value], float | None] = _plain, *, shared: bool = False
) -> ScaleRatings:
    """Return the numbers that people gave, or what `number` makes of their answers; the task is the cluster.

    `shared`: only of the units that several people judged.
    """
    numbers = np.array([nan if (value := number(given)) is None else value for given in units.values])
    wanted = np.isfinite(numbers)[units.people.value] if len(numbers) else np.zeros(0, dtype=bool)
    rows = units.people[wanted & (units.sizes[units.people.unit] > 1) if shared else wanted]
    tasks, of_units = np.unique(np.array([task for task, _ in units.places]), return_inverse=True)
    unit, rater = (compact(numbered)[1] for numbered in (rows.unit, _by_name(units)[rows.rater]))
    used, cluster = compact(of_units[rows.unit])
    raters = sorted({units.raters[given] for given in set(rows.rater.tolist())})
    return ScaleRatings(unit, rater, cluster, numbers[rows.value], tuple(raters), tuple(tasks[used].tolist()))


def _by_name(units: QuestionUnits) -> Indices:
    """Return the place of each rater in the order of the names."""
    return np.argsort(sorted(range(len(units.raters)), key=units.raters.__getitem__))


def figures_of_scale(question: JudgedQuestion, ratings: ScaleRatings, seed: int) -> ScaleFigures:
    """Return the figures of a scale from all ratings of people."""
    draws = draw_weights(seed, ratings.clusters, draws_for(len(ratings.clusters)))
    count, raters = len(ratings.unit_sizes), len(ratings.raters)
    paired = int((ratings.unit_sizes > 1).sum())
    mean = ratings.by_cluster(
        np.stack([np.bincount(ratings.unit, ratings.value).astype(np.float64), ratings.unit_sizes], axis=1)
    )
    estimates = {"mean": ratio(*mean.T, question.ends)}
    model, why = None, NO_PAIR
    if paired:
        steps = [look.id for look in question.looks if isinstance(look.id, float)]
        estimates |= _agreement(ratings, np.union1d(steps, ratings.value), draws)
        estimates |= _reliability(ratings)
        why = (
            reason_for_no_model(ratings)
            if len(np.unique(ratings.value)) <= _MOST_STEPS
            else N_("Report", "it has too many steps")
        )
        model = None if why else fit_facets(ratings)
    if model is not None:
        spans = {f"step.{number}": step for number, step in enumerate(model.steps, 1)} | {"spread.model": model.spread}
        estimates |= {name: with_error(value, error, len(ratings.clusters)) for name, (value, error) in spans.items()}
    figures = {
        name: as_figure(estimated, count if name == "mean" else paired, raters) for name, estimated in estimates.items()
    }
    return ScaleFigures(question=question.id, figures=figures, raters=_raters(ratings, model, question.ends), why=why)


def _agreement(ratings: ScaleRatings, values: Floats, draws: Weights) -> dict[str, Estimate]:
    if not 1 < len(values) <= _MOST_VALUES:
        return {}
    estimates: dict[str, Estimate] = {}
    for name in _WEIGHTED:
        weights = WEIGHTS[name](values)
        figures = weighted_agreement(ratings, values, weights, draws)
        estimates |= {f"{kind}.{name}": figures[kind] for kind in ("gwet_ac2", "brennan_prediger")}
        if len(ratings.raters) <= _MOST_NAMED:
            estimates[f"conger_kappa.{name}"] = conger_kappa(ratings, values, weights, draws)
    return estimates


def _reliability(ratings: ScaleRatings) -> dict[str, Estimate]:
    estimates = intraclass_correlations(ratings)
    if len(ratings.unit_sizes) == len(ratings.clusters):
        for name, raters in (("icc_2_1", 1), ("icc_2_k", len(ratings.raters))):
            ends = classical_interval(ratings, raters)
            if ends is not None and np.isfinite(ends).all():
                estimates[name] = estimates[name]._replace(low=ends[0], high=ends[1], why="")
    single = estimates["icc_2_1"]
    for name, wanted in RELIABILITIES.items():
        value, low, high = (raters_needed(icc, wanted) for icc in (single.value, single.high, single.low))
        why = single.why or ("" if high is not None else NO_UPPER_END)
        why = why if value is not None or single.value is None else NO_RELIABILITY
        low = low if high is not None else None
        estimates[name] = Estimate(value, low, high, single.clusters, why)
    return estimates


def with_error(value: float, error: float, clusters: int) -> Estimate:
    """Return an estimate with its normal interval."""
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    return Estimate(value, value - _95 * error, value + _95 * error, clusters)


def _raters(ratings: ScaleRatings, model: FacetsModel | None, ends: tuple[float, float]) -> tuple[ScaleRater, ...]:
    severities = {} if model is None else {row.rater: row for row in model.raters}
    rows, raters = [], len(ratings.raters)
    for row in rater_offsets(ratings, ends):
        severity, fits = ReportFigure(), None
        if row.rater in severities:
            own = severities[row.rater]
            fits = (own.infit, own.outfit)
            severity = as_figure(with_error(own.severity, own.error, row.mean.clusters), row.ratings, raters)
        mean, offset = as_figure(row.mean, row.ratings, 1), as_figure(row.offset, row.ratings, raters)
        rows.append(ScaleRater(rater=row.rater, mean=mean, offset=offset, severity=severity, fits=fits))
    return tuple(rows)


MOST_PLACES = 200  # listed, the hardest first
SHORT = N_("Report", "all within one week")
MIN_RATERS = 4  # of a place with a discrimination
_WEEK = 7 * 24 * 3600


def rater_trends(units: QuestionUnits, given: Mapping[str, Sequence[ReceivedRating]]) -> tuple[RaterTrend, ...]:
    """Return the trends of each rater by name, on a question. `given`: rater → effective ratings.

    `week`: change of the agreement with the others a week. `practice`: that for each doubling of the tasks done.
    `time`: the factor by which active time a task changes with each doubling.
    """
    compared, people = units.compared, units.people
    shares = compared.alike / compared.sizes
    tasks = {task: number for (task, _), number in zip(units.places, units.task.tolist(), strict=True)}
    trends = []
    by_rater = RowsByRater(people, compared.people)
    for name, rater in sorted((name, number) for number, name in enumerate(units.raters)):
        rows, kinds = by_rater.of(rater)
        shared = kinds >= 0
        if shared.any():
            ratings, task = given.get(name, ()), units.task[rows.unit[shared]]
            trends.append(rater_trend(name, ratings, tasks, shares[kinds[shared]], task))
    return tuple(trends)


def rater_trend(
    rater: str, ratings: Sequence[ReceivedRating], tasks: Mapping[str, int], agreed: Floats, task: Indices
) -> RaterTrend:
    """Return a rater's trends. `agreed`: the share of others who agree at each place, `task` its task's number."""
    digests = ((rating.digest, rating.task) for rating in ratings)
    dated = [(digest, task) for digest, task in digests if digest.changed and digest.status != "skipped"]
    dated.sort(key=lambda pair: pair[0].changed)
    weeks_of = np.array([datetime.fromisoformat(digest.changed).timestamp() / _WEEK for digest, _ in dated])
    active = np.array([digest.seconds for digest, _ in dated])
    position = np.full(len(tasks) + 1, -1, dtype=np.intp)
    position[[tasks.get(name, -1) for _, name in dated]] = np.arange(len(dated))
    position[-1] = -1
    at = position[task]
    shares, at = agreed[at >= 0], at[at >= 0]
    doublings_of = np.log2(np.arange(1, len(dated) + 1))
    weeks, doublings = (weeks_of[at], doublings_of[at]) if len(at) else (np.zeros(0), np.zeros(0))
    timed = np.flatnonzero(active > 0)
    places, seconds = doublings_of[timed], np.log2(active[timed])
    speed = slope(places, seconds, timed)
    week = as_figure(slope(weeks, shares, at), len(at))
    if not len(at) or np.ptp(weeks) < 1:
        week = ReportFigure(n=len(at), tasks=week.tasks, why=SHORT)
    return RaterTrend(
        rater=rater,
        week=week,
        practice=as_figure(slope(doublings, shares, at), len(at)),
        time=as_figure(Estimate(*(None if end is None else 2**end for end in speed[:3]), *speed[3:]), len(timed)),
    )


def place_figures(units: QuestionUnits) -> tuple[PlaceFigures, ...]:
    """Return the places that are hardest: a hit is a rating that equals the majority of the others."""
    compared, people = units.compared, units.people
    decided = compared.people >= 0
    decided[decided] = compared.majority[compared.people[decided]] >= 0
    rows, kinds = people[decided], compared.people[decided]
    if not len(rows):
        return ()
    item, rater = rows.unit, compact(rows.rater)[1]
    hit = (compared.majority[kinds] == rows.value).astype(np.float64)
    difficulty, discrimination = item_analysis(hit, item, rater)
    counts = np.bincount(item)
    hardest = sorted(np.flatnonzero(counts).tolist(), key=lambda place: (-difficulty[place], place))[:MOST_PLACES]
    return tuple(
        place_figure(units.places[place], float(difficulty[place]), float(discrimination[place]), int(counts[place]))
        for place in hardest
    )


def place_figure(place: UnitPlace, difficulty: float, discrimination: float, raters: int) -> PlaceFigures:
    """Return the figures of a place with their intervals."""
    task, where = place
    return PlaceFigures(
        task=task,
        where=where,
        difficulty=_share(difficulty, raters),
        discrimination=_correlation(discrimination, raters),
    )


def _share(value: float, raters: int) -> ReportFigure:
    low, high = wilson_interval(round(value * raters), raters)
    return ReportFigure(value=value, low=low, high=high, n=raters, tasks=1, raters=raters)


def _correlation(value: float, raters: int) -> ReportFigure:
    if not np.isfinite(value) or raters < MIN_RATERS:
        return ReportFigure(n=raters, tasks=1, raters=raters, why="too few raters, or all alike")
    if abs(value) > 1 - 1e-9:
        return ReportFigure(value=value, n=raters, tasks=1, raters=raters, why=ALL_ALIKE)
    middle, apart = atanh(value), _95 / sqrt(raters - 3)
    return ReportFigure(
        value=value, low=tanh(middle - apart), high=tanh(middle + apart), n=raters, tasks=1, raters=raters
    )
