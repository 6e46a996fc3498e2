"""Records of chats in a file, and traces whose spans hold chats."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.safe_zip import SafeZip, quoted_name
from desktop_rater.format.strict_json import StrictJsonError, canonical_json, json_type
from desktop_rater.plugins.convert.chat.blocks import CALL, decoded, is_langchain, messages_in, read_any
from desktop_rater.plugins.convert.chat.conversation import Chat, ChatCall, ChatTurn, time_in
from desktop_rater.plugins.convert.chat.exports import SUBORDINATE, exported_chat, transcript_message
from desktop_rater.plugins.convert.chat.messages import MESSAGES, TOOL_ROLES
from desktop_rater.plugins.convert.chat.spans import (
    Span,
    langfuse_spans,
    langsmith_spans,
    otel_spans,
    phoenix_spans,
)
from desktop_rater.plugins.convert.conversion import OmittedRecord, put_member
from desktop_rater.plugins.convert.source import SourceRecords

_HEADER = "header.json"
_HINT_ZIP = "Give JSON, or convert a log with `inspect log convert --to json` first. Nothing was written."
_ANSWERS = ("choices", "content", "output", "candidates", "message", "outputs")
_CHATS = {*MESSAGES, *_ANSWERS, "contents", "conversations", "trace", "observations", "run_type"}
_FIRST_FAILED = 400
_LONGEST_ERROR = 200


class ChatRecord(msgspec.Struct, kw_only=True):
    """Record of a source: one chat, perhaps as a request and its response. `file` is its number and name.

    `dialect` is that of a trace; for other records it is found from their keys.
    """

    line: int
    where: str
    file: str
    plain: dict[str, Any]
    dialect: str = ""


def chats_in(records: SourceRecords) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats of the files: objects, a list of them, the samples of a log, or the messages of a single chat."""
    for number, members in enumerate(records.members(), 1):
        file = f"{number} {records.path.name}"
        with records.translate_errors(), records.path.open("rb") as opened:
            zipped = opened.read(4) == b"PK\3\4"
        yield from _zipped_samples(records, file) if zipped else _chats_of(members, file, records)


def _chats_of(
    members: Iterator[tuple[int, str | None, Any]], file: str, records: SourceRecords
) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats of one file, and name what is no part of them."""
    whole: dict[str, Any] = {}
    messages: list[dict[str, Any]] = []
    subordinate: list[dict[str, Any]] = []
    first, chats = 0, False
    for line, key, value in members:
        first = first or line
        where = f"line {line}"
        with records.record(line):
            written = transcript_message(value) if key is None and isinstance(value, dict) else None
            if key is not None:
                put_member(whole, key, value, line)
            elif written is not None:
                (subordinate if SUBORDINATE in written else messages).extend([written] if written else [])
            elif _is_message(value) or (messages and "role" in value and "content" in value):
                if chats:
                    raise BundleFault(f"{where}: a message, not a chat as the records before it are")
                messages.append(value)
            elif messages and (len(messages) > 1 or _CHATS.isdisjoint(value)):
                raise BundleFault(f"{where}: not a message, as the records before it are")
            else:
                _leave_out_message(messages, first, records)
                chats |= not _CHATS.isdisjoint(value)
                yield ChatRecord(line=line, where=where, file=file, plain=exported_chat(dict(value)))
    where = f"line {first}"
    if messages and subordinate:
        why = f"{len(subordinate):,} messages of subordinate agents are no part of this chat"
        yield OmittedRecord(line=first, why=why)
    messages = messages or subordinate
    if messages:
        yield ChatRecord(line=first, where=where, file=file, plain={_list_key(messages): messages})
    elif whole:
        yield from _chats_within(whole, first, file, records)


def _leave_out_message(messages: list[dict[str, Any]], line: int, records: SourceRecords) -> None:
    """Leave out the only message that is before the chats of a file."""
    with records.record(line):
        if messages:
            messages.clear()
            raise BundleFault(f"line {line}: a message, not a chat as the records after it are")


def _chats_within(whole: dict[str, Any], line: int, file: str, records: SourceRecords) -> Iterator[ChatRecord]:
    kind, parts = _parts(whole)
    for number, part in enumerate(parts, 1):
        where = f"line {line}, {kind} {number}" if kind else f"line {line}"
        with records.record(line):
            if not isinstance(part, dict):
                raise BundleFault(f"{where}: it is {json_type(part)}, not an object")
            yield ChatRecord(line=line, where=where, file=file, plain=exported_chat(part))


def _parts(whole: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the records in a file that is one object, and their kind: the samples of a log, or the results of tests.

    Samples have the model and the task of the evaluation.
    """
    results = whole.get("results")
    inner = results.get("results") if isinstance(results, dict) else results
    if isinstance(whole.get("samples"), list) and "eval" in whole:
        run = _run(whole["eval"])
        return "sample", [{**run, **part} if isinstance(part, dict) else part for part in whole["samples"]]
    if isinstance(inner, list) and any(isinstance(part, dict) and "prompt" in part for part in inner):
        return "result", [dict(part) if isinstance(part, dict) else part for part in inner]
    return "", [whole]


