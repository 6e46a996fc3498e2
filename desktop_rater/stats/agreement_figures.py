"""All figures of agreement that a table allows, with intervals over tasks, and the reasons for missing ones.

Every figure is a function of sums over tasks. What a unit adds to them is a row of numbers, the same for all units with
the same ratings.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import (
    RatingsTable,
    RatingValue,
    ValueKind,
    squared_spread,
    unit_ratings,
    value_positions,
)
from desktop_rater.stats.cluster_bootstrap import (
    ClusterDraws,
    Estimate,
    Floats,
    Indices,
    KindSums,
    Statistic,
    Weights,
    divided,
    draw_kind_sums,
    estimate_figure,
    share,
    with_other_factor,
)
from desktop_rater.translation import N_, Phrase

MAX_RANKED = 16  # with more ordinal values, draws keep the ranks that all ratings have
MAX_VALUES = 256  # with more values, only those figures have intervals that need no sum for each value
_LEAST_CHANCE = 1e-9
MIN_TASKS_ALIKE, MOST_TASKS_ALIKE = 2, 6  # tasks where two raters gave the same rarer value that alpha needs
MIN_TASKS_APART = 5  # tasks with another value than the most frequent one; with fewer, intervals cover far too little

RATERS_FOR_RARE, RARE = (
    10,
    0.8,
)  # with fewer raters, and one label more frequent, intervals over raters cover 91 to 93 %

REASON_ALL_EQUAL = N_("Report", "every rating is the same")
REASON_NO_PAIR = N_("Report", "no unit has two ratings")
REASON_NO_DIFFERENCE = N_("Report", "raters differ nowhere: too little for an interval")
_RARE = N_("Report", "fewer than {n} tasks have a rarer label from two raters: no interval, see AC1")
REASON_RARE = Phrase(_RARE, n=MIN_TASKS_ALIKE)
REASON_NARROW = N_("Report", "with few raters and a rare label, this interval over raters is too narrow: it covers "
                   "about 92 % instead of 95 %")  # fmt: skip
REASON_MANY_VALUES = N_("Report", "it has too many different values for an interval")


class AgreementFigure(NamedTuple):
    """A figure of agreement: `compute` it from a table; `reason_undefined` says why the table does not allow it."""

    name: str
    compute: Callable[[RatingsTable, ValueKind], float | None]
    reason_undefined: Callable[[RatingsTable, ValueKind], str | None]


class AgreementFigures(NamedTuple):
    """`figures` that have a value; `undefined`: why others have none. `tasks`: number of tasks with pairs."""

    figures: dict[str, Estimate]
    undefined: dict[str, str]
    tasks: int


class SingleRatings(NamedTuple):
    """Ratings, equal ones `times`: the number of the rater and of the task, the row of the unit in a table, the value.

    `value` is its position in the table.
    """

    rater: Indices
    cluster: Indices
    row: Indices
    value: Indices
    times: Indices


class SumColumns(NamedTuple):
    """Rows of sums. `names` of the first columns are in `_FIRST`; then, of few values, each one's sums by `blocks`."""

    rows: Floats
    blocks: Mapping[str, slice]


# Units; of units with a pair: their number, share of equal pairs, half the distances of pairs / (m - 1), ratings, sum
# and sum of squares of their positions; of two raters: unequal, |i - j|, (i - j)^2.
_FIRST = ("units", "paired", "equal", "apart", "ratings", "sum", "squares", "unequal", "steps", "step_squares")
_UNITS, _PAIRED, _EQUAL, _APART, _RATINGS, _SUM, _SQUARES = range(7)


def agreement_figures(
    table: RatingsTable, kind: ValueKind, clusters: Sequence[int] | Indices, weights: Weights
) -> AgreementFigures:
    """Compute the figures that are defined. `clusters`: the row of `weights` of the task of each entry of the table."""
    values: dict[str, float] = {}
    undefined: dict[str, str] = {}
    for figure in AGREEMENT_FIGURES:
        why = figure.reason_undefined(table, kind)
        value = None if why is not None else figure.compute(table, kind)
        if value is None:
            undefined[figure.name] = why or REASON_ALL_EQUAL
        else:
            values[figure.name] = value
    columns, sums = summed(table, kind, clusters, weights)
    draws = draw_kind_sums(sums, weights)
    few = REASON_NO_DIFFERENCE if values.get("percent") == 1 else _few_apart(columns, sums)
    statistics = statistics_of(columns, kind)
    figures: dict[str, Estimate] = {}
    equal, paired = (sums.column(columns.rows[:, column]) for column in (_EQUAL, _PAIRED))
    tasks = int((paired > 0).sum())
    for name, value in values.items():
        if name == "percent":
            result = share(equal, paired)
        elif name not in statistics:
            result = Estimate(value, None, None, tasks, REASON_MANY_VALUES)
        else:
            why = few or ("" if name == "gwet_ac1" else _few_alike(columns, sums, kind))
            result = without_interval(estimate_figure(draws, statistics[name], tasks), why)
        figures[name] = result._replace(value=value)
    return AgreementFigures(figures, undefined, tasks)


