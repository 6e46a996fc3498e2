"""Where a rater can stand in a task, what is asked there, and what comes next. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rater.model.place import TASK, Place
from desktop_rater.rubric.condition import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.model.rating import Claim, Problem, Rating
    from desktop_rater.model.rubric import Condition, Question
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Asked, Outcome, Rubric

REQUIRED = "required:"
LINK_FACTS = {"links_unopened", "tool_links_unopened"}


@dataclass(frozen=True)
class Shown:
    """A question in the form: `where` it is asked, and the place that its answer is given to."""

    where: str
    place: Place
    asked: Asked

    @property
    def question(self) -> Question:
        return self.asked.question

    @property
    def open(self) -> bool:
        """Whether an answer is missing that has to be there."""
        return self.asked.required and self.asked.value is None


def where_of(place: Place) -> str:
    """How problems name a place; evidence is left aside."""
    if place.target is not None:
        return f"targets/{place.target}" + (f"/claims/{place.claim}" if place.claim is not None else "")
    return f"responses/{place.response}" if place.response is not None else "task"


def stop_of(place: Place) -> Place:
    """The target, the response or the task that a place belongs to."""
    return Place(response=place.response, target=place.target)


def stops(rubric: Rubric, task: Task, outcome: Outcome) -> tuple[Place, ...]:
    """What is rated one after the other: the targets of each response, the response itself, then the whole task."""
    evidence = rubric.file.evidence
    per_response = bool(rubric.asking["response"]) or (evidence is not None and evidence.per == "response")
    found: list[Place] = []
    for response in task.responses:
        if rubric.per_target:
            mine = [target for target in task.targets or () if target.response == response.id]
            mine.sort(key=lambda target: target.start or 0)
            found += [Place(response=response.id, target=target.id) for target in mine]
        if per_response:
            found.append(Place(response=response.id))
    if not found or outcome.asked.get(where_of(TASK)):
        found.append(TASK)
    return tuple(found)


def shown_at(rubric: Rubric, outcome: Outcome, place: Place) -> tuple[Shown, ...]:
    """The questions of a place in the rubric's order; with a claim, its own and those of its target."""
    stop = stop_of(place)
    found = [Shown(where_of(stop), stop, asked) for asked in outcome.asked.get(where_of(stop), ())]
    if place.claim is not None:
        claim = Place(response=place.response, target=place.target, claim=place.claim)
        found += [Shown(where_of(claim), claim, asked) for asked in outcome.asked.get(where_of(claim), ())]
        order = {name: index for index, name in enumerate(rubric.questions)}
        found.sort(key=lambda one: order[one.question.id])
    return tuple(found)


def claims_at(outcome: Outcome, rating: Rating, target: str | None) -> tuple[Claim, ...]:
    """The recorded claims of a target that are not hidden."""
    if target is None:
        return ()
    claims = rating.claims.get(target, ())
    return tuple(one for one in claims if f"targets/{target}/claims/{one.id}" in outcome.kept)


def next_open(shown: Sequence[Shown], after: str | None) -> Shown | None:
    """The next question without the answer it needs, after the one called `after`, round to the first again."""
    return next((one for one in _round(shown, after) if one.open), None)


def _round(shown: Sequence[Shown], after: str | None) -> Iterator[Shown]:
    start = next((index + 1 for index, one in enumerate(shown) if one.question.id == after), 0)
    yield from shown[start:]
    yield from shown[:start]


def blocked(outcome: Outcome) -> frozenset[Place]:
    """The stops where something blocks."""
    places = outcome.places
    return frozenset(stop_of(places[one.where]) for one in outcome.problems if one.level == "block")


def is_open(problem: Problem) -> bool:
    """Whether the problem is a question that is not answered yet."""
    return problem.rule.startswith(REQUIRED)


def is_about_links(rubric: Rubric, problem: Problem) -> bool:
    """Whether the problem is that links were not opened."""
    rule = next((one for one in rubric.file.rules if one.id == problem.rule), None)
    return rule is not None and rule.require is not None and not LINK_FACTS.isdisjoint(rule.require)


def concerns(rubric: Rubric, problem: Problem) -> str | None:
    """The question that a problem is about, if it is about one."""
    kind, _, name = problem.rule.partition(":")
    if kind == "required":
        return name
    if kind == "contradicts":
        return next((row.sets for row in rubric.file.decide if row.id == name), None)
    rule = next((one for one in rubric.file.rules if one.id == problem.rule), None)
    asked = rule.require or rule.when or {} if rule is not None else {}
    return next((one for one in _named(asked) if one in rubric.questions), None)


def _named(condition: Condition) -> Iterator[str]:
    """The names of a condition, those that stand in its `any` too."""
    for name, wanted in condition.items():
        if name == ANY:
            for one in wanted:
                yield from _named(one)
        else:
            yield name


def spoken(response: str) -> str:
    """How a response is called: "a" is A, as in the words of the rubrics."""
    return response.upper() if len(response) == 1 else response
