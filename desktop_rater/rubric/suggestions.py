"""What a bundle suggests: what of it a rubric offers, what a rater confirms, and what became of it. Pure.

A suggestion is no answer. It becomes one where a rater confirms it or gives the same answer, and is counted by what is
answered and asked at its place, whoever saves, rates or checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.model import edit
from desktop_rater.model.place import Place
from desktop_rater.rubric.check import check
from desktop_rater.rubric.values import same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from desktop_rater.model.rating import Rating, SuggestionCounts
    from desktop_rater.model.task import Task
    from desktop_rater.rubric.check import Outcome
    from desktop_rater.rubric.compiled import Rubric

_LONGEST = 60


class Suggestion(Struct, frozen=True):
    """A value for a question at a place, which the rubric offers there."""

    place: Place
    question: str
    value: Any


class Strange(Struct, frozen=True):
    """A suggestion that is ignored: the target that it names, if it names one, and why."""

    target: str | None
    why: str


def where_of(place: Place) -> str:
    """How an outcome names the target, the response or the task."""
    if place.target is not None:
        return f"targets/{place.target}"
    return f"responses/{place.response}" if place.response is not None else "task"


def places_of(task: Task) -> tuple[Place, ...]:
    """Where something can be suggested."""
    responses = (Place(response=one.id) for one in task.responses)
    targets = (Place(response=one.response, target=one.id) for one in task.targets or ())
    return (Place(), *responses, *targets)


def usable(rubric: Rubric, task: Task) -> Iterator[Suggestion]:
    """Every suggestion that can be given as an answer at its place."""
    if task.suggestions is None:
        return
    for place in places_of(task):
        for name, value in _raw(task, place).items():
            if not _why_not(rubric, place, name, value):
                yield Suggestion(place, name, value)


def strange(rubric: Rubric, task: Task) -> Iterator[Strange]:
    """Every suggestion that is ignored, since the rubric does not offer it or the task has no such place."""
    if task.suggestions is None:
        return
    for place in places_of(task):
        for name, value in _raw(task, place).items():
            why = _why_not(rubric, place, name, value)
            if why:
                yield Strange(place.target, f"{_words_of(place)}{why}")
    targets = {one.id for one in task.targets or ()}
    for name in task.suggestions.targets:
        if name not in targets:
            yield Strange(name, f'suggestions for the target "{name[:_LONGEST]}", which is not there')
    for name in task.suggestions.responses:
        if task.response(name) is None:
            yield Strange(None, f'suggestions for the response "{name[:_LONGEST]}", which is not there')


def open_at(rubric: Rubric, task: Task, rating: Rating, outcome: Outcome, place: Place) -> dict[str, Any]:
    """What is suggested at a place and is no answer of the rater's yet: question → value.

    A suggestion for a target with claims is one for the whole; what is asked of its claims is not answered by it.
    """
    if task.suggestions is None or place.claim is not None or rating.status == "skipped":
        return {}
    if not _raw(task, place):
        return {}
    own = edit.answers_at(rating, place)
    split = any(where.startswith(f"{where_of(place)}/claims/") for where in outcome.kept)
    return {
        name: value
        for name, value in _raw(task, place).items()
        if name not in own
        and not _why_not(rubric, place, name, value)
        and not (split and rubric.questions[name].question.per == "claim")
    }


def confirmed(rubric: Rubric, task: Task, rating: Rating, places: Iterable[Place], only: str | None = None) -> Rating:
    """The rating with what is suggested and asked there as its answers, and with what that brings up.

    `only` is the one question that is confirmed. The same rating where nothing of it is open.
    """
    places = tuple(places)
    while True:
        outcome = check(rubric, task, rating)
        before = rating
        for place in places:
            asked = {one.question.id for one in outcome.asked.get(where_of(place), ())}
            for name, value in open_at(rubric, task, rating, outcome, place).items():
                if name in asked and only in (None, name):
                    rating = edit.with_answer(rating, place, name, value)
        if rating == before:
            return rating


def counted(rubric: Rubric, task: Task, rating: Rating, outcome: Outcome) -> SuggestionCounts:
    """What became of the suggestions: answered as suggested, answered otherwise, not answered.

    What is not asked is not answered, so the figures are those of the form that leaves.
    """
    accepted = changed = ignored = 0
    given: dict[str, dict[str, Any]] = {}
    for one in usable(rubric, task):
        where = where_of(one.place)
        if where not in given:
            given[where] = {asked.question.id: asked.value for asked in outcome.asked.get(where, ())}
        value = given[where].get(one.question)
        ignored += value is None
        accepted += value is not None and alike(value, one.value)
        changed += value is not None and not alike(value, one.value)
    return replace(rating.suggestions, accepted=accepted, changed=changed, ignored=ignored)


def _raw(task: Task, place: Place) -> Mapping[str, Any]:
    if task.suggestions is None:
        return {}
    if place.target is not None:
        return task.suggestions.targets.get(place.target, {})
    if place.response is not None:
        return task.suggestions.responses.get(place.response, {})
    return task.suggestions.task


def _why_not(rubric: Rubric, place: Place, name: str, value: Any) -> str:
    """Why a suggestion can't be given there; empty where it can."""
    asking = rubric.questions.get(name)
    scope = "target" if place.target is not None else "response" if place.response is not None else "task"
    if asking is None or asking.question.per not in (scope, "claim" if scope == "target" else scope):
        return f'"{name[:_LONGEST]}" is suggested, and is no question of a {scope}'
    if not asking.domain.offers(value):
        return f'"{_short(value)}" is suggested for "{name}", which does not offer it'
    return ""


def _words_of(place: Place) -> str:
    if place.target is not None:
        return f'target "{place.target}": '
    return f'response "{place.response}": ' if place.response is not None else ""


def _short(value: Any) -> str:
    words = value if isinstance(value, str) else repr(value)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def alike(one: Any, other: Any) -> bool:
    """Whether two answers say the same; of several choices the order is nobody's judgement."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        rest = list(other)
        for part in one:
            at = next((at for at, known in enumerate(rest) if same(part, known)), None)
            if at is None:
                return False
            del rest[at]
        return not rest
    return same(one, other)
