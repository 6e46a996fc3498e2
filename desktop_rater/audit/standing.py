"""Which ratings count, of all that were received. Neither a clock nor the order in which results came has a say."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.audit.filed import Filed, Fork, Received
from desktop_rater.audit.following import Following

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
    groups: dict[tuple[str, str], list[Filed]] = defaultdict(list)
    for one in ratings:
        groups[one.task, one.rater].append(one)
    heads, copies = _Heads(zips), _Copies(zips, ratings)
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
        last = max((one.revision, one.sha256) for one in fresh)
        counting[task, rater] = copies.chosen([one for one in fresh if (one.revision, one.sha256) == last])
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
    """Task → the text that counts: that of the bundle's highest revision, and of two there the bundle's own.

    Where the bundle itself is not known it is the one of more raters: nobody alone can make all the others stale.
    """
    held: dict[str, list[Filed]] = defaultdict(list)
    for one in ratings:
        held[one.task].append(one)
    found = {task: text for task, (_, text) in known.items()}
    for task, group in held.items():
        rated = [one for one in group if one.results not in other_rubric] or group
        highest = max(_of(zips, one) for one in rated)
        if task in known and (known[task][0] >= highest or rated is group):
            continue
        votes = Counter(text for text, _ in {(one.text, one.rater) for one in rated if _of(zips, one) == highest})
        found[task] = max(votes, key=lambda text: (votes[text], text))
    return found


def _of(zips: Mapping[str, Received], one: Filed) -> int:
    return zips[one.results].revision


class _Copies:
    """Which of several zips that say the very same of a task it is taken from.

    Their own hashes decide only between zips that hold the same: a signature changes a hash, and no figure may follow.
    """

    def __init__(self, zips: Mapping[str, Received], ratings: Iterable[Filed]) -> None:
        self._zips = zips
        self._ratings = ratings  # by task

    def chosen(self, same: list[Filed]) -> Filed:
        return same[0] if len(same) == 1 else max(same, key=self._weight)

    def _weight(self, one: Filed) -> tuple[int, bool, bool, str, str]:
        of = self._zips[one.results]
        return of.revision, not of.rework, not of.partial, self._contents[one.results], one.results

    @cached_property
    def _contents(self) -> dict[str, str]:
        """SHA-256 of results → that of what they say of their tasks. Rarely asked for."""
        found: dict[str, Any] = defaultdict(sha256)
        for one in self._ratings:
            found[one.results].update(f"{one.task}\n{one.sha256} {one.revision}\n".encode())
        return {results: said.hexdigest() for results, said in found.items()}


class _Heads:
    """Which of one rater's ratings of one task others have taken the place of."""

    def __init__(self, zips: Mapping[str, Received]) -> None:
        self._following = Following(zips.values())
        self._whole: dict[str, set[str]] = defaultdict(set)  # a rater's results that are no rework
        for name, one in zips.items():
            if not one.rework:
                self._whole[one.rater].add(name)
        self._under_whole = {rater: self._following.before(names) for rater, names in self._whole.items()}

    def superseded(self, rater: str, group: list[Filed]) -> set[str]:
        """The results whose rating of the task does not stand any more."""
        whole = self._whole[rater]
        if len(group) == 1 and len(whole) < 2:
            return set()
        holding = {one.results: one.sha256 for one in group}
        reworks = holding.keys() - whole
        gone = holding.keys() & (self._under_whole.get(rater, set()) | self._following.before(reworks))
        # The same rating came by another way, and what it said then was changed or taken back since.
        emptied = (self._following.after(holding) & whole) - holding.keys()
        left = holding.keys() - gone
        gone |= self._replaced(left, holding, emptied)
        left = holding.keys() - gone
        changed = self._replaced(left, holding, left)
        return gone | changed if changed < left else gone

    def _replaced(self, names: Collection[str], holding: Mapping[str, str], takers: Collection[str]) -> set[str]:
        """Those whose rating something else that follows the same one took the place of; not what they follow."""
        said_by: dict[str, list[str]] = defaultdict(list)
        for name, said in holding.items():
            said_by[said].append(name)
        found: set[str] = set()
        later: dict[str, set[str]] = {}
        for name in names:
            said = holding[name]
            if said not in later:
                after = self._following.after(said_by[said])
                later[said] = {taker for taker in after.intersection(takers) if holding.get(taker) != said}
            if later[said] and later[said] - {name} - self._following.before((name,)):
                found.add(name)
        return found
