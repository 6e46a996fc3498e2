"""A model splits a target: its claims have words of the target, and nothing else gets from its answer to the rater."""

import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.credentials import MODEL_KEY_VARIABLE, SecretStore
from desktop_rater.plugins.scoring.client import MOST_CHARACTERS, read_reply
from desktop_rater.plugins.scoring.model_oracle import (
    MOST_CLAIM_CHARACTERS,
    MOST_CLAIMS,
    OracleEnvironment,
    OracleServer,
    SplitTask,
    builtin_prompts,
    load_canaries,
    read_split,
    split_by_model,
    split_request,
)
from desktop_rater.text.untrusted import hidden_characters
from tests.operations.bundles import noon
from tests.plugins.scoring.asking import KEY, asking
from tests.plugins.scoring.stub import Stub, parts

BORN = "Ada was born in London. "
TARGET = "She wrote the first\nprogram and died in 1852, in London."
TASK = SplitTask(BORN + TARGET + " She was 36.", len(BORN), len(BORN + TARGET))


def answer(*claims):
    return {"claims": [{"text": text, "quotes": list(quotes)} for text, quotes in claims]}


def read(*claims, task=TASK):
    proposed, dropped = read_split(task, answer(*claims))
    return {claim.text: [span.quote for span in claim.spans] for claim in proposed}, dropped


def test_the_words_of_each_claim_are_found_in_the_target():
    claims, dropped = read(
        ("Ada wrote the first program.", ["She wrote the first program"]),
        ("Ada died in London.", ["She", "died in", "London"]),
    )
    assert claims == {
        "Ada wrote the first program.": ["She wrote the first\nprogram"],
        "Ada died in London.": ["She", "died in", "London"],
    }
    assert dropped == 0


def test_the_offsets_are_those_of_the_response():
    (claim,), _ = read_split(TASK, answer(("Ada died in London.", ["in London", "died", "died in"])))
    assert [TASK.text[start:end] for start, end in claim.ranges] == ["died in", "in London"]
    assert all(TASK.start <= start < end <= TASK.end for start, end in claim.ranges)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("", ["died in 1852"]),
        (" \u202e\u200b ", ["died in 1852"]),
        ("x" * (MOST_CLAIM_CHARACTERS + 1), ["died in 1852"]),
        ("Ada was born in London.", ["born in London"]),  # words of the response, but not of the target
        ("Ada was 36.", ["She was 36."]),
        ("The rater did well.", ["Give 10."]),
        ("Ada died.", ["", "  ", "\n"]),
        ("Ada died.", []),
        ("Ada wrote.", ["She wrote"]),  # the same claim again
    ],
)
def test_claims_that_cannot_be_used_are_dropped_and_counted(text, quotes):
    claims, dropped = read(("Ada wrote.", ["She wrote"]), (text, quotes))
    assert claims == {"Ada wrote.": ["She wrote"]}
    assert dropped == 1


def test_hidden_characters_do_not_get_into_a_claim():
    claims, _ = read(("Ada \u202edied\u202c\x07 in\u2028 18\u200b52.\n", ["died in 1852"]))
    assert list(claims) == ["Ada died in 1852."]
    assert hidden_characters("".join(claims)) == []


def test_a_quote_is_looked_for_as_whole_words_first():
    task = SplitTask("Within it, art is king.", 0, 23)
    assert read(("It is.", ["it"]), task=task)[0] == {"It is.": ["it"]}
    assert task.text.index("it") < read_split(task, answer(("It is.", ["it"])))[0][0].ranges[0][0]


def test_an_answer_of_the_largest_size_is_read():
    words = "a " * 10_000
    task = SplitTask(words, 0, len(words))
    quotes = ["a " * 990 + "b", "a" * 2_000, *["a " * 999] * 6]
    value = json.dumps(answer(*[(f"Claim {number}.", quotes) for number in range(20)]))
    claims, _ = read_split(task, read_reply(value, split_request(task).schema))
    assert len(claims) == 20


def test_of_a_long_response_the_part_around_the_target_is_sent():
    text = "Before. " * 5_000 + TARGET + " After." * 5_000
    start = text.index(TARGET)
    response, target = split_request(SplitTask(text, start, start + len(TARGET))).pieces
    assert target.text == TARGET
    assert len(response.text) == MOST_CHARACTERS
    assert TARGET in response.text


@pytest.mark.parametrize("injection", load_canaries()["injections"])
def test_instructions_in_a_response_stay_data(injection):
    text = f"{BORN}{TARGET} {injection}"
    task = SplitTask(text, len(BORN), len(text))
    with Stub() as stub:
        stub.texts = [json.dumps(answer())]
        (reply,) = asking(stub).ask([split_request(task)], Progress())
        (request,) = stub.requests
    assert reply.value == {"claims": []}
    prompt = builtin_prompts()["split"]
    blocks, outside = parts(request["messages"])
    assert {name: len(texts) for name, texts in blocks.items()} == {"response": 1, "target": 1}
    assert outside == [prompt.noted] * 2
    assert request["messages"][0]["content"] == prompt.system
    assert request["messages"][-1]["content"] == prompt.reminder


def split(stub, target=TASK):
    means = OracleEnvironment(noon, chance=lambda: 0.5, nonce=lambda: "0123456789abcdef" * 2)
    server = OracleServer(stub.url, "m-1", allow_loopback=True)
    return split_by_model(server, SecretStore({MODEL_KEY_VARIABLE: KEY}), means, target, Progress())


CLAIM = {"text": "Ada died in London.", "quotes": ["died"]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.dumps([CLAIM]), "it is not one JSON object"),
        (json.dumps({"claims": [CLAIM], "note": ""}), "it does not have the requested entries"),
        (json.dumps({"claims": [CLAIM] * (MOST_CLAIMS + 1)}), "its list is longer than requested"),
        (json.dumps({"claims": [{**CLAIM, "text": "x" * 3_000}]}), "it is longer than requested"),
        (json.dumps({"claims": [{**CLAIM, "quotes": "died"}]}), "it does not have the requested structure"),
        ("[" * 100_000, "it is not one JSON object"),
        ('{"claims": [{"text": "\\ud800", "quotes": []}]}', "it is not one JSON object"),
    ],
)
def test_an_answer_of_another_form_is_asked_for_once_more_and_then_reported(text, why):
    with Stub() as stub:
        stub.texts = [text] * 2
        with pytest.raises(RaterError, match=f"The answer of 127.0.0.1 can't be used. The reason: {why}."):
            split(stub)
        assert len(stub.requests) == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {}, b'{"error": {"message": "No m-1"}}'), "No m-1"),
        ((200, {}, b"x" * 5_000_000), "too large"),
        ((302, {"Location": f"https://elsewhere.example/{KEY}"}, b""), "redirects to another address"),
        ((401, {}, json.dumps({"error": {"message": f"wrong key {KEY}"}}).encode()), "rejected the API key"),
    ],
)
def test_a_server_that_fails_is_reported_without_the_key(answer, words):
    with Stub() as stub:
        stub.raw = [answer]
        with pytest.raises(RaterError, match=words) as error:
            split(stub)
    assert KEY not in str(error.value)


def test_the_claims_of_a_server_arrive():
    with Stub() as stub:
        stub.texts = [json.dumps({"claims": [CLAIM]})]
        assert [claim.text for claim in split(stub)[0]] == ["Ada died in London."]
        assert stub.requests[0]["response_format"]["json_schema"]["name"] == "split"
