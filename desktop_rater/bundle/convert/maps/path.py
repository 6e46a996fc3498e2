"""Paths into a record: keys, indexes, each entry of a list, and entries with a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Literal

import msgspec

from desktop_rater.bundle.convert.conversion import parsed_json_text
from desktop_rater.bundle.errors import BundleFault

CONSTANT = "="
"""First character of a path that is a text itself."""
OR = " | "
_MOST_STEPS = 32
_DIGITS = 10
_STEP = re.compile(
    r"""\.?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<key>[^.\[\]"]+))"""
    r"""|\[(?P<index>-?\d{1,9}|last|keys|\*?)\]"""
    r"""|\[\?(?P<filter>[^\[\]=!]+?)\s*(?P<sign>!?=)\s*(?P<value>[^\[\]]*)\]"""
)
_PLAIN_KEY = re.compile(r"""[^.\[\]"=][^.\[\]"]*""")


class PathStep(msgspec.Struct, frozen=True):
    """Step of a path. `filter`: entries whose `key` is, or with `negated` is not, `value`; `index` chooses one.

    `names`: the keys of an object, in the place of its values.
    """

    kind: Literal["key", "index", "each", "filter", "names"]
    key: str = ""
    index: int | None = None
    value: str = ""
    negated: bool = False


class PathMatch(msgspec.Struct, frozen=True):
    """Value at a path, and the indexes of the entries on the way, which align it with values at other paths."""

    indexes: tuple[int, ...]
    value: Any


@lru_cache(maxsize=4096)
def parse_path(text: str) -> tuple[PathStep, ...]:
    """Parse `a.b[0].c[*].d[?role=user][last]`. Raises `BundleFault`."""
    steps: list[PathStep] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (position == 0 and text.startswith(".")) or len(steps) >= _MOST_STEPS:
            why = "has too many steps" if len(steps) >= _MOST_STEPS else f"can't be read at {text[position:][:20]!r}"
            raise BundleFault(f"The path {text[:80]!r} {why}")
        if match["filter"] is not None:
            steps.append(
                PathStep("filter", match["filter"].strip(), None, _value(match["value"]), match["sign"] == "!=")
            )
        elif match["index"] is not None:
            _add_index(steps, match["index"])
        else:
            if position and not match[0].startswith("."):
                raise BundleFault(f"The path {text[:80]!r} has no full stop before {match[0][:20]!r}")
            quoted = match["quoted"]
            steps.append(PathStep("key", match["key"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)))
        position = match.end()
    if not steps:
        raise BundleFault("A path is empty")
    return tuple(steps)


