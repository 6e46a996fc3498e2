"""Agreement of raters beyond chance, and the table of ratings it is computed from.

Each figure is `None` if all ratings are the same. Every figure is a sum over kinds of units and over values, never over
pairs of values: the time for 100,000 ratings is linear in the rows, even if no two ratings are equal.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

RatingValue = str | float
_PAIR = 2


class UnitRatings(NamedTuple):
    """The ratings of a unit. `both`: those of two raters in the raters' order, if each gave one.

    `counts`: each value and how often it is given; `size` ratings in all; `equal`: the share of their pairs that are
    equal, 0 without a pair.
    """

    counts: tuple[tuple[RatingValue, int], ...]
    size: int
    equal: float
    both: tuple[RatingValue, RatingValue] | None = None


class RatingsTable(NamedTuple):
    """`rows`: the distinct kinds of units, and `times` how often each occurs: units with the same ratings share one.

    `kinds`: the row of each entry, and `repeats` the number of units that it is for, by default one. `values` are all
    that occur, in order, `places` the position of each, and `raters` the names, in order. `steps`: the position of a
    value among those that two raters gave to units of both, as in scikit-learn. Memory grows with the ratings only: a
    rater costs nothing in the rows of units that others rated.
    """

    raters: tuple[str, ...]
    values: tuple[RatingValue, ...]
    rows: tuple[UnitRatings, ...]
    kinds: Sequence[int]
    times: Mapping[int, int]
    places: Mapping[RatingValue, int]
    steps: Mapping[RatingValue, int]
    repeats: Sequence[int] | None = None

    def each(self) -> Iterator[tuple[UnitRatings, int]]:
        """Yield each kind of unit and how often it occurs."""
        return ((self.rows[index], count) for index, count in self.times.items())

    def pairable(self) -> Iterator[tuple[UnitRatings, int]]:
        """Yield those with two ratings or more: only these show whether raters agree."""
        return ((row, count) for row, count in self.each() if row.size >= _PAIR)

    @property
    def units(self) -> int:
        return sum(self.times.values())

    @property
    def pairable_units(self) -> int:
        return sum(count for _row, count in self.pairable())


def ratings_table(ratings: Mapping[str, Mapping[str, RatingValue]]) -> RatingsTable:
    """Build a table from unit → rater → value."""
    raters = tuple(sorted({rater for row in ratings.values() for rater in row}))
    values = tuple(sorted({value for row in ratings.values() for value in row.values()}))
    rows: dict[UnitRatings, int] = {}
    kinds = tuple(rows.setdefault(_row(row, raters), len(rows)) for row in ratings.values())
    return RatingsTable(raters, values, tuple(rows), kinds, Counter(kinds), _places(values), _steps(rows))


def _places(values: Iterable[RatingValue]) -> dict[RatingValue, int]:
    return {value: index for index, value in enumerate(values)}


def _steps(rows: Iterable[UnitRatings]) -> dict[RatingValue, int]:
    return _places(sorted({value for row in rows if row.both is not None for value in row.both}))


def counted_ratings_table(raters: Iterable[str], units: Iterable[tuple[tuple[RatingValue, int], ...]]) -> RatingsTable:
    """Build a table of more or fewer than two raters from units: each value, in order, and its count."""
    numbers: dict[tuple[tuple[RatingValue, int], ...], int] = {}
    kinds = tuple(numbers.setdefault(counts, len(numbers)) for counts in units)
    values = tuple(sorted({value for counts in numbers for value, _ in counts}))
    rows = tuple(unit_ratings(counts) for counts in numbers)
    return RatingsTable(tuple(sorted(raters)), values, rows, kinds, Counter(kinds), _places(values), {})


def grouped_ratings_table(
    raters: Sequence[str], rows: Sequence[UnitRatings], kinds: Sequence[int], repeats: Sequence[int]
) -> RatingsTable:
    """Build a table from kinds of units and entries: the kind of each and its number of units."""
    values = tuple(sorted({value for row in rows for value, _ in row.counts}))
    times = Counter[int]()
    for kind, repeat in zip(kinds, repeats, strict=True):
        times[kind] += repeat
    return RatingsTable(tuple(raters), values, tuple(rows), kinds, times, _places(values), _steps(rows), repeats)


def _row(ratings: Mapping[str, RatingValue], raters: tuple[str, ...]) -> UnitRatings:
    both = (ratings[raters[0]], ratings[raters[1]]) if len(raters) == len(ratings) == _PAIR else None
    return unit_ratings(tuple(sorted(Counter(ratings.values()).items())), both)


def unit_ratings(
    counts: tuple[tuple[RatingValue, int], ...], both: tuple[RatingValue, RatingValue] | None = None
) -> UnitRatings:
    """Return the ratings of a unit from each value, in order, and its count."""
    size = sum(n for _, n in counts)
    pairs = size * (size - 1)
    equal = sum(n * (n - 1) for _, n in counts) / pairs if pairs else 0.0
    return UnitRatings(counts, size, equal, both)


def strongest_disagreements(ratings: Mapping[str, Mapping[str, RatingValue]]) -> list[tuple[str, float]]:
    """Return units with disagreement, the strongest first: the share of their pairs that differ, in (0, 1]."""
    rows = ((unit, _row(row, ())) for unit, row in ratings.items())
    shares = [(unit, 1 - row.equal) for unit, row in rows if row.size >= _PAIR and len(row.counts) > 1]
    return sorted(shares, key=lambda share: (-share[1], share[0]))


ValueKind = Literal["nominal", "ordinal", "interval"]
KappaWeights = Literal["linear", "quadratic"]


def percent_agreement(table: RatingsTable) -> float | None:
    """Return the mean over units of the share of equal pairs of ratings, in [0, 1]; `None` without a pair.

    It is the P of Fleiss' kappa and the Pa of AC1.
    """
    total = table.pairable_units
    return sum(times * row.equal for row, times in table.pairable()) / total if total else None


def cohen_kappa(table: RatingsTable) -> float | None:
    """Return kappa of two raters (Cohen 1960): (po - pe) / (1 - pe), pe from each one's shares in common units."""
    return _weighted(table, lambda first, second: int(first != second), unequal_pairs)


