"""Many-facet rating scale model: units, severities of raters, and the steps of the scale on one line of log-odds.

log P(k) / P(k - 1) = unit - severity of the rater - step k (Andrich 1978; Linacre, Many-Facet Rasch Measurement, 1989).
Units are normal with mean 0, and integrated out (marginal maximum likelihood: Bock, Aitkin 1981): the joint estimates
of severities, as of FACETS, are too far apart where a unit has few ratings.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp

from desktop_rater.stats.cluster_bootstrap import Floats
from desktop_rater.stats.weighted_agreement import ScaleRatings
from desktop_rater.translation import N_

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
    """`steps`: each with its standard error. `spread`: standard deviation of the units, with its standard error.

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
