"""Answers that bring up questions which have not been seen yet: for looking at a rubric's form."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model import edit
from desktop_rater.model.place import TASK, Place
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Claim, Evidence, Rating, Stance
from desktop_rater.rubric import Outcome, Rubric, check
from desktop_rater.rubric.condition import Condition
from desktop_rater.rubric.domains import Amount, SomeOf, Steps
from desktop_rater.rubric.worlds import World, holds, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.rubric import Question, Scope
    from desktop_rater.model.task import Task

_MOST_WAYS, _MOST_ROUNDS = 60, 40
_WORDS = "A few words of the rater’s own."
_PAGES: dict[str, tuple[Stance, str]] = {
    "supporting": (SUPPORTING, "https://garden.example/for"),
    "contradicting": (CONTRADICTING, "https://garden.example/against"),
}


def answered(rubric: Rubric, task: Task, seen: set[str]) -> Rating:
    """A rating that asks as many questions as it can that are not in `seen`, and puts them there.

    The last of several targets or responses is left open.
    """
    answering = _Answering(rubric, task, seen)
    answering.go_round()
    return answering.rating


class _Answering:
    def __init__(self, rubric: Rubric, task: Task, seen: set[str]) -> None:
        self.rubric = rubric
        self.task = task
        self.seen = seen
        self.rating = Rating(task=task.id)
        self._turn = 0

    def go_round(self) -> None:
        responses = [Place(response=one.id) for one in self.task.responses]
        targets = [Place(response=one.response, target=one.id) for one in self.task.targets or ()]
        for places, scopes in (([TASK], ("task",)), (responses, ("response",)), (targets, ("target", "claim"))):
            goals = [one.question for scope in scopes for one in self.rubric.asking[scope]]
            for place in (places[:-1] or places) if goals else ():
                self._answer(place, goals)
                self._turn += 1
        self._see()

    def _answer(self, place: Place, goals: list[Question]) -> None:
        goal = self._reach(place, goals)
        if self.rubric.file.evidence is not None and self._turn % 2 == 0 and goal is None:
            self._gather(place, "supporting", 1)
        self._fill(place, goal)

    def _reach(self, place: Place, goals: list[Question]) -> Question | None:
        """Bring up the first question that was not seen yet and can be, in one of the ways to it."""
        for goal in goals:
            if goal.id in self.seen:
                continue
            for world in self._ways(goal):
                before = self.rating
                self._make_so(place, world)
                if goal.id in self._asked(place):
                    return goal
                self.rating = before
        return None

    def _ways(self, goal: Question) -> Iterator[World]:
        """The worlds in which it is asked. A target without claims is its own claim, also for `some_claim`."""
        relevant = _flat(self.rubric.questions[goal.id].relevant)
        found = worlds(self.rubric, (relevant,)) or []
        yield from islice((world for world in found if holds(relevant, world)), _MOST_WAYS)

    def _make_so(self, place: Place, world: World) -> None:
        for name, value in world.items():
            asking = self.rubric.questions.get(name)
            if name in _PAGES and value:
                self._gather(place, name, int(value))
            elif name == "claims" and value and place.target is not None:
                self._record_claims(place.target, int(value))
            elif name == "research_seconds" and value and place.target is not None:
                self.rating = edit.with_seconds(self.rating, place.target, value)
            elif asking is not None and value is not None:
                at = _outwards(place, asking.question.per)
                self.rating = edit.with_answer(self.rating, at, name, value)

    def _gather(self, place: Place, side: str, count: int) -> None:
        stance, url = _PAGES[side]
        for number in range(min(count, len("abc"))):
            name = edit.new_id("e", [one.id for one in self.rating.evidence])
            piece = Evidence(
                id=name,
                target=place.target,
                response=place.response if place.target is None else None,
                stance=stance,
                url=f"{url}-{number + 1}",
                quote="So it stands there.",
            )
            self.rating = edit.with_evidence(self.rating, piece)

    def _record_claims(self, target: str, count: int) -> None:
        span = self.task.target(target)
        text = (span.quote or "") if span is not None else ""
        for number in range(1, min(count, 3) + 1):
            self.rating = edit.with_claim(self.rating, target, Claim(id=f"c{number}", text=text))

    def _fill(self, place: Place, goal: Question | None) -> None:
        """Answer what is required here and what was looked for, until nothing is open."""
        for _ in range(_MOST_ROUNDS):
            outcome = self._see()
            open_here = (
                (where, one.question)
                for where in _wheres(outcome, place)
                for one in outcome.asked[where]
                if one.value is None and (one.required or one.question == goal)
            )
            found = next(open_here, None)
            if found is None:
                return
            where, question = found
            decided = outcome.decided.get(where, {}).get(question.id)
            value = decided.value if decided is not None else self._pick(question)
            self.rating = edit.with_answer(self.rating, outcome.places[where], question.id, value)

    def _pick(self, question: Question) -> Any:
        """Another answer at each turn, so that not every place looks the same."""
        domain = self.rubric.questions[question.id].domain
        if isinstance(domain, Steps):
            steps = domain.all()
            return steps[(self.rubric.order[question.id] + self._turn) % len(steps)]
        if isinstance(domain, SomeOf):
            return list(domain.values[: 1 + self._turn % len(domain.values)])
        if isinstance(domain, Amount):
            return next(iter(domain.witnesses(())), 0)
        return question.choices[self._turn % len(question.choices)].id if question.choices else _WORDS

    def _asked(self, place: Place) -> set[str]:
        outcome = check(self.rubric, self.task, self.rating)
        return {one.question.id for where in _wheres(outcome, place) for one in outcome.asked[where]}

    def _see(self) -> Outcome:
        """Whatever is asked anywhere now is seen."""
        outcome = check(self.rubric, self.task, self.rating)
        self.seen.update(one.question.id for asked in outcome.asked.values() for one in asked)
        return outcome


def _wheres(outcome: Outcome, place: Place) -> list[str]:
    """Where something is asked of a place, and of the claims inside it."""
    if place.target is not None:
        return [where for where in outcome.asked if outcome.places[where].target == place.target]
    return [where for where in outcome.asked if outcome.places[where] == place]


def _outwards(place: Place, scope: Scope) -> Place:
    """The place of a scope around this one."""
    if scope == "task":
        return TASK
    return Place(response=place.response) if scope == "response" else place


def _flat(condition: Condition) -> Condition:
    """What is asked of some claim, asked of the target itself."""
    inner = _flat(condition.some_claim) if condition.some_claim is not None else Condition()
    ways = tuple(map(_flat, condition.alternatives))
    if inner.alternatives:
        ways = tuple(
            Condition(tests=(*one.tests, *other.tests), alternatives=(*one.alternatives, *other.alternatives))
            for one in ways or (Condition(),)
            for other in inner.alternatives
        )
    tests = (*condition.tests, *inner.tests)
    return replace(condition, tests=tests, alternatives=ways, some_claim=None)