def alpha_with_interval(
    table: RatingsTable, kind: ValueKind, clusters: Sequence[int] | Indices, weights: Weights
) -> Estimate:
    """Compute alpha alone, for another kind of distances."""
    columns, sums = summed(table, kind, clusters, weights)
    few = _few_apart(columns, sums)
    tasks = int((sums.column(columns.rows[:, _PAIRED]) > 0).sum())
    statistic = statistics_of(columns, kind)["krippendorff_alpha"]
    result = estimate_figure(draw_kind_sums(sums, weights), statistic, tasks)
    return without_interval(result, REASON_NO_DIFFERENCE if result.value == 1 else few)


def over_raters(
    figures: Mapping[str, Estimate], table: RatingsTable, kind: ValueKind, given: SingleRatings
) -> dict[str, Estimate]:
    """Widen the intervals by what the figures vary if one rater at a time is left out, and one rater of one task."""
    used, at = np.unique(given.row * len(table.values) + given.value, return_inverse=True)
    rows, values = np.divmod(used, len(table.values))
    left = [
        unit_ratings(tuple((value, n - (value == own)) for value, n in table.rows[row].counts if n - (value == own)))
        for row, own in zip(rows.tolist(), (table.values[value] for value in values.tolist()), strict=True)
    ]
    columns = _columns_of_table(table._replace(rows=(*table.rows, *left)), kind)
    every = columns.rows[: len(table.rows)]
    total = np.array([table.times[row] for row in range(len(every))], dtype=np.float64)[None] @ every
    statistics = statistics_of(columns, kind)
    statistics["percent"] = lambda sums: divided(sums[:, _EQUAL], sums[:, _PAIRED])
    left_out = []
    for groups in (given.rater, given.rater * (given.cluster.max(initial=0) + 1) + given.cluster):
        names, numbers = np.unique(groups, return_inverse=True)
        sums = KindSums.of(numbers, at, given.times, columns.rows[rows] - columns.rows[len(every) :], len(names))
        left_out.append(ClusterDraws(total, total[:0], len(names), sums.block))
    widened = {
        name: with_other_factor(estimate, *(draws.without(statistics[name]) for draws in left_out))
        if name in statistics
        else estimate
        for name, estimate in figures.items()
    }
    counts = total[0, columns.blocks["count"]] if columns.blocks else np.ones(2)
    if left_out[0].clusters < RATERS_FOR_RARE and counts.max() > RARE * counts.sum():
        widened |= {
            name: widened[name]._replace(why=widened[name].why or REASON_NARROW)
            for name in {"percent"} & widened.keys()
        }
    return widened


def summed(
    table: RatingsTable, kind: ValueKind, clusters: Sequence[int] | Indices, weights: Weights
) -> tuple[SumColumns, KindSums]:
    """Return what each kind of unit adds, and the sums over each cluster."""
    columns = _columns_of_table(table, kind)
    kinds = np.asarray(table.kinds, dtype=np.intp)
    times = np.ones(len(kinds)) if table.repeats is None else np.asarray(table.repeats)
    return columns, KindSums.of(np.asarray(clusters, dtype=np.intp), kinds, times, columns.rows, len(weights))


