"""A made-up rating mended until nothing of it blocks: what is asked gets an answer, what is decided the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model import edit
from desktop_rater.model.place import TASK, Place
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence, Rating
from desktop_rater.rubric import check
from desktop_rater.rubric.domains import Amount, SomeOf, Steps
from desktop_rater.rubric.links import response_pages, tool_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from desktop_rater.model.rating import Problem, Stance
    from desktop_rater.model.rubric import Question, Scope
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Outcome, Rubric
    from desktop_rater.rubric.condition import Condition, Test

WORDS = "Looked it up; the pages named here decide it."
PASSAGE = "So it stands on that page."
_ROUNDS = 30
_SIDES: dict[str, Stance] = {"supporting": SUPPORTING, "contradicting": CONTRADICTING}
_SITES = ("almanac.example", "archive.example", "encyclopedia.example", "gazette.example", "library.example")


class Mending:
    """Mends ratings of one task. `random` chooses where the rubric leaves a choice."""

    def __init__(self, rubric: Rubric, task: Task, random: Random) -> None:
        self.rubric = rubric
        self.task = task
        self._random = random
        self._rules = {one.rule.id: one for scope in rubric.ruling.values() for one in scope}
        self._sets = {row.id: row.sets for row in rubric.file.decide}

    def mended(self, rating: Rating) -> tuple[Rating, Outcome] | None:
        """The rating with what keeps it from leaving changed, or `None` where that leads nowhere."""
        for _ in range(_ROUNDS):
            outcome = check(self.rubric, self.task, rating)
            if not outcome.blocking:
                return rating, outcome
            before = rating
            for problem in outcome.problems:
                if problem.level == "block":
                    rating = self._mend(rating, outcome, problem)
            if rating == before:
                return None
        return None

    def gathered(self, rating: Rating, place: Place, stance: Stance) -> Rating:
        """With one more page for one side at a target or response; of a claim, where one is there."""
        name = edit.new_id("e", [one.id for one in rating.evidence])
        site = self._random.choice(_SITES)
        piece = Evidence(
            id=name,
            target=place.target,
            response=place.response if place.target is None else None,
            claim=place.claim,
            stance=stance,
            url=f"https://{site}/{self._random.randrange(10**6)}",
            title=site,
            quote=PASSAGE,
        )
        return edit.with_evidence(rating, piece)

    def answer(self, question: Question) -> Any:
        """Some answer that the question offers."""
        domain = self.rubric.questions[question.id].domain
        if isinstance(domain, Steps):
            return self._random.choice(domain.all())
        if isinstance(domain, SomeOf):
            return [self._random.choice(domain.values)]
        if isinstance(domain, Amount):
            return next(iter(domain.witnesses(())), 0)
        return self._random.choice(question.choices).id if question.choices else WORDS

    def _mend(self, rating: Rating, outcome: Outcome, problem: Problem) -> Rating:
        kind, _, name = problem.rule.partition(":")
        place = outcome.places[problem.where]
        decided = outcome.decided.get(problem.where, {})
        if kind == "required" and name in self.rubric.questions:
            value = decided[name].value if name in decided else self._fitting(rating, problem.where, place, name)
            return edit.with_answer(rating, place, name, value)
        if kind == "contradicts" and name in self._sets and self._sets[name] in decided:
            question = self._sets[name]
            return edit.with_answer(rating, place, question, decided[question].value)
        rule = self._rules.get(problem.rule)
        if rule is None or rule.require is None:
            return rating
        for test in _first_way(rule.require):
            rating = self._meet(rating, place, test)
        return rating

    def _fitting(self, rating: Rating, where: str, place: Place, name: str) -> Any:
        """An answer after which the facts decide what is answered already, if there is one."""
        question = self.rubric.questions[name].question
        given = edit.answers_at(rating, place)
        offered = [choice.id for choice in question.choices] if question.kind == "choice" else []
        self._random.shuffle(offered)
        if self._sets_nothing(given):
            return offered[0] if offered else self.answer(question)
        for value in offered:
            outcome = check(self.rubric, self.task, edit.with_answer(rating, place, name, value))
            if not any(one.where == where and one.rule.startswith("contradicts:") for one in outcome.problems):
                return value
        return offered[0] if offered else self.answer(question)

    def _sets_nothing(self, given: dict[str, Any]) -> bool:
        return not any(name in given for name in self._sets.values())

    def _meet(self, rating: Rating, place: Place, test: Test) -> Rating:
        """Change what a rule asks about, as a rater would who reads its message."""
        asking = self.rubric.questions.get(test.name)
        if asking is not None:
            at = _outwards(place, asking.question.per)
            value = test.like[0] if test.like else self.answer(asking.question)
            return edit.with_answer(rating, at, test.name, value)
        if test.name in _SIDES and (test.low or 0) > 0:
            return self.gathered(rating, place, _SIDES[test.name])
        if test.name in {"links_unopened", "tool_links_unopened"}:
            return replace(rating, links_opened=tuple(dict.fromkeys([*rating.links_opened, *self._pages(place)])))
        if test.name == "research_seconds" and place.target is not None:
            return edit.with_seconds(rating, place.target, test.low or 0)
        if place.evidence is not None:
            return self._other_evidence(rating, place.evidence, test)
        return rating

    def _other_evidence(self, rating: Rating, name: str, test: Test) -> Rating:
        piece = next(one for one in rating.evidence if one.id == name)
        if test.name == "quote":
            return edit.with_evidence(rating, replace(piece, quote=PASSAGE))
        if test.name == "opened":
            return replace(rating, links_opened=(*rating.links_opened, piece.url))
        return edit.without_evidence(rating, name)

    def _pages(self, place: Place) -> Iterator[str]:
        placeholders = self.rubric.file.links.placeholders
        for response in self.task.responses:
            if place.response in (None, response.id):
                yield from response_pages(response, placeholders)
                yield from tool_pages(response, placeholders)


def _first_way(condition: Condition) -> Iterator[Test]:
    """What to do so that a condition holds, of several ways the first."""
    yield from condition.tests
    if condition.alternatives:
        yield from _first_way(condition.alternatives[0])


def _outwards(place: Place, scope: Scope) -> Place:
    """The place of a scope around this one."""
    match scope:
        case "task":
            return TASK
        case "response":
            return Place(response=place.response)
        case "target":
            return Place(response=place.response, target=place.target)
    return replace(place, evidence=None)
