"""A record that is wrong is left out and named; the others become tasks."""

import json
from typing import Any

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.run import convert_files
from tests.plugins.convert.chats import ANSWERED, ASKED, chat, converted_chats
from tests.plugins.convert.converting import lines
from tests.plugins.convert.test_chat_citations import INPUT, gemini, output, said

CHAT = {"messages": [ASKED, ANSWERED]}
QUESTION = {"question": "?", "answer": "Brown."}
BAD: dict[str, tuple[str, Any, Any, str]] = {
    "a role that is a number": ("chat", CHAT, {"messages": [{"role": 7}]}, "message 1: `role` is a number"),
    "an error body": ("chat", CHAT,
        {"request": {"messages": [ASKED]}, "response": {"error": {"message": "no"}}},
        "the request failed: no"),
    "no dialect": ("chat", CHAT, {"ticks": []}, "it is of no known dialect; its keys are ticks"),
    "not an object": ("chat", CHAT, 7, "not an object"),
    "a question that is a list": ("azure-qa", QUESTION, {"question": [1], "answer": "a"}, "`question` is a list"),
    "a conversation that is a text": ("azure-conversation", CHAT, {"messages": "x"}, "its messages are a text"),
    "a number as answer": ("jsonl", {"prompt": "?", "response": "a"}, {"prompt": "?", "response": 5}, "is a number"),
    "a task of another shape": ("label-studio", {"data": {"text": "a"}}, {"data": 7}, "a number"),
    "answers of another shape": ("expertqa", None, {"question": "?", "answers": 7}, "answers"),
    "a table row": ("csv", b"prompt,response\n?,a\n", b"?,a,b\n", "it has 3 cells instead of 2")}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_one_bad_record_does_not_take_the_others_along(run, tmp_path, name):
    source, good, bad, why = BAD[name]
    path = tmp_path / "log.txt"
    rows = [part if isinstance(part, bytes) else json.dumps(part).encode() + b"\n" for part in (good, bad) if part]
    path.write_bytes(b"".join(rows))
    command = ("bundle", "convert", "--from", source, "--rubric", "span-factuality", "--out", tmp_path / "b.zip", path)
    answer = run(*command, "--json")
    assert answer.status == (1 if good else 2)
    if good:
        assert answer.json["tasks"] == 1
        assert len(answer.json["left_out"]) == 1
    assert why in answer.out + answer.err
    assert run(*command, "--skip", "1").status == answer.status
    assert run(*command, "--skip", "0").status == (2 if "request" not in str(bad) else 1)


BLOCKED = {"content": {"role": "model"}, "finishReason": "SAFETY"}


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({**gemini(), "candidates": [BLOCKED]}, "blocked (SAFETY)"),
        ({**gemini(), "candidates": [{"finishReason": "MAX_TOKENS"}]}, "cut off at a limit (MAX_TOKENS)"),
        ({**gemini(), "candidates": None, "promptFeedback": {"blockReason": "OTHER"}}, "blocked (OTHER)"),
        ({"messages": [ASKED], "choices": [{"message": {"role": "assistant"}, "finish_reason": "content_filter"}]},
         "blocked (content_filter)"),
        ({"messages": [ASKED], "role": "assistant", "content": [], "stop_reason": "refusal"}, "refused (refusal)"),
        ({**INPUT, "output": [], "incomplete_details": {"reason": "max_output_tokens"}},
         "cut off at a limit (max_output_tokens)"),
    ],
)  # fmt: skip
def test_an_answer_that_was_blocked_is_named_as_such(tmp_path, record, why):
    _, (omitted,) = converted_chats(lines(tmp_path / "b.jsonl", record))
    assert omitted.why == f"the answer was {why} before it had a text"


def test_an_answer_that_was_cut_says_so_beside_its_text(tmp_path):
    cut = {"messages": [ASKED], "choices": [{"message": ANSWERED, "finish_reason": "length"}]}
    made = chat(tmp_path, cut)
    assert [part["reason"] for part in made.task["responses"][0]["not_shown"]] == ["cut off at a limit (length)"]
    assert chat(tmp_path, said("Brown.", stop_reason="end_turn")).task["responses"] == [{"id": "a", "text": "Brown."}]


def test_instructions_are_those_of_the_system_whoever_they_name(tmp_path):
    record = {**gemini(), "systemInstruction": {"role": "user", "parts": [{"text": "Be terse."}]}}
    assert chat(tmp_path, record).task["history"] == [{"role": "system", "text": "Be terse."}]


def test_a_response_of_a_stored_conversation_is_read(tmp_path):
    assert chat(tmp_path, {**output("Brown."), "conversation": {"id": "conv_1"}}).task["meta"]["conversation"]


def test_messages_of_one_chat_may_hold_the_fields_of_a_response(tmp_path):
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Brown."}], "stop_reason": "end_turn"}
    (made,), _ = converted_chats(lines(tmp_path / "m.jsonl", ASKED, answer))
    assert made.task["responses"][0]["text"] == "Brown."


@pytest.mark.parametrize(("option", "expected"), [((), "markdown"), (("--format", "plain"), "plain")])
def test_markdown_is_recognised_unless_the_format_is_given(run, tmp_path, option, expected):
    path = lines(tmp_path / "m.jsonl", said("## Kelp\n\nIt is **brown**."))
    answer = run("bundle", "convert", "--from", "chat", "--dry-run", "--json", path, *option)
    assert answer.json["task"]["responses"][0]["format"] == expected


@pytest.mark.parametrize(
    ("name", "between", "reported"),
    [
        ("a.jsonl", b"\n", [(20, 90), (40, 90), (60, 90), (80, 90)]),
        ("a.json", b",", [(20, 0), (40, 0), (60, 0), (80, 0)]),
    ],
)
def test_progress_has_a_total_where_lines_tell_it(tmp_path, name, between, reported):
    """The first of two files has 45 records in 45 lines, or in one, and the second begins after them."""
    records = between.join([json.dumps(CHAT).encode()] * 45)
    whole = b"[" + records + b"]" if between == b"," else records + b"\n"
    paths = (tmp_path / name, tmp_path / f"b{name}")
    for path in paths:
        path.write_bytes(whole)
    seen = []
    wanted = BundleOptions(rubric="span-factuality")
    done = convert_files("chat", paths, tmp_path / "b.zip", wanted, None, Progress(lambda *step: seen.append(step)))
    assert [step for step in seen if step[0]] == reported
    assert done.summary == "90 records, 90 tasks"
