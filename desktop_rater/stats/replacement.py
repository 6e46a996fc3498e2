"""Test if a model could replace a rater: the alternative annotator test (Calderon, Reichart, Dror 2025).

Each rater in turn is left out and compared with the model: whose values are closer to those of the others? The model
wins against a rater who is closer at less than epsilon more of the units: epsilon is what people are worth more, by
their cost. With a winning rate of 0.5 or more the model may replace a rater. The paper's t-test takes units as
independent; here the standard error is the jackknife's over tasks, which is the same if each task has one unit.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from desktop_rater.stats.bootstrap import wilson_interval
from desktop_rater.stats.cluster_bootstrap import (
    MIN_CLUSTERS,
    ClusterDraws,
    Estimate,
    Floats,
    divided,
    draw_sums,
    draw_weights,
    estimate_figure,
    few_clusters,
    no_value,
    share,
)

ENOUGH = 0.5  # winning rate from which the model may replace a rater
LEAST_TASKS = 30  # of a rater: with fewer, the paper advises against the t-test
FALSE_DISCOVERIES = 0.05
_OUTSIDE = 0.025
_STEPS = 100
_LEAST_ERROR = 1e-12

Unit = tuple[str, str]
"""Task and place."""


class LeftOutRater(NamedTuple):
    """Comparison with one rater over units that others rated too.

    `model`, `own`: share of the units where the model, or the rater, is at least as close to the others. `difference`:
    the rater's minus the model's, with its standard error. The model wins if it is below epsilon, by `p`.
    """

    rater: str
    units: int
    model: Estimate
    own: Estimate
    difference: Estimate
    error: float
    p: float
    wins: bool = False


class ReplacementTest(NamedTuple):
    """Result. `winning_rate`: share of the raters that the model wins against, with an interval over tasks.

    `advantage`: probability that the model is at least as close as a rater, mean over raters. `needed`: the smallest
    epsilon, in hundredths, with a winning rate of at least one half. `too_few`: raters with too few tasks, and their
    number.
    """

    raters: tuple[LeftOutRater, ...]
    too_few: tuple[tuple[str, int], ...]
    winning_rate: Estimate
    advantage: Estimate
    needed: float | None


def replacement_test(
    people: Mapping[str, Mapping[Unit, str | float]],
    model: Mapping[Unit, str | float],
    *,
    epsilon: float,
    numeric: bool,
    seed: int,
    least: int = LEAST_TASKS,
) -> ReplacementTest:
    """Compare a model with raters. `numeric`: closeness is the root mean square distance, else the share of equals."""
    by_unit: dict[Unit, dict[str, str | float]] = {}
    for rater in sorted(people):
        for unit, value in people[rater].items():
            if unit in model:
                by_unit.setdefault(unit, {})[rater] = value
    tasks = {task: number for number, task in enumerate(dict.fromkeys(unit[0] for unit in by_unit))}
    compared: list[LeftOutRater] = []
    too_few: list[tuple[str, int]] = []
    sums: list[Floats] = []
    for rater in sorted(people):
        counts = np.zeros((len(tasks), 3))  # units, model at least as close, rater at least as close
        for unit in people[rater]:
            values = by_unit.get(unit, {})
            if len(values) > 1:
                others = [value for name, value in values.items() if name != rater]
                own, models = (_distance(value, others, numeric=numeric) for value in (values[rater], model[unit]))
                counts[tasks[unit[0]]] += 1, models <= own, own <= models
        used = int((counts[:, 0] > 0).sum())
        if used < max(least, 2):
            too_few.append((rater, used))
        else:
            compared.append(_left_out(rater, counts, epsilon))
            sums.append(counts)
    p_values = np.array([row.p for row in compared])
    wins = p_values.argsort().argsort() < _rejected(p_values)
    draws = draw_sums(np.concatenate(sums, axis=1), draw_weights(seed, list(tasks))) if sums else None
    return ReplacementTest(
        tuple(row._replace(wins=bool(win)) for row, win in zip(compared, wins, strict=True)),
        tuple(too_few),
        _winning_rate(compared, draws, epsilon),
        _advantage(sums, draws),
        _needed(compared),
    )


def _distance(value: str | float, others: Sequence[str | float], *, numeric: bool) -> float:
    """Return a sum that orders values as the paper's scores do, for the same others."""
    if numeric:
        return sum((float(value) - float(other)) ** 2 for other in others)
    return -others.count(value)


