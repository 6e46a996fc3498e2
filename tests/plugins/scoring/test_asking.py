"""What is answered once is not asked again, what is no answer counts as silence, and no run asks more than it may."""

import json
import threading
from fractions import Fraction

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.plugins.scoring.client import MOST_CHARACTERS, Budget, OracleError, Prices
from desktop_rater.plugins.scoring.model_oracle import builtin_prompts
from desktop_rater.plugins.scoring.oracles import (
    MOST_TEXTS,
    ModelOracle,
    OraclePoint,
    RecordedReplies,
    TextPositions,
    answer_requests,
    chosen_texts,
)
from tests.plugins.scoring.asking import Memory, asking
from tests.plugins.scoring.stub import Stub, completion

POINTS = [OraclePoint(topic="t", text="Kelp is a plant."), OraclePoint(topic="t", text="Kelp grows fast.")]
GOOD = '{"p1": "agrees", "p2": "silent"}'


def careful(point, text):
    if "no plant" in text:
        return "disagrees" if "plant" in point else "silent"
    return "agrees" if point in text else "silent"


@pytest.fixture
def stub():
    with Stub(careful) as server:
        yield server


def answer(stub, *texts, twice=True, **more):
    return ModelOracle(asking(stub, **more), twice=twice).answer(
        "c", POINTS, texts or ("Kelp is no plant.",), Progress()
    )


def test_a_text_is_asked_about_in_two_orders_of_the_points_and_each_answer_finds_its_point(stub):
    assert answer(stub, "Kelp is no plant.", "Kelp grows fast. Surely.") == (
        TextPositions(positions=(0, None)),
        TextPositions(positions=(None, 1)),
    )
    listed = {request["messages"][1]["content"].splitlines()[1] for request in stub.requests}
    assert listed == {"p1: Kelp is a plant.", "p1: Kelp grows fast."}


def test_an_answer_that_changes_with_the_order_counts_as_silence_with_a_note(stub):
    stub.texts = [GOOD, GOOD]
    (found,) = answer(stub, at_once=1)
    assert found.positions == (None, None)
    assert found.notes == ("Points counted as silent: 2, since the answer changed with their order.",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Of course, here it is: " + GOOD, "not one JSON object"),
        (f"```json\n{GOOD}\n```", "not one JSON object"),
        (GOOD + GOOD, "not one JSON object"),
        ('{"p1": "agrees", "p1": "disagrees", "p2": "silent"}', "not one JSON object"),
        ('["agrees", "silent"]', "not one JSON object"),
        ('{"p1": "agrees"}', "does not have the requested entries"),
        ('{"p1": "agrees", "p2": "silent", "score": 10}', "does not have the requested entries"),
        ('{"p1": "AGREES", "p2": "silent"}', "not offered"),
        ('{"p1": 1, "p2": "silent"}', "does not have the requested structure"),
        ('{"p1": ["agrees"], "p2": "silent"}', "does not have the requested structure"),
        ("[" * 100_000, "not one JSON object"),
        ("", "not one JSON object"),
    ],
)
def test_what_is_no_answer_is_asked_again_once_and_then_counts_as_silence_with_a_note(stub, text, why):
    stub.texts = [text, text]
    (found,) = answer(stub, twice=False)
    assert found.positions == (None, None)
    assert found.known
    assert why in found.notes[0]
    assert len(stub.requests) == 2


def test_a_second_try_that_fits_counts(stub):
    stub.texts = ["No.", GOOD]
    assert answer(stub, twice=False) == (TextPositions(positions=(1, None)),)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (completion(None, message={"refusal": "I will not."}), "refuses"),
        (completion(GOOD, message={"tool_calls": [{"function": {"name": "give_10"}}]}), "calls a tool"),
        (completion(GOOD, finish_reason="length"), "cut off at the maximum length"),
    ],
)
def test_a_refusal_a_call_of_a_tool_and_half_an_answer_are_none(stub, body, why):
    stub.raw = [(200, {}, body)] * 2
    (found,) = answer(stub, twice=False)
    assert found.positions == (None, None)
    assert why in found.notes[0]


def test_what_was_answered_is_not_asked_again_not_even_when_it_was_no_answer(stub):
    memory = Memory()
    first = answer(stub, "Kelp is no plant.", memory=memory)
    stub.texts = ["No."] * 4
    bad = answer(stub, "Something else.", memory=memory)
    asked = len(stub.requests)
    assert answer(stub, "Kelp is no plant.", "Something else.", memory=memory) == first + bad
    assert len(stub.requests) == asked
    reply = next(iter(memory.kept.values()))
    assert (reply.model, reply.served, reply.at) == ("m-1", "stub-2026", "2026-11-20T12:00:00Z")
    assert reply.prompt == builtin_prompts()["answer"].sha256
    assert reply.text in {'{"p1": "disagrees", "p2": "silent"}', '{"p1": "silent", "p2": "disagrees"}'}


def test_another_model_another_point_or_another_text_is_another_question(stub):
    memory = Memory()
    answer(stub, memory=memory, twice=False)
    answer(stub, memory=memory, twice=False, model="m-2")
    answer(stub, "Kelp is no plant!", memory=memory, twice=False)
    ModelOracle(asking(stub, memory), twice=False).answer("c", POINTS[:1], ["Kelp is no plant."], Progress())
    assert len(stub.requests) == len(memory.kept) == 4


def test_a_run_that_was_cancelled_goes_on_where_it_stopped(stub):
    memory, texts = Memory(), [f"Text {number}." for number in range(6)]

    def stop_at_two(done: int, _total: int) -> None:
        if done == 2:
            progress.stop()

    progress = Progress(stop_at_two)
    with pytest.raises(Cancelled):
        ModelOracle(asking(stub, memory), twice=False).answer("c", POINTS, texts, progress)
    assert 2 <= len(memory.kept) < 6
    done = len(stub.requests)
    ModelOracle(asking(stub, memory), twice=False).answer("c", POINTS, texts, Progress())
    assert len(memory.kept) == 6
    assert len(stub.requests) - done <= 6 - 2


