"""The dialect of each file is found or chosen, and what only one dialect writes is read."""

import json

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.plugins.convert.chat import DIALECTS
from tests.format import zips
from tests.plugins.convert import test_chat_calls as recorded
from tests.plugins.convert.chats import (
    ANSWERED,
    ASKED,
    RECORDED,
    anthropic_call,
    anthropic_chat,
    anthropic_result,
    chat,
    converted_chats,
    openai_call,
    openai_chat,
    openai_result,
    tools,
)
from tests.plugins.convert.converting import lines
from tests.plugins.convert.test_queues import OPIK, SPANS

TEXT = recorded.TEXT
RECORDS = {
    "openai-chat": openai_chat(TEXT),
    "openai-responses": recorded.RESPONSES,
    "anthropic": {"system": "Be brief.", **anthropic_chat(recorded.BLOCKS)},
    "gemini": recorded.GEMINI,
    "sharegpt": recorded.SHAREGPT,
    "messages": {"messages": [ASKED, ANSWERED]},
    "inspect": recorded.INSPECT,
    **{path.stem: json.loads(path.read_text("utf-8")) for path in RECORDED.glob("*.json")},
}
RECORDS["cohere"] = {
    "messages": openai_chat(TEXT)["messages"][:-1],
    "message": {"role": "assistant", "content": [{"type": "text", "text": "It is 21 degrees."}]},
}
RECORDS["mistral-conversations"] = {
    "inputs": "How warm is Paris?",
    "outputs": [
        {"type": "tool.execution", "name": "web_search", "arguments": '{"query": "Paris"}'},
        {"type": "function.call", "tool_call_id": "c1", "name": "weather", "arguments": '{"city": "Paris"}'},
        {"type": "function.result", "tool_call_id": "c1", "result": TEXT},
        {"type": "message.output", "role": "assistant", "content": "It is 21 degrees."},
    ],
}
RECORDS["otel"] = RECORDS.pop("otel-messages")
RECORDS["phoenix"] = {"data": RECORDS["phoenix"]}
RECORDS["langsmith"] = {"runs": RECORDS["langsmith"]}
RECORDS["opik"] = {"trace": OPIK, "spans": SPANS}


def refused(*paths, **options):
    with pytest.raises(BundleError) as info:
        converted_chats(*paths, **options)
    return str(info.value), info.value.hint


@pytest.mark.parametrize("name", DIALECTS)
def test_each_dialect_is_found(tmp_path, name):
    assert chat(tmp_path, RECORDS[name]).task["meta"]["dialect"] == name


def test_a_file_may_be_json_lines_a_list_one_object_or_the_messages_of_one_chat(tmp_path):
    record = openai_chat(TEXT)
    files = {
        "lines.jsonl": json.dumps(record) + "\n" + json.dumps(record),
        "list.json": json.dumps([record, record], indent=1),
        "one.json": json.dumps(record, indent=1),
        "turns.json": json.dumps(record["messages"], indent=1),
        "turns.jsonl": "\n".join(map(json.dumps, record["messages"])),
        "blocks.json": json.dumps(anthropic_chat(TEXT)["messages"]),
        "items.json": json.dumps([ASKED, *recorded.RESPONSES["output"]]),
        "gpt.json": json.dumps(recorded.SHAREGPT["conversations"]),
        "contents.json": json.dumps(recorded.GEMINI["contents"] + [recorded.GEMINI["candidates"][0]["content"]]),
        "log.json": json.dumps({"version": 2, "eval": {"model": "m"}, "samples": [recorded.INSPECT]}),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text, "utf-8")
        made, omitted = converted_chats(path)
        assert omitted == []
        assert len(made) == (2 if name in ("lines.jsonl", "list.json") else 1), name
        assert all(tools(record)[0]["output"] == recorded.WARM for record in made), name
        assert {record.task["responses"][0]["text"] for record in made} == {"It is 21 degrees."}


