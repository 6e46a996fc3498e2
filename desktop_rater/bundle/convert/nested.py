"""Values inside objects, by names with full stops between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MISSING = object()


def leaf(record: Mapping[str, Any], name: str) -> Any:
    """The value of a key that is called so, else the one that the parts of the name lead to; `MISSING` without."""
    value: Any = record
    for key in _way(record, name):
        if not isinstance(value, dict) or key not in value:
            return MISSING
        value = value[key]
    return value


def without_leaves(record: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The record without these values. An object of which nothing is left is gone too; `record` stays as it is."""
    rest = record
    for name in names:
        rest = _without(rest, _way(record, name))
    return rest


def _way(record: Mapping[str, Any], name: str) -> list[str]:
    return [name] if name in record else name.split(".")


def _without(plain: dict[str, Any], way: list[str]) -> dict[str, Any]:
    key, *below = way
    if key not in plain:
        return plain
    part = plain[key]
    if below:
        if not isinstance(part, dict):
            return plain
        rest = _without(part, below)
        if rest:
            return {**plain, key: rest}
    return {name: value for name, value in plain.items() if name != key}
