"""A lead reads how sure the figures are: what is judged in one task hangs together, so tasks are what counts."""

import csv
import io
from random import Random

import pytest

from desktop_rater.audit import figures
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_columns import csv_files
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import agreement_panel, raters_table, shares_table, times_table
from tests.audit.digests import audit, digest

TEXTS = Wording()


def report_of(ratings, **wanted):
    return make_report(audit(ratings), ReportFilter(**wanted), ReportInputs(), seed=1, computed="")


def nested(tasks, sentences, raters=3, seed=1):
    """Sentences of one task are mostly of one label; a rater sees another one in every sixth."""
    random = Random(seed)
    ratings = {}
    for number in range(tasks):
        usual = random.choice(["accurate", "inaccurate"])
        for rater in range(raters):
            labels = [usual if random.random() > 1 / 6 else "unsupported" for _ in range(sentences)]
            seconds = {f"s{at}": 60.0 + number for at in range(1, sentences + 1)}
            ratings[f"t-{number:02}", f"r-{rater:02}"] = digest(*labels, targets=seconds)
    return ratings


@pytest.fixture(scope="module")
def report():
    return report_of(nested(24, 8))


def test_every_figure_says_on_how_many_tasks_it_rests_and_has_its_interval(report):
    for question in report.agreement:
        for name, figure in question.figures.items():
            assert figure.tasks or figure.why, name
            assert (figure.low is not None and figure.high is not None) or figure.why, name
    label = next(question for question in report.agreement if question.question.id == "label")
    assert (label.tasks, label.units, label.raters) == (24, 192, 3)
    for rater in report.raters:
        shares = rater.label_shares["label"]
        assert [share.n for share in shares] == [192] * len(shares)
        assert all(share.tasks == 24 and share.low <= share.value <= share.high for share in shares)
        assert rater.per_target.median_low <= rater.per_target.median <= rater.per_target.median_high
        for figure in (rater.others["label"], rater.alike["label"]):
            assert figure.low < figure.value < figure.high


def test_eight_sentences_a_task_are_worth_less_than_as_many_tasks(report):
    """Of the same 192 sentences, each a task of its own, the share of a label is known twice as well."""
    apart = {}
    for (task, rater), given in nested(24, 8).items():
        for where, values in given.values.items():
            apart[f"{task} {where}", rater] = type(given)(status="complete", values={"targets/s1": values})
    together, alone = (made.raters[0].label_shares["label"][0] for made in (report, report_of(apart)))
    assert together.value == alone.value
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_tables_and_charts_show_interval_and_base(report):
    assert raters_table(report, "label", TEXTS).columns[-1].title == "α with the others, 24 tasks"
    assert raters_table(report, "label", TEXTS, whole=True).rows[0][-1].text.endswith(", 24 tasks)")
    accurate = shares_table(report, "label", TEXTS).rows[0][1].text
    assert accurate.count("–") == 1, accurate
    titles = [column.title for column in times_table(report, TEXTS).columns]
    assert titles == [
        "Rater",
        "10th percentile",
        "Median, min",
        "95 % interval of the median",
        "90th percentile",
        "Targets",
        "Tasks",
    ]
    (_, rows), times = report_charts.share_rows(report, "label", TEXTS), report_charts.time_rows(report, TEXTS)
    assert rows[0].tooltips[0].endswith(", 24 tasks")
    assert "24 tasks, 192 targets" in times[0].tooltip


def test_if_others_had_rated_is_asked_for_and_makes_the_interval_wider(report):
    wider = report_of(nested(24, 8), raters_random=True)
    for question, others in zip(report.agreement, wider.agreement, strict=True):
        for name, figure in question.figures.items():
            if figure.low is not None:
                assert others.figures[name].value == figure.value
                assert others.figures[name].high - others.figures[name].low >= figure.high - figure.low
    assert agreement_panel(wider, "label", TEXTS).note == "95 % intervals over tasks and raters"
    two = report_of(nested(24, 8, raters=2), raters_random=True)
    assert two.agreement[0].figures["krippendorff_alpha"].why == "rests on 2 raters: too few for an interval"


def test_every_two_of_seventy_raters_are_in_the_table_of_pairs(monkeypatch):
    many = report_of(nested(11, 1, raters=70))
    monkeypatch.setattr(figures, "MOST_PAIRED", 100)
    assert report_of(nested(11, 1, raters=70)) == many, "also if some raters at a time are paired with one"
    rows = list(csv.DictReader(io.StringIO(csv_files(many)["pairs.csv"])))
    assert len({(row["rater"], row["other_rater"]) for row in rows}) == 70 * 69 / 2
    assert {(row["n"], row["tasks"], row["raters"]) for row in rows} == {("11", "11", "2")}
    assert all(row["low"] or row["why"] for row in rows)
