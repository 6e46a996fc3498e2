"""Convert recorded chats with tool calls, in the dialects of several interfaces and data sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.bundle.convert.azure_fields import response_of
from desktop_rater.bundle.convert.azure_messages import NO_QUESTION, RatedExchange, rated_exchange, rated_exchanges
from desktop_rater.bundle.convert.chat.conversation import (
    MESSAGES,
    TOOL_ROLES,
    Chat,
    block_text,
    placeholder,
    read_call,
    read_chat,
    read_message,
    read_system,
    says_failed,
    take_list,
    time_in,
)
from desktop_rater.bundle.convert.conversion import (
    ConvertedRecord,
    OmittedRecord,
    json_type,
    parsed_json_text,
    put_member,
)
from desktop_rater.bundle.convert.toolbench import value_of
from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.safe_zip import SafeZip, quoted_name

if TYPE_CHECKING:
    from desktop_rater.bundle.convert.source import SourceRecords

_CALL = "_call"
_CALL_OUTPUT = "_call_output"
_HOSTED_INPUTS = ("arguments", "input", "action", "queries", "code", "operation")


def _read_responses(plain: dict[str, Any], chat: Chat) -> None:
    """Read a request and response of OpenAI's Responses API, or a list of its items."""
    read_system(plain, "instructions", chat)
    asked = plain.get("input")
    if isinstance(asked, str):
        plain["input"] = [{"role": "user", "content": asked}]
    for key in ("input", "output"):
        for number, item in enumerate(take_list(plain, (key,), chat), 1):
            chat.place = f"item {number} of `{key}`"
            _read_item(item, chat)


def _read_item(item: dict[str, Any], chat: Chat) -> None:
    kind = item.get("type", "message")
    if kind == "message":
        extra = {key: item[key] for key in ("status", "phase") if item.get(key) not in (None, "completed")}
        read_message({"role": item.get("role"), "content": item.get("content"), **extra}, chat.place, chat)
    elif kind == "reasoning":
        chat.reasoning += 1
    elif kind == "mcp_list_tools":
        chat.extra.setdefault(kind, []).append(item)
    elif isinstance(kind, str) and kind.endswith(_CALL_OUTPUT):
        chat.result(item.get("output"), id_=item.get("call_id"), failed=says_failed(item), time=time_in(item))
    elif isinstance(kind, str) and kind.endswith(_CALL):
        given = next((item[key] for key in _HOSTED_INPUTS if item.get(key) is not None), None)
        id_ = item.get("call_id") or item.get("id")
        chat.call(item.get("name") or kind.removesuffix(_CALL), given, id_)
        lists = {key: item[key] for key in ("results", "outputs") if item.get(key) is not None}
        output = item.get("output") if item.get("output") is not None else lists or None
        if isinstance(item.get("result"), str):  # a generated image
            output = placeholder(chat, "image", {})
        if item.get("error") or output is not None or item.get("status") == "failed":
            error = {"error": item.get("error") or "failed"}
            failed = says_failed(item) or bool(item.get("error"))
            chat.result(error if output is None else output, id_=id_, failed=failed)
    else:
        if not chat.turns:
            chat.start("assistant")
        chat.say(chat.lose(kind if isinstance(kind, str) else json_type(kind)))


_UNDERSCORE = re.compile(r"_([a-z])")


def _read_gemini(plain: dict[str, Any], chat: Chat) -> None:
    """Read `contents` of Gemini's API, and the first of `candidates`."""
    for key in ("systemInstruction", "system_instruction"):
        content = plain.pop(key, None)
        if content:
            _read_content(content, f"`{key}`", "system", chat)
    asked = plain.get("contents")
    if isinstance(asked, str) or (isinstance(asked, dict) and "parts" in asked):
        plain["contents"] = [asked] if isinstance(asked, dict) else [{"parts": [{"text": asked}]}]
    for number, content in enumerate(take_list(plain, ("contents", *MESSAGES), chat), 1):
        _read_content(content, f"content {number}", "user", chat)
    for number, candidate in enumerate(take_list(plain, ("candidates",), chat), 1):
        chat.place = f"candidate {number}"
        if number > 1:
            chat.lose("another answer")
        elif candidate.get("content"):
            _read_content(candidate["content"], chat.place, "assistant", chat)
            extra = {key: value for key, value in candidate.items() if key not in ("content", "index")}
            chat.extra |= {"candidate": extra} if extra else {}


