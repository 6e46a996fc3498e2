"""How far raters agree on a question: all of them, two and two, and where they differ most."""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.audit.disagreement import apart, distance_of
from desktop_rater.audit.report import Agreement, Confusion, Differing, Figure, Pair
from desktop_rater.audit.units import Counts, majority
from desktop_rater.stats import agreement
from desktop_rater.stats.agreement_figures import ALL_THE_SAME, NO_PAIR, Figures, figures, intervals_of_sums
from desktop_rater.stats.ratings_table import table_of, table_of_pairs
from desktop_rater.stats.spread import wilson
from desktop_rater.stats.unit_sums import unit_sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.audit.units import Unit, Units
    from desktop_rater.stats.ratings_table import Table

MOST_DIFFERING = 12  # units that are named
MOST_RATERS_IN_PAIRS = 60
_STEPS = "krippendorff_alpha.interval"


def seeded(seed: int, *names: str) -> Random:
    """What one figure alone is drawn by, so that no other figure changes it."""
    return Random("\n".join([str(seed), *names]))  # noqa: S311 - draws of a bootstrap


def agreement_on(units: Units, seed: int, picks: int) -> Agreement:
    """All figures of agreement on a question; the draws of its intervals take up to `picks` units."""
    question = units.question
    shared = units.shared
    table = table_of({str(at): unit.people for at, unit in enumerate(units.units) if unit.people})
    found = as_figures(figures(table, question.measure, seeded(seed, question.id), picks), table.pairable_units)
    if question.measure == "ordinal":
        found[_STEPS] = _with_steps(table, seeded(seed, question.id, _STEPS), picks)
    return Agreement(
        question=question,
        figures=found,
        units=len(shared),
        ratings=sum(len(unit.people) for unit in units.units),
        pairs=sum(len(unit.people) * (len(unit.people) - 1) // 2 for unit in shared),
        rated=sum(bool(unit.people) for unit in units.units),
        raters=len(table.raters),
    )


def as_figures(found: Figures, n: int) -> dict[str, Figure]:
    """Figures of a table as a report has them."""
    told = {}
    for name, value in found.values.items():
        low, high = found.intervals.get(name, (None, None))
        told[name] = Figure(value=value, low=low, high=high, n=n)
    return told | {name: Figure(n=n, why=why) for name, why in found.undefined.items()}


def _with_steps(table: Table, random: Random, picks: int) -> Figure:
    value = agreement.krippendorff_alpha(table, "interval") if table.pairable_units else None
    if value is None:
        return Figure(n=table.pairable_units, why=ALL_THE_SAME if table.pairable_units else NO_PAIR)
    sums = unit_sums(table, "interval") if table.pairable_units > 1 else None
    ends = {} if sums is None else intervals_of_sums(sums, {"krippendorff_alpha": value}, random, picks)
    low, high = ends.get("krippendorff_alpha", (None, None))
    return Figure(value=value, low=low, high=high, n=table.pairable_units)


def confusion_of(units: Units, only: str = "") -> Confusion | None:
    """Given labels against the majority of the others; `None` for a question whose values are not known beforehand.

    `only`: the one rater whose labels are the given ones.
    """
    values = tuple(look.id for look in units.question.looks)
    if not values:
        return None
    at = {value: number for number, value in enumerate(values)}
    counts = [[0] * len(values) for _ in values]
    tied = 0
    for unit in units.units:
        given, others = _given(unit, only)
        for value, n in given:
            most = majority(less(unit.counts, value) if others is None else others)
            if most is None or value not in at or most not in at:
                tied += n
            else:
                counts[at[value]][at[most]] += n
    return Confusion(question=units.question.id, values=values, counts=tuple(map(tuple, counts)), tied=tied)


def _given(unit: Unit, only: str) -> tuple[Counts, Counts | None]:
    """What is set against what the others gave, and what they gave where that is not the rest of the same counts."""
    if only in unit.models:
        return ((unit.models[only], 1),) if unit.counts else (), unit.counts
    if len(unit.people) < 2:
        return (), None
    if not only:
        return unit.counts, None
    own = unit.people.get(only)
    return ((own, 1),) if own is not None else (), None


def less(counts: Counts, own: Value) -> Counts:
    """What the others gave, where one of them all gave `own`."""
    return tuple((value, n - (value == own)) for value, n in counts if n - (value == own))


def differing_of(units: Units) -> tuple[Differing, ...]:
    """The units that disagree most, and of those the ones that most people judged."""
    question = units.question
    apart_by = {unit.place: distance_of(question, dict(unit.counts)) for unit in units.shared if len(unit.counts) > 1}
    most = sorted((unit for unit in units.shared if unit.place in apart_by),
                  key=lambda unit: (-apart_by[unit.place], -len(unit.people)))  # fmt: skip
    return tuple(_differing(question, unit, unit.counts, apart_by[unit.place]) for unit in most[:MOST_DIFFERING])


def differing_of_raters(units: Units) -> dict[str, tuple[Differing, ...]]:
    """Rater → the units where they differ most from the others: first those where the others are most of one mind."""
    found: dict[str, list[_Apart]] = {}
    span = units.question.span
    for at, unit in enumerate(units.units):
        if len(unit.counts) > 1:
            of_value = {value: _apart(at, value, less(unit.counts, value), span) for value, _ in unit.counts}
            for rater, value in unit.people.items():
                found.setdefault(rater, []).append(of_value[value])
        for rater, value in unit.models.items() if unit.counts else ():
            one = _apart(at, value, unit.counts, span)
            if one.distance:
                found.setdefault(rater, []).append(one)
    return {rater: tuple(_told(units, one) for one in nsmallest(MOST_DIFFERING, of)) for rater, of in found.items()}


class _Apart(NamedTuple):
    """Sorts by how far a value lies from the others', then by how many of them say the same other thing."""

    nearness: float
    few: int
    at: int
    own: Value
    others: Counts

    @property
    def distance(self) -> float:
        return -self.nearness


def _apart(at: int, own: Value, others: Counts, span: float) -> _Apart:
    count = sum(n for _, n in others)
    distance = sum(apart(own, value, span) * n for value, n in others if value != own) / count
    return _Apart(-distance, -max((n for value, n in others if value != own), default=0), at, own, others)


def _told(units: Units, one: _Apart) -> Differing:
    return _differing(units.question, units.units[one.at], one.others, one.distance, one.own)


def _differing(question: Judged, unit: Unit, counts: Counts, distance: float, own: Value | None = None) -> Differing:
    order = {look.id: at for at, look in enumerate(question.looks)}
    given = sorted(counts, key=lambda one: (-one[1], order.get(one[0], len(order))))
    task, where = unit.place
    return Differing(
        task=task, where=where, question=question.id, quote="", given=tuple(given), distance=distance, own=own
    )


def pairs_of(units: Units, raters: Sequence[str], only: str = "") -> Iterable[Pair]:
    """Every two people on a question; none where there are too many of them.

    `only`: the one who is in each pair, who may be a model.
    """
    if len(raters) > MOST_RATERS_IN_PAIRS and not only:
        return
    named = sorted({*raters, only} - {""})
    given: dict[str, list[Value | None]] = {rater: [unit.said(rater) for unit in units.units] for rater in named}
    for one, other in combinations(named, 2):
        if only in {"", one, other}:
            met = Counter(zip(given[one], given[other], strict=True))
            both = {(a, b): times for (a, b), times in met.items() if a is not None and b is not None}
            if both:
                yield _pair(units.question, one, other, both)


def _pair(question: Judged, one: str, other: str, met: dict[tuple[Value, Value], int]) -> Pair:
    table = table_of_pairs((one, other), met)
    n = sum(met.values())
    same = sum(times for (first, second), times in met.items() if first == second)
    low, high = wilson(same, n)
    values = {
        "cohen_kappa": agreement.cohen_kappa(table),
        "krippendorff_alpha": agreement.krippendorff_alpha(table, question.measure),
    }
    figures_of = {"percent": Figure(value=same / n, low=low, high=high, n=n)}
    for name, value in values.items():
        figures_of[name] = Figure(value=value, n=n, why="" if value is not None else ALL_THE_SAME)
    return Pair(question=question.id, one=one, other=other, figures=figures_of)
