"""What is rated of some messages: the last answer, what was asked for it, and what the tools gave on the way."""

from __future__ import annotations

from typing import Any

import msgspec

from desktop_rater.bundle.convert.azure_history import turn_of
from desktop_rater.bundle.convert.azure_tools import calls_in, is_of_tools

_ASSISTANT = "assistant"
_USER = "user"
_TOOL = ("tool", "function")
_TAKEN = ("role", "text", "context", "tool_calls")


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """The messages up to an answer. `beside`: what is kept of them and is none of the other."""

    prompt: str
    answer: str
    context: Any = None
    history: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    beside: dict[str, Any] = {}


def spoken(messages: list[Any], where: str, answers_from: int = 0) -> Spoken | str:
    """The last answer of the assistant, or why there is none; it is one of the messages from `answers_from` on.

    Raises `Fault` for what is no message.
    """
    turns = [turn_of(message, f"{where}, message {number}") for number, message in enumerate(messages, 1)]
    last = _last(turns, _ASSISTANT, answers_from, len(turns))
    if last is None:
        return "the assistant has not answered, so there is nothing to rate"
    asked = _last(turns, _USER, 0, last)
    if asked is None:
        return "no user has asked anything before the answer"
    working = [at for at in range(asked + 1, last + 1) if is_of_tools(messages[at])]
    outputs = {at for at in working if turns[at]["role"] in _TOOL}
    before = [turn for at, turn in enumerate(turns[:last]) if at != asked and at not in outputs]
    silent = [turn for at, turn in enumerate(turns) if not _speaks(turn) and at not in working]
    beside = {
        "without_text": silent,
        "later": [turn for turn in turns[last + 1 :] if _speaks(turn)],
        "asked": _rest(turns[asked]),
        "answered": _rest(turns[last]),
    }
    return Spoken(
        prompt=turns[asked]["text"],
        answer=turns[last]["text"],
        context=turns[last].get("context"),
        history=[turn for turn in before if _speaks(turn)],
        tools=calls_in(messages[at] for at in working),
        beside={name: value for name, value in beside.items() if value},
    )


def _speaks(turn: dict[str, Any]) -> bool:
    return bool(turn["text"].strip())


def _last(turns: list[dict[str, Any]], role: str, begin: int, end: int) -> int | None:
    return next((at for at in range(end - 1, begin - 1, -1) if turns[at]["role"] == role and _speaks(turns[at])), None)


def _rest(turn: dict[str, Any]) -> dict[str, Any]:
    """What else a message says, such as when it was written; parts that are nothing but text are in the text."""
    rest = {key: value for key, value in turn.items() if key not in _TAKEN and value is not None}
    parts = rest.get("parts")
    if isinstance(parts, list) and all(isinstance(part, dict) and set(part) <= {"type", "text"} for part in parts):
        del rest["parts"]
    return rest
