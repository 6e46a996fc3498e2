"""One odd record never takes the others along, whatever the dialect and whatever is odd about it."""

import json
import re
from typing import Any

import pytest

from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.annotations import AnnotationFiles, detect_tool, read_annotations
from desktop_rater.plugins.convert.chat import CHAT
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.run import FORMATS
from desktop_rater.plugins.convert.source import SourceRecords
from tests.plugins.convert.chats import ANSWERED, ASKED, chat, converted_chats
from tests.plugins.convert.test_audit_import import argilla, argilla_flat, label_studio, potato, prodigy
from tests.plugins.convert.test_chat_dialects import RECORDS
from tests.plugins.convert.test_chat_exports import LINES, of_promptfoo
from tests.plugins.convert.test_queues import ITEM
from tests.plugins.convert.test_toolbench import called
from tests.plugins.convert.test_toolbench import run as toolbench_run

ANSWER = ANSWERED["content"]
TALK = [ASKED, ANSWERED]
GOOD: dict[str, dict[str, Any]] = {
    **RECORDS,
    "an item of a queue": ITEM,
    "promptfoo": of_promptfoo(ANSWER),
    **{name: rows[0] for name, rows in LINES.items() if len(rows) == 1 and name != "promptfoo"},
}
ODD = (None, 7, "x", [7], {})


def odd_records(good: dict[str, Any]) -> list[dict[str, Any]]:
    """The record with one value of a wrong type, or without it, on the first three levels."""
    made: list[dict[str, Any]] = []

    def vary(path: tuple[Any, ...], value: Any) -> None:
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in parts:
            for odd in (*ODD, "…"):
                copy = json.loads(json.dumps(good))
                inner = copy
                for step in path:
                    inner = inner[step]
                if odd == "…":
                    del inner[key]
                else:
                    inner[key] = odd
                made.append(copy)
            if len(path) < 2:
                vary((*path, key), part)

    vary((), good)
    return made


@pytest.mark.parametrize("name", GOOD)
def test_an_odd_record_is_a_task_or_left_out_and_the_others_stay(tmp_path, name):
    good, path = GOOD[name], tmp_path / "log.jsonl"
    trace = chat(tmp_path, good).task["meta"].get("trace_id", "no trace")
    for odd in odd_records(good):
        texts = map(json.dumps, (good, odd, good))
        path.write_text("\n".join(text.replace(trace, f"{trace}{at}") for at, text in enumerate(texts)), "utf-8")
        made, omitted = converted_chats(path, strict=False)
        lines = {record.line for record in made}
        assert {1, 3} <= lines, (odd, omitted)
        answers = [record.task["responses"][0]["text"] for record in made if record.line in (1, 3)]
        assert len(set(answers)) == 1, odd
        assert len(made) + len(omitted) >= 3, odd
        assert {record.line for record in omitted} <= {2}, (odd, omitted)
        assert all(record.why for record in omitted)


CLAIM = {"claim_string": "It is 1 brown.", "correctness": "Definitely correct", "support": "Complete", "evidence": []}
SENTENCE = {"text": "It is 1 brown.", "sentence_factuality_label": True, "claims": ["It is."],
            "claims_factuality_label": [True]}  # fmt: skip
