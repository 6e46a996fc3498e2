"""A lead with a pilot of six raters asks how many tasks and raters the study needs."""

import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.paths import resources
from tools.simulate import SimulationOptions, simulate_results


@pytest.fixture
def piloted(run, tmp_path):
    sample = resources() / "samples" / "response-quality-sample.zip"
    options = SimulationOptions(raters=6, seed=3, noise=0.3)
    simulate_results(sample, None, tmp_path / "results", options, Progress())
    results = sorted((tmp_path / "results").glob("*.zip"))
    assert run("audit", "open", sample, *results).status == 0


def test_the_plan_says_what_it_rests_on_and_what_more_ratings_would_bring(run, piloted):
    said = run("audit", "power", "sample-scales", "--width", "0.2")
    assert said.status == 0
    first, variance, *rows = said.out.splitlines()
    assert first.startswith("coherence: mean  2.92  95 % over tasks and raters, by these variances: ")
    assert first.endswith("rests on 5 tasks, 6 responses, 6 raters")
    assert "design effect" in variance
    assert variance.endswith("rough, from 5 tasks")
    assert [row.split(" a response:")[0].strip() for row in rows] == [
        "1 rating", "2 ratings", "3 ratings", "5 ratings"
    ]  # fmt: skip
    (plan,) = json.loads(run("audit", "power", "sample-scales", "--width", "0.2", "--json").out)["plans"]
    tasks = [row["tasks"] for row in plan["plans"]]
    assert tasks == sorted(tasks, reverse=True)
    assert plan["now"]["low"] < plan["pilot"]["mean"] < plan["now"]["high"]


def test_a_wider_interval_needs_fewer_tasks_and_an_unknown_question_is_named(run, piloted):
    power = ("audit", "power", "sample-scales")
    wide, narrow = (
        json.loads(run(*power, "--width", width, "--question", "fluency", "--these-raters", "--json").out)
        for width in ("0.5", "0.1")
    )
    assert {plan["over"] for plan in wide["plans"]} == {"tasks"}
    assert wide["plans"][0]["plans"][0]["tasks"] < narrow["plans"][0]["plans"][0]["tasks"]
    said = run(*power, "--width", "0.1", "--question", "fluency").out
    assert "no number of tasks is enough with 6 raters" in said
    refused = run(*power, "--width", "0.1", "--question", "nonsense")
    assert refused.status == 2
    assert "There is no question 'nonsense'." in refused.err
    assert run(*power, "--width", "0").status == 2