def test_each_record_of_a_file_has_its_own_dialect(tmp_path):
    names = [name for name in DIALECTS if name not in TRACES]
    made, omitted = converted_chats(lines(tmp_path / "mixed.jsonl", *(RECORDS[name] for name in names)))
    assert omitted == []
    assert [record.task["meta"]["dialect"] for record in made] == names


def test_a_dialect_that_does_not_fit_is_refused_with_the_one_that_does(tmp_path):
    message, hint = refused(lines(tmp_path / "c.jsonl", openai_chat(TEXT)), dialect="openai-responses")
    assert "line 1: it has no `input` or `output`, which openai-responses needs; it looks like openai-chat." in message
    assert "openai-chat, openai-responses, anthropic" in hint
    message, hint = refused(lines(tmp_path / "q.jsonl", {"question": "?", "an\u001bswer": "x"}))
    assert "line 1: it is of no known dialect; its keys are question, 'an\\x1bswer'." in message
    assert "--dialect" in hint


def test_answers_of_a_batch_find_their_requests(tmp_path):
    body = {"messages": openai_chat(TEXT)["messages"][:-1]}
    asked = {"custom_id": "r1", "method": "POST", "url": "/v1/chat/completions", "body": body}
    answer = {"status_code": 200, "body": {"choices": [{"index": 0, "message": ANSWERED}]}}
    questions = lines(tmp_path / "in.jsonl", asked, {**asked, "custom_id": "r2"}, {**asked, "custom_id": "r3"})
    answers = lines(
        tmp_path / "out.jsonl",
        {"custom_id": "r1", "response": answer, "error": None},
        {"custom_id": "r2", "response": {"status_code": 429, "body": {}}, "error": None},
    )
    (made,), omitted = converted_chats(questions, answers)
    assert tools(made)[0]["output"] == recorded.WARM
    assert made.task["meta"]["custom_id"] == "r1"
    assert [(record.name, record.why) for record in omitted] == [
        ("r2", "the request failed with status 429"),
        ("r3", "no file holds a response to this request of in.jsonl"),
    ]
    made, omitted = converted_chats(answers)
    assert made == []
    assert omitted[0].why.endswith("give the file of the requests before that of the responses")


def test_a_batch_of_the_other_kind_is_read_too(tmp_path):
    params = {"messages": anthropic_chat(TEXT)["messages"][:-1]}
    message = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Warm."}]}
    records = [
        {"custom_id": "a", "params": params},
        {"custom_id": "b", "params": params},
        {"custom_id": "a", "result": {"type": "succeeded", "message": {**message, "stop_reason": "end_turn"}}},
        {"custom_id": "b", "result": {"type": "expired"}},
    ]
    (made,), (omitted,) = converted_chats(lines(tmp_path / "b.jsonl", *records))
    assert made.task["responses"][0]["text"] == "Warm."
    assert tools(made)[0]["status"] == "ok"
    assert omitted.why == "the request failed: expired"


