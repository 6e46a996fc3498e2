"""How far raters agree, beyond chance. Each figure takes a table, and gives `None` where every rating is the same.

Every figure is a sum over rows that are alike, so a table of 100,000 units costs what its kinds of rows cost.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from desktop_rater.stats.ratings_table import Value, given

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.stats.ratings_table import Table

Kind = Literal["nominal", "ordinal", "interval"]
Weights = Literal["linear", "quadratic"]
_POWER: dict[Weights, int] = {"linear": 1, "quadratic": 2}


def percent(table: Table) -> float | None:
    """The mean over units of the share of their pairs of ratings that are equal, in [0, 1]; `None` without a pair.

    It is the P of Fleiss' kappa and the Pa of AC1.
    """
    pairable = table.pairable
    if not pairable:
        return None
    return sum(times * _equal_pairs(Counter(given(row))) for row, times in pairable.items()) / pairable.total()


def cohen_kappa(table: Table) -> float | None:
    """Kappa of two raters (Cohen 1960): (po - pe) / (1 - pe), pe from each one's own shares, over the units of both."""
    return _weighted(table, lambda one, other: float(one != other))


def weighted_kappa(table: Table, weights: Weights) -> float | None:
    """Weighted kappa of two raters (Cohen 1968): 1 - weighted disagreement / what chance would give.

    A disagreement weighs |i - j| or (i - j)^2, with i and j the places of the two values among all that occur.
    """
    places = {value: at for at, value in enumerate(table.values)}
    return _weighted(table, lambda one, other: abs(places[one] - places[other]) ** _POWER[weights])


def _weighted(table: Table, weigh: Callable[[Value, Value], float]) -> float | None:
    both = Counter({tuple(given(row)): times for row, times in table.pairable.items()})
    total = both.total()
    first, second = Counter[Value](), Counter[Value]()
    for (one, other), times in both.items():
        first[one] += times
        second[other] += times
    seen = sum(times * weigh(one, other) for (one, other), times in both.items()) * total
    chance = sum(n * m * weigh(one, other) for one, n in first.items() for other, m in second.items())
    return 1 - seen / chance if chance else None


def fleiss_kappa(table: Table) -> float | None:
    """Kappa of any raters, each unit with the same number of ratings (Fleiss 1971).

    (P - Pe) / (1 - Pe): P is `percent`, Pe the sum of the squared shares of the values.
    """
    counts = Counter[Value]()
    for row, times in table.pairable.items():
        for value in given(row):
            counts[value] += times
    seen = percent(table)
    if seen is None or len(counts) < 2:
        return None
    chance = sum((n / counts.total()) ** 2 for n in counts.values())
    return (seen - chance) / (1 - chance)


def krippendorff_alpha(table: Table, kind: Kind) -> float | None:
    """Alpha = 1 - Do / De from the coincidence matrix (Krippendorff, Content Analysis, 2004, 11.3); gaps are allowed.

    A unit with m >= 2 ratings adds 1 / (m - 1) for each ordered pair of them. The distance of two values is 0 or 1
    (nominal), their squared difference (interval), or (sum of n_g from c to k - (n_c + n_k) / 2)^2 (ordinal).
    """
    together: dict[tuple[Value, Value], float] = defaultdict(float)
    for row, times in table.pairable.items():
        counts = Counter(given(row))
        weight = times / (counts.total() - 1)
        for one, n in counts.items():
            for other, m in counts.items():
                together[one, other] += weight * n * (m - (one == other))
    totals: dict[Value, float] = defaultdict(float)
    for (one, _other), weight in together.items():
        totals[one] += weight
    distance = _distance(kind, totals)
    seen = sum(weight * distance(one, other) for (one, other), weight in together.items())
    chance = sum(n * m * distance(one, other) for one, n in totals.items() for other, m in totals.items())
    return 1 - (sum(totals.values()) - 1) * seen / chance if chance else None


def gwet_ac1(table: Table) -> float | None:
    """AC1 (Gwet 2008): (Pa - Pe) / (1 - Pe), less moved by lopsided shares than kappa; gaps are allowed.

    Pa is `percent`; Pe = sum_q s_q (1 - s_q) / (Q - 1), with s_q the mean over all rated units of the share of q, and Q
    the number of values that occur.
    """
    shares: dict[Value, float] = defaultdict(float)
    units = 0
    for row, times in table.rows.items():
        counts = Counter(given(row))
        if counts:
            units += times
            for value, n in counts.items():
                shares[value] += times * n / counts.total()
    seen = percent(table)
    if seen is None or len(shares) < 2:
        return None
    chance = sum(n / units * (1 - n / units) for n in shares.values()) / (len(shares) - 1)
    return (seen - chance) / (1 - chance)


def _equal_pairs(counts: Counter[Value]) -> float:
    total = counts.total()
    return sum(n * (n - 1) for n in counts.values()) / (total * (total - 1))


def _distance(kind: Kind, totals: Mapping[Value, float]) -> Callable[[Value, Value], float]:
    if kind == "nominal":
        return lambda one, other: float(one != other)
    if kind == "interval":
        return lambda one, other: (float(one) - float(other)) ** 2
    order = sorted(totals)
    up_to = accumulate(totals[value] for value in order)
    middle = {value: end - totals[value] / 2 for value, end in zip(order, up_to, strict=True)}
    return lambda one, other: (middle[one] - middle[other]) ** 2
