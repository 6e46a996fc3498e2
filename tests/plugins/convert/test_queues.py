"""Annotation queues of Langfuse and Opik: their traces become tasks, and what people scored becomes ratings."""

import json

import pytest

from desktop_rater.plugins.convert.annotations import AnnotationFiles, detect_tool, read_annotations
from tests.plugins.convert.chats import CALL, converted_chats, tools

QUESTION, ANSWER = "How warm is Paris?", "It is 21 degrees."
AT = "2026-03-01T08:00:00Z"
GIVEN = {"messages": [{"role": "user", "content": QUESTION}]}
MADE = {"choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
SCORE = {
    "name": "quality",
    "value": 2.5,
    "source": "ui",
    "value_by_author": {
        "ada": {"value": 4.0, "source": "ui", "reason": "Short.", "last_updated_at": AT},
        "judge": {"value": 1.0, "source": "online_scoring"},
    },
}
NAMED = {"name": "verdict", "value": 0.0, "category_name": "No", "source": "ui", "last_updated_by": "bob"}
OPIK = {
    "id": "t1",
    "name": "chat",
    "project_id": "p",
    "start_time": AT,
    "input": GIVEN,
    "output": MADE,
    "metadata": {"env": "x"},
    "tags": ["a"],
    "feedback_scores": [SCORE, NAMED],
}
SPANS = [
    {"id": "s1", "trace_id": "t1", "type": "llm", "name": "call", "start_time": AT, "input": GIVEN, "output": MADE},
    {"id": "s2", "trace_id": "t1", "parent_span_id": "s1", "type": "tool", "name": "weather", "start_time": AT,
     "input": CALL["input"], "output": CALL["output"]},
]  # fmt: skip
ITEM = {
    "id": "t1",
    "input": QUESTION,
    "output": ANSWER,
    "metadata": {},
    "ada": {"quality": 4, "quality.reason": "Short.", "comment": "Fine."},
}
THREAD = {"id": "t1", "first_message": QUESTION, "last_message": ANSWER, "bob": {"verdict": 0}}
BY_PERSON = {"traceId": "t1", "source": "ANNOTATION", "authorUserId": "ada", "timestamp": AT}
SCORES = [
    {**BY_PERSON, "name": "quality", "dataType": "NUMERIC", "value": 4, "comment": "Short."},
    {**BY_PERSON, "name": "verdict", "dataType": "CATEGORICAL", "stringValue": "No", "authorUserId": "bob"},
    {**BY_PERSON, "name": "quality", "dataType": "NUMERIC", "value": 1, "source": "EVAL"},
]
LANGFUSE = {
    "id": "t1",
    "timestamp": AT,
    "name": "chat",
    "input": GIVEN,
    "output": MADE,
    "observations": [],
    "scores": SCORES,
}
ROW = {"id": "t1", "timestamp": AT, "bookmarked": False, "sessionId": None, "input": QUESTION, "output": ANSWER}
ADA, BOB = ("t1", "ada", "quality", 4), ("t1", "bob", "verdict")
CASES = {
    "opik, a trace": ("opik", [OPIK], [ADA, (*BOB, "No")], 1),
    "opik, exported with spans": ("opik", [{"trace": OPIK, "spans": SPANS}], [ADA, (*BOB, "No")], 1),
    "opik, an item of a queue": ("opik", [ITEM], [ADA], 0),
    "opik, a thread": ("opik", [THREAD], [(*BOB, 0)], 0),
    "langfuse, a trace": ("langfuse", [LANGFUSE], [ADA, (*BOB, "No")], 1),
    "langfuse, a page of scores": ("langfuse", [{"data": SCORES, "meta": {"page": 1}}], [ADA, (*BOB, "No")], 1),
    "langfuse, rows of scores": ("langfuse", SCORES, [ADA, (*BOB, "No")], 1),
}


@pytest.mark.parametrize("name", CASES)
def test_what_people_scored_is_read_and_what_models_scored_is_counted(tmp_path, name):
    tool, records, expected, models = CASES[name]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(records), "utf-8")
    assert detect_tool(path) == tool
    source = read_annotations(AnnotationFiles(paths=(path,)), ())
    given = [
        (annotation.task, annotation.rater, answer.question, answer.value)
        for annotation in source.annotations
        for answer in annotation.answers
    ]
    assert given == expected
    assert source.losses.counts == ({"prediction": models} if models else {})
    notes = [annotation.note for annotation in source.annotations if annotation.note]
    assert notes == [*(["quality: Short."] if ADA in expected else []), *(["Fine."] if "queue" in name else [])]
    if "scores" not in name:
        assert source.tasks["t1"].texts == (ANSWER,)
    if name in ("opik, a trace", "langfuse, a trace"):
        assert source.annotations[0].changed == AT


@pytest.mark.parametrize("record", [OPIK, {"trace": OPIK, "spans": SPANS}, ITEM, THREAD, LANGFUSE, ROW])
def test_an_item_of_a_queue_is_a_chat_without_what_its_annotators_answered(tmp_path, record):
    path = tmp_path / "export.json"
    path.write_text(json.dumps([record]), "utf-8")
    (made,), omitted = converted_chats(path)
    assert omitted == []
    assert (made.task["prompt"]["text"], made.task["responses"][0]["text"]) == (QUESTION, ANSWER)
    assert made.task["meta"]["trace_id"] == "t1"
    assert made.task["meta"]["dialect"] == ("langfuse" if record in (LANGFUSE, ROW) else "opik")
    assert "Short." not in json.dumps(made.task)
    if "spans" in record:
        assert [{key: call.get(key) for key in CALL} for call in tools(made)] == [CALL]
