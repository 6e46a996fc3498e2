"""`bundle convert --from chat` as a project engineer runs it on recorded chats."""

import json
from typing import Any

import pytest

from tests.plugins.convert.chats import (
    ANSWERED,
    ASKED,
    RECORDED,
    anthropic_chat,
    openai_call,
    openai_chat,
    openai_result,
)
from tests.plugins.convert.test_convert import lines

CONVERT = ("bundle", "convert", "--from", "chat", "--out")
MCP = {"content": [{"type": "text", "text": "No route."}], "isError": True}


def test_calls_are_counted_in_and_out_and_reach_the_store(run, tmp_path):
    files = (
        lines(tmp_path / "o.jsonl", openai_chat("21"), openai_chat(MCP)),
        lines(tmp_path / "a.json", anthropic_chat("")),
    )
    out = tmp_path / "b.zip"
    answer = run(*CONVERT, out, *files)
    assert (answer.status, answer.err) == (0, "")
    assert "3 tasks" in answer.out
    assert "3 tool calls in" in answer.out
    assert "3 tool calls out" in answer.out
    answer = run(*CONVERT, out, *files, "--json")
    assert answer.json["tool_calls_in"] == answer.json["tool_calls_out"] == 3
    assert run("bundle", "inspect", out, "--json").json["rubric"] == "span-factuality@3"
    assert run("import", out).status == 0


def test_what_is_not_shown_is_named_with_file_line_and_message(run, tmp_path):
    block = {"type": "holo\u001bgram", "data": "x"}
    files = lines(tmp_path / "o.jsonl", openai_chat("21")), lines(tmp_path / "a.json", anthropic_chat([block]))
    answer = run(*CONVERT, tmp_path / "b.zip", *files, status=1)
    assert 'a.json, line 1, task "ch-0002", part "message 3, part 1": its type is unknown' in answer.err
    assert "'holo\\x1bgram'" in answer.err
    assert "\u001b" not in answer.err
    pictures = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    answer = run(*CONVERT, tmp_path / "b.zip", lines(tmp_path / "p.jsonl", openai_chat([pictures])))
    assert (answer.status, answer.err) == (0, "1 times: an image, a sound or a file has a placeholder.\n")


def test_a_chosen_dialect_goes_with_chats_only_and_has_to_fit(run, tmp_path):
    file, out = lines(tmp_path / "o.jsonl", openai_chat("21")), tmp_path / "b.zip"
    assert run(*CONVERT, out, "--dialect", "openai-chat", file, "--every-turn").status == 0
    out.unlink()
    answer = run(*CONVERT, out, "--dialect", "gemini", lines(tmp_path / "q.jsonl", {"input": "?"}), status=2)
    assert "line 1: it has no `contents` or `candidates`" in answer.err
    answer = run("bundle", "convert", "--from", "azure-qa", "--dialect", "gemini", "--out", out, file, status=2)
    assert "--dialect goes with --from chat." in answer.err
    assert not out.exists()


FLIGHT = {"role": "user", "content": "Thanks."}
GOODBYE = {"role": "assistant", "content": "You're welcome! Have a great day!"}


def test_the_answers_to_rate_are_chosen_and_small_talk_is_counted(run, tmp_path):
    chats = [openai_chat("21"), {"messages": [*openai_chat("20")["messages"], FLIGHT, GOODBYE]}]
    file, out = lines(tmp_path / "c.jsonl", *chats), tmp_path / "b.zip"
    answer = run(*CONVERT, out, file, "--turn", "each", "--skip-small-talk", "--json")
    assert (answer.status, answer.json["tasks"], answer.json["small_talk_goodbyes"]) == (0, 2, 1)
    assert "1 times: an answer that is only a goodbye was left out." in answer.err
    assert (answer.json["tool_calls_in"], answer.json["tool_calls_out"]) == (2, 2)
    out.unlink()
    answer = run(*CONVERT, out, file, "--turn", "2")
    assert (answer.status, "1 tasks" in answer.out) == (1, True)
    assert "line 1: it has 1 answer, so there is no answer 2" in answer.err
    out.unlink()
    answer = run(*CONVERT, out, lines(tmp_path / "g.jsonl", chats[1], {"messages": [FLIGHT, GOODBYE]}), "--turn", "1")
    assert (answer.status, "2 tasks" in answer.out) == (0, True)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--turn", "0"), "--turn: 0 is neither last, each nor all, nor the number of an answer, such as 1 or -1."),
        (("--turn", "first"), "--turn: first is neither"),
        (("--turn", "1.5"), "--turn: 1.5 is neither"),
        (("--turn", "last", "--every-turn"), "--every-turn is the same as --turn each."),
    ],
)
def test_a_turn_that_cannot_be_is_refused(run, tmp_path, options, reason):
    answer = run(*CONVERT, tmp_path / "b.zip", lines(tmp_path / "o.jsonl", openai_chat("21")), *options)
    assert (answer.status, reason in answer.err) == (2, True)
    other = ("bundle", "convert", "--from", "expertqa", "--out", tmp_path / "b.zip", tmp_path / "o.jsonl")
    answer = run(*other, "--skip-small-talk")
    assert (answer.status, "--skip-small-talk: expertqa has no conversations." in answer.err) == (2, True)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


