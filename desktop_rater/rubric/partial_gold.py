"""Partial gold: gold that answers only some questions, so that a rating is compared with it only there. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from desktop_rater.model.rating import DecidedValue, Problem, Rating
from desktop_rater.model.rubric import Scope
from desktop_rater.model.task import Task
from desktop_rater.rubric.check import ActiveQuestion, CheckOutcome
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import Condition
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.values import same_value

_LONGEST = 60
_DECIDES = "contradicts:"


class _AnsweredPlace(NamedTuple):
    """Answers at a place; `outer` are those of the places around it."""

    where: str
    scopes: tuple[Scope, ...]
    answers: Mapping[str, Any]
    outer: Mapping[str, Any]


def partial_gold(
    rubric: Rubric, task: Task, gold: Rating, outcome: CheckOutcome
) -> tuple[CheckOutcome, tuple[str, ...]]:
    """Return what partial gold says, and the reasons for which it is refused. `outcome`: that of the check.

    Everything in it counts as asked. No decision counts, since it may depend on an answer that is missing, except the
    value that the claims of a target come to if all of them have one.
    """
    faults = [f"{problem.rule} at {problem.where}" for problem in contradictions(outcome)]
    asked: dict[str, tuple[ActiveQuestion, ...]] = {}
    decided: dict[str, dict[str, DecidedValue]] = {}
    for place in _places(task, gold):
        faults += _faults(rubric, place)
        names = sorted(place.answers.keys() & rubric.questions.keys(), key=rubric.order.__getitem__)
        questions = (
            ActiveQuestion(rubric.questions[name].question, required=False, value=place.answers[name]) for name in names
        )
        asked[place.where] = tuple(questions)
    for target, claims in gold.claims.items():
        where = f"targets/{target}"
        own = _given(gold.answers.targets.get(target, {}))
        combined = _combined(rubric, own, [_given(claim.answers) for claim in claims])
        if combined:
            decided[where] = {name: DecidedValue(value=value, by=BY_CLAIMS) for name, value in combined.items()}
        differing = (name for name, value in combined.items() if name in own and not same_value(own[name], value))
        faults += (f'"{name}" at {where} is not what its claims come to' for name in differing)
    if not any(asked.values()):
        faults.append("it answers no question")
    claims = (f"targets/{target}/claims/{claim.id}" for target, several in gold.claims.items() for claim in several)
    holders = (
        (f"targets/{piece.target}" if piece.target is not None else f"responses/{piece.response}", piece.id)
        for piece in gold.evidence
    )
    says = CheckOutcome(
        decided=decided,
        problems=(),
        asked={where: questions for where, questions in asked.items() if questions},
        claims=frozenset(),
        evidence=frozenset(),
        kept=frozenset((*claims, *(f"{holder}/evidence/{id_}" for holder, id_ in holders))),
        places=outcome.places,
    )
    return says, tuple(faults)


def contradictions(outcome: CheckOutcome) -> list[Problem]:
    """Return the problems of answers that differ from what other answers or the evidence decide."""
    return [problem for problem in outcome.problems if problem.level == "block" and problem.rule.startswith(_DECIDES)]


def _places(task: Task, gold: Rating) -> Iterator[_AnsweredPlace]:
    of_task = _given(gold.answers.task)
    responses = {id_: _given(answers) for id_, answers in gold.answers.responses.items()}
    yield _AnsweredPlace("task", ("task",), of_task, {})
    for response in task.responses:
        yield _AnsweredPlace(f"responses/{response.id}", ("response",), responses.get(response.id, {}), of_task)
    for target in task.targets or ():
        outer = {**of_task, **responses.get(target.response, {})}
        own = _given(gold.answers.targets.get(target.id, {}))
        yield _AnsweredPlace(f"targets/{target.id}", ("target", "claim"), own, outer)
        for claim in gold.claims.get(target.id, ()):
            where = f"targets/{target.id}/claims/{claim.id}"
            yield _AnsweredPlace(where, ("claim",), _given(claim.answers), {**outer, **own})


def _given(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers without null, which tables write for a missing one."""
    return {name: value for name, value in answers.items() if value is not None}


def _faults(rubric: Rubric, place: _AnsweredPlace) -> Iterator[str]:
    values = {**place.outer, **place.answers}
    for name, value in place.answers.items():
        compiled = rubric.questions.get(name)
        if compiled is None or compiled.question.per not in place.scopes:
            yield f'"{name[:_LONGEST]}" at {place.where} is no question of a {place.scopes[0]}'
        elif not compiled.domain.offers(value):
            yield f'"{name}" at {place.where} does not offer {str(value)[:_LONGEST]!r}'
        elif not _may_hold(compiled.relevant, values):
            yield f'"{name}" at {place.where} is not asked after the other answers'


def _may_hold(condition: Condition, values: Mapping[str, Any]) -> bool:
    """Return whether a condition can hold, if names without a value may have any."""
    return all(test.name not in values or test.passes(values[test.name]) for test in condition.tests) and (
        not condition.alternatives or any(_may_hold(part, values) for part in condition.alternatives)
    )


def _combined(rubric: Rubric, own: Mapping[str, Any], claims: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the worst of the claims' answers by question, where every claim that may be asked it has one."""
    of_target = {name: value for name, value in own.items() if name not in rubric.file.combine}
    combined = {}
    for question, order in rubric.file.combine.items():
        compiled = rubric.questions[question]
        answers = [
            claim.get(question)
            for claim in claims
            if question in claim or _may_hold(compiled.relevant, {**of_target, **claim})
        ]
        worst = next((value for value in order if value in answers), None)
        if worst is not None and None not in answers:
            combined[question] = worst
    return combined