def _columns_of_table(table: RatingsTable, kind: ValueKind) -> SumColumns:
    totals = agreement.paired_totals(table)
    places = centred_positions(kind, totals)
    few = len(table.values) <= MAX_VALUES
    size = len(table.values) if few else 0
    blocks = {name: slice(start, start + size) for name, start in _starts(("count", "share", "first", "second"), size)}
    if kind == "ordinal" and size <= MAX_RANKED:
        blocks["met"] = slice(len(_FIRST) + 4 * size, len(_FIRST) + 4 * size + size * size)
    rows = np.zeros((len(table.rows), max((block.stop for block in blocks.values()), default=len(_FIRST))))
    for row, unit in zip(rows, table.rows, strict=True):
        row[_UNITS] = unit.size > 0
        if few:
            row[blocks["share"]][[table.places[value] for value, _ in unit.counts]] = [
                n / unit.size for _, n in unit.counts
            ]
        if unit.size < 2:
            continue
        row[_PAIRED : _RATINGS + 1] = 1, unit.equal, unit.size * (1 - unit.equal) / 2, unit.size
        if few:
            row[blocks["count"]][[table.places[value] for value, _ in unit.counts]] = [n for _, n in unit.counts]
        if places:
            at = [(places[value], n) for value, n in unit.counts]
            row[_SUM : _SQUARES + 1] = sum(n * place for place, n in at), sum(n * place**2 for place, n in at)
            row[_APART] = squared_spread(at) / (unit.size - 1) / 2
            if "met" in blocks:
                counts = row[blocks["count"]]
                row[blocks["met"]] = np.outer(counts, counts).ravel() / (unit.size - 1) / 2
        if unit.both is not None:
            first, second = (table.steps[value] for value in unit.both)
            row[_SQUARES + 1 : len(_FIRST)] = first != second, abs(first - second), (first - second) ** 2
            for name, value in zip(("first", "second"), (first, second), strict=True) if few else ():
                row[blocks[name]][value] = 1
    return SumColumns(rows, blocks if few else {})


def _starts(names: Sequence[str], size: int) -> list[tuple[str, int]]:
    return [(name, len(_FIRST) + number * size) for number, name in enumerate(names)]


def centred_positions(kind: ValueKind, totals: Mapping[RatingValue, float]) -> dict[RatingValue, float]:
    """Return the positions of values on a line, in units of its length about their mean; none for nominal values."""
    if kind == "nominal" or len(totals) < 2:
        return {}
    positions = value_positions(kind, totals)
    every = sum(totals.values())
    mean = sum(positions[value] * n for value, n in totals.items()) / every
    length = max(positions.values()) - min(positions.values())
    return {value: (place - mean) / length for value, place in positions.items()}


def without_interval(estimate: Estimate, why: str) -> Estimate:
    """Return the estimate without its interval if there is a reason."""
    return estimate._replace(low=None, high=None, why=why) if why and estimate.low is not None else estimate


def _few_apart(columns: SumColumns, sums: KindSums) -> str:
    """Return why there can be no interval of a figure beyond chance."""
    if "count" not in columns.blocks:
        return ""
    block = columns.blocks["count"]
    totals, of_kinds = sums.total[0, block], columns.rows[:, block].sum(axis=1)
    others = of_kinds - columns.rows[:, block.start + totals.argmax()] if totals.size else of_kinds
    tasks = int((sums.column(others) > 0).sum())
    return (
        Phrase(N_("Report", "only {n} tasks have another value than the most frequent"), n=tasks)
        if tasks < MIN_TASKS_APART
        else ""
    )


def _few_alike(columns: SumColumns, sums: KindSums, kind: ValueKind) -> str:
    """Return why there can be no interval of a figure that weighs agreement on rare labels: alpha, kappas.

    Where a sample holds hardly a task in which raters agree on one, it says nothing of those that do, and the interval
    lies too low. The more raters a unit has, the more often two of them agree by chance: so many tasks are needed.
    """
    if kind != "nominal" or "count" not in columns.blocks:
        return ""
    block = columns.blocks["count"]
    others = np.delete(columns.rows[:, block], sums.total[0, block].argmax(), axis=1)
    tasks = int((sums.column(np.asarray((others > 1).any(axis=1), dtype=np.float64)) > 0).sum())
    size = ceil(sums.total[0, _RATINGS] / max(1, sums.total[0, _PAIRED]))
    least = min(max(size, MIN_TASKS_ALIKE), MOST_TASKS_ALIKE)
    return Phrase(_RARE, n=least) if tasks < least else ""


