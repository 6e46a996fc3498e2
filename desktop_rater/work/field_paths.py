"""The fields in which two objects differ, by their paths."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_rater.model.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PATHS = 20


def paths_that_differ(one: Any, other: Any) -> tuple[str, ...]:
    """Such as `prompt.text` and `responses.a.tools`: what has an id is named by it. The first 20."""
    return tuple(islice(_paths(one, other, ""), MOST_PATHS))


def _paths(one: Any, other: Any, path: str) -> Iterator[str]:
    ones, others = _named(one), _named(other)
    if ones is None or others is None:
        if canonical(one) != canonical(other):
            yield path
        return
    common = [key for key in ones if key in others]
    if isinstance(one, list) and common != [key for key in others if key in ones]:
        yield path
    for key in dict.fromkeys((*ones, *others)):
        below = f"{path}.{key}" if path else key
        if key in ones and key in others:
            yield from _paths(ones[key], others[key], below)
        else:
            yield below


def _named(value: Any) -> dict[str, Any] | None:
    """The parts of an object by their keys, and those of a list by their ids, where each has one of its own."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(part, dict) and isinstance(part.get("id"), str) for part in value):
        parts = {part["id"]: part for part in value}
        return parts if len(parts) == len(value) else None
    return None
