"""All figures of agreement that a table allows, with their intervals, and the reasons for missing ones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import RatingsTable, RatingValue, ValueKind, squared_spread, value_positions
from desktop_rater.stats.bootstrap import (
    FIGURES_FROM_SUMS,
    FIXED_POINT_ONE,
    MAX_SUMMED_VALUES,
    UnitSums,
    pack_sums,
    unit_sums,
)

BOOTSTRAP_DRAW_COUNT, MANY_UNITS, FEWER_DRAWS = 1_000, 20_000, 200
MANY_KINDS, MAX_DRAWN_UNITS = 500, 2_000  # beyond MANY_KINDS kinds of units, at most MOST_DRAWN units per draw
MAX_COUNTED_VALUES = 50_000  # distinct values in a draw, summed over units: with more, draws would take minutes
MAX_PICKED_UNITS = 400_000  # units over all draws of a table with few values
MIN_DEFINED_DRAWS = 100  # fewer draws with a defined figure give no interval
SHARE_OUTSIDE = 0.05  # the share of draws that lie outside an interval

REASON_ALL_EQUAL = "every rating is the same"
REASON_NO_PAIR = "no unit has two ratings"


class AgreementFigure(NamedTuple):
    """A figure of agreement: `compute` it from a table; `refuses` returns the reason if the table does not allow it."""

    name: str
    compute: Callable[[RatingsTable, ValueKind], float | None]
    reason_undefined: Callable[[RatingsTable, ValueKind], str | None]


class AgreementFigures(NamedTuple):
    """`values` by name; `intervals`, each with 95 % of the draws inside; `undefined`: why a value is missing."""

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    undefined: dict[str, str]


def agreement_figures(
    table: RatingsTable, kind: ValueKind, random: Random, picks: int = MAX_PICKED_UNITS
) -> AgreementFigures:
    """Compute the figures that are defined. Intervals are percentiles of a bootstrap over units (Efron 1979).

    With few distinct values, all draws together take up to `picks` units.
    """
    values: dict[str, float] = {}
    undefined: dict[str, str] = {}
    defined: list[AgreementFigure] = []
    for figure in AGREEMENT_FIGURES:
        why = figure.reason_undefined(table, kind)
        value = None if why is not None else figure.compute(table, kind)
        if value is None:
            undefined[figure.name] = why or REASON_ALL_EQUAL
        else:
            values[figure.name] = value
            defined.append(figure)
    return AgreementFigures(values, _intervals(table, kind, defined, values, random, picks), undefined)


def _intervals(
    table: RatingsTable,
    kind: ValueKind,
    wanted: list[AgreementFigure],
    values: dict[str, float],
    random: Random,
    picks: int,
) -> dict[str, tuple[float, float]]:
    if table.pairable_units < 2:
        return {}
    sums = unit_sums(table, kind)
    if sums is not None:
        return intervals_of_sums(sums, {figure.name: values[figure.name] for figure in wanted}, random, picks)
    units = table.units
    size = units if len(table.rows) <= MANY_KINDS else min(units, MAX_DRAWN_UNITS)
    if min(size, len(table.rows)) * sum(len(row.counts) for row in table.rows) > MAX_COUNTED_VALUES * len(table.rows):
        return {}
    drawn: dict[str, list[float]] = {figure.name: [] for figure in wanted}
    kinds, times = list(table.times), list(table.times.values())
    few = len(kinds) <= MANY_KINDS and units <= MANY_UNITS
    for _ in range(BOOTSTRAP_DRAW_COUNT if few else FEWER_DRAWS):
        sample = table.drawn(random.choices(kinds, times, k=size))
        for figure in wanted:
            value = figure.compute(sample, kind)
            if value is not None:
                drawn[figure.name].append(value)
    ordered = {name: sorted(values) for name, values in drawn.items() if len(values) >= MIN_DEFINED_DRAWS}
    if size == units:
        return {name: _central_interval(order) for name, order in ordered.items()}
    return {name: _rescaled_interval(order, values[name], sqrt(size / units)) for name, order in ordered.items()}


def intervals_of_sums(
    sums: UnitSums, values: dict[str, float], random: Random, picks: int = MAX_PICKED_UNITS
) -> dict[str, tuple[float, float]]:
    """Return the interval of each figure in `values`. Draws are cheap, and take up to `picks` units in all."""
    units = len(sums.units)
    size = min(units, MAX_DRAWN_UNITS, picks // FEWER_DRAWS)
    drawn: dict[str, list[float]] = {name: [] for name in values}
    for _ in range(min(BOOTSTRAP_DRAW_COUNT, picks // size)):
        sample = sums.drawn(random, size)
        for name, results in drawn.items():
            value = FIGURES_FROM_SUMS[name](sample, sums)
            if value is not None:
                results.append(value)
    ordered = {name: sorted(order) for name, order in drawn.items() if len(order) >= MIN_DEFINED_DRAWS}
    if size == units:
        return {name: _central_interval(order) for name, order in ordered.items()}
    return {name: _rescaled_interval(order, values[name], sqrt(size / units)) for name, order in ordered.items()}


def _rescaled_interval(order: list[float], value: float, narrower: float) -> tuple[float, float]:
    """Return the interval for draws of fewer units, which vary more (Bickel, Goetze, van Zwet 1997).

    The draws' deviations from their median, which few units may shift, are applied to the value.
    """
    low, high = _central_interval(order)
    median = order[len(order) // 2]
    return value + (low - median) * narrower, value + (high - median) * narrower


def _central_interval(order: list[float]) -> tuple[float, float]:
    cut = int(len(order) * SHARE_OUTSIDE / 2)
    return order[cut], order[-1 - cut]


def _no_pair(table: RatingsTable, _kind: ValueKind) -> str | None:
    return None if table.pairable_units else REASON_NO_PAIR


def _not_two_raters(table: RatingsTable, kind: ValueKind) -> str | None:
    count = len(table.raters)
    return f"it compares two raters, and there are {count}" if count != 2 else _no_pair(table, kind)


def _no_order(table: RatingsTable, kind: ValueKind) -> str | None:
    return "it is for ordinal values" if kind != "ordinal" else _not_two_raters(table, kind)


def _uneven(table: RatingsTable, kind: ValueKind) -> str | None:
    counts = {row.size for row in table.rows}
    return "the units have different numbers of ratings" if len(counts) > 1 else _no_pair(table, kind)


AGREEMENT_FIGURES = (
    AgreementFigure("percent", lambda table, _kind: agreement.percent_agreement(table), _no_pair),
    AgreementFigure("cohen_kappa", lambda table, _kind: agreement.cohen_kappa(table), _not_two_raters),
    AgreementFigure("weighted_kappa.linear", lambda table, _kind: agreement.weighted_kappa(table, "linear"), _no_order),
    AgreementFigure(
        "weighted_kappa.quadratic", lambda table, _kind: agreement.weighted_kappa(table, "quadratic"), _no_order
    ),
    AgreementFigure("fleiss_kappa", lambda table, _kind: agreement.fleiss_kappa(table), _uneven),
    AgreementFigure("krippendorff_alpha", agreement.krippendorff_alpha, _no_pair),
    AgreementFigure("gwet_ac1", lambda table, _kind: agreement.gwet_ac1(table), _no_pair),
)


OTHERS_FIGURES = ("percent", "krippendorff_alpha")
_Unit = tuple["RatingValue", tuple[tuple["RatingValue", int], ...]]


class OthersAgreement(NamedTuple):
    """Kinds of units, (own value, values of the others), and what each adds to the sums, as one integer.

    With too many values `adds` is empty: then figures have no intervals.
    """

    kinds: Sequence[_Unit]
    adds: Sequence[int]
    names: tuple[str, ...]
    values: tuple[RatingValue, ...]
    kind: ValueKind

    def figures(self, units: Sequence[int], random: Random | None, picks: int) -> AgreementFigures:
        """Return the share of the others who agree, and alpha, over a rater's units. Without `random` no intervals.

        `units` are given by the numbers of their kinds.
        """
        if not units:
            return AgreementFigures({}, {}, dict.fromkeys(OTHERS_FIGURES, REASON_NO_PAIR))
        sums = UnitSums([self.adds[unit] for unit in units] if self.adds else [], self.names, self.values, self.kind)
        whole = sums.all()
        exact = not sums.units
        figures = (
            _exact([self.kinds[unit] for unit in units], self.kind)
            if exact
            else {name: FIGURES_FROM_SUMS[name](whole, sums) for name in OTHERS_FIGURES}
        )
        values = {name: value for name, value in figures.items() if value is not None}
        undefined = {name: REASON_ALL_EQUAL for name, value in figures.items() if value is None}
        if random is None or len(sums.units) < 2:
            return AgreementFigures(values, {}, undefined)
        return AgreementFigures(values, intervals_of_sums(sums, values, random, picks), undefined)


def agreement_with_others(kinds: Sequence[_Unit], kind: ValueKind) -> OthersAgreement:
    """Compute what each of the kinds of units adds.

    In the coincidence matrix of Krippendorff (2004, 11.3) a unit then has two values: the rater's own, and the others'
    together, each with its share. For two raters the result is alpha itself.
    """
    values = tuple(sorted({value for own, others in kinds for value in (own, *(other for other, _ in others))}))
    if len(values) > MAX_SUMMED_VALUES:
        return OthersAgreement(kinds, (), (), values, kind)
    places = {value: index for index, value in enumerate(values)}
    whole, names = pack_sums([dict(_adds(own, others, places)) for own, others in kinds])
    return OthersAgreement(kinds, whole, names, values, kind)


def _adds(
    own: RatingValue, others: tuple[tuple[RatingValue, int], ...], places: Mapping[RatingValue, int]
) -> Iterator[tuple[str, float]]:
    count = sum(n for _, n in others)
    shares = {value: n / count for value, n in others}
    alike = shares.get(own, 0.0)
    yield "units", 1
    yield "paired", 1
    yield "equal", FIXED_POINT_ONE * alike
    yield "unequal", FIXED_POINT_ONE * 2 * (1 - alike)
    for value in {own, *shares}:
        yield f"n {places[value]}", FIXED_POINT_ONE * ((value == own) + shares.get(value, 0.0))
    for value, share in shares.items():
        if value != own:
            lower, upper = sorted((places[own], places[value]))
            yield f"met {lower} {upper}", FIXED_POINT_ONE * share


def _exact(units: list[_Unit], kind: ValueKind) -> dict[str, float | None]:
    """Return the same figures, computed without sums."""
    margins: dict[RatingValue, float] = {}
    weighed = [(own, value, n / sum(n for _, n in others)) for own, others in units for value, n in others]
    for own, value, share in weighed:
        margins[own] = margins.get(own, 0.0) + share
        margins[value] = margins.get(value, 0.0) + share
    every = 2 * len(units)
    same = sum(share for own, value, share in weighed if own == value)
    if len(margins) < 2:
        return {"percent": same / len(units), "krippendorff_alpha": None}
    if kind == "nominal":
        seen = 2 * (len(units) - same)
        chance = every * every - sum(n * n for n in margins.values())
    else:
        positions = value_positions(kind, margins)
        seen = 2 * sum(share * (positions[own] - positions[value]) ** 2 for own, value, share in weighed)
        chance = squared_spread([(positions[value], n) for value, n in margins.items()])
    return {"percent": same / len(units), "krippendorff_alpha": 1 - (every - 1) * seen / chance if chance else None}
