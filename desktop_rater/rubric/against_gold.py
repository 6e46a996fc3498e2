"""A rating beside the gold answer of the same task: what they judge alike, and what decides the gold. Pure.

What counts are judgements: what the rubric decides or combines, and where it decides nothing every answer that is
chosen and not written. Facts, comments and evidence are shown and not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.model.place import Place
from desktop_rater.model.rating import Claim, Evidence, Rating, Skipped
from desktop_rater.model.rubric import Question
from desktop_rater.rubric.check import check
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.rubric.suggestions import alike, places_of, where_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.task import Task
    from desktop_rater.rubric.check import Outcome
    from desktop_rater.rubric.compiled import Rubric


class Compared(Struct, frozen=True):
    """The answers to one question at one place; `None` where it has none. `counts`: it is a judgement."""

    question: Question
    own: Any
    gold: Any
    counts: bool

    @property
    def same(self) -> bool:
        """Whether both say the same."""
        if self.own is None or self.gold is None:
            return self.own is self.gold
        return alike(self.own, self.gold)


class Decision(Struct, frozen=True):
    """What the facts of the gold imply: `by` is the row of the rubric, or "claims"; `message` is the row's."""

    question: Question
    value: Any
    by: str
    message: str


class Judgement(Struct, frozen=True):
    """One target, response or task. `words`, `claims` and `evidence` are those of the gold."""

    place: Place
    compared: tuple[Compared, ...]
    decisions: tuple[Decision, ...]
    words: tuple[tuple[Question, str], ...]
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]

    @property
    def counted(self) -> tuple[Compared, ...]:
        return tuple(one for one in self.compared if one.counts)

    @property
    def agrees(self) -> bool:
        """Whether all that is judged here is judged as in the gold."""
        return all(one.same for one in self.counted)

    @property
    def section(self) -> str:
        """The heading of the guidelines that says most about it: where the two differ, else what is judged."""
        rest = (one for one in self.compared if not one.counts and not one.same)
        named = [one.question.section for one in (*self.counted, *rest) if not one.same]
        return next((one for one in (*named, *(one.question.section for one in self.counted)) if one), "")


class AgainstGold(Struct, frozen=True):
    """A whole task. `per_target`: its judgements are counted as targets, else as answers."""

    judgements: tuple[Judgement, ...]
    per_target: bool
    own_skipped: Skipped | None
    gold_skipped: Skipped | None

    @property
    def total(self) -> int:
        """How many targets or answers are judged."""
        return len(self._units)

    @property
    def same(self) -> int:
        """How many of them are as in the gold."""
        return sum(self._units)

    @property
    def _units(self) -> list[bool]:
        judged = [one for one in self.judgements if one.counted]
        if self.per_target:
            return [one.agrees for one in judged]
        return [compared.same for one in judged for compared in one.counted]


def against_gold(rubric: Rubric, task: Task, own: Rating, gold: Rating) -> AgainstGold:
    """Compare two ratings of a task whose targets are placed. Neither is asked to be whole."""
    outcomes = check(rubric, task, own), check(rubric, task, gold)
    judgements = (_judgement(rubric, place, gold, outcomes) for place in _order(task))
    found = tuple(one for one in judgements if one.compared)
    skipped = [one.skipped if one.status == "skipped" else None for one in (own, gold)]
    return AgainstGold(
        judgements=() if any(skipped) else found,
        per_target=bool(found) and all(one.place.target is not None for one in found if one.counted),
        own_skipped=skipped[0],
        gold_skipped=skipped[1],
    )


def _order(task: Task) -> list[Place]:
    """The targets of each response as they stand in it, the response, and at last the task."""
    whole, *rest = places_of(task)
    responses = [one.id for one in task.responses]
    starts = {one.id: one.start or 0 for one in task.targets or ()}

    def stands(place: Place) -> tuple[int, bool, int]:
        return responses.index(place.response or ""), place.target is None, starts.get(place.target or "", 0)

    return [*sorted((one for one in rest if one.response in responses), key=stands), whole]


def _judgement(rubric: Rubric, place: Place, gold: Rating, outcomes: tuple[Outcome, Outcome]) -> Judgement:
    where = where_of(place)
    compared = _compared(rubric, where, outcomes)
    outcome = outcomes[1]
    texts = [one for one in outcome.asked.get(where, ()) if one.question.kind == "text" and one.value is not None]
    claims = gold.claims.get(place.target, ()) if place.target is not None else ()
    return Judgement(
        place=place,
        compared=tuple(compared),
        decisions=tuple(_decisions(rubric, where, outcome)),
        words=tuple((one.question, str(one.value)) for one in texts),
        claims=tuple(one for one in claims if f"{where}/claims/{one.id}" in outcome.kept),
        evidence=tuple(one for one in gold.evidence if f"{where}/evidence/{one.id}" in outcome.kept),
    )


def _compared(rubric: Rubric, where: str, outcomes: tuple[Outcome, Outcome]) -> Iterator[Compared]:
    """The questions that either has a value for; what is asked of claims is not asked of the whole."""
    split = any(kept.startswith(f"{where}/claims/") for one in outcomes for kept in one.kept)
    labels = {*rubric.file.combine, *(row.sets for row in rubric.file.decide)}
    own, gold = (_values(one, where) for one in outcomes)
    names = [name for name in rubric.questions if name in own or name in gold]
    judged = labels & set(names)
    for name in names:
        question = rubric.questions[name].question
        if question.kind == "text" or (split and question.per == "claim" and name not in rubric.file.combine):
            continue
        yield Compared(question, own.get(name), gold.get(name), counts=name in judged if judged else True)


def _values(outcome: Outcome, where: str) -> dict[str, Any]:
    given = {one.question.id: one.value for one in outcome.asked.get(where, ()) if one.value is not None}
    decided = outcome.decided.get(where, {})
    return given | {name: one.value for name, one in decided.items() if one.by == BY_CLAIMS}


def _decisions(rubric: Rubric, where: str, outcome: Outcome) -> Iterator[Decision]:
    messages = {row.id: row.message for row in rubric.file.decide}
    for name, one in outcome.decided.get(where, {}).items():
        yield Decision(rubric.questions[name].question, one.value, one.by, messages.get(one.by, ""))
