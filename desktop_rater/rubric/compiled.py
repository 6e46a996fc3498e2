"""A compiled rubric: every condition parsed, every name known."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct

from desktop_rater import __version__
from desktop_rater.format.rubric import SCOPES, DecideRow, Question, RubricFile, Rule, Scope
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.rubric.condition import ALWAYS, ChoicesDomain, Condition, ConditionTest, Domain, ListDomain

# To be increased with each change that makes some rating be judged, or exported, differently.
ENGINE = 4


class ConditionName(Struct, frozen=True):
    """A name that a condition can test: a question's answer or a fact."""

    scope: Scope
    domain: Domain


class Fact(ConditionName, frozen=True):
    """A value that the program supplies. `read(reading, node)` returns it, or `None` if there is none."""

    read: Callable[[Any, Any], Any]


class CompiledQuestion(Struct, frozen=True):
    """A question with its conditions. `required` is `None` if it is never required.

    `choices` holds the conditions of the choices that are not always offered; `wording` that of the other words.
    """

    question: Question
    domain: Domain
    relevant: Condition
    required: Condition | None
    choices: Mapping[str, Condition]
    wording: Condition | None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        conditions = (self.relevant, self.required, *self.choices.values(), self.wording)
        return tuple(condition for condition in conditions if condition is not None)


class CompiledDecision(Struct, frozen=True):
    """A row of the decision table with its condition."""

    row: DecideRow
    when: Condition


class CompiledRule(Struct, frozen=True):
    """A rule with its conditions; `require` is `None` if the rule is broken whenever `when` holds."""

    rule: Rule
    when: Condition
    require: Condition | None


_TESTS_PER_PROBLEM = 4  # a broken rule costs as much as four tests
_VALUES_PER_TEST = 16  # of a list that a test or a message looks through


class TestCount(Struct, frozen=True):
    """Number of tests, as the coefficients of a polynomial in a target's claims: `some_claim` looks at each."""

    coefficients: tuple[int, ...] = ()

    __test__ = False

    def __add__(self, other: "TestCount") -> "TestCount":
        pairs = zip_longest(self.coefficients, other.coefficients, fillvalue=0)
        return TestCount(tuple(first + second for first, second in pairs))

    def total(self, claims: int) -> int:
        """Return the number for a target with that many claims."""
        if claims == 1:
            return sum(self.coefficients)
        return sum(count * claims**power for power, count in enumerate(self.coefficients))


