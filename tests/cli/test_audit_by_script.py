"""A lead's work by script: draw, say verdicts from a file, and write what is decided."""

import csv
import json
import math

import pytest

from tests.operations.audited import ANSWERS, Raters, said
from tests.operations.bundles import task, write_lines

TASKS = [task("t-1"), task("t-2"), task("t-3")]


REST = [said("t-2", "accurate"), said("t-3", "not factual")]
LABELS = {"r-04": "inaccurate", "r-17": "unsupported", "r-22": "accurate"}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Of three raters, who differ at t-1 in all ways."""
    raters = Raters(tmp_path_factory.mktemp("raters"), TASKS)
    return raters.all_rate({rater: [said("t-1", label), *REST] for rater, label in LABELS.items()})


@pytest.fixture
def opened(run, results):
    assert run("audit", "open", results[0].with_name("b.zip"), *results).status == 0


def line(**more):
    return {"task": "t-1", "where": "targets/s1", **more}


def test_a_script_sends_back_decides_and_adjudicates(run, opened, tmp_path):
    path = write_lines(
        tmp_path / "verdicts.jsonl",
        [
            line(rater="r-04", kind="returned", reason="search-too-thin", comment="Search the league."),
            line(rater="r-17", kind="accepted"),
            line(task="t-2", question="label", value="disputed", comment="No consensus."),
        ],
    )
    answer = run("audit", "verdicts", "b", "--from", path, "--lead", "Ana", "--json", status=0)
    assert answer.json == {"verdicts": 2, "decisions": 1, "own": 0, "same": 0, "unknown": []}
    assert run("audit", "verdicts", "b", "--from", path, "--lead", "Ana", "--json").json["same"] == 3
    told = run("audit", "verdicts", "b", "--json").json
    assert [(one["rater"], one["kind"], one["outdated"]) for one in told["verdicts"]] == [
        ("r-04", "returned", False),
        ("r-17", "accepted", False),
    ]
    assert told["decisions"][0]["lead"] == "Ana"
    out = tmp_path / "final.jsonl"
    assert run("audit", "adjudicate", "b", "--to", "jsonl", "--out", out).status == 0
    rows = [json.loads(row) for row in out.read_text("utf-8").splitlines()]
    labels = {row["task"]: (row["value"], row["source"], row["how"]) for row in rows if row["is_label"]}
    assert labels == {
        "t-1": ("unsupported", "lead", "accepted"),
        "t-2": ("disputed", "lead", "decided"),
        "t-3": ("not factual", "unanimous", None),
    }


def test_a_correction_by_script_brings_its_rating(run, opened, tmp_path):
    own = {"task": "t-1", "answers": {"targets": {"s1": ANSWERS["unsupported"]}}}
    path = write_lines(
        tmp_path / "verdicts.jsonl",
        [line(own=own), line(rater="r-04", kind="corrected", reason="label-does-not-follow")],
    )
    assert run("audit", "verdicts", "b", "--from", path, "--lead", "Ana").status == 0
    out = tmp_path / "final.zip"
    answer = run("audit", "adjudicate", "b", "--to", "results", "--rater", "Ana", "--out", out, "--json")
    assert (answer.status, answer.json["ratings"]) == (0, 3)
    assert run("check", out).status == 0


def test_one_malformed_line_refuses_all(run, opened, tmp_path):
    good = line(rater="r-17", kind="accepted")
    for bad, says in (
        (line(rater="r-04", kind="returned"), "line 2: The rating was not sent back. The rater needs a reason."),
        (line(rater="r-04", kind="splendid"), "line 2"),
        (line(rater="r-04"), "line 2: A line must contain exactly one review."),
        (line(rater="r-04", kind="corrected"), "Put a line with `own` before it."),
        (line(question="label", value="splendid"), "does not offer 'splendid'"),
        (line(where="task", question="label", value="accurate"), "Label is asked per target, and task is not one."),
        (
            line(where="responses/a", question="label", value="accurate"),
            "asked per target, and responses/a is not one.",
        ),
        (line(own={"task": "t-1", "status": "skipped", "skipped": {"reason": "harmful"}}), "It skips the task"),
        (line(own={"task": "t-1", "answers": {}}), "The correction was not saved."),
        (line(own={"task": "t-2", "answers": {}}), "It answers the task 't-2'"),
        (line(own={"task": "t-1", "rubric": "side-by-side@2"}), "by 'side-by-side@2'"),
    ):
        path = write_lines(tmp_path / "verdicts.jsonl", [good, bad])
        answer = run("audit", "verdicts", "b", "--from", path, "--lead", "Ana", status=2)
        assert says in answer.err
        assert "Traceback" not in answer.err
    assert run("audit", "verdicts", "b", "--json").json["verdicts"] == []


def test_what_is_not_here_is_named_and_not_kept(run, opened, tmp_path):
    path = write_lines(
        tmp_path / "verdicts.jsonl",
        [
            line(rater="r-17", kind="accepted"),
            line(task="t-9", rater="r-17", kind="accepted"),
            line(rater="r-99", kind="accepted"),
            line(where="targets/s9", rater="r-17", kind="accepted"),
            line(rater="r-22", kind="accepted", rating="0" * 64),
        ],
    )
    answer = run("audit", "verdicts", "b", "--from", path, "--lead", "Ana", "--json", status=1)
    assert answer.json["verdicts"] == 1
    assert answer.json["unknown"] == [
        "t-9 targets/s1 r-17",
        "t-1 targets/s1 r-99",
        "t-1 targets/s9 r-17",
        "t-1 targets/s1 r-22",
    ]


def test_who_speaks_has_to_be_known(run, opened, tmp_path):
    path = write_lines(tmp_path / "verdicts.jsonl", [line(rater="r-17", kind="accepted")])
    assert "give --lead" in run("audit", "verdicts", "b", "--from", path, status=2).err


def test_a_sample_is_the_same_on_another_computer(run, opened, results, tmp_path):
    first = run(
        "audit", "sample", "b", "--how", "share", "--share", "0.5", "--seed", "3", "--lead", "Ana", "--json", status=0
    )
    assert (first.json["drawn"], first.json["of"], first.json["seed"]) == (2, 3, 3)
    again = run("audit", "sample", "b", "--how", "share", "--share", "0.5", "--seed", "3", "--lead", "Eva", "--json")
    assert again.json["places"] == first.json["places"]
    assert run("audit", "sample", "b", "--how", "gold-misses", "--lead", "Ana").status == 2


def test_a_bundle_without_results_is_named(run, tmp_path):
    for words in (("sample", "b", "--how", "all", "--lead", "Ana"), ("verdicts", "b")):
        answer = run("audit", *words, status=2)
        assert "no results of the bundle 'b'" in answer.err
    answer = run("audit", "adjudicate", "b", "--to", "csv", "--out", tmp_path / "x.csv", status=2)
    assert not (tmp_path / "x.csv").exists()


def test_while_something_is_open_only_what_is_decided_leaves_and_only_when_asked(run, opened, tmp_path):
    out = tmp_path / "final.csv"
    answer = run("audit", "adjudicate", "b", "--to", "csv", "--out", out, "--json")
    assert (answer.status, answer.json["written"]) == (1, False)
    assert answer.json["open"] == [{"task": "t-1", "where": "targets/s1", "question": "label", "for": 1, "against": 2}]
    assert not out.exists()
    answer = run("audit", "adjudicate", "b", "--to", "csv", "--out", out, "--partial", "--json")
    assert (answer.status, answer.json["written"], answer.json["by"]) == (1, True, "majority")
    with out.open(newline="", encoding="utf-8") as file:
        rows = {row["task"]: row for row in csv.DictReader(file) if row["is_label"] == "true"}
    assert [(row["source"], row["value"]) for row in (rows["t-1"], rows["t-2"])] == [
        ("open", ""),
        ("unanimous", "accurate"),
    ]
    assert (rows["t-1"]["by"], rows["t-2"]["by"]) == ("majority", "all")
    assert float(rows["t-1"]["posterior"]) == pytest.approx(1 / 3)
    assert float(rows["t-1"]["entropy"]) == pytest.approx(math.log2(3))


def test_soft_labels_hold_the_distribution_of_each_place_whether_decided_or_not(run, opened, tmp_path):
    out = tmp_path / "soft.jsonl"
    words = ("audit", "adjudicate", "b", "--out", out, "--soft", "--by", "dawid-skene")
    answer = run(*words, "--to", "jsonl", "--json")
    assert (answer.status, answer.json["written"], answer.json["by"]) == (0, True, "dawid-skene")
    rows = [json.loads(row) for row in out.read_text("utf-8").splitlines()]
    shares = {row["value"]: row for row in rows if row["task"] == "t-1" and row["is_label"]}
    assert shares.keys() >= {"inaccurate", "unsupported", "accurate"}
    assert [shares[value]["votes"] for value in ("inaccurate", "unsupported", "accurate")] == [1, 1, 1]
    assert sum(row["posterior"] for row in shares.values()) == pytest.approx(1, abs=1e-4)
    assert "Give --soft with a table" in run(*words, "--to", "results", "--rater", "Ana", status=2).err


def test_a_place_whose_ratings_were_all_sent_back_is_open_to_a_model_too(run, opened, tmp_path):
    back = [line(rater=rater, kind="returned", reason="search-too-thin") for rater in LABELS]
    path = write_lines(tmp_path / "verdicts.jsonl", back)
    assert run("audit", "verdicts", "b", "--from", path, "--lead", "Ana").status == 0
    answer = run("audit", "adjudicate", "b", "--to", "csv", "--out", tmp_path / "x.csv", "--by", "mace", status=1)
    assert "Open: t-1 targets/s1: label, 0 against 0" in answer.err


def test_a_label_below_the_threshold_is_left_to_the_lead(run, results, tmp_path):
    """Two of three agree at t-1 in the second results; all agree elsewhere."""
    raters = Raters(tmp_path, TASKS)
    labels = {"r-04": "accurate", "r-17": "accurate", "r-22": "inaccurate"}
    zips = raters.all_rate({rater: [said("t-1", label), *REST] for rater, label in labels.items()})
    assert run("audit", "open", raters.bundle, *zips).status == 0
    out = tmp_path / "final.jsonl"
    assert run("audit", "adjudicate", "b", "--to", "jsonl", "--out", out, "--threshold", 0.66).status == 0
    answer = run("audit", "adjudicate", "b", "--to", "jsonl", "--out", out, "--threshold", 0.67, "--json", status=1)
    assert [(item["task"], item["for"], item["against"]) for item in answer.json["open"]] == [("t-1", 2, 1)]
    for by in ("median", "dawid-skene", "mace"):
        answer = run("audit", "adjudicate", "b", "--to", "jsonl", "--out", out, "--by", by)
        rows = [json.loads(row) for row in out.read_text("utf-8").splitlines()]
        (first,) = [row for row in rows if row["task"] == "t-1" and row["is_label"]]
        assert (first["value"], first["by"]) == ("accurate", "majority" if by == "median" else by)


def test_a_decision_on_a_claim_is_none_and_what_was_not_said_is_not_taken_back(run, opened, tmp_path):
    path = write_lines(
        tmp_path / "verdicts.jsonl",
        [
            line(where="targets/s1/claims/c1", question="label", value="accurate"),
            line(question="label", value=None),
            line(rater="r-04", kind="none"),
        ],
    )
    answer = run("audit", "verdicts", "b", "--from", path, "--lead", "Ana", "--json", status=1)
    assert answer.json == {"verdicts": 0, "decisions": 0, "own": 0, "same": 2, "unknown": ["t-1 targets/s1/claims/c1"]}
