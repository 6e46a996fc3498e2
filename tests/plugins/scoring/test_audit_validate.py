"""A lead grades texts blind to their scores, and sees how well each way of scoring and each model follows."""

import csv
import json

import pytest
from scipy import stats

from tests.plugins.scoring.graded import (
    FACTS,
    RATERS,
    TASKS,
    gold_of,
    grade_of,
    model_grades,
    model_reads,
    open_graded,
    opinion,
    sentence,
)
from tests.plugins.scoring.scorings import by_endpoint
from tests.plugins.scoring.stub import Stub

SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("DESKTOP_RATER_LLM_KEY", "sk-secret-1")
    with Stub(model_reads) as server:
        server.judges = lambda blocks, _schema: {"grade": model_grades(json.loads(blocks)["text"][0])}
        yield server


@pytest.fixture
def graded(run, tmp_path):
    """Points and answers by the lead, and the lead's grades of all texts, filled into a table."""
    open_graded(run, tmp_path)
    form = tmp_path / "form.json"
    run("audit", "score", "b", "--cluster", "place", "--form", form)
    plain = json.loads(form.read_text("utf-8"))
    for cluster in plain["clusters"]:
        for text in cluster["texts"]:
            text["says"] = [opinion(point["text"], text["text"]) for point in cluster["points"]]
    form.write_text(json.dumps(plain), "utf-8")
    run("audit", "score", "b", "--cluster", "place", "--points", form)
    table = tmp_path / "grades.csv"
    assert run("audit", "validate", "b", "--form", table).status == 0
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not [name for name in RATERS if name in table.read_text("utf-8")]
    with table.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, rows[0])
        sheet.writeheader()
        sheet.writerows({**row, "grade": grade_of(row["text"], row["task"])} for row in rows)
    return table


def rows_of(answer):
    return {(row["source"], row["rule"]): row for row in answer.json["rows"]}


def test_raters_means_are_compared_with_an_outside_criterion_beside_the_grades(run, graded, stub, tmp_path):
    run("audit", "validate", "b", "--grades", graded, "--lead", "eve", *by_endpoint(stub))
    table = tmp_path / "exam.csv"
    table.write_text("rater,value\nann,9\nbob,6\ncy,3\nzoe,5\n", "utf-8")
    folder, page = tmp_path / "figures", tmp_path / "page.html"
    options = ("--cluster", "place", "--criterion", table)
    answer = run("audit", "validate", "b", *options, "--csv", folder, "--html", page, "--json", status=0)
    criterion = answer.json["criterion"]
    assert (criterion["criterion"], criterion["raters"]) == ("exam", ["ann", "bob", "cy"])
    assert criterion["missing"] == ["zoe"], "a value without a text counts nowhere, and is named"
    rows = {(row["source"], row["rule"]): row for row in criterion["rows"]}
    texts = answer.json["texts"]
    grades = [
        sum(text["grade"] for text in texts if text["rater"] == rater) / len(TASKS) for rater in criterion["raters"]
    ]
    figures = rows["hand", "grade"]["figures"]
    assert figures["pearson"]["value"] == pytest.approx(stats.pearsonr(grades, [9, 6, 3]).statistic)
    assert (figures["spearman"]["n"], figures["spearman"]["low"]) == (3, None)
    assert figures["spearman"]["why"] == "rests on 3 raters: too few for an interval"
    assert {("hand", "RC"), ("hand", "AV"), ("grade", "grade")} <= rows.keys(), "text score and direct grade beside it"
    with (folder / "criterion.csv").open(encoding="utf-8-sig") as file:
        assert {row["criterion"] for row in csv.DictReader(file)} == {"exam"}
    assert "Raters’ means against exam" in page.read_text("utf-8")
    assert "the lead's grades" in run("audit", "validate", "b", *options).out


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("rater;value\nann;nine\n", "'nine' is not a number"),
        ("rater,value\nann,1\nann,2\n", "'ann' stands there twice"),
        ("rater,value\n,1\n", "no rater is named"),
        ("name,value\nann,1\n", "A column is missing"),
    ],
)
def test_a_table_of_values_with_a_fault_is_refused(run, graded, tmp_path, rows, why):
    table = tmp_path / "exam.csv"
    table.write_text(rows, "utf-8")
    answer = run("audit", "validate", "b", "--criterion", table)
    assert (answer.status, why in answer.err) == (2, True), answer.err


