"""What a lead reads about the result of an audit is what the program computes."""

import numpy as np

from desktop_rater.plugins.statistics.acceptance import SampledStratum, beta_limits, draw_plans, error_rate
from desktop_rater.plugins.statistics.operations import RESULT_COLUMNS
from desktop_rater.plugins.statistics.result import MIN_TASKS
from tests.docs import pages
from tests.stats.intervals import ends

PAGE = pages.text("plugins/audit-result.md")
SECTIONS = pages.sections(PAGE)


def example():
    rows = pages.table(SECTIONS["The error rate"], "group", "ratings", "judged", "wrong", "rate", "at most")
    first = 0
    for name, *cells in rows:
        ratings, judged, wrong = (int(cell) for cell in cells[:3])
        tasks = np.arange(first, first + judged)
        yield cells, SampledStratum(name, ratings, ratings, judged, judged, tasks, tasks, np.arange(judged) < wrong)
        first += judged


def per_cent(share):
    return f"{100 * share:.1f} %"


def test_the_worked_example_is_what_the_program_computes():
    strata = [stratum for _, stratum in example()]
    for cells, stratum in example():
        assert cells[3:] == [per_cent(stratum.rate), per_cent(error_rate([stratum]).upper)]
    rate = error_rate(strata)
    low, high = ends(rate)
    said = f"{per_cent(rate.value)}, 95 % interval {100 * low:.1f} to {per_cent(high)}, and at most"
    assert f"Together the rate is {said} {per_cent(rate.upper)}." in SECTIONS["The error rate"]
    enough = next(plan for plan in draw_plans(strata) if plan.bound < 0.05)
    differ, agree = enough.places
    section = " ".join(SECTIONS["How many to draw"].split())
    assert f"that is {differ + agree} places: {differ} where raters differ and {agree} where all agree" in section
    assert beta_limits(0, 59, 0.05)[1] < 0.05 < beta_limits(0, 58, 0.05)[1]


def test_the_tables_and_the_least_number_of_tasks_are_those_of_the_program():
    rows = pages.table(SECTIONS["Tables"], "file", "one row per")
    assert [pages.code(file).removesuffix(".csv") for file, _ in rows] == list(RESULT_COLUMNS)
    assert f"fewer than {MIN_TASKS} tasks" in SECTIONS["Raters"]
