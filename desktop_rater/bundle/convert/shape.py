"""A record of a source as the struct that its format says it is."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.ready import ready

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
