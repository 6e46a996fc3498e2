"""Traces of agents become one conversation each, with every call once."""

import json
from copy import deepcopy
from typing import Any

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.plugins.convert.formats.azure_records import NO_ANSWER
from tests.plugins.convert.chats import ANSWERED, ASKED, CALL, RECORDED, chat, converted_chats, tools
from tests.plugins.convert.converting import lines

FILES = sorted(path.name for path in RECORDED.glob("*.json*"))
ANSWER = "It is 21 degrees."


def recorded(name):
    return json.loads((RECORDED / name).read_text("utf-8"))


def attributes(**values):
    return [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in values.items()]


def spans_of(export):
    return export["resourceSpans"][0]["scopeSpans"][0]["spans"]


@pytest.mark.parametrize("name", FILES)
def test_the_same_conversation_is_read_from_every_program(name):
    ((made,), omitted) = converted_chats(RECORDED / name)
    assert omitted == []
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (ASKED["content"], ANSWER)
    assert [{key: call[key] for key in CALL} for call in tools(made)] == [CALL]
    assert (made.counts["tool_calls_in"], made.counts["tool_calls_out"], made.unplaced) == (1, 1, ())
    assert name.startswith(made.task["meta"]["dialect"])


def test_a_trace_says_where_it_is_from_and_its_tools_when_they_ran(tmp_path):
    ((made,), _) = converted_chats(RECORDED / "otel-messages.json")
    meta = made.task["meta"]
    assert (meta["trace_id"], meta["span_id"]) == ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b4")
    assert meta["response_id"] == "chatcmpl-1"
    assert (meta["models"], meta["resource"]) == (["gpt-4-0613"], {"service.name": "weather-bot"})
    assert meta["attributes"]["gen_ai.conversation.id"] == "conv_5"
    assert tools(made)[0]["at"] == "2025-11-22T08:26:43Z"
    ((made,), _) = converted_chats(RECORDED / "langfuse.json")
    assert (made.task["meta"]["sessionId"], made.task["meta"]["tags"]) == ("s-1", ["demo"])


