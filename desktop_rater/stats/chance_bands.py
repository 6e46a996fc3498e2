"""Bands in which figures of raters lie by chance, and how often an interval would lie wholly outside by chance.

A rater without a way of judging of their own has tasks like those of all raters together. Such raters are simulated: as
many tasks as a rater has are drawn from the tasks of all raters, with replacement. The band holds 95 of 100 of their
figures. A figure is outside if its whole interval is; the share of simulated raters to whom that happens says how many
figures to expect outside by chance.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, stdtrit

from desktop_rater.stats.cluster_bootstrap import Floats, divided

_RATERS, _MOST_CELLS = 1_000, 400_000
_LEAST_RATERS = 200
_ENDS = (0.025, 0.975)
_ROUNDING = 1e-12


class ChanceBand(NamedTuple):
    """Band of 95 of 100 simulated raters; `outside`: the share of them whose interval lies wholly outside."""

    low: float
    high: float
    outside: float


def chance_band(parts: Floats, wholes: Floats, tasks: int, seed: int, *, share: bool) -> ChanceBand:
    """Return the band of a ratio of sums for a rater with that many tasks.

    `parts` and `wholes`: those of each task of each rater. `share`: the ratio is a share, and its interval that of
    `cluster_bootstrap.share`; otherwise it is a mean with t times the jackknife's standard error.
    """
    raters = max(_LEAST_RATERS, min(_RATERS, _MOST_CELLS // tasks))
    drawn = np.random.default_rng([seed, tasks, len(parts)]).integers(0, len(parts), (raters, tasks))
    own, of = parts[drawn], wholes[drawn]
    values = divided(own.sum(axis=1), of.sum(axis=1))
    low, high = (float(np.nanquantile(values, end)) for end in _ENDS)
    lows, highs = (share_intervals if share else mean_intervals)(own, of)
    return ChanceBand(low, high, float(((highs < low) | (lows > high)).mean()))


def _apart(parts: Floats, wholes: Floats) -> Floats:
    """Return t times the jackknife's standard error of the ratio in each row."""
    tasks = parts.shape[1]
    total, whole = parts.sum(axis=1, keepdims=True), wholes.sum(axis=1, keepdims=True)
    without = divided(total - parts, whole - wholes)
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return -float(stdtrit(tasks - 1, _ENDS[0])) * np.sqrt((tasks - 1) / tasks * spread)


def mean_intervals(parts: Floats, wholes: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the interval of the mean in each row of tasks."""
    value, apart = divided(parts.sum(axis=1), wholes.sum(axis=1)), _apart(parts, wholes)
    return value - apart, value + apart


def share_intervals(parts: Floats, wholes: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the interval of the share in each row of tasks, as `cluster_bootstrap.share` does."""
    tasks, value = parts.shape[1], divided(parts.sum(axis=1), wholes.sum(axis=1))
    t2 = float(stdtrit(tasks - 1, _ENDS[0])) ** 2
    inside = (value > _ROUNDING) & (value < 1 - _ROUNDING)
    centre = np.where(inside, value, 0.5)
    apart = np.where(inside, _apart(parts, wholes) / (centre * (1 - centre)), 0)
    end = partial(np.where, inside)
    low = end(expit(logit(centre) - apart), np.where(value > 0.5, tasks / (tasks + t2), 0))
    high = end(expit(logit(centre) + apart), np.where(value > 0.5, 1, t2 / (tasks + t2)))
    return low, high
