"""Make a task of a record, by the paths of a map, with the outcome of each field."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import json_type
from desktop_rater.format.targets import RelocatedTarget, UnplacedTarget
from desktop_rater.plugins.convert.chat import DIALECTS, FORMATS, PLAIN, ChatAnswers, dialect_of
from desktop_rater.plugins.convert.chat.conversation import Chat
from desktop_rater.plugins.convert.chat.messages import read_call
from desktop_rater.plugins.convert.conversion import parsed_json_text, unplaced_texts
from desktop_rater.plugins.convert.formats.azure_records import rated_exchange, turn_of
from desktop_rater.plugins.convert.maps.marks import TaskMarks, mark_task
from desktop_rater.plugins.convert.maps.record_map import (
    FIRST,
    RecordMap,
    is_many,
    label_text,
    matches,
    response_id,
    without_paths,
)
from desktop_rater.text.markdown import looks_like_markdown

_TEXT_KEYS = ("text", "content")  # of a document
_RESULTS = ("output", "result", "response")


class FieldOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of one field in one record.

    `values`: number of values at its path. `why`: the reason why the field is empty or can't be used; "" if it is
    fine. `fault`: the value is of the wrong kind, rather than absent.
    """

    field: str
    path: str
    values: int = 0
    why: str = ""
    fault: bool = False


class MappedTask(msgspec.Struct, frozen=True, kw_only=True):
    """Task of a record as plain JSON, or `None` with the reason `why`.

    `failed`: the field that has no value, or a wrong one; `fault`: it is a wrong one, which refuses a file unless the
    map skips records. `id`: that of the record, if it has one. `rating`: the labels of the source. `labels`: label →
    number of its occurrences; `unknown_labels`: the same for labels without an answer. `unplaced`: texts that are
    nowhere in the response. `calls`: number of tool calls. `counts`: further counts by name.
    """

    task: dict[str, Any] | None
    id: str = ""
    why: str = ""
    failed: str = ""
    fault: bool = False
    outcomes: tuple[FieldOutcome, ...] = ()
    rating: Rating | None = None
    unplaced: tuple[UnplacedTarget, ...] = ()
    aligned: tuple[RelocatedTarget, ...] = ()
    labels: dict[str, int] = {}
    unknown_labels: dict[str, int] = {}
    calls: int = 0
    counts: dict[str, int] = {}

    @property
    def without_response(self) -> tuple[str, ...]:
        """Return the fields of responses without a value in the record."""
        fields = (outcome.field for outcome in self.outcomes if not outcome.values)
        return tuple(field for field in fields if re.fullmatch(r"response(?:\.[^.]+)?", field))


def apply_map(
    record_map: RecordMap, record: dict[str, Any], *, id_: str = "record-1", where: str = "", source: str = "map"
) -> MappedTask:
    """Return the task of a record. A record never raises; what is wrong with it is in the outcomes.

    `id_`: that of a task whose record has none. `where`: place of the record in messages, such as "line 3".
    """
    fields = _RecordFields(record_map, record, where)
    plain = {"id": id_, **fields.plain_task()}
    marks = TaskMarks()
    failed = fields.failed(plain)
    if failed is None and record_map.marks:
        try:
            marks = mark_task(record_map, record, plain)
        except BundleFault as error:
            path = record_map.fields.get("targets", "")
            failed = FieldOutcome(field="targets", path=path, why=f"{where}, {error}", fault=True)
            fields.outcomes["targets"] = failed
    outcomes = tuple(fields.outcomes.values())
    own_id = plain["id"] if plain["id"] != id_ else ""
    if failed is not None:
        return MappedTask(
            task=None, id=own_id, why=failed.why, failed=failed.field, fault=failed.fault, outcomes=outcomes
        )
    meta = {"source": source, **fields.meta()}
    if marks.unplaced:
        meta["unplaced"] = unplaced_texts(marks.unplaced)
    task: dict[str, Any] = {
        key: value for key, value in {**plain, **marks.plain, "meta": meta}.items() if value not in (None, [], "")
    }
    rating = marks.rating
    if record_map.shuffle:
        meta["exchanged"] = hashlib.sha256(str(task["id"]).encode()).digest()[0] % 2 == 1
        task, rating = _exchanged(task, rating) if meta["exchanged"] else (task, rating)
    return MappedTask(
        task=task,
        id=own_id,
        outcomes=outcomes,
        rating=rating,
        unplaced=(*fields.not_shown, *marks.unplaced),
        aligned=tuple(marks.aligned),
        labels=dict(marks.labels),
        unknown_labels=dict(marks.unknown_labels),
        counts=dict(fields.counts),
        calls=sum(len(response.get("tools", ())) for response in task["responses"]),
    )


