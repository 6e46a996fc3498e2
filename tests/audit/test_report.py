"""A lead asks what the results say: how far raters agree, where they differ, and what each of them did."""

import shutil

import pytest
from msgspec.structs import replace

from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.html_report import PageColors, render_html
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_columns import AGREEMENT_FIGURES, csv_files
from desktop_rater.audit.report_format import ENGLISH
from desktop_rater.audit.report_panels import models_panel
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit import report
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.rating.save import rate_from_file
from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import NOON, make, noon, rating, take_in, task, write_lines, writer
from tests.readers import reader_of


def opened(desk):
    return reader_of(desk.store)


def report_of(desk, seed=1, **wanted):
    with opened(desk) as store:
        return report.load_report(store, "kelp", seed=seed, now=NOON, wanted=ReportFilter(**wanted))


def row(report, rater):
    return next(one for one in report.raters if one.rater == rater)


def on(report, question="label"):
    return next(one for one in report.agreement if one.question.id == question)


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """ann and bo agree on all but t-3; cy goes against both in t-1, and calls t-2 an opinion."""
    desk = Desk(tmp_path_factory.mktemp("three"))
    desk.opened(
        desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD),
        desk.sent("bo", t1=GOOD, t2=GOOD, t3=WRONG),
        desk.sent("cy", t1=WRONG, t2=OPINION, t3=GOOD),
    )
    return desk


def test_each_figure_that_is_computed_has_a_row_that_names_it_everywhere(three):
    computed = {name for agreement in report_of(three).agreement for name in agreement.figures}
    assert computed <= AGREEMENT_FIGURES.keys()


def test_how_far_three_raters_agree_and_what_it_rests_on(three):
    """Six targets; the three second ones are alike, the three first ones have one pair of three alike."""
    report = report_of(three)
    label = on(report)
    assert (report.results, report.tasks, report.targets, report.ratings) == (3, 3, 6, 9)
    assert (label.units, label.pairs, label.ratings, label.raters) == (6, 18, 18, 3)
    assert label.figures["percent"].value == pytest.approx((3 + 3 * (1 / 3)) / 6)
    percent = label.figures["percent"]
    assert (percent.n, percent.tasks, percent.raters, percent.low) == (6, 3, 3, None)
    assert percent.why == "rests on 3 tasks: too few for an interval"
    assert label.figures["cohen_kappa"].why == "it compares two raters, and there are 3"
    assert on(report, "severity").figures["krippendorff_alpha"].why


def test_where_raters_differ_most_stands_with_its_words(three):
    report = report_of(three)
    assert [(one.task, one.where, one.quote) for one in report.differing if one.question == "label"] == [
        ("t-1", "targets/s1", "Kelp 1 is green."),
        ("t-2", "targets/s1", "Kelp 2 is green."),
        ("t-3", "targets/s1", "Kelp 3 is green."),
    ]
    of_cy = row(report, "cy").differing
    assert [(one.task, one.own, one.given) for one in of_cy[:2]] == [
        ("t-1", "inaccurate", (("accurate", 2),)),
        ("t-2", "not factual", (("accurate", 2),)),
    ]


def test_given_labels_against_the_majority_of_the_others(three):
    """Where two others differ there is no majority, and those ratings are counted beside the table."""
    found = next(one for one in report_of(three).confusions if one.question == "label")
    at = {value: place for place, value in enumerate(found.values)}
    assert found.counts[at["accurate"]][at["accurate"]] == 9
    assert found.counts[at["inaccurate"]][at["accurate"]] == 2
    assert found.counts[at["not factual"]][at["accurate"]] == 1
    assert found.tied == 6
    assert sum(map(sum, found.counts)) + found.tied == 18


def test_what_each_rater_did(three):
    cy = row(report_of(three), "cy")
    assert (cy.tasks, cy.targets, cy.evidence, cy.claims) == (3, 6, 0, 5)
    assert cy.labels["label"] == (4, 1, 0, 0, 1, 0)
    assert cy.alike["label"].value == pytest.approx((3 + 0 + 0 + 0.5) / 6)
    assert cy.others["label"].value < row(report_of(three), "ann").others["label"].value
    assert cy.per_target is None  # a file of ratings tells no times
    assert (cy.gold.why, cy.repeats.why) == ("no gold", "no repeated tasks")


