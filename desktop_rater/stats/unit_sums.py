"""Figures of agreement from sums over units, so that a draw of a bootstrap costs one addition a unit.

What a unit adds to each sum is a row of whole numbers of 64 bits, kept as one large integer: adding two of those adds
all their numbers at once. Fractions are rounded to 32 binary places, far below what an interval shows.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.stats import agreement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

    from desktop_rater.stats.agreement import Kind
    from desktop_rater.stats.ratings_table import Row, Table, Value

MOST_VALUES = 16  # of more values a row of sums would be long
MOST_RATINGS = 2**29  # with more of them a sum would no longer find room
ONE = 2**32
_BYTES = 8

Sums = dict[str, float]


class UnitSums(NamedTuple):
    """`units`: what each unit adds. `names`: which sum stands where. `values` are all that can occur, in order."""

    units: list[int]
    names: tuple[str, ...]
    values: tuple[Value, ...]
    kind: Kind

    def drawn(self, random: Random, size: int) -> Sums:
        """The sums over `size` units, drawn with replacement."""
        return self._read(sum(random.choices(self.units, k=size)))

    def all(self) -> Sums:
        """The sums over all units."""
        return self._read(sum(self.units))

    def _read(self, total: int) -> Sums:
        numbers = array("Q", total.to_bytes(len(self.names) * _BYTES, "little"))
        return dict(zip(self.names, numbers, strict=True))


def unit_sums(table: Table, kind: Kind) -> UnitSums | None:
    """What each unit of a table adds; `None` where it has too many values, or ratings."""
    if len(table.values) > MOST_VALUES or sum(row.size * times for row, times in table.each()) > MOST_RATINGS:
        return None
    whole, names = packed([dict(_adds(row, table, kind)) for row in table.rows])
    units = [whole[at] for at, times in table.times.items() for _ in range(times)]
    return UnitSums(units, names, table.values, kind)


def packed(rows: list[Sums]) -> tuple[list[int], tuple[str, ...]]:
    """Rows of sums, each as one integer, and which sum stands where."""
    names = tuple(dict.fromkeys(name for row in rows for name in row)) or ("units",)
    numbers = (array("Q", (round(row.get(name, 0)) for name in names)) for row in rows)
    return [int.from_bytes(one.tobytes(), "little") for one in numbers], names


def _adds(row: Row, table: Table, kind: Kind) -> Iterator[tuple[str, float]]:
    yield "units", 1
    for value, n in row.counts:
        yield f"share {table.places[value]}", ONE * n / row.size
    if row.size < 2:
        return
    yield "paired", 1
    yield "equal", ONE * row.equal
    yield "unequal", ONE * row.size * (1 - row.equal)
    for value, n in row.counts:
        yield f"n {table.places[value]}", ONE * n
    if kind != "nominal":
        for (one, n), (other, m) in combinations(row.counts, 2):
            yield f"met {table.places[one]} {table.places[other]}", ONE * n * m / (row.size - 1)
    if row.both is not None:
        one, other = (table.steps[value] for value in row.both)
        yield f"first {one}", 1
        yield f"second {other}", 1
        yield "differ", one != other
        yield "steps", abs(one - other)
        yield "squares", (one - other) ** 2


def percent(sums: Sums, _of: UnitSums) -> float | None:
    """As `agreement.percent`."""
    paired = sums.get("paired", 0)
    return sums["equal"] / ONE / paired if paired else None


def fleiss_kappa(sums: Sums, of: UnitSums) -> float | None:
    """As `agreement.fleiss_kappa`."""
    counts = _counts(sums, of)
    seen, every = percent(sums, of), sum(counts.values())
    chance = sum((n / every) ** 2 for n in counts.values()) if len(counts) > 1 else 1
    return None if seen is None or chance >= 1 else (seen - chance) / (1 - chance)


def krippendorff_alpha(sums: Sums, of: UnitSums) -> float | None:
    """As `agreement.krippendorff_alpha`."""
    counts = _counts(sums, of)
    every = sum(counts.values())
    if len(counts) < 2:
        return None
    if of.kind == "nominal":
        chance = every * every - sum(n * n for n in counts.values())
        return 1 - (every - 1) * sums["unequal"] / ONE / chance
    lie = _places(of, counts)
    pairs = list(combinations(counts, 2))
    seen = sum(sums.get(f"met {one} {other}", 0) * (lie[one] - lie[other]) ** 2 for one, other in pairs) / ONE
    chance = sum(counts[one] * counts[other] * (lie[one] - lie[other]) ** 2 for one, other in pairs)
    return 1 - (every - 1) * seen / chance if chance else None


def _counts(sums: Sums, of: UnitSums) -> dict[int, float]:
    """How often each value stands in units with a pair, by its place."""
    return {at: n / ONE for at in range(len(of.values)) if (n := sums.get(f"n {at}", 0))}


def _places(of: UnitSums, counts: Mapping[int, float]) -> dict[int, float]:
    if of.kind == "interval":
        low, high = (float(value) for value in (of.values[0], of.values[-1]))
        return {at: (float(of.values[at]) - low) / ((high - low) or 1) for at in counts}
    below, found = 0.0, {}
    for at, n in sorted(counts.items()):
        found[at] = below + n / 2
        below += n
    return found


def gwet_ac1(sums: Sums, of: UnitSums) -> float | None:
    """As `agreement.gwet_ac1`."""
    units = sums["units"]
    shares = [share / ONE / units for at in range(len(of.values)) if (share := sums.get(f"share {at}", 0))]
    seen = percent(sums, of)
    if seen is None or len(shares) < 2:
        return None
    chance = sum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return (seen - chance) / (1 - chance)


def _two(seen: str, chance_of: Callable[[Counter[int], Counter[int]], int]) -> Callable[[Sums, UnitSums], float | None]:
    def kappa(sums: Sums, of: UnitSums) -> float | None:
        places = range(len(of.values))
        first, second = (
            Counter({at: int(n) for at in places if (n := sums.get(f"{name} {at}", 0))}) for name in ("first", "second")
        )
        chance = chance_of(first, second)
        return 1 - sums[seen] * first.total() / chance if chance else None

    return kappa


OF_SUMS: dict[str, Callable[[Sums, UnitSums], float | None]] = {
    "percent": percent,
    "cohen_kappa": _two("differ", agreement.unequal),
    "weighted_kappa.linear": _two("steps", agreement.steps_apart),
    "weighted_kappa.quadratic": _two("squares", agreement.squares_apart),
    "fleiss_kappa": fleiss_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
}
