"""Azure's agents: what they called on the way to an answer are its tools, in each shape in which it is written."""

import pytest

from tests.plugins.convert.converting import converted, lines, task

ASKED = {
    "role": "user",
    "createdAt": "2026-03-01T08:00:00Z",
    "content": [{"type": "text", "text": "When is low tide?"}],
}
LOOKS = {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}]}
ANSWERED = {"role": "assistant", "run_id": "r1", "content": [{"type": "text", "text": "At ten."}]}
FLAT = {"type": "tool_call", "tool_call_id": "c1", "name": "tides", "arguments": {"port": "Kiel"}}
NESTED = {
    "type": "tool_call",
    "tool_call": {"id": "c1", "type": "function", "function": {"name": "tides", "arguments": {"port": "Kiel"}}},
}
BESIDE = {"id": "c1", "type": "function", "function": {"name": "tides", "arguments": '{"port": "Kiel"}'}}
RESULT = {
    "role": "tool",
    "createdAt": 1772352005,
    "tool_call_id": "c1",
    "content": [{"type": "tool_result", "tool_result": '{"low": "10:00"}'}],
}
TIDES = {
    "name": "tides",
    "status": "ok",
    "input": {"port": "Kiel"},
    "output": {"low": "10:00"},
    "at": "2026-03-01T08:00:05Z",
}


def calls(*parts):
    return {"role": "assistant", "content": list(parts)}


@pytest.mark.parametrize(
    "call", [calls(FLAT), calls(NESTED), {"role": "assistant", "content": None, "tool_calls": [BESIDE]}]
)
def test_the_calls_between_question_and_answer_are_its_tools(tmp_path, call):
    messages = [{"role": "system", "content": "Be brief."}, ASKED, LOOKS, call, RESULT, ANSWERED]
    spoken = task(tmp_path, "azure-conversation", {"messages": messages, "tools": [{"name": "tides"}]})
    asked = task(tmp_path, "azure-qa", {"query": messages[:2], "response": messages[2:], "tools": [{"name": "tides"}]})
    for made in (spoken, asked):
        assert made["prompt"] == {"text": "When is low tide?"}
        assert made["responses"] == [{"id": "a", "text": "At ten.", "tools": [TIDES]}]
        assert [turn["text"] for turn in made["history"]] == ["Be brief.", "Let me look."]
        assert made["meta"]["answered"] == {"run_id": "r1"}
        assert made["meta"]["asked"] == {"createdAt": "2026-03-01T08:00:00Z"}
        assert made["meta"]["tools"] == [{"name": "tides"}]
        assert "without_text" not in made["meta"]


def test_a_question_in_plain_words_and_an_answer_in_messages(tmp_path):
    made = task(tmp_path, "azure-qa", {"query": "When is low tide?", "response": [calls(FLAT), RESULT, ANSWERED]})
    assert made["prompt"] == {"text": "When is low tide?"}
    assert made["responses"][0]["tools"] == [TIDES]


def test_calls_that_stand_beside_an_answer_in_plain_words_have_no_output(tmp_path):
    record = {"query": "?", "response": "At ten.", "tool_calls": [FLAT]}
    assert task(tmp_path, "azure-qa", record)["responses"][0]["tools"] == [
        {"name": "tides", "status": "missing", "input": {"port": "Kiel"}}
    ]


def test_results_find_their_calls_by_id_and_none_is_lost(tmp_path):
    two = calls(FLAT, {**FLAT, "tool_call_id": "c2", "name": "winds"})
    results = [
        {"role": "tool", "tool_call_id": id_, "content": text} for id_, text in (("c2", ""), ("c9", "Error: no"))
    ]
    made = task(tmp_path, "azure-conversation", {"messages": [ASKED, two, *results, ANSWERED]})
    assert [(call["name"], call["status"]) for call in made["responses"][0]["tools"]] == [
        ("tides", "missing"),
        ("winds", "empty"),
        ("?", "error"),
    ]


def test_the_tools_of_an_earlier_answer_are_not_those_of_the_last(tmp_path):
    made = task(tmp_path, "azure-conversation", {"messages": [ASKED, calls(FLAT), RESULT, ANSWERED, ASKED, LOOKS]})
    assert made["responses"] == [{"id": "a", "text": "Let me look."}]
    assert len(made["meta"]["without_text"]) == 2, "what was called for an earlier answer is kept aside"


def test_an_agent_that_only_called_has_not_answered(tmp_path):
    record = {"query": [ASKED, LOOKS, ASKED], "response": [calls(FLAT), RESULT]}
    tasks, omitted = converted("azure-qa", lines(tmp_path / "s.jsonl", record))
    assert tasks == []
    assert omitted[0].why.startswith("the assistant has not answered")


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ({"type": "tool_use", "id": "1", "name": "w", "input": {"a": 1}}, {"tool_use_id": "1", "content": "21"}),
        (
            {"type": "tool_use", "id": "1", "name": "w", "input": {"a": 1}},
            {"content": [{"type": "text", "text": "21"}]},
        ),
        (
            {"type": "tool_call", "id": "1", "function": "w", "arguments": {"a": 1}},
            {"tool_call_id": "1", "output": "21"},
        ),
    ],
)
def test_no_result_is_lost_that_another_program_wrote_in_its_way(tmp_path, call, result):
    messages = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", **result}]},
        {"role": "assistant", "content": "Warm."},
    ]
    parts = [
        *messages[:2],
        {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "21"}]},
        messages[3],
    ]
    for record in ({"messages": messages}, {"messages": parts}):
        ((made,), _) = converted("azure-conversation", lines(tmp_path / "a.jsonl", record))
        (tool,) = made.task["responses"][0]["tools"]
        assert (tool["name"], tool["input"], tool["output"], tool["status"]) == ("w", {"a": 1}, 21, "ok")
