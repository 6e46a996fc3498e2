"""How far one rater agrees with the others: Krippendorff's alpha, of those pairs of ratings that hold the rater."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.stats.agreement import places_of, spread_of
from desktop_rater.stats.agreement_figures import ALL_THE_SAME, NO_PAIR, Figures, intervals_of_sums
from desktop_rater.stats.unit_sums import MOST_VALUES, OF_SUMS, ONE, UnitSums, packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from desktop_rater.stats.agreement import Kind
    from desktop_rater.stats.ratings_table import Value

FIGURES = ("percent", "krippendorff_alpha")
_Unit = tuple["Value", tuple[tuple["Value", int], ...]]


class WithOthers(NamedTuple):
    """Kinds of units, (own value, what the others gave), and what each adds to the sums: one integer.

    Where there are too many values for that, `adds` is empty: then figures have no intervals.
    """

    kinds: Sequence[_Unit]
    adds: Sequence[int]
    names: tuple[str, ...]
    values: tuple[Value, ...]
    kind: Kind

    def figures(self, units: Sequence[int], random: Random | None, picks: int) -> Figures:
        """Share of the others who say the same, and alpha, over a rater's units. Without `random` no intervals.

        `units` are given by the numbers of their kinds.
        """
        if not units:
            return Figures({}, {}, dict.fromkeys(FIGURES, NO_PAIR))
        sums = UnitSums([self.adds[unit] for unit in units] if self.adds else [], self.names, self.values, self.kind)
        whole = sums.all()
        exact = not sums.units
        found = (
            _exact([self.kinds[unit] for unit in units], self.kind)
            if exact
            else {name: OF_SUMS[name](whole, sums) for name in FIGURES}
        )
        values = {name: value for name, value in found.items() if value is not None}
        undefined = {name: ALL_THE_SAME for name, value in found.items() if value is None}
        if random is None or len(sums.units) < 2:
            return Figures(values, {}, undefined)
        return Figures(values, intervals_of_sums(sums, values, random, picks), undefined)


def with_others(kinds: Sequence[_Unit], kind: Kind) -> WithOthers:
    """What each of the kinds of units adds.

    In the coincidence matrix of Krippendorff (2004, 11.3) a unit then stands for two values: the rater's own, and the
    others' together, each with its share. Of two raters it is alpha itself.
    """
    values = tuple(sorted({value for own, others in kinds for value in (own, *(one for one, _ in others))}))
    if len(values) > MOST_VALUES:
        return WithOthers(kinds, (), (), values, kind)
    places = {value: at for at, value in enumerate(values)}
    whole, names = packed([dict(_adds(own, others, places)) for own, others in kinds])
    return WithOthers(kinds, whole, names, values, kind)


def _adds(
    own: Value, others: tuple[tuple[Value, int], ...], places: Mapping[Value, int]
) -> Iterator[tuple[str, float]]:
    count = sum(n for _, n in others)
    shares = {value: n / count for value, n in others}
    alike = shares.get(own, 0.0)
    yield "units", 1
    yield "paired", 1
    yield "equal", ONE * alike
    yield "unequal", ONE * 2 * (1 - alike)
    for value in {own, *shares}:
        yield f"n {places[value]}", ONE * ((value == own) + shares.get(value, 0.0))
    for value, share in shares.items():
        if value != own:
            one, other = sorted((places[own], places[value]))
            yield f"met {one} {other}", ONE * share


def _exact(units: list[_Unit], kind: Kind) -> dict[str, float | None]:
    """The same figures without sums."""
    margins: dict[Value, float] = {}
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
        lie = places_of(kind, margins)
        seen = 2 * sum(share * (lie[own] - lie[value]) ** 2 for own, value, share in weighed)
        chance = spread_of([(lie[value], n) for value, n in margins.items()])
    return {"percent": same / len(units), "krippendorff_alpha": 1 - (every - 1) * seen / chance if chance else None}
