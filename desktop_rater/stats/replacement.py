"""Test if a model could replace a rater: the alternative annotator test (Calderon, Reichart, Dror 2025).

Each rater in turn is left out and compared with the model: whose values are closer to those of the others? The model
wins against a rater who is closer at less than epsilon more of the units: epsilon is what people are worth more, by
their cost. With a winning rate of 0.5 or more the model may replace a rater. The paper's t-test takes units as
independent; here the standard error is the jackknife's over tasks, which is the same if each task has one unit.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from desktop_rater.stats.cluster_bootstrap import Estimate, Floats, divided, draw_weights, estimate, share

ENOUGH = 0.5  # winning rate from which the model may replace a rater
LEAST_TASKS = 30  # of a rater: with fewer, the paper advises against the t-test
FALSE_DISCOVERIES = 0.05
_OUTSIDE = 0.025
_STEPS = 100

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
    """Result. `advantage`: probability that the model is at least as close as a rater, mean over raters.

    `needed`: the smallest epsilon, in hundredths, with a winning rate of at least one half. `too_few`: raters with too
    few tasks, and their number.
    """

    raters: tuple[LeftOutRater, ...]
    too_few: tuple[tuple[str, int], ...]
    winning_rate: float | None
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
        for unit, values in by_unit.items():
            if rater in values and len(values) > 1:
                others = [value for name, value in values.items() if name != rater]
                own, models = (_distance(value, others, numeric=numeric) for value in (values[rater], model[unit]))
                counts[tasks[unit[0]]] += 1, models <= own, own <= models
        used = int((counts[:, 0] > 0).sum())
        if used < max(least, 2):
            too_few.append((rater, used))
        else:
            compared.append(_left_out(rater, counts, epsilon))
            sums.append(counts[:, :2])
    wins = _rejected([row.p for row in compared])
    return ReplacementTest(
        tuple(row._replace(wins=bool(win)) for row, win in zip(compared, wins, strict=True)),
        tuple(too_few),
        float(wins.mean()) if compared else None,
        _advantage(sums, list(tasks), seed),
        _needed(compared),
    )


def _distance(value: str | float, others: Sequence[str | float], *, numeric: bool) -> float:
    """Return a sum that orders values as the paper's scores do, for the same others."""
    if numeric:
        return sum((float(value) - float(other)) ** 2 for other in others)
    return sum(value != other for other in others)


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


def _rejected(p_values: Sequence[float]) -> np.ndarray:
    """Return which hypotheses are rejected at a false discovery rate of 5 % (Benjamini, Yekutieli 2001)."""
    count = len(p_values)
    ordered = np.argsort(p_values)
    ranks = np.arange(1, count + 1)
    limits = ranks / count * FALSE_DISCOVERIES / (1 / ranks).sum() if count else ranks
    below = np.flatnonzero(np.array(p_values)[ordered] <= limits)
    rejected = np.zeros(count, dtype=bool)
    rejected[ordered[: below[-1] + 1 if len(below) else 0]] = True
    return rejected


def _advantage(sums: Sequence[Floats], tasks: Sequence[str], seed: int) -> Estimate:
    if not sums:
        return Estimate(None, None, None, 0)

    def mean_share(drawn: Floats) -> Floats:
        return np.mean([divided(drawn[:, at + 1], drawn[:, at]) for at in range(0, drawn.shape[1], 2)], axis=0)

    result = estimate(np.concatenate(sums, axis=1), draw_weights(seed, tasks), mean_share)
    if result.value in (0, 1):  # the same in all draws
        wholes, parts = np.sum(sums, axis=0).T
        return share(parts, wholes)
    return result


def _needed(compared: Sequence[LeftOutRater]) -> float | None:
    for step in range(_STEPS + 1) if compared else ():
        ends = [(row.difference.value or 0, row.error, row.difference.clusters) for row in compared]
        p_values = [_p_value(*end, step / _STEPS) for end in ends]
        if _rejected(p_values).mean() >= ENOUGH:
            return step / _STEPS
    return None
