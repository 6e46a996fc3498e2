"""The whole way of a score, points to priors to report to the means of raters, once more in fractions by another hand.

Written after the rules alone (ElicitationGPT, arXiv 2406.09363; ASR, arXiv 2507.06221), not after the program.
"""

import json
from fractions import Fraction
from random import Random

import pytest

from tests.operations.bundles import make, task, write, write_lines
from tests.operations.rated import results_of
from tests.plugins.scoring.scorings import by_endpoint, rated
from tests.plugins.scoring.stub import Stub

TASKS = [f"t-{at}" for at in range(1, 6)]
RATERS = ["ann", "bob", "cy"]
TOPICS = ["a", "b", "b", "a", "c", "b", "d"]  # the points of a topic need not stand together
HALF = Fraction(1, 2)


def rule(prior, report, truth):
    if truth is None:  # what is expected under the prior
        return prior * rule(prior, report, 1) + (1 - prior) * rule(prior, report, 0)
    if report is None or report == prior:
        return HALF
    if prior > HALF:
        return rule(1 - prior, 1 - report, 1 - truth)
    slope = (truth - prior) / (1 - prior) / 2
    return HALF + slope if report > prior else HALF - slope


def best(points):
    """Max-over-separate: the first of those whose own expectation is highest."""
    dares = [HALF if r is None else rule(p, r, r) for p, r, _ in points]
    return rule(*points[dares.index(max(dares))])


def recall(points):
    """The mean over the points on which the gold takes a position: agreement 1, silence 1/2, contradiction 0."""
    return mean(HALF if r is None else Fraction(r == t) for _, r, t in points if t is not None)


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def ways(topics, points):
    by_topic = {}
    for topic, point in zip(topics, points, strict=True):
        by_topic.setdefault(topic, []).append(point)
    groups = list(by_topic.values())
    largest = sorted(range(len(groups)), key=lambda at: (-len(groups[at]), at))[:2]
    return {
        "AV": mean(rule(*one) for one in points),
        "AMV": mean(best(group) for group in groups),
        "AFV": mean(mean(rule(*one) for one in groups[at]) for at in largest),
        "AFMV": mean(best(groups[at]) for at in largest),
        "MV": best(points),
        "RC": recall(points),
    }


def expected(golds, said, words):
    """`golds`: task → the gold answers of others at the task, by who gave them. Rater → (texts scored, means)."""
    found = {}
    for rater in RATERS:
        others = [(name, of) for name, by in golds.items() for who, of in by.items() if who != rater]
        priors = []
        for at in range(len(TOPICS)):
            column = [of[at] for _, of in others if of[at] is not None]
            priors.append(Fraction(sum(column), len(column)) if column else None)
        usable = [at for at, prior in enumerate(priors) if prior is not None]
        texts = []
        for name in TASKS:
            truths = [of for where, of in others if where == name]
            report = said.get(words.get((rater, name)))
            if not truths or report is None:
                continue
            scores = [
                ways([TOPICS[at] for at in usable], [(priors[at], report[at], truth[at]) for at in usable])
                for truth in truths
            ]
            texts.append({way: mean(one[way] for one in scores) for way in scores[0]})
        found[rater] = len(texts), {way: mean(one[way] for one in texts) for way in texts[0]} if texts else {}
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_score_by_hand_is_what_the_rules_say_to_the_last_fraction(run, tmp_path, seed):
    draw = Random(seed)
    answers = (0, 1, None) if seed else (1, 1, None)  # with the first seed every prior is 1 or is not there
    words = {(who, name): f"Text of {who} on {name}." for who in RATERS for name in TASKS if draw.random() < 0.85}
    gold = {name: f"Gold on {name}." for name in TASKS[:4]}
    said = {text: tuple(draw.choice(answers) for _ in TOPICS) for text in (*words.values(), *gold.values())}
    said = {text: (*of[:-1], None) if text in gold.values() else of for text, of in said.items()}  # nobody's prior
    tasks = [task(name) for name in TASKS]
    ratings = {who: rated({name: text for (one, name), text in words.items() if one == who}) for who in RATERS}
    results = results_of(tmp_path / "raters", tasks, ratings)
    copy = make(tmp_path / "b.zip", tasks, gold=write_lines(tmp_path / "gold.jsonl", rated(gold)))
    run("audit", "open", *results, copy)

    form = tmp_path / "form.json"
    trust = ("--trust", "ann") if seed % 2 else ()
    run("audit", "score", "b", "--form", form, *trust)
    plain = json.loads(form.read_text("utf-8"))
    (cluster,) = plain["clusters"]
    cluster["points"] = [{"topic": topic, "text": f"Point {at}."} for at, topic in enumerate(TOPICS)]
    says = {0: "disagree", 1: "agree", None: "silent"}
    for one in cluster["texts"]:
        one["says"] = [says[answer] for answer in said[one["text"]]]
    form.write_text(json.dumps(plain), "utf-8")
    done = run("audit", "score", "b", "--points", form, *trust, "--json")

    golds = {name: {"": said[text]} for name, text in gold.items()}
    if trust:
        for name in TASKS:
            if ("ann", name) in words:
                golds.setdefault(name, {})["ann"] = said[words["ann", name]]
    for rater, (count, means) in expected(golds, said, words).items():
        (found,) = [one for one in done.json["raters"] if one["rater"] == rater]
        assert found["scored"] == count
        assert found["scores"].keys() == means.keys()
        for way, value in means.items():
            assert found["scores"][way] == pytest.approx(float(value), abs=1e-12), (rater, way)


def test_the_rules_as_written_down_here_give_the_published_worked_values():
    quarter = Fraction(1, 4)
    assert [rule(quarter, *one) for one in ((1, 1), (1, 0), (0, 0), (0, 1), (None, 1))] == [
        1,
        Fraction(1, 3),
        Fraction(2, 3),
        0,
        HALF,
    ]
    points = [
        (Fraction(p), r, t)
        for p, r, t in zip(
            ("1/4", "1/2", "4/5", "9/10", "1/3", "2/5"), (1, None, 1, 0, 0, 1), (1, 0, 0, 1, 0, 0), strict=True
        )
    ]
    found = ways(["t1", "t1", "t1", "t2", "t3", "t3"], points)
    assert [found[way] for way in ("AV", "AMV", "AFV", "AFMV")] == list(
        map(Fraction, ("103/216", "29/54", "23/48", "7/12"))
    )


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
        file = write(tmp_path / "points.json", json.dumps({"points": plain}))
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