def _read_content(content: Any, place: str, role: str, chat: Chat) -> None:
    chat.place = place
    content = {"parts": [content]} if isinstance(content, str) else content
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list):
        raise chat.fault("`parts` is not a list")
    chat.start(chat.role(content["role"]) if content.get("role") else role)
    for number, part in enumerate(parts, 1):
        chat.place = f"{place}, part {number}"
        if isinstance(part, dict):
            fields = {_UNDERSCORE.sub(lambda match: match[1].upper(), key): value for key, value in part.items()}
            _read_part(fields, chat)
        else:
            chat.say(block_text(chat, part))


def _read_part(part: dict[str, Any], chat: Chat) -> None:
    match part:
        case {"thought": True}:
            chat.reasoning += 1
        case {"text": str() as text}:
            chat.say(text, glue="")
        case {"functionCall": {"name": name, **call}}:
            chat.call(name, call.get("args"), call.get("id"))
        case {"functionResponse": {"name": name, **result}}:
            response = result.get("response")
            parts = result.get("parts")
            shown = [
                placeholder(chat, "file", blob) if (blob := _blob_in(part)) else chat.lose("a part of a response")
                for part in (parts if isinstance(parts, list) else ())
            ]
            response = {"response": response, "parts": shown} if shown else response
            chat.result(response, id_=result.get("id"), name=name)
        case {"executableCode": dict() as code}:
            chat.call("code_execution", code, code.get("id"))
        case {"codeExecutionResult": dict() as result}:
            failed = result.get("outcome") != "OUTCOME_OK"
            chat.result(result.get("output"), id_=result.get("id"), name="code_execution", failed=failed)
        case _ if blob := _blob_in(part):
            chat.say(placeholder(chat, "file", blob))
        case _:
            chat.say(chat.lose(next(iter(part), "an empty part")))


def _blob_in(part: Any) -> dict[str, Any]:
    keys = ("inlineData", "inline_data", "fileData", "file_data") if isinstance(part, dict) else ()
    return next((part[key] for key in keys if isinstance(part.get(key), dict)), {})


_HERMES = re.compile(r"<tool_(call|response)>((?:(?!<tool_).)*?)</tool_\1>", re.DOTALL)
_CALLING = ("function_call", "tool_call")
_OBSERVING = ("observation", "function_response", "tool_response", *TOOL_ROLES)


def _read_sharegpt(plain: dict[str, Any], chat: Chat) -> None:
    """Read `conversations` of `from` and `value`, with calls and results as turns or as tags in the text."""
    read_system(plain, "system", chat)
    for number, message in enumerate(take_list(plain, ("conversations", *MESSAGES), chat), 1):
        chat.place = f"message {number}"
        if "value" not in message and "content" in message:
            read_message(message, chat.place, chat)
            continue
        role, text = chat.role(message.get("from")), message.get("value")
        if not isinstance(text, str):
            raise chat.fault(f"`value` is {json_type(text)}, not a text")
        tagged = [match[2].strip() for match in _HERMES.finditer(text)]
        if role in _CALLING:
            for call in tagged or [text]:
                _read_written_calls(call, chat)
        elif role in _OBSERVING:
            for output in tagged or [text]:
                chat.result(output)
        else:
            chat.start(role, {key: value for key, value in message.items() if key not in ("from", "value")})
            if role != "assistant" or not tagged:
                chat.say(text)
                continue
            chat.say(_HERMES.sub("", text).strip())
            for call in tagged:
                _read_written_calls(call, chat)