def weighted_kappa(table: RatingsTable, weights: KappaWeights) -> float | None:
    """Return weighted kappa of two raters (Cohen 1968): 1 - weighted disagreement / that expected by chance.

    A disagreement weighs |i - j| or (i - j)^2, with i and j the positions of the two values among all that the two gave
    to units of both.
    """
    if weights == "linear":
        return _weighted(table, lambda first, second: abs(first - second), sum_of_distances)
    return _weighted(table, lambda first, second: (first - second) ** 2, sum_of_squared_distances)


def _weighted(
    table: RatingsTable, weigh: Callable[[int, int], int], chance_of: Callable[[Counter[int], Counter[int]], int]
) -> float | None:
    """Compute a kappa in whole numbers: `weigh` of each pair of positions, and its sum over all cross pairs."""
    places = table.steps
    first, second = Counter[int](), Counter[int]()
    seen = 0
    for row, times in table.each():
        if row.both is not None:
            first_place, second_place = (places[value] for value in row.both)
            first[first_place] += times
            second[second_place] += times
            seen += times * weigh(first_place, second_place)
    chance = chance_of(first, second)
    return 1 - seen * first.total() / chance if chance else None


def unequal_pairs(first: Counter[int], second: Counter[int]) -> int:
    """Return how many of all pairs of a first and a second rating differ."""
    return first.total() * second.total() - sum(n * second[place] for place, n in first.items())


def sum_of_distances(first: Counter[int], second: Counter[int]) -> int:
    """Return the sum of |i - j| over all those pairs, from the cumulative counts at each position."""
    total, below, other_below, steps, last = first.total(), 0, 0, 0, 0
    for place in sorted(first | second):
        steps += (place - last) * (below * (total - other_below) + other_below * (total - below))
        below += first[place]
        other_below += second[place]
        last = place
    return steps


