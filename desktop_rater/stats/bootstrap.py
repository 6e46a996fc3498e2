"""Draws by a seed, intervals, and figures of agreement from sums over units.

With sums, a draw of a bootstrap costs one addition a unit: the contribution of a unit is a row of 64-bit integers,
packed into one large integer. Fractions are rounded to 32 binary places, far below the precision of an interval.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import sqrt
from random import Random
from typing import NamedTuple

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import RatingsTable, RatingValue, UnitRatings, ValueKind

_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return a percentile of ordered numbers (Hyndman, Fan 1996, type 7), interpolated at (n - 1) * share.

    NumPy, R and spreadsheets use it by default.
    """
    position = (len(ordered) - 1) * share
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def wilson_interval(hits: float, of: float) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927), valid also for few, no or only hits.

    (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), with p = hits / n.
    """
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, _95 * _95
    middle = share + z2 / (2 * of)
    wide = _95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    low, high = (middle - wide) / (1 + z2 / of), (middle + wide) / (1 + z2 / of)
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)


def seed_sort_keys(seed: int, names: Iterable[str]) -> list[bytes]:
    """Return sort keys that put names in the order of the seed."""
    return [sha256(f"{seed}\n{name}".encode()).digest() for name in names]


def proportional_counts(sizes: Sequence[int], count: int) -> list[int]:
    """Split `count` in proportion to `sizes`, by the largest remainder; of equal ones the first gets it."""
    total = sum(sizes)
    exact = [Fraction(size * count, total) for size in sizes]
    given = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda index: (given[index] - exact[index], index))
    for index in by_remainder[: count - sum(given)]:
        given[index] += 1
    return given


def draw_positions(seed: int, ids: Sequence[str], strata: Sequence[Sequence[int]], counts: Sequence[int]) -> list[int]:
    """Return the drawn positions, sorted: `counts` of each stratum, which holds positions of `ids`."""
    chosen: list[int] = []
    for positions, count in zip(strata, counts, strict=True):
        by_turn = sorted(zip(seed_sort_keys(seed, (ids[position] for position in positions)), positions, strict=True))
        chosen += (position for _, position in by_turn[:count])
    return sorted(chosen)


MAX_SUMMED_VALUES = 16  # with more values a row of sums would be long
MAX_SUMMED_RATINGS = 2**29  # with more a sum would overflow
FIXED_POINT_ONE = 2**32
_BYTES = 8

Sums = dict[str, float]


class UnitSums(NamedTuple):
    """`units`: contribution of each unit. `names`: the sums, in order. `values`: all possible values, in order."""

    units: list[int]
    names: tuple[str, ...]
    values: tuple[RatingValue, ...]
    kind: ValueKind

    def drawn(self, random: Random, size: int) -> Sums:
        """Return the sums over `size` units, drawn with replacement."""
        return self._read(sum(random.choices(self.units, k=size)))

    def all(self) -> Sums:
        return self._read(sum(self.units))

    def _read(self, total: int) -> Sums:
        numbers = array("Q", total.to_bytes(len(self.names) * _BYTES, "little"))
        return dict(zip(self.names, numbers, strict=True))


def unit_sums(table: RatingsTable, kind: ValueKind) -> UnitSums | None:
    """Return the contributions of a table's units; `None` if it has too many values or ratings."""
    if (
        len(table.values) > MAX_SUMMED_VALUES
        or sum(row.size * times for row, times in table.each()) > MAX_SUMMED_RATINGS
    ):
        return None
    whole, names = pack_sums([dict(_adds(row, table, kind)) for row in table.rows])
    units = [whole[index] for index, times in table.times.items() for _ in range(times)]
    return UnitSums(units, names, table.values, kind)


def pack_sums(rows: list[Sums]) -> tuple[list[int], tuple[str, ...]]:
    """Pack rows of sums into one integer each; also return the names of the sums in order."""
    names = tuple(dict.fromkeys(name for row in rows for name in row)) or ("units",)
    numbers = (array("Q", (round(row.get(name, 0)) for name in names)) for row in rows)
    return [int.from_bytes(row_numbers.tobytes(), "little") for row_numbers in numbers], names


