"""Agreement of one rater with the others, and of two raters, with intervals over tasks.

There are many raters and more pairs of them, so their intervals are the jackknife's, which needs no draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from desktop_rater.stats.agreement import RatingValue, ValueKind
from desktop_rater.stats.agreement_figures import (
    MIN_TASKS_ALIKE,
    REASON_ALL_EQUAL,
    REASON_NO_DIFFERENCE,
    REASON_NO_PAIR,
    REASON_RARE,
    AgreementFigures,
    Indices,
    alpha_of_sums,
    centred_positions,
    unequal_pairs,
    without_interval,
)
from desktop_rater.stats.cluster_bootstrap import (
    AGREEMENT_RANGE,
    Floats,
    Numbers,
    compact,
    divided,
    jackknife,
    jackknife_groups,
    share,
    share_with_error,
    value_with_error,
)

OTHERS_FIGURES = ("percent", "krippendorff_alpha")
_Unit = tuple[RatingValue, tuple[tuple[RatingValue, int], ...]]


@dataclass(frozen=True, eq=False)
class OthersAgreement:
    """Kinds of units, (own value, values of the others): `own` of each, and `alike`, the share of the others with it.

    The values of the others are entries: number of the kind, of the value, and the value's share.
    """

    values: tuple[RatingValue, ...]
    kind: ValueKind
    own: Indices
    alike: Floats
    entry_kinds: Indices
    entry_values: Indices
    entry_shares: Floats

    def figures(
        self, units: Sequence[int] | Indices, clusters: Sequence[int] | Indices, repeats: Indices | None = None
    ) -> AgreementFigures:
        """Return the share of the others who agree, and alpha, over a rater's units.

        `units`: the number of the kind of each; `clusters`: that of its task; `repeats`: how many there are of each, by
        default one. Intervals are those of the jackknife.
        """
        if not len(units):
            return AgreementFigures({}, dict.fromkeys(OTHERS_FIGURES, REASON_NO_PAIR), 0)
        kinds = np.asarray(units, dtype=np.intp)
        used, tasks = compact(np.asarray(clusters, dtype=np.intp))
        count = len(used)
        each = np.ones(len(kinds)) if repeats is None else repeats.astype(np.float64)
        figures = {"percent": share(np.bincount(tasks, self.alike[kinds] * each), np.bincount(tasks, each))}
        if self.kind == "nominal":
            rows = self._counted_rows[kinds]
            several = np.count_nonzero(rows[:, 2:].any(axis=0)) > 1
        else:
            times, size = np.bincount(kinds, each, len(self.own)), len(self.values)
            margins = np.bincount(self.own, times, size)
            margins += np.bincount(self.entry_values, self.entry_shares * times[self.entry_kinds], size)
            several = np.count_nonzero(margins) > 1
            rows = self._placed_rows(margins)[kinds]
        if not several:
            return AgreementFigures(figures, {"krippendorff_alpha": REASON_ALL_EQUAL}, count)
        order = np.argsort(tasks, kind="stable")
        starts = np.searchsorted(tasks[order], np.arange(count))
        sums = np.add.reduceat((rows if repeats is None else rows * each[:, None])[order], starts)
        alpha = jackknife(sums, _alpha_of_counts if self.kind == "nominal" else _alpha_of_positions, AGREEMENT_RANGE)
        few = "" if rows[:, 1].any() else REASON_NO_DIFFERENCE
        if self.kind == "nominal":
            rarer = self.own[kinds] != sums[:, 2:].sum(axis=0).argmax()
            alike = np.unique(tasks[rarer & (self.alike[kinds] > 0)])
            few = few or (REASON_RARE if len(alike) < MIN_TASKS_ALIKE else "")
        figures["krippendorff_alpha"] = without_interval(alpha, few)
        return AgreementFigures(figures, {}, count)

    def _placed_rows(self, margins: Numbers) -> Floats:
        """Return what each kind of numbers adds: ratings, distance, and sums of their positions and of the squares."""
        kinds = len(self.own)
        totals = {value: float(n) for value, n in zip(self.values, margins, strict=True) if n}
        centred = centred_positions(self.kind, totals)
        places = np.array([centred.get(value, 0.0) for value in self.values])
        own, others = places[self.own], places[self.entry_values]
        rows = np.full((kinds, 4), 2.0)
        rows[:, 1] = np.bincount(self.entry_kinds, self.entry_shares * (own[self.entry_kinds] - others) ** 2, kinds)
        rows[:, 2] = own + np.bincount(self.entry_kinds, self.entry_shares * others, kinds)
        rows[:, 3] = own**2 + np.bincount(self.entry_kinds, self.entry_shares * others**2, kinds)
        return rows

    @cached_property
    def _counted_rows(self) -> Floats:
        """The rows of nominal values, the same for all raters: ratings, distance, and the ratings of each value."""
        rows = np.zeros((len(self.own), 2 + len(self.values)))
        rows[np.arange(len(self.own)), 2 + self.own] = 1
        np.add.at(rows, (self.entry_kinds, 2 + self.entry_values), self.entry_shares)
        rows[:, 0], rows[:, 1] = 2, 1 - self.alike
        return rows


def _alpha_of_counts(sums: Floats) -> Floats:
    return alpha_of_sums(sums[:, 0], sums[:, 1], unequal_pairs(sums[:, 2:]))


def _alpha_of_positions(sums: Floats) -> Floats:
    return alpha_of_sums(sums[:, 0], sums[:, 1], sums[:, 0] * sums[:, 3] - sums[:, 2] ** 2)


def agreement_with_others(kinds: Sequence[_Unit], kind: ValueKind) -> OthersAgreement:
    """Prepare the kinds of units.

    In the coincidence matrix of Krippendorff (2004, 11.3) a unit then has two values: the rater's own, and the others'
    together, each with its share. For two raters the result is alpha itself.
    """
    values = tuple(sorted({value for own, others in kinds for value in (own, *(other for other, _ in others))}))
    places = {value: index for index, value in enumerate(values)}
    sizes = [sum(n for _, n in others) for _, others in kinds]
    entries = [
        (index, places[value], n / sizes[index]) for index, (_, others) in enumerate(kinds) for value, n in others
    ]
    entry_kinds, entry_values, shares = (
        (np.array(column) for column in zip(*entries, strict=True)) if entries else [np.zeros(0)] * 3
    )
    alike = [dict(others).get(own, 0) / size for (own, others), size in zip(kinds, sizes, strict=True)]
    return OthersAgreement(
        values,
        kind,
        np.array([places[own] for own, _ in kinds], dtype=np.intp),
        np.array(alike, dtype=np.float64),
        entry_kinds.astype(np.intp),
        entry_values.astype(np.intp),
        shares.astype(np.float64),
    )


def pair_figures(
    pairs: Indices,
    first: Indices,
    second: Indices,
    clusters: Indices,
    values: Sequence[RatingValue],
    kind: ValueKind,
    repeats: Indices | None = None,
) -> list[AgreementFigures]:
    """Return percent, Cohen's kappa and alpha of each of several pairs of raters.

    A row is a unit that a pair has in common. `pairs`: the pair's number, from 0 on and without gaps; `first` and
    `second`: the number of the value that each of the two gave; `clusters`: that of the unit's task; `repeats`: how
    many such units there are, by default one. Rows are sorted by pair and cluster.
    """
    ones = np.ones(len(pairs)) if repeats is None else repeats.astype(np.float64)
    is_new = np.append(True, (pairs[1:] != pairs[:-1]) | (clusters[1:] != clusters[:-1]))
    cell, pair = np.cumsum(is_new) - 1, pairs[is_new]  # each cluster of each pair is a cell

    def counted(values: Indices) -> Floats:
        cells = np.bincount(cell * size + values, ones, len(pair) * size)
        return cells.reshape(len(pair), size).astype(np.float64, copy=False)

    def summed(*columns: Floats) -> Floats:
        return np.stack([np.bincount(cell, column * ones) for column in columns], axis=1).astype(np.float64, copy=False)

    size, each = len(values), np.ones(len(pairs))
    given = counted(first), counted(second)
    units_differ = summed(each, (first != second).astype(np.float64))
    if kind == "nominal":
        sums, alpha = np.hstack([units_differ * (2, 1), given[0] + given[1]]), _alpha_of_counts
    else:
        totals = np.add.reduceat(given[0] + given[1], np.flatnonzero(np.diff(pair, prepend=-1)))
        places = _centred_positions_of_pairs(kind, values, totals)
        own, others = places[pairs, first], places[pairs, second]
        sums, alpha = summed(2 * each, (own - others) ** 2, own + others, own**2 + others**2), _alpha_of_positions
    figures = (
        jackknife_groups(units_differ, pair, lambda sums: 1 - divided(sums[:, 1], sums[:, 0])),
        jackknife_groups(sums, pair, alpha),
        jackknife_groups(np.hstack([units_differ, *given]), pair, _cohen),
    )
    alike = np.full(len(figures[0][2]), MIN_TASKS_ALIKE)
    if kind == "nominal":
        most = np.add.reduceat(given[0] + given[1], np.flatnonzero(np.diff(pair, prepend=-1))).argmax(axis=1)
        rarer = (first == second) & (first != most[pairs])
        alike = np.bincount(pair, np.bincount(cell, rarer) > 0)
    rows = (zip(*(column.tolist() for column in columns), strict=True) for columns in figures)
    return [_figures_of_pair(*row) for row in zip(alike.tolist(), *rows, strict=True)]


def _figures_of_pair(
    alike: float, percent: tuple[float, float, int], alpha: tuple[float, float, int], kappa: tuple[float, float, int]
) -> AgreementFigures:
    """Return the figures, each from its value, error and number of clusters.

    `alike`: the number of tasks in which both gave the same rarer value.
    """
    figures, undefined = {"percent": share_with_error(*percent)}, {}
    few = REASON_NO_DIFFERENCE if percent[0] == 1 else REASON_RARE if alike < MIN_TASKS_ALIKE else ""
    for name, (value, error, clusters) in (("krippendorff_alpha", alpha), ("cohen_kappa", kappa)):
        if np.isfinite(value):
            estimate = value_with_error(value, error, clusters, AGREEMENT_RANGE)
            figures[name] = without_interval(estimate, few)
        else:
            undefined[name] = REASON_ALL_EQUAL
    return AgreementFigures(figures, undefined, percent[2])


def _centred_positions_of_pairs(kind: ValueKind, values: Sequence[RatingValue], totals: Floats) -> Floats:
    """Return `centred_positions` of each pair, 0 for values that it did not give. `totals`: (pairs, values)."""
    used = totals > 0
    places = np.cumsum(totals, axis=1) - totals / 2
    if kind == "interval":
        places = np.broadcast_to(np.array(values, dtype=np.float64), totals.shape)
    low = np.where(used, places, np.inf).min(axis=1, keepdims=True)
    length = np.where(used, places, -np.inf).max(axis=1, keepdims=True) - low
    places = divided(np.where(used, places - low, 0), np.broadcast_to(length, totals.shape))
    mean = (places * totals).sum(axis=1, keepdims=True) / totals.sum(axis=1, keepdims=True)
    return np.where(used & (length > 0), places - mean, 0)


def _cohen(sums: Floats) -> Floats:
    first, second = np.split(sums[:, 2:], 2, axis=1)
    units = sums[:, 0]
    return 1 - divided(sums[:, 1] * units, units**2 - (first * second).sum(axis=1))
