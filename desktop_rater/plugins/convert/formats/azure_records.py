"""Records of Azure's test sets: field names, documents and scores, and messages and tool calls, also of OpenAI."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.strict_json import json_type
from desktop_rater.plugins.convert.conversion import parsed_json_text, put_member
from desktop_rater.plugins.convert.formats.toolbench import output_status, value_of
from desktop_rater.plugins.convert.source import SourceRecords

RUBRIC = "response-quality@2"
RESPONSE = "a"

_ROWS = "rows"
_SIDES = ("inputs.", "outputs.")
_TITLED = re.compile(r"(?:\A|\n\n)(?P<title>[^\s:]+\.[A-Za-z]{2,5}(?:#[^\s:]+)?): ?")
_MARKER = re.compile(r"\[([^\[\]]+)\]")
_TITLES = ("title", "name", "filepath", "filename")
_TEXTS = ("content", "text", "chunk", "page_content")
_URLS = ("url", "source_url")
_NAMED = ("id", *_TITLES, *_URLS)
_PER_TURN = "evaluation_per_turn"
# The questions have the names of their evaluators,
_SCORES = ("groundedness", "relevance", "coherence", "fluency", "similarity", "retrieval")
# or others: evaluator's name → question.
_RISKS = {"hate_unfairness": "hateful_unfair", "sexual": "sexual", "violence": "violent", "self_harm": "self_harm"}
# question → what results call the score, and the reason for it.
SCORE_NAMES = {question: (f"gpt_{question}", question) for question in _SCORES} | {
    question: (f"{risk}_score",) for risk, question in _RISKS.items()
}
REASON_NAMES = {question: (f"gpt_{question}_reason", f"{question}_reason") for question in _SCORES} | {
    question: (f"{risk}_reason",) for risk, question in _RISKS.items()
}
REASON_ASKED = dict.fromkeys(_RISKS.values(), 4)  # question → lowest score whose reason is asked for
_MOST_OF_A_SCALE = 5
_HALF = 0.5
_MOST_OF_A_RISK = 7


def azure_records(records: SourceRecords) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the records with line number and location: JSON lines, a list, or the `rows` of an evaluation."""
    for members in records.members():
        whole: dict[str, Any] = {}
        first = 1
        for line, key, value in members:
            if key is None:
                yield line, f"line {line}", _without_sides(value)
            else:
                first = line if not whole else first
                with records.translate_errors():
                    put_member(whole, key, value, line)
        rows = whole.get(_ROWS)
        if isinstance(rows, list):
            yield from _rows(rows, first, records)
        elif whole:
            yield first, f"line {first}", _without_sides(whole)


def _rows(rows: list[Any], line: int, records: SourceRecords) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for number, row in enumerate(rows, 1):
        where = f"line {line}, row {number}"
        with records.record(line):
            if not isinstance(row, dict):
                raise BundleFault(f"{where}: not an object, but {json_type(row)}")
            yield line, where, _without_sides(row)


def _without_sides(row: dict[str, Any]) -> dict[str, Any]:
    """Strip the prefixes of inputs and outputs from a row of results; the short name goes to the input."""
    if not any(key.startswith(_SIDES[0]) for key in row):
        return row
    plain: dict[str, Any] = {}
    for key, value in row.items():
        side = next((side for side in _SIDES if key.startswith(side)), "")
        short = key.removeprefix(side)
        plain[key if short in plain else short] = value
    return plain


def take_value(plain: dict[str, Any], names: tuple[str, ...], where: str) -> Any:
    """Remove the names and return their value. Raises `BundleFault` if two have different values."""
    present = [(name, plain.pop(name)) for name in names if name in plain]
    given = [(name, value) for name, value in present if value is not None]
    for name, value in given[1:]:
        if value != given[0][1]:
            raise BundleFault(f"{where}: `{given[0][0]}` and `{name}` are both set, with different values")
    return given[0][1] if given else None


def take_text(plain: dict[str, Any], names: tuple[str, ...], where: str) -> str | None:
    """Return a text as `take_value` does. Raises `BundleFault` if it is not a text."""
    called = next((name for name in names if plain.get(name) is not None), names[0])
    value = take_value(plain, names, where)
    if value is not None and not isinstance(value, str):
        raise BundleFault(f"{where}: `{called}` is {json_type(value)}, not a text")
    return value