def _adds(row: UnitRatings, table: RatingsTable, kind: ValueKind) -> Iterator[tuple[str, float]]:
    yield "units", 1
    for value, n in row.counts:
        yield f"share {table.places[value]}", FIXED_POINT_ONE * n / row.size
    if row.size < 2:
        return
    yield "paired", 1
    yield "equal", FIXED_POINT_ONE * row.equal
    yield "unequal", FIXED_POINT_ONE * row.size * (1 - row.equal)
    for value, n in row.counts:
        yield f"n {table.places[value]}", FIXED_POINT_ONE * n
    if kind != "nominal":
        for (first, n), (second, m) in combinations(row.counts, 2):
            yield f"met {table.places[first]} {table.places[second]}", FIXED_POINT_ONE * n * m / (row.size - 1)
    if row.both is not None:
        first, second = (table.steps[value] for value in row.both)
        yield f"first {first}", 1
        yield f"second {second}", 1
        yield "differ", first != second
        yield "steps", abs(first - second)
        yield "squares", (first - second) ** 2


def percent_from_sums(sums: Sums, _of: UnitSums) -> float | None:
    """Compute `agreement.percent` from sums."""
    paired = sums.get("paired", 0)
    return sums["equal"] / FIXED_POINT_ONE / paired if paired else None


def fleiss_from_sums(sums: Sums, of: UnitSums) -> float | None:
    """Compute `agreement.fleiss_kappa` from sums."""
    counts = _counts(sums, of)
    seen, every = percent_from_sums(sums, of), sum(counts.values())
    chance = sum((n / every) ** 2 for n in counts.values()) if len(counts) > 1 else 1
    return None if seen is None or chance >= 1 else (seen - chance) / (1 - chance)


def krippendorff_from_sums(sums: Sums, of: UnitSums) -> float | None:
    """Compute `agreement.krippendorff_alpha` from sums."""
    counts = _counts(sums, of)
    every = sum(counts.values())
    if len(counts) < 2:
        return None
    if of.kind == "nominal":
        chance = every * every - sum(n * n for n in counts.values())
        return 1 - (every - 1) * sums["unequal"] / FIXED_POINT_ONE / chance
    positions = _places(of, counts)
    pairs = list(combinations(counts, 2))
    seen = (
        sum(
            sums.get(f"met {first} {second}", 0) * (positions[first] - positions[second]) ** 2
            for first, second in pairs
        )
        / FIXED_POINT_ONE
    )
    chance = sum(
        counts[first] * counts[second] * (positions[first] - positions[second]) ** 2 for first, second in pairs
    )
    return 1 - (every - 1) * seen / chance if chance else None


def _counts(sums: Sums, of: UnitSums) -> dict[int, float]:
    """Return how often each value occurs in units with a pair, by its position."""
    return {index: n / FIXED_POINT_ONE for index in range(len(of.values)) if (n := sums.get(f"n {index}", 0))}


def _places(of: UnitSums, counts: Mapping[int, float]) -> dict[int, float]:
    if of.kind == "interval":
        low, high = (float(value) for value in (of.values[0], of.values[-1]))
        return {index: (float(of.values[index]) - low) / ((high - low) or 1) for index in counts}
    below, positions = 0.0, {}
    for index, n in sorted(counts.items()):
        positions[index] = below + n / 2
        below += n
    return positions


def gwet_from_sums(sums: Sums, of: UnitSums) -> float | None:
    """Compute `agreement.gwet_ac1` from sums."""
    units = sums["units"]
    shares = [
        share / FIXED_POINT_ONE / units for index in range(len(of.values)) if (share := sums.get(f"share {index}", 0))
    ]
    seen = percent_from_sums(sums, of)
    if seen is None or len(shares) < 2:
        return None
    chance = sum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return (seen - chance) / (1 - chance)


def _kappa_of_two(
    seen: str, chance_of: Callable[[Counter[int], Counter[int]], int]
) -> Callable[[Sums, UnitSums], float | None]:
    def kappa(sums: Sums, of: UnitSums) -> float | None:
        places = range(len(of.values))
        first, second = (
            Counter({index: int(n) for index in places if (n := sums.get(f"{name} {index}", 0))})
            for name in ("first", "second")
        )
        chance = chance_of(first, second)
        return 1 - sums[seen] * first.total() / chance if chance else None

    return kappa


FIGURES_FROM_SUMS: dict[str, Callable[[Sums, UnitSums], float | None]] = {
    "percent": percent_from_sums,
    "cohen_kappa": _kappa_of_two("differ", agreement.unequal_pairs),
    "weighted_kappa.linear": _kappa_of_two("steps", agreement.sum_of_distances),
    "weighted_kappa.quadratic": _kappa_of_two("squares", agreement.sum_of_squared_distances),
    "fleiss_kappa": fleiss_from_sums,
    "krippendorff_alpha": krippendorff_from_sums,
    "gwet_ac1": gwet_from_sums,
}
