"""Change over time and with practice, and how hard and how telling the items are."""

import numpy as np

from desktop_rater.stats.cluster_bootstrap import Estimate, Floats, divided, jackknife, no_value
from desktop_rater.stats.weighted_agreement import Indices


def slope(at: Floats, value: Floats, cluster: Indices) -> Estimate:
    """Return the least squares slope of values, with the jackknife's interval over clusters.

    At days it is a drift; at the logarithm of the place in order a learning curve (Newell, Rosenbloom 1981).
    """
    if not len(at):
        return no_value(0)
    at, value = at - at.mean(), value - value.mean()
    sums = np.zeros((cluster.max() + 1, 5))
    np.add.at(sums, cluster, np.stack([np.ones_like(at), at, value, at * at, at * value], axis=1))

    def steepness(rows: Floats) -> Floats:
        count, ats, values, squares, products = rows.T
        spread = squares - divided(ats**2, count)
        return divided(products - divided(ats * values, count), np.where(spread > 1e-9, spread, 0))

    return jackknife(sums, steepness)


def item_analysis(
    hit: Floats, item: Indices, rater: Indices, totals: tuple[Floats, Floats] | None = None
) -> tuple[Floats, Floats]:
    """Return difficulty and discrimination of each item, of hits 0 or 1. `totals`: of each rater, judgements and hits.

    Difficulty is the share of misses. Discrimination is the point-biserial correlation of a hit with the share of hits
    that the rater has at the rest of the items (Lord, Novick 1968, 15.3), NaN where either does not vary.
    """
    given, hits_of = totals or (np.bincount(rater).astype(np.float64), np.bincount(rater, hit))
    others, elsewhere = given[rater] - 1, hits_of[rater] - hit
    rest = divided(elsewhere, others)
    use = np.isfinite(rest)
    size = int(item.max()) + 1
    count, hit_sum, rest_sum, products, squares = (
        np.bincount(item[use], weights, size).astype(np.float64)
        for weights in (np.ones(use.sum()), hit[use], rest[use], (hit * rest)[use], (rest * rest)[use])
    )
    covariance = products - divided(hit_sum * rest_sum, count)
    variances = (hit_sum - divided(hit_sum**2, count)) * (squares - divided(rest_sum**2, count))
    variances = np.where(variances > 1e-12, variances, 0)  # NaN where nobody is left, or all are alike
    hits, every = (np.bincount(item, weights, size).astype(np.float64) for weights in (hit, np.ones_like(hit)))
    return 1 - divided(hits, every), divided(covariance, np.sqrt(variances))
