"""Correlations of two columns of values, with ties, in each draw of a bootstrap.

A draw gives each pair of values a weight: how often it occurs. Pearson's r; Spearman's rho, which is r of the midranks
(Spearman 1904); Kendall's tau-b (Kendall 1945). They equal those of `scipy.stats` where all weights are 1.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_rater.stats.cluster_bootstrap import Floats, divided

_FLAT = 1e-12  # a share of the largest square: smaller variances are those of equal values


def pearson(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return r of each draw. `weights`: (values, draws). NaN where a column has one value only."""
    return _product_moment(one[:, None], other[:, None], weights.astype(np.float64))


def spearman(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return rho of each draw: r of the ranks within the draw."""
    weights = weights.astype(np.float64)
    return _product_moment(_midranks(one, weights), _midranks(other, weights), weights)


def kendall(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return tau-b of each draw: (C - D) / sqrt(pairs that differ in one column x in the other one)."""
    weights = weights.astype(np.float64)
    signs, other_signs = (np.sign(values[:, None] - values[None, :]) for values in (one, other))
    concordant, apart, other_apart = (
        np.einsum("id,id->d", weights, pairs @ weights)
        for pairs in (signs * other_signs, np.abs(signs), np.abs(other_signs))
    )
    return divided(concordant, np.sqrt(apart * other_apart))


Correlation = Callable[[Floats, Floats, NDArray[Any]], Floats]
CORRELATIONS: dict[str, Correlation] = {"spearman": spearman, "pearson": pearson, "kendall": kendall}


def rank_shares(values: Sequence[float]) -> list[float]:
    """Return the rank of each value as a share, from 0 to 1; of equal ones the mean."""
    column = np.asarray(values, dtype=np.float64)
    ranks = _midranks(column, np.ones((len(column), 1)))[:, 0]
    return [float(rank) for rank in (ranks - 0.5) / len(column)]


def _midranks(values: Floats, weights: Floats) -> Floats:
    """Return the rank of each value in each draw, of equal values the mean."""
    distinct, group = np.unique(values, return_inverse=True)
    totals = np.zeros((len(distinct), weights.shape[1]))
    np.add.at(totals, group, weights)
    return (np.cumsum(totals, axis=0) - totals / 2 + 0.5)[group]


def _product_moment(first: Floats, second: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=0)
    columns = [column - divided((weights * column).sum(axis=0), total) for column in (first, second)]
    spreads = [(weights * column**2).sum(axis=0) for column in columns]
    for column, spread in zip(columns, spreads, strict=True):
        spread[spread <= _FLAT * np.maximum(1, np.abs(column).max(axis=0)) * total] = 0
    return divided((weights * columns[0] * columns[1]).sum(axis=0), np.sqrt(spreads[0] * spreads[1]))
