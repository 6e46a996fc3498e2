"""Spans of traces in one form, read from OTLP, and from the exports of Phoenix, Langfuse, Opik and LangSmith."""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from desktop_rater.plugins.convert.chat.blocks import decoded

SpanKind = Literal["model", "tool", "other"]


class Span(msgspec.Struct, kw_only=True):
    """Span of a trace. `given` and `made`: its input and output, as written. `start`: seconds since 1970.

    The `fields` of the root go to `meta`.
    """

    id: str
    trace: str
    name: str = ""
    parent: str = ""
    kind: SpanKind = "other"
    start: float = 0.0
    given: Any = None
    made: Any = None
    call_id: str | None = None
    error: str = ""
    model: str = ""
    response_id: str = ""
    fields: dict[str, Any] = {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _first(fields: dict[str, Any], *keys: str) -> Any:
    return next((fields[key] for key in keys if fields.get(key) not in (None, "", [], {})), None)


_CAMEL = re.compile(r"_([a-z])")
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))  # nanoseconds, microseconds, milliseconds


def _seconds(value: Any) -> float:
    """Return a time as seconds since 1970: ISO 8601, or a number whose size tells its unit; 0.0 for anything else."""
    try:
        if isinstance(value, str) and not value.isdigit():
            time = datetime.fromisoformat(value)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    if not math.isfinite(number) or isinstance(value, bool):
        return 0.0
    return number / next((divisor for least, divisor in _UNITS if number >= least), 1)


def _plain(value: Any) -> Any:
    """Return the value of an attribute of OTLP, which names its type, also with the names of protocol buffers."""
    if isinstance(value, dict) and len(value) == 1:
        ((key, part),) = value.items()
        value = {_CAMEL.sub(lambda match: match[1].upper(), key): part}
    match value:
        case {"stringValue": plain} | {"boolValue": plain} | {"doubleValue": plain} | {"bytesValue": plain}:
            return plain
        case {"intValue": str() as digits} if digits.lstrip("-").isdigit() and len(digits) < 16:
            return int(digits)
        case {"intValue": plain}:
            return plain
        case {"arrayValue": dict() as inner}:
            values = inner.get("values")
            return [_plain(part) for part in values] if isinstance(values, list) else []
        case {"kvlistValue": dict() as inner}:
            return _attributes(inner.get("values"))
    return value


def _attributes(value: Any) -> dict[str, Any]:
    """Return attributes as an object; OTLP writes them as a list of `key` and `value`."""
    if isinstance(value, dict):
        return value
    pairs = value if isinstance(value, list) else ()
    return {
        pair["key"]: _plain(pair.get("value")) for pair in pairs if isinstance(pair, dict) and _text(pair.get("key"))
    }


_MOST_STEPS = 12


def _indexed(attributes: dict[str, Any], prefix: str) -> Any:
    """Return the value of an attribute, or the list in attributes such as `prefix.0.message.role`."""
    value = attributes.get(prefix)
    if value not in (None, "", [], {}):
        return decoded(value) if isinstance(value, str) else _relisted(value)
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(f"{prefix}."):
            node = tree
            *steps, last = key[len(prefix) + 1 :].split(".", _MOST_STEPS)
            for step in steps:
                inner = node.setdefault(step, {})
                node = inner if isinstance(inner, dict) else {}
            node[last] = value
    return _relisted(tree) or None