def test_the_lead_sees_which_scores_follow_the_grades_and_where_the_model_errs(run, graded, stub, tmp_path):
    run("audit", "score", "b", "--cluster", "place", *by_endpoint(stub, "--own-points"))
    estimate = run("audit", "validate", "b", "--grades", graded, "--lead", "eve", *by_endpoint(stub, "--estimate"))
    assert "calls" in estimate.out
    asked = len(stub.requests)
    folder = tmp_path / "figures"
    options = ("--cluster", "place", "--csv", folder)
    answer = run("audit", "validate", "b", *options, *by_endpoint(stub), "--json", status=0)
    assert len(stub.requests) > asked
    assert answer.json["leads"] == ["eve"]
    texts, rows = answer.json["texts"], rows_of(answer)
    assert len(texts) == answer.json["to_grade"] == len(TASKS) * len(RATERS)
    # Each correlation is scipy's, on the texts and scores that are in the tables.
    grades = [text["grade"] for text in texts]
    for row in rows.values():
        scores = [score for _index, score in row["values"]]
        for name, of_scipy in SCIPY.items():
            value = row["figures"][name]["value"]
            assert value is None or value == pytest.approx(of_scipy(scores, grades).statistic, abs=1e-12)
    # All priors are 1, so AV says nothing; recall by hand is what the lead graded by, and the model is not far.
    assert rows["hand", "AV"]["figures"]["spearman"]["why"] == "all grades or all scores are the same"
    hand, model, baseline = rows["hand", "RC"], rows["own_points", "RC"], rows["grade", "grade"]
    assert hand["figures"]["spearman"]["value"] > model["figures"]["spearman"]["value"] > 0.5
    assert baseline["figures"]["spearman"]["value"] < model["figures"]["spearman"]["value"]
    above = hand["above"]
    assert above["value"] == pytest.approx(
        hand["figures"]["spearman"]["value"] - baseline["figures"]["spearman"]["value"]
    )
    assert 0 < above["low"] < above["value"] < above["high"]
    assert (above["n"], above["tasks"]) == (36, 12)
    # The model's answers against the lead's: errors where it misses a fact, and takes the opposite for agreement.
    (errors,) = answer.json["answers"]
    said = [
        (opinion(point, text), model_reads(point, text))
        for name, text in {(text["task"], text["text"]) for text in texts} | {(name, gold_of(name)) for name in TASKS}
        for point in (sentence(name, fact) for fact in FACTS)
    ]
    inverted = said.count(("disagree", "agrees"))
    assert inverted == len(errors["inverted"]) == errors["counts"][2][0] > 0
    opinions = [("agree", "agrees"), ("silent", "silent"), ("disagree", "disagrees")]
    assert errors["counts"] == [[said.count((lead, model)) for _, model in opinions] for lead, _ in opinions], (
        "every answer that both gave is compared"
    )
    assert errors["inversions"]["low"] <= errors["inversions"]["value"] <= errors["inversions"]["high"]
    with (folder / "correlations.csv").open(encoding="utf-8-sig") as file:
        table = list(csv.DictReader(file))
    assert {row["figure"] for row in table} == {"spearman", "pearson", "kendall", "above"}
    assert {row["tasks"] for row in table} == {"12"}
    page = tmp_path / "page.html"
    plain = run("audit", "validate", "b", *options, "--html", page)
    assert "36 texts, 3 raters, 12 tasks" in page.read_text("utf-8")
    assert not [name for name in RATERS if f">{name}<" in page.read_text("utf-8")]
    assert "36 of" in plain.out
    assert "own_points" not in plain.out


def test_a_recording_gives_the_same_figures_and_nothing_is_asked_without_an_endpoint(run, graded, stub, tmp_path):
    record = tmp_path / "grades.json"
    options = ("--cluster", "place", "--lead", "eve")
    first = run(
        "audit", "validate", "b", *options, "--grades", graded, *by_endpoint(stub, "--record", record), "--json"
    )
    asked = len(stub.requests)
    again = run("audit", "validate", "b", *options, "--oracle", "recorded", "--replies", record, "--json")
    assert rows_of(again) == rows_of(first)
    assert len(stub.requests) == asked


def test_intervals_need_ten_tasks_unless_texts_are_drawn(run, graded, tmp_path):
    lines = graded.read_text("utf-8").splitlines(keepends=True)
    some = tmp_path / "some.csv"
    some.write_text(lines[0] + "".join(line for line in lines[1:] if line < "t-05"), "utf-8")
    by_task = run("audit", "validate", "b", "--cluster", "place", "--grades", some, "--lead", "eve", "--json")
    figure = rows_of(by_task)["hand", "RC"]["figures"]["pearson"]
    assert (figure["low"], figure["why"]) == (None, "rests on 5 tasks: too few for an interval")
    by_text = run("audit", "validate", "b", "--cluster", "place", "--unit", "text", "--json")
    figure = rows_of(by_text)["hand", "RC"]["figures"]["pearson"]
    assert figure["low"] < figure["value"] < figure["high"]


def test_a_table_that_does_not_fit_is_refused_and_changes_nothing(run, tmp_path):
    open_graded(run, tmp_path)
    table = tmp_path / "grades.csv"
    for lines, words in [
        ("task,text\nt-01,x\n", "no grades"),
        ("task,grade,rater\nt-01,high,ann\n", "'high' is not a number"),
        ("task;grade;rater\nt-99;3;ann\n", "line 2: it names no text"),
        ("task,grade,rater\n,3,ann\n", "several texts"),
        ("task,grade,rater\nt-01,3\n", "2 cells"),
    ]:
        table.write_text(lines, "utf-8")
        refused = run("audit", "validate", "b", "--grades", table, "--lead", "eve", status=2)
        assert words in refused.err
    nothing = run("audit", "validate", "b", "--json")
    assert (nothing.status, nothing.json["texts"]) == (1, [])
