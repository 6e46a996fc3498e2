"""Whether a condition can ever hold: one that can't is a slip of the pen, and a rule that never breaks."""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from desktop_rater.rubric.condition import Condition, Test
    from desktop_rater.rubric.domains import Domain

Branch = tuple["Test", ...]

# Conditions are short; beyond this many ways to meet one it counts as possible.
_MOST_WAYS = 2_000
_MOST_TESTS = 500_000  # of a whole rubric, a few seconds: the built-in ones need a hundredth
_VALUES_PER_TEST = 4  # so many are tried while one test is looked at


class Effort:
    """How many tests may still be looked at. A count, no clock: a rubric is judged alike on every computer."""

    def __init__(self, most: int = _MOST_TESTS) -> None:
        self._left = most

    @property
    def spent(self) -> bool:
        """Whether nothing is left: then whatever is asked counts as possible."""
        return self._left <= 0

    def spend(self, tests: int) -> None:
        """So many tests are looked at."""
        self._left -= tests


def branches(condition: Condition) -> Iterator[Branch]:
    """The ways to meet a condition, each a list of tests that must all hold."""
    parts = [[condition.tests]]
    if condition.alternatives:
        ways = (way for part in condition.alternatives for way in branches(part))
        parts.append(list(islice(ways, _MOST_WAYS)))
    if condition.some_claim is not None:
        parts.append(list(islice(branches(condition.some_claim), _MOST_WAYS)))
    for combination in islice(product(*parts), _MOST_WAYS):
        yield tuple(test for way in combination for test in way)


def clash(branch: Branch, domains: Mapping[str, Domain], effort: Effort) -> str | None:
    """The first name of which a branch asks what no value can be, or `None`."""
    tests: dict[str, list[Test]] = {}
    for test in branch:
        tests.setdefault(test.name, []).append(test)
    return next((name for name in tests if not _possible(domains[name], tests[name], effort)), None)


def clash_with_relevant(
    branch: Branch, domains: Mapping[str, Domain], relevant: Callable[[str], Condition | None], effort: Effort
) -> str | None:
    """The same, with all that must hold for the questions of the branch to be asked; `None` if one way is open."""
    first: str | None = None
    for count, way in enumerate(_with_relevant(branch, relevant, effort), 1):
        name = clash(way, domains, effort)
        if name is None or count == _MOST_WAYS:
            return None
        first = first or name
    return None if effort.spent else first


def _with_relevant(branch: Branch, relevant: Callable[[str], Condition | None], effort: Effort) -> Iterator[Branch]:
    """Each way to have its questions asked. Where there are several, the others wait in `forks`."""
    forks: list[tuple[Branch, int, frozenset[str], Iterator[Branch]]] = [((), 0, frozenset(), iter([branch]))]
    while forks and not effort.spent:
        before, at, known, ways = forks[-1]
        way = next(ways, None)
        if way is None:
            forks.pop()
            continue
        tests, done = [*before, *way], set(known)
        effort.spend(len(tests))
        while at < len(tests) and not effort.spent:
            test = tests[at]
            at += 1
            condition = relevant(test.name) if test.wants_value and test.name not in done else None
            if condition is None:
                continue
            done.add(test.name)
            effort.spend(1)
            ways = branches(condition)
            first, second = next(ways, ()), next(ways, None)
            if second is not None:
                forks.append((tuple(tests), at, frozenset(done), chain([second], ways)))
            tests += first
        yield tuple(tests)


def _possible(domain: Domain, tests: list[Test], effort: Effort) -> bool:
    effort.spend(len(tests))
    if any(not test.wants_value for test in tests):
        return not domain.always and all(test.passes(None) for test in tests)
    witnesses = domain.witnesses(tests)
    effort.spend(len(witnesses) // _VALUES_PER_TEST)
    return any(all(test.passes(value) for test in tests) for value in witnesses)