def _zipped_samples(records: SourceRecords, file: str) -> Iterator[ChatRecord]:
    """Yield the samples of a log of Inspect that is a zip, each in a file of its own."""
    with SafeZip(records.path, (r".*\.json",), hint=_HINT_ZIP) as log:
        with records.translate_errors():
            header = records.parse_object(log.read(_HEADER)) if _HEADER in log else {}
            if "eval" not in header:
                raise BundleFault("It is a zip, but not a log of Inspect", _HINT_ZIP)
        for name in (name for name in log.names if name.startswith("samples/")):
            where = f"line 1, {quoted_name(name)}"
            with records.record(1):
                plain = {**_run(header["eval"]), **records.parse_object(log.read(name))}
                yield ChatRecord(line=1, where=where, file=file, plain=plain)


def _is_message(plain: dict[str, Any]) -> bool:
    """Return whether a record is one message or item of a chat, rather than a chat."""
    if any(key in plain for key in ("messages", "stop_reason", *_ANSWERS[2:4], "choices", "response")):
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


def _run(evaluation: Any) -> dict[str, Any]:
    """Return what a sample of an Inspect log has of its evaluation."""
    fields = evaluation if isinstance(evaluation, dict) else {}
    return {"epoch": 1, **{key: fields[key] for key in ("model", "task", "run_id") if isinstance(fields.get(key), str)}}


