"""Structs of a format whose unknown keys are kept and come out again.

A newer program may write keys that this one does not know. They travel in `unknown`, at each level where they stood.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from desktop_rater.model.ready import ready

_UNKNOWN = "unknown"  # a key of a file that is named so is itself an unknown one, and moves into it


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a file. A field that is `None` is not known and is not written."""

    unknown: dict[str, Any] = {}


K = TypeVar("K", bound=Kept)


def from_plain(raw: Any, shape: type[K]) -> K:
    """Make a struct of decoded JSON. `raw` is used up: its unknown keys are moved.

    Raises `msgspec.ValidationError` with the path of the field that does not fit.
    """
    _fold(raw, _shape(shape))
    return msgspec.convert(raw, ready(shape))


def to_plain(value: Any) -> Any:
    """Dicts, lists, strings and numbers, ready for JSON, with the unknown keys in their places."""
    # Most of a rating is texts, and a call for each would cost more than all the rest.
    if isinstance(value, Kept):
        plain = {}
        for name, key in _fields(type(value)):
            part = getattr(value, name)
            if part is not None:
                plain[key] = part if type(part) is str else to_plain(part)
        plain.update(value.unknown)
        return plain
    if isinstance(value, dict):
        return {key: part if type(part) is str else to_plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [part if type(part) is str else to_plain(part) for part in value]
    return value


@cache
def _shape(shape: type[Kept]) -> inspect.StructType:
    info = inspect.type_info(shape)
    if not isinstance(info, inspect.StructType):
        raise TypeError(shape)
    return info


@cache
def _fields(shape: type[Kept]) -> tuple[tuple[str, str], ...]:
    fields = msgspec.structs.fields(shape)
    return tuple((field.name, field.encode_name) for field in fields if field.encode_name != _UNKNOWN)


@cache
def _known(shape: type[Kept]) -> tuple[frozenset[str], tuple[tuple[str, inspect.Type], ...]]:
    """The keys of a struct, and those below which structs can stand."""
    fields = [field for field in _shape(shape).fields if field.encode_name != _UNKNOWN]
    nested = tuple((field.encode_name, field.type) for field in fields if _holds_structs(field.type))
    return frozenset(field.encode_name for field in fields), nested


def _holds_structs(info: inspect.Type) -> bool:
    match info:
        case inspect.StructType():
            return True
        case inspect.VarTupleType(item_type=item) | inspect.DictType(value_type=item):
            return _holds_structs(item)
        case inspect.UnionType(types=types):
            return any(map(_holds_structs, types))
    return False


def _fold(raw: Any, info: inspect.Type) -> None:
    match info:
        case inspect.StructType(cls=shape) if isinstance(raw, dict):
            keys, nested = _known(shape)
            strange = [key for key in raw if key not in keys]
            if strange:
                raw[_UNKNOWN] = {key: raw.pop(key) for key in strange}
            for key, child in nested:
                if key in raw:
                    _fold(raw[key], child)
        case inspect.VarTupleType(item_type=item) if isinstance(raw, list):
            for part in raw:
                _fold(part, item)
        case inspect.DictType(value_type=item) if isinstance(raw, dict):
            for part in raw.values():
                _fold(part, item)
        case inspect.UnionType(types=types):
            for part in types:
                _fold(raw, part)
