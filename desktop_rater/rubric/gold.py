"""Comparison of a rating with the gold answer of the same task: agreement, and the reasons for the gold. Pure.

Only judgements count: what the rubric decides or combines; if it decides nothing, every answer that is chosen rather
than written. Facts, comments and evidence are shown but not counted. Partial gold is compared only where it answers.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from desktop_rater.format.rating import Claim, DecidedValue, Evidence, Problem, Rating, SkipReason
from desktop_rater.format.rubric import WRITTEN_KINDS, Question, Scope
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.rubric.check import ActiveQuestion, CheckOutcome, check_rating
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import Condition, same_value
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.load import format_answer
from desktop_rater.rubric.suggest import path_of_place, places_of_task, same_answer


class AnswerComparison(Struct, frozen=True):
    """The two answers to one question at one place; `None` if missing. `counts`: it is a judgement."""

    question: Question
    own: Any
    gold: Any
    counts: bool

    @property
    def same(self) -> bool:
        if self.own is None or self.gold is None:
            return self.own is self.gold
        return same_answer(self.own, self.gold)


class GoldDecision(Struct, frozen=True):
    """A value that the gold's facts imply: `by` is the row of the rubric, or "claims"; `message` is the row's."""

    question: Question
    value: Any
    by: str
    message: str


class GoldJudgement(Struct, frozen=True):
    """Comparison of one target, response or task. `words`, `claims` and `evidence` are the gold's."""

    place: Place
    compared: tuple[AnswerComparison, ...]
    decisions: tuple[GoldDecision, ...]
    words: tuple[tuple[Question, str], ...]
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]

    @property
    def counted(self) -> tuple[AnswerComparison, ...]:
        return tuple(item for item in self.compared if item.counts)

    @property
    def agrees(self) -> bool:
        """Return whether all judgements here are as in the gold."""
        return all(item.same for item in self.counted)

    @property
    def section(self) -> str:
        """Return the most relevant heading of the guidelines: of a difference, else of a judgement."""
        rest = (item for item in self.compared if not item.counts and not item.same)
        named = [item.question.section for item in (*self.counted, *rest) if not item.same]
        return next((item for item in (*named, *(item.question.section for item in self.counted)) if item), "")


class GoldComparison(Struct, frozen=True):
    """Comparison of a whole task. `per_target`: targets are counted, else answers. `partial`: so is the gold."""

    judgements: tuple[GoldJudgement, ...]
    per_target: bool
    own_skipped: SkipReason | None
    gold_skipped: SkipReason | None
    partial: bool = False

    @property
    def total(self) -> int:
        return len(self._units)

    @property
    def same(self) -> int:
        return sum(self._units)

    @property
    def _units(self) -> list[bool]:
        judged = [judgement for judgement in self.judgements if judgement.counted]
        if self.per_target:
            return [judgement.agrees for judgement in judged]
        return [compared.same for judgement in judged for compared in judgement.counted]


def compare_with_gold(rubric: Rubric, task: Task, own: Rating, gold: Rating) -> GoldComparison:
    """Compare two ratings of a task whose targets have offsets. Neither has to be complete."""
    from desktop_rater.rubric.gold import partial_gold  # noqa: PLC0415 - only when it is used

    checked = check_rating(rubric, task, gold)
    partial = bool(checked.blocking)
    says = partial_gold(rubric, task, gold, checked)[0] if partial else checked
    outcomes = check_rating(rubric, task, own), says
    judgements = (_compare_place(rubric, place, gold, outcomes, partial=partial) for place in _order(task))
    judged = tuple(
        judgement
        for judgement in judgements
        if judgement.compared or (partial and (judgement.words or judgement.evidence))
    )
    skipped = [rating.skipped if rating.status == "skipped" else None for rating in (own, gold)]
    return GoldComparison(
        judgements=() if any(skipped) else judged,
        per_target=any(judgement.counted for judgement in judged)
        and all(judgement.place.target is not None for judgement in judged if judgement.counted),
        own_skipped=skipped[0],
        gold_skipped=skipped[1],
        partial=partial,
    )


def _order(task: Task) -> list[Place]:
    """Return the targets of each response in text order, then the response, and last the task."""
    whole, *rest = places_of_task(task)
    responses = [response.id for response in task.responses]
    starts = {target.id: target.start or 0 for target in task.targets or ()}

    def sort_key(place_: Place) -> tuple[int, bool, int]:
        return responses.index(place_.response or ""), place_.target is None, starts.get(place_.target or "", 0)

    return [*sorted((place for place in rest if place.response in responses), key=sort_key), whole]


def _compare_place(
    rubric: Rubric, place: Place, gold: Rating, outcomes: tuple[CheckOutcome, CheckOutcome], *, partial: bool
) -> GoldJudgement:
    where = path_of_place(place)
    compared = _compare_answers(rubric, where, outcomes, partial=partial)
    outcome = outcomes[1]
    asked = outcome.asked.get(where, ())
    texts = [item for item in asked if item.question.kind in WRITTEN_KINDS and item.value is not None]
    claims = gold.claims.get(place.target, ()) if place.target is not None else ()
    messages = {row.id: row.message for row in rubric.file.decide}
    return GoldJudgement(
        place=place,
        compared=tuple(compared),
        decisions=tuple(
            GoldDecision(rubric.questions[name].question, label.value, label.by, messages.get(label.by, ""))
            for name, label in outcome.decided.get(where, {}).items()
        ),
        words=tuple((item.question, format_answer(item.question, item.value)) for item in texts),
        claims=tuple(item for item in claims if f"{where}/claims/{item.id}" in outcome.kept),
        evidence=tuple(item for item in gold.evidence if f"{where}/evidence/{item.id}" in outcome.kept),
    )


def _compare_answers(
    rubric: Rubric, where: str, outcomes: tuple[CheckOutcome, CheckOutcome], *, partial: bool
) -> Iterator[AnswerComparison]:
    """Yield the questions with a value in either; questions per claim are skipped for a target split into claims.

    Of partial gold those that it answers. What is combined of answers counts only where both have it: who was not asked
    differs in another judgement.
    """
    split = any(name.startswith(f"{where}/claims/") for outcome in outcomes for name in outcome.kept)
    labels = {row.sets for row in rubric.file.decide}
    own, gold = (_values(outcome, where) for outcome in outcomes)
    names = [name for name in rubric.questions if name in gold or (name in own and not partial)]
    judged = labels & set(names)
    judged |= rubric.combined_answers & own.keys() & gold.keys()
    for name in names:
        question = rubric.questions[name].question
        if question.kind in WRITTEN_KINDS or (split and question.per == "claim" and name not in rubric.file.combine):
            continue
        yield AnswerComparison(question, own.get(name), gold.get(name), counts=name in judged if judged else True)


def _values(outcome: CheckOutcome, where: str) -> dict[str, Any]:
    given = {item.question.id: item.value for item in outcome.asked.get(where, ()) if item.value is not None}
    decided = outcome.decided.get(where, {})
    return given | {name: item.value for name, item in decided.items() if item.by == BY_CLAIMS}


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