def with_requests(chats: Iterator[ChatRecord | OmittedRecord]) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats, each response with its request, which may be in a record before it with the same `custom_id`."""
    waiting: dict[str, tuple[ChatRecord, dict[str, Any]]] = {}
    for chat in chats:
        if isinstance(chat, OmittedRecord):
            yield chat
            continue
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
    for body in (answer, plain.get("response")):
        error = body.get("error") if isinstance(body, dict) and not any(body.get(key) for key in _ANSWERS) else None
        if error and not why:
            words = error.get("message") if isinstance(error, dict) else error
            why = f"the request failed: {str(words or error)[:_LONGEST_ERROR]}"
    return answer, why


NO_CONTENT = "its spans hold no messages; record the inputs and outputs of the model, and export them, too"
_USER, _ASSISTANT = "user", "assistant"
_ROLES = (_USER, _ASSISTANT, "system", "developer", "model", "human", "ai", *TOOL_ROLES)
_LABEL = re.compile(r"^(execute_tool|running tool:|tool\.)\s*")
_STEP = re.compile(r"\.(start|success|error|finish)-\d+$")
_REPR = re.compile(r"[\[{(]+'\w+'[:,]|<[\w.]+ object at 0x")
_READERS: dict[str, Callable[[dict[str, Any]], Iterator[Span]]] = {
    "otel": otel_spans,
    "phoenix": phoenix_spans,
    "langfuse": langfuse_spans,
    "langsmith": langsmith_spans,
    "opik": langfuse_spans,
}
_OF_OPIK = ("feedback_scores", "span_count", "thread_id", "project_id")
_OF_LANGFUSE = ("bookmarked", "htmlPath", "sessionId")
_OF_A_QUEUE = ("id", "input", "output", "metadata")  # beside them, an item has what each annotator answered
_OTLP = ("resourceSpans", "resource_spans", "resourceLogs")
_LISTS = ("data", "runs", "traces", "spans")


def trace_dialect(plain: dict[str, Any]) -> str:
    """Return the dialect of a record that is a trace, or some spans of one; "" for any other record."""
    keys = plain.keys()
    context, trace = plain.get("context"), plain.get("trace")
    whole = keys >= {"input", "output"}
    answered = [part for key, part in plain.items() if key not in _OF_A_QUEUE]
    signs = {
        "otel": any(isinstance(plain.get(key), list) for key in _OTLP) or keys >= {"traceId", "spanId"},
        "": any(key in plain for key in MESSAGES),
        "phoenix": (isinstance(context, dict) and "span_id" in context) or "context.span_id" in plain,
        "langsmith": isinstance(plain.get("run_type"), str),
        "langfuse": isinstance(plain.get("observations"), list)
        or (isinstance(trace, dict) and "observations" in trace)
        or ("type" in plain and any(key in plain for key in ("parentObservationId", "parent_observation_id")))
        or (whole and any(key in plain for key in _OF_LANGFUSE)),
        "opik": (isinstance(trace, dict) and isinstance(plain.get("spans"), list))
        or keys >= {"first_message", "last_message"}
        or (whole and any(key in plain for key in _OF_OPIK))
        or (keys >= set(_OF_A_QUEUE) and all(isinstance(part, dict) for part in [plain["metadata"], *answered])),
    }
    return next((name for name, holds in signs.items() if holds), "")


def spans_of(plain: dict[str, Any]) -> tuple[str, list[Span]]:
    """Return the dialect of a trace and all of its spans; "" and none for any other record."""
    dialect = trace_dialect(plain)
    return dialect, list(_READERS[dialect](plain)) if dialect else []


def with_traces(
    chats: Iterator[ChatRecord | OmittedRecord], records: SourceRecords
) -> Iterator[ChatRecord | OmittedRecord]:
    """Yield the chats of each file, and then its traces, each with all of its spans."""
    file, traces = "", {}
    for chat in chats:
        if isinstance(chat, OmittedRecord):
            yield chat
            continue
        if chat.file != file:
            yield from traces.values()
            file, traces = chat.file, {}
        members = _members(chat.plain)
        if not members:
            yield chat
            continue
        with records.record(chat.line):
            spans = [(dialect, plain, span) for dialect, plain in members for span in _READERS[dialect](plain)]
            if not spans:
                raise BundleFault(f"{chat.where}: it is {members[0][0]}, but holds no spans")
            for dialect, plain, span in spans:
                where = f"{chat.where}, trace {quoted_name(span.trace[:40])}" if span.trace else chat.where
                new = ChatRecord(line=chat.line, where=where, file=file, plain={"spans": []}, dialect=dialect)
                key = span.trace or (chat.where, id(plain))
                traces.setdefault((dialect, key), new).plain["spans"].append(span)
    yield from traces.values()


def _members(plain: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the traces and spans in a record, which may be a page of an interface's answer."""
    if dialect := trace_dialect(plain):
        return [(dialect, plain)]
    listed = next((plain[key] for key in _LISTS if isinstance(plain.get(key), list)), ())
    named = [(trace_dialect(part), part) for part in listed if isinstance(part, dict)]
    return named if named and all(dialect for dialect, _ in named) else []


def read_trace(plain: dict[str, Any], chat: Chat) -> None:
    """Read a trace: the messages of the model call that gave the answer, and the calls of all other spans."""
    spans = sorted(plain.pop("spans"), key=lambda span: span.start)
    root = _root(spans)
    chat.place = "its spans"
    _join_steps(spans)
    answering = _answering(spans, root, chat)
    messages = (
        _conversation(spans, answering, chat) if answering else [*messages_in(root.given, _USER), *_answers(root)]
    )
    if not _said(messages, chat, _USER):
        messages = [*messages_in(root.given, _USER), *messages]
    _read(messages, chat)
    _add_calls(_scratch(chat, _other_messages(spans, messages)), chat)
    _add_spans([span for span in spans if span.kind == "tool"], chat)
    _add_spans([span for span in spans if span.kind == "other"], chat)
    models = list(dict.fromkeys(span.model for span in spans if span.model))
    answered = answering or root
    ids = {"trace_id": root.trace, "span_id": answered.id, "response_id": answered.response_id}
    about = {**ids, "name": root.name, "models": models, **root.fields}
    chat.extra |= {key: value for key, value in about.items() if value not in (None, "", [], {})}


