"""Requests to a language model: fixed instructions, untrusted data between markers, and validation of replies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from desktop_rater.model.strict_json import StrictJsonError, canonical_json, read_json_object, sha256
from desktop_rater.text.untrusted import spelled_out

_MOST_TEXT = 2_000


class DataPiece(msgspec.Struct, frozen=True):
    """Text sent as data. `name` is one of ours, such as "points" or "text"."""

    name: str
    text: str


class OracleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Request. `schema`: JSON schema of the answer. `most_tokens`: its maximum length.

    `instructions` follow those of the prompt; they are the lead's, never data.
    """

    about: RequestKind
    pieces: tuple[DataPiece, ...]
    schema: dict[str, Any]
    most_tokens: int
    instructions: str = ""

    def key(self, model: str, prompt: OraclePrompt) -> str:
        """Return the cache key: equal for the same request to the same model with the same prompt."""
        pieces = [[piece.name, piece.text] for piece in self.pieces]
        return sha256(
            canonical_json([self.about, model, prompt.with_more(self.instructions).sha256, pieces, self.schema])
        )


class OracleReply(msgspec.Struct, frozen=True, kw_only=True):
    """Reply of a model, unchanged.

    `served` is the model as reported by the server; tokens are 0 if not reported. `sha256` is that of `text`, `prompt`
    that of our prompt. `why`: reason why the last of `tries` replies was invalid.
    """

    key: str
    about: RequestKind
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


class InvalidReplyError(Exception):
    """Invalid reply; the message is the reason, without any quote from it."""


def read_reply(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the value in a reply. Raises `InvalidReplyError` for anything but one JSON object that fits the schema."""
    try:
        value = read_json_object(text.strip().encode())
    except (StrictJsonError, UnicodeEncodeError):
        raise InvalidReplyError("it is not one JSON object") from None
    _check(value, schema)
    return value


def _check(value: Any, schema: dict[str, Any]) -> None:
    """Validate by the subset of JSON Schema that our own schemas use."""
    match schema["type"]:
        case "object" if isinstance(value, dict):
            if value.keys() != schema["properties"].keys():
                raise InvalidReplyError("it does not have the requested entries")
            for name, inner in schema["properties"].items():
                _check(value[name], inner)
        case "array" if isinstance(value, list):
            if len(value) > schema["maxItems"]:
                raise InvalidReplyError("its list is longer than requested")
            for item in value:
                _check(item, schema["items"])
        case "string" if isinstance(value, str):
            if "enum" in schema and value not in schema["enum"]:
                raise InvalidReplyError("it has a value that was not offered")
            if len(value) > _MOST_TEXT:
                raise InvalidReplyError("it is longer than requested")
        case _:
            raise InvalidReplyError("it does not have the requested structure")


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these entries."""
    names = list(properties)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def list_of(items: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the schema of a list. `maxItems` is checked here, since strict servers reject it."""
    return {"type": "array", "items": items, "maxItems": most}


def choice_of(values: list[str]) -> dict[str, Any]:
    """Return the schema of a choice of texts."""
    return {"type": "string", "enum": values}


TEXT: dict[str, Any] = {"type": "string"}


def as_sent(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without keywords that strict servers reject."""
    plain = {key: value for key, value in schema.items() if key != "maxItems"}
    if "properties" in plain:
        plain["properties"] = {name: as_sent(inner) for name, inner in plain["properties"].items()}
    if "items" in plain:
        plain["items"] = as_sent(plain["items"])
    return plain


MOST_CHARACTERS = 20_000
"""Maximum of one piece of data. Longer ones are cut, and the cut is reported."""

# Tags: ours, HTML, and control tokens of servers, such as <|im_start|> or </s>.
# Some models use look-alike characters, so every bracket that is not plainly "less than" is replaced.
_TAGS = re.compile(r"[<\uff1c\ufe64](?=[^\s\d=-])")
_SPEAKERS = re.compile(r"\[(?=/?g?[A-Z][A-Z_]{2,}\])")  # such as [INST], [/INST] and [gMASK]

_NO_TAG, _NO_BRACKET = "\u2039", "\uff3b"  # look-alikes without a meaning to a server


def data_block(name: str, text: str, nonce: str) -> str:
    """Return one piece of data between markers: nothing in it can close the block, and nothing is invisible."""
    return f'<data-{nonce} name="{name}">\n{disarmed(text)}\n</data-{nonce}>'


def disarmed(text: str) -> str:
    """Return the text with hidden characters spelled out, and control tokens of servers disarmed."""
    return _SPEAKERS.sub(_NO_BRACKET, _TAGS.sub(_NO_TAG, spelled_out(text)))


def shorten_data(text: str) -> tuple[str, bool]:
    """Return the text, shortened to the maximum, and whether it was shortened."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


RequestKind = Literal["summarise", "answer", "judge", "split", "grade"]
ChatMessage = dict[str, str]


class OraclePrompt(msgspec.Struct, frozen=True):
    """Prompt of one kind of request.

    `system`: the instructions, `noted`: the model's assumed reply to each piece of data.
    """

    system: str
    noted: str
    reminder: str

    @property
    def sha256(self) -> str:
        """Return the hash that identifies the prompt in cached replies."""
        return sha256(canonical_json([self.system, self.noted, self.reminder]))

    def with_more(self, instructions: str) -> OraclePrompt:
        """Return the prompt with further instructions."""
        return replace(self, system=f"{self.system}\n\n{instructions}") if instructions else self

    def messages(self, pieces: Sequence[DataPiece], nonce: str) -> list[ChatMessage]:
        """Return the conversation.

        Roles alternate, as many models require, and each piece of data is a message of its own.
        """
        conversation = [{"role": "system", "content": self.system}]
        for piece in pieces:
            conversation.append({"role": "user", "content": data_block(piece.name, piece.text, nonce)})
            conversation.append({"role": "assistant", "content": self.noted})
        return [*conversation, {"role": "user", "content": self.reminder}]


def read_prompt(folder: Path, about: RequestKind) -> OraclePrompt:
    """Read a prompt from a folder."""
    read = [(folder / f"{name}.md").read_text(encoding="utf-8").strip() for name in (about, "noted", "reminder")]
    return OraclePrompt(*read)
