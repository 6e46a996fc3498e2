"""A record of a source as the struct that its format says it is."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.ready import ready
from desktop_rater.model.strict_json import NotSound, read_value

S = TypeVar("S", bound=msgspec.Struct)


def shaped(plain: Any, shape: type[S], where: str) -> S:
    """The struct; keys that it does not name are passed over. Raises `Fault`: `where`, then which field and why."""
    try:
        return msgspec.convert(plain, ready(shape))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        field = path.strip("`").removeprefix("$").removeprefix(".")
        words = f"{message[:1].lower()}{message[1:]}"
        raise Fault(f"{where}: `{field}`: {words}" if field else f"{where}: {words}") from error


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"
    return "a number"


def depth_of(value: Any) -> int:
    """How many lists and objects stand inside one another, one more for the value at the bottom."""
    deepest = 0
    level = [value]
    while level:
        deepest += 1
        level = [
            part
            for one in level
            for part in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
        ]
    return deepest


def put(plain: dict[str, Any], key: str, value: Any, line: int) -> None:
    """Put a member to the object that it belongs to. Raises `Fault` where it stands there with another value."""
    if plain.setdefault(key, value) != value:
        raise Fault(f"line {line}: `{key}` stands there twice, with different values")


def unpacked(value: Any) -> Any:
    """The list or object that a text writes down as JSON; what is none, or breaks a limit of the formats, as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        return read_value(value.encode())
    except (NotSound, UnicodeEncodeError):
        return value
