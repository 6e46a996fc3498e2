"""Bootstrap over clusters: draws by a seed, intervals over clusters and of shares, and the bands of chance."""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from hashlib import shake_128
from math import exp, expm1, factorial, hypot, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from desktop_rater.stats.bootstrap import NO_DATA, few_clusters
from desktop_rater.translation import N_, Phrase

DRAWS = 2_000
MOST_DRAWN = 20_000  # with more clusters, the jackknife's interval differs less from that of draws than draws do
MIN_CLUSTERS = 10  # with fewer, intervals by draws cover less than 93 %
MIN_SHARE_CLUSTERS = 5  # with fewer, those of shares do
BLOCK = 512  # clusters multiplied at once
_MIN_DEFINED = 0.9  # share of the draws in which a figure must be defined
_OUTSIDE = 0.025  # on each side of an interval of 95 %
_ROUNDING = 1e-12
_LONGEST_STEP = 700.0  # of a logarithm whose exponential is a float
_LEAST_BELOW = 0.02  # a value with fewer draws below it is not corrected further
MIN_OTHERS = 3
AGREEMENT_RANGE = (-1.0, 1.0)  # of figures of agreement beyond chance, and of correlations
NOTHING_VARIES = N_("Report", "it is not defined, since nothing varies")
UNDEFINED_DRAWS = N_("Report", "in too many draws it is not defined")
ALL_ALIKE = N_("Report", "all tasks are alike: no interval")

Floats = NDArray[np.float64]
Numbers = Floats | NDArray[np.intp]
Weights = NDArray[np.uint8]
Indices = NDArray[np.intp]
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


def no_value(clusters: int, why: str = "") -> Estimate:
    """Return the estimate of a figure that is not defined; it always has a reason."""
    return Estimate(None, None, None, clusters, why or (NOTHING_VARIES if clusters else NO_DATA))


def between(value: float, low: float, high: float, clusters: int) -> Estimate:
    """Return a figure with its interval, but none without width: where a sample does not vary, all others still may."""
    if high - low <= _ROUNDING:
        return Estimate(value, None, None, clusters, ALL_ALIKE)
    return Estimate(value, float(low), float(high), clusters)


def draw_weights(seed: int, clusters: Sequence[str], draws: int = DRAWS) -> Weights:
    """Return how often each cluster occurs in each draw, (clusters, draws).

    A row depends on the seed and the id of its cluster alone: 16 bits a draw of SHAKE-128 of both.
    """
    return _draw_weights(seed, tuple(clusters), draws) if draws else np.zeros((len(clusters), 0), dtype=np.uint8)


@lru_cache(maxsize=2)  # many figures rest on the same tasks
def _draw_weights(seed: int, clusters: tuple[str, ...], draws: int) -> Weights:
    stream = b"".join(shake_128(f"{seed}\n{cluster}".encode()).digest(2 * draws) for cluster in clusters)
    weights = _POISSON[np.frombuffer(stream, "<u2").reshape(len(clusters), draws)]
    weights.flags.writeable = False
    return weights


def draws_for(clusters: int) -> int:
    """Return the number of draws: none for so many clusters that the jackknife gives the same interval."""
    return DRAWS if clusters <= MOST_DRAWN else 0


class KindSums(NamedTuple):
    """Sums over clusters, computed a block at a time: `rows` (kinds, k) of each kind, `times` in each cluster."""

    times: csr_array
    rows: Floats

    @classmethod
    def of(cls, clusters: Indices, kinds: Indices, times: Numbers, rows: Floats, count: int) -> "KindSums":
        """Count the kinds in each of `count` clusters, each entry `times`."""
        of_clusters = csr_array((np.asarray(times, dtype=np.float64), (clusters, kinds)), shape=(count, len(rows)))
        return cls(of_clusters, rows)

    @property
    def clusters(self) -> int:
        return int(self.times.shape[0])

    @property
    def total(self) -> Floats:
        return np.asarray(self.times.sum(axis=0)).reshape(1, -1) @ self.rows

    def block(self, start: int) -> Floats:
        """Return the sums of the clusters from `start` on, (`BLOCK`, k)."""
        return np.asarray(self.times[start : start + BLOCK] @ self.rows)

    def column(self, of_kinds: Floats) -> Floats:
        """Return the sum over each cluster of one number of each kind."""
        return np.asarray(self.times @ of_kinds)


