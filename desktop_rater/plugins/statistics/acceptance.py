"""Error rate of all work from a random sample of it, its upper bound, and how much more to draw for a goal.

Places are drawn at random within strata, and every rating at a place is judged: the bound is about all ratings that
there are, and only the draw is left to chance, so places are the clusters, whatever their tasks have in common. The
rate is the sum of the strata's rates, weighted by all their ratings (Horvitz, Thompson 1952, as a ratio within strata:
Cochran, Sampling Techniques, 1977, sections 5.3 and 6.11). The limits of each stratum are exact if places have one
rating; otherwise they are those of the effective sample size with the place as the cluster (Korn, Graubard 1998). They
are combined as the method of variance estimates recovery does (Zou, Donner 2008), which is exact for one stratum.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaln, stdtrit

from desktop_rater.stats.cluster_bootstrap import MIN_SHARE_CLUSTERS, few_clusters
from desktop_rater.translation import N_

ONE_SIDED, TWO_SIDED = 0.05, 0.025  # beyond each limit
NONE_WRONG = N_(
    "Report", "the bound holds more often than in 95 of 100 samples, since no judged rating of a group is wrong"
)
STRATUM_UNJUDGED = N_("Report", "a group of ratings has no judged one")
NOTHING_JUDGED = N_("Report", "no drawn rating is judged")
_MOST_UNSEEN = 0.05  # share of the ratings in strata without a judged one
_STEPS = 150  # on the way to all places
_LEAST_EFFECT = 1 / 3  # of the design: below 1 where raters differ, since no place has only wrong or only right ratings


class SampledStratum(NamedTuple):
    """Stratum of `ratings` at `places`, of which `drawn` and `judged`.

    `tasks`, `at` and `wrong`: the number of the task and of the place of each judged rating, and if it is wrong.
    """

    name: str
    ratings: int
    places: int
    drawn: int
    judged: int
    tasks: NDArray[np.intp]
    at: NDArray[np.intp]
    wrong: NDArray[np.bool_]

    @property
    def rate(self) -> float:
        return float(self.wrong.mean()) if len(self.wrong) else 0.0

    @property
    def is_exact(self) -> bool:
        """Tell if its limits are those of the hypergeometric distribution: one rating a place."""
        return self.ratings == self.places


class ErrorEstimate(NamedTuple):
    """Error rate with its 95 % interval, and `lower` and `upper`: one-sided 95 % bounds. `why` a part is missing."""

    value: float | None
    low: float | None
    high: float | None
    lower: float | None
    upper: float | None
    judged: int
    wrong: int
    tasks: int
    why: str = ""


class DrawPlan(NamedTuple):
    """Number of places judged in each stratum, and the upper bound if the rates stay."""

    places: tuple[int, ...]
    bound: float


def beta_limits(hits: float, of: float, outside: float, *, exact: bool = False) -> tuple[float, float]:
    """Return the limits of a share, each exceeded with the probability `outside`. `of` may be an effective sample size.

    Jeffreys' limits, the quantiles of Beta(x + 1/2, n - x + 1/2), which for samples of clusters cover as often as they
    promise (Franco, Little, Louis, Slud 2019). If none or all are hits, or with `exact`, those of Clopper and Pearson
    (1934), as Brown, Cai and DasGupta (2001) advise: Beta(x, n - x + 1) and Beta(x + 1, n - x).
    """
    more, end = 1.0 if exact else 0.5, 1 - outside ** (1 / of)
    low = 0.0 if hits <= 0 else min(1 - end, float(betaincinv(hits + 1 - more, of - hits + more, outside)))
    high = 1.0 if hits >= of else max(end, float(betaincinv(hits + more, of - hits + 1 - more, 1 - outside)))
    return low, high


def hypergeometric_limits(wrong: int, drawn: int, of: int, outside: float) -> tuple[float, float]:
    """Return the limits of the share of wrong ones among `of`, of which `drawn` were seen (Buonaccorsi 1987).

    The least and the largest number K of wrong ones with P(X >= wrong | K) and P(X <= wrong | K) above `outside`.
    """

    def most(seen: int) -> int:
        """Return the largest K with P(X <= seen | K) > outside."""
        low, high = seen, of - (drawn - seen)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _at_most(seen, middle, drawn, of) > outside else (low, middle - 1)
        return low

    return (of - most(drawn - wrong)) / of, most(wrong) / of


def _at_most(seen: int, wrong: int, drawn: int, of: int) -> float:
    """Return P(X <= seen) of the hypergeometric distribution."""
    x = np.arange(max(0, drawn - (of - wrong)), min(seen, wrong) + 1)

    def log_choose(n: int, k: NDArray[np.intp] | int) -> NDArray[np.float64]:
        return gammaln(n + 1) - gammaln(np.add(k, 1)) - gammaln(n - np.asarray(k) + 1)

    return float(np.exp(log_choose(wrong, x) + log_choose(of - wrong, drawn - x) - log_choose(of, drawn)).sum())


def effective_size(stratum: SampledStratum, outside: float) -> float:
    """Return the number of independent ratings that say as much as those judged, with places as clusters.

    n / deff · (t(n - 1) / t(m - 1))², with m places and their design effect deff, at least 1/3 (Korn, Graubard 1998:
    at least 1). If all or no ratings are wrong, nothing shows how alike those of a place are: then it is m.
    """
    count, clusters, rate = len(stratum.wrong), stratum.judged, stratum.rate
    if clusters == count or clusters < 2 or rate in {0.0, 1.0}:
        return float(clusters)
    residuals = np.bincount(np.unique(stratum.at, return_inverse=True)[1], stratum.wrong - rate)
    variance = clusters / (clusters - 1) * float((residuals**2).sum()) / count**2
    effect = max(_LEAST_EFFECT, variance * count / (rate * (1 - rate)))
    return float(count / effect * (stdtrit(count - 1, outside) / stdtrit(clusters - 1, outside)) ** 2)


def _limits(stratum: SampledStratum, outside: float) -> tuple[float, float]:
    rate, left = stratum.rate, 1 - stratum.judged / stratum.places
    if left <= 0:
        return rate, rate
    if stratum.is_exact:
        return hypergeometric_limits(int(stratum.wrong.sum()), len(stratum.wrong), stratum.ratings, outside)
    effective = effective_size(stratum, outside)
    low, high = beta_limits(rate * effective, effective, outside)
    return rate - (rate - low) * sqrt(left), rate + (high - rate) * sqrt(left)


def error_rate(strata: Sequence[SampledStratum]) -> ErrorEstimate:
    """Return the rate over all strata; those without a judged rating count as the others while they are small."""
    used = [stratum for stratum in strata if len(stratum.wrong)]
    judged, wrong = sum(len(stratum.wrong) for stratum in used), sum(int(stratum.wrong.sum()) for stratum in used)
    tasks = len(np.unique(np.concatenate([stratum.tasks for stratum in used]))) if used else 0
    total, seen = (sum(stratum.ratings for stratum in some) for some in (strata, used))
    if not used or total - seen > _MOST_UNSEEN * total:
        why = STRATUM_UNJUDGED if used else NOTHING_JUDGED
        return ErrorEstimate(None, None, None, None, None, judged, wrong, tasks, why)
    value = sum(stratum.ratings / seen * stratum.rate for stratum in used)
    is_sure = all(stratum.is_exact or stratum.judged == stratum.places for stratum in used)
    if tasks < MIN_SHARE_CLUSTERS and not is_sure:
        return ErrorEstimate(value, None, None, None, None, judged, wrong, tasks, few_clusters(tasks))
    low, high, lower, upper = (
        _combined([(stratum.ratings / seen, stratum.rate, _limits(stratum, outside)[end]) for stratum in used], end)
        for outside in (TWO_SIDED, ONE_SIDED)
        for end in (0, 1)
    )
    why = NONE_WRONG if wrong and any(row.rate == 0 and row.judged < row.places for row in used) else ""
    return ErrorEstimate(value, low, high, lower, upper, judged, wrong, tasks, why)


def _combined(parts: Sequence[tuple[float, float, float]], end: int) -> float:
    """Return the lower (0) or upper (1) limit of a weighted sum, of (weight, rate, limit) of each part."""
    value = sum(weight * rate for weight, rate, _limit in parts)
    apart = sqrt(sum((weight * (limit - rate)) ** 2 for weight, rate, limit in parts))
    return min(1.0, value + apart) if end else max(0.0, value - apart)


def draw_plans(strata: Sequence[SampledStratum]) -> Iterator[DrawPlan]:
    """Yield ever larger samples, from what is judged up to all places, each with its bound if the rates stay.

    Where nothing is judged, all may be wrong. The second one has all that is drawn, if that is more. Each further step
    draws in the stratum where one more place narrows the bound most, so that the places are allocated as Neyman (1934)
    does.
    """
    total = sum(stratum.ratings for stratum in strata)
    judged = sum(len(stratum.wrong) for stratum in strata)
    pooled = sum(int(stratum.wrong.sum()) for stratum in strata) / judged if judged else 0.0
    rates = [stratum.rate if len(stratum.wrong) else pooled for stratum in strata]
    per_place = [
        effective_size(stratum, ONE_SIDED) / stratum.judged if stratum.judged and len(stratum.wrong) else 1.0
        for stratum in strata
    ]
    counts = [stratum.judged for stratum in strata]

    def part(at: int, count: int) -> tuple[float, float, float]:
        stratum, rate, effective = strata[at], rates[at], per_place[at] * count
        left = max(0.0, 1 - count / stratum.places)
        high = beta_limits(rate * effective, effective, ONE_SIDED, exact=stratum.is_exact)[1] if count else 1.0
        return stratum.ratings / total, rate, rate + (high - rate) * sqrt(left)

    def plan() -> DrawPlan:
        seen = [part for part, count in zip(parts, counts, strict=True) if count]
        unseen = sum(part[0] for part, count in zip(parts, counts, strict=True) if not count)
        return DrawPlan(tuple(counts), min(1.0, _combined(seen, 1) + unseen))

    parts = [part(at, count) for at, count in enumerate(counts)]
    step = max(1, sum(stratum.places for stratum in strata) // _STEPS)
    yield plan()
    if any(stratum.drawn > stratum.judged for stratum in strata):
        counts = [max(stratum.drawn, stratum.judged) for stratum in strata]
        parts = [part(at, count) for at, count in enumerate(counts)]
        yield plan()
    while any(count < stratum.places for count, stratum in zip(counts, strata, strict=True)):
        best: tuple[float, int, int, tuple[float, float, float]] | None = None
        for at, stratum in enumerate(strata):
            more = min(step, stratum.places - counts[at])
            if more:
                with_more = part(at, counts[at] + more)
                before, after = (weight * (limit - rate) for weight, rate, limit in (parts[at], with_more))
                gain = (before**2 - after**2) / more
                if best is None or gain > best[0]:
                    best = gain, at, more, with_more
        assert best is not None, "a stratum has places left"
        _gain, at, more, parts[at] = best
        counts[at] += more
        yield plan()