GOOD = json.dumps(openai_chat("21")).encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "It is empty."),
        (b"[]", "It contains no records."),
        (GOOD + b"\n" + GOOD[:90], "line 2: "),
        (GOOD + b"\n7\n", "line 2: not an object."),
        (GOOD.decode().encode("utf-16"), "It is UTF-16."),
        (GOOD + b'\n{"messages": "\xff"}', "line 2: not UTF-8"),
        (b'{"messages": ' + b"[" * 100_000, "line 1: "),
        (b'{"messages": [{"content": "?"}]}', "line 1, message 1: `role` is missing."),
        (b'{"messages": [7]}', "line 1, message 1 of `messages`: it is a number, not an object."),
        (b'{"messages": 1e999, "a": 2}', "its keys are messages, a."),
        (b'{"conversations": [{"from": "human", "value": 7}]}', "line 1, message 1: `value` is a number, not a text."),
        (b'{"contents": [{"role": "user"}]}', "line 1, content 1: `parts` is not a list."),
        (b"PK\3\4" + bytes(64), "It is cut off"),
    ],
)
def test_odd_files_are_refused_by_name_and_line(run, tmp_path, data, reason):
    file = tmp_path / "odd.json"
    file.write_bytes(data)
    answer = run(*CONVERT, tmp_path / "b.zip", file, "--skip", "0", status=2)
    assert answer.err.startswith("odd.json can't be")
    assert reason in answer.err
    assert "Nothing was written." in answer.err
    assert not (tmp_path / "b.zip").exists()


def recorded(name: str) -> Any:
    return json.loads((RECORDED / name).read_text("utf-8"))


def chat_of(*messages: Any) -> bytes:
    return json.dumps({"messages": messages}).encode()


def called(**call: Any) -> bytes:
    return chat_of(ASKED, {"role": "assistant", "tool_calls": [call]}, ANSWERED)


def exported(**span: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "a", "spanId": "b", **span}]}]}]}


