"""Servers and texts that mean harm, and runs that are killed, as a lead meets them at the command line."""

import json
import re
import subprocess
import sys
import threading

import pytest

from tests.operations.rated import results_of
from tests.plugins.scoring.scorings import CAREFUL, KEY, SOURCE, by_endpoint, means, open_scored, rated
from tests.plugins.scoring.stub import completion
from tests.plugins.scoring.test_audit_judge import named, quality
from tests.plugins.scoring.test_audit_judge import rated as quality_rated

ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\u202e"


def started(tmp_path, *words):
    """The command in a process of its own."""
    run = [sys.executable, "-m", "desktop_rater", "--store", tmp_path / "store", *words]
    return subprocess.Popen(list(map(str, run)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def questions(stub):
    """What was asked, without the random words of the marks."""
    return [re.sub("data-[0-9a-f]{32}", "data", json.dumps(one["messages"])) for one in stub.requests]


def test_a_run_that_is_killed_goes_on_and_asks_nothing_twice_that_was_answered(opened, stub, tmp_path):
    think, held = stub.answer, threading.Event()

    def answer(request):
        if len(stub.requests) > 4:
            held.wait(60)
        return think(request)

    stub.answer = answer
    with started(tmp_path, "audit", "score", "b", *by_endpoint(stub, "--at-once", "1")) as process:
        try:
            assert all(stub.asked.acquire(timeout=60) for _ in range(5))
        finally:
            process.kill()
            process.communicate()
            held.set()
    before = questions(stub)
    assert len(before) == 5
    stub.answer = think
    done = opened("audit", "score", "b", *by_endpoint(stub), "--json")
    assert (done.status, means(done)) == (0, {"careful": (3, 0.75), "padding": (3, 0.5)})
    after = questions(stub)[5:]
    assert not set(before[:4]) & set(after)
    assert len(set(before + after)) == len(before + after) - 1  # the one that had no answer yet
    assert opened("doctor").status == 0


def test_while_one_run_asks_a_second_is_told_that_the_store_is_taken(opened, stub, tmp_path):
    stub.hold = threading.Event()
    with started(tmp_path, "audit", "score", "b", *by_endpoint(stub)) as process:
        try:
            assert stub.asked.acquire(timeout=60)
            with started(tmp_path, "audit", "score", "b", *by_endpoint(stub)) as second:
                _, err = second.communicate(timeout=60)
            assert second.returncode == 2
            assert b"in use" in err or b"open" in err
        finally:
            process.kill()
            process.communicate()
            stub.hold.set()
    assert KEY.encode() not in err


def test_the_key_is_nowhere_after_runs_with_a_server_that_sends_back_all_it_gets(opened, stub, tmp_path):
    think = stub.answer

    def echoing(request):
        sent = f"You sent Bearer {KEY}"
        match len(stub.requests):
            case 2:
                return 200, {}, completion(sent, model=KEY)
            case 3:
                return 429, {"Retry-After": "0", "Location": KEY}, sent.encode()
            case 9:
                return 307, {"Location": f"https://{'a' * 180}.example/{KEY}"}, b""
        return think(request)

    stub.answer = echoing
    record = tmp_path / "replies.json"
    said = [
        opened("audit", "score", "b", *by_endpoint(stub, "--at-once", "1", "--record", record), "--json")
        for _ in range(2)
    ]
    assert [one.status for one in said] == [2, 0]
    judged = (*by_endpoint(stub)[2:], "--json", "--record", tmp_path / "judged.json")
    stub.answer = lambda request: (200, {}, completion(json.dumps(stub.think(request)), model=KEY))
    bundle = quality(tmp_path, named("q-1"))
    said.append(opened("audit", "judge", bundle, "--out", tmp_path / "m.zip", *judged))
    said.append(opened("audit", "canaries", *by_endpoint(stub)[2:], "--record", tmp_path / "canaries.json"))
    assert record.exists()
    for one in said:
        assert KEY[:12] not in one.out + one.err
    left = [path for path in tmp_path.rglob("*") if path.is_file() and KEY[:12].encode() in path.read_bytes()]
    assert left == []


@pytest.mark.posix("Windows allows no control characters in names of files")
def test_neither_a_rater_nor_a_server_speaks_to_the_terminal(run, stub, tmp_path):
    strange = f"r{ESCAPES}"
    open_scored(run, tmp_path, {strange: rated({**CAREFUL, "t-1": SOURCE + ESCAPES})})
    fault = json.dumps({"error": {"message": f"Bad{ESCAPES}"}}).encode()
    stub.raw = [(422, {}, fault)]
    said = [run("audit", "score", "b", *by_endpoint(stub))]
    assert said[0].status == 2
    said.append(run("audit", "score", "b", *by_endpoint(stub, "--most-calls", "2")))
    said.append(run("audit", "score", "b", *by_endpoint(stub)))
    said.append(run("audit", "score", "b", "--rater", "nobody"))
    assert "careful" not in said[-1].err
    for one in said:
        assert not [sign for sign in one.out + one.err if sign in "\x1b\x07\r\u202e"]


def test_a_text_that_the_server_stops_costs_nobody_else_a_score(opened, stub):
    think = stub.answer

    def answer(request):
        text = request["messages"][-3]["content"]
        if request["response_format"]["json_schema"]["name"] == "answer" and "fresh" in text:
            return 400, {}, b'{"error": {"code": "content_filter", "message": "No."}}'
        return think(request)

    stub.answer = answer
    done = opened("audit", "score", "b", *by_endpoint(stub), "--json", status=0)
    assert means(done)["careful"][0] == means(done)["padding"][0] == 3
    assert "filter" in done.err


def test_what_a_recording_holds_can_be_played_whatever_a_server_wrote(opened, stub, tmp_path):
    stub.raw = [(200, {}, completion("\0\ud800\x1b", model="\0\ud800\x1bm", usage={"prompt_tokens": 10**20}))] * 2
    record = tmp_path / "replies.json"
    first = opened("audit", "score", "b", *by_endpoint(stub, "--record", record), "--json")
    assert first.status == 1  # the gold texts have no summary
    again = opened("audit", "score", "b", "--oracle", "recorded", "--replies", record, "--json")
    assert (again.status, again.json["texts"]) == (1, first.json["texts"])
    assert opened("audit", "report", "b").status == 0


def test_a_model_that_agrees_with_everything_does_not_pass_the_canaries(run, stub):
    stub.reads = lambda _point, _text: "agrees"
    answer = run("audit", "canaries", *by_endpoint(stub)[2:], "--json")
    assert answer.status == 1
    assert answer.json["moved"] == 41
    assert "0.75 instead of 0.50" in answer.err


def test_canaries_that_the_budget_did_not_reach_prove_nothing(run, stub):
    answer = run("audit", "canaries", *by_endpoint(stub)[2:], "--most-calls", "4", "--json")
    assert (answer.status, answer.json["asked"], answer.json["moved"]) == (1, 2, 0)
    assert "budget" in answer.err


def test_canaries_can_be_recorded_and_played(run, stub, tmp_path):
    record = tmp_path / "canaries.json"
    before = run("audit", "canaries", *by_endpoint(stub)[2:], "--record", record, "--json")
    asked = len(stub.requests)
    played = run("audit", "canaries", "--replies", record, "--json")
    assert (played.status, played.json, len(stub.requests)) == (0, before.json, asked)


@pytest.mark.parametrize(
    "options",
    [
        ("--replies", "r.json"),
        ("--record", "r.json"),
        ("--oracle", "endpoint", "--replies", "r.json", "--yes"),
        ("--points", "f.json", "--form", "g.json"),
        ("--points", "f.json", "--oracle", "endpoint", "--estimate"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused_before_anybody_is_asked(opened, stub, options):
    refused = opened(
        "audit", "score", "b", "--endpoint", stub.url, "--model", "m", "--allow-loopback", *options, status=2
    )
    assert "--" in refused.err
    assert stub.requests == []


def test_the_cost_of_a_judge_that_has_answered_everything_is_nothing(run, stub, tmp_path):
    words = ("audit", "judge", quality(tmp_path, named("q-1")), "--out", tmp_path / "m.zip", *by_endpoint(stub)[2:])
    assert run(*words, "--estimate", "--json").json["calls"] == 2
    assert run(*words).status == 0
    told = run(*words, "--estimate", "--json").json
    assert (told["calls"], told["money"]) == (0, None)
    assert run(*words[:-1], "--json").status == 0  # there is nothing to agree to


@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf"])
def test_a_threshold_that_is_no_level_is_refused(opened, threshold):
    assert opened("audit", "defects", "b", "--threshold", threshold).status == 2


def test_a_rater_without_results_is_named_with_or_without_a_second_bundle(run, stub, tmp_path):
    out = tmp_path / "m.zip"
    run("audit", "judge", quality(tmp_path, named("q-1")), "--out", out, *by_endpoint(stub)[2:])
    run("audit", "open", out)
    refused = run("audit", "defects", "q", "--rater", "nobody")
    assert refused.status == 2
    assert "nobody" in refused.err


@pytest.mark.parametrize("first", ["person", "model"])
def test_a_model_under_a_persons_name_takes_nothing_from_the_person(run, stub, tmp_path, first):
    tasks = [named("q-1"), named("q-2")]
    given = {"anna": [quality_rated("q-1", violent=5), quality_rated("q-2")]}
    (person,) = results_of(tmp_path / "raters", tasks, given, called="q", rubric="response-quality")
    model = tmp_path / "m.zip"
    words = ("--rater", "anna", *by_endpoint(stub)[2:])
    assert run("audit", "judge", tmp_path / "raters" / "q.zip", "--out", model, *words).status == 0
    for path in (tmp_path / "raters" / "q.zip", *((person, model) if first == "person" else (model, person))):
        run("audit", "open", path)
    found = run("audit", "defects", "q", "--json").json["rates"]
    violent = {one["rater"]: one for one in found if one["question"] == "violent"}
    assert violent.keys() == {"", "anna", "anna (m-1)"}
    assert (violent[""]["defects"], violent[""]["ratings"], violent["anna"]["model"]) == (1, 2, False)
    assert (violent["anna (m-1)"]["defects"], violent["anna (m-1)"]["model"]) == (0, True)
    status = run("audit", "status", "q", "--json").json["bundles"][0]
    assert {one["rater"]: one["model"] for one in status["raters"]} == {"anna": False, "anna (m-1)": True}
    assert status["forks"] == []
    decided = run("audit", "adjudicate", "q", "--out", tmp_path / "final.jsonl", "--to", "jsonl", "--rater", "lead")
    assert decided.status == 0, decided.err
    lines = [json.loads(line) for line in (tmp_path / "final.jsonl").read_text("utf-8").splitlines()]
    assert {(one["votes_for"], one["votes_against"]) for one in lines} == {(1, 0)}