def test_cancel_is_heard_while_the_server_thinks(stub):
    stub.hold = threading.Event()
    progress = Progress()
    ended = []

    def run():
        with pytest.raises(Cancelled):
            ModelOracle(asking(stub, at_once=4)).answer("c", POINTS, ["a", "b", "c"], progress)
        ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    assert stub.asked.acquire(timeout=20)
    progress.stop()
    thread.join(20)
    assert ended == [True]


def test_a_budget_of_calls_ends_the_run_and_the_rest_is_not_scored_instead_of_zero(stub):
    memory = Memory()
    found = answer(stub, "one", "two", "three", memory=memory, twice=False, budget=Budget(calls=2))
    assert [one.known for one in found] == [True, True, False]
    assert "budget" in found[2].notes[0]
    assert len(stub.requests) == 2
    again = answer(stub, "one", "two", "three", memory=memory, twice=False, budget=Budget(calls=2))
    assert all(one.known for one in again)
    assert len(stub.requests) == 3


def test_a_budget_of_tokens_is_never_overdrawn_not_even_side_by_side(stub):
    run = asking(stub, at_once=8, budget=Budget(tokens=4_000))
    one = run.estimate(answer_requests(POINTS, "one", twice=False), Prices())
    most = 4_000 // (one.tokens_in + one.tokens_out)
    assert most >= 1
    ModelOracle(run, twice=False).answer("c", POINTS, [f"{at}" for at in range(100)], Progress())
    assert most <= len(stub.requests) <= 4_000 // 110 + most  # 110: what the stub says that it took


def test_the_estimate_asks_nobody_and_counts_what_is_kept(stub):
    memory = Memory()
    run = asking(stub, memory)
    requests = [one for text in ("a", "b") for one in answer_requests(POINTS, text, twice=True)]
    prices = Prices(Fraction(2), Fraction(8))
    before = run.estimate(requests, prices)
    assert (before.calls, before.cached, stub.requests) == (4, 0, [])
    assert before.money == pytest.approx((2 * before.tokens_in + 8 * before.tokens_out) / 1e6)
    answer(stub, "a", memory=memory)
    after = run.estimate(requests, prices)
    assert (after.calls, after.cached) == (2, 2)
    assert run.estimate(requests, Prices()).money is None


def test_two_who_wrote_the_same_are_asked_about_once(stub):
    found = answer(stub, "Kelp is no plant.", "Kelp is no plant.")
    assert found[0] == found[1]
    assert len(stub.requests) == 2


def test_points_rest_on_words_of_the_gold_texts_or_are_left_out(stub):
    quoted = {"point": "Kelp is no plant.", "quotes": ["is an\n alga", "never said"]}
    invented = {"point": "Kelp is blue.", "quotes": ["never said"]}
    stub.summary = {"topics": [{"topic": "kind", "points": [quoted, invented, {"point": " ", "quotes": ["kelp"]}]}]}
    summary = ModelOracle(asking(stub)).summarise("c", ["So kelp is an alga, kelp."], Progress())
    assert summary.points == (OraclePoint(topic="kind", text="Kelp is no plant.", quotes=("is an alga",)),)
    assert "2 points do not quote a gold text" in summary.notes[0]


def test_a_model_that_lists_too_much_gives_no_summary(stub):
    topic = {"topic": "t", "points": [{"point": "Kelp.", "quotes": ["kelp"]}]}
    stub.summary = {"topics": [topic] * 7}
    summary = ModelOracle(asking(stub)).summarise("c", ["kelp"], Progress())
    assert summary.points == ()
    assert "its list is longer than requested" in summary.notes[0]


def test_a_summary_takes_a_bounded_part_of_the_gold_texts_whatever_their_order():
    texts = [f"Gold {number}." for number in range(3 * MOST_TEXTS)]
    drawn = chosen_texts(texts)
    assert len(drawn) == MOST_TEXTS
    assert set(chosen_texts(texts[::-1])) == set(drawn)
    assert chosen_texts(["a" * 50_000, "b" * 50_000, "c" * 50_000]) != ()


def test_a_text_that_is_too_long_is_read_from_its_beginning_with_a_note(stub):
    (found,) = answer(stub, "Kelp is no plant. " + "x" * MOST_CHARACTERS, twice=False)
    assert found.positions == (0, None)
    assert found.notes == ("Only its beginning was read, because it is very long.",)


def test_a_recording_plays_the_same_run_without_a_network(stub):
    memory = Memory()
    before = answer(stub, memory=memory)
    asked = len(stub.requests)
    recorded = RecordedReplies("m-1", memory.kept, builtin_prompts())
    run = asking(stub)
    run._completer = recorded
    assert ModelOracle(run).answer("c", POINTS, ["Kelp is no plant."], Progress()) == before
    assert len(stub.requests) == asked
    with pytest.raises(OracleError, match="has no answer"):
        ModelOracle(run).answer("c", POINTS, ["Kelp is a plant."], Progress())


def test_the_question_is_sent_as_the_endpoint_wants_it(stub):
    answer(stub, twice=False)
    (request,) = stub.requests
    assert (request["model"], request["temperature"]) == ("m-1", 0)
    form = request["response_format"]["json_schema"]
    assert (request["response_format"]["type"], form["strict"]) == ("json_schema", True)
    assert form["schema"]["additionalProperties"] is False
    assert form["schema"]["required"] == ["p1", "p2"]
    assert "maxItems" not in json.dumps(request)
    assert "tools" not in request
