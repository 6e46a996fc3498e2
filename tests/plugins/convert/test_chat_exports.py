"""Transcripts of coding agents and exports of chat products are chats like any other."""

import json
from typing import Any

import pytest

from tests.plugins.convert.chats import ANSWERED, ASKED, CALL, anthropic_call, anthropic_result, converted_chats, tools

OUTPUT = json.dumps(CALL["output"])
ARGUMENTS = json.dumps(CALL["input"])
QUESTION, ANSWER = ASKED["content"], ANSWERED["content"]


def of_claude_code(kind: str, message: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": "u",
        "sessionId": "s",
        "timestamp": "2026-03-01T08:00:05Z",
        "message": message,
        **more,
    }


def of_codex(**payload: Any) -> dict[str, Any]:
    return {"type": "response_item", "timestamp": "2026-03-01T08:00:05Z", "payload": payload}


def of_chatgpt(parent: str, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    return {"parent": parent, "message": {"author": {"role": role, "name": "weather"}, "content": content, **more}}


REFERENCE = {"start_idx": 0, "end_idx": 5, "items": [{"url": "https://a.example/", "title": "A"}]}
CITED = {"metadata": {"content_references": [REFERENCE, None, {"items": 7}]}}
CHATGPT = {
    "root": {"parent": None, "message": None},
    "q": of_chatgpt("root", "user", QUESTION),
    "other": of_chatgpt("q", "assistant", "Another answer."),
    "c": of_chatgpt("q", "assistant", ARGUMENTS, recipient="weather"),
    "r": of_chatgpt("c", "tool", OUTPUT, create_time=1772352005),
    "a": of_chatgpt("r", "assistant", ANSWER, {"content_type": "image_asset_pointer"}, recipient="all", **CITED),
}
AUTOGEN = [{"type": "UserMessage", "source": "user", "content": QUESTION},
    {"type": "AssistantMessage", "content": [{"id": "c", "name": "weather", "arguments": ARGUMENTS}]},
    {"type": "FunctionExecutionResultMessage", "content": [{"call_id": "c", "name": "weather", "content": OUTPUT}]},
    {"type": "AssistantMessage", "source": "bot", "content": ANSWER}]  # fmt: skip
CHUNKS = [{"role": "user", "text": QUESTION}, {"role": "model", "text": "hm", "isThought": True},
          {"role": "model", "text": ANSWER}, {"role": "user", "driveImage": {}}]  # fmt: skip
SENDERS = [
    {"sender": "human", "text": QUESTION},
    {"sender": "assistant", "content": [{"type": "text", "text": ANSWER}]},
]
USED = {"id": "c", "name": "weather", "input": CALL["input"], "output": OUTPUT, "is_error": False}
ASSERTION = {"type": "contains", "value": "21"}
GRADED = {"pass": True, "componentResults": [{"pass": True, "assertion": ASSERTION}]}


def of_promptfoo(output: Any, raw: str = QUESTION, **response: Any) -> dict[str, Any]:
    return {
        "id": "r1",
        "prompt": {"raw": raw, "label": "{{question}}"},
        "vars": {"question": QUESTION},
        "response": {"output": output, **response},
        "testCase": {"assert": [ASSERTION]},
        "gradingResult": GRADED,
    }


TESTED = of_promptfoo(ANSWER, metadata={"toolCalls": [USED]}, cost=0.1)
LINES: dict[str, list[dict[str, Any]]] = {"claude code": [{"type": "summary", "summary": "Weather"},
        of_claude_code("user", ASKED), of_claude_code("user", {"role": "user", "content": "Caveat"}, isMeta=True),
        of_claude_code("assistant", {"role": "assistant", "content": [anthropic_call()], "stop_reason": None}),
        of_claude_code("user", anthropic_result(OUTPUT)),
        of_claude_code("assistant", {**ANSWERED, "stop_reason": "end_turn"})],
    "codex": [{"type": "session_meta", "payload": {"id": "s"}},
        of_codex(type="message", role="user", content=[{"type": "input_text", "text": QUESTION}]),
        of_codex(type="reasoning", summary=[]),
        of_codex(type="function_call", name="weather", arguments=ARGUMENTS, call_id="c"),
        of_codex(type="function_call_output", call_id="c", output=OUTPUT),
        {"type": "event_msg", "payload": {"type": "token_count"}},
        of_codex(type="message", role="assistant", content=[{"type": "output_text", "text": ANSWER}])],
    "chatgpt": [{"title": "T", "current_node": "a", "mapping": CHATGPT}],
    "claude": [{"uuid": "u", "name": "T", "chat_messages": SENDERS}],
    "swe-agent": [{"trajectory": [{"action": "ls"}], "history": [ASKED, ANSWERED], "info": {}}],
    "ai-studio": [{"runSettings": {}, "chunkedPrompt": {"chunks": CHUNKS}}],
    "promptfoo": [{"evalId": "e", "results": {"version": 3, "results": [TESTED]}, "config": {}}],
    "autogen": [{"type": "TeamState", "agent_states": {"bot": {"agent_state": {"llm_context": {"messages": AUTOGEN}}}}}
    ]}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_each_product_has_its_door(tmp_path, name):
    path = tmp_path / "log.json"
    path.write_text("\n".join(map(json.dumps, LINES[name])), "utf-8")
    (made,), omitted = converted_chats(path)
    assert omitted == []
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (QUESTION, ANSWER)
    calls = [{key: call.get(key) for key in CALL} for call in tools(made)]
    assert calls == ([CALL] if name in ("claude code", "codex", "chatgpt", "autogen", "promptfoo") else [])
    assert made.unplaced == ()
    if len(LINES[name]) == 1:
        assert made.task["meta"]["export"] == name
    if name == "chatgpt":
        assert made.task["context"][0]["cited"][0]["quote"] == ANSWER[:5]
        assert [part["type"] for part in made.task["responses"][0]["not_shown"]] == ["image"]
        assert tools(made)[0]["at"] == "2026-03-01T08:00:05Z"
    if name == "claude code":
        assert tools(made)[0]["at"] == "2026-03-01T08:00:05Z"


ASKED_IN_JSON = json.dumps([{"role": "system", "content": "Be terse."}, ASKED])
CALLS = [{"id": "c", "type": "function", "function": {"name": "weather", "arguments": ARGUMENTS}}]


@pytest.mark.parametrize(
    ("record", "history", "answer"),
    [
        (TESTED, 0, ANSWER),
        (of_promptfoo(ANSWER, ASKED_IN_JSON), 1, ANSWER),
        (of_promptfoo({"role": "assistant", "content": ANSWER, "tool_calls": CALLS}), 0, ANSWER),
        (of_promptfoo({"answer": 21}), 0, '{\n  "answer": 21\n}'),
        (of_promptfoo(CALLS), 0, "the assistant has not answered, so there is nothing to rate"),
        (of_promptfoo(CALLS[0]["function"]), 0, "the assistant has not answered, so there is nothing to rate"),
        (of_promptfoo(None, error="no key"), 0, "the request failed: no key"),
    ],
)
def test_a_result_of_promptfoo_is_its_prompt_and_output_with_the_assertions_in_meta(tmp_path, record, history, answer):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"results": [record, 7, TESTED]}}), "utf-8")
    made, omitted = converted_chats(path, strict=False)
    texts = [part.task["responses"][0]["text"] for part in made] + [part.why for part in omitted]
    assert sorted(texts) == sorted([answer, ANSWER, ", result 2: it is a number, not an object"])
    assert len(made[0].task.get("history", ())) == (history if len(made) > 1 else 0)
    assert made[-1].task["meta"]["gradingResult"] == GRADED
    assert made[-1].task["meta"]["answered"]["cost"] == 0.1


@pytest.mark.parametrize("key", ["mapping", "chat_messages", "trajectory", "chunkedPrompt", "agent_states"])
@pytest.mark.parametrize("odd", [[], {}, [7], {"a": 7}, {"chunks": [7]}])
def test_an_odd_export_is_left_out_like_any_record(run, tmp_path, key, odd):
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, [{key: odd}, {"messages": [ASKED, ANSWERED]}])), "utf-8")
    answer = run("bundle", "convert", "--from", "chat", "--out", tmp_path / "b.zip", path, "--json")
    assert (answer.status, answer.json["tasks"], answer.json["left_out"][0][:6]) == (1, 1, "line 1")


def test_messages_of_subordinate_agents_are_a_chat_of_their_own_or_named(tmp_path):
    side = [{**line, "isSidechain": True} for line in LINES["claude code"]]
    for rows, why in ((side, []), (LINES["claude code"] + side[1:], ["4 messages of subordinate agents"])):
        path = tmp_path / "log.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        (made,), omitted = converted_chats(path)
        assert made.task["responses"][0]["text"] == ANSWER
        assert [record.why.partition(" are")[0] for record in omitted] == why