def statistics_of(columns: SumColumns, kind: ValueKind) -> dict[str, Statistic]:
    """Return each figure as a function of sums; with many values only those that need no sum for each."""
    result: dict[str, Statistic] = {}
    if kind != "nominal":
        result["krippendorff_alpha"] = _alpha_of_positions
    if columns.blocks:
        counts, shares, first, second = (columns.blocks[name] for name in ("count", "share", "first", "second"))
        if "met" in columns.blocks:
            met = columns.blocks["met"]
            result["krippendorff_alpha"] = lambda sums: _alpha_of_ranks(sums, sums[:, counts], sums[:, met])
        if kind == "nominal":
            result["krippendorff_alpha"] = lambda sums: alpha_of_sums(
                sums[:, _RATINGS], sums[:, _APART], unequal_pairs(sums[:, counts])
            )
        result["fleiss_kappa"] = lambda sums: _fleiss(sums, sums[:, counts])
        result["gwet_ac1"] = lambda sums: _ac1(sums, sums[:, shares])
        places = np.arange(first.stop - first.start)
        apart = np.abs(places[:, None] - places)
        for column, (name, distances) in enumerate(
            (
                ("cohen_kappa", (apart > 0).astype(float)),
                ("weighted_kappa.linear", apart.astype(float)),
                ("weighted_kappa.quadratic", apart.astype(float) ** 2),
            ),
            _SQUARES + 1,
        ):
            result[name] = lambda sums, column=column, distances=distances: _kappa_of_two(
                sums[:, column], sums[:, first], sums[:, second], distances
            )
    return result


def unequal_pairs(counts: Floats) -> Floats:
    """Return how many pairs of all ratings are unequal, from the counts of each value (n, values)."""
    return (counts.sum(axis=1) ** 2 - (counts**2).sum(axis=1)) / 2


def alpha_of_sums(ratings: Floats, apart: Floats, chance: Floats) -> Floats:
    """Return alpha: `apart` and `chance` are half the distances of the pairs seen and of all pairs."""
    return 1 - divided((ratings - 1) * apart, np.where(chance > _LEAST_CHANCE, chance, 0))


def _alpha_of_ranks(sums: Floats, counts: Floats, met: Floats) -> Floats:
    """Compute ordinal alpha with the ranks in each draw; `met`: half the coincidences of each two values."""
    ratings = counts.sum(axis=1)
    ranks = divided(np.cumsum(counts, axis=1) - counts / 2, np.broadcast_to(ratings[:, None], counts.shape))
    apart = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    chance = ratings * (counts * ranks**2).sum(axis=1) - (counts * ranks).sum(axis=1) ** 2
    return alpha_of_sums(sums[:, _RATINGS], (met * apart.reshape(met.shape)).sum(axis=1), chance)


def _alpha_of_positions(sums: Floats) -> Floats:
    """Compute alpha with the positions of values that the whole table has: in draws, ranks stay as they are."""
    ratings, total = sums[:, _RATINGS], sums[:, _SUM]
    return alpha_of_sums(ratings, sums[:, _APART], ratings * sums[:, _SQUARES] - total**2)


def _fleiss(sums: Floats, counts: Floats) -> Floats:
    chance = divided((counts**2).sum(axis=1), counts.sum(axis=1) ** 2)
    return divided(divided(sums[:, _EQUAL], sums[:, _PAIRED]) - chance, 1 - chance)


def _ac1(sums: Floats, shares: Floats) -> Floats:
    shares = divided(shares, np.broadcast_to(sums[:, :1], shares.shape))
    chance = divided((shares * (1 - shares)).sum(axis=1), (shares > 0).sum(axis=1) - 1.0)
    return divided(divided(sums[:, _EQUAL], sums[:, _PAIRED]) - chance, 1 - chance)


def _kappa_of_two(seen: Floats, first: Floats, second: Floats, distances: Floats) -> Floats:
    chance = ((first @ distances) * second).sum(axis=1)
    return 1 - divided(seen * first.sum(axis=1), chance)


def _no_pair(table: RatingsTable, _kind: ValueKind) -> str | None:
    return None if table.pairable_units else REASON_NO_PAIR


def _not_two_raters(table: RatingsTable, kind: ValueKind) -> str | None:
    count = len(table.raters)
    return f"it compares two raters, and there are {count}" if count != 2 else _no_pair(table, kind)


def _no_order(table: RatingsTable, kind: ValueKind) -> str | None:
    return "it is for ordinal values" if kind != "ordinal" else _not_two_raters(table, kind)


def _uneven(table: RatingsTable, kind: ValueKind) -> str | None:
    counts = {row.size for row in table.rows}
    return N_("Report", "the units have different numbers of ratings") if len(counts) > 1 else _no_pair(table, kind)


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
