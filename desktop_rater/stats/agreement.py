"""How far raters agree, beyond chance. Each figure takes a table, and gives `None` where every rating is the same.

Every figure is a sum over kinds of units and over values, never over pairs of values: a table of 100,000 ratings costs
what its rows cost, also where no two ratings are equal.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop_rater.stats.ratings_table import Table, Value

Kind = Literal["nominal", "ordinal", "interval"]
Weights = Literal["linear", "quadratic"]


def percent(table: Table) -> float | None:
    """The mean over units of the share of their pairs of ratings that are equal, in [0, 1]; `None` without a pair.

    It is the P of Fleiss' kappa and the Pa of AC1.
    """
    total = table.pairable_units
    return sum(times * row.equal for row, times in table.pairable()) / total if total else None


def cohen_kappa(table: Table) -> float | None:
    """Kappa of two raters (Cohen 1960): (po - pe) / (1 - pe), pe from each one's own shares, over the units of both."""
    return _weighted(table, lambda one, other: int(one != other), unequal)


def weighted_kappa(table: Table, weights: Weights) -> float | None:
    """Weighted kappa of two raters (Cohen 1968): 1 - weighted disagreement / what chance would give.

    A disagreement weighs |i - j| or (i - j)^2, with i and j the places of the two values among all that the two gave to
    units of both.
    """
    if weights == "linear":
        return _weighted(table, lambda one, other: abs(one - other), steps_apart)
    return _weighted(table, lambda one, other: (one - other) ** 2, squares_apart)


def _weighted(
    table: Table, weigh: Callable[[int, int], int], chance_of: Callable[[Counter[int], Counter[int]], int]
) -> float | None:
    """All in whole numbers: `weigh` of each pair of places, and its sum over every one of the first with the second."""
    places = table.steps
    first, second = Counter[int](), Counter[int]()
    seen = 0
    for row, times in table.each():
        if row.both is not None:
            one, other = (places[value] for value in row.both)
            first[one] += times
            second[other] += times
            seen += times * weigh(one, other)
    chance = chance_of(first, second)
    return 1 - seen * first.total() / chance if chance else None


def unequal(first: Counter[int], second: Counter[int]) -> int:
    """How many of all pairs of a first and a second rating differ."""
    return first.total() * second.total() - sum(n * second[place] for place, n in first.items())


def steps_apart(first: Counter[int], second: Counter[int]) -> int:
    """The sum of |i - j| over all those pairs: the steps between places that one lies below and the other does not."""
    total, below, other_below, steps, last = first.total(), 0, 0, 0, 0
    for place in sorted(first | second):
        steps += (place - last) * (below * (total - other_below) + other_below * (total - below))
        below += first[place]
        other_below += second[place]
        last = place
    return steps


def squares_apart(first: Counter[int], second: Counter[int]) -> int:
    """The sum of (i - j)^2 over them."""
    (n, sum_, squares), (m, other_sum, other_squares) = (
        (one.total(), sum(k * at for at, k in one.items()), sum(k * at * at for at, k in one.items()))
        for one in (first, second)
    )
    return m * squares + n * other_squares - 2 * sum_ * other_sum


def fleiss_kappa(table: Table) -> float | None:
    """Kappa of any raters, each unit with the same number of ratings (Fleiss 1971).

    (P - Pe) / (1 - Pe): P is `percent`, Pe the sum of the squared shares of the values.
    """
    counts = _totals(table)
    seen = percent(table)
    if seen is None or len(counts) < 2:
        return None
    every = counts.total()
    chance = sum((n / every) ** 2 for n in counts.values())
    return (seen - chance) / (1 - chance)


def krippendorff_alpha(table: Table, kind: Kind) -> float | None:
    """Alpha = 1 - Do / De from the coincidence matrix (Krippendorff, Content Analysis, 2004, 11.3); gaps are allowed.

    A unit with m >= 2 ratings adds 1 / (m - 1) for each ordered pair of them. The distance of two values is 0 or 1
    (nominal), their squared difference (interval), or (sum of n_g from c to k - (n_c + n_k) / 2)^2 (ordinal), which is
    the squared difference of their mean ranks.
    """
    totals = _totals(table)
    if len(totals) < 2:
        return None
    if kind == "nominal":
        every = totals.total()
        seen = sum(times * row.size * (1 - row.equal) for row, times in table.pairable())
        chance: float = every * every - sum(n * n for n in totals.values())
    else:
        places = places_of(kind, totals)
        seen = sum(
            times * spread_of([(places[value], n) for value, n in row.counts]) / (row.size - 1)
            for row, times in table.pairable()
            if len(row.counts) > 1
        )
        chance = spread_of([(places[value], n) for value, n in totals.items()])
    return 1 - (totals.total() - 1) * seen / chance


def gwet_ac1(table: Table) -> float | None:
    """AC1 (Gwet 2008): (Pa - Pe) / (1 - Pe), less moved by lopsided shares than kappa; gaps are allowed.

    Pa is `percent`; Pe = sum_q s_q (1 - s_q) / (Q - 1), with s_q the mean over all rated units of the share of q, and Q
    the number of values that occur.
    """
    shares: dict[Value, float] = {}
    for row, times in table.each():
        for value, n in row.counts:
            shares[value] = shares.get(value, 0.0) + times * n / row.size
    seen = percent(table)
    if seen is None or len(shares) < 2:
        return None
    units = table.units
    chance = sum(n / units * (1 - n / units) for n in shares.values()) / (len(shares) - 1)
    return (seen - chance) / (1 - chance)


def _totals(table: Table) -> Counter[Value]:
    """How often each value stands in the units with a pair."""
    totals: Counter[Value] = Counter()
    for row, times in table.pairable():
        for value, n in row.counts:
            totals[value] += times * n
    return totals


def places_of(kind: Kind, totals: Mapping[Value, float]) -> dict[Value, float]:
    """Where each value lies on a line; for an interval from 0 to 1, so that no square is lost."""
    order = sorted(totals)
    if kind == "interval":
        low, high = float(order[0]), float(order[-1])
        return {value: (float(value) - low) / (high - low) for value in order}
    up_to = accumulate(totals[value] for value in order)
    return {value: end - totals[value] / 2 for value, end in zip(order, up_to, strict=True)}


def spread_of(places: Iterable[tuple[float, float]]) -> float:
    """The sum of the squared differences of all ordered pairs of them: 2 n sum (x - mean)^2."""
    counted = list(places)
    total = sum(n for _place, n in counted)
    mean = sum(place * n for place, n in counted) / total
    return 2 * total * sum(n * (place - mean) ** 2 for place, n in counted)