def test_spans_of_one_trace_are_gathered_from_all_lines_and_pages_of_a_file(tmp_path):
    spans = spans_of(recorded("otel-messages.json"))
    others = json.loads(json.dumps(spans).replace("4bf92f35", "aaaaaaaa"))
    batches = [
        {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
        for pair in zip(spans, others, strict=True)
        for span in pair
    ]
    made, _ = converted_chats(lines(tmp_path / "t.jsonl", *batches))
    assert [(len(tools(part)), part.counts["tool_calls_in"]) for part in made] == [(1, 1), (1, 1)]
    assert made[1].task["meta"]["trace_id"].startswith("aaaaaaaa")
    observations = recorded("langfuse.json")["observations"]
    ((made,), _) = converted_chats(lines(tmp_path / "l.jsonl", {"data": observations[:2]}, {"data": observations[2:]}))
    assert (tools(made)[0]["output"], made.task["responses"][0]["text"]) == ({"temp": 21}, ANSWER)


def test_calls_that_only_spans_hold_are_added_before_the_answer_and_none_twice(tmp_path):
    trace = recorded("langfuse.json")
    by_agent = {
        **trace["observations"][1],
        "id": "sub",
        "parentObservationId": "ob-3",
        "output": {
            "role": "assistant",
            "tool_calls": [{"id": "c7", "function": {"name": "lookup", "arguments": '{"of": "Paris"}'}}],
        },
    }
    failed = {**trace["observations"][2], "id": "f", "name": "lookup", "output": None, "level": "ERROR"}
    retrieved = {**failed, "id": "r", "type": "RETRIEVER", "name": "docs", "level": "DEFAULT", "output": ["Mild."]}
    trace["observations"] += [by_agent, {**failed, "statusMessage": "timeout"}, retrieved]
    made = chat(tmp_path, trace)
    assert [(call["name"], call["status"], call.get("output")) for call in tools(made)] == [
        ("weather", "ok", {"temp": 21}),
        ("lookup", "error", {"error": "timeout"}),
        ("docs", "ok", ["Mild."]),
    ]
    assert (made.counts["tool_calls_in"], made.task["responses"][0]["text"]) == (3, ANSWER)


def test_a_model_call_of_another_agent_does_not_answer_for_the_trace(tmp_path):
    trace = recorded("langfuse.json")
    title = {**trace["observations"][3], "id": "t", "startTime": "2025-11-22T08:27:00Z", "output": "Weather in Paris"}
    inner = {**title, "id": "i", "parentObservationId": "ob-3", "startTime": "2025-11-22T08:27:01Z", "output": "Inner."}
    trace["observations"] += [title, inner]
    assert chat(tmp_path, trace).task["responses"][0]["text"] == ANSWER
    trace["output"] = trace["observations"][0]["output"] = None
    assert chat(tmp_path, trace).task["responses"][0]["text"] == "Weather in Paris"


def test_where_the_provider_kept_the_conversation_earlier_model_calls_complete_it(tmp_path):
    trace = recorded("langfuse.json")
    last = trace["observations"][3]
    last["input"] = last["input"][2:]
    made = chat(tmp_path, trace)
    assert (made.task["prompt"]["text"], tools(made)[0]["output"]) == (ASKED["content"], {"temp": 21})
    trace["observations"] = [trace["observations"][2]]
    made = chat(tmp_path, trace)
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (ASKED["content"], ANSWER)
    assert tools(made)[0]["status"] == "ok"


def test_a_span_that_has_the_name_of_a_tool_alone_gives_its_call_the_result(tmp_path):
    trace = recorded("langfuse.json")
    tool, last = trace["observations"][2:]
    tool.update(type="SPAN", name="tool.weather")
    last["input"] = last["input"][:2]
    trace["observations"].append({**tool, "id": "again"})
    assert [{key: call[key] for key in CALL} for call in tools(chat(tmp_path, trace))] == [CALL]


def test_spans_may_be_printed_by_the_sdk_or_have_the_names_of_protocol_buffers(tmp_path):
    given, made = json.dumps([ASKED]), json.dumps([ANSWERED])
    values = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": given, "gen_ai.output.messages": made}
    printed = {"name": "chat", "context": {"trace_id": "0xa1", "span_id": "0xb2"}, "attributes": values}
    pairs = [{"key": key, "value": {"string_value": value}} for key, value in values.items()]
    span = {"trace_id": "a1", "span_id": "b2", "attributes": pairs}
    exported = {"resource_spans": [{"scope_spans": [{"spans": [span]}]}]}
    for record in ({**printed, "parent_id": None, "status": {"status_code": "UNSET"}}, exported):
        made = chat(tmp_path, record)
        assert made.task["responses"][0]["text"] == ANSWER
        assert (made.task["meta"]["trace_id"], made.task["meta"]["span_id"]) == ("a1", "b2")


def test_a_trace_is_not_read_as_one_of_another_program(tmp_path):
    with pytest.raises(BundleError, match="trace tr-1: it is langfuse, not otel"):
        converted_chats(RECORDED / "langfuse.json", dialect="otel")


def test_events_of_a_model_may_be_log_records(tmp_path):
    body = {"kvlistValue": {"values": attributes(content=ASKED["content"])}}
    choice = {"kvlistValue": {"values": attributes(message=json.dumps({"content": ANSWER}))}}
    records = [
        {"traceId": "a", "spanId": "b", "timeUnixNano": "1", "eventName": "gen_ai.user.message", "body": body},
        {"traceId": "a", "spanId": "b", "timeUnixNano": "2", "eventName": "gen_ai.choice", "body": choice},
    ]
    made = chat(tmp_path, {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]})
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (ASKED["content"], ANSWER)


