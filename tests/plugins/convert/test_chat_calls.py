"""What a tool gave back reaches the rater, however the chat was recorded, also of tools that a provider runs itself."""

import json
from typing import Any

import pytest

from tests.plugins.convert.chats import (
    ANSWERED,
    ASKED,
    CALL,
    WARM,
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
from tests.plugins.convert.test_chat_citations import CHUNKS, gemini, output, said

TEXT = json.dumps(WARM)
BLOCKS = [{"type": "text", "text": TEXT}]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}

RESPONSES = {
    "instructions": "Be brief.",
    "input": "How warm is Paris?",
    "output": [
        {"type": "reasoning", "id": "rs1", "summary": []},
        {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "weather", "arguments": '{"city": "Paris"}'},
        {"type": "function_call_output", "call_id": "c1", "output": TEXT},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 21 degrees."}]},
    ],
}
GEMINI: dict[str, Any] = {
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "How warm "}, {"text": "is Paris?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "weather", "args": {"city": "Paris"}}}]},
        {"role": "user", "parts": [{"function_response": {"name": "weather", "response": WARM}}]},
    ],
    "candidates": [{"content": {"role": "model", "parts": [{"text": "It is 21 degrees."}]}, "finishReason": "STOP"}],
}
SHAREGPT = {
    "system": "Be brief.",
    "conversations": [
        {"from": "human", "value": "How warm is Paris?"},
        {"from": "function_call", "value": '{"name": "weather", "arguments": {"city": "Paris"}}'},
        {"from": "observation", "value": TEXT},
        {"from": "gpt", "value": "It is 21 degrees."},
    ],
}
HERMES = {
    "conversations": [
        {"from": "system", "value": "Be brief."},
        {"from": "human", "value": "How warm is Paris?"},
        {"from": "gpt", "value": '<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>'},
        {"from": "tool", "value": f"<tool_response>\n{TEXT}\n</tool_response>"},
        {"from": "gpt", "value": "It is 21 degrees."},
    ]
}
INSPECT = {
    "id": "s1",
    "epoch": 1,
    "target": "21",
    "events": [{"event": "model"}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        ASKED,
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": "weather", "arguments": CALL["input"]}],
        },
        {"role": "tool", "tool_call_id": "c", "function": "weather", "content": TEXT},
        ANSWERED,
    ],
}
SYSTEM = {"role": "system", "content": "Be brief."}
LEGACY = [
    {"role": "assistant", "content": None, "function_call": {"name": "weather", "arguments": '{"city": "Paris"}'}},
    {"role": "function", "name": "weather", "content": TEXT},
]


@pytest.mark.parametrize(
    ("dialect", "record"),
    [
        ("openai-chat", {"messages": [SYSTEM, *openai_chat(TEXT)["messages"]]}),
        ("openai-chat", {"messages": [SYSTEM, *openai_chat(BLOCKS)["messages"]], "model": "m"}),
        ("openai-chat", {"messages": [SYSTEM, ASKED, *LEGACY, ANSWERED]}),
        (
            "openai-chat",
            {
                "custom_id": "r1",
                "request": {"messages": [SYSTEM, *openai_chat(TEXT)["messages"][:-1]]},
                "response": {"status_code": 200, "body": {"choices": [{"index": 0, "message": ANSWERED}]}},
            },
        ),
        ("openai-responses", RESPONSES),
        ("anthropic", {"system": "Be brief.", "messages": [ASKED, *anthropic_chat(TEXT)["messages"][1:]]}),
        ("anthropic", {"system": [{"type": "text", "text": "Be brief."}], **anthropic_chat(BLOCKS)}),
        (
            "anthropic",
            {
                "system": "Be brief.",
                "messages": anthropic_chat(BLOCKS)["messages"][:-1],
                "role": "assistant",
                "content": [{"type": "text", "text": "It is 21 degrees."}],
                "stop_reason": "end_turn",
            },
        ),
        ("gemini", GEMINI),
        ("sharegpt", SHAREGPT),
        ("sharegpt", HERMES),
        ("inspect", INSPECT),
    ],
)
def test_a_call_with_name_input_and_output_is_the_same_in_every_dialect(tmp_path, dialect, record):
    made = chat(tmp_path, record)
    assert made.task["meta"]["dialect"] == dialect
    assert made.task["prompt"] == {"text": "How warm is Paris?"}
    assert made.task["responses"] == [{"id": "a", "text": "It is 21 degrees.", "tools": [CALL]}]
    spoken = [turn["text"] for turn in made.task["history"]]
    assert spoken in (["Be brief."], ["Be brief.", "Let me look."])
    assert (made.counts["tool_calls_in"], made.counts["tool_calls_out"]) == (1, 1)
    assert made.unplaced == ()
    assert chat(tmp_path, record, dialect=dialect).task == made.task