def test_raters_stand_in_the_order_of_their_names(three):
    assert [one.rater for one in report_of(three).raters] == ["ann", "bo", "cy"]


def test_the_same_results_and_seed_give_the_same_report(three):
    assert report_of(three) == report_of(three)
    assert report_of(three, seed=2) != report_of(three)
    moved = report_of(three, seed=2)
    assert on(moved).figures["krippendorff_alpha"].value == on(report_of(three)).figures["krippendorff_alpha"].value


def test_whatever_came_first_the_report_is_the_same(three):
    zips = [three.folder / f"{rater}.zip" for rater in ("cy", "ann", "bo", "ann")]
    other = three.folder / "other"
    for one in zips:
        three.opened(one, store=other)
    with reader_of(other) as store:
        assert report.load_report(store, "kelp", seed=1, now=NOON) == report_of(three)


def test_one_rater_is_seen_beside_all_and_two_beside_each_other(three):
    one = report_of(three, raters=("cy",))
    assert [row.rater for row in one.raters] == ["cy"]
    assert on(one).raters == 3
    assert {pair.other for pair in one.pairs} == {"cy"}
    assert sum(map(sum, one.confusions[0].counts)) + one.confusions[0].tied == 6
    two = report_of(three, raters=("ann", "bo"))
    assert on(two).raters == 2
    assert on(two).figures["cohen_kappa"].value is not None
    (pair,) = two.pairs
    assert pair.figures["percent"].value == pytest.approx(5 / 6)
    assert row(two, "ann").others["label"].value == on(two).figures["krippendorff_alpha"].value


def test_only_some_days(three):
    assert report_of(three, since="2026-11-20", until="2026-11-20").ratings == 9
    assert report_of(three, since="2026-11-21").ratings == 0
    assert report_of(three, since="2026-11-21").days == ("2026-11-20", "2026-11-20")
    assert on(report_of(three, until="2026-11-19")).figures["percent"].why == "no unit has two ratings"


def test_another_question_is_compared_when_it_is_asked_for(three):
    report = report_of(three, question="factual")
    assert row(report, "cy").differing[0].own == "no"
    assert row(report, "cy").others["factual"].tasks == 3
    assert {pair.question for pair in report.pairs} == {"factual"}


@pytest.mark.parametrize("wanted", [{"question": "nope"}, {"raters": ("zoe",)}])
def test_what_is_not_there_is_refused_and_not_answered_with_nothing(three, wanted):
    with pytest.raises(RaterError, match="There (is|are) no"):
        report_of(three, **wanted)


def test_a_model_is_beside_the_people_and_in_no_figure_of_theirs(three):
    with opened(three) as store:
        audit = replace(load_audit(store, "kelp"), models=frozenset({"cy"}))
    apart = make_report(audit, ReportFilter(), ReportInputs(), seed=1, computed="")
    assert on(apart).raters == 2
    assert row(apart, "cy").model
    assert row(apart, "cy").alike["label"].value == pytest.approx((3 + 0.5) / 6)
    assert row(apart, "ann").others["label"].n == 6
    assert {one.own for one in row(apart, "cy").differing} == {"inaccurate", "not factual", "accurate"}
    among = make_report(audit, ReportFilter(models=True), ReportInputs(), seed=1, computed="")
    assert on(among).raters == 3


def test_the_report_says_how_a_model_does_against_the_people(three):
    with opened(three) as store:
        audit = replace(load_audit(store, "kelp"), models=frozenset({"cy"}))
        of_model = report.report_of_audit(store, audit, seed=1, now=NOON)
        without = report.report_of_audit(store, audit, seed=1, now=NOON, pairs=False, wanted=ReportFilter(models=True))
    (check,) = of_model.models
    assert (check.model, check.question, check.alpha) == ("cy", "label", row(of_model, "cy").others["label"])
    assert check.replaces is None
    assert check.why
    panel = models_panel(of_model, ENGLISH)
    assert panel is not None
    assert panel.table.rows[0][1].text == "0.58 (3 tasks)"
    assert "Models against people" in render_html(of_model, ENGLISH, PageColors({}, {}))
    assert "cy,label,alpha," in csv_files(of_model)["models.csv"]
    assert (without.models, without.pairs) == ((), ())
    assert of_model.pairs


