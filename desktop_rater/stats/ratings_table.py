"""Ratings as units and raters, the way agreement is computed from them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | float
Ratings = tuple[Value | None, ...]
"""The ratings of one unit, one place a rater; `None` where a rater gave none."""


class Table(NamedTuple):
    """`rows`: how often each combination of ratings stands. Units with the same ratings count alike in every figure.

    `values` are all that occur, in order; `raters` stand in the order of the places.
    """

    raters: tuple[str, ...]
    values: tuple[Value, ...]
    rows: Counter[Ratings]

    @property
    def pairable(self) -> Counter[Ratings]:
        """The rows with two ratings or more: only these say whether raters agree."""
        return Counter({row: times for row, times in self.rows.items() if len(given(row)) > 1})


def table_of(ratings: Mapping[str, Mapping[str, Value]]) -> Table:
    """A table of unit → rater → value."""
    raters = tuple(sorted({rater for row in ratings.values() for rater in row}))
    values = tuple(sorted({value for row in ratings.values() for value in row.values()}))
    rows = Counter(tuple(row.get(rater) for rater in raters) for row in ratings.values())
    return Table(raters, values, rows)


def given(row: Ratings) -> list[Value]:
    """The ratings that are there."""
    return [value for value in row if value is not None]


def most_disagreement(ratings: Mapping[str, Mapping[str, Value]]) -> list[tuple[str, float]]:
    """The units whose raters disagree, those that do most first: the share of their pairs that differ, in (0, 1]."""
    shares = ((unit, _share_differing(list(row.values()))) for unit, row in ratings.items())
    return sorted(((unit, share) for unit, share in shares if share), key=lambda one: (-one[1], one[0]))


def _share_differing(values: list[Value]) -> float:
    pairs = list(combinations(values, 2))
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else 0.0