OTEL, LANGFUSE, LANGSMITH, PHOENIX = map(
    recorded, ("otel-messages.json", "langfuse.json", "langsmith.json", "phoenix.json")
)
MANY_CALLS = [{"id": str(number), "function": {"name": "w", "arguments": "{}"}} for number in range(5_001)]
UNFINISHED = {"type": "tool-w", "toolCallId": "1", "state": "input-available", "input": {}}
ODD: dict[str, tuple[Any, int, str]] = {
    "traces of two kinds": ([LANGFUSE, OTEL], 0, "2 tasks"),
    "a trace among chats": ([openai_chat("21"), LANGFUSE], 0, "2 tasks"),
    "a trace that is cut off": (json.dumps(OTEL).encode()[:900], 2, "line 1: a string begins at column"),
    "a line that is cut off": (json.dumps([LANGFUSE]).encode()[:200], 2, "line 1: "),
    "spans that are null": ({"resourceSpans": None}, 2, "of no known dialect; its keys are resourceSpans."),
    "spans that are a text": ({"resourceSpans": "x"}, 2, "of no known dialect; its keys are resourceSpans."),
    "an export without spans": ({"resourceSpans": []}, 2, "holds no spans"),
    "spans that are numbers": ({"resourceSpans": [7, {"scopeSpans": [{"spans": [None, {}]}]}]}, 2, "hold no messages"),
    "a span without contents": (exported(name="GET /"), 2, 'line 1, "trace a": its spans hold no messages; record'),
    "a span that is its own parent": (exported(parentSpanId="b"), 2, "hold no messages"),
    "a time beyond all years": (json.dumps(OTEL).replace('"17638', '"' + "9" * 300), 0, "1 tool calls out"),
    "messages that are not JSON": (json.dumps(OTEL).replace('[{\\"', '[<\\"'), 0, "1 tasks"),
    "a trace without observations": ({**LANGFUSE, "observations": []}, 0, "1 tasks"),
    "observations that are null": ({**LANGFUSE, "observations": [None, 7]}, 0, "1 tasks"),
    "a page of nothing": ({"data": [], "meta": {}}, 2, "its keys are data, meta."),
    "no runs": ({"runs": []}, 2, "its keys are runs."),
    "a run without outputs": ([{**LANGSMITH[0], "outputs": None, "child_runs": []}], 2, "has not answered"),
    "a span without context": ([{**PHOENIX[0], "context": None}], 2, "of no known dialect; its keys are id, name"),
    "another encoding": (chat_of(ASKED, ANSWERED).replace(b"warm", b"w\xe4rm"), 2, "line 1: not UTF-8 at byte"),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, 0, "1 tool calls out"),
    "a number of 500 digits": (GOOD.replace(b'"21"', b"9" * 500), 0, "a number beyond JSON became null"),
    "a number that is none": (GOOD.replace(b'"21"', b"NaN"), 0, "became null"),
    "control characters in a name": (called(id="1", function={"name": "w\u001b[31m"}), 0, "1 tool calls out"),
    "a role of its own": (chat_of(ASKED, {"role": "assis\u001btant", "content": "x"}), 2, "has not answered"),
    "messages that are null": ({"messages": None}, 2, "of no known dialect; its keys are messages."),
    "messages that are an object": ({"messages": {"a": 1}}, 2, "line 1, `messages`: it is an object, not a list."),
    "messages that are a text": ({"messages": "hello"}, 2, "line 1, `messages`: it is a text, not a list."),
    "no messages": (chat_of(), 2, "the assistant has not answered"),
    "an answer without a question": (chat_of(ANSWERED), 2, "no user has asked anything"),
    "a role that is a number": (chat_of({"role": 7, "content": "x"}), 2, "line 1, message 1: `role` is a number."),
    "a content that is a number": (chat_of(ASKED, {**ANSWERED, "content": 7}), 2, "message 2: `content` is a number"),
    "a call without id": (called(function={"name": "w", "arguments": "{}"}), 0, "1 tool calls out"),
    "a call without name": (called(id="c1"), 0, "1 tool calls out"),
    "a call that is a number": (chat_of(ASKED, {**ANSWERED, "tool_calls": [7]}), 1, 'part "message 2": its type'),
    "a result without a call": (
        chat_of(ASKED, openai_result("5"), ANSWERED),
        1,
        '"message 2": a result without a call',
    ),
    "two results": (
        chat_of(ASKED, openai_call(), openai_result("1"), openai_result("2"), ANSWERED),
        1,
        "1 tool calls out",
    ),
    "broken arguments": (chat_of(ASKED, openai_call(arguments='{"c'), openai_result("1"), ANSWERED), 0, "1 tool calls"),
    "arguments of 5,000 lists": (chat_of(ASKED, openai_call(arguments="[" * 5_000), ANSWERED), 0, "1 tool calls out"),
    "a result of 100,000 lists": (chat_of(ASKED, openai_call(), openai_result("[" * 100_000), ANSWERED), 0, "1 tasks"),
    "5,001 calls": (chat_of(ASKED, {"role": "assistant", "tool_calls": MANY_CALLS}), 2, "more than 5,000 calls."),
    "a part of tomorrow": (chat_of(ASKED, {"role": "assistant", "content": ["Hi.", {"type": "holo"}]}), 1, "holo"),
    "only that part": (chat_of(ASKED, {"role": "assistant", "content": [{"type": "holo"}]}), 2, "holo"),
    "half a surrogate pair": (GOOD.replace(b"Paris?", b"\\ud83d"), 0, "became U+FFFD."),
    "a key that occurs twice": (b'{"messages": [], "messages": [1]}', 2, "`messages` occurs twice"),
    "a number": (b"7", 2, "line 1: not an object."),
    "null": (b"null", 2, "line 1: not an object."),
    "a list of lists": ([[ASKED, ANSWERED]], 2, "line 1: not an object."),
    "a table": (b"a,b\r\n1,2\r\n", 2, "line 1: not JSON"),
    "a page": (b"<html/>", 2, "line 1: not JSON"),
    "a comma too many": (b"[" + GOOD + b",]", 2, "line 1: trailing comma at the end of the list."),
    "two values on a line": (GOOD + GOOD, 2, "line 1: unexpected data after the object."),
    "an empty object": (b"{}", 2, "It contains no records."),
    "a response without its request": (
        {"output": {"message": {"role": "assistant", "content": [{"text": "x"}]}}},
        2,
        "no user",
    ),
    "a call that did not end": (
        chat_of(ASKED, {"role": "assistant", "parts": [UNFINISHED, {"type": "text", "text": "x"}]}),
        0,
        "1 tool calls in, 1 tool calls out",
    ),
    "a message that was not serialised": (
        chat_of({"lc": 1, "type": "not_implemented", "id": ["x"], "kwargs": {}}),
        2,
        "line 1, message 1: `role` is missing.",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_chats_end_as_documented_and_without_a_traceback(run, tmp_path, name):
    data, status, words = ODD[name]
    file, out = tmp_path / "odd.json", tmp_path / "b.zip"
    text = data if isinstance(data, (bytes, str)) else json.dumps(data)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    answer = run(*CONVERT, out, file)
    assert answer.status == status
    assert words in answer.out + answer.err
    assert "Traceback" not in answer.err
    assert "\u001b" not in answer.out + answer.err
    assert out.exists() == (status != 2)
    if status == 2:
        assert "odd.json can't be" in answer.err
        assert "Nothing was written." in answer.err


def test_what_no_bundle_can_hold_is_left_out_by_line_with_its_calls(run, tmp_path):
    huge = openai_chat("21")
    huge["messages"][2]["content"] = "9" * 400
    file = lines(tmp_path / "s.jsonl", openai_chat({"deep": nested(80)}), {**huge, "count": 10**400})
    answer = run(*CONVERT, tmp_path / "b.zip", file, "--json", status=1)
    assert answer.json["left_out"] == ["line 1: it is nested more than 64 levels deep"]
    assert (answer.json["tool_calls_in"], answer.json["tool_calls_out"], answer.json["nulls"]) == (2, 1, 1)
