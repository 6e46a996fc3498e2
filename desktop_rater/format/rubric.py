"""A rubric as data, as read from its file: questions, conditions and rules. Package `rubric` interprets it."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from desktop_rater.format.rating import Level
from desktop_rater.format.values import Id

Scope = Literal["task", "response", "target", "claim", "evidence"]
QuestionKind = Literal["choice", "choices", "scale", "text", "number", "list"]
WRITTEN_KINDS = frozenset({"text", "list"})  # in the rater's own words, which are not compared with those of others
ConditionTable = dict[str, Any]
Number = int | float

Source = Literal["guideline", "project"]

SCOPES: tuple[Scope, ...] = ("task", "response", "target", "claim", "evidence")


class RubricStruct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base that refuses unknown keys: a misspelt key would be a rule that is never broken."""


class SourcedStruct(RubricStruct, frozen=True, kw_only=True):
    """Base of what a guideline may state; `guideline` is the place where it does. The default is the project's."""

    source: Source = "project"
    guideline: str = ""


class Choice(SourcedStruct, frozen=True, kw_only=True):
    """One of the values of a question, offered while `relevant` holds. `tone` and `shape` set its look.

    `without_research`: it may be given from what everybody knows, without a page; reports count how often it is.
    """

    id: Id
    label: Id
    relevant: ConditionTable = {}
    key: str = ""
    hint: str = ""
    tone: str = ""
    shape: str = ""
    without_research: bool = False


class Anchor(SourcedStruct, frozen=True, kw_only=True):
    """The sentence that explains one step of a scale."""

    at: Number
    label: Id


class NamedLevel(SourcedStruct, frozen=True, kw_only=True):
    """A range of a scale, up to and including `to`."""

    id: Id
    to: Number
    label: Id


class QuestionWording(RubricStruct, frozen=True, kw_only=True):
    """Other words of a question while `when` holds."""

    when: ConditionTable
    ask: Id
    hint: str = ""


class Question(SourcedStruct, frozen=True, kw_only=True):
    """A question, asked once for each object of its scope, while `relevant` holds. `stage`: its step of the work.

    `documents`: the choices of a list whose rows name documents of the context.
    """

    id: Id
    per: Scope
    ask: Id
    kind: QuestionKind
    choices: tuple[Choice, ...] = ()
    min: Number | None = None
    max: Number | None = None
    step: Number | None = None
    anchors: tuple[Anchor, ...] = ()
    levels: tuple[NamedLevel, ...] = ()
    documents: tuple[Id, ...] = ()
    relevant: ConditionTable = {}
    required: bool | ConditionTable = False
    hint: str = ""
    wording: QuestionWording | None = None
    section: str = ""
    stage: str = ""


class DecideRow(SourcedStruct, frozen=True, kw_only=True):
    """A row of the decision table: if `when` holds, the facts imply that `sets` is `then`.

    It decides nothing while a question of `needs` is asked, required and not answered.
    `message_unsplit` replaces `message` for a rater's answer on a target without recorded claims.
    """

    id: Id
    per: Scope
    sets: Id
    when: ConditionTable = {}
    needs: tuple[Id, ...] = ()
    then: Any
    level: Level = "block"
    message: str = ""
    message_unsplit: str = ""


class Rule(SourcedStruct, frozen=True, kw_only=True):
    """A rule; it is broken if `when` holds and `require` does not."""

    id: Id
    level: Level
    per: Scope
    when: ConditionTable | None = None
    require: ConditionTable | None = None
    message: str = ""


class EvidenceTable(RubricStruct, frozen=True, kw_only=True):
    """Scope of evidence, and the condition under which it is asked for."""

    per: Literal["response", "target"]
    relevant: ConditionTable = {}


class ClaimsTable(SourcedStruct, frozen=True, kw_only=True):
    """Condition under which a target can be split into claims.

    `several`: the rater's answers say that a target without claims holds several. What is decided on it is then the
    project's rule, since a guideline speaks of single claims.
    """

    relevant: ConditionTable = {}
    several: ConditionTable | None = None


class CompareTable(RubricStruct, frozen=True, kw_only=True):
    """Rankings, worst to best, that determine which of two responses is better."""

    by: dict[str, tuple[Any, ...]]


class LinksTable(RubricStruct, frozen=True, kw_only=True):
    """Links that start with one of `placeholders` count as opened."""

    placeholders: tuple[str, ...] = ()


class GuidelineDocument(RubricStruct, frozen=True, kw_only=True):
    """The guideline that `source = "guideline"` stands for. `url`: its address, or its path."""

    name: Id
    edition: str = ""
    url: str = ""


class RubricCase(RubricStruct, frozen=True, kw_only=True):
    """An example of the guideline as a test of its rubric: what is `given`, and what must follow.

    `given` and `at` map names of questions and facts to their values: those of the only place of a scope, and those of
    further places. `decided`: what the facts imply there, `problems`: rule → level of all problems, `hidden`: answers
    of `given` that do not count. `refused`: wrong answers, each of which must block. In place of these, a case may have
    a whole `task` and `rating`, and what they come to as `expect`.
    """

    name: Id
    section: str = ""
    text: str = ""
    given: dict[str, Any] = {}
    at: dict[str, dict[str, Any]] = {}
    decided: dict[str, Any] = {}
    refused: dict[str, Any] = {}
    problems: dict[str, Level] = {}
    hidden: tuple[str, ...] = ()
    task: dict[str, Any] | None = None
    rating: dict[str, Any] | None = None
    expect: dict[str, Any] | None = None


class RubricFile(RubricStruct, frozen=True, kw_only=True):
    """A whole rubric file. `cases` change no judgement."""

    id: Id
    version: Annotated[int, Meta(ge=1)] = 1
    title: str = ""
    document: GuidelineDocument | None = None
    combine: dict[str, tuple[Any, ...]] = {}
    evidence: EvidenceTable | None = None
    claims: ClaimsTable | None = None
    compare: CompareTable | None = None
    links: LinksTable = LinksTable()
    questions: tuple[Question, ...] = ()
    decide: tuple[DecideRow, ...] = msgspec.field(default=())
    rules: tuple[Rule, ...] = ()
    cases: tuple[RubricCase, ...] = ()

    @property
    def ref(self) -> str:
        return f"{self.id}@{self.version}"