def test_hosted_calls_have_what_the_record_holds(tmp_path):
    items = [
        {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "paris"}},
        {"type": "file_search_call", "id": "f", "queries": ["paris"], "results": [{"text": "mild"}]},
        {"type": "mcp_call", "id": "m", "name": "weather", "arguments": "{}", "output": None, "error": "no route"},
        {"type": "code_interpreter_call", "id": "i", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
        {"type": "image_generation_call", "id": "g", "result": "iVBORw0KGgo="},
        {"type": "custom_tool_call", "call_id": "u", "name": "sh", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "u", "output": [{"type": "input_text", "text": "a.txt"}]},
        {"type": "local_shell_call", "call_id": "l", "action": {"command": ["ls"]}},
        {"type": "local_shell_call_output", "call_id": "l", "output": "b.txt"},
        {"type": "mcp_list_tools", "tools": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
        {"type": "item_of_tomorrow"},
    ]
    more: list[dict[str, object]] = [
        {
            "type": "web_search_call",
            "id": "v",
            "status": "completed",
            "action": {"query": "p", "sources": [{"url": "u"}]},
        },
        {"type": "file_search_call", "id": "n", "status": "completed", "queries": ["p"], "results": None},
        {"type": "image_generation_call", "id": "h", "status": "completed", "revised_prompt": "A fox."},
        {"type": "tool_search_output", "call_id": None, "tools": [{"name": "weather"}]},
    ]
    made = chat(tmp_path, {"object": "response", "input": [ASKED], "output": [*items, *more]})
    assert [(call["name"], call["status"], call.get("output")) for call in tools(made)] == [
        ("web_search", "not_recorded", None),
        ("file_search", "ok", {"results": [{"text": "mild"}]}),
        ("weather", "error", {"error": "no route"}),
        ("code_interpreter", "ok", {"outputs": [{"type": "logs", "logs": "2"}]}),
        ("image_generation", "ok", "[image]"),
        ("sh", "ok", "a.txt"),
        ("local_shell", "ok", "b.txt"),
        ("web_search", "ok", {"sources": [{"url": "u"}]}),
        ("file_search", "not_recorded", None),
        ("image_generation", "not_recorded", None),
        ("tool_search", "ok", [{"name": "weather"}]),
    ]
    assert [call.get("input") for call in tools(made)[7:]] == [
        {"query": "p"},
        ["p"],
        {"revised_prompt": "A fox."},
        None,
    ]
    assert made.task["responses"][0]["text"] == "Done."
    assert made.unplaced[0].target == "item 12 of `output`"
    assert made.counts["tool_calls_in"] == made.counts["tool_calls_out"] == 10


def test_tools_of_the_server_come_before_the_text_that_follows_them(tmp_path):
    found = {"type": "web_search_result", "url": "https://paris.example/", "title": "P", "encrypted_content": "x"}
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "I will search."},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "paris"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [found]},
        {"type": "text", "text": "It is "},
        {"type": "text", "text": "21 degrees", "citations": [{"url": "https://paris.example/", "cited_text": "21"}]},
        {"type": "text", "text": "."},
    ]
    made = chat(tmp_path, {"messages": [ASKED, {"role": "assistant", "content": content}]})
    assert made.task["responses"][0]["text"] == "It is 21 degrees."
    assert [turn["text"] for turn in made.task["history"]] == ["I will search."]
    assert tools(made)[0]["output"] == {
        "results": [{"url": "https://paris.example/", "title": "P", "type": found["type"]}]
    }
    assert made.counts["reasoning"] == 1
    failed = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    content[3] = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": failed}
    assert (
        tools(chat(tmp_path, {"messages": [ASKED, {"role": "assistant", "content": content}]}))[0]["status"] == "error"
    )


def test_code_that_gemini_executed_is_a_call(tmp_path):
    parts = [
        {"text": "hm", "thought": True},
        {"executableCode": {"language": "PYTHON", "code": "1/0"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "ZeroDivisionError"}},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"text": "It failed."},
        {"thoughtSignature": "x", "hologram": {}},
    ]
    contents = [{"parts": [{"text": "Divide."}]}, {"role": "model", "parts": parts}]
    made = chat(tmp_path, {"contents": contents})
    assert [(call["name"], call["status"]) for call in tools(made)] == [("code_execution", "error")]
    assert made.task["responses"][0]["text"] == "It failed."
    assert [part["type"] for part in made.task["responses"][0]["not_shown"]] == ["file: image/png", "hologram"]
    assert (made.counts["reasoning"], made.counts["placeholders"]) == (1, 1)
    assert made.unplaced[0].target == "content 2, part 6"


