"""All figures of agreement that a table allows, with their intervals, and why the others are not there."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.stats import agreement
from desktop_rater.stats.unit_sums import OF_SUMS, unit_sums

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from desktop_rater.stats.agreement import Kind
    from desktop_rater.stats.ratings_table import Table
    from desktop_rater.stats.unit_sums import UnitSums

DRAWS, MANY_UNITS, DRAWS_OF_MANY = 1_000, 20_000, 200
MANY_KINDS, MOST_DRAWN = 500, 2_000  # of a table with so many kinds of units, so many units are drawn at a time
MOST_COUNTED = 50_000  # different values of a draw, unit by unit: beyond it draws would take minutes
MOST_PICKED = 400_000  # units over all draws of a table of few values
LEAST_DRAWS = 100  # of so few draws in which a figure is defined, no end of an interval can be told
OUTSIDE = 0.05  # the share of draws that lie outside an interval

ALL_THE_SAME = "every rating is the same"
NO_PAIR = "no unit has two ratings"


class Figure(NamedTuple):
    """A figure in its table: how it is computed, and whether a table allows it (why not, in words)."""

    name: str
    compute: Callable[[Table, Kind], float | None]
    refuses: Callable[[Table, Kind], str | None]


class Figures(NamedTuple):
    """`values` by name; `intervals`, each with 95 % of the draws inside; `undefined` says why a value is missing."""

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    undefined: dict[str, str]


def figures(table: Table, kind: Kind, random: Random, picks: int = MOST_PICKED) -> Figures:
    """Compute what can be computed. Intervals are percentiles of a bootstrap over units (Efron 1979).

    Where there are few values, all its draws take up to `picks` units.
    """
    values: dict[str, float] = {}
    undefined: dict[str, str] = {}
    wanted: list[Figure] = []
    for figure in FIGURES:
        why = figure.refuses(table, kind)
        value = None if why is not None else figure.compute(table, kind)
        if value is None:
            undefined[figure.name] = why or ALL_THE_SAME
        else:
            values[figure.name] = value
            wanted.append(figure)
    return Figures(values, _intervals(table, kind, wanted, values, random, picks), undefined)


def _intervals(
    table: Table, kind: Kind, wanted: list[Figure], values: dict[str, float], random: Random, picks: int
) -> dict[str, tuple[float, float]]:
    if table.pairable_units < 2:
        return {}
    sums = unit_sums(table, kind)
    if sums is not None:
        return intervals_of_sums(sums, {figure.name: values[figure.name] for figure in wanted}, random, picks)
    units = table.units
    size = units if len(table.rows) <= MANY_KINDS else min(units, MOST_DRAWN)
    if min(size, len(table.rows)) * sum(len(row.counts) for row in table.rows) > MOST_COUNTED * len(table.rows):
        return {}
    drawn: dict[str, list[float]] = {figure.name: [] for figure in wanted}
    kinds, times = list(table.times), list(table.times.values())
    few = len(kinds) <= MANY_KINDS and units <= MANY_UNITS
    for _ in range(DRAWS if few else DRAWS_OF_MANY):
        sample = table.drawn(random.choices(kinds, times, k=size))
        for figure in wanted:
            value = figure.compute(sample, kind)
            if value is not None:
                drawn[figure.name].append(value)
    found = {name: sorted(values) for name, values in drawn.items() if len(values) >= LEAST_DRAWS}
    if size == units:
        return {name: _middle(order) for name, order in found.items()}
    return {name: _nearer(order, values[name], sqrt(size / units)) for name, order in found.items()}


def intervals_of_sums(
    sums: UnitSums, values: dict[str, float], random: Random, picks: int = MOST_PICKED
) -> dict[str, tuple[float, float]]:
    """The ends of the interval of each figure in `values`. Draws are cheap, and take up to `picks` units in all."""
    units = len(sums.units)
    size = min(units, MOST_DRAWN, picks // DRAWS_OF_MANY)
    drawn: dict[str, list[float]] = {name: [] for name in values}
    for _ in range(min(DRAWS, picks // size)):
        sample = sums.drawn(random, size)
        for name, found in drawn.items():
            value = OF_SUMS[name](sample, sums)
            if value is not None:
                found.append(value)
    found = {name: sorted(order) for name, order in drawn.items() if len(order) >= LEAST_DRAWS}
    if size == units:
        return {name: _middle(order) for name, order in found.items()}
    return {name: _nearer(order, values[name], sqrt(size / units)) for name, order in found.items()}


def _nearer(order: list[float], value: float, narrower: float) -> tuple[float, float]:
    """Ends for draws of fewer units than there are, which move more (Bickel, Goetze, van Zwet 1997).

    They lie about the value as the draws lie about their median, which few units may shift.
    """
    low, high = _middle(order)
    median = order[len(order) // 2]
    return value + (low - median) * narrower, value + (high - median) * narrower


def _middle(order: list[float]) -> tuple[float, float]:
    cut = int(len(order) * OUTSIDE / 2)
    return order[cut], order[-1 - cut]


def _no_pair(table: Table, _kind: Kind) -> str | None:
    return None if table.pairable_units else NO_PAIR


def _not_two_raters(table: Table, kind: Kind) -> str | None:
    count = len(table.raters)
    return f"it compares two raters, and there are {count}" if count != 2 else _no_pair(table, kind)


def _no_order(table: Table, kind: Kind) -> str | None:
    return "it is for ordinal values" if kind != "ordinal" else _not_two_raters(table, kind)


def _uneven(table: Table, kind: Kind) -> str | None:
    counts = {row.size for row in table.rows}
    return "the units have different numbers of ratings" if len(counts) > 1 else _no_pair(table, kind)


FIGURES = (
    Figure("percent", lambda table, _kind: agreement.percent(table), _no_pair),
    Figure("cohen_kappa", lambda table, _kind: agreement.cohen_kappa(table), _not_two_raters),
    Figure("weighted_kappa.linear", lambda table, _kind: agreement.weighted_kappa(table, "linear"), _no_order),
    Figure("weighted_kappa.quadratic", lambda table, _kind: agreement.weighted_kappa(table, "quadratic"), _no_order),
    Figure("fleiss_kappa", lambda table, _kind: agreement.fleiss_kappa(table), _uneven),
    Figure("krippendorff_alpha", agreement.krippendorff_alpha, _no_pair),
    Figure("gwet_ac1", lambda table, _kind: agreement.gwet_ac1(table), _no_pair),
)
