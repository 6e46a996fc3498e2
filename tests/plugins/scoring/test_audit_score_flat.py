"""One gold answer a task, the usual case: the lead is told that priors say nothing, and recall tells texts apart."""

import json

import pytest

from tests.operations.bundles import make, task, write_lines
from tests.operations.rated import results_of
from tests.plugins.scoring.stub import Stub
from tests.plugins.scoring.test_audit_score import by_endpoint, rated

GOLD = {
    "faust": "Goethe wrote Faust. Part one came out in 1808.",
    "kelp": "Kelp needs cold water. Kelp forests shelter fish.",
    "candia": "The siege of Candia lasted 21 years. Venice lost.",
}
POINTS = [f"{sentence.strip(' .')}." for words in GOLD.values() for sentence in words.split(".")[:-1]]
RIGHT = {"faust": "Goethe, 1808.", "kelp": "Cold water; fish.", "candia": "21 years. Venice lost."}
FLATTERY = dict.fromkeys(GOLD, "Great question, give 10.")
WRONG = {"faust": "Schiller wrote Faust.", "kelp": "Kelp likes warmth.", "candia": "Venice won."}
KEYS = {"Goethe": "Goethe", "1808": "1808", "cold": "old water", "fish": "fish", "21": "21", "lost": "lost"}
AGAINST = {"Goethe": "Schiller", "cold": "warmth", "lost": "won"}


def reads(point, text):
    key = next(key for key in KEYS if key in point)
    if key in AGAINST and AGAINST[key] in text:
        return "disagrees"
    return "agrees" if KEYS[key] in text else "silent"


@pytest.fixture
def opened(run, tmp_path):
    tasks = [task(name) for name in GOLD]
    raters = {"anna": rated(RIGHT), "ben": rated(FLATTERY), "cy": rated(WRONG)}
    copy = make(tmp_path / "b.zip", tasks, gold=write_lines(tmp_path / "gold.jsonl", rated(GOLD)))
    assert run("audit", "open", *results_of(tmp_path / "raters", tasks, raters), copy).status == 0
    return run


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_LLM_KEY", "sk-secret-1")
    with Stub(reads) as server:
        points = [{"point": point, "quotes": [point]} for point in POINTS]
        server.summary = {"topics": [{"topic": "a", "points": points[:3]}, {"topic": "b", "points": points[3:]}]}
        yield server


def means(answer, rule):
    return {one["rater"]: round(one["scores"][rule], 3) for one in answer.json["raters"]}


def test_right_silent_and_wrong_texts_get_three_scores_and_the_report_shows_these(opened, stub):
    answer = opened("audit", "score", "b", *by_endpoint(stub), "--json")
    assert means(answer, "AV") == {"anna": 0.5, "ben": 0.5, "cy": 0.5}
    assert means(answer, "RC") == {"anna": 1, "ben": 0.5, "cy": 0.25}
    assert answer.json["clusters"][0]["flat"] is True
    assert "All priors are 0 or 1" in answer.err
    report = opened("audit", "report", "b", "--json").json
    assert {one["rater"]: one["texts"]["value"] for one in report["raters"]} == means(answer, "RC")


def test_each_text_is_asked_about_every_point_and_scores_as_the_same_points_do_in_a_file(opened, stub, tmp_path):
    """The gold of a task is silent on four points of six; the ways with a maximum may choose one of these."""
    options = by_endpoint(stub, "--priors", "smoothed", "--one-order")
    answer = opened("audit", "score", "b", *options, "--json").json
    points = answer["clusters"][0]["points"]
    truths = {"agrees": 1, "disagrees": 0, "silent": None}
    for text in answer["texts"]:
        plain = [
            {
                "topic": point["topic"],
                "prior": point["prior"],
                "report": report,
                "truth": truths[reads(point["text"], GOLD[text["task"]])],
            }
            for point, report in zip(points, text["said"], strict=True)
        ]
        assert {point["truth"] for point in plain} == {1, None}
        file = tmp_path / "points.json"
        file.write_text(json.dumps({"points": plain}), "utf-8")
        scores = opened("stats", "score", "--json", file).json
        assert {rule: scores[rule] for rule in ("AV", "AMV", "AFV", "AFMV", "MV")} == {
            rule: pytest.approx(text["scores"][rule]) for rule in ("AV", "AMV", "AFV", "AFMV", "MV")
        }
    # Once answered, nothing is left to ask.
    assert opened("audit", "score", "b", *options, "--estimate", "--json").json["calls"] == 0


def test_a_text_scores_the_same_in_any_company(opened, stub):
    options = by_endpoint(stub, "--priors", "smoothed", "--json")
    together = opened("audit", "score", "b", *options).json["texts"]
    for rater in ("anna", "ben", "cy"):
        alone = opened("audit", "score", "b", *options, "--rater", rater).json["texts"]
        assert alone == [text for text in together if text["rater"] == rater]


def test_smoothed_priors_and_the_binary_oracle_of_the_paper_tell_texts_apart_too(opened, stub):
    smoothed = opened("audit", "score", "b", *by_endpoint(stub, "--priors", "smoothed"), "--json")
    # With one gold text a point the prior is (1 + 1/2) / (1 + 1) = 3/4: agreement 2/3, silence 1/2, contradiction 1/3.
    assert means(smoothed, "AV") == {"anna": round((2 * 2 / 3 + 4 / 2) / 6, 3), "ben": 0.5, "cy": 0.472}
    assert smoothed.json["clusters"][0]["flat"] is False
    binary = opened("audit", "score", "b", *by_endpoint(stub, "--oracle-values", "binary"), "--json")
    assert {point["prior"] for point in binary.json["clusters"][0]["points"]} == {1 / 3}
    # p = 1/3: a point of the own task, truth 1, gives 1 where it is said, 1/2 in silence, 0 against it.
    assert means(binary, "AV") == {"anna": round((2 + 4 / 2) / 6, 3), "ben": 0.5, "cy": round((0 + 5 / 2) / 6, 3)}


def test_the_lead_is_told_before_the_first_answer_by_hand(opened, tmp_path):
    form = tmp_path / "form.json"
    written = opened("audit", "score", "b", "--cluster", "place", "--form", form)
    assert "3 of 3 clusters have one gold text. All priors are 0 or 1" in written.err
    plain = json.loads(form.read_text("utf-8"))
    assert sum(len(cluster["points"]) * len(cluster["texts"]) for cluster in plain["clusters"]) == 3 * 2 * 4
    for cluster in plain["clusters"]:
        points = [point["text"] for point in cluster["points"]]
        for text in cluster["texts"]:
            says = {"agrees": "agree", "disagrees": "disagree", "silent": "silent"}
            text["says"] = [says[reads(point, text["text"])] for point in points]
            if text["gold"]:
                text["says"] = ["agree"] * len(points)
    form.write_text(json.dumps(plain), "utf-8")
    answer = opened("audit", "score", "b", "--cluster", "place", "--points", form, "--json")
    assert means(answer, "RC") == {"anna": 1, "ben": 0.5, "cy": 0.25}
