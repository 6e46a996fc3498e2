"""The messages of a conversation, in the shapes that Azure's tools write them."""

from __future__ import annotations

import json
from typing import Any

from desktop_rater.bundle.convert.shape import kind_of, unpacked
from desktop_rater.bundle.trouble import Fault

_ASKED = ("question", "query", "chat_input", "input")
_ANSWERED = ("answer", "response", "chat_output", "output", "reply")


def history_of(value: Any, where: str) -> list[dict[str, Any]]:
    """The turns of a `chat_history`: messages, or pairs of `inputs` and `outputs`. Raises `Fault`."""
    value = unpacked(value)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        raise Fault(f"{where}: `chat_history` is {kind_of(value)}, not a list")
    turns: list[dict[str, Any]] = []
    for number, part in enumerate(value, 1):
        place = f"{where}, turn {number} of `chat_history`"
        if isinstance(part, dict) and "inputs" in part:
            turns += _pair(part)
        else:
            turns.append(turn_of(part, place))
    return [turn for turn in turns if turn["text"]]


def turn_of(message: Any, where: str) -> dict[str, Any]:
    """A message as a turn; its context stays with it. Raises `Fault` where it is none."""
    if not isinstance(message, dict):
        raise Fault(f"{where}: it is {kind_of(message)}, not an object")
    role = message.get("role")
    if not isinstance(role, str) or not role.strip():
        raise Fault(f"{where}: `role` is {'missing' if role is None else kind_of(role)}")
    content = message.get("content")
    turn = {key: value for key, value in message.items() if key not in ("role", "content", "text", "unknown")}
    if isinstance(content, (list, dict)):
        turn["parts"] = content  # some may be no texts
    return {"role": role.strip().lower(), "text": _text(content, where), **turn}


def _text(content: Any, where: str) -> str:
    """The text of a message: a text, parts of which some are texts, or nothing."""
    match content:
        case None:
            return ""
        case str():
            return content
        case {"text": str() as text} | {"text": {"value": str() as text}}:
            return text
        case list():
            return "\n".join(filter(None, (_text(part, where) if _is_text(part) else "" for part in content)))
    raise Fault(f"{where}: `content` is {kind_of(content)}, not a text")


def _is_text(part: Any) -> bool:
    match part:
        case str() | {"text": str()} | {"text": {"value": str()}}:
            return True
    return False


def _pair(part: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": role, "text": _of_side(part.get(side), names)}
        for side, role, names in (("inputs", "user", _ASKED), ("outputs", "assistant", _ANSWERED))
    ]


def _of_side(side: Any, names: tuple[str, ...]) -> str:
    """The text of one side of a pair; a field of another name is taken where there is only one."""
    if not isinstance(side, dict):
        return side if isinstance(side, str) else ""
    found = [side[name] for name in names if side.get(name)] or (list(side.values()) if len(side) == 1 else [])
    if not found:
        return ""
    return found[0] if isinstance(found[0], str) else json.dumps(found[0], ensure_ascii=False)
