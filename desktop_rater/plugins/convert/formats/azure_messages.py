"""Read messages and tool calls in the formats of Azure's tools and of OpenAI."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

import msgspec

from desktop_rater.bundle.errors import BundleFault
from desktop_rater.plugins.convert.conversion import json_type, parsed_json_text
from desktop_rater.plugins.convert.formats.toolbench import output_status, value_of

_CALLS = ("tool_call", "function_call", "tool_use")
_RESULTS = ("tool_result", "function_call_output")
_OUTPUTS = ("tool_result", "output", "content")
_IDS = ("tool_call_id", "call_id", "tool_use_id", "id")
_TOOL = ("tool", "function")
_SECOND = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LAST_SECOND = 253_402_300_799  # of the year 9999


def calls_in(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the calls in some messages, each with its result; a call without result has no output."""
    calls: list[tuple[Any, dict[str, Any]]] = []
    for message in messages:
        calls += map(_call, _calls(message))
        for id_, output in _results(message):
            call = _call_of_result(calls, id_, message)
            call["output"] = value_of(output) if isinstance(output, str) else output
            call["status"] = output_status(call["output"])
            if time := _time(message.get("createdAt")):
                call["at"] = time
    return [call for _, call in calls]


def calls_of(value: Any) -> list[dict[str, Any]]:
    """Return the calls next to a response, one or a list; they have no output."""
    parts = value if isinstance(value, list) else [value]
    return calls_in([{"content": [part for part in parts if isinstance(part, dict)]}])


def is_of_tools(message: dict[str, Any]) -> bool:
    """Return whether the message calls a tool or is the result of one."""
    return message.get("role") in _TOOL or bool([*_calls(message), *_results(message)])