def response_of(text: str, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the only response of a task, with the tool calls that led to it."""
    return {"id": RESPONSE, "text": text, **({"tools": tools} if tools else {})}


class Documents:
    """Documents of one task, each with a unique id."""

    def __init__(self, where: str) -> None:
        self.plain: list[dict[str, Any]] = []
        self._other_values: dict[str, list[dict[str, Any]]] = {}
        self._where = where
        self._ids: set[str] = set()

    @property
    def extra(self) -> dict[str, Any]:
        return {name: values[0] if len(values) == 1 else values for name, values in self._other_values.items()}

    def add(self, value: Any, name: str) -> None:
        """Add the value of `context` or `documents`: texts, documents, a list of these, or documents by marker."""
        match value:
            case None | "" | []:
                return
            case str():
                self._add_text(value, name)
            case list():
                for part in value:
                    self._add_one(part, name)
            case {"citations": citations, **rest}:
                for part in citations if isinstance(citations, list) else [citations]:
                    self._add_one(part, f"{name}.citations")
                self._add_other(rest, name)
            case dict() if _is_document(value):
                self._add_document(value, name)
            case dict() if value and all(isinstance(part, dict) and _is_document(part) for part in value.values()):
                for marker, document in value.items():
                    self._add_document({"id": _MARKER.sub(r"\1", marker), **document}, name)
            case dict():
                self._add_other(value, name)
            case _:
                raise BundleFault(f"{self._where}: `{name}` is {json_type(value)}, not a text or a document")

    def _add_one(self, value: Any, name: str) -> None:
        """Add one of several values, which is a document even without text, so that citations find it."""
        if isinstance(value, dict) and "citations" not in value and any(value.get(key) for key in _NAMED):
            self._add_document(value, name)
        else:
            self.add(value, name)

    def _add_other(self, value: dict[str, Any], name: str) -> None:
        if value:
            self._other_values.setdefault(name, []).append(value)

    def _add_text(self, text: str, name: str) -> None:
        """Add a text, split as search results are often joined: each part begins with a document name."""
        written = parsed_json_text(text)
        if _holds_documents(written):
            self.add(written, name)
            return
        starts = list(_TITLED.finditer(text))
        if not starts or starts[0].start() > 0:
            self._append(None, {"text": text})
            return
        ends = [*(match.start() for match in starts[1:]), len(text)]
        for match, end in zip(starts, ends, strict=True):
            self._append(None, {"title": match["title"], "text": text[match.end() : end].strip("\n")})

    def _add_document(self, document: Mapping[str, Any], name: str) -> None:
        rest = {key: value for key, value in document.items() if key != "id" and value is not None}
        parts: dict[str, Any] = {}
        for part, keys in (("title", _TITLES), ("text", _TEXTS), ("url", _URLS)):
            key = next((key for key in keys if document.get(key)), None)
            parts[part] = rest.pop(key) if key else ""
            if not isinstance(parts[part], str):
                words = f"{json_type(parts[part])} where a text was expected"
                raise BundleFault(f"{self._where}: a document of `{name}` holds {words}")
        id_ = document.get("id")
        more = {key: value for key, value in rest.items() if value != "" and key not in parts}
        self._append(str(id_) if isinstance(id_, (str, int)) and id_ != "" else None, {**more, **parts})

    def _append(self, id_: str | None, document: dict[str, Any]) -> None:
        number = len(self.plain) + 1
        wanted = id_ or f"c{number}"
        while wanted in self._ids:
            wanted = f"{id_ or 'c'}-{number}"
            number += 1
        self._ids.add(wanted)
        self.plain.append({"id": wanted, **{key: part for key, part in document.items() if part != ""}})


def _is_document(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in _TEXTS)


def _holds_documents(written: Any) -> bool:
    """Return whether JSON in a text is a list of documents, rather than an example within a document."""
    match written:
        case {"citations": _}:
            return True
        case list():
            return bool(written) and all(isinstance(item, dict) and _is_document(item) for item in written)
    return False


def scores_in(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of an evaluation as answers, and their reasons, each as `QUESTION_reason`.

    Values that the rubric does not offer are dropped, with their reasons.
    """
    answers: dict[str, Any] = {}
    plain = _by_short_name(plain)
    for question, names in SCORE_NAMES.items():
        value = _number(plain, names)
        step = _HALF if question == "retrieval" else 1
        least, most = (1, _MOST_OF_A_SCALE) if question in _SCORES else (0, _MOST_OF_A_RISK)
        if value is None or not least <= value <= most or value % step:
            continue
        answers[question] = value if value % 1 else int(value)
        reasons = [text.strip() for text in map(plain.get, REASON_NAMES[question]) if isinstance(text, str)]
        answers |= {f"{question}_reason": text for text in reasons[:1] if text}
    return answers


def turn_scores(plain: Mapping[str, Any], turns: int) -> list[dict[str, Any]]:
    """Return the scores of each turn; none if they are not given turn by turn, one for each."""
    lists = [
        (name, values)
        for key, value in plain.items()
        if key.rpartition(".")[2] == _PER_TURN and isinstance(value, dict)
        for name, values in value.items()
        if isinstance(values, list) and len(values) == turns
    ]
    return [scores_in({name: values[turn] for name, values in lists}) for turn in range(turns)]


def _by_short_name(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Strip the evaluator's own name from keys, as in `quality.gpt_fluency`; of scores turn by turn the last counts."""
    short: dict[str, Any] = {}
    for key, value in plain.items():
        short.setdefault(key.rpartition(".")[2], value)
    short |= {key: value for key, value in plain.items() if "." not in key}
    for key, value in plain.items():
        if key.rpartition(".")[2] == _PER_TURN and isinstance(value, dict):
            short |= {name: values[-1] for name, values in value.items() if isinstance(values, list) and values}
    return short


def _number(plain: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    values = (plain.get(name) for name in names)
    numbers = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool))
    return next((float(number) for number in numbers), None)


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
    """Rated exchange of a conversation. `place`: index of the answer's message; `extra`: other fields worth keeping.

    `parts`: of an answer that is several messages joined, the index of each and its offset in the answer.
    """

    prompt: str
    answer: str
    place: int = 0
    parts: list[tuple[int, int]] = []
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
