"""Reliability of ratings on a scale: intraclass correlations, raters needed for it, offsets and severities of raters.

The value of a unit is y = mean + unit + rater + rest, with variances U, R and E of the last three. Gaps are allowed.
Also change over time and with practice, and how hard and how telling the items are.
"""

from math import ceil, inf, sqrt
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import fdtri, logsumexp, stdtrit

from desktop_rater.stats.agreement_figures import REASON_ALL_EQUAL
from desktop_rater.stats.cluster_bootstrap import (
    AGREEMENT_RANGE,
    MIN_CLUSTERS,
    Estimate,
    Floats,
    Statistic,
    between,
    divided,
    few_clusters,
    jackknife,
    no_value,
    ratio,
)
from desktop_rater.stats.weighted_agreement import Indices, ScaleRatings
from desktop_rater.translation import N_

MOST_RATERS = 1_000  # more are no plan
_PLAIN = 7  # sums that need no raters' names
_SPREADS = tuple(enumerate(("unit", "rater", "rest")))


def intraclass_correlations(ratings: ScaleRatings) -> dict[str, Estimate]:
    """Return ICC(1), ICC(2,1) and ICC(2,k) (Shrout, Fleiss 1979; McGraw, Wong 1996), and the variances behind them.

    `icc_1` = (MSB - MSW) / (MSB + (n0 - 1) MSW) of the one-way analysis of variance, n0 = (N - sum n_i^2 / N) / (a - 1)
    with a units and n_i ratings of each. `icc_2_1` = U / (U + R + E) and `icc_2_k` = U / (U + (R + E) / k), the
    reliability of the mean of k raters, k the harmonic mean of the n_i. The variances are those of Henderson's method I
    (1953), which without gaps are those of the two-way analysis of variance; `unit`, `rater` and `rest` are their
    square roots, 0 for a negative one.

    Intervals are the jackknife's: a draw with replacement holds some ratings twice, which makes raters look less alike
    and the rest smaller than they are.
    """
    sums = _sums(ratings)
    paired = len(np.unique(ratings.cluster[(ratings.unit_sizes > 1)[ratings.unit]]))

    def estimated(statistic: Statistic, within: tuple[float, float] = AGREEMENT_RANGE) -> Estimate:
        result = jackknife(sums, statistic, within, paired)
        equal = result.value is None and not np.ptp(ratings.value)
        return result._replace(why=REASON_ALL_EQUAL) if equal else result

    spreads = {
        name: estimated(lambda rows, place=place: variances(rows)[place], (-np.inf, np.inf)) for place, name in _SPREADS
    }
    return {
        "icc_1": estimated(_one_way),
        "icc_2_1": estimated(lambda rows: _of_mean(rows, 1)),
        "icc_2_k": estimated(lambda rows: _of_mean(rows, divided(rows[:, 3], rows[:, 6]))),
        **{name: _spread(variance) for name, variance in spreads.items()},
    }


def _spread(variance: Estimate) -> Estimate:
    """Return the standard deviation of a variance, whose estimate and interval may lie below 0."""
    value, low, high = (None if end is None else sqrt(max(end, 0)) for end in variance[:3])
    if value is None or low is None or high is None:
        return variance._replace(value=value)
    return between(value, low, high, variance.clusters)


def _sums(ratings: ScaleRatings) -> Floats:
    """Return for each cluster: N, sum y, sum y^2, units, sum (unit's sum)^2 / n_i, sum n_i^2, sum 1 / n_i.

    Then of each rater: n_j, sum y.
    """
    value = ratings.value - ratings.value.mean()
    sizes, unit_sums = ratings.unit_sizes, np.bincount(ratings.unit, value)
    squares = np.bincount(ratings.unit, value**2)
    columns = [sizes, unit_sums, squares, np.ones_like(sizes), unit_sums**2 / sizes, sizes**2, 1 / sizes]
    clusters, raters = len(ratings.clusters), len(ratings.raters)
    by_rater = np.zeros((2, clusters, raters))
    np.add.at(by_rater[0], (ratings.cluster, ratings.rater), 1)
    np.add.at(by_rater[1], (ratings.cluster, ratings.rater), value)
    return np.hstack([ratings.by_cluster(np.column_stack(columns)), *by_rater])


