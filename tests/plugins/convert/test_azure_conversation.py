"""Azure's conversations: the last answer is rated, in both generations of the format."""

import pytest

from desktop_rater.format.errors import BundleError
from tests.plugins.convert.converting import converted, lines, task

CITED = {"citations": [{"id": "k.md", "title": "Kelp", "content": "It grows."}]}
HELLO = {"role": "user", "content": "Hello."}
GREETING = {"role": "assistant", "content": "Good day.", "context": {"citations": [{"id": "g.md", "content": "Hi."}]}}
ASKED = {"role": "user", "content": "What is kelp?"}
ANSWERED = {"role": "assistant", "content": "A brown alga [k.md].", "context": CITED}
TURNS = [HELLO, GREETING, ASKED, ANSWERED]


@pytest.mark.parametrize(
    "record", [{"messages": TURNS}, {"conversation": {"messages": TURNS}}, {"conversation": TURNS}]
)
def test_the_last_answer_is_rated_with_what_it_cites(tmp_path, record):
    assert task(tmp_path, "azure-conversation", record) == {
        "id": "cv-0001",
        "prompt": {"text": "What is kelp?"},
        "history": [
            {"role": "user", "text": "Hello."},
            {"role": "assistant", "text": "Good day.", "context": GREETING["context"]},
        ],
        "responses": [{"id": "a", "text": "A brown alga [k.md]."}],
        "context": [{"id": "k.md", "title": "Kelp", "text": "It grows."}],
        "meta": {"source": "azure-conversation", "line": 1},
    }


def test_what_was_asked_afterwards_is_kept_aside(tmp_path):
    made = task(tmp_path, "azure-conversation", {"messages": [*TURNS, {"role": "user", "content": "And fog?"}]})
    assert made["prompt"]["text"] == "What is kelp?"
    assert made["meta"]["later"] == [{"role": "user", "text": "And fog?"}]


def test_the_words_of_the_system_are_history(tmp_path):
    made = task(tmp_path, "azure-conversation", {"messages": [{"role": "system", "content": "Be kind."}, *TURNS[2:]]})
    assert made["history"] == [{"role": "system", "text": "Be kind."}]


def test_what_stands_beside_the_messages_is_kept(tmp_path):
    inner = {"messages": TURNS, "context": "Fog drips.", "session_state": {"n": 1}}
    made = task(tmp_path, "azure-conversation", {"conversation": inner, "ground_truth": "An alga.", "topic": "sea"})
    assert made["context"][1] == {"id": "c2", "text": "Fog drips."}
    assert made["reference"] == "An alga."
    assert made["meta"] == {"source": "azure-conversation", "line": 1, "session_state": {"n": 1}, "topic": "sea"}


def test_a_turn_without_words_is_kept_aside(tmp_path):
    picture = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
    made = task(tmp_path, "azure-conversation", {"messages": [picture, ASKED, ANSWERED]})
    assert "history" not in made
    assert made["meta"]["without_text"] == [{"role": "user", "text": "", "parts": picture["content"]}]


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([HELLO], "the assistant has not answered"),
        ([], "the assistant has not answered"),
        ([HELLO, {"role": "assistant", "content": None}], "the assistant has not answered"),
        ([GREETING], "no user has asked anything"),
    ],
)
def test_without_an_answer_there_is_nothing_to_rate(tmp_path, messages, words):
    tasks, omitted = converted("azure-conversation", lines(tmp_path / "s.jsonl", {"messages": messages}))
    assert tasks == []
    assert omitted[0].why.startswith(words)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"messages": TURNS, "conversation": TURNS[:1]}, "`messages` and `conversation` are both set"),
        ({"conversation": {"turns": []}}, "`conversation` has no `messages`"),
        ({"messages": "Hello"}, "its messages are a text, not a list"),
        ({"messages": [HELLO, "x"]}, "message 2: it is a text, not an object"),
        ({"messages": [{"content": "x"}]}, "message 1: `role` is missing"),
        ({"messages": [{"role": "user", "content": 5}]}, "message 1: `content` is a number, not a text"),
        ({"query": "?", "response": "x"}, "it is a question with its answer"),
        ({}, "it has neither `messages` nor `conversation`"),
    ],
)
def test_a_record_of_another_shape_is_refused_by_line(tmp_path, record, words):
    with pytest.raises(BundleError) as caught:
        converted("azure-conversation", lines(tmp_path / "s.jsonl", {"messages": TURNS}, record))
    assert caught.value.message.startswith("line 2")
    assert words in caught.value.message


def test_of_scores_by_turn_those_of_the_last_turn_count(tmp_path):
    scores = {"coherence.coherence": 4.0, "coherence.evaluation_per_turn": {"coherence": [5.0, 3.0]}}
    ((only,), _) = converted("azure-conversation", lines(tmp_path / "s.jsonl", {"messages": TURNS, **scores}))
    assert only.rating is not None
    assert only.rating.answers.responses == {"a": {"coherence": 3}}


def test_what_an_answer_carries_beside_its_words_is_kept(tmp_path):
    answer = {"role": "assistant", "content": "An alga.", "context": {"citations": None, "x": 1}, "session_state": None}
    made = task(tmp_path, "azure-conversation", {"messages": [ASKED, {**answer, "finish_reason": "stop"}]})
    assert made["meta"]["answered"] == {"finish_reason": "stop"}
    assert made["meta"]["context"] == {"x": 1}
