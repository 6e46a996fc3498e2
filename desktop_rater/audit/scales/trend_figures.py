"""Change of each rater over time and with practice, and difficulty and discrimination of the places."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import atanh, log2, sqrt, tanh

import numpy as np

from desktop_rater.audit.agreement import QuestionUnits, as_figure, majority_value, other_counts
from desktop_rater.audit.report import PlaceFigures, RaterTrend, ReportFigure
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.bootstrap import wilson_interval
from desktop_rater.stats.cluster_bootstrap import Estimate
from desktop_rater.stats.trends import item_analysis, slope

MOST_PLACES = 200  # listed, the hardest first
SHORT = "all within one week"
MIN_RATERS = 4  # of a place with a discrimination
_WEEK = 7 * 24 * 3600
_95 = 1.959963984540054


def rater_trends(units: QuestionUnits, given: Mapping[str, Sequence[ReceivedRating]]) -> tuple[RaterTrend, ...]:
    """Return the trends of each rater by name, on a question. `given`: rater → effective ratings.

    `week`: change of the agreement with the others a week. `practice`: that for each doubling of the tasks done.
    `time`: the factor by which active time a task changes with each doubling.
    """
    agreed: dict[str, dict[str, list[float]]] = {}
    for unit in units.units:
        counts, others = dict(unit.counts), len(unit.people) - 1
        for rater, value in unit.people.items() if others > 0 else ():
            agreed.setdefault(rater, {}).setdefault(unit.place[0], []).append((counts[value] - 1) / others)
    return tuple(_trend(rater, given.get(rater, ()), agreed[rater]) for rater in sorted(agreed))


def _trend(rater: str, ratings: Sequence[ReceivedRating], agreed: Mapping[str, Sequence[float]]) -> RaterTrend:
    dated = [rating for rating in ratings if rating.digest.changed and rating.digest.status != "skipped"]
    rows: list[tuple[float, float, float, int]] = []
    times: list[tuple[float, float, int]] = []
    for number, rating in enumerate(sorted(dated, key=lambda rating: rating.digest.changed), 1):
        week = datetime.fromisoformat(rating.digest.changed).timestamp() / _WEEK
        rows += [(week, log2(number), share, number - 1) for share in agreed.get(rating.task, ())]
        if rating.digest.seconds > 0:
            times.append((log2(number), log2(rating.digest.seconds), number - 1))
    weeks, doublings, shares, tasks = np.array(rows).reshape(-1, 4).T
    places, seconds, of_times = np.array(times).reshape(-1, 3).T
    speed = slope(places, seconds, of_times.astype(np.intp))
    week = as_figure(slope(weeks, shares, tasks.astype(np.intp)), len(rows))
    if not len(rows) or np.ptp(weeks) < 1:
        week = ReportFigure(n=len(rows), tasks=week.tasks, why=SHORT)
    return RaterTrend(
        rater=rater,
        week=week,
        practice=as_figure(slope(doublings, shares, tasks.astype(np.intp)), len(rows)),
        time=as_figure(Estimate(*(None if end is None else 2**end for end in speed[:3]), *speed[3:]), len(times)),
    )


def place_figures(units: QuestionUnits) -> tuple[PlaceFigures, ...]:
    """Return the places that are hardest: a hit is a rating that equals the majority of the others."""
    rows: list[tuple[int, str, bool]] = []
    for place, unit in enumerate(units.units):
        majorities = {value: majority_value(other_counts(unit.counts, value)) for value, _ in unit.counts}
        rows += [
            (place, rater, majorities[value] == value)
            for rater, value in unit.people.items()
            if majorities[value] is not None
        ]
    if not rows:
        return ()
    numbers = {rater: number for number, rater in enumerate(sorted({rater for _, rater, _ in rows}))}
    item = np.array([place for place, _, _ in rows], dtype=np.intp)
    hit = np.array([float(equal) for _, _, equal in rows])
    rater = np.array([numbers[rater] for _, rater, _ in rows], dtype=np.intp)
    difficulty, discrimination = item_analysis(hit, item, rater)
    counts = np.bincount(item)
    hardest = sorted(np.flatnonzero(counts).tolist(), key=lambda place: (-difficulty[place], place))[:MOST_PLACES]
    return tuple(
        PlaceFigures(
            task=units.units[place].place[0],
            where=units.units[place].place[1],
            difficulty=_share(float(difficulty[place]), int(counts[place])),
            discrimination=_correlation(float(discrimination[place]), int(counts[place])),
        )
        for place in hardest
    )


def _share(value: float, raters: int) -> ReportFigure:
    low, high = wilson_interval(round(value * raters), raters)
    return ReportFigure(value=value, low=low, high=high, n=raters, tasks=1, raters=raters)


def _correlation(value: float, raters: int) -> ReportFigure:
    if not np.isfinite(value) or raters < MIN_RATERS:
        return ReportFigure(n=raters, tasks=1, raters=raters, why="too few raters, or all alike")
    middle, apart = atanh(min(max(value, -1 + 1e-9), 1 - 1e-9)), _95 / sqrt(raters - 3)
    return ReportFigure(
        value=value, low=tanh(middle - apart), high=tanh(middle + apart), n=raters, tasks=1, raters=raters
    )
