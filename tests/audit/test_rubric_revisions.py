"""A report keeps apart what was decided under which revision of the rubric, and says so where a figure mixes them."""

import re

from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_format import ENGLISH, caution_text
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.report import load_report
from desktop_rater.operations.rubrics import rubric_path
from tests.operations.audited import Desk, Raters, said
from tests.operations.bundles import make, task

TASKS = [task("t-1", "Kelp grows."), task("t-2", "Ice floats.")]


def test_ratings_by_an_earlier_revision_are_counted_beside_the_figures(tmp_path):
    text = rubric_path("span-factuality").read_text(encoding="utf-8")
    texts = [re.sub(r"^id = .*\nversion = 3", f'id = "mine"\nversion = {number}', text) for number in (1, 2)]
    paths = [tmp_path / f"mine-{number}.toml" for number in (1, 2)]
    for path, own in zip(paths, texts, strict=True):
        path.write_text(own, encoding="utf-8")
    raters = Raters(tmp_path, TASKS, rubric=str(paths[0]))
    before = raters.rates("ana", [said("t-1", "accurate"), said("t-2", "accurate")])
    cy = raters.rates("cy", [said("t-1", "accurate")])
    raters.bundle = make(tmp_path / "b.zip", TASKS, rubric=str(paths[1]), revision=2)
    after = raters.rates("ana", [said("t-2", "inaccurate")])
    ben = raters.rates("ben", [said("t-1", "accurate"), said("t-2", "accurate")])
    desk = Desk(tmp_path)
    desk.opens(raters.bundle, before, after, ben, cy)
    report = load_report(desk.store, "b", seed=1, now=utc_now(), wanted=ReportFilter())
    desk.store.close()
    assert report.revisions == {"mine@2": 3, "mine@1": 1}
    assert report.ratings == 3
    assert [caution_text(caution, ENGLISH) for caution in report.cautions] == [
        "1 rating of cy is by another revision of the rubric and in no figure."
    ]
    (changes,) = (row.changed for row in report.raters if row.rater == "ana")
    assert (changes.same, changes.total, changes.other_rubric) == (0, changes.total, changes.total)
    assert changes.total > 0
