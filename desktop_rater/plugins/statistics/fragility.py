"""Search of how few judgements, or raters, decide which of two systems is ahead.

A judgement is one rater's rating of one task. Judgements are removed greedily, each time the one, or several of one
task, that bring the systems closest together for their number: an upper bound of the fewest. Where there are few enough
sets, all smaller ones are tried, and the number is exact. The idea is that of the fragility index (Walsh and others
2014), and of dropping the most influential data (Broderick, Giordano, Meager 2020).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
from msgspec import Struct

from desktop_rater.stats.cluster_bootstrap import Floats

Judgement = tuple[str, str]
"""Task and rater."""

TaskSums = Callable[[Mapping[str, frozenset[str]]], Mapping[str, Floats]]
"""Raters left out by task → by task: part and whole of the system ahead, and of the other."""

FEW_RATINGS = 4  # of a task up to which any of its judgements are also removed together; of larger ones, all
MOST_SETS = 40_000  # of judgements that are tried one by one
MOST_STEPS = 60_000_000  # of the work of one search: sets × tasks of a set, or candidates × steps
_ALMOST, _ENOUGH = 1e-12, 1e9


class RemovalBound(Struct, frozen=True, kw_only=True):
    """Number of removals that put the other system ahead, among `of`; `None` if the search found none.

    `exact`: no smaller set does it; otherwise at most so many are needed. `named`: what is removed.
    """

    count: int | None
    of: int
    exact: bool = False
    named: tuple[str, ...] = ()


class Fragility(Struct, frozen=True, kw_only=True):
    """Removals that swap two systems in a figure, of which `ahead` leads; `why` there are none."""

    figure: str
    ahead: str
    behind: str
    judgements: RemovalBound | None = None
    raters: RemovalBound | None = None
    why: str = ""


class _Removal:
    """Sums of the two systems while judgements are left out. Each set of a task is computed once."""

    def __init__(self, sums_of: TaskSums, raters: Mapping[str, Iterable[str]]) -> None:
        self.raters = {task: tuple(sorted(names)) for task, names in raters.items()}
        self._sums_of = sums_of
        self._known: dict[tuple[str, frozenset[str]], Floats] = {}
        self.removed = dict.fromkeys(self.raters, frozenset[str]())
        self.load(self.removed.items())
        self.total = np.sum([self._known[item] for item in self.removed.items()], axis=0)

    def load(self, wanted: Iterable[tuple[str, frozenset[str]]]) -> None:
        """Compute the sums of tasks without sets of raters, as many tasks at once as there are."""
        left = list(dict.fromkeys(item for item in wanted if item not in self._known))
        while left:
            batch: dict[str, frozenset[str]] = {}
            later = []
            for task, out in left:
                if batch.setdefault(task, out) != out:
                    later.append((task, out))
            made = self._sums_of(batch)
            self._known |= {(task, out): np.array(made.get(task, (0,) * 4), float) for task, out in batch.items()}
            left = later

    def without(self, judgements: Iterable[Judgement]) -> dict[str, frozenset[str]]:
        """Return what is left out of the tasks of these judgements, if they are removed as well."""
        more: dict[str, set[str]] = {}
        for task, rater in judgements:
            more.setdefault(task, set()).add(rater)
        return {task: self.removed[task] | names for task, names in more.items()}

    def change(self, judgements: Iterable[Judgement]) -> Floats:
        """Return how the removal of judgements changes the sums."""
        out = self.without(judgements)
        self.load(out.items())
        return np.sum([self._known[item] - self._known[item[0], self.removed[item[0]]] for item in out.items()], axis=0)

    def remove(self, judgements: Sequence[Judgement]) -> None:
        self.total = self.total + self.change(judgements)
        self.removed |= self.without(judgements)


def _lead(sums: Floats) -> Floats:
    """Return how far the first system is ahead of the second; infinite if one of them has no value any more."""
    with np.errstate(divide="ignore", invalid="ignore"):
        lead = sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]
    return np.where((sums[..., 1] > _ALMOST) & (sums[..., 3] > _ALMOST), lead, np.inf)


def fewest_removals(sums_of: TaskSums, raters: Mapping[str, Iterable[str]], *, whole_raters: bool) -> RemovalBound:
    """Return how few judgements, or raters with all of theirs, put the other system ahead.

    `raters`: task → the raters whose ratings of it count, for all tasks that have a part in the figure, or may get one.
    """
    state = _Removal(sums_of, raters)
    units: dict[str, tuple[Judgement, ...]] = {}
    for task, names in state.raters.items():
        for rater in names:
            name = rater if whole_raters else f"{task} {rater}"
            units[name] = (*units.get(name, ()), (task, rater))
    candidates: list[tuple[str, ...]] = [(name,) for name in units]
    if not whole_raters:
        for task, names in state.raters.items():
            sizes = range(2, len(names) + 1) if len(names) <= FEW_RATINGS else (len(names),)
            several = (out for size in sizes for out in combinations(names, size))
            candidates += [tuple(f"{task} {name}" for name in out) for out in several]
    enough = _greedy(state, units, candidates)
    if enough is None:
        return RemovalBound(count=None, of=len(units))
    smaller, tried_all = _smallest(_Removal(sums_of, raters), units, len(enough))
    named = smaller or enough
    return RemovalBound(count=len(named), of=len(units), exact=tried_all, named=tuple(named))


def _greedy(
    state: _Removal, units: Mapping[str, tuple[Judgement, ...]], candidates: Sequence[tuple[str, ...]]
) -> list[str] | None:
    """Remove what brings the systems closest together for its number, until the other one is ahead."""
    parts = [tuple(judgement for name in names for judgement in units[name]) for names in candidates]
    state.load(item for part in parts for item in state.without(part).items())
    changes = np.array([state.change(part) for part in parts])
    by_task: dict[str, list[int]] = {}
    for index, part in enumerate(parts):
        for task in {task for task, _ in part}:
            by_task.setdefault(task, []).append(index)
    costs, removed = np.array([len(names) for names in candidates], float), list[str]()
    while len(candidates) * len(removed) < MOST_STEPS:
        lead = _lead(state.total)
        after = _lead(state.total + changes)
        if lead < -_ALMOST:
            return removed
        if not np.isfinite(lead):  # one of the systems has no value
            return None
        left, gains = np.isfinite(costs), np.full(len(costs), -np.inf)
        gains[left] = np.where(after[left] < -_ALMOST, _ENOUGH, lead - after[left]) / costs[left]
        best = int(gains.argmax())
        if gains[best] <= _ALMOST:
            return None
        state.remove(parts[best])
        removed += candidates[best]
        touched = {index for task, _ in parts[best] for index in by_task[task]}
        gone = [index for index in touched if not set(removed).isdisjoint(candidates[index])]
        costs[gone] = np.inf
        changed = touched.difference(gone)
        state.load(item for index in changed for item in state.without(parts[index]).items())
        for index in changed:
            changes[index] = state.change(parts[index])
    return None


def _smallest(state: _Removal, units: Mapping[str, tuple[Judgement, ...]], below: int) -> tuple[tuple[str, ...], bool]:
    """Try all sets of fewer than `below` units; return the first that is enough, and whether all were tried."""
    size, width = 0, sum(map(len, units.values())) / len(units)
    sets = 0
    for size in range(1, below):
        sets += comb(len(units), size)
        if sets > MOST_SETS or sets * size * width > MOST_STEPS / 100:
            return (), False
        for names in combinations(units, size):
            if _lead(state.total + state.change(judgement for name in names for judgement in units[name])) < -_ALMOST:
                return names, True
    return (), True