def _relisted(value: Any) -> Any:
    """Return nested objects, with lists for those whose keys are numbers; dotted keys become nested objects."""
    if isinstance(value, list):
        return [_relisted(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() and len(key) < 10 for key in value):
        return [_relisted(value[key]) for key in sorted(value, key=int)]
    dotted = {key.partition(".")[0] for key in value if key.startswith(("message.", "tool_call.", "message_content."))}
    fields = {key: _relisted(part) for key, part in value.items() if key.partition(".")[0] not in dotted}
    return {**fields, **{key: _indexed(value, key) for key in sorted(dotted)}}


_EVENT_ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
_CHATTING = ("chat", "text_completion", "generate_content", "completion", "message")
_INPUTS = (
    *("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "llm.prompts", "ai.prompt.messages"),
    "ai.prompt",
)
_OUTPUTS = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion")
_ANY_INPUT = ("input.value", "input", "traceloop.entity.input")
_ANY_OUTPUT = ("output.value", "output", "traceloop.entity.output")
_TOOL_INPUTS = ("gen_ai.tool.call.arguments", "ai.toolCall.args", "tool_arguments", "tool.parameters", *_ANY_INPUT)
_TOOL_OUTPUTS = ("gen_ai.tool.call.result", "ai.toolCall.result", "tool_response", *_ANY_OUTPUT)
_TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_CALL_IDS = ("gen_ai.tool.call.id", "tool.id", "tool_call.id", "ai.toolCall.id")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")


def _kind(attributes: dict[str, Any], span_kind: str) -> SpanKind:
    operation = _text(attributes.get("gen_ai.operation.name"))
    kind = (_text(_first(attributes, "openinference.span.kind", "traceloop.span.kind")) or span_kind).upper()
    if operation == "execute_tool" or kind in ("TOOL", "RETRIEVER") or "ai.toolCall.name" in attributes:
        return "tool"
    if operation in _CHATTING or kind == "LLM" or _text(attributes.get("llm.request.type")) in _CHATTING:
        return "model"
    is_operation = operation or kind in ("AGENT", "CHAIN", "WORKFLOW", "TASK")
    spoken = any(key.startswith(("gen_ai.prompt", "gen_ai.input.messages", "ai.prompt.messages")) for key in attributes)
    return "model" if spoken and not is_operation else "other"


def _event_messages(events: Iterable[tuple[str, dict[str, Any]]]) -> tuple[list[Any], list[Any]]:
    """Return the messages to and from the model that are events of a span."""
    given, made = [], []
    for name, attributes in events:
        content = decoded(attributes.get("gen_ai.event.content"))
        fields = content if isinstance(content, dict) else attributes
        if name in _EVENT_ROLES:
            call = {"tool_call_id": fields["id"]} if name == "gen_ai.tool.message" and "id" in fields else {}
            message = {key: fields[key] for key in ("content", "tool_calls", "name") if fields.get(key) is not None}
            given.append({"role": _EVENT_ROLES[name], **{key: decoded(part) for key, part in message.items()}, **call})
        elif name == "gen_ai.choice":
            message = decoded(fields.get("message", fields))
            if isinstance(message, dict):
                made.append({**message, "role": "assistant"})
        else:
            given += [_first(fields, "gen_ai.input.messages", "gen_ai.prompt")]
            made += [_first(fields, "gen_ai.output.messages", "gen_ai.completion")]
    return [part for part in given if part], [part for part in made if part]


def span_of_attributes(
    span: Span, attributes: dict[str, Any], span_kind: str, events: list[tuple[str, dict[str, Any]]]
) -> Span:
    """Complete a span from its attributes and events, by the conventions of OpenTelemetry or OpenInference."""
    span.kind = _kind(attributes, span_kind)
    names, (inputs, outputs) = _INPUTS, (_ANY_INPUT, _ANY_OUTPUT)
    if span.kind == "tool":
        span.name = _text(_first(attributes, *_TOOL_NAMES)) or span.name
        span.call_id = _text(_first(attributes, *_CALL_IDS)) or None
        inputs, outputs, names = _TOOL_INPUTS, _TOOL_OUTPUTS, ()
        span.made = _documents(attributes)
    given, made = _event_messages(events)
    lists = (_indexed(attributes, name) for name in names)
    span.given = next((part for part in lists if part), None) or given or _first(attributes, *inputs)
    system = decoded(attributes.get("gen_ai.system_instructions"))
    if system and span.kind != "tool":
        span.given = [{"role": "system", "parts": system if isinstance(system, list) else [system]}, span.given]
    lists = (_indexed(attributes, name) for name in (_OUTPUTS if span.kind != "tool" else ()))
    made = next((part for part in lists if part), None) or _vercel_answer(attributes) or made
    span.made = span.made or made or _first(attributes, *outputs)
    span.model = _text(_first(attributes, *_MODELS))
    span.response_id = _text(_first(attributes, "gen_ai.response.id", "ai.response.id"))
    contents = (
        *_INPUTS,
        *_OUTPUTS,
        *_ANY_INPUT,
        *_ANY_OUTPUT,
        "gen_ai.system_instructions",
        "ai.response.",
        "llm.tools",
    )
    rest = {key: value for key, value in attributes.items() if not key.startswith(contents)}
    span.fields |= {"attributes": rest} if rest else {}
    return span


def _vercel_answer(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    text, calls = _first(attributes, "ai.response.text"), decoded(attributes.get("ai.response.toolCalls"))
    blocks = [{"type": "text", "text": text}] if isinstance(text, str) else []
    blocks += [
        {**call, "type": "tool-call"} for call in (calls if isinstance(calls, list) else ()) if isinstance(call, dict)
    ]
    return [{"role": "assistant", "content": blocks}] if blocks else []


def _documents(attributes: dict[str, Any]) -> Any:
    documents = _indexed(attributes, "retrieval.documents")
    listed = documents if isinstance(documents, list) else ()
    return [part.get("document", part) if isinstance(part, dict) else part for part in listed] or None


def otel_spans(plain: dict[str, Any]) -> Iterator[Span]:
    """Yield the spans of an export in OTLP's JSON, of spans or of the events of a model's client."""
    for resource in _objects(plain, "resourceSpans", "resource_spans", "resourceLogs"):
        about = (
            _attributes((resource.get("resource") or {}).get("attributes"))
            if isinstance(resource.get("resource"), dict)
            else {}
        )
        for scope in _objects(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs"):
            for record in _objects(scope, "spans"):
                yield _otel_span(record, about)
            for record in _objects(scope, "logRecords"):
                yield _otel_log(record)
    if "resourceSpans" not in plain and _text(plain.get("traceId")):
        yield _otel_span(plain, {})


def _objects(plain: dict[str, Any], *keys: str) -> list[dict[str, Any]]:
    value = _first(plain, *keys)
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _otel_span(record: dict[str, Any], about: dict[str, Any]) -> Span:
    status = record.get("status")
    status = status if isinstance(status, dict) else {}
    failed = status.get("code") in (2, "STATUS_CODE_ERROR", "ERROR")
    events = [(_text(event.get("name")), _attributes(event.get("attributes"))) for event in _objects(record, "events")]
    span = Span(
        id=_text(_first(record, "spanId", "span_id")),
        trace=_text(_first(record, "traceId", "trace_id")),
        parent=_text(_first(record, "parentSpanId", "parent_span_id")),
        name=_text(record.get("name")),
        start=_seconds(_first(record, "startTimeUnixNano", "start_time_unix_nano")),
        error=(_text(status.get("message")) or "failed") if failed else "",
        fields={"resource": about} if about else {},
    )
    return span_of_attributes(span, _attributes(record.get("attributes")), "", _content_events(events))


def _content_events(events: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    return [(name, fields) for name, fields in events if name.startswith("gen_ai.") and "evaluation" not in name]


def _otel_log(record: dict[str, Any]) -> Span:
    attributes, body = _attributes(record.get("attributes")), _plain(record.get("body"))
    name = _text(_first(record, "eventName", "event_name")) or _text(attributes.get("event.name"))
    fields = {**attributes, **(body if isinstance(body, dict) else {})}
    given, made = _event_messages(_content_events([(name, fields)]))
    return Span(
        id=_text(_first(record, "spanId", "span_id")),
        trace=_text(_first(record, "traceId", "trace_id")),
        kind="model",
        start=_seconds(_first(record, "timeUnixNano", "observedTimeUnixNano")),
        given=given,
        made=made,
    )


def phoenix_spans(plain: dict[str, Any]) -> Iterator[Span]:
    """Yield the span in a record of Phoenix, in any form, or printed by OpenTelemetry's SDK for Python."""
    context = plain.get("context")
    attributes = _attributes(plain.get("attributes"))
    attributes |= {
        key.removeprefix("attributes."): value for key, value in plain.items() if key.startswith("attributes.")
    }
    ids = context if isinstance(context, dict) else {}
    status = plain.get("status")
    status = status if isinstance(status, dict) else plain
    failed = status.get("status_code") == "ERROR"
    events = [(_text(event.get("name")), _attributes(event.get("attributes"))) for event in _objects(plain, "events")]
    span = Span(
        id=_text(ids.get("span_id") or plain.get("context.span_id")).removeprefix("0x"),
        trace=_text(ids.get("trace_id") or plain.get("context.trace_id")).removeprefix("0x"),
        parent=_text(plain.get("parent_id")).removeprefix("0x"),
        name=_text(plain.get("name")),
        start=_seconds(plain.get("start_time")),
        error=(_text(_first(status, "status_message", "description")) or "failed") if failed else "",
    )
    yield span_of_attributes(span, _flat(attributes), _text(plain.get("span_kind")), _content_events(events))


_NESTED = ("llm", "input", "output", "tool", "gen_ai", "openinference", "retrieval", "session", "user")


def _flat(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return attributes with dotted names for those that are nested objects."""
    flat: dict[str, Any] = {}
    for key, value in attributes.items():
        if isinstance(value, dict) and key.partition(".")[0] in _NESTED and key.count(".") < _MOST_STEPS:
            flat |= _flat({f"{key}.{inner}": part for inner, part in value.items()})
        else:
            flat[key] = value
    return flat


_LANGFUSE_TOOLS = ("TOOL", "RETRIEVER")
_LANGFUSE_MODELS = ("GENERATION", "LLM")
_INPUT, _OUTPUT = ("input", "first_message"), ("output", "last_message")
_NO_FIELDS = ("id", "name", *_INPUT, *_OUTPUT, "observations", "scores", "feedback_scores", "comments")


def langfuse_spans(plain: dict[str, Any]) -> Iterator[Span]:
    """Yield the observations of a trace of Langfuse or Opik, and the trace as their root; or an observation alone.

    Of an item of a queue, what its annotators answered is no field.
    """
    inner = plain.get("trace")
    trace = inner if isinstance(inner, dict) else plain
    observations = _objects(plain, "observations", "spans") or _objects(trace, "observations")
    if any(key in plain for key in ("traceId", "trace_id", "parentObservationId", "parent_observation_id")):
        yield _observation(plain, "")
        return
    id_, queued = _text(trace.get("id")), not any(key in trace for key in ("timestamp", "start_time", "observations"))
    yield Span(
        id="",
        trace=id_,
        name=_text(trace.get("name")),
        start=_seconds(_first(trace, "timestamp", "start_time")),
        given=_first(trace, *_INPUT),
        made=_first(trace, *_OUTPUT),
        fields={key: trace[key] for key in trace if key == "metadata" or not (queued or key in _NO_FIELDS)},
    )
    yield from (_observation(observation, id_) for observation in observations)


def _observation(plain: dict[str, Any], trace: str) -> Span:
    kind = _text(plain.get("type")).upper()
    metadata = decoded(plain.get("metadata"))
    attributes = metadata.get("attributes") if isinstance(metadata, dict) else None
    attributes = attributes if isinstance(attributes, dict) else {}
    if kind == "SPAN" and _kind(attributes, "") == "tool":
        kind = _LANGFUSE_TOOLS[0]
    given = _first(attributes, *_TOOL_INPUTS) if kind in _LANGFUSE_TOOLS and plain.get("input") is None else None
    return Span(
        id=_text(plain.get("id")),
        trace=trace or _text(_first(plain, "traceId", "trace_id")),
        parent=_text(_first(plain, "parentObservationId", "parent_observation_id", "parent_span_id")),
        name=_text(plain.get("name")),
        kind="model" if kind in _LANGFUSE_MODELS else "tool" if kind in _LANGFUSE_TOOLS else "other",
        start=_seconds(_first(plain, "startTime", "start_time")),
        given=plain.get("input") if given is None else given,
        made=plain.get("output"),
        error=(_text(_first(plain, "statusMessage", "status_message")) or "failed")
        if plain.get("level") == "ERROR" or plain.get("error_info")
        else "",
        model=_text(_first(plain, "model", "provided_model_name")),
        fields={"metadata": plain["metadata"]} if plain.get("metadata") else {},
    )


_LANGSMITH_KINDS: dict[str, SpanKind] = {"llm": "model", "tool": "tool", "retriever": "tool"}
_RUN_FIELDS = ("tags", "session_id", "session_name", "feedback_stats", "reference_example_id", "extra", "error")


def langsmith_spans(plain: dict[str, Any], trace: str = "", parent: str = "") -> Iterator[Span]:
    """Yield a run of LangSmith and its child runs."""
    id_ = _text(plain.get("id"))
    trace = _text(plain.get("trace_id")) or trace or id_
    extra = plain.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    yield Span(
        id=id_,
        trace=trace,
        parent=_text(plain.get("parent_run_id")) or parent,
        name=_text(plain.get("name")),
        kind=_LANGSMITH_KINDS.get(_text(plain.get("run_type")), "other"),
        start=_seconds(plain.get("start_time")),
        given=plain.get("inputs"),
        made=plain.get("outputs"),
        error=_text(plain.get("error")),
        model=_text(metadata.get("ls_model_name")) if isinstance(metadata, dict) else "",
        fields={key: plain[key] for key in _RUN_FIELDS if plain.get(key) not in (None, [], {})},
    )
    for child in _objects(plain, "child_runs"):
        yield from langsmith_spans(child, trace, id_)
