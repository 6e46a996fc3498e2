"""Calls of tools in the messages of an agent, in the shapes that Azure's tools and OpenAI's write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.convert.tool_output import status_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CALLS = ("tool_call", "function_call")
_RESULTS = ("tool_result", "function_call_output")
_IDS = ("tool_call_id", "call_id", "id")
_TOOL = ("tool", "function")
_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LAST_SECOND = 253_402_300_799  # of the year 9999


def calls_in(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The calls in some messages, each with what came back; one of which nothing came back is missing its output."""
    calls: list[tuple[Any, dict[str, Any]]] = []
    for message in messages:
        calls += map(_call, _calls(message))
        for id_, output in _results(message):
            _asking(calls, id_, message).update(_answered(output, message.get("createdAt")))
    return [call for _, call in calls]


def calls_of(value: Any) -> list[dict[str, Any]]:
    """The calls that stand beside a response, as one or as a list; there is no output with them."""
    parts = value if isinstance(value, list) else [value]
    return calls_in([{"content": [part for part in parts if isinstance(part, dict)]}])


def is_of_tools(message: dict[str, Any]) -> bool:
    """Whether the message calls a tool or is what one gave back."""
    return message.get("role") in _TOOL or bool([*_calls(message), *_results(message)])


def _parts(message: dict[str, Any], kinds: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") in kinds:
            yield part


def _calls(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from _parts(message, _CALLS)
    beside = message.get("tool_calls")
    yield from (part for part in (beside if isinstance(beside, list) else ()) if isinstance(part, dict))


def _asking(calls: list[tuple[Any, dict[str, Any]]], id_: Any, message: dict[str, Any]) -> dict[str, Any]:
    """The call that a result belongs to: by its id, else the first that waits, else one that nobody wrote down."""
    waiting = [(given, call) for given, call in calls if call["status"] == "missing"]
    named = [call for given, call in waiting if id_ is not None and given == id_]
    unnamed = [call for given, call in waiting if id_ is None or given is None]
    found = next(iter(named or unnamed), None)
    if found is None:
        found = {"name": _name(message.get("name")), "status": "missing", "input": None}
        calls.append((id_, found))
    return found


def _name(given: Any) -> str:
    return given if isinstance(given, str) and given.strip() else "?"


def _call(part: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    inner = _within(part, "tool_call")
    function = _within(inner, "function")
    name, given = function.get("name"), function.get("arguments")
    id_ = next((one[key] for one in (part, inner) for key in _IDS if isinstance(one.get(key), str)), None)
    return id_, {
        "name": _name(name),
        "status": "missing",
        "input": value_of(given) if isinstance(given, str) else given,
    }


def _within(part: dict[str, Any], key: str) -> dict[str, Any]:
    inner = part.get(key)
    return inner if isinstance(inner, dict) else part


def _results(message: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    outer = message.get("tool_call_id")
    parts = list(_parts(message, _RESULTS))
    for part in parts:
        id_ = next((part[key] for key in _IDS[:2] if part.get(key)), outer)
        yield id_, part.get("tool_result", part.get("output"))
    if not parts and message.get("role") in _TOOL and isinstance(message.get("content"), str):
        yield outer, message["content"]


def _answered(output: Any, at: Any) -> dict[str, Any]:
    value = value_of(output) if isinstance(output, str) else output
    time = _time(at)
    return {"status": status_of(value), "output": value, **({"at": time} if time else {})}


def _time(at: Any) -> str | None:
    """A time of the formats out of a time of a message, which is a text or seconds since 1970."""
    if isinstance(at, int) and not isinstance(at, bool) and 0 <= at <= _LAST_SECOND:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        return at if isinstance(at, str) and _SECOND.fullmatch(at) and datetime.fromisoformat(at) else None
    except ValueError:
        return None
