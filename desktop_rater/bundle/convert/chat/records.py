"""Records of chat files: objects, lists, logs, traces, and responses that are recorded apart from their requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.convert.chat.blocks import is_langchain
from desktop_rater.bundle.convert.chat.providers import CALL
from desktop_rater.bundle.convert.conversion import OmittedRecord, json_type, put_member
from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.safe_zip import SafeZip, quoted_name

if TYPE_CHECKING:
    from desktop_rater.bundle.convert.source import SourceRecords

HINT_MIXED = "Convert each dialect from a file of its own, or choose one with --dialect. Nothing was written."
_HEADER = "header.json"
_HINT_ZIP = "Give JSON, or convert a log with `inspect log convert --to json` first. Nothing was written."
_ANSWERS = ("choices", "content", "output", "candidates")
_FIRST_FAILED = 400


class ChatRecord(msgspec.Struct, kw_only=True):
    """Record of a source: one chat, perhaps as a request and its response. `file` is its number and name.

    `dialect` is that of a trace; for other records it is found from their keys.
    """

    line: int
    where: str
    file: str
    plain: dict[str, Any]
    dialect: str = ""


def chats_in(records: SourceRecords) -> Iterator[ChatRecord]:
    """Yield the chats of the files: objects, a list of them, the samples of a log, or the messages of a single chat."""
    for number, members in enumerate(records.members(), 1):
        file = f"{number} {records.path.name}"
        with records.translate_errors(), records.path.open("rb") as opened:
            zipped = opened.read(4) == b"PK\3\4"
        if zipped:
            yield from _zipped_samples(records, file)
            continue
        whole: dict[str, Any] = {}
        messages: list[dict[str, Any]] = []
        first = 0
        for line, key, value in members:
            first = first or line
            where = f"line {line}"
            with records.translate_errors():
                if key is not None:
                    put_member(whole, key, value, line)
                elif _is_message(value):
                    messages.append(value)
                    continue
                elif messages:
                    raise BundleFault(f"{where}: not a message, as the records before it are", HINT_MIXED)
            if key is None:
                yield ChatRecord(line=line, where=where, file=file, plain=dict(value))
        where = f"line {first}"
        if messages:
            yield ChatRecord(line=first, where=where, file=file, plain={_list_key(messages): messages})
        elif "samples" in whole and "eval" in whole:
            with records.translate_errors():
                samples = _samples(whole, where)
            for sample, plain in enumerate(samples, 1):
                yield ChatRecord(line=first, where=f"{where}, sample {sample}", file=file, plain=plain)
        elif whole:
            yield ChatRecord(line=first, where=where, file=file, plain=whole)


def _zipped_samples(records: SourceRecords, file: str) -> Iterator[ChatRecord]:
    """Yield the samples of a log of Inspect that is a zip, each in a file of its own."""
    with SafeZip(records.path, (r".*\.json",), hint=_HINT_ZIP) as log:
        with records.translate_errors():
            header = records.parse_object(log.read(_HEADER)) if _HEADER in log else {}
            if "eval" not in header:
                raise BundleFault("It is a zip, but not a log of Inspect", _HINT_ZIP)
        for name in (name for name in log.names if name.startswith("samples/")):
            where = f"line 1, {quoted_name(name)}"
            with records.translate_errors():
                (plain,) = _samples({**header, "samples": [records.parse_object(log.read(name))]}, where)
            yield ChatRecord(line=1, where=where, file=file, plain=plain)


def _is_message(plain: dict[str, Any]) -> bool:
    """Return whether a record is one message or item of a chat, rather than a chat."""
    if any(key in plain for key in ("messages", "stop_reason", *_ANSWERS[2:], "choices", "response")):
        return _is_item(plain)
    spoken = "role" in plain and any(key in plain for key in ("content", "parts", "tool_calls"))
    return spoken or ("from" in plain and "value" in plain) or is_langchain(plain) or _is_item(plain)


def _is_item(plain: dict[str, Any]) -> bool:
    """Return whether a record is an item of the Responses API other than a message."""
    kind = plain.get("type")
    return isinstance(kind, str) and ("call_id" in plain or kind.endswith(CALL) or kind == "reasoning")


def _list_key(messages: list[dict[str, Any]]) -> str:
    if any(map(_is_item, messages)):
        return "input"
    parts = messages[0].get("parts")
    if isinstance(parts, list) and not any(isinstance(part, dict) and "type" in part for part in parts):
        return "contents"
    return "conversations" if "from" in messages[0] else "messages"


def _samples(whole: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """Return the samples of an Inspect log, with the model and the task of the evaluation."""
    samples, evaluation = whole["samples"], whole["eval"]
    if not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        raise BundleFault(f"{where}: `samples` is {json_type(samples)}, not a list of objects")
    fields = evaluation if isinstance(evaluation, dict) else {}
    run = {key: fields[key] for key in ("model", "task", "run_id") if isinstance(fields.get(key), str)}
    return [{"epoch": 1, **run, **sample} for sample in samples]


def with_requests(chats: Iterator[ChatRecord]) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats, each response with its request, which may be in a record before it with the same `custom_id`."""
    waiting: dict[str, tuple[ChatRecord, dict[str, Any]]] = {}
    for chat in chats:
        plain = chat.plain
        id_ = plain.get("custom_id")
        request = next((plain.pop(key) for key in ("request", "params") if isinstance(plain.get(key), dict)), None)
        if request is None and "url" in plain and isinstance(plain.get("body"), dict):
            request = plain.pop("body")
        logged = plain.get("input")
        if isinstance(logged, dict) and isinstance(logged.get("inputBodyJson"), dict):  # Bedrock's log of invocations
            request = plain.pop("input")["inputBodyJson"]
        response, why = _response(plain)
        if request and response is None and not why and isinstance(id_, str):
            waiting[id_] = chat, request
            continue
        if request is None and isinstance(id_, str) and id_ in waiting:
            request = waiting.pop(id_)[1]
        if why:
            yield OmittedRecord(line=chat.line, name=id_ if isinstance(id_, str) else "", why=why)
        else:
            chat.plain = {**plain, **(request or {}), **(response or {})}
            yield chat
    for id_, (chat, _) in waiting.items():
        why = f"no file holds a response to this request of {quoted_name(chat.file.partition(' ')[2])}"
        yield OmittedRecord(line=chat.line, name=id_, why=why)


def _response(plain: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """Take the recorded response out of a record; the second value is the reason if the request failed."""
    answer, why = None, ""
    match plain:
        case {"result": {"type": "succeeded", "message": dict() as message}}:
            del plain["result"]
            answer = message
        case {"result": {"type": "errored" | "canceled" | "expired" as outcome}}:
            why = f"the request failed: {outcome}"
        case {"response": {"status_code": int() as status}} if status >= _FIRST_FAILED:
            why = f"the request failed with status {status}"
        case {"output": {"outputBodyJson": dict() as body}}:
            del plain["output"]
            answer = body
        case {"response": {"body": dict() as body}}:
            del plain["response"]
            answer = body
        case {"response": dict() as response} if any(key in response for key in _ANSWERS):
            del plain["response"]
            answer = response
        case {"custom_id": str(), "error": dict() | str(), "response": None}:
            why = "the request failed"
    return answer, why
