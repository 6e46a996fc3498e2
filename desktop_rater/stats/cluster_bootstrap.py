"""95 % intervals of figures over tasks: what is judged in one task hangs together, so the task is the unit drawn.

The weights are those of the Poisson bootstrap: each cluster occurs Poisson(1) times in a draw (Hanley, MacGibbon 2006;
Chamandy and others 2012). A figure is a function of sums over clusters, so that all its draws are one product of
matrices.
"""

from collections.abc import Callable, Sequence
from hashlib import shake_128
from math import exp, factorial, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

DRAWS = 2_000
MIN_CLUSTERS = 10  # with fewer, intervals of 95 % cover less; the simulation in the tests shows it
_MIN_DEFINED = 0.9  # share of the draws in which a figure must be defined
_LEVEL = 0.95

Floats = NDArray[np.float64]
Weights = NDArray[np.uint8]
Statistic = Callable[[Floats], Floats]
"""Sums (n, k) → the figure of each row (n,); NaN where it is not defined."""

# 65,536 equally likely numbers → Poisson(1), by the inverse of its cumulative distribution.
_CUMULATED = np.cumsum([exp(-1) / factorial(count) for count in range(9)])
_POISSON = np.searchsorted(np.round(_CUMULATED * 2**16), np.arange(2**16), side="right").astype(np.uint8)


class Estimate(NamedTuple):
    """Figure with its 95 % interval and the number of clusters behind it; `why` one of them is missing."""

    value: float | None
    low: float | None
    high: float | None
    clusters: int
    why: str = ""


def draw_weights(seed: int, clusters: Sequence[str], draws: int = DRAWS) -> Weights:
    """Return how often each cluster occurs in each draw, (clusters, draws).

    A row depends on the seed and the id of its cluster alone: 16 bits a draw of SHAKE-128 of both.
    """
    stream = b"".join(shake_128(f"{seed}\n{cluster}".encode()).digest(2 * draws) for cluster in clusters)
    return _POISSON[np.frombuffer(stream, "<u2").reshape(len(clusters), draws)]


def estimate(sums: Floats, weights: Weights, statistic: Statistic) -> Estimate:
    """Return a figure of sums over clusters. `sums`: (clusters, k); a row of zeros is a cluster without data.

    The interval holds percentiles of the draws, widened for few clusters (Hesterberg 2015, 5.2).
    """
    used = sums.any(axis=1)
    sums, weights = sums[used], weights[used]
    clusters = len(sums)
    value = float(statistic(sums.sum(axis=0, keepdims=True))[0]) if clusters else np.nan
    if not np.isfinite(value):
        return Estimate(None, None, None, clusters, "")
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    return estimate_from_draws(value, statistic(weights.T.astype(np.float64) @ sums), clusters)


def estimate_from_draws(value: float, drawn: Floats, clusters: int) -> Estimate:
    """Return a figure with the interval of its draws, as `estimate` does."""
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < _MIN_DEFINED * len(drawn):
        return Estimate(value, None, None, clusters, "in too many draws it is not defined")
    low, high = np.quantile(defined, _tails(clusters))
    return Estimate(value, float(low), float(high), clusters)


def ratio(parts: Floats, wholes: Floats, weights: Weights) -> Estimate:
    """Return the sum of `parts` over that of `wholes`, each (clusters,): a share, or a mean."""
    return estimate(np.stack([parts, wholes], axis=1), weights, lambda sums: divided(sums[:, 0], sums[:, 1]))


def paired_difference(
    parts: Floats, wholes: Floats, other_parts: Floats, other_wholes: Floats, weights: Weights
) -> Estimate:
    """Return the first ratio minus the other one. Both are of the same clusters, which are drawn together."""
    return estimate(
        np.stack([parts, wholes, other_parts, other_wholes], axis=1),
        weights,
        lambda sums: divided(sums[:, 0], sums[:, 1]) - divided(sums[:, 2], sums[:, 3]),
    )


def divided(parts: Floats, wholes: Floats) -> Floats:
    """Divide, with NaN where there is nothing to divide by."""
    return np.divide(parts, wholes, out=np.full_like(parts, np.nan), where=wholes != 0)


def few_clusters(clusters: int) -> str:
    """Return the reason why there is no interval."""
    return f"rests on {clusters} {'task' if clusters == 1 else 'tasks'}: too few for an interval"


def _tails(clusters: int) -> tuple[float, float]:
    outside = (1 - _LEVEL) / 2
    low = float(ndtr(sqrt(clusters / (clusters - 1)) * stdtrit(clusters - 1, outside)))
    return low, 1 - low
