"""The context of a task, and the conversation before it, out of the value of a cell or key."""

from __future__ import annotations

import json
from typing import Any

from desktop_rater.bundle.convert.azure_history import turn_of
from desktop_rater.bundle.convert.shape import kind_of
from desktop_rater.bundle.trouble import Fault

_TEXTS = ("text", "content")


def documents_of(value: Any, id_: str, where: str) -> list[dict[str, Any]]:
    """A text is one document, and so is an object with a text; a list holds several. Raises `Fault`."""
    value = _unpacked(value)
    parts = value if isinstance(value, list) else [value]
    found = [_document(part, where) for part in parts if part not in (None, "")]
    numbered = len(found) > 1 or not id_
    return [{"id": f"{id_ or 'c'}{number}" if numbered else id_, **one} for number, one in enumerate(found, 1)]


def turns_of(value: Any, where: str) -> list[dict[str, Any]]:
    """A list of messages with `role` and `content`, or `text`. Raises `Fault`."""
    value = _unpacked(value)
    if value in (None, ""):
        return []
    if not isinstance(value, list):
        raise Fault(f"{where} is {kind_of(value)}, not a list of messages")
    turns = []
    for number, part in enumerate(value, 1):
        text = part.get("text") if isinstance(part, dict) else None
        message = {**part, "content": text} if isinstance(part, dict) and "content" not in part else part
        turns.append(turn_of(message, f"{where}, message {number}"))
    return turns


def _document(part: Any, where: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part}
    if not isinstance(part, dict):
        raise Fault(f"{where} is {kind_of(part)}, not a text or a document")
    text = next((part[name] for name in _TEXTS if isinstance(part.get(name), str)), None)
    if text is None:
        raise Fault(f"{where}: a document has no `text`")
    for name in ("id", "title", "url"):
        if not isinstance(part.get(name, ""), str):
            raise Fault(f"{where}: `{name}` of a document is {kind_of(part[name])}, not a text")
    rest = {name: value for name, value in part.items() if name not in _TEXTS and value != ""}
    return {**rest, "text": text}


def _unpacked(value: Any) -> Any:
    """What a cell of a table holds: JSON where it is a list or an object, else the text."""
    if isinstance(value, str) and value.lstrip()[:1] in {"[", "{"}:
        try:
            unpacked = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return unpacked if isinstance(unpacked, (dict, list)) else value
    return value