def test_a_log_of_inspect_keeps_errors_tools_of_the_provider_and_attachments(tmp_path):
    used = {"type": "tool_use", "tool_type": "mcp_call", "id": "u", "name": "look", "arguments": "{}", "result": "seen"}
    messages = [
        ASKED,
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": ""}, used, {"type": "text", "text": ""}]},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "bash", "arguments": {"c": 1}}]},
        {"role": "tool", "tool_call_id": "c", "function": "bash", "content": "cut",
         "error": {"type": "timeout", "message": "late"}},
        {"role": "assistant", "content": "attachment://abc"},
    ]  # fmt: skip
    sample = {"id": 1, "epoch": 2, "target": ["21", "mild"], "messages": messages, "attachments": {"abc": "It is 21."}}
    made = chat(tmp_path, {**sample, "scores": {"match": {"value": "C"}}})
    assert [(call["name"], call["status"], call["output"]) for call in tools(made)] == [
        ("look", "ok", "seen"),
        ("bash", "error", {"error": {"type": "timeout", "message": "late"}, "content": "cut"}),
    ]
    assert made.task["responses"][0]["text"] == "It is 21."
    assert made.task["reference"] == "21\nmild"
    assert made.task["meta"]["scores"] == {"match": {"value": "C"}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {}, "samples": None}), "utf-8")
    assert "no known dialect; its keys are eval, samples" in refused(path)[0]


def test_sources_that_an_answer_names_stay_with_it(tmp_path):
    cited = [{"type": "url_citation", "url": "https://paris.example/"}]
    part = {"type": "output_text", "text": "It is 21 degrees.", "annotations": cited}
    made = chat(tmp_path, {"input": "?", "output": [{"type": "message", "role": "assistant", "content": [part]}]})
    assert made.task["meta"]["answered"] == {"annotations": cited}


def test_columns_of_a_data_set_that_are_called_like_fields_of_a_response_are_no_answer(tmp_path):
    columns = {"content": "about Paris", "choices": ["20", "21"]}
    for record in ({"messages": [ASKED, ANSWERED], **columns}, {**recorded.INSPECT, **columns}):
        made = chat(tmp_path, record)
        assert made.task["responses"][0]["text"] == "It is 21 degrees."
        assert {key: made.task["meta"][key] for key in columns} == columns


def test_a_chat_of_very_many_calls_is_refused_by_line(tmp_path):
    path = lines(tmp_path / "many.jsonl", {"messages": [ASKED, *[openai_call()] * 5_001, ANSWERED]})
    assert "line 1, message 5002: the chat has more than 5,000 calls." in refused(path)[0]


def test_a_zipped_log_of_inspect_is_read_within_the_limits_of_zips(tmp_path):
    sample = json.dumps({**recorded.INSPECT, "scores": {"a": float("nan")}}).encode()
    header = json.dumps({"version": 2, "eval": {"model": "m"}}).encode()
    names = ("samples/1_epoch_1.json", "samples/2_epoch_1.json")
    path = zips.pack(
        tmp_path / "log.eval", {"header.json": header, "summaries.json": b"[]", **dict.fromkeys(names, sample)}
    )
    made, omitted = converted_chats(path)
    assert omitted == []
    assert [tools(record)[0]["output"] for record in made] == [recorded.WARM] * 2
    assert {record.task["meta"]["model"] for record in made} == {"m"}
    for name, files, reason in (
        ("bundle.eval", {"manifest.json": b"{}"}, "It is a zip, but not a log of Inspect."),
        ("odd.eval", {"header.json": header, "run.exe": b""}, "run.exe is not allowed in this file."),
        ("cut.eval", {"header.json": header, names[0]: b'{"messages": '}, "line 1: "),
    ):
        message, hint = refused(zips.pack(tmp_path / name, files))
        assert message.startswith(f"{name} can't be")
        assert reason in message
        assert "Nothing was written." in hint


def test_another_answer_to_the_same_question_is_named(tmp_path):
    choices = [{"index": 0, "message": ANSWERED}, {"index": 1, "message": {"role": "assistant", "content": "Cold."}}]
    made = chat(tmp_path, {"messages": [ASKED], "choices": choices})
    assert [(part.target, part.quote) for part in made.unplaced] == [("choice 2", "another answer")]


