"""One question to a language model, and when an answer to it is one."""

from __future__ import annotations

from typing import Any

import msgspec

from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.strict_json import NotSound, read_object
from desktop_rater.oracle.prompts import About, Prompt

_MOST_TEXT = 2_000


class Piece(msgspec.Struct, frozen=True):
    """A text that is data. `name` is ours, such as "points" or "text"."""

    name: str
    text: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """`schema`: what the answer must be. `most_tokens`: how long it may become."""

    about: About
    pieces: tuple[Piece, ...]
    schema: dict[str, Any]
    most_tokens: int

    def key(self, model: str, prompt: Prompt) -> str:
        """By which an answer is found again: the same question to the same model by the same prompt."""
        pieces = [[piece.name, piece.text] for piece in self.pieces]
        return sha256(canonical([self.about, model, prompt.sha256, pieces, self.schema]))


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answered, as it came. `served` is the model by its own account; tokens are 0 where it is silent.

    `sha256` is that of `text`, `prompt` that of our prompt. `why`: the last of `tries` answers was none.
    """

    key: str
    about: About
    model: str
    prompt: str
    text: str
    served: str = ""
    sha256: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tries: int = 1
    why: str = ""
    at: str = ""


class NoAnswer(Exception):
    """A reply is not what was asked for; the text says why, and quotes nothing of it."""


def read_reply(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The value in a reply. Raises `NoAnswer` for anything but one JSON object that fits the schema."""
    try:
        value = read_object(text.strip().encode())
    except (NotSound, UnicodeEncodeError):
        raise NoAnswer("it is not one JSON object") from None
    _check(value, schema)
    return value


def _check(value: Any, schema: dict[str, Any]) -> None:
    """As JSON Schema, of which our own schemas use no more than this."""
    match schema["type"]:
        case "object" if isinstance(value, dict):
            if value.keys() != schema["properties"].keys():
                raise NoAnswer("it does not hold the entries that were asked for")
            for name, inner in schema["properties"].items():
                _check(value[name], inner)
        case "array" if isinstance(value, list):
            if len(value) > schema["maxItems"]:
                raise NoAnswer("it lists more than was asked for")
            for one in value:
                _check(one, schema["items"])
        case "string" if isinstance(value, str):
            if "enum" in schema and value not in schema["enum"]:
                raise NoAnswer("it says something that was not offered")
            if len(value) > _MOST_TEXT:
                raise NoAnswer("it is longer than was asked for")
        case _:
            raise NoAnswer("it has another shape than was asked for")


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with exactly these entries."""
    names = list(properties)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def list_of(items: dict[str, Any], most: int) -> dict[str, Any]:
    """The schema of a list. `maxItems` is checked here, since strict servers refuse the word."""
    return {"type": "array", "items": items, "maxItems": most}


def choice_of(values: list[str]) -> dict[str, Any]:
    """The schema of one of some words."""
    return {"type": "string", "enum": values}


TEXT: dict[str, Any] = {"type": "string"}


def as_sent(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as strict servers take it."""
    plain = {key: value for key, value in schema.items() if key != "maxItems"}
    if "properties" in plain:
        plain["properties"] = {name: as_sent(inner) for name, inner in plain["properties"].items()}
    if "items" in plain:
        plain["items"] = as_sent(plain["items"])
    return plain
