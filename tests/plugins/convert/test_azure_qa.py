"""Azure's questions and answers, in the names of both generations."""

import json

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.rubric.suggest import reasons_at
from tests.plugins.convert.converting import converted, lines, task

OLD = {"question": "What is kelp?", "answer": "A brown alga.", "ground_truth": "An alga."}
NEW = {"query": "What is kelp?", "response": "A brown alga.", "truth": "An alga."}


def refused(path, *records):
    with pytest.raises(BundleError) as caught:
        converted("azure-qa", lines(path / "source.jsonl", *records))
    assert caught.value.title == "source.jsonl can't be read"
    return caught.value.message


@pytest.mark.parametrize("record", [OLD, NEW, {**OLD, **NEW}, {**OLD, "query": None}])
def test_both_names_of_a_field_make_the_same_task(tmp_path, record):
    assert task(tmp_path, "azure-qa", record) == {
        "id": "qa-0001",
        "prompt": {"text": "What is kelp?"},
        "responses": [{"id": "a", "text": "A brown alga."}],
        "reference": "An alga.",
        "meta": {"source": "azure-qa", "line": 1},
    }


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"query": "What is fog?"}, "line 2: `question` and `query` are both set, with different values."),
        ({"response": "Fog."}, "line 2: `answer` and `response` are both set, with different values."),
        ({"truth": "Fog."}, "line 2: `ground_truth` and `truth` are both set, with different values."),
    ],
)
def test_two_names_with_different_values_are_refused_by_line(tmp_path, more, words):
    assert refused(tmp_path, OLD, {**OLD, **more}) == words


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"answer": "An alga."}, "line 2: it has neither `question` nor `query`."),
        ({"question": ["What?"], "answer": "An alga."}, "line 2: `question` is a list, not a text."),
        ({"question": "?", "answer": {"text": "x"}}, "line 2: `answer` is an object, not a text."),
        ({**OLD, "context": 5}, "line 2: `context` is a number, not a text or a document."),
        ({**OLD, "context": [5]}, "line 2: `context` is a number, not a text or a document."),
        ({**OLD, "documents": [{"text": "x", "title": 5}]}, "line 2: a document of `documents` holds a number where"),
        ({**OLD, "ground_truth": 5}, "line 2: `ground_truth` is a number, not a text."),
        ({**OLD, "chat_history": "Hello"}, "line 2: `chat_history` is a text, not a list."),
        ({**OLD, "chat_history": [5]}, "line 2, turn 1 of `chat_history`: it is a number, not an object."),
        ({"messages": []}, "line 2: it is a conversation."),
    ],
)
def test_a_record_of_another_shape_is_refused_by_line(tmp_path, record, words):
    assert refused(tmp_path, OLD, record).startswith(words)


def test_a_raw_line_break_inside_a_text_is_named_with_its_line(tmp_path):
    path = tmp_path / "source.jsonl"
    path.write_text('{"question": "?", "answer": "x"}\n{"question": "one\ntwo", "answer": "x"}\n', "utf-8", newline="")
    with pytest.raises(BundleError, match="line 2: a string begins at column 14 and does not end"):
        converted("azure-qa", path)


@pytest.mark.parametrize("answer", [{}, {"answer": None}, {"response": "  "}])
def test_a_question_without_an_answer_is_left_out_and_named(tmp_path, answer):
    tasks, omitted = converted("azure-qa", lines(tmp_path / "s.jsonl", OLD, {"question": "?", **answer}, NEW))
    assert [one.task["id"] for one in tasks] == ["qa-0001", "qa-0003"], "an id does not hang on what is left out"
    assert [one.line for one in omitted] == [2]
    assert omitted[0].why.endswith("so there is nothing to rate")


def test_unknown_keys_are_kept(tmp_path):
    meta = task(tmp_path, "azure-qa", {**OLD, "latency": 2.5, "variant_id": "v1", "line": 7})["meta"]
    assert meta == {"source": "azure-qa", "line": 7, "latency": 2.5, "variant_id": "v1"}


