"""What a rubric says of a rating: what is asked, what the facts decide, which rules break. Pure and total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.model.place import Place
from desktop_rater.model.rating import Decided, Problem, Rating
from desktop_rater.model.rubric import Question
from desktop_rater.rubric.condition import ALWAYS
from desktop_rater.rubric.reading import Node, Reading
from desktop_rater.rubric.values import same
from desktop_rater.rubric.words import label_of, required_message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.task import Task
    from desktop_rater.rubric.compiled import Asking, Rubric


class Asked(Struct, frozen=True):
    """A question that is asked now. `value` is the answer if it is one that the question offers."""

    question: Question
    required: bool
    value: Any


@dataclass(frozen=True)
class Outcome:
    """`asked` holds, by `where`, the questions in the rubric's order; a claimless target asks its claim's there too.

    `claims` and `evidence`: the `where` of each target that takes claims, and of each thing that takes evidence.
    `kept`: the `where` of each recorded claim and piece of evidence that is not hidden.
    """

    decided: dict[str, dict[str, Decided]]
    problems: tuple[Problem, ...]
    asked: dict[str, tuple[Asked, ...]]
    claims: frozenset[str]
    evidence: frozenset[str]
    kept: frozenset[str]
    places: dict[str, Place]

    @property
    def blocking(self) -> int:
        """How many problems keep the rating on the laptop."""
        return sum(problem.level == "block" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many problems only warn."""
        return len(self.problems) - self.blocking


def check(rubric: Rubric, task: Task, rating: Rating) -> Outcome:
    """Check one rating. The task's targets must be placed. Never raises for anything that an answer can hold."""
    return _Checking(Reading(rubric, task, rating)).outcome()


class _Checking:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.rubric = reading.rubric
        self.problems: dict[tuple[str, str], Problem] = {}
        self.asked: dict[str, tuple[Asked, ...]] = {}
        self.decided: dict[str, dict[str, Decided]] = {}
        self.places: dict[str, Place] = {}

    def outcome(self) -> Outcome:
        for node in self._nodes():
            self.places[node.where] = _place(node)
            self._ask(node)
            self._decide(node)
            self._rule(node)
        problems = sorted(self.problems.values(), key=lambda one: (one.rule, one.level, one.where))
        reading = self.reading
        return Outcome(
            decided=self.decided,
            problems=tuple(problems),
            asked=self.asked,
            claims=frozenset(node.where for node in reading.targets if self._takes_claims(node)),
            evidence=frozenset(node.where for node in (*reading.responses, *reading.targets) if self._takes(node)),
            kept=frozenset(self._kept()),
            places=self.places,
        )

    def _nodes(self) -> Iterator[Node]:
        """Every node, claims before their target, so that `decided` reads from the claims to the whole."""
        reading = self.reading
        yield reading.root
        for response in reading.responses:
            yield response
            yield from reading.evidence(response)
        for target in reading.targets:
            yield from reading.units(target)
            yield target
            yield from reading.evidence(target)

    def _ask(self, node: Node) -> None:
        reading = self.reading
        asked = [
            Asked(one.question, self._required(one, node), reading.value(node, one.question.id))
            for one in self.rubric.asking[node.scope]
            if reading.asked(node, one)
        ]
        if not asked:
            return
        before = self.asked.get(node.where)
        both = asked
        if before is not None:  # a target that is its own claim asks the questions of both
            order = self.rubric.order
            both = sorted((*before, *asked), key=lambda one: order[one.question.id])
        self.asked[node.where] = tuple(both)
        for one in asked:
            if one.required and one.value is None:
                self._break(f"required:{one.question.id}", "block", node, required_message(one.question))

    def _required(self, asking: Asking, node: Node) -> bool:
        required = asking.required
        return required is ALWAYS or (required is not None and self.reading.holds(required, node))

    def _decide(self, node: Node) -> None:
        decided = self.reading.decided(node)
        if not decided:
            return
        self.decided.setdefault(node.where, {}).update(decided)
        for name, label in decided.items():
            if self.rubric.questions[name].question.per != node.scope:
                continue
            given = self.reading.value(node, name)
            if given is not None and not same(given, label.value):
                row = next(one.row for one in self.rubric.deciding[node.scope] if one.row.id == label.by)
                should = label_of(self.rubric.questions[name].question, label.value)
                message = f"{row.message} The guideline says {should}.".strip()
                self._break(f"contradicts:{row.id}", row.level, node, message)

    def _rule(self, node: Node) -> None:
        if self.reading.skipped:
            return
        for one in self.rubric.ruling[node.scope]:
            if not self.reading.holds(one.when, node):
                continue
            if one.require is None or not self.reading.holds(one.require, node):
                self._break(one.rule.id, one.rule.level, node, one.rule.message)

    def _break(self, rule: str, level: Any, node: Node, message: str) -> None:
        problem = Problem(rule=rule, level=level, where=node.where, message=message)
        self.problems.setdefault((rule, node.where), problem)

    def _takes_claims(self, target: Node) -> bool:
        wanted = self.rubric.claims
        return wanted is not None and not self.reading.skipped and self.reading.holds(wanted, target)

    def _takes(self, holder: Node) -> bool:
        table, wanted = self.rubric.file.evidence, self.rubric.evidence
        if table is None or wanted is None or self.reading.skipped or table.per != holder.scope:
            return False
        return self.reading.holds(wanted, holder)

    def _kept(self) -> Iterator[str]:
        reading = self.reading
        for target in reading.targets:
            yield from (claim.where for claim in reading.claims(target))
        for holder in (*reading.responses, *reading.targets):
            yield from (piece.where for piece in reading.evidence(holder))


def _place(node: Node) -> Place:
    ids: dict[str, str] = {}
    step: Node | None = node
    while step is not None:
        recorded = step.scope != "claim" or step.parent is None or step.where != step.parent.where
        if step.scope != "task" and recorded:
            ids[step.scope] = step.thing.id
        step = step.parent
    return Place(**ids)