def test_attributes_of_phoenix_may_be_columns_or_nested_objects(tmp_path):
    spans = recorded("phoenix.json")
    rows = [
        {
            **{f"attributes.{key}": value for key, value in span["attributes"].items()},
            **{f"context.{key}": value for key, value in span["context"].items()},
            **{key: span[key] for key in ("name", "span_kind", "parent_id", "start_time")},
        }
        for span in spans
    ]
    listed = {"message.role": "user", "message.content": ASKED["content"]}
    for row in rows:
        if (
            "attributes.llm.input_messages.0.message.role" in row
            and "attributes.llm.input_messages.1.message.role" not in row
        ):
            row["attributes.llm.input_messages"] = [listed]
    ((made,), _) = converted_chats(lines(tmp_path / "rows.jsonl", *rows))
    assert [call["output"] for call in tools(made)] == [{"temp": 21}]
    nested = deepcopy(spans[3])
    nested["attributes"] = {"llm": {"input_messages": [{"message": ASKED}], "output_messages": [{"message": ANSWERED}]}}
    made = chat(tmp_path, nested)
    assert made.task["responses"][0]["text"] == ANSWER


def test_what_frameworks_write_in_their_own_way_is_read(tmp_path):
    call = {"type": "function", "id": "c1", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
    tool = {"type": "function", "function": {"name": "weather", "parameters": {}}}
    by_langgraph: list[Any] = [ASKED, {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [call]}}]
    by_langgraph += [{"role": "weather", "content": '{"temp": 21}'}, {"role": "tool", "content": tool}]
    by_koog = [ASKED, {"role": "tool", "content": json.dumps([call])}, {"role": "tool", "content": '{"temp": 21}'}]
    items = [ASKED, {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Paris"}'}]
    items += [{"type": "function_call_output", "call_id": "c1", "output": '{"temp": 21}'}]
    trace = recorded("langfuse.json")
    for messages in (by_langgraph, by_koog, items, {"input": items}, {"messages": [by_langgraph]}, json.dumps(by_koog)):
        trace["observations"] = [{**trace["observations"][-1], "input": messages}]
        made = chat(tmp_path, trace)
        assert [{key: call[key] for key in CALL} for call in tools(made)] == [CALL], messages
        assert made.task["prompt"]["text"] == ASKED["content"]


def test_a_result_in_the_agent_s_own_interface_may_fail_or_be_missing(tmp_path):
    def part(state, **more):
        return {"type": "dynamic-tool", "toolName": "w", "toolCallId": state, "state": state, "input": {}, **more}

    parts = [
        part("output-error", errorText="no route"),
        part("input-available"),
        part("output-denied", approval={"id": "a", "approved": False, "reason": "not today"}),
        part("output-available", output=None),
        {"type": "tool-invocation", "toolInvocation": {**part("result"), "args": {"a": 1}, "result": [1]}},
        {"type": "source-url", "sourceId": "s", "url": "https://example.org/"},
        {"type": "data-chart", "data": {}},
        {"type": "reasoning", "text": "Hm."},
        {"type": "text", "text": ANSWER},
    ]
    made = chat(
        tmp_path,
        {
            "messages": [
                {"role": "user", "parts": [{"type": "text", "text": "?"}]},
                {"role": "assistant", "parts": parts},
            ]
        },
    )
    assert [(call["status"], call.get("output")) for call in tools(made)] == [
        ("error", "no route"),
        ("missing", None),
        ("error", "not today"),
        ("empty", None),
        ("ok", [1]),
    ]
    assert [part.quote for part in made.unplaced] == ["data-chart"]
    assert made.task["meta"]["answered"]["citations"][0]["url"] == "https://example.org/"
    assert made.counts["reasoning"] == 1


def test_a_result_to_the_model_may_be_of_any_kind(tmp_path):
    record = recorded("vercel-ai-model.json")
    result = record["messages"][2]["content"][0]
    for output, shown, status in (
        ({"type": "text", "value": "mild"}, "mild", "ok"),
        ({"type": "error-json", "value": {"code": 5}}, {"code": 5}, "error"),
        ({"type": "execution-denied", "reason": "not today"}, "not today", "error"),
        (
            {"type": "content", "value": [{"type": "image-data", "data": "A", "mediaType": "image/png"}]},
            "[image: image/png]",
            "ok",
        ),
    ):
        result["output"] = output
        made = chat(tmp_path, record)
        assert (tools(made)[0]["output"], tools(made)[0]["status"]) == (shown, status)


def test_results_of_converse_may_be_texts_pictures_or_errors(tmp_path):
    record = recorded("bedrock.json")
    result = record["messages"][2]["content"][0]["toolResult"]
    for content, status, shown, state in (
        ([{"text": "mild"}], "success", "mild", "ok"),
        ([{"text": "no route"}], "error", "no route", "error"),
        ([{"text": "mild"}, {"json": {"a": 1}}], "success", ["mild", {"a": 1}], "ok"),
        ([{"image": {"format": "png", "source": {"bytes": "AA"}}}], "success", "[image: png]", "ok"),
    ):
        result.update(content=content, status=status)
        made = chat(tmp_path, record)
        assert (tools(made)[0]["output"], tools(made)[0]["status"]) == (shown, state)
    log: dict[str, Any] = {"schemaType": "ModelInvocationLog", "operation": "Converse", "modelId": "m"}
    sent = {key: record[key] for key in ("messages", "system")}
    log |= {"input": {"inputBodyJson": sent}, "output": {"outputBodyJson": {"output": record["output"]}}}
    made = chat(tmp_path, log)
    assert (made.task["responses"][0]["text"], made.task["meta"]["operation"]) == (ANSWER, "Converse")


def test_documents_that_an_answer_cites_are_the_context(tmp_path):
    record = {**recorded("azure-conversation.json"), "ground_truth": "21", "fluency": 4}
    made: Any = chat(tmp_path, record)
    cited = {"id": "paris.md", "text": "Paris is mild."}
    assert made.task["context"] == [cited]
    assert (made.task["reference"], made.rating.answers.responses["a"]) == ("21", {"fluency": 4})
    wrapped = {"conversation": {"messages": record["messages"], "context": "Rome is hot."}}
    assert chat(tmp_path, wrapped).task["context"] == [cited, {"id": "c2", "text": "Rome is hot."}]


def test_what_python_prints_of_an_answer_is_none_and_the_steps_of_a_tool_are_one_call(tmp_path):
    def observation(name: str, kind: str = "", **fields: Any) -> dict[str, Any]:
        attributes = {"openinference.span.kind": kind, **fields.pop("attributes", {})}
        return {"id": name, "type": "SPAN", "name": name, "metadata": json.dumps({"attributes": attributes}), **fields}

    steps = [
        observation("tool.weather.start-1", "TOOL", attributes={"tool.parameters": json.dumps(CALL["input"])}),
        observation("tool.weather.finish-1", "TOOL"),
        observation("tool.weather.success-1", "TOOL", output=json.dumps(CALL["output"])),
    ]
    answer = {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]}
    asked = [{"role": "user", "text": ASKED["content"]}]
    said = observation("agent.success-2", "AGENT", input=json.dumps(asked), output=json.dumps(answer))
    trace = {"id": "t", "name": "bee", "input": ASKED["content"], "output": "{'role': 'assistant', 'text': 'It is'}"}
    made = chat(tmp_path, {"trace": trace, "observations": [*steps, said]})
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (ASKED["content"], ANSWER)
    assert tools(made) == [CALL]
    path = lines(tmp_path / "t.jsonl", {"trace": trace, "observations": steps})
    assert [record.why for record in converted_chats(path)[1]] == [NO_ANSWER]
