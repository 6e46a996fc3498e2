"""What a report says where the rubric asks otherwise than the built-in ones."""

import pytest

from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.digest import Digest
from desktop_rater.audit.report import ReportFilter
from desktop_rater.rubric.load import load_rubric
from tests.audit.digests import GRADED, audit
from tests.rubric.toml_texts import numbers, question, rubric_text


def on(report, question):
    return next(one for one in report.agreement if one.question.id == question)


def test_of_several_gold_answers_one_that_leaves_a_question_out_is_as_good():
    graded, out = {"targets/s1": {"rateable": "yes", "grade": "good"}}, {"targets/s1": {"rateable": "no"}}
    of = audit({("t-1", "r-1"): Digest(status="complete", values=out)}, rubric=load_rubric(GRADED))
    for golds, share, counted in (((out, graded), 1, 1), ((graded,), 0, 2), ((out,), 1, 1)):
        report = make_report(of, ReportFilter(), ReportInputs(gold={"t-1": golds}), seed=1, computed="")
        assert (report.raters[0].gold.value, report.raters[0].gold.n) == (share, counted)


SCALES_OF_ALL_KINDS = rubric_text(
    "scales",
    question("tenths", "step = 0.1\nrequired = true", numbers(0, 1), per="task", ask="How much?"),
    question("hundred", "step = 1\nrequired = true", numbers(0, 100), per="task", ask="How many of a hundred?"),
    more='version = 1\ntitle = "Scales"',
)


def scaled(*pairs):
    given = {
        ("t-1", f"r-{number}"): Digest(status="complete", values={"task": {"tenths": tenths, "hundred": hundred}})
        for number, (tenths, hundred) in enumerate(pairs, 1)
    }
    return audit(given, rubric=load_rubric(SCALES_OF_ALL_KINDS))


def test_three_tenths_are_a_step_as_any_other_also_as_a_sum():
    of = scaled((0.3, 50), (0.1 + 0.2, 50), (0.7, 50))
    report = make_report(of, ReportFilter(), ReportInputs(), seed=1, computed="")
    steps = [look.id for look in on(report, "tenths").question.looks]
    assert steps == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert [one.labels["tenths"].index(1) for one in report.raters] == [3, 3, 7]
    assert on(report, "tenths").figures["percent"].value == pytest.approx(1 / 3)


def test_on_a_scale_of_a_hundred_steps_near_is_near():
    near, far = (
        make_report(scaled((0.3, 50), (0.3, other)), ReportFilter(), ReportInputs(), seed=1, computed="")
        for other in (52, 100)
    )
    assert [one.distance for one in near.differing] == [pytest.approx(0.02)]
    assert [one.distance for one in far.differing] == [pytest.approx(0.5)]
    gold = ReportInputs(gold={"t-1": ({"task": {"tenths": 0.3, "hundred": 52}},)})
    for tolerance, share in ((0, 0.5), (1, 0.5), (2, 1)):
        report = make_report(scaled((0.3, 50)), ReportFilter(tolerance=tolerance), gold, seed=1, computed="")
        assert report.raters[0].gold.value == share