class ClusterDraws(NamedTuple):
    """Sums over all clusters (1, k), over those of each draw (draws, k), and of each block of clusters."""

    total: Floats
    drawn: Floats
    clusters: int
    block: Callable[[int], Floats]

    def without(self, statistic: Statistic) -> Floats:
        """Return the figure without each one cluster, (clusters,)."""
        starts = range(0, self.clusters, BLOCK)
        return np.concatenate([statistic(self.total - self.block(start)) for start in starts])


def draw_sums(sums: Floats, weights: Weights) -> ClusterDraws:
    """Return the sums that figures are computed from. `sums`: (clusters, k); a row of zeros is no cluster."""
    used = sums.any(axis=1)
    sums, weights = sums[used], weights[used]
    total = sums.sum(axis=0, keepdims=True)
    return _drawn(total, len(sums), lambda start: sums[start : start + BLOCK], weights)


def draw_kind_sums(sums: KindSums, weights: Weights) -> ClusterDraws:
    """Return the sums that figures are computed from, of clusters that all have data."""
    return _drawn(sums.total, sums.clusters, sums.block, weights)


def _drawn(total: Floats, clusters: int, block: Callable[[int], Floats], weights: Weights) -> ClusterDraws:
    drawn = np.zeros((weights.shape[1], total.shape[1]))
    for start in range(0, clusters, BLOCK) if clusters >= MIN_CLUSTERS and len(drawn) else ():
        drawn += weights[start : start + BLOCK].T.astype(np.float64) @ block(start)
    return ClusterDraws(total, drawn, clusters, block)


def estimate(sums: Floats, weights: Weights, statistic: Statistic) -> Estimate:
    """Return a figure of sums over clusters. `sums`: (clusters, k); a row of zeros is a cluster without data."""
    return estimate_figure(draw_sums(sums, weights), statistic)


def estimate_figure(draws: ClusterDraws, statistic: Statistic, clusters: int | None = None) -> Estimate:
    """Return a figure with its interval: BCa (Efron 1987), its percentiles widened for few clusters.

    The acceleration comes from leaving out one cluster at a time; without draws, so does the whole interval.
    `clusters`: the number of those that the figure rests on, such as those with pairs; by default all.
    """
    clusters = draws.clusters if clusters is None else clusters
    value = float(statistic(draws.total)[0]) if clusters else np.nan
    if not np.isfinite(value):
        return no_value(clusters)
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    without = draws.without(statistic)
    if not len(draws.drawn):
        return jackknife_interval(value, without, clusters)
    freedom = freedom_of(without, clusters)
    return estimate_from_draws(value, statistic(draws.drawn), clusters, acceleration_of(without), freedom)


def acceleration_of(without: Floats) -> float:
    """Return the acceleration of BCa intervals from the figures without each one cluster."""
    defined = without[np.isfinite(without)]
    apart = defined.mean() - defined if len(defined) else defined
    squares = float((apart**2).sum())
    return float((apart**3).sum()) / (6 * squares**1.5) if squares > _ROUNDING else 0.0


def freedom_of(without: Floats, clusters: int) -> float:
    """Return the degrees of freedom of the jackknife's variance: fewer if a few clusters decide.

    (m - 1) / (1 + G2 / 2), at most m - 1, with the excess kurtosis G2 (Box, Andersen 1955; Joanes, Gill 1998): rare
    labels and unequal tasks have heavy tails.
    """
    squares = (without - np.nanmean(without)) ** 2
    biased = clusters * float(np.nansum(squares**2)) / max(float(np.nansum(squares)) ** 2, _ROUNDING**2) - 3
    excess = (clusters - 1) / ((clusters - 2) * (clusters - 3)) * ((clusters + 1) * biased + 6)
    return (clusters - 1) / (1 + max(0.0, excess) / 2)