def _root(spans: list[Span]) -> Span:
    ids = {span.id for span in spans}
    tops = [span for span in spans if span.parent not in ids or not span.parent]
    return next((span for span in tops if span.given or span.made), (tops or spans)[0])


def _answers(span: Span) -> list[dict[str, Any]]:
    """Return the messages that a span gave. A dictionary or an object as Python prints it is no answer of a program."""
    messages = messages_in(span.made, _ASSISTANT)
    texts = [content if isinstance(content := message.get("content"), str) else "" for message in messages]
    pairs = zip(messages, texts, strict=True)
    return [message for message, text in pairs if span.kind == "model" or not _REPR.match(text)]


def _scratch(chat: Chat, messages: list[dict[str, Any]]) -> Chat:
    scratch = Chat(chat.where)
    _read(messages, scratch)
    return scratch


def _read(messages: list[dict[str, Any]], chat: Chat) -> None:
    for number, message in enumerate(messages, 1):
        role = message.get("role")
        own = isinstance(role, str) and role not in _ROLES
        named = own and any(call.name == role for turn in chat.turns for call in turn.calls)
        # LangGraph names the tool instead of the role.
        read_any({**message, "role": "tool", "name": role} if named else message, f"message {number}", chat)


def _said(messages: list[dict[str, Any]], chat: Chat, role: str) -> str:
    """Return the last text of a role in these messages."""
    turns = _scratch(chat, messages).turns
    return next((turn.text.strip() for turn in reversed(turns) if turn.role == role and turn.text.strip()), "")


def _answering(spans: list[Span], root: Span, chat: Chat) -> Span | None:
    """Return the last model call that gave the answer of the trace, else the last with a text outside of a tool."""
    parents = {span.id: span for span in spans}
    answered = [
        (span, text)
        for span in reversed(spans)
        if span.kind == "model" and (text := _said(_answers(span), chat, _ASSISTANT))
    ]
    final = _said(_answers(root), chat, _ASSISTANT)
    same = [span for span, text in answered if text == final]
    outside = [span for span, _ in answered if not _within_tool(span, parents)]
    spoken = [span for span in reversed(spans) if not answered and not final and _has_answer(span)]
    return next(iter([*same, *outside, *(span for span, _ in answered), *spoken]), None)


def _has_answer(span: Span) -> bool:
    """Return whether a span that is no model call holds a message of the assistant and those before it."""
    messages = _answers(span) if span.given and span.kind == "other" else []
    return any(message.get("role") == _ASSISTANT and not isinstance(decoded(span.made), str) for message in messages)


def _join_steps(spans: list[Span]) -> None:
    """Join the spans that some programs write for the start and the end of one call of a tool; empty ones are none."""
    started: dict[str, Span] = {}
    for span in spans:
        step = _STEP.search(span.name) if span.kind == "tool" else None
        if step is not None:
            span.kind, span.name = "other", span.name[: step.start()]
            first = started.setdefault(f"{span.parent} {span.name}", span)
            first.kind = "tool"
            first.made, first.error = first.made or span.made, first.error or span.error


def _within_tool(span: Span, parents: dict[str, Span]) -> bool:
    seen: set[str] = set()
    while span.parent in parents and span.parent not in seen:
        seen.add(span.parent)
        span = parents[span.parent]
        if span.kind == "tool":
            return True
    return False


