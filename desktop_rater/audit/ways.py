"""Ways to each label of a place by a rubric: answers and evidence that hold there. For made-up raters."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.judged import main_question
from desktop_rater.audit.mending import Mending
from desktop_rater.model import edit
from desktop_rater.model.place import Place
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Claim, Evidence, Rating
from desktop_rater.rubric.reading import BY_CLAIMS
from desktop_rater.rubric.worlds import World, holds, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.model.task import Target, Task
    from desktop_rater.rubric import Outcome, Rubric

_MOST_WORLDS, _ENOUGH = 40, 4


class Way(msgspec.Struct, frozen=True):
    """What stands at one target: its answers, claims and evidence."""

    answers: dict[str, Any]
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]


def values_at(outcome: Outcome, where: str) -> dict[str, Any]:
    """What a place says: what is combined there, else what was answered."""
    given = {one.question.id: one.value for one in outcome.asked.get(where, ()) if one.value is not None}
    decided = outcome.decided.get(where, {})
    return given | {name: one.value for name, one in decided.items() if one.by == BY_CLAIMS}


def way_of(rating: Rating, target: str) -> Way:
    """What a rating has at a target."""
    return Way(
        rating.answers.targets.get(target, {}),
        rating.claims.get(target, ()),
        tuple(one for one in rating.evidence if one.target == target),
    )


def with_way(rating: Rating, target: str, way: Way) -> Rating:
    """The rating with that at the target, and nothing else there."""
    evidence = [one for one in rating.evidence if one.target != target]
    for piece in way.evidence:
        name = edit.new_id("e", [one.id for one in evidence])
        evidence.append(replace(piece, id=name, target=target))
    answers = replace(rating.answers, targets={**rating.answers.targets, target: way.answers})
    claims = {name: known for name, known in rating.claims.items() if name != target}
    if way.claims:
        claims[target] = way.claims
    return replace(rating, answers=answers, claims=claims, evidence=tuple(evidence))


class Ways:
    """The ways to the labels of targets. They are looked for with the first target, and hold for all."""

    def __init__(self, rubric: Rubric, random: Random) -> None:
        self.rubric = rubric
        main = main_question(rubric)
        self.main: Judged | None = main if main is not None and main.per == "target" and main.looks else None
        self._random = random
        self._found: dict[Value, tuple[Way, ...]] = {}

    def to(self, label: Value, task: Task, target: Target) -> tuple[Way, ...]:
        """Some ways to a label; none where the rubric leads to it by claims alone, or not at all."""
        if self.main is None:
            return ()
        if label not in self._found:
            alone = replace(task, targets=(target,))
            self._found[label] = tuple(islice(self._search(self.main, label, alone, target), _ENOUGH))
        return self._found[label]

    def base(self, rating: Rating, task: Task, target: Target) -> tuple[Value | None, Way | None]:
        """The label that a rating has at a target, and what it has there, mended where it does not hold."""
        alone = replace(task, targets=(target,))
        own = with_way(Rating(task=task.id, answers=replace(rating.answers, targets={})), target.id,
                       way_of(rating, target.id))  # fmt: skip
        mended = Mending(self.rubric, alone, self._random).mended(replace(own, links_opened=rating.links_opened))
        if mended is None or self.main is None:
            return None, None
        label = self.main.value(values_at(mended[1], f"targets/{target.id}"))
        return label, way_of(mended[0], target.id)

    def _search(self, main: Judged, label: Value, task: Task, target: Target) -> Iterator[Way]:
        mending = Mending(self.rubric, task, self._random)
        for begun in self._beginnings(main, label, mending, target):
            mended = mending.mended(begun)
            if mended is not None and main.value(values_at(mended[1], f"targets/{target.id}")) == label:
                yield way_of(mended[0], target.id)

    def _beginnings(self, main: Judged, label: Value, mending: Mending, target: Target) -> Iterator[Rating]:
        empty = Rating(task=mending.task.id)
        place = Place(response=target.response, target=target.id)
        for question, value, closes in main.closing:
            if closes == label:
                yield edit.with_answer(empty, place, question, value)
        if any(closes == label for _, _, closes in main.closing):
            return
        asking = self.rubric.questions[main.question]
        rows = [one for scope in self.rubric.deciding.values() for one in scope]
        whens = [one.when for one in rows if one.row.sets == main.question and one.row.then == label]
        for when in whens:
            found = worlds(self.rubric, (when, asking.relevant)) or []
            fitting = [world for world in found if holds(when, world) and holds(asking.relevant, world)]
            for world in fitting[:_MOST_WORLDS]:
                yield _made_so(empty, place, world, mending, {main.question: label})
        for world in (worlds(self.rubric, (asking.relevant,)) or [])[:_MOST_WORLDS]:
            if holds(asking.relevant, world):
                yield _made_so(empty, place, world, mending, {main.question: label})


def _made_so(rating: Rating, place: Place, world: World, mending: Mending, also: dict[str, Any]) -> Rating:
    for name, value in {**world, **also}.items():
        if value is None:
            continue
        if name in {"supporting", "contradicting"}:
            for _ in range(min(int(value), 2)):
                rating = mending.gathered(rating, place, SUPPORTING if name == "supporting" else CONTRADICTING)
        elif name in mending.rubric.questions:
            per = mending.rubric.questions[name].question.per
            at = (
                place
                if per in {"target", "claim"}
                else Place(response=place.response)
                if per == "response"
                else Place()
            )
            rating = edit.with_answer(rating, at, name, value)
    return rating
