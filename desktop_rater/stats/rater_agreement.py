"""Agreement of one rater with the others, and of two raters, with intervals over tasks.

There are many raters and more pairs of them, so their intervals are the jackknife's, which needs no draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from desktop_rater.stats.agreement import RatingValue, ValueKind
from desktop_rater.stats.agreement_figures import (
    REASON_ALL_EQUAL,
    REASON_NO_DIFFERENCE,
    REASON_NO_PAIR,
    AgreementFigures,
    Indices,
    alpha_of_sums,
    centred_positions,
    unequal_pairs,
    without_interval,
)
from desktop_rater.stats.cluster_bootstrap import AGREEMENT_RANGE, Floats, Numbers, divided, jackknife, share

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
        _, tasks = np.unique(np.asarray(clusters, dtype=np.intp), return_inverse=True)
        count = int(tasks.max()) + 1
        each = np.ones(len(kinds)) if repeats is None else repeats.astype(np.float64)
        figures = {"percent": share(np.bincount(tasks, self.alike[kinds] * each), np.bincount(tasks, each))}
        times, size = np.bincount(kinds, each, len(self.own)), len(self.values)
        margins = np.bincount(self.own, times, size)
        margins += np.bincount(self.entry_values, self.entry_shares * times[self.entry_kinds], size)
        if np.count_nonzero(margins) < 2:
            return AgreementFigures(figures, {"krippendorff_alpha": REASON_ALL_EQUAL}, count)
        rows = self._rows(margins)
        order = np.argsort(tasks, kind="stable")
        starts = np.searchsorted(tasks[order], np.arange(count))
        sums = np.add.reduceat((rows[kinds] * each[:, None])[order], starts)
        alpha = jackknife(sums, _alpha_of_counts if self.kind == "nominal" else _alpha_of_positions, AGREEMENT_RANGE)
        figures["krippendorff_alpha"] = without_interval(alpha, "" if rows[kinds, 1].any() else REASON_NO_DIFFERENCE)
        return AgreementFigures(figures, {}, count)

    def _rows(self, margins: Numbers) -> Floats:
        """Return what each kind adds: ratings, distance, and the ratings of each value, or their positions' sums."""
        if self.kind == "nominal":
            return self._counted_rows
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
        """The rows of nominal values, which are the same for all raters."""
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
    first: Indices,
    second: Indices,
    clusters: Indices,
    values: Sequence[RatingValue],
    kind: ValueKind,
    repeats: Indices | None = None,
) -> AgreementFigures:
    """Return percent, Cohen's kappa and alpha of two raters.

    `first` and `second`: the number of the value of each of them in each common unit; `clusters`: that of its task;
    `repeats`: how many there are of each, by default one.
    """
    _, tasks = np.unique(clusters, return_inverse=True)
    count, size = int(tasks.max()) + 1, len(values)
    ones = np.ones(len(tasks)) if repeats is None else repeats.astype(np.float64)
    differ = (first != second) * ones
    units = np.bincount(tasks, ones)
    figures = {"percent": share(units - np.bincount(tasks, differ), units)}
    cells = count * size
    given = np.stack([np.bincount(tasks * size + own, ones, cells).reshape(count, size) for own in (first, second)])
    totals = {value: float(n) for value, n in zip(values, given.sum(axis=(0, 1)), strict=True) if n}
    columns = [2 * units, np.bincount(tasks, differ)]
    if kind != "nominal" and len(totals) > 1:
        centred = centred_positions(kind, totals)
        places = np.array([centred.get(value, 0.0) for value in values])
        own, others = places[first], places[second]
        columns = [
            2 * units,
            *(np.bincount(tasks, each * ones) for each in ((own - others) ** 2, own + others, own**2 + others**2)),
        ]
        result = {"krippendorff_alpha": jackknife(np.stack(columns, axis=1), _alpha_of_positions, AGREEMENT_RANGE)}
    else:
        sums = np.column_stack([*columns, given.sum(axis=0)])
        result = {"krippendorff_alpha": jackknife(sums, _alpha_of_counts, AGREEMENT_RANGE)}
    result["cohen_kappa"] = jackknife(
        np.column_stack([units, np.bincount(tasks, differ), *given]), _cohen, AGREEMENT_RANGE
    )
    why = "" if differ.any() else REASON_NO_DIFFERENCE
    figures |= {name: without_interval(figure, why) for name, figure in result.items() if figure.value is not None}
    return AgreementFigures(figures, dict.fromkeys(result.keys() - figures.keys(), REASON_ALL_EQUAL), count)


def _cohen(sums: Floats) -> Floats:
    first, second = np.split(sums[:, 2:], 2, axis=1)
    units = sums[:, 0]
    return 1 - divided(sums[:, 1] * units, units**2 - (first * second).sum(axis=1))