def estimate_from_draws(
    value: float, drawn: Floats, clusters: int, acceleration: float = 0, freedom: float | None = None
) -> Estimate:
    """Return a figure with the interval of its draws, corrected for bias as `estimate` does.

    Percentiles are widened as if the draws followed a normal distribution that t should have (Hesterberg 2015, 5.2),
    with `freedom` or one less than the clusters.
    """
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < _MIN_DEFINED * len(drawn):
        return Estimate(value, None, None, clusters, UNDEFINED_DRAWS)
    near = _ROUNDING * max(1.0, abs(value))
    below = float((defined < value - near).mean() + (np.abs(defined - value) <= near).mean() / 2)
    bias = float(ndtri(min(max(below, _LEAST_BELOW), 1 - _LEAST_BELOW)))
    freedom = freedom or clusters - 1.0
    end = sqrt((freedom + 1) / freedom) * -float(stdtrit(freedom, _OUTSIDE))
    shares = [float(ndtr(bias + (bias + z) / max(1 - acceleration * (bias + z), _ROUNDING))) for z in (-end, end)]
    return between(value, *np.quantile(defined, shares).tolist(), clusters)


def share(parts: Numbers, wholes: Numbers) -> Estimate:
    """Return a share: the sum of `parts`, each from 0 to its whole, over that of `wholes`, each (clusters,).

    The interval is symmetric in log(p / (1 - p)), with t and the jackknife's standard error, as surveys compute it
    (Rust, Rao 1996; `svyciprop` of R): it covers better than draws if a share is near 0 or 1 or clusters are few. If
    all parts are 0, or all are whole, it is Wilson's (1927) with the number of clusters.
    """
    used = wholes > 0
    parts, wholes = parts[used], wholes[used]
    clusters, part, whole = len(wholes), float(parts.sum()), float(wholes.sum())
    if not clusters:
        return no_value(0)
    without = divided(np.asarray(part - parts, dtype=np.float64), np.asarray(whole - wholes, dtype=np.float64))
    return share_with_error(part / whole, _jackknife_error(without), clusters)


def share_with_error(value: float, error: float, clusters: int) -> Estimate:
    """Return a share with the interval of the jackknife's standard error, as `share` does."""
    if clusters < MIN_SHARE_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    t = -float(stdtrit(clusters - 1, _OUTSIDE))
    if value < _ROUNDING or 1 - value < _ROUNDING:
        outside = t * t / (clusters + t * t)
        low, high = (0.0, outside) if value < 1 / 2 else (1 - outside, 1.0)
        return Estimate(value, low, high, clusters)
    apart = t * error / (value * (1 - value))
    return Estimate(value, float(expit(logit(value) - apart)), float(expit(logit(value) + apart)), clusters)


def quantile_interval(values: Floats, clusters: Sequence[Hashable] | Indices, wanted: float = 0.5) -> Estimate:
    """Return a quantile of values, of the cluster of each (Woodruff 1952).

    Its interval lies between the quantiles at the ends of the interval of the share of values below it.
    """
    if not len(values):
        return no_value(0)
    value = float(np.quantile(values, wanted))
    at = clusters if isinstance(clusters, np.ndarray) else np.unique(np.asarray(clusters), return_inverse=True)[1]
    below = (values < value) + (values == value) / 2
    result = share(np.bincount(at, below), np.bincount(at))
    if result.low is None or result.high is None:
        return result._replace(value=value)
    return between(value, *np.quantile(values, (result.low, result.high)).tolist(), result.clusters)


