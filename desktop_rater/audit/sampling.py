"""Which places a lead looks at: all, a share, a share of each kind, or all that missed the gold. Pure.

A place's turn comes by the SHA-256 of the seed and its name. So a seed draws the same places on every computer,
whatever order the results came in, and a larger share without strata holds the smaller one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.model.canonical import canonical
from desktop_rater.stats.draw import shares, turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_rater.audit.items import Item

How = Literal["all", "share", "stratified", "gold-misses"]
By = Literal["disagreement", "label", "rater"]
HOWS: tuple[How, ...] = ("all", "share", "stratified", "gold-misses")
BYS: tuple[By, ...] = ("disagreement", "label", "rater")


class Stratum(msgspec.Struct, frozen=True):
    """One kind of places: how many there were, and how many were drawn."""

    name: str
    places: int
    drawn: int


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What was drawn, and how, so that anybody can draw it again. `places`: (task, where), of `of` that there were."""

    how: How
    seed: int = 0
    share: float | None = None
    by: By | None = None
    places: tuple[tuple[str, str], ...] = ()
    of: int = 0
    strata: tuple[Stratum, ...] = ()
    lead: str = ""
    changed: str = ""


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for. `share` of the places, rounded up; `by` only where it is stratified."""

    how: How
    seed: int = 0
    share: float | None = None
    by: By | None = None


def draw(items: Sequence[Item], wanted: Draw) -> Sample:
    """Draw places, in the order in which they are listed."""
    strata: list[Stratum] = []
    match wanted.how:
        case "all":
            chosen = set(range(len(items)))
        case "gold-misses":
            chosen = {at for at, one in enumerate(items) if any("gold-missed" in entry.flags for entry in one.entries)}
        case "share":
            chosen = _first(items, range(len(items)), _count(len(items), wanted.share), wanted.seed)
        case "stratified":
            chosen, strata = _stratified(items, wanted)
    return Sample(
        how=wanted.how,
        seed=wanted.seed,
        share=wanted.share,
        by=wanted.by,
        places=tuple((one.task, one.where) for at, one in enumerate(items) if at in chosen),
        of=len(items),
        strata=tuple(strata),
    )


def _count(places: int, share: float | None) -> int:
    """As many as the share says, rounded up: a share of a few places is at least one of them."""
    exact = Fraction(str(share or 0)) * places
    return min(places, -(-exact.numerator // exact.denominator))


def _stratified(items: Sequence[Item], wanted: Draw) -> tuple[set[int], list[Stratum]]:
    """By the largest remainder of each kind. A place of several raters' is drawn for one of them and counts there."""
    kinds = _kinds(items, wanted)
    sizes = [len(places) for _, places in kinds]
    chosen: set[int] = set()
    strata = []
    given = shares(sizes, _count(len(items), wanted.share)) if items else []
    for (name, places), count in zip(kinds, given, strict=True):
        drawn = _first(items, places, count, wanted.seed)
        chosen |= drawn
        strata.append(Stratum(name, len(places), len(drawn)))
    return chosen, strata


def _kinds(items: Sequence[Item], wanted: Draw) -> list[tuple[str, list[int]]]:
    """Each place in exactly one kind, so that shares add up. In whatever order the places are listed, the same."""
    kinds: dict[str, list[int]] = {}
    load: dict[str, int] = {}
    for at in sorted(range(len(items)), key=lambda at: (items[at].task, items[at].where)):
        name = _kind(items[at], wanted, load)
        load[name] = load.get(name, 0) + 1
        kinds.setdefault(name, []).append(at)
    if wanted.by == "disagreement":
        return sorted(kinds.items(), key=lambda kind: items[kind[1][0]].group.rank)
    return sorted(kinds.items())


def _kind(item: Item, wanted: Draw, load: dict[str, int]) -> str:
    match wanted.by:
        case "label":
            return _most_given(item, wanted.seed)
        case "rater":
            # The rater with the fewest places so far; of equal ones the seed chooses.
            given = [one for one in item.entries if one.label is not None]
            raters = [one.rater for one in given if not one.model] or [one.rater for one in given]
            turn = {name: _turn(wanted.seed, item.task, item.where, name) for name in raters}
            return min(raters, key=lambda name: (load.get(name, 0), turn[name]), default="")
    return item.group.words


def _most_given(item: Item, seed: int) -> str:
    labels = [one.label for one in item.entries if one.label is not None and not one.model]
    if not labels:
        return ""
    turn = {one: _turn(seed, item.task, item.where, str(one.value)) for one in labels}
    return str(max(labels, key=lambda one: (labels.count(one), turn[one])).value)


def _first(items: Sequence[Item], places: Iterable[int], count: int, seed: int) -> set[int]:
    by_turn = sorted(places, key=lambda at: _turn(seed, items[at].task, items[at].where))
    return set(by_turn[:count])


def _turn(seed: int, *names: str) -> bytes:
    return turns(seed, (canonical(list(names)).decode(),))[0]