def _value(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def _add_index(steps: list[PathStep], text: str) -> None:
    if text in ("", "*"):
        steps.append(PathStep("each"))
        return
    if text == "keys":
        steps.append(PathStep("names"))
        return
    index = -1 if text == "last" else int(text)
    if steps and steps[-1].kind == "filter" and steps[-1].index is None:
        steps[-1] = msgspec.structs.replace(steps[-1], index=index)  # an index after a filter counts its matches
    else:
        steps.append(PathStep("index", index=index))


def quoted_key(key: str) -> str:
    """Return a key as a path writes it."""
    if _PLAIN_KEY.fullmatch(key):
        return key
    return '"' + key.replace("\\", r"\\").replace('"', r"\"") + '"'


def alternatives(path: str) -> list[str]:
    """Return the paths of which the first that finds something counts: `a.b | c`."""
    return path.split(OR)


def is_many(path: str) -> bool:
    """Return whether a path may have more than one match."""
    return any(
        step.kind in ("each", "names") or (step.kind == "filter" and step.index is None)
        for part in alternatives(path)
        if not part.startswith(CONSTANT)
        for step in _steps({}, part)
    )


def matches(record: Mapping[str, Any], path: str) -> list[PathMatch]:
    """Return the values at a path. A key with exactly the name of the path comes first; JSON in a text is entered."""
    if OR in path and path not in record:
        return next((hits for part in alternatives(path) if (hits := matches(record, part))), [])
    if path.startswith(CONSTANT) and path not in record:
        return [PathMatch((), path[1:])]
    return list(_walk(record, _steps(record, path), ()))


def _steps(record: Mapping[str, Any], path: str) -> tuple[PathStep, ...]:
    if path in record:
        return (PathStep("key", path),)
    try:
        return parse_path(path)
    except BundleFault:  # a column of a table may have any name
        return (PathStep("key", path),)


def _walk(value: Any, steps: tuple[PathStep, ...], indexes: tuple[int, ...]) -> Iterator[PathMatch]:
    if not steps:
        yield PathMatch(indexes, value)
        return
    step, *rest = steps
    for number, part in _parts(parsed_json_text(value), step):
        yield from _walk(part, tuple(rest), indexes if number is None else (*indexes, number))


def _parts(value: Any, step: PathStep) -> Iterator[tuple[int | None, Any]]:
    """Yield what a step finds, with its index in a list if the path goes to several entries."""
    if isinstance(value, list):
        several = step.kind == "each" or (step.kind == "filter" and step.index is None)
        for number in _indexes(value, step):
            yield (number if several else None), value[number]
    elif isinstance(value, dict):
        if step.kind == "each":
            yield from enumerate(value.values())
        elif step.kind == "names":
            yield from enumerate(value)
        elif step.kind == "key" and (key := _key(value, step.key)) is not None:
            yield None, value[key]


def _indexes(entries: list[Any], step: PathStep) -> list[int]:
    """Return the indexes of the entries that a step finds in a list."""
    numbers = list(range(len(entries)))
    if step.kind == "filter":
        numbers = [number for number in numbers if _has(entries[number], step) != step.negated]
    index = int(step.key) if step.kind == "key" and step.key.isdecimal() and len(step.key) < _DIGITS else step.index
    if index is not None:
        return [numbers[index]] if -len(numbers) <= index < len(numbers) else []
    return [] if step.kind in ("key", "names") else numbers


def _key(value: dict[str, Any], name: str) -> str | None:
    """Return the key with this name, or the first that a name with `*` fits."""
    if name in value or "*" not in name:
        return name if name in value else None
    return next((key for key in value if fnmatchcase(key, name)), None)


def _has(part: Any, step: PathStep) -> bool:
    values = [match.value for match in matches(part, step.key)] if isinstance(part, dict) else []
    return any(
        label_text(value) == step.value or (isinstance(value, list) and step.value in map(label_text, value))
        for value in values
    )


def label_text(value: Any) -> str:
    """Return a value as the key of a table of labels."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
    return str(value)


def without_paths(record: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    """Return a copy of the record without the values at these paths, and without containers that become empty."""
    rest: Any = record
    for path in paths:
        for part in [path] if path in record else alternatives(path):
            if not part.startswith(CONSTANT) or part in record:
                rest = _pruned(rest, _steps(record, part))
    return rest if isinstance(rest, dict) else {}


_GONE = object()


def _pruned(value: Any, steps: tuple[PathStep, ...]) -> Any:
    """Return a copy without what the steps find; `_GONE` if nothing is left."""
    if not steps:
        return _GONE
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and value:
        key = _key(value, step.key) if step.kind == "key" else None
        keys = list(value) if step.kind == "each" else [key] if key is not None else []
        parts = {**value, **{key: _pruned(value[key], rest) for key in keys}}
        return {key: part for key, part in parts.items() if part is not _GONE} or _GONE
    if isinstance(value, list):
        hits = set(_indexes(value, step))
        left = [_pruned(part, rest) if number in hits else part for number, part in enumerate(value)]
        rest_of_list = [{} if part is _GONE else part for part in left]
        return rest_of_list if any(part not in ({}, []) for part in rest_of_list) else _GONE
    return value