def jackknife(
    sums: Floats,
    statistic: Statistic,
    within: tuple[float, float] = (-np.inf, np.inf),
    clusters: int | None = None,
) -> Estimate:
    """Return a figure with t times the jackknife's standard error (Tukey 1958): for figures too many to draw.

    The interval is cut at the ends of `within`, beyond which the figure can't be. A row of zeros is no cluster.
    `clusters`: the number of those that the figure rests on, as for `estimate_figure`.
    """
    sums = sums[sums.any(axis=1)]
    clusters = len(sums) if clusters is None else clusters
    total = sums.sum(axis=0, keepdims=True)
    value = float(statistic(total)[0]) if clusters else np.nan
    if not np.isfinite(value):
        return no_value(clusters)
    return jackknife_interval(value, statistic(total - sums), clusters, within)


def jackknife_interval(
    value: float, without: Floats, clusters: int, within: tuple[float, float] = (-np.inf, np.inf)
) -> Estimate:
    """Return the jackknife's interval of a figure. `without`: the figure without each one cluster."""
    return value_with_error(value, _jackknife_error(without) if clusters >= MIN_CLUSTERS else np.nan, clusters, within)


def value_with_error(
    value: float, error: float, clusters: int, within: tuple[float, float] = (-np.inf, np.inf)
) -> Estimate:
    """Return a figure with the interval of the jackknife's standard error, NaN if it is not defined."""
    if clusters < MIN_CLUSTERS or not np.isfinite(error):
        why = few_clusters(clusters) if clusters < MIN_CLUSTERS else UNDEFINED_DRAWS
        return Estimate(value, None, None, clusters, why)
    apart = -float(stdtrit(clusters - 1, _OUTSIDE)) * error
    return between(value, max(value - apart, within[0]), min(value + apart, within[1]), clusters)


def jackknife_groups(sums: Floats, groups: Indices, statistic: Statistic) -> tuple[Floats, Floats, Indices]:
    """Return a figure of each of several groups of clusters, the jackknife's error, and the number of clusters.

    `sums`: (clusters, k); `groups`: the group of each cluster, numbered from 0 on, in order and without gaps.
    """
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    total, clusters = np.add.reduceat(sums, starts), np.diff(starts, append=len(groups))
    without = statistic(total[groups] - sums)
    mean = np.add.reduceat(without, starts) / clusters
    squares = np.add.reduceat((without - mean[groups]) ** 2, starts)
    return statistic(total), np.sqrt((clusters - 1) / clusters * squares), clusters


def with_other_factor(over_tasks: Estimate, without: Floats, without_both: Floats | None = None) -> Estimate:
    """Return the figure with an interval over two factors, tasks and another (Cameron, Gelbach, Miller 2011).

    `without`: the figure without each one of the other; `without_both`: without the part of each one in each task.
    The variance of the latter is in both others, and counts once; the sum is never below the variance over tasks.
    """
    defined = without[np.isfinite(without)]
    count = len(defined)
    if over_tasks.low is None or over_tasks.high is None or over_tasks.value is None:
        return over_tasks
    if count < MIN_OTHERS or count < len(without):
        return over_tasks._replace(
            low=None,
            high=None,
            why=Phrase(N_("Report", "rests on {n} raters: too few for an interval"), n=len(without)),
        )
    common = 0.0 if without_both is None else _jackknife_error(without_both[np.isfinite(without_both)])
    added = sqrt(max(0.0, _jackknife_error(defined) ** 2 - common**2))
    apart = -float(stdtrit(count - 1, _OUTSIDE)) * added
    value = over_tasks.value
    low, high = (hypot(end - value, apart) for end in (over_tasks.low, over_tasks.high))
    return over_tasks._replace(low=value - low, high=value + high)


def _jackknife_error(without: Floats) -> float:
    count = len(without)
    return sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum()))


def ratio(parts: Numbers, wholes: Numbers, within: tuple[float, float] = (-inf, inf)) -> Estimate:
    """Return the sum of `parts` over that of `wholes`, each (clusters,): a mean; for shares there is `share`.

    The interval has t and the jackknife's standard error. It is symmetric in the logarithm of the distances from the
    ends of `within`: log((y - low) / (high - y)), log(y - low), or y itself. The degrees of freedom are those of the
    jackknife's variance if units vary alike (Bell, McCaffrey 2002): m - 1 for m clusters of one size, fewer where a few
    large ones decide.
    """
    parts, wholes = np.asarray(parts[wholes > 0], dtype=np.float64), np.asarray(wholes[wholes > 0], dtype=np.float64)
    part, whole = float(parts.sum()), float(wholes.sum())
    if not len(wholes):
        return no_value(0)
    return mean_with_error(part / whole, _jackknife_error(divided(part - parts, whole - wholes)), wholes, within)


