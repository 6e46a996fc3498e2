"""Change of each rater over time and with practice, and difficulty and discrimination of the places."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import atanh, sqrt, tanh

import numpy as np

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.question_units import QuestionUnits, RowsByRater, UnitPlace
from desktop_rater.audit.report import PlaceFigures, RaterTrend, ReportFigure
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.bootstrap import wilson_interval
from desktop_rater.stats.cluster_bootstrap import ALL_ALIKE, Estimate, Floats, Indices, compact
from desktop_rater.stats.trends import item_analysis, slope
from desktop_rater.translation import N_

MOST_PLACES = 200  # listed, the hardest first
SHORT = N_("Report", "all within one week")
MIN_RATERS = 4  # of a place with a discrimination
_WEEK = 7 * 24 * 3600
_95 = 1.959963984540054


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
