"""Validation of a rubric's tables. Checks raise `RubricFault` with the table that is wrong, or find conflicts."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations, islice, product
from typing import Any

from desktop_rater.format.rubric import SCOPES, Question, RubricFile, Scope
from desktop_rater.format.values import MAX_ROWS
from desktop_rater.rubric.compiled import ConditionName, Rubric
from desktop_rater.rubric.condition import (
    ChoicesDomain,
    Condition,
    ConditionTest,
    Domain,
    InwardLook,
    ListDomain,
    NumberDomain,
    ScaleDomain,
)

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
        if condition.looks:  # an object further in has assignments of its own
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


def fact_assignments(conditions: Iterable[Condition], domains: Mapping[str, Domain]) -> list[ValueAssignment]:
    """Return a value of each fact that always has one, for each combination of test results; `[{}]` if too many."""
    tests: dict[str, list[ConditionTest]] = {}
    for test in (test for condition in conditions for test in condition.all_tests()):
        if test.name in domains and domains[test.name].always:
            tests.setdefault(test.name, []).append(test)
    values = {name: _values(domains[name], of_name) for name, of_name in tests.items()}
    if math.prod(map(len, values.values())) > MAX_ASSIGNMENTS:
        return [{}]
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def tests_of(rubric: Rubric, name: str) -> list[ConditionTest]:
    """Return every test of the rubric on `name`."""
    conditions = [rubric.evidence, rubric.claims, rubric.several]
    conditions += [condition for asking in rubric.questions.values() for condition in asking.conditions]
    conditions += [row.when for scope in rubric.decisions_by_scope.values() for row in scope]
    conditions += [
        part for scope in rubric.rules_by_scope.values() for rule in scope for part in (rule.when, rule.require)
    ]
    tests = (test for condition in conditions if condition is not None for test in condition.all_tests())
    return [test for test in tests if test.name == name]


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
    # Several targets or responses can meet what no single one can; only a claim may be the target itself.
    claims = (look.condition for look in condition.looks if look.scope == "claim")
    parts += [list(islice(condition_branches(part), _MOST_WAYS)) for part in claims]
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


def ways_to_ask(rubric: Rubric, question: str) -> Iterator[ValueAssignment]:
    """Yield the values of names with which a question is asked, one assignment for each way.

    A target without claims is its own claim, also for `some_claim`.
    """
    relevant = {name: compiled.relevant for name, compiled in rubric.questions.items()}
    for branch in condition_branches(relevant[question]):
        for way in _with_relevant(branch, relevant.get, CheckBudget()):
            tests: dict[str, list[ConditionTest]] = {}
            for test in way:
                tests.setdefault(test.name, []).append(test)
            fitting = {
                name: [value for value in _values(rubric.names[name].domain, of_name) if _pass(of_name, value)]
                for name, of_name in tests.items()
            }
            if all(fitting.values()):
                yield {name: values[0] for name, values in fitting.items()}


def _pass(tests: Iterable[ConditionTest], value: Any) -> bool:
    return all(test.passes(value) for test in tests)


def _possible(domain: Domain, tests: list[ConditionTest], effort: CheckBudget) -> bool:
    effort.spend(len(tests))
    if any(not test.wants_value for test in tests):
        return not domain.always and _pass(tests, None)
    witnesses = domain.witnesses(tests)
    effort.spend(len(witnesses) // _VALUES_PER_TEST)
    return any(_pass(tests, value) for value in witnesses)


# The letters that the window uses itself: see docs/design.md.
RESERVED_KEYS = frozenset("bcegjklmoqrstvwxz")
FREE_KEYS = frozenset("adfhinpuy0123456789")
_MOST_STEPS = 100  # the window draws a button for each


class RubricFault(ValueError):
    """A fault in a rubric; `table` and `index` locate the table of the file."""

    def __init__(self, table: str, index: int, reason: str) -> None:
        super().__init__(reason)
        self.table = table
        self.index = index


def check_question(question: Question, index: int) -> None:
    """Check choices, steps, anchors, levels and keys of one question."""
    try:
        if question.kind in {"choice", "choices"} or (question.kind == "list" and question.choices):
            _check_choices(question)
        elif question.choices:
            raise ValueError(f"`choices` with `kind = {question.kind!r}`")
        if question.kind == "scale":
            _check_scale(question)
        elif question.anchors or question.levels or question.step is not None:
            raise ValueError("only a scale has `step`, `anchors` and `levels`")
        elif question.kind not in {"number", "list"} and (question.min, question.max) != (None, None):
            raise ValueError("only a scale, a number and a list have `min` and `max`")
        elif question.min is not None and question.max is not None and question.min > question.max:
            raise ValueError(f"no number lies between {question.min} and {question.max}")
        if question.kind == "list":
            _check_list(question)
        elif question.documents:
            raise ValueError("only a list has `documents`")
    except ValueError as error:
        raise RubricFault("questions", index, str(error)) from None


def _check_list(question: Question) -> None:
    if any(bound is not None and bound not in range(1, MAX_ROWS + 1) for bound in (question.min, question.max)):
        raise ValueError(f"`min` and `max` of a list are numbers of rows from 1 to {MAX_ROWS}")
    if any(choice.relevant for choice in question.choices):
        raise ValueError("the choices of a list are offered in each row: they have no `relevant`")
    unknown = {*question.documents} - {choice.id for choice in question.choices}
    if unknown:
        raise ValueError(f"`documents`: no choice is called {min(unknown)!r}")
    digits = [choice.key for choice in question.choices if choice.key.isdigit()]
    if question.documents and digits:
        raise ValueError(f"the key {digits[0]!r} chooses a document; give the choice a letter")


def _check_choices(question: Question) -> None:
    if not question.choices:
        raise ValueError("no choices")
    _check_distinct("choice", [choice.id for choice in question.choices])
    _check_distinct("key", [choice.key.lower() for choice in question.choices if choice.key])
    for choice in question.choices:
        if not choice.label.strip():
            raise ValueError(f"choice {choice.id!r} has no label")
        key = choice.key.lower()
        if key in RESERVED_KEYS:
            raise ValueError(f"choice {choice.id!r}: the key {choice.key!r} is reserved by the window")
        if key and key not in FREE_KEYS:
            raise ValueError(
                f"choice {choice.id!r}: {choice.key!r} is not an allowed key; use A D F H I N P U Y or 0 to 9"
            )


def _check_scale(question: Question) -> None:
    low, high, step = question.min, question.max, 1 if question.step is None else question.step
    if low is None or high is None:
        raise ValueError("a scale needs `min` and `max`")
    if not low < high or step <= 0 or (high - low) / step > _MOST_STEPS:
        raise ValueError(f"the scale from {low} to {high} with steps of {step} is not valid")
    steps = ScaleDomain(low=low, high=high, step=step)
    if not steps.offers(high):
        raise ValueError(f"steps of {step} from {low} miss {high}")
    _check_distinct("anchor", [str(anchor.at) for anchor in question.anchors])
    _check_distinct("level", [level.id for level in question.levels])
    for value in (*(anchor.at for anchor in question.anchors), *(level.to for level in question.levels)):
        if not steps.offers(value):
            raise ValueError(f"{value} is not a step of the scale")
    ends = [level.to for level in question.levels]
    if ends and (ends != sorted(set(ends)) or ends[-1] != high):
        raise ValueError("the levels must rise and the last must end at `max`")


def _check_distinct(kind: str, names: list[str]) -> None:
    duplicates = sorted(name for name, count in Counter(names).items() if count > 1)
    if duplicates:
        raise ValueError(f"the {kind} {duplicates[0]!r} is used twice")


def check_condition(condition: Condition, scope: Scope, rubric: RubricFile, names: Mapping[str, ConditionName]) -> None:
    """Check that names are visible from `scope`, values are offered and ranges are not empty. Raises `ValueError`."""
    for test in condition.tests:
        _check_name(test.name, scope, rubric, names)
        _check_test(test, names[test.name].domain)
    for part in condition.alternatives:
        check_condition(part, scope, rubric, names)
    for look in condition.looks:
        _check_look(look, scope, rubric)
        check_condition(look.condition, look.scope, rubric, names)


def _check_look(look: InwardLook, scope: Scope, rubric: RubricFile) -> None:
    if look.scope == "claim":
        if "target" not in _chain(scope, rubric):
            raise ValueError(f"`some_claim` needs a target, and nothing per {scope} has one")
    elif SCOPES.index(scope) >= SCOPES.index(look.scope):
        outer = " or a ".join(SCOPES[: SCOPES.index(look.scope)])
        raise ValueError(f"`{look.key}` looks inwards from a {outer}, and this is per {scope}")


def check_satisfiable(
    condition: Condition,
    names: Mapping[str, ConditionName],
    relevant: Mapping[str, Condition],
    effort: CheckBudget,
    also: str = "",
) -> None:
    """Raise `ValueError` unless each way to meet the condition is possible, also while its questions are asked."""
    domains = {name: item.domain for name, item in names.items()}
    for branch in condition_branches(condition):
        if effort.spent:
            return
        name = find_contradiction(branch, domains, effort)
        if name is not None:
            raise ValueError(f"{also}`{name}` is tested for an impossible value, or for two values at once")
        name = find_contradiction_when_asked(branch, domains, relevant.get, effort)
        if name is not None:
            raise ValueError(f"{also}can never hold: when its questions are asked, `{name}` can't be what it wants")
    for look in (look for part in condition.all_parts() for look in part.looks if look.scope != "claim"):
        check_satisfiable(look.condition, names, relevant, effort, also)


def find_key_clashes(
    questions: Iterable[tuple[int, Question]],
    names: Mapping[str, ConditionName],
    relevant: Mapping[str, Condition],
    effort: CheckBudget,
) -> Iterator[RubricFault]:
    """Yield each key used by choices of two questions that can be asked together."""
    domains = {name: item.domain for name, item in names.items()}
    owners: dict[str, list[tuple[int, Question]]] = {}
    for index, question in questions:
        for choice in question.choices:
            if choice.key and question.kind != "list":  # whose rows take the keys only while they have the focus
                owners.setdefault(choice.key.lower(), []).append((index, question))
    for key, owning in owners.items():
        reported: set[int] = set()
        for (_, first), (index, second) in combinations(owning, 2):
            if index in reported:
                continue
            both = (
                (*a, *b)
                for a in condition_branches(relevant[first.id])
                for b in condition_branches(relevant[second.id])
            )
            together = any(
                find_contradiction_when_asked(branch, domains, relevant.get, effort) is None for branch in both
            )
            if effort.spent:  # unchecked keys are not a fault
                return
            if together:
                reason = f"the key {key!r} is also used by {first.id!r}, and both can be asked at the same time"
                reported.add(index)
                yield RubricFault("questions", index, reason)


def _check_name(name: str, scope: Scope, rubric: RubricFile, names: Mapping[str, ConditionName]) -> None:
    if name not in names:
        raise ValueError(f"unknown name `{name}`")
    if names[name].scope not in _chain(scope, rubric):
        raise ValueError(f"unknown name `{name}` here: it belongs to each {names[name].scope}, this to each {scope}")


def _chain(scope: Scope, rubric: RubricFile) -> list[Scope]:
    """Return the scopes that a condition can see: its own, then outwards."""
    chain = list(SCOPES[: SCOPES.index(scope) + 1])
    if scope == "evidence" and rubric.evidence is not None and rubric.evidence.per == "response":
        return [outer for outer in chain if outer not in {"target", "claim"}]
    return chain


def _check_test(test: ConditionTest, domain: Domain) -> None:
    for value in (*(test.like or ()), *test.unlike):
        if not _can_be(domain, value):
            raise ValueError(f"`{test.name}` does not offer {_shortened(value)}")
    if test.share is not None:
        if not isinstance(domain, ListDomain) or test.share not in domain.values:
            raise ValueError(f"`{test.name}` is no list that offers {_shortened(test.share)}")
    elif test.ranged and not isinstance(domain, NumberDomain | ScaleDomain):
        raise ValueError(f"`{test.name}` is not a number, so it can't have a range")
    if test.low is not None and test.high is not None and test.low > test.high:
        raise ValueError(f"the range of `{test.name}` is empty: {test.low} to {test.high}")


def check_offered(domain: Domain, values: Iterable[Any], what: str) -> None:
    """Raise `ValueError` if one of `values` is not offered."""
    for value in values:
        if not (domain.offers(value) or _can_be(domain, value)):
            raise ValueError(f"{what} does not offer {_shortened(value)}")


def find_cycle(edges: Mapping[str, Iterable[str]]) -> list[str] | None:
    """Return names that depend on each other in a cycle, the first repeated at the end; `None` if there is none."""
    state: dict[str, bool] = {}
    for start in edges:
        if start in state:
            continue
        path: list[tuple[str, Iterator[str]]] = [(start, iter(edges[start]))]
        state[start] = True
        while path:
            name, rest = path[-1]
            following = next(rest, None)
            if following is None:
                state[name] = False
                path.pop()
            elif state.get(following):
                names = [step for step, _ in path]
                return [*names[names.index(following) :], following]
            elif following not in state:
                state[following] = True
                path.append((following, iter(edges.get(following, ()))))
    return None


def _can_be(domain: Domain, value: Any) -> bool:
    """Return whether a condition may test for `value`: for several choices, one of them."""
    return domain.knows(value) if isinstance(domain, ChoicesDomain) else domain.offers(value)


def _shortened(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "..."
