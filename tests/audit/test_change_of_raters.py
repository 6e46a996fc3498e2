"""A lead sees who gets worse, who gets faster, which places are hard, and how a scale of twelve raters stands."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.html_report import PageColors, render_html
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_columns import scale_figure
from desktop_rater.audit.report_format import Wording
from desktop_rater.rubric.load import load_rubric
from tests.audit.digests import audit
from tests.audit.scaled import RUBRIC, grades

START = datetime(2026, 11, 2, 9, tzinfo=UTC)


def report_of(given, seconds):
    """Return the report of grades (tasks, raters), a task a day, with the seconds that each took."""
    tasks, raters = given.shape
    rated = {
        (f"t-{task:03}", f"r-{rater}"): Digest(
            status="complete",
            values={"task": {"helpful": float(given[task, rater])}},
            seconds=float(seconds[task, rater]),
            changed=f"{START + timedelta(days=task):%Y-%m-%dT%H:%M:%SZ}",
        )
        for task in range(tasks)
        for rater in range(raters)
    }
    return make_report(
        audit(rated, rubric=load_rubric(RUBRIC)),
        ReportFilter(),
        ReportInputs(),
        seed=1,
        computed="2026-12-31T09:00:00Z",
    )


@pytest.fixture(scope="module")
def report():
    """Four raters who agree; the last one guesses more from day to day, and the first takes less time by practice."""
    random = np.random.default_rng(3)
    given = np.repeat(random.integers(1, 6, (60, 1)), 4, axis=1)
    guessed = random.random(60) < np.linspace(0, 1, 60)
    given[guessed, 3] = random.integers(1, 6, guessed.sum())
    given[10] = (1, 2, 4, 5)
    seconds = np.full((60, 4), 100.0)
    seconds[:, 0] = 300 * 0.8 ** np.log2(np.arange(1, 61))
    return report_of(given, seconds)


def test_the_one_who_gets_worse_and_the_one_who_gets_faster(report):
    trends = {trend.rater: trend for trend in report.trends}
    assert trends["r-3"].week.high < 0, "from all to a fifth equal within nine weeks"
    assert -0.15 < trends["r-3"].week.value < -0.05
    assert trends["r-1"].week.low < trends["r-3"].week.value + 0.15
    assert trends["r-0"].time.value == pytest.approx(0.8, abs=1e-6)
    assert trends["r-1"].time.value == pytest.approx(1)
    assert (trends["r-3"].week.n, trends["r-3"].week.tasks) == (60, 60)


def test_the_place_where_nobody_agrees_is_the_hardest(report):
    hardest = {(place.task, place.where): place for place in report.hardest}
    assert ("t-010", "task") not in hardest, "there is no majority of the others"
    first = report.hardest[0]
    assert first.difficulty.value == max(place.difficulty.value for place in report.hardest)
    assert first.difficulty.low < first.difficulty.value <= first.difficulty.high


def test_each_figure_of_a_scale_has_a_row_that_names_it(report):
    computed = {name for scale in report.scales for name in scale.figures}
    assert computed
    assert [name for name in computed if scale_figure(name).title == name] == []


def test_the_page_says_it_too(report):
    page = render_html(report, Wording(), PageColors(light={}, dark={}))
    assert "Change over time" in page
    assert "Time, twice the tasks" in page


def test_a_scale_of_twelve_raters_has_its_known_offsets_and_reliability():
    report = report_of(grades(150, 12), np.zeros((150, 12)))
    (scale,) = report.scales
    assert scale.why == ""
    offsets = [row.offset.value for row in scale.raters]
    assert np.corrcoef(offsets, [int(row.rater[2:]) for row in scale.raters])[0, 1] > 0.95
    assert np.corrcoef(offsets, [-row.severity.value for row in scale.raters])[0, 1] > 0.99
    single, several = scale.figures["icc_2_1"], scale.figures["icc_2_k"]
    assert single.low < single.value < several.value < several.high < 1
    assert scale.figures["raters_for.90"].value > scale.figures["raters_for.80"].value
    for name, figure in scale.figures.items():
        assert figure.low <= figure.value <= figure.high, name
        assert (figure.tasks, figure.raters) == (150, 12), name


def test_raters_who_always_agree_and_a_rater_alone_are_no_fault():
    same = report_of(np.repeat(np.arange(20)[:, None] % 5 + 1, 3, axis=1), np.zeros((20, 3))).scales[0]
    assert same.figures["gwet_ac2.linear"].value == 1
    assert same.figures["icc_2_1"].value == pytest.approx(1)
    assert same.figures["raters_for.80"].value == 1
    equal = report_of(np.full((20, 3), 3), np.zeros((20, 3))).scales[0]
    assert equal.figures["icc_2_1"].value is None
    assert equal.why == "every rating is the same"
    (alone,) = report_of(grades(20, 1), np.zeros((20, 1))).scales
    assert set(alone.figures) == {"mean"}
    assert alone.why == "no unit has two ratings"
    assert alone.raters[0].offset.why == "shares no places with the others"