def sum_of_squared_distances(first: Counter[int], second: Counter[int]) -> int:
    """Return the sum of (i - j)^2 over them."""
    (n, sum_, squares), (m, other_sum, other_squares) = (
        (
            counts.total(),
            sum(k * place for place, k in counts.items()),
            sum(k * place * place for place, k in counts.items()),
        )
        for counts in (first, second)
    )
    return m * squares + n * other_squares - 2 * sum_ * other_sum


def fleiss_kappa(table: RatingsTable) -> float | None:
    """Return kappa for any number of raters, each unit with the same number of ratings (Fleiss 1971).

    (P - Pe) / (1 - Pe): P is `percent_agreement`, Pe the sum of the squared shares of the values.
    """
    counts = paired_totals(table)
    seen = percent_agreement(table)
    if seen is None or len(counts) < 2:
        return None
    every = counts.total()
    chance = sum((n / every) ** 2 for n in counts.values())
    return (seen - chance) / (1 - chance)


def krippendorff_alpha(table: RatingsTable, kind: ValueKind) -> float | None:
    """Return alpha = 1 - Do / De from the coincidence matrix (Krippendorff, Content Analysis, 2004, 11.3).

    Gaps are allowed. A unit with m >= 2 ratings adds 1 / (m - 1) for each ordered pair of them. The distance of two
    values is 0 or 1 (nominal), their squared difference (interval), or (sum of n_g from c to k - (n_c + n_k) / 2)^2
    (ordinal), which is the squared difference of their mean ranks.
    """
    totals = paired_totals(table)
    if len(totals) < 2:
        return None
    if kind == "nominal":
        every = totals.total()
        seen = sum(times * row.size * (1 - row.equal) for row, times in table.pairable())
        chance: float = every * every - sum(n * n for n in totals.values())
    else:
        places = value_positions(kind, totals)
        seen = sum(
            times * squared_spread([(places[value], n) for value, n in row.counts]) / (row.size - 1)
            for row, times in table.pairable()
            if len(row.counts) > 1
        )
        chance = squared_spread([(places[value], n) for value, n in totals.items()])
    return 1 - (totals.total() - 1) * seen / chance


def gwet_ac1(table: RatingsTable) -> float | None:
    """Return AC1 (Gwet 2008): (Pa - Pe) / (1 - Pe), less affected by skewed shares than kappa; gaps are allowed.

    Pa is `percent_agreement`; Pe = sum_q s_q (1 - s_q) / (Q - 1), with s_q the mean over all rated units of the share
    of q, and Q
    the number of values that occur.
    """
    shares: dict[RatingValue, float] = {}
    for row, times in table.each():
        for value, n in row.counts:
            shares[value] = shares.get(value, 0.0) + times * n / row.size
    seen = percent_agreement(table)
    if seen is None or len(shares) < 2:
        return None
    units = table.units
    chance = sum(n / units * (1 - n / units) for n in shares.values()) / (len(shares) - 1)
    return (seen - chance) / (1 - chance)


def paired_totals(table: RatingsTable) -> Counter[RatingValue]:
    """Count each value in the units with a pair."""
    totals: Counter[RatingValue] = Counter()
    for row, times in table.pairable():
        for value, n in row.counts:
            totals[value] += times * n
    return totals


def value_positions(kind: ValueKind, totals: Mapping[RatingValue, float]) -> dict[RatingValue, float]:
    """Return the position of each value on a line; for an interval scaled to [0, 1], so that no square overflows."""
    order = sorted(totals)
    if kind == "interval":
        low, high = float(order[0]), float(order[-1])
        return {value: (float(value) - low) / (high - low) for value in order}
    up_to = accumulate(totals[value] for value in order)
    return {value: end - totals[value] / 2 for value, end in zip(order, up_to, strict=True)}


def squared_spread(places: Iterable[tuple[float, float]]) -> float:
    """Return the sum of the squared differences of all ordered pairs: 2 n sum (x - mean)^2."""
    counted = list(places)
    total = sum(n for _place, n in counted)
    mean = sum(place * n for place, n in counted) / total
    return 2 * total * sum(n * (place - mean) ** 2 for place, n in counted)
