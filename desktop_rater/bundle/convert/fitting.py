"""Answers that go by the names of their source: those of them that a rubric asks and offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from desktop_rater.model.answers import Answers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop_rater.bundle.convert.converted import Converted
    from desktop_rater.model.rubric import Scope
    from desktop_rater.rubric import Rubric
    from desktop_rater.rubric.compiled import Asking


def fitted(one: Converted, rubric: Rubric) -> Converted:
    """The same with the suggestions and answers that fit; without a rating where none does."""
    task = {key: value for key, value in one.task.items() if key != "suggestions"}
    suggestions = _fitting(one.task.get("suggestions") or {}, rubric)
    if suggestions:
        task["suggestions"] = suggestions
    rating = one.rating
    if rating is not None:
        given = {
            "task": rating.answers.task,
            "responses": rating.answers.responses,
            "targets": rating.answers.targets,
        }
        answers = _fitting(given, rubric)
        rating = replace(rating, rubric=rubric.ref, answers=Answers(**answers)) if answers else None
    return replace(one, task=task, rating=rating)


def _fitting(given: Mapping[str, Any], rubric: Rubric) -> dict[str, Any]:
    scopes: dict[str, tuple[Scope, ...]] = {"responses": ("response",), "targets": ("target", "claim")}
    kept: dict[str, Any] = {"task": _of_one(given.get("task", {}), rubric, ("task",))}
    for name, asked in scopes.items():
        kept[name] = {id_: fits for id_, one in given.get(name, {}).items() if (fits := _of_one(one, rubric, asked))}
    return {name: part for name, part in kept.items() if part}


def _of_one(answers: Mapping[str, Any], rubric: Rubric, scopes: tuple[Scope, ...]) -> dict[str, Any]:
    fitting = {}
    for name, value in answers.items():
        asking = rubric.questions.get(name)
        if asking is not None and asking.question.per in scopes:
            found = _value(asking, value)
            if found is not None:
                fitting[name] = found
    return fitting


def _value(asking: Asking, value: Any) -> Any:
    """The value as the question offers it: choices also by their labels, and one of several by itself."""
    ids = {choice.label: choice.id for choice in asking.question.choices}
    several = value if isinstance(value, list) else [value]
    named = [ids.get(part, part) if isinstance(part, str) else part for part in several]
    for candidate in (named, *named[: len(named) == 1]):
        if asking.domain.offers(candidate):
            return candidate
    return None