def _left_out(rater: str, counts: Floats, epsilon: float) -> LeftOutRater:
    wholes, model, own = counts[counts[:, 0] > 0].T
    apart, tasks = own - model, len(wholes)
    value = float(apart.sum() / wholes.sum())
    without = divided(apart.sum() - apart, wholes.sum() - wholes)
    error = float(np.sqrt((tasks - 1) / tasks * ((without - without.mean()) ** 2).sum()))
    end = -float(stdtrit(tasks - 1, _OUTSIDE)) * error
    difference = Estimate(value, value - end, value + end, tasks)
    if error == 0:
        difference = Estimate(value, None, None, tasks, "every comparison ended alike")
    p = _p_value(value, error, tasks, epsilon)
    return LeftOutRater(rater, int(wholes.sum()), share(model, wholes), share(own, wholes), difference, error, p)


def _p_value(difference: float, error: float, tasks: int, epsilon: float) -> float:
    if error == 0:
        return 0.0 if difference < epsilon else 1.0
    return float(stdtr(tasks - 1, (difference - epsilon) / error))


def _rejected(p_values: Floats) -> NDArray[np.intp]:
    """Return how many hypotheses, those with the smallest p, are rejected at a false discovery rate of 5 %.

    The procedure is that of Benjamini and Yekutieli (2001), along the last axis.
    """
    ranks = np.arange(1, p_values.shape[-1] + 1)
    limits = ranks / max(1, len(ranks)) * FALSE_DISCOVERIES / max(1, (1 / ranks).sum())
    return np.where(np.sort(p_values) <= limits, ranks, 0).max(axis=-1, initial=0)


def _winning_rate(compared: Sequence[LeftOutRater], draws: ClusterDraws | None, epsilon: float) -> Estimate:
    """Return the winning rate; its interval holds the middle 95 % of the same tests on draws of the tasks.

    If these are all the same, the raters alone say how far it may be from that of others (Wilson 1927).
    """
    if draws is None:
        return no_value(0)
    errors = np.array([row.error for row in compared])
    tasks = np.array([row.difference.clusters for row in compared])
    value = _rejected(np.array([row.p for row in compared])) / len(compared)
    differences = divided(draws.drawn[:, 2::3] - draws.drawn[:, 1::3], draws.drawn[:, ::3]) - epsilon
    p_values = stdtr(tasks - 1, differences / np.maximum(errors, _LEAST_ERROR))
    rates = _rejected(np.nan_to_num(p_values, nan=1)) / len(compared)
    if draws.clusters < MIN_CLUSTERS:
        return Estimate(float(value), None, None, draws.clusters, few_clusters(draws.clusters))
    low, high = map(float, np.quantile(rates, (_OUTSIDE, 1 - _OUTSIDE)))
    if low == high:
        low, high = wilson_interval(float(value) * len(compared), len(compared))
    return Estimate(float(value), min(low, float(value)), max(high, float(value)), draws.clusters)


def _advantage(sums: Sequence[Floats], draws: ClusterDraws | None) -> Estimate:
    if draws is None:
        return no_value(0)

    def mean_share(drawn: Floats) -> Floats:
        return divided(drawn[:, 1::3], drawn[:, ::3]).mean(axis=1)

    result = estimate_figure(draws, mean_share)
    if result.value in (0, 1):  # the same in all draws
        wholes, parts, _ = np.sum(sums, axis=0).T
        return share(parts, wholes)
    return result


def _needed(compared: Sequence[LeftOutRater]) -> float | None:
    ends = [(row.difference.value or 0, row.error, row.difference.clusters) for row in compared]
    for step in range(_STEPS + 1) if compared else ():
        p_values = np.array([_p_value(*end, step / _STEPS) for end in ends])
        if _rejected(p_values) >= ENOUGH * len(ends):
            return step / _STEPS
    return None