def test_a_model_that_is_asked_for_alone_stands_against_the_people(three):
    with opened(three) as store:
        audit = replace(load_audit(store, "kelp"), models=frozenset({"cy"}))
    alone = make_report(audit, ReportFilter(raters=("cy",)), ReportInputs(), seed=1, computed="")
    (confusion,) = (one for one in alone.confusions if one.question == "label")
    given = {
        (own, others): count
        for own, line in zip(confusion.values, confusion.counts, strict=True)
        for others, count in zip(confusion.values, line, strict=True)
        if count
    }
    # The people tie at the first target of t-3.
    assert given == {("accurate", "accurate"): 3, ("inaccurate", "accurate"): 1, ("not factual", "accurate"): 1}
    assert confusion.tied == 1
    assert {(one.one, one.other) for one in alone.pairs} == {("ann", "cy"), ("bo", "cy")}
    assert on(alone).raters == 2


def test_gold_of_the_leads_copy(tmp_path):
    desk = Desk(tmp_path)
    copy = copy_of(desk, [rating("t-1", GOOD, GOOD), rating("t-2", WRONG, GOOD)])
    desk.opened(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), desk.sent("bo", t1=GOOD, t2=WRONG, t3=WRONG), copy)
    report = report_of(desk)
    assert report.gold_tasks == 2
    assert (row(report, "ann").gold.value, row(report, "ann").gold.n) == (0.75, 4)
    assert row(report, "bo").gold.value == 1
    assert row(report, "bo").gold.why == "rests on 2 tasks: too few for an interval"


def test_gold_of_labels_alone_counts_where_it_has_one(tmp_path):
    """Of t-1 gold has one label, of t-2 the label of two claims, and of t-3 a fact that is no judgement."""
    desk = Desk(tmp_path)
    claims = [{"id": f"c{n}", "answers": {"accuracy": label}} for n, label in enumerate(("accurate", "inaccurate"))]
    labels = [
        rating("t-1", {"accuracy": "accurate"}),
        rating("t-2", {}, claims={"s1": claims}),
        rating("t-3", {"factual": "yes", "common_knowledge": "wrong"}),
    ]
    copy = copy_of(desk, labels)
    desk.opened(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), desk.sent("bo", t1=GOOD, t2=WRONG, t3=WRONG), copy)
    report = report_of(desk)
    assert report.gold_tasks == 3
    assert (row(report, "ann").gold.value, row(report, "ann").gold.n) == (0.5, 2)
    assert (row(report, "bo").gold.value, row(report, "bo").gold.n) == (1, 2)


def copy_of(desk, gold, **more):
    """The lead's copy of the bundle, with gold answers."""
    folder = desk.folder / "copy"
    folder.mkdir()
    return make(folder / "kelp.zip", desk.tasks, gold=write_lines(folder / "gold.jsonl", gold), **more)


def test_a_task_that_stands_twice_tells_how_steady_a_rater_is(tmp_path):
    same = task("t-1", "Kelp is green.", "It is an alga.")
    desk = Desk(tmp_path, [same, {**same, "id": "t-2", "meta": {"again": True}}, task("t-3", "Eels swim.", "So.")])
    desk.opened(desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), desk.sent("bo", t1=GOOD, t2=WRONG, t3=GOOD))
    report = report_of(desk)
    assert report.repeated == 2
    assert (row(report, "ann").repeats.value, row(report, "ann").repeats.n) == (1, 2)
    assert row(report, "bo").repeats.value == 0.5