MARK = {"from_name": "l", "to_name": "t", "type": "labels", "value": {"start": 0, "end": 2, "labels": ["x"]}}
SETS: dict[str, dict[str, Any]] = {
    "azure-qa": {"question": "Q1?", "answer": "It is 1 brown.", "context": "C.", "ground_truth": "T."},
    "azure-conversation": {"messages": [{"role": "user", "content": "Q1?"}, {**ANSWERED, "context": {}}]},
    "expertqa": {"question": "Q1?", "answers": {"gpt4": {"answer_string": "It is 1 brown.", "claims": [CLAIM]}}},
    "factcheck-bench": {"prompt": "Q1?", "response": "It is 1 brown.", "sentences": {"sentence1": SENTENCE}},
    "label-studio": {"id": 1, "data": {"prompt": "Q1?", "response": "It is 1 brown."}, "annotations": [
        {"completed_by": 1, "result": [MARK]}]},
    "toolbench": toolbench_run(called("facts", "{}", "1"), query="Q1?"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_an_odd_record_of_a_data_set_is_a_task_or_left_out_and_the_others_stay(tmp_path, name):
    if name not in SETS:
        assert name in (CHAT, "haluquestqa")  # see above; a table, whose cells are all texts
        return
    path = tmp_path / "set.json"
    for odd in odd_records(SETS[name]):
        good = json.dumps(SETS[name])
        rows = [good, json.dumps(odd), re.sub('Q1|1 brown|"id": 1', lambda text: text[0].replace("1", "3"), good)]
        keyed = ", ".join(f'"{number}": {row}' for number, row in enumerate(rows))
        path.write_text(f"{{{keyed}}}" if name == "toolbench" else "\n".join(rows), "utf-8")
        wrong: list[int] = []
        records = SourceRecords([path], LIMITS)
        records.on_fault = lambda line, _why, wrong=wrong: wrong.append(line)
        made = list(FORMATS[name](records))
        lines = [record.line for record in made if isinstance(record, ConvertedRecord)]
        assert len(lines) + len(wrong) + sum(isinstance(record, OmittedRecord) for record in made) >= 3, odd
        if name != "toolbench":
            assert {1, 3} <= set(lines) | ({3} if json.loads(rows[2]) == odd else set()), (odd, made, wrong)


@pytest.mark.parametrize("export", [label_studio, argilla, argilla_flat, prodigy, potato])
def test_an_odd_record_of_annotations_is_read_or_counted_and_the_others_stay(tmp_path, export):
    path = export(tmp_path)
    text = path.read_text("utf-8")
    good = json.loads(text)[0] if text.startswith("[") else json.loads(text.partition("\n")[0])
    for odd in odd_records(good):
        rows = [json.dumps(good), json.dumps(odd), json.dumps(good).replace('"t1"', '"t3"').replace("41", "43")]
        path.write_text(f"[{','.join(rows)}]", "utf-8")
        tool = detect_tool(path)
        source = read_annotations(AnnotationFiles(paths=(path,), tool=tool), ("quality",))
        tasks = {annotation.task for annotation in source.annotations}
        assert len(tasks & {"t1", "t3", "ls-41", "ls-43"}) == 2, (odd, source.losses.examples)


@pytest.mark.parametrize("place", [0, 1])
def test_a_message_among_chats_is_named(tmp_path, place):
    rows = [{"messages": TALK}, {"messages": TALK}]
    rows.insert(place, ASKED)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made, (omitted,) = converted_chats(path, strict=False)
    assert (len(made), omitted.line) == (2, place + 1)
    assert omitted.why.startswith("a message, not a chat")


@pytest.mark.parametrize("odd", [{}, {"a": 7}, 7, {"type": "new-event"}])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_no_message_among_messages_is_named(tmp_path, odd, place):
    rows: list[Any] = [*TALK]
    rows.insert(place, odd)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made, (omitted,) = converted_chats(path, strict=False)
    assert omitted.line == place + 1
    assert [record.task["responses"][0]["text"] for record in made] == [ANSWER]


FAULTS = [(None, "not an object"), (7, "not an object"), ([], "not an object"), ({}, "no known dialect"),
          ({"messages": 7}, "is a number, not a list"), ({"messages": [7]}, "is a number, not an object"),
          ({"messages": [{"role": 7, "content": "x"}]}, "`role` is a number"),
          ({"messages": [{"content": "x"}]}, "`role` is missing"), ({"messages": [ASKED]}, "not answered"),
          ({"messages": [{"role": "user", "content": 7}]}, "`content` is a number")]  # fmt: skip


def test_fifty_odd_records_of_five_thousand_are_named_and_the_others_arrive(run, tmp_path):
    odd = {97 * number + 13: FAULTS[number % len(FAULTS)] for number in range(50)}
    rows = [odd[line][0] if line in odd else {"messages": TALK, "id": line} for line in range(1, 5_001)]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    answer = run("bundle", "convert", "--from", "chat", "--dry-run", "--json", path)
    assert (answer.status, answer.json["tasks"], len(answer.json["left_out"])) == (1, 4_950, 50)
    for line, (_, why) in odd.items():
        (named,) = (text for text in answer.json["left_out"] if text.startswith((f"line {line}:", f"line {line},")))
        assert why in named
