"""Whether a condition can ever hold: one that can't is a slip of the pen, and a rule that never breaks."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from desktop_rater.rubric.condition import Condition, Test
    from desktop_rater.rubric.domains import Domain

Branch = tuple["Test", ...]

# Conditions are short; beyond this many ways to meet one it counts as possible.
_MOST_WAYS = 2_000


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


def clash(branch: Branch, domains: Mapping[str, Domain]) -> str | None:
    """The first name of which a branch asks what no value can be, or `None`."""
    tests: dict[str, list[Test]] = {}
    for test in branch:
        tests.setdefault(test.name, []).append(test)
    return next((name for name in tests if not _possible(domains[name], tests[name])), None)


def clash_with_relevant(
    branch: Branch, domains: Mapping[str, Domain], relevant: Callable[[str], Condition | None]
) -> str | None:
    """The same, with all that must hold for the questions of the branch to be asked; `None` if one way is open."""
    ways = list(islice(_with_relevant(branch, relevant, frozenset()), _MOST_WAYS))
    clashes = [clash(way, domains) for way in ways]
    return None if None in clashes or len(ways) == _MOST_WAYS else clashes[0]


def _with_relevant(
    branch: Branch, relevant: Callable[[str], Condition | None], done: frozenset[str]
) -> Iterator[Branch]:
    name = next((test.name for test in branch if test.wants_value and test.name not in done), None)
    if name is None:
        yield branch
        return
    condition = relevant(name)
    for way in branches(condition) if condition is not None else [()]:
        yield from _with_relevant((*branch, *way), relevant, done | {name})


def _possible(domain: Domain, tests: list[Test]) -> bool:
    if any(not test.wants_value for test in tests):
        return not domain.always and all(test.passes(None) for test in tests)
    return any(all(test.passes(value) for test in tests) for value in domain.witnesses(tests))