def _one_way(rows: Floats) -> Floats:
    every, total, squares, units, of_units, sizes = rows[:, :6].T
    between = divided(of_units - divided(total**2, every), units - 1)
    within = divided(squares - of_units, every - units)
    per_unit = divided(every - divided(sizes, every), units - 1)
    return divided(between - within, between + (per_unit - 1) * within)


def variances(rows: Floats) -> Floats:
    """Return U, R and E (3, n) of rows of sums: each is unbiased, so it may be negative."""
    every, total, squares, units, of_units, sizes = rows[:, :6].T
    counts, totals = np.split(rows[:, _PLAIN:], 2, axis=1)
    raters = (counts > 0).sum(axis=1)
    rater_and_rest = divided(squares - of_units, every - units)
    unit_and_rest = divided(squares - divided(totals**2, counts + (counts == 0)).sum(axis=1), every - raters)
    about_mean = squares - divided(total**2, every)
    of_unit, of_rater = divided(sizes, every), divided((counts**2).sum(axis=1), every)
    seen = about_mean - (every - of_unit) * unit_and_rest - (every - of_rater) * rater_and_rest
    rest = divided(seen, of_unit + of_rater - every - 1)
    return np.stack([unit_and_rest - rest, rater_and_rest - rest, rest])


def _of_mean(rows: Floats, raters: Floats | float) -> Floats:
    unit, rater, rest = variances(rows)
    return divided(unit, unit + (rater + rest) / raters)


def classical_interval(ratings: ScaleRatings, raters: int) -> tuple[float, float] | None:
    """Return the 95 % interval of ICC(2,k) for normal variances, `None` with gaps (McGraw, Wong 1996, table 7).

    The raters are a sample too, which no drawing of tasks shows. `raters`: k, 1 for ICC(2,1).
    """
    units, count = len(ratings.unit_sizes), len(ratings.raters)
    if len(ratings.value) != units * count or units < 2 or count < 2:
        return None
    total = _sums(ratings).sum(axis=0, keepdims=True)
    unit, rater, rest = variances(total)[:, 0].tolist()
    if rest <= 0:
        return None
    rows, columns = rest + count * unit, rest + units * rater
    if rows <= 0:  # the units do not differ
        return None
    icc = float(unit / (unit + rater + rest))
    a = count * icc / (units * (1 - icc))
    b = 1 + count * icc * (units - 1) / (units * (1 - icc))
    v = (a * columns + b * rest) ** 2 / (
        (a * columns) ** 2 / (count - 1) + (b * rest) ** 2 / ((units - 1) * (count - 1))
    )
    above, below = fdtri(units - 1, v, 0.975), fdtri(v, units - 1, 0.975)
    noise = count * columns + (count * units - count - units) * rest
    low = units * (rows - above * rest) / (above * noise + units * rows)
    high = units * (below * rows - rest) / (noise + units * below * rows)
    return float(raters_reliability(low, raters)), float(raters_reliability(high, raters))


def raters_reliability(icc: float, raters: float) -> float:
    """Return the reliability of the mean of several raters (Spearman, Brown 1910), from that of one."""
    return raters * icc / (1 + (raters - 1) * icc)


def raters_needed(icc: float | None, reliability: float) -> int | None:
    """Return how many raters a unit needs for a reliability: the least k; `None` if one rater has next to none."""
    if icc is None or icc <= 0:
        return None
    count = max(1, ceil(reliability * (1 - icc) / (icc * (1 - reliability)) - 1e-9))
    return count if count <= MOST_RATERS else None


class RaterOffset(NamedTuple):
    """A rater's mean, and `offset`: how much more the rater gives than the others would on the same units."""

    rater: str
    ratings: int
    mean: Estimate
    offset: Estimate