class Rubric(Struct, frozen=True, dict=True):
    """A compiled rubric, made by `load` only. `evidence` and `claims` are `None` if the rubric has none."""

    file: RubricFile
    names: Mapping[str, ConditionName]
    facts: Mapping[str, Fact]
    questions: Mapping[str, CompiledQuestion]
    questions_by_scope: Mapping[Scope, tuple[CompiledQuestion, ...]]
    decisions_by_scope: Mapping[Scope, tuple[CompiledDecision, ...]]
    rules_by_scope: Mapping[Scope, tuple[CompiledRule, ...]]
    evidence: Condition | None
    claims: Condition | None
    several: Condition | None

    @cached_property
    def basis(self) -> str:
        """Return a hash of everything a check depends on: equal only if the same ratings are judged alike."""
        plain = {key: value for key, value in msgspec.to_builtins(self.file).items() if key != "cases"}
        return sha256(canonical_json([__version__, ENGINE, plain]))

    @property
    def ref(self) -> str:
        """Return the reference that bundles and ratings use: `id@version`."""
        return self.file.ref

    @cached_property
    def depths(self) -> dict[str, int]:
        """Return the depth of each name's scope: 0 for the task."""
        return {name: SCOPES.index(name_info.scope) for name, name_info in self.names.items()}

    @cached_property
    def order(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.questions)}

    @cached_property
    def label_order(self) -> tuple[tuple[str, bool], ...]:
        """Return the questions whose answer can be the label of a place, and whether it needs a tone for that.

        Those combined or decided come first, then toned ones, the last first.
        """
        first = dict.fromkeys([*self.file.combine, *(row.sets for row in self.file.decide)])
        questions = {name: compiled.question for name, compiled in self.questions.items()}
        toned = [name for name, question in questions.items() if any(choice.tone for choice in question.choices)]
        return *((name, False) for name in first), *((name, True) for name in reversed(toned) if name not in first)

    @cached_property
    def tests_by_scope(self) -> dict[Scope, TestCount]:
        """Return how many tests an object of each scope takes at most; a question, decision or rule counts as one."""
        return {scope: self._tests_of_scope(scope) for scope in SCOPES}

    def _tests_of_scope(self, scope: Scope) -> TestCount:
        questions = self.questions_by_scope[scope]
        decisions, rules = self.decisions_by_scope[scope], self.rules_by_scope[scope]
        conditions: list[Condition | None] = [*self._conditions_of_scope(scope)]
        # Whether claims and evidence are asked for is found out twice.
        conditions += [self.claims] * 2 if scope == "target" else [self.several] if scope == "claim" else []
        if self.file.evidence is not None and self.file.evidence.per == scope:
            conditions += [self.evidence] * 2
        rows = len(questions) + len(decisions) + _TESTS_PER_PROBLEM * len(rules)
        rows += sum(len(item.row.needs) for item in decisions)
        rows += sum(len(self.questions[item.row.sets].question.choices) // _VALUES_PER_TEST for item in decisions)
        count = TestCount((rows,))
        for condition in conditions:
            if condition is not None and condition is not ALWAYS:
                count += self._tests(condition)
        if scope == "target":  # combined values are looked for among those of all claims
            count += TestCount((0, sum(1 + len(values) // _VALUES_PER_TEST for values in self.file.combine.values())))
        return count

    def _tests(self, condition: Condition) -> TestCount:
        count = TestCount((max(1, sum(map(self._values_of_test, condition.tests))),))
        for part in condition.alternatives:
            count += self._tests(part)
        for look in condition.looks:
            if look.scope == "claim":
                count += TestCount((0, *self._tests(look.condition).coefficients))
        return count

    @cached_property
    def tests_of_looks(self) -> dict[Scope, TestCount]:
        """Return how many tests an object of each scope takes in conditions that look inwards at it, from outside."""
        counts: dict[Scope, TestCount] = dict.fromkeys(SCOPES, TestCount())
        for condition in (condition for scope in SCOPES[:2] for condition in self._conditions_of_scope(scope)):
            for look in (look for part in condition.all_parts() for look in part.looks):
                counts[look.scope] += self._tests(look.condition)
        return counts

    def _conditions_of_scope(self, scope: Scope) -> list[Condition]:
        """Return the conditions of the questions, decisions and rules of a scope."""
        conditions: list[Condition | None] = []
        conditions += [condition for item in self.questions_by_scope[scope] for condition in item.conditions]
        conditions += [item.when for item in self.decisions_by_scope[scope]]
        conditions += [part for item in self.rules_by_scope[scope] for part in (item.when, item.require)]
        return [condition for condition in conditions if condition is not None]

    def _values_of_test(self, test: ConditionTest) -> int:
        domain = self.names[test.name].domain
        values = len(test.like or ()) + len(test.unlike)
        values += len(domain.values) if isinstance(domain, ChoicesDomain) else 0
        values += domain.most if isinstance(domain, ListDomain) else 0
        return 1 + values // _VALUES_PER_TEST

    @cached_property
    def _inner_conditions(self) -> list[Condition]:
        """Return the conditions on targets, claims and evidence."""
        conditions = [condition for condition in (self.claims, self.several, self.evidence) if condition is not None]
        return conditions + [condition for scope in SCOPES[2:] for condition in self._conditions_of_scope(scope)]

    @cached_property
    def _inner_tests(self) -> list[ConditionTest]:
        return [test for condition in self._inner_conditions for test in condition.all_tests()]

    @cached_property
    def outer_names(self) -> tuple[str, ...]:
        """Return the names of the task and the responses that those conditions test."""
        return tuple(sorted({test.name for test in self._inner_tests if self.names[test.name].scope not in SCOPES[2:]}))

    @cached_property
    def counts_claims_without_pages(self) -> bool:
        """Return whether some condition tests how many claims are proposed where no page is demanded beside that."""
        return any(
            "claims_proposed" in {test.name for test in part.tests}
            and not any(test.name in {"supporting", "contradicting"} and (test.low or 0) > 0 for test in part.tests)
            for condition in self._inner_conditions
            for part in condition.all_parts()
        )

    def inner_tests(self, name: str) -> tuple[ConditionTest, ...]:
        """Return the tests of one name in those conditions, each once."""
        tests = {repr(test): test for test in self._inner_tests if test.name == name}  # by value, 1 is `True`
        return tuple(tests.values())

    @cached_property
    def decisions(self) -> dict[str, CompiledDecision]:
        """Return the rows of the decision table by id."""
        return {decision.row.id: decision for scope in self.decisions_by_scope.values() for decision in scope}

    @cached_property
    def combined_answers(self) -> frozenset[str]:
        """Return the questions whose answers, not decisions, are combined from claims."""
        return frozenset(self.file.combine.keys() - {row.sets for row in self.file.decide})

    @cached_property
    def per_target(self) -> bool:
        """Return whether anything is asked of targets, so that a task needs some."""
        return bool(self.questions_by_scope["target"] or self.questions_by_scope["claim"])
