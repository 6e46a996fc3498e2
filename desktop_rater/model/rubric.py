"""A rubric as it stands in its file: the questions, when each is asked, and the rules. Data; `rubric` reads it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from desktop_rater.model.limits import Id
from desktop_rater.model.rating import Level

Scope = Literal["task", "response", "target", "claim", "evidence"]
Kind = Literal["choice", "choices", "scale", "text", "number"]
Condition = dict[str, Any]
Number = int | float

SCOPES: tuple[Scope, ...] = ("task", "response", "target", "claim", "evidence")


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A misspelt key would be a rule that never breaks, so none is let through."""


class Choice(Table, frozen=True, kw_only=True):
    """One of the values of a question. `tone` and `shape` say how it looks; plain without them."""

    id: Id
    label: Id
    key: str = ""
    hint: str = ""
    tone: str = ""
    shape: str = ""


class Anchor(Table, frozen=True, kw_only=True):
    """The sentence that says what one step of a scale means."""

    at: Number
    label: Id


class NamedLevel(Table, frozen=True, kw_only=True):
    """A stretch of a scale, up to and including `to`."""

    id: Id
    to: Number
    label: Id


class Question(Table, frozen=True, kw_only=True):
    """Asked once for each thing of its scope, while `relevant` holds. `stage` is the step of the work it belongs to."""

    id: Id
    per: Scope
    ask: Id
    kind: Kind
    choices: tuple[Choice, ...] = ()
    min: Number | None = None
    max: Number | None = None
    step: Number | None = None
    anchors: tuple[Anchor, ...] = ()
    levels: tuple[NamedLevel, ...] = ()
    relevant: Condition = {}
    required: bool | Condition = False
    hint: str = ""
    section: str = ""
    stage: str = ""


class DecideRow(Table, frozen=True, kw_only=True):
    """Where `when` holds, the facts say that `sets` is `then`."""

    id: Id
    per: Scope
    sets: Id
    when: Condition = {}
    then: Any
    level: Level = "block"
    message: str = ""


class Rule(Table, frozen=True, kw_only=True):
    """Breaks where `when` holds and `require` does not."""

    id: Id
    level: Level
    per: Scope
    when: Condition | None = None
    require: Condition | None = None
    message: str = ""


class EvidenceTable(Table, frozen=True, kw_only=True):
    """Where evidence hangs, and when it is asked for."""

    per: Literal["response", "target"]
    relevant: Condition = {}


class ClaimsTable(Table, frozen=True, kw_only=True):
    """When a target can be split into claims."""

    relevant: Condition = {}


class CompareTable(Table, frozen=True, kw_only=True):
    """Rankings, worst to best, that say which of two responses is better."""

    by: dict[str, tuple[Any, ...]]


class LinksTable(Table, frozen=True, kw_only=True):
    """Links that begin so count as opened."""

    placeholders: tuple[str, ...] = ()


class RubricFile(Table, frozen=True, kw_only=True):
    """The whole file."""

    id: Id
    version: Annotated[int, Meta(ge=1)] = 1
    title: str = ""
    combine: dict[str, tuple[Any, ...]] = {}
    evidence: EvidenceTable | None = None
    claims: ClaimsTable | None = None
    compare: CompareTable | None = None
    links: LinksTable = LinksTable()
    questions: tuple[Question, ...] = ()
    decide: tuple[DecideRow, ...] = msgspec.field(default=())
    rules: tuple[Rule, ...] = ()

    @property
    def ref(self) -> str:
        """How bundles and ratings name it."""
        return f"{self.id}@{self.version}"
