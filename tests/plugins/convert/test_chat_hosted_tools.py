"""Tools that a provider runs itself are calls with name, input, output and state, whoever made the log."""

from typing import Any

import pytest

from tests.plugins.convert.chats import ASKED, chat, tools
from tests.plugins.convert.test_chat_citations import CHUNKS, gemini, output, said

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
