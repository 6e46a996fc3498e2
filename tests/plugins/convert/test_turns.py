"""The answers of a conversation that become tasks: one, each or all of them, without those that claim nothing."""

from typing import Any

import pytest

from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.chat.turns import TurnChoice, small_talk_kind
from desktop_rater.plugins.convert.formats.azure_test_sets import convert_conversations
from desktop_rater.plugins.convert.source import SourceRecords
from tests.plugins.convert.chats import ANSWERED, ASKED, converted_chats, openai_call, openai_result, tools
from tests.plugins.convert.converting import lines

AND_ROME = {"role": "user", "content": "And Rome?"}
ROME = {"role": "assistant", "content": "Rome has 25 degrees."}
BYE = {"role": "assistant", "content": "You're welcome! Have a safe trip!"}
THANKS = {"role": "user", "content": "Thank you."}
CHAT = {
    "messages": [
        *(ASKED, openai_call(), openai_result("21"), ANSWERED),
        *(AND_ROME, openai_call("c2"), openai_result("25", "c2"), ROME),
        *(THANKS, BYE),
    ]
}


def chosen(tmp_path, record=CHAT, **options):
    made, omitted = converted_chats(lines(tmp_path / "c.jsonl", record), **options)
    return [(part.task["id"], part.task["responses"][0]["text"], len(tools(part))) for part in made] + [
        part.why for part in omitted
    ]


def test_the_last_answer_each_or_one_of_them_is_rated_with_the_calls_before_it(tmp_path):
    first, second, third = (
        ("ch-0001#1", "It is 21 degrees.", 1),
        ("ch-0001#2", "Rome has 25 degrees.", 2),
        ("ch-0001#3", BYE["content"], 2),
    )
    assert chosen(tmp_path) == [("ch-0001", BYE["content"], 2)]
    assert chosen(tmp_path, turn="each") == [first, second, third]
    assert chosen(tmp_path, turn=1) == [first]
    assert chosen(tmp_path, turn=-2) == [second]
    assert chosen(tmp_path, turn=4) == ["it has 3 answers, so there is no answer 4"]
    assert chosen(tmp_path, turn=-1) == [third]


def test_calls_after_the_one_answer_are_counted_as_left_out(tmp_path):
    ((made,), _) = converted_chats(lines(tmp_path / "c.jsonl", CHAT), turn=1)
    counts = [made.counts[name] for name in ("tool_calls_in", "tool_calls_out", "later_calls")]
    assert counts == [2, 1, 1]
    assert (made.task["meta"]["turn"], made.task["meta"]["turns"]) == (1, 3)


def test_all_answers_are_one_response_with_the_conversation_as_its_history(tmp_path):
    ((made,), _) = converted_chats(lines(tmp_path / "c.jsonl", CHAT), turn="all")
    text = made.task["responses"][0]["text"]
    assert text == "It is 21 degrees.\n\nRome has 25 degrees.\n\nYou're welcome! Have a safe trip!"
    places = made.task["meta"]["answers"]
    assert [text[place["start"] : place["end"]] for place in places] == text.split("\n\n")
    assert [place["turn"] for place in places] == [1, 2, 3]
    history = [turn["text"] for turn in made.task["history"]]
    assert history == ["How warm is Paris?", "It is 21 degrees.", "And Rome?", "Rome has 25 degrees."]
    assert made.task["prompt"]["text"] == "How warm is Paris?\n\nAnd Rome?\n\nThank you."
    assert (len(tools(made)), made.task["id"]) == (2, "ch-0001")


def test_small_talk_is_no_answer_where_it_is_skipped(tmp_path):
    assert chosen(tmp_path, skip_small_talk=True) == [("ch-0001", "Rome has 25 degrees.", 2)]
    assert chosen(tmp_path, skip_small_talk=True, turn=-1) == [("ch-0001#2", "Rome has 25 degrees.", 2)]
    both = "It is 21 degrees.\n\nRome has 25 degrees."
    assert chosen(tmp_path, skip_small_talk=True, turn="all") == [("ch-0001", both, 2)]
    ((first, second), _) = converted_chats(lines(tmp_path / "c.jsonl", CHAT), turn="each", skip_small_talk=True)
    assert first.counts["small_talk_goodbyes"] + second.counts["small_talk_goodbyes"] == 1
    only = {"messages": [THANKS, BYE, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]}
    why = "its answers are only small talk (1 goodbyes, 1 greetings)"
    assert chosen(tmp_path, only, skip_small_talk=True) == [why]


def test_azure_conversations_take_the_same_choices(tmp_path):
    record = {**CHAT, "ground_truth": "21", "evaluation_per_turn": {"fluency": [1, 2, 3]}}

    def made(**options):
        source = SourceRecords((lines(tmp_path / "a.jsonl", record),), LIMITS)
        parts: list[Any] = list(convert_conversations(source, turns=TurnChoice(**options)))
        return [part.task for part in parts]

    (second,) = made(which=2)
    assert (second["id"], second["meta"]["turns"], second.get("reference")) == ("cv-0001#2", 3, None)
    (joined,) = made(which="all", skip_small_talk=True)
    assert joined["responses"][0]["text"] == "It is 21 degrees.\n\nRome has 25 degrees."
    assert [call["output"] for call in joined["responses"][0]["tools"]] == [21, 25]
    assert joined["reference"] == "21"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You're welcome! If you need any further assistance, feel free to ask. Have a great day!", "goodbyes"),
        ("Thank you! Take care. Safe travels! ✈️", "goodbyes"),
        ("You’re welcome, Mei!", "thanks"),
        ("No problem at all. Take your time.", "thanks"),
        ("Hello! How can I help you today?", "greetings"),
        ("Could you please provide your user ID so I can look into the details?", "questions"),
        ("Sure! Which of these do you want?", "questions"),
        ("Is there anything else I can help you with?", "questions"),
        ("Hello! Your flight is delayed.", ""),
        ("You can take 4 free bags. Have a great day!", ""),
        ("Thank you for your patience, the refund was sent. Goodbye!", ""),
        ("Which of the 3 flights do you want?", ""),
        ("Do you want the museum in Paris?", ""),
        ("Did you know that honey never spoils?", ""),
        ("If you mix them, feel free to drink it, since it is harmless.", ""),
        ("Yes.", ""),
        ("No", ""),
        ("", ""),
        ("Gern geschehen!", ""),
        ("Have a great day! " * 40, ""),
    ],
)
def test_only_what_claims_nothing_is_small_talk(text, kind):
    assert small_talk_kind(text) == kind
