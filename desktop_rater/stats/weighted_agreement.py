"""Agreement on scales beyond chance: near values agree in part, by named weights (Gwet 2014, chapters 3 and 4).

All coefficients are (Pa - Pe) / (1 - Pe), with Pa the mean over units of the weighted share of equal pairs of ratings;
they differ in Pe. Any number of raters, gaps allowed. `draws` are those of `cluster_bootstrap.draw_weights`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from desktop_rater.stats.cluster_bootstrap import (
    Estimate,
    Floats,
    Indices,
    Weights,
    divided,
    draw_sums,
    estimate_figure,
)


class ScaleRatings(NamedTuple):
    """Ratings on a scale, one a row: number of the unit, of the rater, of the cluster (task), and the value.

    A rater rates a unit once. `raters` and `clusters` are the names, in the order of the numbers.
    """

    unit: Indices
    rater: Indices
    cluster: Indices
    value: Floats
    raters: tuple[str, ...]
    clusters: tuple[str, ...]

    @property
    def unit_clusters(self) -> Indices:
        """The cluster of each unit."""
        of_unit = np.zeros(self.unit.max(initial=-1) + 1, dtype=np.intp)
        of_unit[self.unit] = self.cluster
        return of_unit

    @property
    def unit_sizes(self) -> Floats:
        """The number of ratings of each unit."""
        return np.bincount(self.unit).astype(np.float64)

    def by_cluster(self, of_units: Floats) -> Floats:
        """Sum rows of units (units, k) to rows of clusters (clusters, k)."""
        summed = np.zeros((len(self.clusters), of_units.shape[1]))
        np.add.at(summed, self.unit_clusters, of_units)
        return summed


def scale_ratings(rows: Sequence[tuple[str, str, str, float]]) -> ScaleRatings:
    """Number the ratings (unit, rater, cluster, value)."""
    columns = list(zip(*((unit, rater, cluster) for unit, rater, cluster, _ in rows), strict=True)) or [()] * 3
    names = [{name: number for number, name in enumerate(sorted(set(column)))} for column in columns]
    units, raters, clusters = (
        np.array([numbers[name] for name in column], dtype=np.intp)
        for numbers, column in zip(names, columns, strict=True)
    )
    return ScaleRatings(
        units, raters, clusters, np.array([row[3] for row in rows], dtype=np.float64), tuple(names[1]), tuple(names[2])
    )


def _distances(values: Floats, power: float) -> Floats:
    return 1 - (np.abs(values[:, None] - values) / (values.max() - values.min())) ** power


def _ordinal(values: Floats) -> Floats:
    place = np.arange(len(values))
    apart = np.abs(place[:, None] - place)
    return _one_minus((apart + 1) * apart / 2)


def _ratio(values: Floats) -> Floats:
    sums = values[:, None] + values
    if not sums.all():
        raise ValueError("ratio weights need values above 0")
    return _one_minus(((values[:, None] - values) / sums) ** 2)


def _circular(values: Floats) -> Floats:
    around = values.max() - values.min() + 1
    return _one_minus(np.sin(np.pi * (values[:, None] - values) / around) ** 2)


def _bipolar(values: Floats) -> Floats:
    sums, apart = values[:, None] + values, (values[:, None] - values) ** 2
    return _one_minus(divided(apart, (sums - 2 * values.min()) * (2 * values.max() - sums)))


def _one_minus(distances: Floats) -> Floats:
    distances = np.nan_to_num(distances)
    return 1 - distances / distances.max()


WEIGHTS: dict[str, Callable[[Floats], Floats]] = {
    "unweighted": lambda values: np.eye(len(values)),
    "ordinal": _ordinal,
    "linear": lambda values: _distances(values, 1),
    "quadratic": lambda values: _distances(values, 2),
    "radical": lambda values: _distances(values, 0.5),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
"""Name → values of the scale, in order, at least two → the weight in [0, 1] of each pair of them."""


def weighted_agreement(ratings: ScaleRatings, values: Floats, weights: Floats, draws: Weights) -> dict[str, Estimate]:
    """Return the coefficients that need no raters' names. `values`: those of the scale; `weights`: of each pair.

    With s_q the mean share of value q over rated units, Q values and T the sum of all weights, Pe is T / (Q (Q - 1))
    sum s_q (1 - s_q) for `gwet_ac2` (Gwet 2008; AC1 if unweighted), sum w_qr s_q s_r for `fleiss_kappa` (Fleiss 1971)
    and T / Q^2 for `brennan_prediger` (Brennan, Prediger 1981). `percent` is Pa.
    """
    size, every = len(values), float(weights.sum())
    chances: dict[str, Callable[[Floats], Floats | float]] = {
        "percent": lambda _shares: 0.0,
        "gwet_ac2": lambda shares: every / (size * (size - 1)) * (shares * (1 - shares)).sum(axis=1),
        "fleiss_kappa": lambda shares: np.einsum("nq,qr,nr->n", shares, weights, shares),
        "brennan_prediger": lambda _shares: every / size**2,
    }
    counts, sums = _sums(ratings, values, weights)
    sums = ratings.by_cluster(np.column_stack([sums, counts / ratings.unit_sizes[:, None]]))

    def coefficient(of: Callable[[Floats], Floats | float]) -> Callable[[Floats], Floats]:
        return lambda rows: _beyond(_seen(rows), np.asarray(of(divided(rows[:, 3:], rows[:, :1] + 0 * rows[:, 3:]))))

    drawn, paired = draw_sums(sums, draws), int((sums[:, 1] > 0).sum())
    return {name: estimate_figure(drawn, coefficient(of), paired) for name, of in chances.items()}


def conger_kappa(ratings: ScaleRatings, values: Floats, weights: Floats, draws: Weights) -> Estimate:
    """Return weighted kappa of several raters: Pe is the mean over pairs of raters of Cohen's (Conger 1980)."""
    count, size = len(ratings.raters), len(values)
    _counts, sums = _sums(ratings, values, weights)
    given = np.zeros((len(ratings.clusters), count, size))
    np.add.at(given, (ratings.cluster, ratings.rater, np.searchsorted(values, ratings.value)), 1)

    def kappa(rows: Floats) -> Floats:
        by_rater = rows[:, 3:].reshape(-1, count, size)
        totals = by_rater.sum(axis=2, keepdims=True)
        shares = np.divide(by_rater, totals, out=np.zeros_like(by_rater), where=totals > 0)
        raters, all_shares = (totals[:, :, 0] > 0).sum(axis=1).astype(np.float64), shares.sum(axis=1)
        pairs = np.einsum("nq,qr,nr->n", all_shares, weights, all_shares)
        pairs -= np.einsum("njq,qr,njr->n", shares, weights, shares, optimize=True)
        return _beyond(_seen(rows), divided(pairs, raters * (raters - 1)))

    of_clusters = ratings.by_cluster(sums)
    drawn = draw_sums(np.column_stack([of_clusters, given.reshape(len(given), -1)]), draws)
    return estimate_figure(drawn, kappa, int((of_clusters[:, 1] > 0).sum()))


def _sums(ratings: ScaleRatings, values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the counts of each unit's values, and of each unit: 1, 1 with a pair, the weighted share of pairs."""
    counts = np.zeros((len(ratings.unit_sizes), len(values)))
    np.add.at(counts, (ratings.unit, np.searchsorted(values, ratings.value)), 1)
    sizes = counts.sum(axis=1)
    seen = divided((counts * (counts @ weights - 1)).sum(axis=1), sizes * (sizes - 1))
    return counts, np.column_stack([np.ones_like(sizes), sizes > 1, np.nan_to_num(seen)])


def _seen(rows: Floats) -> Floats:
    return divided(rows[:, 2], rows[:, 1])


def _beyond(seen: Floats, chance: Floats) -> Floats:
    return divided(seen - chance, np.broadcast_to(1 - chance, seen.shape))
