"""Pairs of responses as a rater sees them: in the other order, where the task says so.

The display's terms differ from those of the files in the ids of the two responses, which are exchanged, and in the
answers that compare them, which are mirrored. Each function is its own inverse.
"""

from typing import Any, TypeVar

from msgspec.structs import replace

from desktop_rater.format.rating import Rating
from desktop_rater.format.rubric import Question
from desktop_rater.format.task import Task
from desktop_rater.format.values import Answers, Place
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import is_number

_SIDES = (("a", "b", "c"), ("first", "second", "third"), ("1", "2", "3"))
_OTHER = {name: other for first, second, _ in _SIDES for name, other in ((first, second), (second, first))}
FIRST_SIDE = frozenset(first for first, _, _ in _SIDES)
SECOND_SIDE = frozenset(second for _, second, _ in _SIDES)

_Ids = dict[str | None, str]
A = TypeVar("A", bound=Answers)


def is_comparison(question: Question) -> bool:
    """Tell if a question compares two responses: about the task, on a scale around 0, or a choice between responses.

    A negative step prefers the first response.
    """
    if question.per != "task":
        return False
    if question.kind == "scale":
        return question.min is not None and question.max is not None and question.min == -question.max
    names = {choice.id.casefold() for choice in question.choices}
    return question.kind == "choice" and any(names & set(sides) == set(sides[:2]) for sides in _SIDES)


def exchanged_task(rubric: Rubric, task: Task) -> Task:
    """Return a task as its rater sees it, or in the terms of its file again; as it is without a `display_order`."""
    if task.display_order is None:
        return task
    ids, given, returned = _other_ids(task.display_order), task.suggestions, task.returned
    if returned is not None:
        comments = tuple(replace(comment, where=_other_place(comment.where, ids)) for comment in returned.comments)
        rating = exchanged_rating(rubric, returned.rating, task.display_order)
        returned = replace(returned, comments=comments, rating=rating)
    return replace(
        task,
        responses=tuple(replace(response, id=ids[response.id]) for response in reversed(task.responses)),
        targets=task.targets
        and tuple(replace(target, response=ids.get(target.response, target.response)) for target in task.targets),
        suggestions=None if given is None else _exchanged_answers(rubric, given, ids),
        returned=returned,
    )


def exchanged_rating(rubric: Rubric, rating: Rating, order: tuple[str, str] | None) -> Rating:
    """Return a rating in the terms of its task as the rater sees it, or in those of the file again.

    Decided values and problems are left out, since they follow from the rest.
    """
    if order is None:
        return rating
    ids, held_out = _other_ids(order), rating.suggestions.held_out or ()
    hidden = tuple(_other_place(where, ids) for where in held_out) or None
    return replace(
        rating,
        suggestions=replace(rating.suggestions, held_out=hidden),
        answers=_exchanged_answers(rubric, rating.answers, ids),
        evidence=tuple(replace(piece, response=ids.get(piece.response, piece.response)) for piece in rating.evidence),
        research=tuple(replace(entry, response=ids.get(entry.response, entry.response)) for entry in rating.research),
        acknowledged=tuple(replace(seen, where=_other_place(seen.where, ids)) for seen in rating.acknowledged),
        decided={},
        problems=(),
        display_order=order,
    )


def exchanged_place(place: Place, order: tuple[str, str] | None) -> Place:
    """Return a place in the terms of the display, or in those of the file again."""
    ids = {} if order is None else _other_ids(order)
    return replace(place, response=ids.get(place.response, place.response))


def _exchanged_answers(rubric: Rubric, given: A, ids: _Ids) -> A:
    return replace(
        given,
        task={name: _mirrored(rubric, name, value) for name, value in given.task.items()},
        responses={ids.get(name, name): answers for name, answers in given.responses.items()},
    )


def _mirrored(rubric: Rubric, name: str, value: Any) -> Any:
    """Return an answer with the two responses exchanged; as it is unless it compares them."""
    compiled = rubric.questions.get(name)
    if compiled is None or not is_comparison(compiled.question):
        return value
    if compiled.question.kind == "scale":
        return 0 - value if is_number(value) else value
    other = _OTHER.get(value.casefold()) if isinstance(value, str) else None
    return next((choice.id for choice in compiled.question.choices if choice.id.casefold() == other), value)


def _other_ids(order: tuple[str, str]) -> _Ids:
    first, second = order
    return {first: second, second: first}


def _other_place(where: str, ids: _Ids) -> str:
    kind, _, rest = where.partition("/")
    name, sign, more = rest.partition("/")
    return f"{kind}/{ids.get(name, name)}{sign}{more}" if kind == "responses" else where