def _conversation(spans: list[Span], answering: Span, chat: Chat) -> list[dict[str, Any]]:
    """Return the messages of a model call; where it was sent no question, those of the calls before it come first."""
    messages = [*messages_in(answering.given, _USER), *_answers(answering)]
    if _said(messages, chat, _USER):
        return messages
    parents = {span.id: span for span in spans}
    earlier: dict[bytes, dict[str, Any]] = {}
    for span in spans:
        if span.kind == "model" and not _within_tool(span, parents):
            for message in [*messages_in(span.given, _USER), *_answers(span)]:
                earlier.setdefault(_key(message), message)
        if span is answering:
            break
    return list(earlier.values())


def _key(value: Any) -> bytes:
    try:
        return canonical_json(decoded(value))
    except (StrictJsonError, TypeError, ValueError, RecursionError):
        return repr(value)[:1_000].encode("utf-8", "replace")


def _other_messages(spans: list[Span], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages that only other model calls of the trace hold, such as those of a subordinate agent."""
    keys = set(map(_key, messages))
    others: dict[bytes, dict[str, Any]] = {}
    for span in spans:
        if span.kind == "model":
            for message in [*messages_in(span.given, _USER), *_answers(span)]:
                key = _key(message)
                if key not in keys:
                    others.setdefault(key, message)
    return list(others.values())


def _add_calls(other: Chat, chat: Chat) -> None:
    """Add the calls that are not in the conversation; one that is there may get its result."""
    by_id = {call.id: call for call in _calls(chat) if call.id}
    by_input = {(call.name, _key(call.input)): call for call in _calls(chat)}
    for call in _calls(other):
        same_input = by_input.get((call.name, _key(call.input)))
        if same_input is not None and same_input.id and call.id:
            same_input = None  # another call with the same input
        same = by_id.get(call.id) or same_input
        if same is None:
            _before_answer(chat, call)
            by_id |= {call.id: call} if call.id else {}
            by_input[call.name, _key(call.input)] = call
        elif same.status == "missing" and call.status != "missing":
            same.output, same.status, same.at = call.output, call.status, call.at


def _calls(chat: Chat) -> list[ChatCall]:
    return [call for turn in chat.turns for call in turn.calls]


def _before_answer(chat: Chat, call: ChatCall) -> ChatCall:
    """Add a call before the answer of a trace."""
    last = max((index for index, turn in enumerate(chat.turns) if turn.text.strip()), default=len(chat.turns))
    if not last or chat.turns[last - 1].role != _ASSISTANT:
        chat.turns.insert(last, ChatTurn(_ASSISTANT))
        last += 1
    return chat.attach(call, chat.turns[last - 1])


def _add_spans(tools: list[Span], chat: Chat) -> None:
    """Give each call its time and missing result from the span of its tool; a span without a call becomes one.

    Programs that do not mark the spans of tools name them after the tool; such a span only completes a call.
    """
    # The calls of the last exchange come first: earlier ones are those of other traces.
    last_prompt = max((index for index, turn in enumerate(chat.turns) if turn.role == _USER), default=0)
    free = [call for turn in [*chat.turns[last_prompt:], *chat.turns[:last_prompt]] for call in turn.calls]
    for span in tools:
        given, name = decoded(span.given), _LABEL.sub("", span.name) or "?"
        same_id = [call for call in free if span.call_id and call.id == span.call_id]
        named = [call for call in free if call.name == name and not (span.call_id and call.id)]
        same_input = [call for call in named if _key(call.input) == _key(given)]
        call = next(iter([*same_id, *same_input, *named]), None)
        if span.kind != "tool" and (call is None or call.status != "missing"):
            continue
        if call is None:
            call = _before_answer(chat, ChatCall(name=name, id=span.call_id, input=given))
        else:
            free.remove(call)
        if call.status == "missing" and (span.made is not None or span.error):
            made = {"error": span.error} if span.made is None else _tool_output(decoded(span.made))
            chat.settle(call, made, failed=bool(span.error))
        elif span.error:
            call.status = "error"
        call.at = call.at or time_in({"time": span.start})


def _tool_output(made: Any) -> Any:
    """Return the output of a tool without the message of LangChain around it."""
    inner = made.get("output", made) if isinstance(made, dict) and len(made) == 1 else made
    if isinstance(inner, dict) and is_langchain(inner):
        fields = inner.get("kwargs", inner)
        return fields.get("content") if isinstance(fields, dict) else inner
    return inner