@pytest.mark.parametrize(
    ("content", "status", "output"),
    [
        (TEXT, "ok", WARM),
        (BLOCKS, "ok", WARM),
        ([{"type": "text", "text": "21"}, {"type": "text", "text": "mild"}], "ok", "21\nmild"),
        ("None of the stations is open.", "ok", "None of the stations is open."),
        ("", "empty", ""),
        ([], "empty", ""),
        (None, "empty", None),
        ([{"type": "text", "text": ""}], "empty", ""),
        ("[]", "no_results", []),
        ('{"error": "no such city"}', "error", {"error": "no such city"}),
        ([IMAGE], "ok", "[image: image/png]"),
        ([*BLOCKS, IMAGE], "ok", f"{TEXT}\n[image: image/png]"),
        ({"content": BLOCKS, "isError": False}, "ok", WARM),
        ({"content": BLOCKS, "isError": True}, "error", WARM),
        ({"result": {"content": BLOCKS, "isError": True}}, "error", WARM),
        ({"result": {"temp": 21}}, "ok", {"result": {"temp": 21}}),
        (json.dumps({"content": BLOCKS, "isError": True}), "error", WARM),
        (json.dumps(BLOCKS), "ok", WARM),
        ({"content": [], "structuredContent": WARM}, "ok", WARM),
        ({"content": BLOCKS, "structuredContent": WARM}, "ok", WARM),
        ({"content": [{"type": "text", "text": "mild"}], "structuredContent": WARM}, "ok",
         {"content": "mild", "structuredContent": WARM}),
        ([{"type": "resource", "resource": {"uri": "file:///a.txt", "text": "mild"}}], "ok", "file:///a.txt\nmild"),
        ([{"type": "resource_link", "uri": "file:///a.png", "name": "a.png"}], "ok", "[resource_link: a.png]"),
        ('[{"type": "hotel", "name": "Ritz"}]', "ok", [{"type": "hotel", "name": "Ritz"}]),
        ([{"city": "Paris"}], "ok", [{"city": "Paris"}]),
    ],
)  # fmt: skip
def test_the_content_of_a_result_is_its_output(tmp_path, content, status, output):
    for record in (openai_chat(content), anthropic_chat(content)):
        made = chat(tmp_path, record)
        (call,) = tools(made)
        assert (call["status"], call.get("output")) == (status, output)
        assert made.unplaced == ()


def test_a_source_that_says_error_is_believed(tmp_path):
    said = [
        chat(tmp_path, anthropic_chat("No route.", is_error=True)),
        chat(tmp_path, openai_chat("No route.", isError=True)),
        chat(tmp_path, openai_chat("", error={"type": "timeout", "message": "No route."}, function="weather")),
    ]
    assert [tools(made)[0]["status"] for made in said] == ["error"] * 3
    assert tools(said[2])[0]["output"] == {"error": {"type": "timeout", "message": "No route."}}


@pytest.mark.parametrize("record", [openai_chat, anthropic_chat])
def test_an_unknown_block_is_named_with_its_place_and_never_an_empty_answer(tmp_path, record):
    made = chat(tmp_path, record([{"type": "hologram", "data": "x"}]))
    (call,) = tools(made)
    assert (call["status"], call["output"]) == ("ok", "not shown: hologram")
    (lost,) = made.unplaced
    assert lost.quote == "hologram"
    assert lost.target.startswith("message 3")
    hidden = {"type": "hologram", "where": lost.target, "reason": "its type is unknown"}
    assert made.task["responses"][0]["not_shown"] == [hidden]


@pytest.mark.parametrize("key", ["tool_result", "output", "result", "response"])
def test_an_output_under_another_name_is_not_an_empty_answer(tmp_path, key):
    for record in (openai_chat(None, **{key: TEXT}), anthropic_chat(None, **{key: BLOCKS})):
        assert tools(chat(tmp_path, record)) == [CALL]


