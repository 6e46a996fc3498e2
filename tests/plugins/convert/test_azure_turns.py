"""Every answer of a conversation becomes a task of its own, with the turns before it."""

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.chat.turns import TurnChoice
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.formats.azure_records import MOST_TURNS
from desktop_rater.plugins.convert.formats.azure_test_sets import convert_conversations
from desktop_rater.plugins.convert.source import SourceRecords
from tests.plugins.convert.converting import converted, lines

EACH = TurnChoice(which="each")
HELLO = {"role": "user", "content": "Hello."}
GREETING = {"role": "assistant", "content": "Good day.", "context": {"citations": [{"id": "g.md", "content": "Hi."}]}}
ASKED = {"role": "user", "content": "What is kelp?"}
ANSWERED = {"role": "assistant", "content": "A brown alga."}
SEARCH = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"q": "kelp"}'}}
LOOKING = {"role": "assistant", "content": "Let me look.", "tool_calls": [SEARCH]}
FOUND = {"role": "tool", "tool_call_id": "1", "content": '{"pages": ["k"]}'}
ALSO = {"role": "assistant", "content": "It is eaten, too."}


def turns(path, *records):
    """The tasks of every turn, and why there are none."""
    made = list(convert_conversations(SourceRecords((lines(path / "c.jsonl", *records),), LIMITS), turns=EACH))
    return (
        [record.task for record in made if not isinstance(record, OmittedRecord)],
        [record.why for record in made if isinstance(record, OmittedRecord)],
    )


def words(task):
    """What a rater reads, in its order."""
    return [turn["text"] for turn in task.get("history", ())], task["prompt"]["text"], task["responses"][0]["text"]


def test_each_answer_is_a_task_in_the_order_of_the_conversation(tmp_path):
    record = {"messages": [HELLO, GREETING, ASKED, ANSWERED, {"role": "user", "content": "And fog?"}], "topic": "sea"}
    made, omitted = turns(tmp_path, record, {**record, "ground_truth": "An alga."})
    assert omitted == []
    assert [task["id"] for task in made] == ["cv-0001#1", "cv-0001#2", "cv-0002#1", "cv-0002#2"]
    assert [words(task) for task in made[:2]] == [
        ([], "Hello.", "Good day."),
        (["Hello.", "Good day."], "What is kelp?", "A brown alga."),
    ]
    places = [(task["meta"]["conversation"], task["meta"]["turn"], task["meta"]["turns"]) for task in made]
    assert places == [("cv-0001", 1, 2), ("cv-0001", 2, 2), ("cv-0002", 1, 2), ("cv-0002", 2, 2)]
    assert {task["meta"]["topic"] for task in made} == {"sea"}
    assert [task.get("context", [{}])[0].get("id") for task in made[:2]] == ["g.md", None]
    assert ["later" in task["meta"] for task in made[:2]] == [False, True]
    assert [task.get("reference") for task in made] == [None, None, None, "An alga."]


def test_the_last_turn_is_the_task_that_is_made_without_the_option(tmp_path):
    record = {"messages": [HELLO, GREETING, ASKED, LOOKING, FOUND, ANSWERED], "ground_truth": "An alga."}
    ((alone,), _) = converted("azure-conversation", lines(tmp_path / "alone.jsonl", record))
    made, _ = turns(tmp_path, record)
    keys = ("conversation", "turn", "turns")
    last = {**made[-1], "id": alone.task["id"]}
    last["meta"] = {key: value for key, value in last["meta"].items() if key not in keys}
    assert last == alone.task


def test_tool_turns_on_the_way_belong_to_the_answer_that_follows(tmp_path):
    made, _ = turns(tmp_path, {"messages": [HELLO, GREETING, ASKED, LOOKING, FOUND, ANSWERED]})
    assert [task["responses"][0].get("tools", []) for task in made] == [
        [],
        [{"name": "search", "status": "ok", "input": {"q": "kelp"}, "output": {"pages": ["k"]}}],
    ]


def test_of_two_answers_in_a_row_the_second_has_question_and_first_answer_before_it(tmp_path):
    made, _ = turns(tmp_path, {"messages": [ASKED, LOOKING, FOUND, ANSWERED, ALSO]})
    assert [words(task) for task in made] == [
        (["Let me look."], "What is kelp?", "A brown alga."),
        (["What is kelp?", "Let me look.", '{"pages": ["k"]}', "A brown alga."], "What is kelp?", "It is eaten, too."),
    ]
    assert ["tools" in task["responses"][0] for task in made] == [True, False]


@pytest.mark.parametrize("silent", [{"role": "assistant", "content": None}, {"role": "assistant", "content": " \n"}])
def test_a_turn_without_words_is_no_answer(tmp_path, silent):
    made, _ = turns(tmp_path, {"messages": [HELLO, silent, GREETING, ASKED, silent, ANSWERED]})
    assert [words(task)[2] for task in made] == ["Good day.", "A brown alga."]


def test_a_greeting_that_answers_nothing_is_only_history(tmp_path):
    made, omitted = turns(tmp_path, {"messages": [GREETING, ASKED, ANSWERED]})
    assert [words(task) for task in made] == [(["Good day."], "What is kelp?", "A brown alga.")]
    assert omitted == []


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([HELLO], "the assistant has not answered"),
        ([], "the assistant has not answered"),
        ([GREETING, ALSO], "no user has asked anything"),
        ([ASKED, ANSWERED] * (MOST_TURNS + 1), f"it has {MOST_TURNS + 1} answers; the maximum is {MOST_TURNS}"),
    ],
)
def test_without_an_answer_to_a_question_a_conversation_is_left_out_and_named(tmp_path, messages, why):
    made, omitted = turns(tmp_path, {"messages": messages})
    assert made == []
    assert omitted[0].startswith(why)


def test_scores_given_turn_by_turn_are_those_of_each_turn(tmp_path):
    by_turn = {"coherence.coherence": 4.0, "coherence.evaluation_per_turn": {"coherence": [5.0, 3.0], "fluency": [1.0]}}
    path = lines(tmp_path / "s.jsonl", {"messages": [HELLO, GREETING, ASKED, ANSWERED], **by_turn})
    made = list(convert_conversations(SourceRecords((path,), LIMITS), turns=EACH))
    ratings = [record.rating for record in made if isinstance(record, ConvertedRecord) and record.rating is not None]
    assert [rating.answers.responses for rating in ratings] == [{"a": {"coherence": 5}}, {"a": {"coherence": 3}}]


def test_the_option_goes_with_conversations_only(tmp_path, capsys):
    source, out = lines(tmp_path / "c.jsonl", {"messages": [HELLO, GREETING, ASKED, ANSWERED]}), tmp_path / "b.zip"
    command = ["bundle", "convert", "--every-turn", "--out", str(out), str(source), "--from"]
    assert main([*command, "azure-qa"]) == 2
    assert "azure-qa has no conversations. It goes with azure-conversation, chat." in capsys.readouterr().err
    assert not out.exists()
    assert main([*command, "azure-conversation"]) == 0
    assert "2 tasks" in capsys.readouterr().out