def test_documents_of_a_question_are_read_and_other_fields_stay_in_meta(tmp_path):
    document = {
        "type": "document",
        "title": "Paris",
        "source": {"type": "text", "media_type": "text/plain", "data": "21"},
    }
    pdf = {
        "type": "document",
        "title": "Map",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "A"},
    }
    question = {"role": "user", "content": [document, pdf, {"type": "text", "text": "How warm?"}]}
    made = chat(tmp_path, {"model": "m", "messages": [question, {**ANSWERED, "id": "msg-1"}], "usage": {"output": 3}})
    assert made.task["prompt"]["text"] == "[document: Paris]\n[document: Map, application/pdf]\nHow warm?"
    assert made.task["context"] == [{"id": "c1", "title": "Paris", "text": "21"}]
    assert (made.task["meta"]["model"], made.task["meta"]["usage"]) == ("m", {"output": 3})
    assert made.task["meta"]["answered"] == {"id": "msg-1"}


TRACES = ("otel", "phoenix", "langfuse", "langsmith")
ODD = [None, 7, {}, [{"type": []}]]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def changed(value, path, odd):
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], odd)
    return copy


@pytest.mark.parametrize("name", DIALECTS)
def test_wherever_a_record_is_odd_it_is_refused_by_line_or_keeps_all_its_calls(tmp_path, name):
    path = tmp_path / "odd.jsonl"
    record = RECORDS[name]
    for place in list(places(record))[1:]:
        for odd in ODD:
            lines(path, changed(record, place, odd), RECORDS["messages"])
            try:
                made, _ = converted_chats(path)
            except BundleError as error:
                assert "odd.jsonl can't be read" in str(error)
                assert "line " in str(error)
            else:
                for record_made in made:
                    counts = record_made.counts
                    loose = len(tools(record_made)) - counts["tool_calls_out"]
                    assert counts["tool_calls_in"] == counts["tool_calls_out"]
                    assert loose == counts["results_without_call"] or name in TRACES


@pytest.mark.parametrize("name", DIALECTS)
def test_a_record_of_any_dialect_read_as_any_other_loses_no_call_silently(tmp_path, name):
    path = lines(tmp_path / "c.jsonl", RECORDS[name])
    for other in DIALECTS:
        try:
            made, omitted = converted_chats(path, dialect=other)
        except BundleError as error:
            assert "line 1" in str(error)
        else:
            assert omitted or name == "messages" or tools(made[0]) or made[0].unplaced, other


def test_parts_of_one_call_are_read_however_they_are_nested(tmp_path):
    nested = {
        "type": "tool_call",
        "tool_call": {"id": "c1", "function": {"name": "weather", "arguments": {"city": "P"}}},
    }
    custom = {"id": "c2", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    flat = {"id": "c3", "name": "look", "args": {"at": "sea"}}
    called = {"role": "assistant", "content": [nested], "tool_calls": [custom, flat]}
    results = [openai_result("1", "c1"), openai_result("2", "c2"), openai_result("3", "c3")]
    made = chat(tmp_path, {"messages": [ASKED, called, *results, ANSWERED]})
    assert [(call["name"], call["input"], call["output"]) for call in tools(made)] == [
        ("weather", {"city": "P"}, "1"),
        ("sh", "ls", "2"),
        ("look", {"at": "sea"}, "3"),
    ]


def test_results_and_words_of_one_message_are_kept_apart(tmp_path):
    block = anthropic_result(TEXT)["content"][0]
    looking = {"role": "assistant", "content": [anthropic_call()]}
    spoken = {"role": "user", "content": [block, {"type": "text", "text": "Well?"}]}
    made = chat(tmp_path, {"messages": [ASKED, looking, spoken, ANSWERED]})
    assert made.task["prompt"]["text"] == "Well?"
    assert [turn["text"] for turn in made.task["history"]] == ["How warm is Paris?"]
    assert tools(made)[0]["output"] == recorded.WARM
    as_tool = {"role": "tool", "content": [block, {"type": "text", "text": "Read it."}]}
    made = chat(tmp_path, {"messages": [ASKED, looking, as_tool, ANSWERED]})
    assert made.task["responses"][0]["text"] == "It is 21 degrees."