def test_what_an_answer_holds_besides_text_is_listed_beside_its_text(tmp_path):
    answer = {"role": "assistant", "content": [{"type": "text", "text": "See:"}, {"type": "holo\u001bgram"}, IMAGE]}
    made = chat(tmp_path, {"messages": [{"role": "user", "content": [IMAGE, {"text": "What?"}]}, answer]})
    assert made.task["prompt"]["text"] == "[image: image/png]\nWhat?"
    assert made.task["responses"][0]["text"] == "See:"
    assert [tuple(part.values()) for part in made.task["responses"][0]["not_shown"]] == [
        ("'holo\\x1bgram'", "message 2, part 2", "its type is unknown"),
        ("image: image/png", "message 2, part 3", "it is not a text"),
    ]
    assert [part.target for part in made.unplaced] == ["message 2, part 2"]


def test_a_call_without_a_result_is_missing_and_only_that(tmp_path):
    made = chat(tmp_path, {"messages": [ASKED, openai_call(), ANSWERED]})
    assert tools(made) == [{"name": "weather", "status": "missing", "input": {"city": "Paris"}}]


def test_results_find_their_calls_by_id_even_if_ids_are_used_again_and_none_is_lost(tmp_path):
    messages = [ASKED, openai_call(), openai_result('"one"'), openai_call(), openai_result('"two"'), ANSWERED, ASKED]
    messages += [openai_result('"nine"', "c9"), openai_result('"again"'), ANSWERED]
    made = chat(tmp_path, {"messages": messages})
    shown = [(call["name"], call["output"]) for call in tools(made)]
    assert shown == [("weather", '"one"'), ("weather", '"two"'), ("?", '"nine"'), ("weather", '"again"')]
    assert made.counts["tool_calls_in"] == made.counts["tool_calls_out"] == made.counts["results_without_call"] == 2
    assert [(part.target, part.quote, part.why) for part in made.unplaced] == [
        (f"message {number}", name, "a result without a call") for number, name in ((8, "?"), (9, "weather"))
    ]


def test_calls_at_the_same_time_get_their_own_results_in_any_order(tmp_path):
    both = {"role": "assistant", "content": [anthropic_call("t1"), anthropic_call("t2")]}
    results = anthropic_result("second", "t2")["content"] + anthropic_result("first", "t1")["content"]
    made = chat(tmp_path, {"messages": [ASKED, both, {"role": "user", "content": results}, ANSWERED]})
    assert [call["output"] for call in tools(made)] == ["first", "second"]


def test_all_calls_of_the_chat_stay_in_order_also_those_of_earlier_answers_and_after_the_last(tmp_path):
    first = [ASKED, openai_call("a"), openai_result("1", "a"), ANSWERED]
    second = [ASKED, openai_call("b"), openai_result("2", "b"), {"role": "assistant", "content": "Warm."}]
    record = {"messages": [*first, *second, openai_call("c"), openai_result("3", "c")]}
    made = chat(tmp_path, record)
    assert [call["output"] for call in tools(made)] == ["1", "2", "3"]
    assert made.task["meta"]["calls_after"] == 1
    turns, _ = converted_chats(lines(tmp_path / "t.jsonl", record), turn="each")
    assert [[call["output"] for call in tools(turn)] for turn in turns] == [["1"], ["1", "2", "3"]]
    assert [turn.task["id"] for turn in turns] == ["ch-0001#1", "ch-0001#2"]
    assert [turn.task["meta"]["turn"] for turn in turns] == [1, 2]
    counts = [sum(turn.counts[name] for turn in turns) for name in ("tool_calls_in", "tool_calls_out")]
    assert counts == [3, 3]


@pytest.mark.parametrize(
    ("time", "at"),
    [
        (1772352005, "2026-03-01T08:00:05Z"),
        (1772352005000.0, "2026-03-01T08:00:05Z"),
        ("2026-03-01T09:00:05.25+01:00", "2026-03-01T08:00:05Z"),
        ("0001-01-01T00:00:00+05:00", None),
        ("2026-03-01T09:00:05", None),
        ("soon", None),
        (True, None),
    ],
)
def test_the_time_of_a_result_is_that_of_its_message(tmp_path, time, at):
    assert tools(chat(tmp_path, openai_chat("21", timestamp=time)))[0].get("at") == at


QUERIES = {"queries": ["kelp"]}
CANDIDATE = gemini()["candidates"][0]["content"]["parts"]


def of_parts(*parts: Any) -> dict[str, Any]:
    return {**gemini(), "candidates": [{"content": {"role": "model", "parts": [*parts, *CANDIDATE]}}]}