def _exchanged(task: dict[str, Any], rating: Rating | None) -> tuple[dict[str, Any], Rating | None]:
    """Return the task with its responses in the reverse order, under the ids of that order, and its rating."""
    ids = [response["id"] for response in task["responses"]]
    new = dict(zip(ids, reversed(ids), strict=True))
    responses = [{**response, "id": new[response["id"]]} for response in reversed(task["responses"])]
    task = {**task, "responses": responses}
    task["meta"] = {
        name: {new[id_]: part for id_, part in value.items()} if isinstance(value, dict) and value.keys() == new.keys()
        else value
        for name, value in task["meta"].items()
    }  # fmt: skip
    if "targets" in task:
        task["targets"] = [{**target, "response": new[target["response"]]} for target in task["targets"]]
    if rating is not None:
        answers = {new[id_]: given for id_, given in rating.answers.responses.items()}
        rating = replace(rating, answers=replace(rating.answers, responses=answers))
    return task, rating


def _called(path: str) -> str:
    return f'{"path" if "[" in path else "column"} "{path}"'


class _RecordFields:
    """Fields of a task, read from one record; each has an outcome."""

    def __init__(self, record_map: RecordMap, record: dict[str, Any], where: str) -> None:
        self.outcomes: dict[str, FieldOutcome] = {}
        self.not_shown: list[UnplacedTarget] = []
        self.counts: Counter[str] = Counter()
        self._map = record_map
        self._record = record
        self._where = where
        self._extra: dict[str, Any] = {}

    def plain_task(self) -> dict[str, Any]:
        """Return the task as plain JSON, without targets and `meta`; its prompt is `None` if it has none."""
        spoken = self._read("messages", self._conversation) or {}
        plain: dict[str, Any] = {"prompt": None, **spoken}
        prompt = self._read("prompt", _text)
        if prompt is not None:
            plain["prompt"] = {"text": prompt}
        if plain["prompt"] is not None and (lang := self._read("lang", _text)):
            plain["prompt"]["lang"] = lang
        plain["responses"] = self._responses() or plain.get("responses", [])
        plain["history"] = self._read("history", _turns) or plain.get("history", [])
        plain["reference"] = self._read("reference", _joined)
        plain["context"] = self._context(plain.get("context", []))
        for name, _ in self._map.named("tools"):
            calls = self._read(f"tools.{name}" if name else "tools", self._calls)
            for response in plain["responses"]:
                if calls and response["id"] == (name or FIRST):
                    response["tools"] = calls
        id_ = self._read("id", _id)
        return {**plain, "id": id_} if id_ else plain

    def failed(self, plain: dict[str, Any]) -> FieldOutcome | None:
        """Return the outcome because of which there is no task."""
        faults = [outcome for outcome in self.outcomes.values() if outcome.fault]
        paths = self._map.fields
        missing = {
            "id": ("id" in paths and not plain["id"], "its id is missing"),
            "prompt": (plain["prompt"] is None, "its prompt is missing"),
            "response": (not plain["responses"], "it has no response"),
        }
        for field, (lacks, words) in missing.items():
            fault = next((outcome for outcome in faults if outcome.field.partition(".")[0] == field), None)
            if fault is not None or not lacks:
                if fault is not None:
                    return fault
                continue
            own = self._map.responses.values() if field == "response" else [paths[field]] if field in paths else []
            talk = self.outcomes.get("messages")
            if not own and talk is not None:
                return replace(talk, why=talk.why or words)
            names = ", ".join(f'"{path}"' for path in own)
            kind = "path" if "[" in names else "column"
            why = f"{words} ({kind} {names})" if names else words
            outcome = FieldOutcome(field=field, path=next(iter(own), ""), why=why)
            self.outcomes[field] = outcome
            return outcome
        return faults[0] if faults else None

    def meta(self) -> dict[str, Any]:
        rest = without_paths(self._record, self._map.paths) if self._map.rest else {}
        named: dict[str, Any] = {}
        for name, _ in self._map.named("meta"):
            value = self._read(f"meta.{name}" if name else "meta", _any)
            column, _, response = name.rpartition(".")
            if value is not None and column and response in self._map.responses:
                named.setdefault(column, {})[response] = value
            elif value is not None:
                named[name] = value
        return {**rest, **self._extra, **named}

    def _read(self, field: str, read: Callable[[list[Any], str, str], Any]) -> Any:
        """Return what `read` makes of the values at the field's path; `None` if they can't be used."""
        path = self._map.fields.get(field)
        if path is None:
            return None
        values = [match.value for match in matches(self._record, path) if match.value is not None]
        value, why, fault = None, "" if values else "there is nothing at its path", False
        try:
            value = read(values, f"{self._where}, {_called(path)}", path) if values else None
        except BundleFault as error:
            why, fault = str(error), True
        outcome = FieldOutcome(field=field, path=path, values=len(values), why=why, fault=fault)
        self.outcomes.setdefault(field, outcome)
        return value

    def _responses(self) -> list[dict[str, Any]]:
        responses: list[dict[str, Any]] = []
        for id_, path in self._map.responses.items():
            field = f"response.{id_}" if f"response.{id_}" in self._map.fields else "response"
            several = is_many(path) and "[?" not in path
            texts = self._read(field, _texts if several else lambda *given: [_text(*given)]) or []
            format_ = self._read(f"{field}.format" if field != "response" else f"response.{FIRST}.format", _format)
            for number, text in enumerate(texts):
                name = response_id(number) if several else id_
                own = format_ or ("markdown" if looks_like_markdown(text) else "")
                responses.append({"id": name, "text": text, **({"format": own} if own else {})})
        return responses

    def _conversation(self, values: list[Any], where: str, path: str) -> dict[str, Any]:
        """Return prompt, history and answer of a list of messages; a response with a path of its own is the answer."""
        given = parsed_json_text(values[0] if len(values) == 1 and not is_many(path) else values)
        if not isinstance(given, list) or not all(isinstance(message, dict) for message in given):
            raise BundleFault(f"{where} is {json_type(given)}, not a list of messages")
        chat = self._chat(given, where)
        if self._map.responses:
            chat.start("assistant")
            chat.say("…")
        answers = ChatAnswers(chat)
        exchange = rated_exchange(answers.messages, where)
        if isinstance(exchange, str):
            self.outcomes["messages"] = FieldOutcome(field="messages", path=path, values=len(values), why=exchange)
            return {}
        self._extra |= {**chat.extra, **{key: part for key, part in exchange.extra.items() if key == "later"}}
        plain = answers.fields(exchange, complete=True, response=FIRST)
        self.counts += Counter(
            tool_calls_in=chat.calls,
            tool_calls_out=answers.calls,
            citations_in=chat.citations,
            citations_out=answers.citations,
            reasoning=chat.reasoning,
            placeholders=chat.placeholders,
        )
        if self._map.responses:
            del plain["responses"]
        return plain

    def _chat(self, messages: list[dict[str, Any]], where: str) -> Chat:
        chat = Chat(where)
        plain = {"messages": messages}
        dialect = dialect_of(plain) or PLAIN
        self._extra["dialect"] = dialect
        DIALECTS[dialect][0](plain, chat)
        self.not_shown += chat.losses
        return chat

    def _calls(self, values: list[Any], where: str, _path: str) -> list[dict[str, Any]]:
        """Return the tool calls in messages, or in a list of calls that may have their outputs."""
        parts = _flat(map(parsed_json_text, values))
        if not all(isinstance(part, dict) for part in parts):
            raise BundleFault(f"{where} is not a list of tool calls or messages")
        if any(key in part for part in parts for key in ("role", "from", "parts")):
            chat = self._chat(parts, where)
        else:
            chat = Chat(where)
            for part in parts:
                read_call(part, chat)
                output = next((part[key] for key in _RESULTS if part.get(key) is not None), None)
                if output is not None:
                    chat.result(output, id_=chat.turns[-1].calls[-1].id)
            self.not_shown += chat.losses
        return [call.plain() for turn in chat.turns for call in turn.calls]

    def _context(self, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the documents of the map, and the sources that the conversation cites."""
        documents: list[dict[str, Any]] = []
        for id_, _ in self._map.named("context"):
            read = self._read(f"context.{id_}" if id_ else "context", _documents) or []
            numbered = len(read) > 1 or not id_
            documents += [
                {"id": f"{id_ or 'c'}{number}" if numbered else id_, **document}
                for number, document in enumerate(read, 1)
            ]
        documents += [{"id": f"c{number}", **source} for number, source in enumerate(sources, 1)]
        seen: set[str] = set()
        for document in documents:
            number = 2
            wanted = document["id"]
            while document["id"] in seen:
                document["id"] = f"{wanted}-{number}"
                number += 1
            seen.add(document["id"])
        return documents


def _flat(values: Iterable[Any]) -> list[Any]:
    return [part for value in values for part in (value if isinstance(value, list) else [value])]


def _only(values: list[Any], where: str) -> Any:
    if len(values) > 1:
        raise BundleFault(f"{where} has {len(values):,} values; choose one with an index, such as [0] or [last]")
    return values[0]


def _any(values: list[Any], _where: str, path: str) -> Any:
    return values if is_many(path) else values[0]


def _text(values: list[Any], where: str, _path: str) -> str:
    value = _only(values, where)
    if not isinstance(value, str):
        raise BundleFault(f"{where} is {json_type(value)}, not a text")
    return value


def _texts(values: list[Any], where: str, path: str) -> list[str]:
    return [_text([value], where, path) for value in values]


def _id(values: list[Any], where: str, path: str) -> str:
    value = _only(values, where)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return label_text(value)
    return _text(values, where, path).strip()


def _format(values: list[Any], where: str, path: str) -> str:
    format_ = (_text(values, where, path) or FORMATS[0]).strip().lower()
    if format_ not in FORMATS:
        raise BundleFault(f"{where}: {format_!r} is neither plain nor markdown")
    return format_


def _joined(values: list[Any], where: str, _path: str) -> str:
    """Return the texts and numbers of a reference, each on a line of its own."""
    parts = _flat(values)
    if any(isinstance(part, (dict, list)) for part in parts):
        raise BundleFault(f"{where} is {json_type(values[0])}, not a text")
    return "\n".join(label_text(part) for part in parts if part not in (None, ""))


def _turns(values: list[Any], where: str, path: str) -> list[dict[str, Any]]:
    """Return the turns of a list of messages with `role` and `content`, or `text`. Raises `BundleFault`."""
    value = values if is_many(path) else parsed_json_text(values[0])
    if value == "":
        return []
    if not isinstance(value, list):
        raise BundleFault(f"{where} is {json_type(value)}, not a list of messages")
    turns = []
    for number, part in enumerate(value, 1):
        text = part.get("text") if isinstance(part, dict) else None
        message = {**part, "content": text} if isinstance(part, dict) and "content" not in part else part
        turns.append(turn_of(message, f"{where}, message {number}"))
    return turns


def _documents(values: list[Any], where: str, _path: str) -> list[dict[str, Any]]:
    """Return documents: a text or an object with a text is one, a list contains several. Raises `BundleFault`."""
    return [_document(part, where) for part in _flat(map(parsed_json_text, values)) if part not in (None, "")]


def _document(part: Any, where: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part}
    if not isinstance(part, dict):
        raise BundleFault(f"{where} is {json_type(part)}, not a text or a document")
    text = next((part[name] for name in _TEXT_KEYS if isinstance(part.get(name), str)), None)
    if text is None:
        raise BundleFault(f"{where}: a document has no `text`")
    for name in ("id", "title", "url"):
        if not isinstance(part.get(name, ""), str):
            raise BundleFault(f"{where}: `{name}` of a document is {json_type(part[name])}, not a text")
    rest = {name: value for name, value in part.items() if name not in _TEXT_KEYS and value != ""}
    return {**rest, "text": text}