def rater_offsets(ratings: ScaleRatings, ends: tuple[float, float] = (-inf, inf)) -> tuple[RaterOffset, ...]:
    """Return the least squares estimates of the raters in the model with units and raters as fixed effects.

    Their mean is 0. Errors are those of the sandwich over clusters (Liang, Zeger 1986), with t of the rater's clusters
    less one. Without an offset: raters who share no units, even through others, can't be compared. `ends`: those of the
    numbers.
    """
    raters, clusters = len(ratings.raters), len(ratings.clusters)
    given = coo_array((np.ones_like(ratings.value), (ratings.unit, ratings.rater))).tocsr()
    about_unit = ratings.value - (np.bincount(ratings.unit, ratings.value) / ratings.unit_sizes)[ratings.unit]
    among = given.T @ (given / ratings.unit_sizes[:, None])
    normal = np.diag(np.bincount(ratings.rater).astype(np.float64)) - among.toarray()
    solved = np.linalg.pinv(normal, rcond=1e-10, hermitian=True)
    connected = raters > 1 and np.linalg.matrix_rank(normal, tol=1e-8, hermitian=True) == raters - 1
    offsets = solved @ np.bincount(ratings.rater, about_unit)
    left = about_unit - offsets[ratings.rater]
    left -= (np.bincount(ratings.unit, left) / ratings.unit_sizes)[ratings.unit]
    scores, counts, totals = np.zeros((clusters, raters)), np.zeros((clusters, raters)), np.zeros((clusters, raters))
    for table, values in ((scores, left), (counts, np.ones_like(left)), (totals, ratings.value)):
        np.add.at(table, (ratings.cluster, ratings.rater), values)
    errors = np.sqrt((((scores @ solved) ** 2).sum(axis=0)) * clusters / max(clusters - 1, 1))
    rows = []
    for number, name in enumerate(ratings.raters):
        of_rater = int((counts[:, number] > 0).sum())
        offset = no_value(of_rater, N_("Report", "shares no places with the others"))
        if connected:
            value, apart = float(offsets[number]), float(-stdtrit(max(of_rater - 1, 1), 0.025) * errors[number])
            few = of_rater < MIN_CLUSTERS
            offset = (
                Estimate(value, None, None, of_rater, few_clusters(of_rater))
                if few
                else Estimate(value, value - apart, value + apart, of_rater)
            )
        mean = ratio(totals[:, number], counts[:, number], ends)
        rows.append(RaterOffset(name, int(counts[:, number].sum()), mean, offset))
    return tuple(rows)


MIN_UNITS = 30  # units with two ratings
MIN_GIVEN = 10  # ratings of each rater, and of each step (Linacre 2002)
MAX_RATINGS = 50_000  # more would make a report slow


class RaterSeverity(NamedTuple):
    """A rater's `severity` in log-odds, the mean of all being 0, with its standard error over clusters.

    `infit` and `outfit`: mean squares of the differences from the model, weighted by their variance and unweighted
    (Wright, Masters 1982), over the distribution of each unit. They are 1 on average; above 1.5 is noise, below 0.5
    too little difference.
    """

    rater: str
    severity: float
    error: float
    infit: float
    outfit: float


class FacetsModel(NamedTuple):
    """Many-facet rating scale model: units, severities of raters, and the steps of the scale on one line of log-odds.

    log P(k) / P(k - 1) = unit - severity of the rater - step k (Andrich 1978; Linacre, Many-Facet Rasch Measurement,
    1989). Units are normal with mean 0, and integrated out (marginal maximum likelihood: Bock, Aitkin 1981): the joint
    estimates of severities, as of FACETS, are too far apart where a unit has few ratings.

    `steps`: each with its standard error. `spread`: standard deviation of the units, with its standard error.

    `reliability`: share of the variance of severities that is not error; near 0, raters are equally severe.
    """

    raters: tuple[RaterSeverity, ...]
    steps: tuple[tuple[float, float], ...]
    spread: tuple[float, float]
    reliability: float
    log_likelihood: float