@pytest.mark.parametrize(
    ("context", "documents"),
    [
        ("", None),
        ([], None),
        ("Kelp grows.", [{"id": "c1", "text": "Kelp grows."}]),
        (["Kelp grows.", "Fog drips."], [{"id": "c1", "text": "Kelp grows."}, {"id": "c2", "text": "Fog drips."}]),
        (
            "kelp.pdf#page=4: Kelp grows.\n\nIt is brown.\n\nfog.pdf:  Fog drips.",
            [
                {"id": "c1", "title": "kelp.pdf#page=4", "text": "Kelp grows.\n\nIt is brown."},
                {"id": "c2", "title": "fog.pdf", "text": " Fog drips."},
            ],
        ),
        ("So kelp.pdf: is a name.", [{"id": "c1", "text": "So kelp.pdf: is a name."}]),
        (
            {"citations": [{"id": "k", "title": "Kelp", "content": "It grows.", "url": "https://kelp.example/"}]},
            [{"id": "k", "title": "Kelp", "text": "It grows.", "url": "https://kelp.example/"}],
        ),
        ('{"citations": [{"id": 1, "content": "It grows."}]}', [{"id": "1", "text": "It grows."}]),
        ('[{"id": "k", "content": "It grows."}]', [{"id": "k", "text": "It grows."}]),
        ('["Not", "documents"]', [{"id": "c1", "text": '["Not", "documents"]'}]),
        ('{"citations": [NaN]}', [{"id": "c1", "text": '{"citations": [NaN]}'}]),
        ('{"citations": ' + "[" * 9000, [{"id": "c1", "text": '{"citations": ' + "[" * 9000}]),
        (
            [{"id": "k", "content": None, "page": 4}, {"title": "Fog", "filepath": "fog.md"}],
            [{"id": "k", "page": 4}, {"id": "c2", "title": "Fog", "filepath": "fog.md"}],
        ),
        ([{"id": "k", "content": "One."}, {"id": "k", "content": "Two."}], None),
    ],
)
def test_contexts_become_documents(tmp_path, context, documents):
    found = task(tmp_path, "azure-qa", {**OLD, "context": context}).get("context", [])
    if documents is None and context:
        assert [document["id"] for document in found] == ["k", "k-2"], "two documents never share an id"
    else:
        assert found == (documents or [])


def test_documents_by_their_markers_come_before_the_context(tmp_path):
    documents = [{"[doc1]": {"title": "Kelp", "content": "It grows."}, "[doc2]": {"content": "It is brown."}}]
    assert task(tmp_path, "azure-qa", {**OLD, "documents": documents, "context": ["Fog."]})["context"] == [
        {"id": "doc1", "title": "Kelp", "text": "It grows."},
        {"id": "doc2", "text": "It is brown."},
        {"id": "c3", "text": "Fog."},
    ]


@pytest.mark.parametrize(
    "history",
    [
        [{"inputs": {"question": "Hello?"}, "outputs": {"answer": "Good day."}}],
        [{"inputs": {"anything": "Hello?"}, "outputs": {"answer": "Good day.", "context": ["x"]}}],
        [{"role": "User", "content": "Hello?"}, {"role": "assistant", "content": "Good day."}],
        '[{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": "Good day."}]',
    ],
)
def test_a_chat_history_in_pairs_or_messages(tmp_path, history):
    assert task(tmp_path, "azure-qa", {**OLD, "chat_history": history})["history"] == [
        {"role": "user", "text": "Hello?"},
        {"role": "assistant", "text": "Good day."},
    ]


def test_scores_become_a_rating_where_the_rubric_offers_them(tmp_path):
    scores = {
        "gpt_groundedness": 5.0,
        "groundedness_reason": "All is there.",
        "gpt_relevance": 3.5,
        "coherence": 4,
        "fluency": True,
        "retrieval": 3.5,
        "gpt_similarity": float("nan"),
        "hate_unfairness_score": 4,
        "hate_unfairness_reason": "It mocks.",
        "sexual_score": 0,
        "sexual_reason": "Nothing of the kind.",
        "violence_score": 9,
    }
    tasks, _ = converted("azure-qa", lines(tmp_path / "s.jsonl", {**OLD, **scores}, OLD))
    rated, unrated = tasks
    assert rated.rating is not None
    assert rated.rating.rubric == "response-quality@2"
    assert rated.rating.answers.responses == {
        "a": {
            "groundedness": 5,
            "coherence": 4,
            "retrieval": 3.5,
            "hateful_unfair": 4,
            "hateful_unfair_reason": "It mocks.",
            "sexual": 0,
        }
    }
    assert reasons_at(rated.rating, "responses/a") == {
        "groundedness": "All is there.",
        "sexual": "Nothing of the kind.",
    }, "the rubric has no question for them"
    assert not [key for key in rated.task["meta"] if key.endswith("_reason")]
    assert rated.task["meta"]["gpt_relevance"] == 3.5, "what the rubric does not offer stays in meta"
    assert unrated.rating is None