def converse(content: Any, **more: Any) -> dict[str, Any]:
    use = {"toolUseId": "n", "name": "nova_grounding", "type": "server_tool_use", "input": QUERIES}
    result = {"toolUseId": "n", "type": "nova_grounding_result", "content": content, **more}
    blocks = [{"toolUse": use}, {"toolResult": result}, {"text": "Brown."}]
    question = {"role": "user", "content": [{"text": "?"}]}
    return {"messages": [question], "output": {"message": {"role": "assistant", "content": blocks}}}


SEARCHED = {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB"}
RAN = {"index": 0, "type": "search", "arguments": '{"query": "kelp"}', "output": "Title: Kelp"}
CASES: dict[str, tuple[Any, list[tuple[str, str, Any, Any]]]] = {
    "gemini, a call and its response": (
        of_parts(
            {"thoughtSignature": "s", "toolCall": {**SEARCHED, "args": QUERIES}},
            {"tool_response": {**SEARCHED, "response": {"hits": 1}}, "thoughtSignature": "s"},
        ),
        [("google_search_web", "ok", QUERIES, {"hits": 1})],
    ),
    "gemini, a response without content": (
        of_parts({"toolCall": {"toolType": "FILE_SEARCH"}}, {"toolResponse": {"toolType": "FILE_SEARCH"}}),
        [("file_search", "not_recorded", None, None)],
    ),
    "gemini, queries beside the answer": (
        gemini(groundingMetadata={"webSearchQueries": ["kelp"], "groundingChunks": CHUNKS}),
        [("google_search", "ok", QUERIES, {"results": CHUNKS})],
    ),
    "gemini, queries without pages": (
        gemini(groundingMetadata={"webSearchQueries": ["kelp"]}),
        [("google_search", "not_recorded", QUERIES, None)],
    ),
    "gemini, pages that were read": (
        gemini(urlContextMetadata={"urlMetadata": [{"retrievedUrl": "https://a.example/"}]}),
        [("url_context", "ok", {}, {"results": [{"retrievedUrl": "https://a.example/"}]})],
    ),
    "groq": (
        said("Brown.", executed_tools=[RAN, {"type": "browser", "arguments": "{}"}]),
        [("search", "ok", {"query": "kelp"}, "Title: Kelp"), ("browser", "not_recorded", {}, None)],
    ),
    "bedrock, output that stays with the provider": (converse([]), [("nova_grounding", "not_recorded", QUERIES, None)]),
    "bedrock, a failure": (converse([], status="error"), [("nova_grounding", "error", QUERIES, "")]),
    "mistral": (
        {
            "inputs": "?",
            "outputs": [
                {"type": "tool.execution", "name": "web_search", "arguments": QUERIES, "info": {"hits": 1}},
                {"type": "tool.execution", "name": "code_interpreter", "arguments": "a+b"},
                {"type": "message.output", "role": "assistant", "content": [{"type": "text", "text": "Brown."}]},
            ],
        },
        [("web_search", "ok", QUERIES, {"info": {"hits": 1}}), ("code_interpreter", "not_recorded", "a+b", None)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_hosted_tool_is_a_call(tmp_path, name):
    record, expected = CASES[name]
    made = chat(tmp_path, record)
    got = [(call["name"], call["status"], call.get("input"), call.get("output")) for call in tools(made)]
    assert got == expected
    assert made.counts["tool_calls_in"] == made.counts["tool_calls_out"] == len(expected)
    assert made.unplaced == ()
    assert "calls_after" not in made.task["meta"]


def test_a_result_whose_call_is_in_another_response_is_named_once_and_keeps_its_output(tmp_path):
    found = {"type": "tool_search_tool_result", "tool_use_id": "s9", "content": {"tool_references": ["weather"]}}
    made = chat(tmp_path, said(found, {"type": "text", "text": "Brown."}))
    (call,) = tools(made)
    assert (call["name"], call["output"]) == ("tool_search", {"tool_references": ["weather"]})
    assert (made.counts["tool_calls_in"], made.counts["results_without_call"]) == (0, 1)
    assert [part.why for part in made.unplaced] == ["a result without a call"]


def test_a_function_that_the_caller_runs_is_missing_until_its_output_is_there(tmp_path):
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}", "status": "completed"}
    record = output("Brown.")
    made = chat(tmp_path, {**record, "input": [ASKED], "output": [call, *record["output"]]})
    assert [call["status"] for call in tools(made)] == ["missing"]