def reason_for_no_model(ratings: ScaleRatings) -> str:
    """Return why there is too little data for the model; empty if there is enough."""
    values, given = np.unique(ratings.value, return_counts=True)
    of_rater = np.bincount(ratings.rater)
    ends = [ratings.value[ratings.rater == rater] for rater in range(len(of_rater))]
    units = int((ratings.unit_sizes > 1).sum())
    checks = (
        (len(of_rater) < 2, N_("Report", "there is only one rater")),
        (len(values) < 2, N_("Report", "every rating is the same")),
        (units < MIN_UNITS, N_("Report", "fewer than 30 units have two ratings")),
        (of_rater.min(initial=MIN_GIVEN) < MIN_GIVEN, N_("Report", "a rater gave fewer than 10 ratings")),
        (given.min(initial=MIN_GIVEN) < MIN_GIVEN, N_("Report", "a step was given fewer than 10 times")),
        (any(np.ptp(end) == 0 for end in ends if len(end)), N_("Report", "a rater gave the same value everywhere")),
        (len(ratings.value) > MAX_RATINGS, N_("Report", "more than 50,000 ratings")),
    )
    return next((why for failed, why in checks if failed), "")


class _Likelihood:
    """Marginal likelihood of severities (without the last), steps and the logarithm of the units' spread."""

    nodes = np.linspace(-5, 5, 51)  # fine enough for a unit with a hundred ratings, as the roots of Hermite are not

    def __init__(self, ratings: ScaleRatings) -> None:
        order = np.argsort(ratings.unit, kind="stable")
        self._ratings, self._order = ratings, order
        self.unit, self.rater = ratings.unit[order], ratings.rater[order]
        values, self.step = np.unique(ratings.value[order], return_inverse=True)
        self.raters, self.steps = len(ratings.raters), len(values) - 1
        self._starts = np.searchsorted(self.unit, np.arange(len(ratings.unit_sizes)))
        self._of_raters = csr_array((np.ones(len(self.unit)), (self.rater, self.unit)))
        self._of_units, self._of_rater = np.bincount(self.unit, self.step), np.bincount(self.rater, self.step)
        self._log_density = -(self.nodes**2) / 2 - logsumexp(-(self.nodes**2) / 2)

    def at(self, values: Floats) -> tuple[float, Floats, Floats, Floats, Floats]:
        """Return log-likelihood, posterior of each unit, P (rater, node, step), expectation and variance."""
        severity = np.append(values[: self.raters - 1], -values[: self.raters - 1].sum())
        steps, spread = values[self.raters - 1 : -1], np.exp(values[-1])
        level = spread * self.nodes - severity[:, None]
        places = np.arange(self.steps + 1)
        logits = level[:, :, None] * places - np.append(0, np.cumsum(steps))
        logits -= logits.max(axis=2, keepdims=True)
        chance = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
        joint = np.add.reduceat(chance[self.rater, :, self.step], self._starts) + self._log_density
        whole = logsumexp(joint, axis=1, keepdims=True)
        chance = np.exp(chance)
        mean = chance @ places
        return float(whole.sum()), np.exp(joint - whole), chance, mean, chance @ places**2 - mean**2

    def scores(self, values: Floats) -> Floats:
        """Return the derivatives of the log-likelihood for each rating: severity, each step, spread."""
        _likelihood, posterior, chance, mean, _variance = self.at(values)
        posterior = posterior[self.unit]
        above = self.step[:, None] - mean[self.rater]
        least = np.cumsum(chance[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]
        given = (self.step[:, None] > np.arange(self.steps)).astype(np.float64)
        of_steps = np.einsum("rq,rqh->rh", posterior, least[self.rater]) - given
        more = (posterior * above).sum(axis=1)
        wider = np.exp(values[-1]) * (posterior * above * self.nodes).sum(axis=1)
        return np.column_stack([-more, of_steps, wider])

    def summed(self, scores: Floats, groups: np.ndarray, count: int) -> Floats:
        """Sum the derivatives of ratings to those of the free parameters, by group (count, parameters)."""
        table = np.zeros((count, self.raters + self.steps + 1))
        np.add.at(table, (groups, self.rater), scores[:, 0])
        np.add.at(table[:, self.raters :], groups, scores[:, 1:])
        return np.hstack([table[:, : self.raters - 1] - table[:, [self.raters - 1]], table[:, self.raters :]])

    def negative(self, values: Floats) -> tuple[float, Floats]:
        """Return the negative log-likelihood and its gradient, from sums of each rater."""
        likelihood, posterior, chance, mean, _variance = self.at(values)
        whole = self._of_raters @ posterior
        least = np.cumsum(chance[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]
        severity = (whole * mean).sum(axis=1) - self._of_rater
        steps = np.einsum("jq,jqh->h", whole, least) - (self.step[:, None] > np.arange(self.steps)).sum(axis=0)
        wider = (self._of_units @ posterior - (whole * mean).sum(axis=0)) @ self.nodes * np.exp(values[-1])
        return -likelihood, -np.concatenate([severity[:-1] - severity[-1], steps, [wider]])

    def errors(self, values: Floats) -> Floats:
        """Return the covariance of the parameters: the sandwich over clusters, of the information of the units."""
        scores = self.scores(values)
        of_units = self.summed(scores, self.unit, len(self._starts))
        clusters = len(self._ratings.clusters)
        of_clusters = self.summed(scores, self._ratings.cluster[self._order], clusters)
        inverse = np.linalg.pinv(of_units.T @ of_units, hermitian=True)
        return inverse @ of_clusters.T @ of_clusters @ inverse * clusters / max(clusters - 1, 1)


def fit_facets(ratings: ScaleRatings) -> FacetsModel:
    """Fit the model. The values that occur are its steps, in order; see `reason_for_no_model`."""
    from scipy.optimize import minimize  # noqa: PLC0415 - slow to load, and most rubrics have no scale

    likelihood = _Likelihood(ratings)
    free = likelihood.raters - 1
    given_steps = np.bincount(likelihood.step).astype(np.float64)
    means = np.bincount(likelihood.rater, likelihood.step) / np.bincount(likelihood.rater)
    start = np.concatenate([(means.mean() - means)[:free], np.log(given_steps[:-1] / given_steps[1:]), [0.0]])
    optimum = minimize(likelihood.negative, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "gtol": 1e-4})
    values, covariance = optimum.x, likelihood.errors(optimum.x)
    severity = np.append(values[:free], -values[:free].sum())
    errors = np.sqrt(np.append(np.diag(covariance)[:free], covariance[:free, :free].sum()))
    log_likelihood, of_units, _chance, mean, variance = likelihood.at(values)
    posterior = of_units[likelihood.unit]
    squares = (posterior * (likelihood.step[:, None] - mean[likelihood.rater]) ** 2).sum(axis=1)
    relative = (posterior * (likelihood.step[:, None] - mean[likelihood.rater]) ** 2 / variance[likelihood.rater]).sum(
        axis=1
    )
    expected = (posterior * variance[likelihood.rater]).sum(axis=1)
    given = np.bincount(likelihood.rater)
    outfit = np.bincount(likelihood.rater, relative) / given
    infit = np.bincount(likelihood.rater, squares) / np.bincount(likelihood.rater, expected)
    spread = float(np.exp(values[-1]))
    of_steps = np.sqrt(np.diag(covariance)[free:-1])
    apart = float(severity.var(ddof=1))
    rows = zip(severity.tolist(), errors.tolist(), infit.tolist(), outfit.tolist(), strict=True)
    return FacetsModel(
        tuple(RaterSeverity(name, *row) for name, row in zip(ratings.raters, rows, strict=True)),
        tuple(zip(values[free:-1].tolist(), of_steps.tolist(), strict=True)),
        (spread, spread * float(np.sqrt(covariance[-1, -1]))),
        max(0.0, 1 - float((errors**2).mean()) / apart) if apart else 0.0,
        log_likelihood,
    )


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