def _read_written_calls(text: str, chat: Chat) -> None:
    value = value_of(text)
    for call in value if isinstance(value, list) and value else [value]:
        if isinstance(call, dict) and ("name" in call or "function" in call):
            read_call(call, chat)
        else:
            chat.call(None, text)


_INSPECT_REPEATS = ("events", "events_data", "attachments", "store", "input", "output", "message_pool", "call_pool")


def _read_inspect(plain: dict[str, Any], chat: Chat) -> None:
    """Read a sample of an Inspect log; what repeats its messages is left out."""
    attachments = plain.get("attachments")
    messages = plain.pop("messages")
    if isinstance(attachments, dict) and attachments:
        messages = _with_attachments(messages, attachments)
    for key in _INSPECT_REPEATS:
        plain.pop(key, None)
    read_chat({"messages": messages}, chat)


def _with_attachments(value: Any, attachments: dict[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("attachment://"):
        return attachments.get(value.removeprefix("attachment://"), value)
    if isinstance(value, list):
        return [_with_attachments(part, attachments) for part in value]
    if isinstance(value, dict):
        return {key: _with_attachments(part, attachments) for key, part in value.items()}
    return value


class Dialect(msgspec.Struct, frozen=True):
    """Reader of a dialect. It takes its fields out of a record, which has at least one of `needs`."""

    read: Callable[[dict[str, Any], Chat], None]
    needs: tuple[str, ...]


PLAIN = "messages"
INSPECT = "inspect"
DIALECTS: dict[str, Dialect] = {
    "openai-chat": Dialect(read_chat, (*MESSAGES, "choices")),
    "openai-responses": Dialect(_read_responses, ("input", "output")),
    "anthropic": Dialect(read_chat, (*MESSAGES, "content")),
    "gemini": Dialect(_read_gemini, ("contents", "candidates", *MESSAGES)),
    "sharegpt": Dialect(_read_sharegpt, ("conversations", *MESSAGES)),
    PLAIN: Dialect(read_chat, MESSAGES),
    INSPECT: Dialect(_read_inspect, ("messages",)),
}


def dialect_of(plain: dict[str, Any]) -> str:
    """Return the dialect of a record, `messages` if several read it alike, or "" if it is of none."""
    if "epoch" in plain and "messages" in plain:
        return INSPECT
    for key, name in _DIALECT_OF_KEY.items():
        if key in plain:
            return name
    listed = next((plain[key] for key in MESSAGES if plain.get(key) is not None), None)
    if listed is None and not isinstance(plain.get("content"), list):
        typed = plain.get("object") == "response" or any(isinstance(plain.get(key), list) for key in _RESPONSES)
        return "openai-responses" if typed else ""
    listed = parsed_json_text(listed)
    listed = listed.get("messages") if isinstance(listed, dict) else listed
    marks = [mark for message in (listed if isinstance(listed, list) else ()) for mark in _marks(message)]
    return "anthropic" if isinstance(plain.get("content"), list) else next(iter(marks), PLAIN)


_DIALECT_OF_KEY = {
    "contents": "gemini",
    "candidates": "gemini",
    "conversations": "sharegpt",
    "choices": "openai-chat",
}
_RESPONSES = ("input", "output")
_ANTHROPIC_TYPES = ("thinking", "redacted_thinking", "document", "search_result")


def _marks(message: Any) -> Iterator[str]:
    """Yield the dialects that alone write a message so."""
    if not isinstance(message, dict):
        return
    if "parts" in message and "content" not in message:
        yield "gemini"
    if "from" in message and "value" in message:
        yield "sharegpt"
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and (kind in _ANTHROPIC_TYPES or kind.endswith(("tool_use", "tool_result"))):
            yield "anthropic" if message.get("role") not in TOOL_ROLES else "openai-chat"
    if message.get("role") in (*TOOL_ROLES, "developer") or message.get("tool_calls") or message.get("function_call"):
        yield "openai-chat"


CHAT = "chat"
RUBRIC = "span-factuality@2"

_FIRST_FAILED = 400
_MOST_KEYS = 8
_HINT_DIALECT = f"The dialects are {', '.join(DIALECTS)}. Choose one with --dialect. Nothing was written."
_HINT_MIXED = "Convert each dialect from a file of its own, or choose one with --dialect. Nothing was written."
_HEADER = "header.json"
_HINT_ZIP = "Give JSON, or convert a log with `inspect log convert --to json` first. Nothing was written."
_ANSWERS = ("choices", "content", "output", "candidates")


class ChatRecord(msgspec.Struct, kw_only=True):
    """Record of a source: one chat, perhaps as a request and its response. `file` is its number and name."""

    line: int
    where: str
    file: str
    plain: dict[str, Any]


def convert(
    records: SourceRecords, *, dialect: str | None = None, every_turn: bool = False
) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for the last answer of each chat, or for each of its answers, with all calls made before it.

    Without `dialect` it is found for each record; a file has one dialect. Raises `BundleError` for a record that is of
    none, or not of the one that was chosen.
    """
    count = 0
    file = ""
    file_dialect = ""
    for record in _with_requests(_records(records)):
        if isinstance(record, OmittedRecord):
            yield record
            continue
        if record.file != file:
            file, file_dialect = record.file, ""
        count += 1
        with records.translate_errors():
            name = dialect or dialect_of(record.plain)
            _check_dialect(record, name)
            if not dialect and name not in (PLAIN, file_dialect or name):
                raise BundleFault(f"{record.where}: it is {name}, but the file begins as {file_dialect}", _HINT_MIXED)
            file_dialect = file_dialect if name == PLAIN else name
            made = _converted(f"ch-{count:04}", record, name, every_turn=every_turn)
        yield from made


def _records(records: SourceRecords) -> Iterator[ChatRecord]:
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
                    raise BundleFault(f"{where}: not a message, as the records before it are", _HINT_MIXED)
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
    return spoken or ("from" in plain and "value" in plain) or _is_item(plain)


def _is_item(plain: dict[str, Any]) -> bool:
    """Return whether a record is an item of the Responses API other than a message."""
    kind = plain.get("type")
    return isinstance(kind, str) and ("call_id" in plain or kind.endswith(_CALL) or kind == "reasoning")


def _list_key(messages: list[dict[str, Any]]) -> str:
    if any(map(_is_item, messages)):
        return "input"
    return "conversations" if "from" in messages[0] else "contents" if "parts" in messages[0] else "messages"


def _samples(whole: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """Return the samples of an Inspect log, with the model and the task of the evaluation."""
    samples, evaluation = whole["samples"], whole["eval"]
    if not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        raise BundleFault(f"{where}: `samples` is {json_type(samples)}, not a list of objects")
    fields = evaluation if isinstance(evaluation, dict) else {}
    run = {key: fields[key] for key in ("model", "task", "run_id") if isinstance(fields.get(key), str)}
    return [{"epoch": 1, **run, **sample} for sample in samples]


def _with_requests(chats: Iterator[ChatRecord]) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats, each response with its request, which may be in a record before it with the same `custom_id`."""
    waiting: dict[str, tuple[ChatRecord, dict[str, Any]]] = {}
    for chat in chats:
        plain = chat.plain
        id_ = plain.get("custom_id")
        request = next((plain.pop(key) for key in ("request", "params") if isinstance(plain.get(key), dict)), None)
        if request is None and "url" in plain and isinstance(plain.get("body"), dict):
            request = plain.pop("body")
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
        case {"response": {"body": dict() as body}}:
            del plain["response"]
            answer = body
        case {"response": dict() as response} if any(key in response for key in _ANSWERS):
            del plain["response"]
            answer = response
        case {"custom_id": str(), "error": dict() | str(), "response": None}:
            why = "the request failed"
    return answer, why


def _check_dialect(record: ChatRecord, name: str) -> None:
    if not name:
        keys = ", ".join(quoted_name(key) for key in list(record.plain)[:_MOST_KEYS]) or "none"
        raise BundleFault(f"{record.where}: it is of no known dialect; its keys are {keys}", _HINT_DIALECT)
    needs = DIALECTS[name].needs
    if not any(record.plain.get(key) is not None for key in needs):
        likely = dialect_of(record.plain)
        words = f"{record.where}: it has no {' or '.join(f'`{key}`' for key in needs)}, which {name} needs"
        raise BundleFault(f"{words}; it looks like {likely}" if likely else words, _HINT_DIALECT)


def _converted(
    task: str, record: ChatRecord, dialect: str, *, every_turn: bool
) -> list[ConvertedRecord | OmittedRecord]:
    chat = Chat(record.where)
    rest = dict(record.plain)
    DIALECTS[dialect].read(rest, chat)
    spoken = [(index, turn) for index, turn in enumerate(chat.turns) if turn.text.strip()]
    messages = [
        {**turn.extra, "role": turn.role, "content": turn.text, "tool_calls": [{}] if turn.calls else []}
        for _, turn in spoken
    ]
    exchanges = rated_exchanges(messages, record.where) if every_turn else rated_exchange(messages, record.where)
    counts = {"calls_in": chat.calls, "calls_out": 0, "reasoning": chat.reasoning, "placeholders": chat.placeholders}
    if isinstance(exchanges, str):
        batch = exchanges == NO_QUESTION and "custom_id" in record.plain
        why = f"{exchanges}; give the file of the requests before that of the responses" if batch else exchanges
        return [OmittedRecord(line=record.line, name=record.where.partition(", ")[2], why=why, counts=counts)]
    exchanges = exchanges if isinstance(exchanges, list) else [exchanges]
    reference = rest.pop("target", None) if dialect == INSPECT else None
    meta = {**rest, **chat.extra, "source": CHAT, "dialect": dialect, "line": record.line}
    if chat.not_shown:
        meta["not_shown"] = [f"{part.target}: {part.quote}" for part in chat.not_shown]
    made: list[ConvertedRecord | OmittedRecord] = []
    shown = 0
    for turn, exchange in enumerate(exchanges, 1):
        last = turn == len(exchanges)
        place = spoken[exchange.place][0]
        calls = [call.plain() for chat_turn in chat.turns[: None if last else place] for call in chat_turn.calls]
        after = sum(len(chat_turn.calls) for chat_turn in chat.turns[place:]) if last else 0
        numbers = {"conversation": task, "turn": turn, "turns": len(exchanges)} if every_turn else {}
        plain = _task(f"{task}#{turn}" if every_turn else task, exchange, calls)
        plain["meta"] = {**meta, **plain["meta"], **numbers, **({"calls_after": after} if after else {})}
        if last and reference:
            plain["reference"] = "\n".join(map(str, reference if isinstance(reference, list) else [reference]))
        counts = dict.fromkeys(counts, 0) if made else counts
        counts["calls_out"] = len(calls) - shown
        shown = len(calls)
        not_shown = () if made else tuple(chat.not_shown)
        made.append(ConvertedRecord(line=record.line, task=plain, called="part", unplaced=not_shown, counts=counts))
    return made


def _task(id_: str, exchange: RatedExchange, calls: list[dict[str, Any]]) -> dict[str, Any]:
    history = [{key: value for key, value in turn.items() if key != "tool_calls"} for turn in exchange.history]
    plain = {
        "id": id_,
        "prompt": {"text": exchange.prompt},
        "history": history,
        "responses": [response_of(exchange.answer, calls)],
        "meta": exchange.extra,
    }
    return {key: value for key, value in plain.items() if value != []}
