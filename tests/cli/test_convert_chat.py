"""`bundle convert --from chat` as a project engineer runs it on recorded chats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.bundle.chats import anthropic_chat, openai_chat
from tests.cli.test_convert import lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Answer

CONVERT = ("bundle", "convert", "--from", "chat", "--out")
MCP = {"content": [{"type": "text", "text": "No route."}], "isError": True}


def test_calls_are_counted_in_and_out_and_reach_the_store(run: Callable[..., Answer], tmp_path: Path) -> None:
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
    assert run("bundle", "inspect", out, "--json").json["rubric"] == "span-factuality@2"
    assert run("import", out).status == 0


def test_what_is_not_shown_is_named_with_file_line_and_message(run: Callable[..., Answer], tmp_path: Path) -> None:
    block = {"type": "holo\u001bgram", "data": "x"}
    files = lines(tmp_path / "o.jsonl", openai_chat("21")), lines(tmp_path / "a.json", anthropic_chat([block]))
    answer = run(*CONVERT, tmp_path / "b.zip", *files)
    assert answer.status == 1
    assert 'a.json, line 1, task "ch-0002", part "message 3, part 1": its type is unknown' in answer.err
    assert "'holo\\x1bgram'" in answer.err
    assert "\u001b" not in answer.err
    pictures = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    answer = run(*CONVERT, tmp_path / "b.zip", lines(tmp_path / "p.jsonl", openai_chat([pictures])))
    assert (answer.status, answer.err) == (0, "1 times: an image, a sound or a file has a placeholder.\n")


def test_a_chosen_dialect_goes_with_chats_only_and_has_to_fit(run: Callable[..., Answer], tmp_path: Path) -> None:
    file, out = lines(tmp_path / "o.jsonl", openai_chat("21")), tmp_path / "b.zip"
    assert run(*CONVERT, out, "--dialect", "openai-chat", file, "--every-turn").status == 0
    out.unlink()
    answer = run(*CONVERT, out, "--dialect", "gemini", lines(tmp_path / "q.jsonl", {"input": "?"}))
    assert answer.status == 2
    assert "line 1: it has no `contents` or `candidates`" in answer.err
    answer = run("bundle", "convert", "--from", "azure-qa", "--dialect", "gemini", "--out", out, file)
    assert answer.status == 2
    assert "--dialect goes with --from chat." in answer.err
    assert not out.exists()


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
def test_odd_files_are_refused_by_name_and_line(
    run: Callable[..., Answer], tmp_path: Path, data: bytes, reason: str
) -> None:
    file = tmp_path / "odd.json"
    file.write_bytes(data)
    answer = run(*CONVERT, tmp_path / "b.zip", file)
    assert answer.status == 2
    assert answer.err.startswith("odd.json can't be")
    assert reason in answer.err
    assert "Nothing was written." in answer.err
    assert not (tmp_path / "b.zip").exists()


def test_what_no_bundle_can_hold_is_left_out_by_line_with_its_calls(run: Callable[..., Answer], tmp_path: Path) -> None:
    huge = openai_chat("21")
    huge["messages"][2]["content"] = "9" * 400
    file = lines(tmp_path / "s.jsonl", openai_chat({"deep": nested(80)}), {**huge, "count": 10**400})
    answer = run(*CONVERT, tmp_path / "b.zip", file, "--json")
    assert answer.status == 1
    assert answer.json["left_out"] == ["line 1: it is nested more than 64 levels deep"]
    assert (answer.json["tool_calls_in"], answer.json["tool_calls_out"], answer.json["nulls"]) == (2, 1, 1)
