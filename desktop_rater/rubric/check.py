"""Check a rating by a rubric, and make its exported form: without hidden parts, with the decisions. Pure and total."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.model.rating import Claim, DecidedValue, Problem, Rating
from desktop_rater.model.rubric import Question
from desktop_rater.model.strict_json import canonical_json, sha256, to_plain
from desktop_rater.model.task import Task
from desktop_rater.model.values import Answers, Place
from desktop_rater.rubric.compiled import CompiledQuestion, Rubric
from desktop_rater.rubric.condition import ALWAYS
from desktop_rater.rubric.evaluation import RatingEvaluation, ScopeNode
from desktop_rater.rubric.values import same_value
from desktop_rater.rubric.wording import label_of_value


class ActiveQuestion(Struct, frozen=True):
    """A question that is currently asked. `value` is the answer if it is one that the question offers."""

    question: Question
    required: bool
    value: Any

    @property
    def is_open(self) -> bool:
        return self.required and self.value is None


@dataclass(frozen=True)
class CheckOutcome:
    """Outcome of a check.

    `asked` holds, by `where`, the questions in the rubric's order; a target without claims has its claim's questions
    too. `claims` and `evidence`: the `where` of each target that takes claims, and of each place that takes evidence.
    `kept`: the `where` of each recorded claim and piece of evidence that is not hidden.
    """

    decided: dict[str, dict[str, DecidedValue]]
    problems: tuple[Problem, ...]
    asked: dict[str, tuple[ActiveQuestion, ...]]
    claims: frozenset[str]
    evidence: frozenset[str]
    kept: frozenset[str]
    places: dict[str, Place]

    @property
    def blocking(self) -> int:
        return sum(problem.level == "block" for problem in self.problems)

    @property
    def warnings(self) -> int:
        return len(self.problems) - self.blocking


def check_rating(rubric: Rubric, task: Task, rating: Rating) -> CheckOutcome:
    """Check one rating. The task's targets must have offsets. Never raises, whatever the answers hold."""
    return _Checker(RatingEvaluation(rubric, task, rating)).outcome()


class _Checker:
    def __init__(self, reading: RatingEvaluation) -> None:
        self.reading = reading
        self.rubric = reading.rubric
        self.problems: dict[tuple[str, str], Problem] = {}
        self.asked: dict[str, tuple[ActiveQuestion, ...]] = {}
        self.decided: dict[str, dict[str, DecidedValue]] = {}
        self.places: dict[str, Place] = {}

    def outcome(self) -> CheckOutcome:
        for node in self._nodes():
            self.places[node.where] = _place(node)
            self._ask(node)
            self._decide(node)
            self._check_rules(node)
        problems = sorted(self.problems.values(), key=lambda problem: (problem.rule, problem.level, problem.where))
        reading = self.reading
        takes_claims = None if reading.skipped else self.rubric.claims
        return CheckOutcome(
            decided=self.decided,
            problems=tuple(problems),
            asked=self.asked,
            claims=frozenset(
                node.where for node in reading.targets if takes_claims and reading.holds(takes_claims, node)
            ),
            evidence=frozenset(
                node.where for node in (*reading.responses, *reading.targets) if self._takes_evidence(node)
            ),
            kept=frozenset(self._visible()),
            places=self.places,
        )

    def _nodes(self) -> Iterator[ScopeNode]:
        """Yield every node, claims before their target, so that `decided` is read from the claims upwards."""
        reading = self.reading
        yield reading.root
        for response in reading.responses:
            yield response
            yield from reading.evidence(response)
        for target in reading.targets:
            yield from reading.units(target)
            yield target
            yield from reading.evidence(target)

    def _ask(self, node: ScopeNode) -> None:
        reading = self.reading
        active = [
            ActiveQuestion(
                compiled.question, self._is_required(compiled, node), reading.value(node, compiled.question.id)
            )
            for compiled in self.rubric.questions_by_scope[node.scope]
            if reading.is_asked(node, compiled)
        ]
        if not active:
            return
        before = self.asked.get(node.where)
        both = active
        if before is not None:  # a target without claims asks the questions of both
            order = self.rubric.order
            both = sorted((*before, *active), key=lambda item: order[item.question.id])
        self.asked[node.where] = tuple(both)
        for item in active:
            if item.is_open:
                ask = item.question.ask
                message = f"Not answered: {ask}" if ask.endswith("?") else f"{ask} is not answered."
                self._add_problem(f"required:{item.question.id}", "block", node, message)

    def _is_required(self, compiled: CompiledQuestion, node: ScopeNode) -> bool:
        required = compiled.required
        return required is ALWAYS or (required is not None and self.reading.holds(required, node))

    def _decide(self, node: ScopeNode) -> None:
        decided = self.reading.decided(node)
        if not decided:
            return
        self.decided.setdefault(node.where, {}).update(decided)
        for name, label in decided.items():
            if self.rubric.questions[name].question.per != node.scope:
                continue
            answer = self.reading.value(node, name)
            if answer is not None and not same_value(answer, label.value):
                decision = next(
                    decision.row
                    for decision in self.rubric.decisions_by_scope[node.scope]
                    if decision.row.id == label.by
                )
                expected = label_of_value(self.rubric.questions[name].question, label.value)
                rule = "The guideline" if decision.source == "guideline" else "This project's rule"
                unsplit = node.parent is not None and node.where == node.parent.where
                reason = (decision.message_unsplit if unsplit else "") or decision.message
                message = f"{reason} {rule} says {expected}.".strip()
                self._add_problem(f"contradicts:{decision.id}", decision.level, node, message)

    def _check_rules(self, node: ScopeNode) -> None:
        if self.reading.skipped:
            return
        for ruling in self.rubric.rules_by_scope[node.scope]:
            if not self.reading.holds(ruling.when, node):
                continue
            if ruling.require is None or not self.reading.holds(ruling.require, node):
                self._add_problem(ruling.rule.id, ruling.rule.level, node, ruling.rule.message)

    def _add_problem(self, rule: str, level: Any, node: ScopeNode, message: str) -> None:
        problem = Problem(rule=rule, level=level, where=node.where, message=message)
        self.problems.setdefault((rule, node.where), problem)

    def _takes_evidence(self, holder: ScopeNode) -> bool:
        table, condition = self.rubric.file.evidence, self.rubric.evidence
        if table is None or condition is None or self.reading.skipped or table.per != holder.scope:
            return False
        return self.reading.holds(condition, holder)

    def _visible(self) -> Iterator[str]:
        reading = self.reading
        for target in reading.targets:
            yield from (claim.where for claim in reading.claims(target))
        for holder in (*reading.responses, *reading.targets):
            yield from (piece.where for piece in reading.evidence(holder))


