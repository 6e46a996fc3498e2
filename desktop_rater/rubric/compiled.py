"""A rubric that has been read and found sound: every condition parsed, every name known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater import __version__
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.rubric import SCOPES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.model.rubric import DecideRow, Question, RubricFile, Rule, Scope
    from desktop_rater.rubric.condition import Condition
    from desktop_rater.rubric.domains import Domain

# To be raised with each change after which some rating is judged, or leaves, otherwise than before.
ENGINE = 1


@dataclass(frozen=True)
class Name:
    """Something that a condition can ask: a question's answer or a fact that the app supplies."""

    scope: Scope
    domain: Domain


@dataclass(frozen=True)
class Fact(Name):
    """Something that the app supplies. `read(reading, node)` gives its value there, or `None` where it has none."""

    read: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Asking:
    """A question with its conditions. `required` is `None` where it never is."""

    question: Question
    domain: Domain
    relevant: Condition
    required: Condition | None


@dataclass(frozen=True)
class Deciding:
    """A row of the decision table with its condition."""

    row: DecideRow
    when: Condition


@dataclass(frozen=True)
class Ruling:
    """A rule with its conditions; `require` is `None` where the rule breaks whenever `when` holds."""

    rule: Rule
    when: Condition
    require: Condition | None


@dataclass(frozen=True)
class Rubric:
    """Made by `load` only. `evidence` and `claims` are `None` where the rubric has none."""

    file: RubricFile
    names: Mapping[str, Name]
    facts: Mapping[str, Fact]
    questions: Mapping[str, Asking]
    asking: Mapping[Scope, tuple[Asking, ...]]
    deciding: Mapping[Scope, tuple[Deciding, ...]]
    ruling: Mapping[Scope, tuple[Ruling, ...]]
    evidence: Condition | None
    claims: Condition | None

    @cached_property
    def basis(self) -> str:
        """What a rating is checked by, in one hash: equal only where the same ratings are judged alike."""
        return sha256(canonical([__version__, ENGINE, msgspec.to_builtins(self.file)]))

    @property
    def ref(self) -> str:
        """How bundles and ratings name it: `id@version`."""
        return self.file.ref

    @cached_property
    def depths(self) -> dict[str, int]:
        """Name → how deep its scope lies: 0 for the task."""
        return {name: SCOPES.index(known.scope) for name, known in self.names.items()}

    @cached_property
    def order(self) -> dict[str, int]:
        """Question → its place among the rubric's."""
        return {name: place for place, name in enumerate(self.questions)}

    @property
    def per_target(self) -> bool:
        """Whether anything is asked of targets, so that a task needs some."""
        return bool(self.asking["target"] or self.asking["claim"])