def test_results_of_an_evaluation_are_read_by_their_rows(tmp_path):
    path = tmp_path / "results.json"
    row = {"inputs.query": "?", "inputs.response": "An alga.", "outputs.relevance.relevance": 4, "outputs.query": "x"}
    path.write_text(json.dumps({"rows": [row], "metrics": {"relevance": 4}}, indent=1), "utf-8")
    ((only,), _) = converted("azure-qa", path)
    assert only.task["prompt"]["text"] == "?"
    assert only.task["meta"]["outputs.query"] == "x"
    assert only.rating is not None
    assert only.rating.answers.responses == {"a": {"relevance": 4}}


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + json.dumps(OLD).encode() + b"\r\n",
        json.dumps([OLD]).encode(),
        b"\xef\xbb\xbf" + json.dumps(OLD, indent=2).encode(),
        json.dumps(OLD).encode(),
    ],
)
def test_lines_a_list_and_a_lone_object_with_or_without_a_bom(tmp_path, data):
    path = tmp_path / "source.json"
    path.write_bytes(data)
    ((only,), _) = converted("azure-qa", path)
    assert only.task["prompt"]["text"] == "What is kelp?"


def test_a_line_end_that_is_none_stays_in_its_text(tmp_path):
    path = tmp_path / "source.jsonl"
    path.write_text(json.dumps({**OLD, "answer": "one\u0085two\u2028"}, ensure_ascii=False) + "\n", "utf-8")
    ((only,), _) = converted("azure-qa", path)
    assert only.task["responses"][0]["text"] == "one\u0085two\u2028"


def test_the_parts_of_a_message_are_its_text_and_are_kept(tmp_path):
    parts = [{"type": "text", "text": "Good day."}, {"type": "image_url", "image_url": {"url": "x"}}]
    made = task(tmp_path, "azure-qa", {**OLD, "chat_history": [{"role": "assistant", "content": parts}]})
    assert made["history"] == [{"role": "assistant", "text": "Good day.", "parts": parts}]


@pytest.mark.parametrize("context", [{}, {"key": {}}, {"citations": [], "key": {}}])
def test_a_context_without_documents_is_kept_and_makes_none_up(tmp_path, context):
    made = task(tmp_path, "azure-qa", {**OLD, "context": context})
    assert "context" not in made
    assert made["meta"].get("context") == ({"key": {}} if context else None)


def test_a_line_of_results_is_read_like_a_row_of_them(tmp_path):
    row = {"inputs.query": "?", "inputs.response": "An alga.", "outputs.content_safety.violence_score": 2}
    tasks, _ = converted("azure-qa", lines(tmp_path / "s.jsonl", row, {**row, "inputs.query": "And fog?"}))
    assert [one.task["prompt"]["text"] for one in tasks] == ["?", "And fog?"]
    assert tasks[0].rating is not None
    assert tasks[0].rating.answers.responses == {"a": {"violent": 2}}


def test_a_raw_line_break_in_the_first_or_only_record_is_named_with_its_line(tmp_path):
    path = tmp_path / "source.jsonl"
    broken = '{"question": "?", "answer": "one\ntwo"}\n'
    for text in (broken, broken + json.dumps(OLD) + "\n"):
        path.write_text(text, "utf-8")
        with pytest.raises(BundleError, match="line 1: a raw line break or control character inside a string"):
            converted("azure-qa", path)


def test_a_key_that_stands_twice_is_refused_where_its_values_differ(tmp_path):
    path = tmp_path / "source.jsonl"
    for more in ("", json.dumps(OLD) + "\n"):
        path.write_text('{"query": "?", "query": "?", "response": "x"}\n' + more, "utf-8")
        assert converted("azure-qa", path)[0][0].task["prompt"]["text"] == "?"
        path.write_text('{"query": "?", "query": "", "response": "x"}\n' + more, "utf-8")
        with pytest.raises(BundleError, match="line 1: `query` occurs twice, with different values"):
            converted("azure-qa", path)