def _parts(message: dict[str, Any], kinds: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") in kinds:
            yield part


def _calls(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from _parts(message, _CALLS)
    calls = message.get("tool_calls")
    yield from (part for part in (calls if isinstance(calls, list) else ()) if isinstance(part, dict))


def _call_of_result(calls: list[tuple[Any, dict[str, Any]]], id_: Any, message: dict[str, Any]) -> dict[str, Any]:
    """Return the call of a result: by its id, otherwise the first without a result, otherwise a new one."""
    waiting = [(given, call) for given, call in calls if call["status"] == "missing"]
    named = [call for given, call in waiting if id_ is not None and given == id_]
    unnamed = [call for given, call in waiting if id_ is None or given is None]
    call = next(iter(named or unnamed), None)
    if call is None:
        call = {"name": _name(message.get("name")), "status": "missing", "input": None}
        calls.append((id_, call))
    return call


def _name(given: Any) -> str:
    return given if isinstance(given, str) and given.strip() else "?"


def _call(part: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    inner = _within(part, "tool_call")
    function = _within(inner, "function")
    name = function.get("name", inner.get("function"))
    given = function.get("arguments", function.get("input"))
    ids = (fields[key] for fields in (part, inner) for key in _IDS if isinstance(fields.get(key), str))
    id_ = next(ids, None)
    given = value_of(given) if isinstance(given, str) else given
    return id_, {"name": _name(name), "status": "missing", "input": given}


def _within(part: dict[str, Any], key: str) -> dict[str, Any]:
    inner = part.get(key)
    return inner if isinstance(inner, dict) else part


def _results(message: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    outer = message.get("tool_call_id")
    parts = list(_parts(message, _RESULTS))
    for part in parts:
        id_ = next((part[key] for key in _IDS[:3] if part.get(key)), outer)
        yield id_, _joined(next((part[key] for key in _OUTPUTS if key in part), None))
    if not parts and message.get("role") in _TOOL and message.get("content") is not None:
        yield outer, _joined(message["content"])


def _joined(output: Any) -> Any:
    """Return the text of an output that is only texts; others are unchanged."""
    texts = [part.get("text") for part in output if isinstance(part, dict)] if isinstance(output, list) else []
    is_text = texts and len(texts) == len(output) and all(isinstance(text, str) for text in texts)
    return "\n".join(map(str, texts)) if is_text else output


def _time(created: Any) -> str | None:
    """Convert the time of a message, a text or seconds since 1970, to the time format of bundles."""
    if isinstance(created, int) and not isinstance(created, bool) and 0 <= created <= _LAST_SECOND:
        return datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if not isinstance(created, str) or not _SECOND.fullmatch(created):
        return None
    try:
        datetime.fromisoformat(created)
    except ValueError:
        return None
    return created


_ASKED = ("question", "query", "chat_input", "input")
_ANSWERED = ("answer", "response", "chat_output", "output", "reply")


def history_of(value: Any, where: str) -> list[dict[str, Any]]:
    """Return the turns of a `chat_history`: messages, or pairs of `inputs` and `outputs`. Raises `BundleFault`."""
    value = parsed_json_text(value)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        raise BundleFault(f"{where}: `chat_history` is {json_type(value)}, not a list")
    turns: list[dict[str, Any]] = []
    for number, part in enumerate(value, 1):
        place = f"{where}, turn {number} of `chat_history`"
        if isinstance(part, dict) and "inputs" in part:
            turns += _pair(part)
        else:
            turns.append(turn_of(part, place))
    return [turn for turn in turns if turn["text"]]


def turn_of(message: Any, where: str) -> dict[str, Any]:
    """Convert a message to a turn with its context. Raises `BundleFault` for an invalid message."""
    if not isinstance(message, dict):
        raise BundleFault(f"{where}: it is {json_type(message)}, not an object")
    role = message.get("role")
    if not isinstance(role, str) or not role.strip():
        raise BundleFault(f"{where}: `role` is {'missing' if role is None else json_type(role)}")
    content = message.get("content")
    turn = {key: value for key, value in message.items() if key not in ("role", "content", "text", "unknown")}
    if isinstance(content, (list, dict)):
        turn["parts"] = content  # may contain parts that are not texts
    return {"role": role.strip().lower(), "text": _text(content, where), **turn}


def _text(content: Any, where: str) -> str:
    """Return the text of a message: a text, the texts among its parts, or nothing."""
    match content:
        case None:
            return ""
        case str():
            return content
        case {"text": str() as text} | {"text": {"value": str() as text}}:
            return text
        case list():
            return "\n".join(filter(None, (_text(part, where) if _is_text(part) else "" for part in content)))
    raise BundleFault(f"{where}: `content` is {json_type(content)}, not a text")


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
    """Return the text of one side of a pair; a field of another name is used if it is the only one."""
    if not isinstance(side, dict):
        return side if isinstance(side, str) else ""
    values = [side[name] for name in names if side.get(name)] or (list(side.values()) if len(side) == 1 else [])
    if not values:
        return ""
    return values[0] if isinstance(values[0], str) else json.dumps(values[0], ensure_ascii=False)


_ASSISTANT = "assistant"
_USER = "user"
_USED_FIELDS = ("role", "text", "context", "tool_calls")
NO_ANSWER = "the assistant has not answered, so there is nothing to rate"
NO_QUESTION = "no user has asked anything before the answer"
MOST_TURNS = 200  # each has all earlier turns as its history


class RatedExchange(msgspec.Struct, frozen=True, kw_only=True):
    """Rated exchange of a conversation. `place`: index of the answer's message; `extra`: other fields worth keeping."""

    prompt: str
    answer: str
    place: int = 0
    context: Any = None
    history: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    extra: dict[str, Any] = {}


def rated_exchange(messages: list[Any], where: str, answers_from: int = 0) -> RatedExchange | str:
    """Return the last answer, from `answers_from` on, or why there is none. Raises `BundleFault` for a bad message."""
    turns = _turns(messages, where)
    last = _last(turns, _ASSISTANT, answers_from, len(turns))
    if last is None:
        return NO_ANSWER
    question = _last(turns, _USER, 0, last)
    return NO_QUESTION if question is None else _exchange(messages, turns, question, last, after=question)


def rated_exchanges(messages: list[Any], where: str) -> list[RatedExchange] | str:
    """Return each answer with the turns before it, or why there is none. Raises `BundleFault` for a bad message.

    A text beside a tool call belongs to the answer that follows it. An answer without a question of its own, after
    another one, has both in its history.
    """
    turns = _turns(messages, where)
    spoken = [index for index, turn in enumerate(turns) if turn["role"] in (_USER, _ASSISTANT) and _has_text(turn)]
    answers = [
        index
        for index, following in zip_longest(spoken, spoken[1:])
        if turns[index]["role"] == _ASSISTANT
        and (following is None or turns[following]["role"] == _USER or not is_of_tools(messages[index]))
    ]
    if not answers:
        return NO_ANSWER
    if len(answers) > MOST_TURNS:
        return f"it has {len(answers):,} answers; the maximum is {MOST_TURNS}"
    exchanges = []
    earlier = -1
    for number, last in enumerate(answers, 1):
        question = _last(turns, _USER, 0, last)
        if question is not None:
            end = len(turns) if number == len(answers) else last + 1
            exchanges.append(_exchange(messages[:end], turns[:end], question, last, after=max(question, earlier)))
        earlier = last
    return exchanges or NO_QUESTION


def _turns(messages: list[Any], where: str) -> list[dict[str, Any]]:
    return [turn_of(message, f"{where}, message {number}") for number, message in enumerate(messages, 1)]


def _exchange(
    messages: list[Any], turns: list[dict[str, Any]], question: int, last: int, *, after: int
) -> RatedExchange:
    """Return the exchange of a question and an answer; `after`: the question, or another answer to it."""
    working = [index for index in range(after + 1, last + 1) if is_of_tools(messages[index])]
    left_out = {index for index in working if turns[index]["role"] in _TOOL}
    if after == question:
        left_out.add(question)
    before = [turn for index, turn in enumerate(turns[:last]) if index not in left_out]
    silent = [turn for index, turn in enumerate(turns) if not _has_text(turn) and index not in working]
    extra = {
        "without_text": silent,
        "later": [turn for turn in turns[last + 1 :] if _has_text(turn)],
        "asked": _rest(turns[question]),
        "answered": _rest(turns[last]),
    }
    return RatedExchange(
        prompt=turns[question]["text"],
        answer=turns[last]["text"],
        place=last,
        context=turns[last].get("context"),
        history=[turn for turn in before if _has_text(turn)],
        tools=calls_in(messages[index] for index in working),
        extra={name: value for name, value in extra.items() if value},
    )


def _has_text(turn: dict[str, Any]) -> bool:
    return bool(turn["text"].strip())


def _last(turns: list[dict[str, Any]], role: str, begin: int, end: int) -> int | None:
    indexes = range(end - 1, begin - 1, -1)
    return next((index for index in indexes if turns[index]["role"] == role and _has_text(turns[index])), None)


def _rest(turn: dict[str, Any]) -> dict[str, Any]:
    """Return the other fields of a message, such as its time; parts that are only text are in the text already."""
    rest = {key: value for key, value in turn.items() if key not in _USED_FIELDS and value is not None}
    parts = rest.get("parts")
    if isinstance(parts, list) and all(isinstance(part, dict) and set(part) <= {"type", "text"} for part in parts):
        del rest["parts"]
    return rest