def _place(node: ScopeNode) -> Place:
    ids: dict[str, str] = {}
    current: ScopeNode | None = node
    while current is not None:
        recorded = current.scope != "claim" or current.parent is None or current.where != current.parent.where
        if current.scope != "task" and recorded:
            ids[current.scope] = current.item.id
        current = current.parent
    return Place(**ids)


# Keys left out of the SHA-256 of a rating: they change without a change of the rater's judgement.
UNHASHED_KEYS = frozenset({"revision", "changed", "status", "time", "links_opened", "decided", "problems"})


def exported_form(rating: Rating, outcome: CheckOutcome) -> Rating:
    """Return a rating in exported form: only answers, claims and evidence that are asked for, and offered values."""
    answers = rating.answers
    return replace(
        rating,
        answers=Answers(
            unknown=answers.unknown,
            task=_asked_answers(outcome, "task"),
            responses=_all_asked_answers(outcome, "responses", answers.responses),
            targets=_all_asked_answers(outcome, "targets", answers.targets),
        ),
        claims=_claims(rating, outcome),
        evidence=tuple(
            piece
            for piece in rating.evidence
            if f"targets/{piece.target}/evidence/{piece.id}" in outcome.kept
            or f"responses/{piece.response}/evidence/{piece.id}" in outcome.kept
        ),
        decided=outcome.decided,
        problems=tuple(replace(problem, message=None) for problem in outcome.problems),
    )


def exported_sha256(rating: Rating) -> str:
    """Return the SHA-256 of an exported rating: of its canonical JSON without the keys in `UNHASHED_KEYS`."""
    return exported_json_sha256(to_plain(rating))


def exported_json_sha256(plain: dict[str, Any]) -> str:
    """Return the same for an exported rating that was read from a file."""
    return sha256(canonical_json({key: value for key, value in plain.items() if key not in UNHASHED_KEYS}))


def _asked_answers(outcome: CheckOutcome, where: str) -> dict[str, Any]:
    return {item.question.id: item.value for item in outcome.asked.get(where, ()) if item.value is not None}


def _all_asked_answers(outcome: CheckOutcome, kind: str, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    visible = {name: _asked_answers(outcome, f"{kind}/{name}") for name in given}
    return {name: answers for name, answers in visible.items() if answers}


def _claims(rating: Rating, outcome: CheckOutcome) -> dict[str, tuple[Claim, ...]]:
    visible = {}
    for target, claims in rating.claims.items():
        wheres = [(claim, f"targets/{target}/claims/{claim.id}") for claim in claims]
        shown_claims = tuple(
            replace(claim, answers=_asked_answers(outcome, where)) for claim, where in wheres if where in outcome.kept
        )
        if shown_claims:
            visible[target] = shown_claims
    return visible
