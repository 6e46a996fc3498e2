"""What some conditions can find together: a value for each name that they ask, in every way that matters to them.

A name's values count as one where all the tests that stand there find the same, so there are few. Facts count as
independent of each other; so a world that is listed may not come to be, but none is missing.
"""

from __future__ import annotations

import math
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any

from desktop_rater.rubric.domains import Domain, SomeOf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.rubric.compiled import Rubric
    from desktop_rater.rubric.condition import Condition, Test

World = dict[str, Any]

MOST_WORLDS = 4_000
_MOST_TOGETHER = 6  # choices of which every selection is tried


def worlds(rubric: Rubric, conditions: Iterable[Condition]) -> list[World] | None:
    """Each world in which a question has a value only where it is asked; `None` where there are too many to look at."""
    tests: dict[str, list[Test]] = {}
    waiting = list(conditions)
    asked: dict[str, Condition] = {}
    while waiting:
        condition = waiting.pop()
        if condition.some_claim is not None:  # that is another place, with worlds of its own
            return None
        waiting += condition.alternatives
        for test in condition.tests:
            tests.setdefault(test.name, []).append(test)
            if test.name in rubric.questions and test.name not in asked:
                asked[test.name] = rubric.questions[test.name].relevant
                waiting.append(asked[test.name])
    values = {name: _values(rubric.names[name].domain, of_name) for name, of_name in tests.items()}
    if math.prod(map(len, values.values())) > MOST_WORLDS:
        return None
    found = (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))
    return [world for world in found if all(world[name] is None or holds(asked[name], world) for name in asked)]


def tests_of(rubric: Rubric, name: str) -> list[Test]:
    """Every test of the rubric that asks for `name`."""
    conditions = [*(one.relevant for one in rubric.questions.values()), rubric.evidence, rubric.claims]
    conditions += [one.required for one in rubric.questions.values()]
    conditions += [one.when for scope in rubric.deciding.values() for one in scope]
    conditions += [part for scope in rubric.ruling.values() for one in scope for part in (one.when, one.require)]
    found = (test for condition in conditions if condition is not None for test in _tests(condition))
    return [test for test in found if test.name == name]


def _tests(condition: Condition) -> Iterator[Test]:
    yield from condition.tests
    for part in (*condition.alternatives, *([condition.some_claim] if condition.some_claim else [])):
        yield from _tests(part)


def holds(condition: Condition, world: World) -> bool:
    """Whether a condition is met in a world; it asks nothing of claims."""
    if not all(test.passes(world[test.name]) for test in condition.tests):
        return False
    return not condition.alternatives or any(holds(one, world) for one in condition.alternatives)


def _values(domain: Domain, tests: list[Test]) -> list[Any]:
    """One value for each way in which the tests can come out."""
    found: dict[tuple[bool, ...], Any] = {}
    missing = [] if domain.always else [None]
    for value in chain(missing, _candidates(domain, tests)):
        found.setdefault((value is None, *(test.passes(value) for test in tests)), value)
    return list(found.values())


def _candidates(domain: Domain, tests: list[Test]) -> Iterator[Any]:
    if not isinstance(domain, SomeOf):
        yield from domain.witnesses(tests)
        return
    named = {str(value) for test in tests for value in (*(test.like or ()), *test.unlike)}
    rest = [value for value in domain.values if str(value) not in named]
    several = [*(value for value in domain.values if str(value) in named), *rest[:1]][:_MOST_TOGETHER]
    for count in range(1, len(several) + 1):
        yield from map(list, combinations(several, count))