def test_what_a_rater_changed_since_the_results_before(desk):
    first = desk.sent("ann", "first", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.opened(first, desk.sent("ann", "second", t1=WRONG, t2=GOOD, t3=GOOD))
    ann = row(report_of(desk), "ann")
    assert (ann.changed.same, ann.changed.total) == (5, 6)
    assert ann.tasks == 3


SCALES = {"coherence": 4, "fluency": 4, "hateful_unfair": 0, "sexual": 0, "violent": 0, "self_harm": 0}


def test_on_a_scale_a_near_answer_may_count_as_right(tmp_path):
    tasks = [{"id": f"t-{n}", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "Yes."}]} for n in (1, 2, 3)]
    desk = Desk(tmp_path, tasks)
    gold = [{"task": one["id"], "answers": {"responses": {"a": SCALES}}} for one in tasks]
    copy = copy_of(desk, gold, rubric="response-quality")
    desk.bundle = make(tmp_path / "kelp.zip", tasks, rubric="response-quality")
    for rater, coherence in (("ann", 4), ("bo", 3), ("cy", 1)):
        desk.opened(_scaled(desk, tasks, rater, coherence))
    desk.opened(copy)
    exact, near = report_of(desk), report_of(desk, tolerance=1)
    assert [row(exact, name).gold.value for name in ("ann", "bo", "cy")] == pytest.approx([1, 5 / 6, 5 / 6])
    assert [row(near, name).gold.value for name in ("ann", "bo", "cy")] == pytest.approx([1, 1, 5 / 6])
    figures = on(exact, "coherence").figures
    assert figures["krippendorff_alpha"].value == pytest.approx(-1 / 3)
    assert figures["krippendorff_alpha.interval"].value == pytest.approx(-1 / 3)


def _scaled(desk, tasks, rater, coherence):
    given = [{"task": one["id"], "answers": {"responses": {"a": {**SCALES, "coherence": coherence}}}} for one in tasks]
    file = write_lines(desk.folder / f"{rater}.jsonl", given)
    with writer(desk.folder / f"home-{rater}") as store:
        take_in(store, desk.bundle)
        rate_from_file(store, "kelp", file, rater, progress=Progress(), now=noon)
    return desk.exported(rater)


def test_the_guideline_of_the_rubric_is_told(three):
    report = report_of(three)
    assert (report.guideline_seconds, report.guideline_label) == (600, "Unsupported")


def test_the_command_tells_it_in_words_as_json_as_tables_and_as_a_page(three, run, tmp_path):  # noqa: F811
    shutil.copytree(three.store, tmp_path / "store")
    said = run("audit", "report", "kelp")
    assert said.status == 1, "without the bundle, the figures are not final"
    assert "Krippendorff's alpha" in said.out
    assert said.out.index("  ann:") < said.out.index("  bo:") < said.out.index("  cy:")
    assert "t-1 targets/s1: 2 × Accurate, 1 × Inaccurate" in said.out
    plain = run("audit", "report", "kelp", "--json", "--seed", 5).json
    assert plain["seed"] == 5
    assert [one["rater"] for one in plain["raters"]] == ["ann", "bo", "cy"]
    tables, page = tmp_path / "tables", tmp_path / "page.html"
    assert run("audit", "report", "kelp", "--csv", tables, "--html", page).status == 1
    assert {path.suffix for path in tables.iterdir()} == {".csv"}
    assert "<svg" in page.read_text(encoding="utf-8")


def test_the_command_refuses_days_that_are_none_and_takes_a_name_once(three, run, tmp_path):  # noqa: F811 - the fixture
    store = ["--store", three.store]
    wrong = run(*store, "audit", "report", "kelp", "--since", "2026-11-22", "--until", "2026-11-20")
    assert (wrong.status, "--since 2026-11-22 is later than --until" in wrong.err) == (2, True)
    twice, once = (
        run(*store, "audit", "report", "kelp", "--json", *names).json
        for names in (["--rater", "ann", "--rater", "ann"], ["--rater", "ann"])
    )
    assert twice["agreement"] == once["agreement"]


def test_the_command_refuses_what_is_not_there(three, run, tmp_path):  # noqa: F811 - the fixture
    shutil.copytree(three.store, tmp_path / "store")
    assert run("audit", "report", "elk").status == 2
    assert run("audit", "report", "kelp", "--question", "nope").status == 2
    assert "is not a date like" in run("audit", "report", "kelp", "--since", "yesterday").err
