"""A compiled rubric: every condition parsed, every name known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from desktop_rater import __version__
from desktop_rater.model.rubric import SCOPES, DecideRow, Question, RubricFile, Rule, Scope
from desktop_rater.model.strict_json import canonical_json, sha256
from desktop_rater.rubric.condition import Condition, Domain

# To be increased with each change that makes some rating be judged, or exported, differently.
ENGINE = 2


@dataclass(frozen=True)
class ConditionName:
    """A name that a condition can test: a question's answer or a fact."""

    scope: Scope
    domain: Domain


@dataclass(frozen=True)
class Fact(ConditionName):
    """A value that the program supplies. `read(reading, node)` returns it, or `None` if there is none."""

    read: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class CompiledQuestion:
    """A question with its conditions. `required` is `None` if it is never required."""

    question: Question
    domain: Domain
    relevant: Condition
    required: Condition | None


@dataclass(frozen=True)
class CompiledDecision:
    """A row of the decision table with its condition."""

    row: DecideRow
    when: Condition


@dataclass(frozen=True)
class CompiledRule:
    """A rule with its conditions; `require` is `None` if the rule is broken whenever `when` holds."""

    rule: Rule
    when: Condition
    require: Condition | None


@dataclass(frozen=True)
class Rubric:
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

    @cached_property
    def basis(self) -> str:
        """Return a hash of everything a check depends on: equal only if the same ratings are judged alike."""
        return sha256(canonical_json([__version__, ENGINE, msgspec.to_builtins(self.file)]))

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
    def combined_answers(self) -> frozenset[str]:
        """Return the questions whose answers, not decisions, are combined from claims."""
        return frozenset(self.file.combine.keys() - {row.sets for row in self.file.decide})

    @cached_property
    def per_target(self) -> bool:
        """Return whether anything is asked of targets, so that a task needs some."""
        return bool(self.questions_by_scope["target"] or self.questions_by_scope["claim"])