def mean_with_error(value: float, error: float, wholes: Floats, within: tuple[float, float]) -> Estimate:
    """Return a mean with the interval of the jackknife's standard error, as `ratio` does. `wholes`: its clusters'."""
    clusters, below, above = len(wholes), value - within[0], within[1] - value
    if clusters < MIN_CLUSTERS:
        return Estimate(value, None, None, clusters, few_clusters(clusters))
    if min(below, above) <= _ROUNDING:
        return Estimate(value, None, None, clusters, ALL_ALIKE)
    odds = wholes / (wholes.sum() - wholes)
    squares = float((odds**2).sum())
    freedom = float(odds.sum()) ** 2 / (squares + squares**2 - float((odds**4).sum()))
    apart = -float(stdtrit(freedom, _OUTSIDE)) * error
    slope = 1 / below + 1 / above
    step = min(apart * slope, _LONGEST_STEP)
    low, high = (
        value + (expm1(sign * step) / (1 / below + exp(sign * step) / above) if slope else sign * apart)
        for sign in (-1, 1)
    )
    return between(value, low, high, clusters)


def difference(one: Estimate, other: Estimate, alike: float, clusters: int) -> Estimate:
    """Return the difference of two figures, its ends from those of both (Newcombe 1998; Zou, Donner 2008).

    So it is right where a share is 0, too. `alike`: the correlation of both.
    """
    if one.value is None or other.value is None:
        return no_value(clusters, one.why or other.why)
    value = one.value - other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, None, None, clusters, one.why or other.why)
    ends = [(one.value - one.low, other.high - other.value), (one.high - one.value, other.value - other.low)]
    low, high = (sqrt(max(0.0, a * a + b * b - 2 * alike * a * b)) for a, b in ends)
    return between(value, value - low, value + high, clusters)


def paired_difference(parts: Floats, other_parts: Floats, wholes: Floats) -> Estimate:
    """Return the first share minus the other one, of the same clusters, by the correlation without each one cluster."""
    return group_difference(parts, wholes, other_parts, wholes)


def group_difference(parts: Floats, wholes: Floats, other_parts: Floats, other_wholes: Floats) -> Estimate:
    """Return the share of some units minus that of others, which lie in the same clusters, as `difference` does."""
    pairs = (parts, wholes), (other_parts, other_wholes)
    alike = correlation(*(divided(part.sum() - part, whole.sum() - whole) for part, whole in pairs))
    return difference(share(*pairs[0]), share(*pairs[1]), alike, int(((wholes + other_wholes) > 0).sum()))


def correlation(one: Floats, other: Floats) -> float:
    """Return the correlation of two figures over draws, or without each one cluster; 0 where one does not vary."""
    both = np.stack([one, other])
    both = both[:, np.isfinite(both).all(axis=0)]
    return float(np.corrcoef(both)[0, 1]) if both.size and (both.std(axis=1) > _ROUNDING).all() else 0.0


def compact(numbers: Indices) -> tuple[Indices, Indices]:
    """Return the numbers from 0 on that occur, in order, and the position of each among them: `unique` unsorted."""
    occurs = np.zeros(numbers.max(initial=-1) + 1, dtype=bool)
    occurs[numbers] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]


def divided(parts: Floats, wholes: Floats) -> Floats:
    """Divide, with NaN where there is nothing to divide by."""
    return np.divide(parts, wholes, out=np.full_like(parts, np.nan), where=wholes != 0)


_RATERS, _MOST_CELLS = 1_000, 400_000
_LEAST_RATERS = 200
_ENDS = (0.025, 0.975)


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
