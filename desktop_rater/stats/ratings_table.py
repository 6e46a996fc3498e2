"""Ratings as units and raters, the way agreement is computed from them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Value = str | float
_PAIR = 2


class Row(NamedTuple):
    """The ratings of a unit. `both`: those of two raters in the raters' order, where each gave one.

    `counts`: each value and how often it is given; `size` ratings in all; `equal`: the share of their pairs that are
    equal, 0 without a pair.
    """

    counts: tuple[tuple[Value, int], ...]
    size: int
    equal: float
    both: tuple[Value, Value] | None = None


class Table(NamedTuple):
    """`rows`: the kinds of units, and `times` how often each stands: units with the same ratings count alike.

    `values` are all that occur, in order, `places` where each stands there, and `raters` the names, in order. `steps`:
    where a value stands among those that two raters gave to units of both, as scikit-learn counts them. What takes up
    memory is what was rated: a rater costs nothing in the rows of units that others rated.
    """

    raters: tuple[str, ...]
    values: tuple[Value, ...]
    rows: tuple[Row, ...]
    times: Mapping[int, int]
    places: Mapping[Value, int]
    steps: Mapping[Value, int]

    def each(self) -> Iterator[tuple[Row, int]]:
        """Each kind of unit and how often it stands."""
        return ((self.rows[at], count) for at, count in self.times.items())

    def pairable(self) -> Iterator[tuple[Row, int]]:
        """Those with two ratings or more: only these say whether raters agree."""
        return ((row, count) for row, count in self.each() if row.size >= _PAIR)

    @property
    def units(self) -> int:
        """How many units were rated."""
        return sum(self.times.values())

    @property
    def pairable_units(self) -> int:
        """How many units have two ratings or more."""
        return sum(count for _row, count in self.pairable())

    def drawn(self, chosen: Sequence[int]) -> Table:
        """Other units of the same kinds: a draw of a bootstrap."""
        return self._replace(times=Counter(chosen))


def table_of(ratings: Mapping[str, Mapping[str, Value]]) -> Table:
    """A table of unit → rater → value."""
    raters = tuple(sorted({rater for row in ratings.values() for rater in row}))
    values = tuple(sorted({value for row in ratings.values() for value in row.values()}))
    kinds: dict[Row, int] = {}
    times = Counter(kinds.setdefault(_row(row, raters), len(kinds)) for row in ratings.values())
    return Table(raters, values, tuple(kinds), times, _places(values), _steps(kinds))


def _places(values: Iterable[Value]) -> dict[Value, int]:
    return {value: at for at, value in enumerate(values)}


def _steps(rows: Iterable[Row]) -> dict[Value, int]:
    return _places(sorted({value for row in rows if row.both is not None for value in row.both}))


def _row(ratings: Mapping[str, Value], raters: tuple[str, ...]) -> Row:
    counts = Counter(ratings.values())
    size = counts.total()
    pairs = size * (size - 1)
    equal = sum(n * (n - 1) for n in counts.values()) / pairs if pairs else 0.0
    both = (ratings[raters[0]], ratings[raters[1]]) if len(raters) == size == _PAIR else None
    return Row(tuple(sorted(counts.items())), size, equal, both)


def most_disagreement(ratings: Mapping[str, Mapping[str, Value]]) -> list[tuple[str, float]]:
    """The units whose raters disagree, those that do most first: the share of their pairs that differ, in (0, 1]."""
    rows = ((unit, _row(row, ())) for unit, row in ratings.items())
    shares = [(unit, 1 - row.equal) for unit, row in rows if row.size >= _PAIR and len(row.counts) > 1]
    return sorted(shares, key=lambda one: (-one[1], one[0]))


def table_of_pairs(raters: tuple[str, str], met: Mapping[tuple[Value, Value], int]) -> Table:
    """A table of the units that two raters both rated: (value of one, of the other) → how often."""
    values = tuple(sorted({value for pair in met for value in pair}))
    rows = tuple(_row(dict(zip(raters, pair, strict=True)), raters) for pair in met)
    return Table(raters, values, rows, dict(enumerate(met.values())), _places(values), _places(values))
