"""Satisfiability of conditions, and the value assignments that a set of conditions can tell apart."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations, islice, product
from typing import Any

from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import ChoicesDomain, Condition, ConditionTest, Domain

ValueAssignment = dict[str, Any]

MAX_ASSIGNMENTS = 4_000
_MOST_TOGETHER = 6  # choices whose every subset is tried


def value_assignments(rubric: Rubric, conditions: Iterable[Condition]) -> list[ValueAssignment] | None:
    """Return each assignment in which only questions that are asked have a value; `None` if there are too many."""
    tests: dict[str, list[ConditionTest]] = {}
    pending = list(conditions)
    relevant: dict[str, Condition] = {}
    while pending:
        condition = pending.pop()
        if condition.some_claim is not None:  # a claim has assignments of its own
            return None
        pending += condition.alternatives
        for test in condition.tests:
            tests.setdefault(test.name, []).append(test)
            if test.name in rubric.questions and test.name not in relevant:
                relevant[test.name] = rubric.questions[test.name].relevant
                pending.append(relevant[test.name])
    values = {name: _values(rubric.names[name].domain, of_name) for name, of_name in tests.items()}
    if math.prod(map(len, values.values())) > MAX_ASSIGNMENTS:
        return None
    candidates = (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))
    return [
        assignment
        for assignment in candidates
        if all(assignment[name] is None or holds_for(relevant[name], assignment) for name in relevant)
    ]


def tests_of(rubric: Rubric, name: str) -> list[ConditionTest]:
    """Return every test of the rubric on `name`."""
    conditions = [*(asking.relevant for asking in rubric.questions.values()), rubric.evidence, rubric.claims]
    conditions += [asking.required for asking in rubric.questions.values()]
    conditions += [row.when for scope in rubric.decisions_by_scope.values() for row in scope]
    conditions += [
        part for scope in rubric.rules_by_scope.values() for rule in scope for part in (rule.when, rule.require)
    ]
    tests = (test for condition in conditions if condition is not None for test in _tests(condition))
    return [test for test in tests if test.name == name]


def _tests(condition: Condition) -> Iterator[ConditionTest]:
    yield from condition.tests
    for part in (*condition.alternatives, *([condition.some_claim] if condition.some_claim else [])):
        yield from _tests(part)


def holds_for(condition: Condition, assignment: ValueAssignment) -> bool:
    """Return whether a condition holds for an assignment; it must not test claims."""
    if not all(test.passes(assignment[test.name]) for test in condition.tests):
        return False
    return not condition.alternatives or any(holds_for(part, assignment) for part in condition.alternatives)


def _values(domain: Domain, tests: list[ConditionTest]) -> list[Any]:
    """Return one value for each combination of test results."""
    values: dict[tuple[bool, ...], Any] = {}
    missing = [] if domain.always else [None]
    for value in chain(missing, _candidates(domain, tests)):
        values.setdefault((value is None, *(test.passes(value) for test in tests)), value)
    return list(values.values())


def _candidates(domain: Domain, tests: list[ConditionTest]) -> Iterator[Any]:
    if not isinstance(domain, ChoicesDomain):
        yield from domain.witnesses(tests)
        return
    named = {str(value) for test in tests for value in (*(test.like or ()), *test.unlike)}
    rest = [value for value in domain.values if str(value) not in named]
    selectable = [*(value for value in domain.values if str(value) in named), *rest[:1]][:_MOST_TOGETHER]
    for count in range(1, len(selectable) + 1):
        yield from map(list, combinations(selectable, count))


Branch = tuple["ConditionTest", ...]

# Conditions are short; one with more ways than this to meet it counts as possible.
_MOST_WAYS = 2_000
_MOST_TESTS = 500_000  # for a whole rubric, a few seconds: the built-in ones need a hundredth
_VALUES_PER_TEST = 4  # values tried at the cost of one test


class CheckBudget:
    """Budget of tests to evaluate. A count instead of a clock: a rubric is judged alike on every computer."""

    def __init__(self, most: int = _MOST_TESTS) -> None:
        self._left = most

    @property
    def spent(self) -> bool:
        """Return whether the budget is used up: everything then counts as possible."""
        return self._left <= 0

    def spend(self, tests: int) -> None:
        """Take a number of tests from the budget."""
        self._left -= tests


def condition_branches(condition: Condition) -> Iterator[Branch]:
    """Yield the ways to meet a condition, each a list of tests that must all hold."""
    parts = [[condition.tests]]
    if condition.alternatives:
        ways = (way for part in condition.alternatives for way in condition_branches(part))
        parts.append(list(islice(ways, _MOST_WAYS)))
    if condition.some_claim is not None:
        parts.append(list(islice(condition_branches(condition.some_claim), _MOST_WAYS)))
    for combination in islice(product(*parts), _MOST_WAYS):
        yield tuple(test for way in combination for test in way)


def find_contradiction(branch: Branch, domains: Mapping[str, Domain], effort: CheckBudget) -> str | None:
    """Return the first name whose tests in a branch no value can pass, or `None`."""
    tests: dict[str, list[ConditionTest]] = {}
    for test in branch:
        tests.setdefault(test.name, []).append(test)
    return next((name for name in tests if not _possible(domains[name], tests[name], effort)), None)


def find_contradiction_when_asked(
    branch: Branch, domains: Mapping[str, Domain], relevant: Callable[[str], Condition | None], effort: CheckBudget
) -> str | None:
    """Return the same, including what must hold for the branch's questions to be asked; `None` if possible."""
    first: str | None = None
    for count, way in enumerate(_with_relevant(branch, relevant, effort), 1):
        name = find_contradiction(way, domains, effort)
        if name is None or count == _MOST_WAYS:
            return None
        first = first or name
    return None if effort.spent else first


def _with_relevant(
    branch: Branch, relevant: Callable[[str], Condition | None], effort: CheckBudget
) -> Iterator[Branch]:
    """Yield each way to have the branch's questions asked; alternatives wait in `forks`."""
    forks: list[tuple[Branch, int, frozenset[str], Iterator[Branch]]] = [((), 0, frozenset(), iter([branch]))]
    while forks and not effort.spent:
        before, index, visited, ways = forks[-1]
        way = next(ways, None)
        if way is None:
            forks.pop()
            continue
        tests, seen = [*before, *way], set(visited)
        effort.spend(len(tests))
        while index < len(tests) and not effort.spent:
            test = tests[index]
            index += 1
            condition = relevant(test.name) if test.wants_value and test.name not in seen else None
            if condition is None:
                continue
            seen.add(test.name)
            effort.spend(1)
            ways = condition_branches(condition)
            first, second = next(ways, ()), next(ways, None)
            if second is not None:
                forks.append((tuple(tests), index, frozenset(seen), chain([second], ways)))
            tests += first
        yield tuple(tests)


def _possible(domain: Domain, tests: list[ConditionTest], effort: CheckBudget) -> bool:
    effort.spend(len(tests))
    if any(not test.wants_value for test in tests):
        return not domain.always and all(test.passes(None) for test in tests)
    witnesses = domain.witnesses(tests)
    effort.spend(len(witnesses) // _VALUES_PER_TEST)
    return any(all(test.passes(value) for test in tests) for value in witnesses)
