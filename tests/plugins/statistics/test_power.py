"""What a pilot says about a larger study: its variances, and intervals as wide as they were planned."""

import json
from dataclasses import replace

import numpy as np
import pytest

from desktop_rater.format.change import Progress
from desktop_rater.paths import resources
from desktop_rater.plugins.statistics.power import half_width, measure_pilot, plans
from desktop_rater.stats.reliability import intraclass_correlations
from desktop_rater.stats.weighted_agreement import ScaleRatings, scale_ratings
from tools.simulate import SimulationOptions, simulate_results

SPREADS = {"task": 0.5, "unit": 0.4, "rater": 0.3, "rest": 0.8}


def study(
    random: np.random.Generator,
    tasks: int,
    raters: int,
    per_unit: int,
    per_task: int = 4,
    exact: np.ndarray | None = None,
) -> ScaleRatings:
    offsets = random.normal(0, SPREADS["rater"], raters) if exact is None else exact
    rows = []
    for task in range(tasks):
        level = random.normal(3, SPREADS["task"])
        for unit in range(per_task):
            place = level + random.normal(0, SPREADS["unit"])
            rows += [
                (f"t{task}s{unit}", f"r{rater}", f"t{task}", place + offsets[rater] + random.normal(0, SPREADS["rest"]))
                for rater in random.choice(raters, per_unit, replace=False)
            ]
    return scale_ratings(rows)


def test_the_variances_of_tasks_units_raters_and_rest_are_found():
    offsets = np.linspace(-1, 1, 60)
    offsets *= SPREADS["rater"] / offsets.std(ddof=1)
    pilot = measure_pilot(study(np.random.default_rng(1), 800, 60, 3, exact=offsets))
    for name, spread in SPREADS.items():
        assert getattr(pilot, name) == pytest.approx(spread**2, rel=0.25), name
    assert (pilot.tasks, pilot.raters, pilot.per_task, pilot.per_unit) == (800, 60, 4, 3)


def test_with_one_unit_a_task_they_are_those_of_the_intraclass_correlations():
    ratings = study(np.random.default_rng(2), 120, 8, 3, per_task=1)
    pilot, spreads = measure_pilot(ratings), intraclass_correlations(ratings)
    assert pilot.task == pytest.approx((spreads["unit"].value or 0) ** 2)
    assert pilot.rater == pytest.approx((spreads["rater"].value or 0) ** 2)
    assert pilot.rest == pytest.approx((spreads["rest"].value or 0) ** 2)


def test_a_planned_study_is_as_exact_as_planned():
    random = np.random.default_rng(3)
    pilot = measure_pilot(study(random, 400, 60, 2))
    (plan,) = plans(pilot, 0.15, [2], 60)
    assert plan.tasks is not None
    assert half_width(pilot, plan.tasks, 2, 60) <= 0.15 < half_width(pilot, plan.tasks - 1, 2, 60)
    means = [study(random, plan.tasks, 60, 2).value.mean() for _ in range(80)]
    assert 1.96 * np.std(means) == pytest.approx(0.15, rel=0.25)


def test_more_tasks_do_not_help_where_the_raters_differ_too_much():
    pilot = replace(measure_pilot(study(np.random.default_rng(4), 200, 4, 2)), rater=0.25)
    (plan,) = plans(pilot, 0.1, [2], 4)
    assert (plan.tasks, plan.least_raters) == (None, 99)  # 0.25 * (t of 98 / 0.1)^2 = 98.45, of 97: 98.48
    (enough,) = plans(pilot, 0.1, [2], 110)
    assert enough.tasks is not None
    (about_these,) = plans(pilot, 0.1, [2], None)
    assert about_these.tasks is not None


def test_a_share_is_the_mean_of_zeros_and_ones():
    # 50 tasks of 6 equal targets: 300 ratings tell as much as 50.
    rows = [(f"t{task}s{unit}", "ann", f"t{task}", float(task % 5 == 0)) for task in range(50) for unit in range(6)]
    pilot = measure_pilot(scale_ratings(rows))
    assert pilot.mean == pytest.approx(0.2)
    assert pilot.design_effect == pytest.approx(6, rel=0.03)
    (plan,) = plans(pilot, 0.05, [1], None)
    assert plan.tasks == pytest.approx(1.96**2 * 0.2 * 0.8 / 0.05**2, rel=0.04)  # 246 by the formula for shares


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
