"""Which ratings count, of all that were received. Neither a clock nor the order in which results came has a say."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit.filed import Filed, Fork, Received

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Standing(Struct, frozen=True, kw_only=True):
    """`counting`: (task, rater) → the rating that counts. `earlier`: those that another one took the place of.

    `stale`: those of another text or rubric than the one that counts. `missing`: the SHA-256 of results → that of the
    ones that they name as their predecessors and that were not received. `texts`: task → the text that counts.
    """

    counting: dict[tuple[str, str], Filed]
    earlier: tuple[Filed, ...] = ()
    stale: tuple[Filed, ...] = ()
    forks: tuple[Fork, ...] = ()
    missing: dict[str, str] = {}
    texts: dict[str, str] = {}


def standing(
    received: Iterable[Received],
    filed: Iterable[Filed],
    *,
    other_rubric: Collection[str] = (),
    texts: Mapping[str, tuple[int, str]] | None = None,
) -> Standing:
    """What counts of one bundle's results. `other_rubric`: the results that were rated by another one.

    `texts`: what a copy of the bundle itself says, task → (its revision, text).
    """
    zips = {one.sha256: one for one in received}
    ratings = sorted(filed, key=lambda one: (one.task, one.rater, one.results))
    current = _texts(zips, ratings, other_rubric, texts or {})
    chains = _chains(zips)
    groups: dict[tuple[str, str], list[Filed]] = defaultdict(list)
    for one in ratings:
        groups[one.task, one.rater].append(one)
    heads = _Heads(zips, chains)
    counting: dict[tuple[str, str], Filed] = {}
    earlier: list[Filed] = []
    stale: list[Filed] = []
    forked: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (task, rater), group in groups.items():
        gone = heads.superseded(rater, group)
        earlier += (one for one in group if one.results in gone)
        left = [one for one in group if one.results not in gone]
        fresh = [one for one in left if one.text == current[task] and one.results not in other_rubric]
        stale += {one.sha256: one for one in left if one not in fresh}.values()
        if not fresh:
            continue
        counting[task, rater] = max(fresh, key=lambda one: (one.revision, one.sha256, one.results))
        if len({one.sha256 for one in fresh}) > 1:
            forked[rater, tuple(sorted(one.results for one in fresh))].append(task)
    return Standing(
        counting=counting,
        earlier=tuple(earlier),
        stale=tuple(stale),
        forks=tuple(
            Fork(rater=who, results=which, tasks=tuple(tasks)) for (who, which), tasks in sorted(forked.items())
        ),
        missing={
            one.sha256: one.supersedes
            for one in sorted(zips.values(), key=lambda one: one.sha256)
            if one.supersedes and one.supersedes not in zips
        },
        texts=current,
    )


def _texts(
    zips: Mapping[str, Received],
    ratings: list[Filed],
    other_rubric: Collection[str],
    known: Mapping[str, tuple[int, str]],
) -> dict[str, str]:
    """Task → the text that counts: that of the bundle's highest revision, of two the greater."""
    best = dict(known)
    for one in ratings:
        if one.results not in other_rubric or one.task not in best:
            found = zips[one.results].revision, one.text
            best[one.task] = max(best.get(one.task, found), found)
    return {task: text for task, (_, text) in best.items()}


def _chains(zips: Mapping[str, Received]) -> dict[str, frozenset[str]]:
    """SHA-256 of results → those of the same rater that they follow, all the way back as far as they are here."""
    chains: dict[str, frozenset[str]] = {}
    for one in zips.values():
        before: set[str] = set()
        steps = [one.supersedes, one.sent_back_from]
        while steps:
            known = zips.get(steps.pop() or "")
            if known is not None and known.sha256 not in before and known.rater == one.rater:
                before.add(known.sha256)
                steps += [known.supersedes, known.sent_back_from]
        chains[one.sha256] = frozenset(before)
    return chains


class _Heads:
    """Which of one rater's ratings of one task others have taken the place of."""

    def __init__(self, zips: Mapping[str, Received], chains: Mapping[str, frozenset[str]]) -> None:
        self._chains = chains
        self._whole: dict[str, list[str]] = defaultdict(list)  # a rater's results that are no rework
        for name, one in zips.items():
            if not one.rework:
                self._whole[one.rater].append(name)

    def superseded(self, rater: str, group: list[Filed]) -> set[str]:
        """The results whose rating of the task does not stand any more."""
        if len(group) == 1 and len(self._whole[rater]) < 2:
            return set()
        holding = {one.results: one.sha256 for one in group}
        takers = {*holding, *self._whole[rater]}
        gone = {name for name in holding if any(name in self._chains[taker] for taker in takers)}
        # The same rating came by another way, and what it said then was changed or taken back since.
        emptied = {name for name in takers - holding.keys() if self._chains[name] & holding.keys()}
        gone |= {name for name in holding.keys() - gone if self._was_replaced(name, holding, emptied)}
        changed = {name for name in holding.keys() - gone if self._was_replaced(name, holding, holding.keys() - gone)}
        return gone | changed if changed < holding.keys() - gone else gone

    def _was_replaced(self, name: str, holding: Mapping[str, str], takers: Collection[str]) -> bool:
        said = holding[name]
        for taker in takers:
            if taker == name or taker in self._chains[name] or holding.get(taker) == said:
                continue
            if any(holding.get(before) == said for before in self._chains[taker]):
                return True
        return False
