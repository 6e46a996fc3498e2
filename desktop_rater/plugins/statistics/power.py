"""Planning from a pilot: how many tasks and raters an interval of a wanted width needs.

A rating is y = mean + task + unit in it + rater + rest, with variances T, U, R and E of the last four (Brennan,
Generalizability Theory, 2001, chapter 4). The mean of n tasks with m units each, k ratings a
unit and J raters in all has the variance T (1 + c^2) / n + U / (n m) + R / J + E / (n m k), c being the coefficient of
variation of the units a task.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from scipy.special import ndtri, stdtrit

from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.question_units import QuestionUnits, units_by_question
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.scale_figures import ratings_of
from desktop_rater.stats.cluster_bootstrap import between
from desktop_rater.stats.weighted_agreement import ScaleRatings

MAX_TASKS = 1_000_000


@dataclass(frozen=True)
class Pilot:
    """Variances of a pilot's ratings, none below 0, and its size.

    `per_task`: units a task, with coefficient of variation `uneven`; `per_unit`: ratings a unit. `design_effect`: the
    variance of its mean, of any raters, over that of as many independent ratings (Kish 1965).
    """

    mean: float
    task: float
    unit: float
    rater: float
    rest: float
    tasks: int
    raters: int
    per_task: float
    uneven: float
    per_unit: float
    design_effect: float


@dataclass(frozen=True)
class Plan:
    """Design whose interval is as narrow as wanted; `tasks` is `None` if no number of tasks is enough.

    `least_raters`: with fewer, the differences between raters alone make the interval too wide.
    """

    per_unit: int
    raters: int
    tasks: int | None
    ratings: int | None
    least_raters: int


def measure_pilot(ratings: ScaleRatings) -> Pilot:
    """Estimate the variances by Henderson's method I (1953), from sums of squares that gaps don't disturb.

    With one unit a task, U is part of T; with one rating a unit, R and E of few raters are not told apart.
    """
    mean = float(ratings.value.mean())
    value, every = ratings.value - mean, len(ratings.value)
    sizes, of_unit = ratings.unit_sizes, ratings.unit_clusters
    tasks = np.bincount(ratings.cluster).astype(np.float64)
    raters = np.bincount(ratings.rater).astype(np.float64)
    met = np.zeros((len(tasks), len(raters)))
    np.add.at(met, (ratings.cluster, ratings.rater), 1)
    squares = [(np.bincount(group, value) ** 2 / of).sum() for group, of in
               ((ratings.cluster, tasks), (ratings.unit, sizes), (ratings.rater, raters))]  # fmt: skip
    seen = np.array([(value**2).sum(), *squares, value.sum() ** 2 / every])
    # What each variance adds to each sum of squares, and the square of the mean to all of them.
    design = np.array(
        [
            [every, every, every, every, every],
            [every, every, (sizes**2 / tasks[of_unit]).sum(), (met**2 / tasks[:, None]).sum(), len(tasks)],
            [every, every, every, len(sizes), len(sizes)],
            [every, (met**2 / raters).sum(), len(raters), every, len(raters)],
            [every, (tasks**2).sum() / every, (sizes**2).sum() / every, (raters**2).sum() / every, 1],
        ]
    )
    kept = [0, 1, *([2] if len(sizes) > len(tasks) else []), *([3] if len(raters) > 1 else []), 4]
    solved = np.zeros(5)
    solved[kept] = np.linalg.lstsq(design[:, kept], seen, rcond=None)[0]
    task, unit, rater, rest = np.maximum(solved[1:], 0).tolist()
    of_task = np.bincount(of_unit).astype(np.float64)
    pilot = Pilot(
        mean, task, unit, rater, rest, len(tasks), len(raters), float(of_task.mean()),
        float(of_task.std() / of_task.mean()), every / len(sizes), 1.0,
    )  # fmt: skip
    total = task + unit + rater + rest
    variance = variance_of_mean(pilot, pilot.tasks, pilot.per_unit, pilot.raters)
    return replace(pilot, design_effect=variance * every / total if total else 1.0)


def variance_of_mean(pilot: Pilot, tasks: int, per_unit: float, raters: int | None) -> float:
    """Return the variance of the mean in a design like the pilot; `raters`: `None` if it is about these alone."""
    units = tasks * pilot.per_task
    of_tasks = pilot.task * (1 + pilot.uneven**2) / tasks + pilot.unit / units + pilot.rest / (units * per_unit)
    return of_tasks + (pilot.rater / raters if raters else 0)


def half_width(pilot: Pilot, tasks: int, per_unit: float, raters: int | None) -> float:
    """Return half of the 95 % interval, with t of the degrees of freedom of tasks and raters (Satterthwaite 1946)."""
    whole = variance_of_mean(pilot, tasks, per_unit, raters)
    of_raters = pilot.rater / raters if raters else 0.0
    parts = ((whole - of_raters) ** 2 / max(tasks - 1, 1), of_raters**2 / max((raters or 2) - 1, 1))
    freedom = whole**2 / sum(parts) if sum(parts) else 1.0
    return -float(stdtrit(freedom, 0.025)) * sqrt(whole)


def _least_raters(pilot: Pilot, width: float) -> int:
    """Return how many raters make an interval narrow enough with any number of tasks."""
    count = max(2, ceil(pilot.rater * (float(ndtri(0.025)) / width) ** 2))
    while -float(stdtrit(count - 1, 0.025)) * sqrt(pilot.rater / count) >= width:
        count += 1
    return count


def plans(pilot: Pilot, width: float, per_unit: Iterable[int], raters: int | None) -> tuple[Plan, ...]:
    """Return for each number of ratings a unit the least tasks for a half width; `raters` as above, at least these."""
    least = _least_raters(pilot, width) if pilot.rater and raters else 1
    designs = []
    for count in per_unit:
        those = max(raters, count) if raters else None
        tasks = None
        if half_width(pilot, MAX_TASKS, count, those) <= width:
            low, tasks = 1, MAX_TASKS
            while low + 1 < tasks:
                middle = (low + tasks) // 2
                low, tasks = (low, middle) if half_width(pilot, middle, count, those) <= width else (middle, tasks)
        total = None if tasks is None else ceil(tasks * pilot.per_task * count)
        designs.append(Plan(count, those or pilot.raters, tasks, total, max(least, count)))
    return tuple(designs)


RATINGS_OF_A_UNIT = (1, 2, 3, 5)


class PowerPlan(Struct, frozen=True, kw_only=True):
    """Plans for the share of a value, or for the mean of a scale, `value` being `None`.

    `now`: the figure of the pilot with the interval that the same variances give it, `over` tasks, or over tasks and
    raters; that of the report is over tasks alone. `pilot`: the variances.
    """

    value: Value | None
    now: ReportFigure
    over: Literal["tasks", "tasks and raters"]
    pilot: Pilot
    plans: tuple[Plan, ...]


def power_plans(
    audit: Audit, question: JudgedQuestion, width: float, raters: int | None, *, these_raters: bool
) -> tuple[PowerPlan, ...]:
    """Return a plan for each value given to a question, the most frequent first, or for the mean of its numbers.

    `raters` in all; by default those of the pilot. `these_raters`: the figure is about these alone.
    """
    ratings = (audit.ratings[key].without_values() for key in sorted(audit.ratings))
    (units,) = units_by_question([question], ratings, audit.tasks, audit.models)
    if question.measure != "nominal":
        codings = [(None, ratings_of(units))]
    else:
        values = sorted((units.values[value] for value in set(units.people.value.tolist())), key=str)
        codings = [(value, _share(units, value)) for value in values]
    made = [
        _plan(value, of_value, width, raters, these_raters=these_raters)
        for value, of_value in codings
        if len(of_value.clusters) > 1
    ]
    return tuple(sorted(made, key=lambda plan: -plan.pilot.mean))


def _share(units: QuestionUnits, value: Value) -> ScaleRatings:
    return ratings_of(units, lambda given: float(given == value))


def _plan(
    value: Value | None, ratings: ScaleRatings, width: float, raters: int | None, *, these_raters: bool
) -> PowerPlan:
    pilot = measure_pilot(ratings)
    wanted = None if these_raters else raters or pilot.raters
    apart = half_width(pilot, pilot.tasks, pilot.per_unit, None if these_raters else pilot.raters)
    ends = pilot.mean - apart, pilot.mean + apart
    if value is not None:
        ends = max(ends[0], 0.0), min(ends[1], 1.0)
    now = as_figure(between(pilot.mean, *ends, pilot.tasks), len(ratings.unit_sizes), pilot.raters)
    designs = plans(pilot, width, RATINGS_OF_A_UNIT, wanted)
    over = "tasks" if these_raters else "tasks and raters"
    return PowerPlan(value=value, now=now, over=over, pilot=pilot, plans=designs)
