"""A lead scores what raters wrote: by hand without a network, by an endpoint, and by a recording of one."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.operations.bundles import task
from tests.operations.rated import results_of
from tests.plugins.scoring.scorings import CAREFUL, GOLD, KEY, OLD, PADDING, SOURCE, by_endpoint, means, rated, reads
from tests.plugins.scoring.stub import completion


def test_padding_gains_nothing_over_a_careful_reason(opened, stub):
    answer = opened("audit", "score", "b", *by_endpoint(stub), "--json")
    assert (answer.status, answer.err) == (0, answer.err)
    # Both priors are 1/2: a careful text has a point right and is silent on the other, padding has half of all.
    assert means(answer) == {"careful": (3, 0.75), "padding": (3, 0.5)}
    assert [point["prior"] for point in answer.json["clusters"][0]["points"]] == [0.5, 0.5]
    assert answer.json["run"]["cost"]["calls"] == len(stub.requests)
    assert {one["text"] for one in answer.json["replies"] if one["about"] == "points"}
    assert "careful" in opened("audit", "score", "b", *by_endpoint(stub)).out


def test_the_same_run_again_asks_nobody_and_says_the_same(opened, stub):
    first = opened("audit", "score", "b", *by_endpoint(stub), "--json").json
    asked = len(stub.requests)
    second = opened("audit", "score", "b", *by_endpoint(stub), "--json").json
    assert len(stub.requests) == asked
    assert second["texts"] == first["texts"]
    assert second["raters"] == first["raters"]
    assert second["run"]["cost"]["calls"] == 0


def texts(answer):
    return {one["rater"]: one["texts"] for one in answer.json["raters"]}


def test_the_report_shows_the_scores_until_newer_results_come_in(opened, stub, tmp_path):
    assert all(one["value"] is None for one in texts(opened("audit", "report", "b", "--json")).values())
    opened("audit", "score", "b", *by_endpoint(stub))
    opened("audit", "score", "b", "--rater", "padding", *by_endpoint(stub))
    found = texts(opened("audit", "report", "b", "--json"))
    assert (found["careful"]["value"], found["careful"]["n"]) == (0.75, 3)
    assert found["padding"]["value"] == 0.5
    assert (found["padding"]["low"], found["padding"]["why"]) == (None, "rests on 3 tasks: too few for an interval")
    opened("audit", "open", *results_of(tmp_path / "late", [task(name) for name in GOLD], {"late": rated(CAREFUL)}))
    assert "newer results" in texts(opened("audit", "report", "b", "--json"))["careful"]["why"]


def test_the_cost_is_shown_and_nothing_is_asked_until_somebody_agrees(opened, stub):
    options = [one for one in by_endpoint(stub) if one != "--yes"]
    estimate = opened("audit", "score", "b", *options, "--estimate", "--json", status=0)
    # The topics, the points of six topics at most, and five different texts in two orders.
    assert estimate.json["calls"] == 1 + 6 + 2 * 5
    assert opened("audit", "score", "b", *options, "--one-summary", "--estimate", "--json").json["calls"] == 1 + 2 * 5
    refused = opened("audit", "score", "b", *options, status=2)
    assert "tokens" in refused.err
    assert "--yes" in refused.err
    assert stub.requests == []


def test_nothing_that_a_rater_wrote_and_no_name_of_one_comes_into_the_instructions(opened, stub):
    opened("audit", "score", "b", *by_endpoint(stub))
    for request in stub.requests:
        first, last = request["messages"][0], request["messages"][-1]
        assert (first["role"], last["role"]) == ("system", "user")
        assert not [
            words for words in (*GOLD.values(), *CAREFUL.values()) if words in first["content"] + last["content"]
        ]
    assert "careful" not in json.dumps([request["messages"][1:-1] for request in stub.requests])


def test_a_run_that_broke_off_keeps_what_was_answered(opened, stub):
    topics = [topic["topic"] for topic in stub.summary["topics"]]
    stub.raw = [(200, {}, completion(json.dumps({"topics": topics}))), (401, {}, b"{}")]
    broken = opened("audit", "score", "b", *by_endpoint(stub, "--at-once", "1"), status=2)
    assert "Set the right key" in broken.err
    assert KEY not in broken.err
    asked = len(stub.requests)
    opened("audit", "score", "b", *by_endpoint(stub), "--json", status=0)
    assert len(stub.requests) - asked == len(topics) + 2 * 5  # the topics were not asked for again


def test_topics_and_points_in_one_request_give_the_same_scores_where_the_model_finds_the_same_points(opened, stub):
    in_two_steps = opened("audit", "score", "b", *by_endpoint(stub), "--json")
    at_once = opened("audit", "score", "b", *by_endpoint(stub), "--one-summary", "--json")
    assert at_once.json["texts"] == in_two_steps.json["texts"]
    names = [request["response_format"]["json_schema"]["name"] for request in stub.requests]
    assert names.count("summarise") == 1, "and the answers about the points were not asked for again"


def test_a_summary_of_some_topics_only_scores_nothing(opened, stub):
    answer = opened("audit", "score", "b", *by_endpoint(stub, "--most-calls", "1"), "--json", status=1)
    assert answer.json["clusters"][0]["notes"] == [
        "The gold texts have no summary: the budget of this run was used up."
    ]
    assert {one["scores"] for one in answer.json["texts"]} == {None}


def test_what_the_budget_does_not_reach_is_not_scored_and_the_next_run_goes_on(opened, stub):
    first = opened("audit", "score", "b", *by_endpoint(stub, "--most-calls", "3"), "--json", status=1)
    assert any(one["scores"] is None for one in first.json["texts"])
    assert "budget" in first.err
    assert len(stub.requests) == 3
    for _ in range(3):
        last = opened("audit", "score", "b", *by_endpoint(stub, "--most-calls", "3"), "--json")
    assert (last.status, means(last)["careful"]) == (0, (3, 0.75))


def test_a_recording_gives_the_same_scores_without_a_network(opened, stub, tmp_path):
    record = tmp_path / "replies.json"
    before = opened("audit", "score", "b", *by_endpoint(stub, "--record", record), "--json").json
    stub.close()
    played = opened("audit", "score", "b", "--oracle", "recorded", "--replies", record, "--json", status=0)
    assert (played.json["texts"], played.json["raters"]) == (before["texts"], before["raters"])
    assert KEY not in record.read_text("utf-8")
    stub.__init__()


@pytest.mark.posix("Windows has no signals to send to a process")
def test_ctrl_c_ends_a_run_at_once_while_the_model_thinks(opened, stub, tmp_path):
    stub.hold = threading.Event()
    words = ["--store", tmp_path / "store", "audit", "score", "b", *by_endpoint(stub)]
    run = [sys.executable, "-m", "desktop_rater", *map(str, words)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        try:
            assert stub.asked.acquire(timeout=60)
            started.send_signal(signal.SIGINT)
            said = started.communicate(timeout=30)
        finally:
            started.kill()
            stub.hold.set()
    assert started.returncode == 130, said
    stub.hold = None
    assert opened("audit", "score", "b", *by_endpoint(stub)).status == 0


def test_a_key_from_a_pipe_is_not_shown_and_not_kept_where_nothing_is_safe(tmp_path):
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    environment.pop("DESKTOP_RATER_LLM_KEY", None)
    words = ["--store", str(tmp_path / "store"), "audit", "key", "--endpoint", "https://api.example/v1"]
    run = [sys.executable, "-m", "desktop_rater", *words]
    put = subprocess.run([*run, "--set"], input=KEY, capture_output=True, text=True, env=environment, check=False)
    assert put.returncode == 2
    assert "DESKTOP_RATER_LLM_KEY" in put.stderr
    assert KEY not in put.stdout + put.stderr
    assert subprocess.run(run, capture_output=True, env=environment, check=False).returncode == 1
    assert not (tmp_path / "store").exists()


def test_the_key_is_nowhere_in_the_store_and_in_nothing_that_is_said(opened, stub, tmp_path):
    answer = opened("audit", "score", "b", *by_endpoint(stub), "--json")
    assert KEY not in answer.out + answer.err
    assert not [
        path for path in (tmp_path / "store").rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]


def test_a_lead_scores_by_hand_with_a_form_that_names_nobody(opened, tmp_path):
    form = tmp_path / "form.json"
    assert opened("audit", "score", "b", "--form", form, "--json").json == {"form": str(form), "texts": 5}
    assert "careful" not in form.read_text("utf-8")
    plain = json.loads(form.read_text("utf-8"))
    (cluster,) = plain["clusters"]
    offered = [point["text"] for point in cluster["points"]]
    assert offered == [SOURCE, "The number is fresh.", "No official source says so.", OLD]
    unanswered = opened("audit", "score", "b", "--points", form, "--json", status=1)
    assert means(unanswered) == {"careful": (0, None), "padding": (0, None)}
    cluster["points"] = [{"topic": "grounds", "text": SOURCE}, {"topic": "grounds", "text": OLD}]
    words = {"agrees": "agree", "disagrees": "disagree", "silent": "silent"}
    for one in cluster["texts"]:
        one["says"] = [words[reads(point, one["text"])] for point in (SOURCE, OLD)]
    form.write_text(json.dumps(plain), "utf-8")
    answer = opened("audit", "score", "b", "--points", form, "--json", status=0)
    assert means(answer) == {"careful": (3, 0.75), "padding": (3, 0.5)}
    # What was said is kept: the next run needs no form, and the next form is filled.
    assert means(opened("audit", "score", "b", "--json")) == means(answer)
    opened("audit", "score", "b", "--form", form)
    assert json.loads(form.read_text("utf-8"))["clusters"][0]["texts"] == sorted(
        cluster["texts"], key=lambda one: (not one["gold"], one["text"] if not one["gold"] else "")
    )


def test_a_form_that_does_not_fit_is_refused_and_changes_nothing(opened, tmp_path):
    form = tmp_path / "form.json"
    opened("audit", "score", "b", "--form", form)
    plain = json.loads(form.read_text("utf-8"))
    for change, words in [
        (lambda one: one.update(bundle="c"), "another bundle"),
        (lambda one: one["clusters"][0]["texts"][0].update(says=["agree"]), "1 answers to 4 points"),
        (lambda one: one["clusters"][0]["texts"][0].update(says=["maybe"] * 4), "says"),
        (lambda one: one.update(version=2), "version"),
    ]:
        broken = json.loads(json.dumps(plain))
        change(broken)
        form.write_text(json.dumps(broken), "utf-8")
        refused = opened("audit", "score", "b", "--points", form)
        assert refused.status == 2, words
        assert words in refused.err


def test_the_points_of_the_lead_can_be_answered_by_a_model(opened, stub, tmp_path):
    form = tmp_path / "form.json"
    opened("audit", "score", "b", "--form", form)
    plain = json.loads(form.read_text("utf-8"))
    plain["clusters"][0] |= {"points": [{"topic": "grounds", "text": OLD}], "texts": []}
    form.write_text(json.dumps(plain), "utf-8")
    answer = opened("audit", "score", "b", "--points", form, *by_endpoint(stub, "--own-points"), "--json")
    assert [point["text"] for point in answer.json["clusters"][0]["points"]] == [OLD]
    assert {request["response_format"]["json_schema"]["name"] for request in stub.requests} == {"answer"}


def test_without_gold_the_way_out_is_named_and_a_trusted_rater_is_one(run, stub, tmp_path):
    tasks = [task(name) for name in GOLD]
    raters = {"careful": rated(CAREFUL), "padding": rated(PADDING), "trusted": rated(GOLD)}
    run("audit", "open", *results_of(tmp_path / "raters", tasks, raters))
    refused = run("audit", "score", "b")
    assert refused.status == 2
    assert "--trust" in refused.err
    answer = run("audit", "score", "b", "--trust", "trusted", *by_endpoint(stub), "--json")
    assert means(answer) == {"careful": (3, 0.75), "padding": (3, 0.5), "trusted": (0, None)}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--question", "accuracy"), "is not a text question"),
        (("--trust", "nobody"), "no results of the rater"),
        (("--oracle", "endpoint", "--model", "m"), "No endpoint is set"),
        (("--oracle", "recorded"), "--replies"),
        (("--estimate",), "--estimate is for an endpoint"),
    ],
)
def test_what_is_missing_is_named(opened, options, words):
    assert words in opened("audit", "score", "b", *options, status=2).err


def test_a_bundle_without_results_is_named(run):
    assert run("audit", "score", "nothing").status == 2


def test_the_canaries_ask_the_model_that_is_set(run, stub):
    options = by_endpoint(stub)[2:]
    answer = run("audit", "canaries", *options, "--json")
    assert answer.status == 0
    assert (answer.json["asked"], answer.json["moved"]) == (41, 0)
    stub.reads = lambda _point, text: "agrees" if "expert of thirty years" in text else "silent"
    moved = run("audit", "canaries", *options)
    assert moved.status == 1
    assert "1.0" not in moved.out
    assert "instead of 0.50" in moved.err
