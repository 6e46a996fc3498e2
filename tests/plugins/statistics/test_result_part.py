"""A lead asks in the report how much of all work is wrong, draws the places for it, and reads those behind a rater."""

import shutil

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.audit.results import LeadDecision
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import decision_review, load_reviews, save_reviews
from desktop_rater.plugins.statistics.operations import RESULT_COLUMNS
from tests.operations.audited import ANA, Desk, Raters, said
from tests.operations.bundles import task
from tests.ui.rooms import part, press

TASKS = 24


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The lead's store: three raters agree on nearly all, Dee with them on a third, and Eve has rated one task."""
    names = [f"t-{number:02}" for number in range(TASKS)]
    folder = tmp_path_factory.mktemp("raters")
    raters = Raters(folder, [task(name, f"{name} is an alga.", "It grows.") for name in names])
    every = {"ana": 12, "ben": 12, "cy": 11}
    ratings = {
        rater: [said(name, "inaccurate" if at % step == 1 else "accurate", "accurate") for at, name in enumerate(names)]
        for rater, step in every.items()
    }
    ratings["dee"] = [said(name, *["accurate" if at % 3 == 0 else "inaccurate"] * 2) for at, name in enumerate(names)]
    desk = Desk(folder, [*raters.all_rate(ratings), raters.rates("eve", [said("t-00", "accurate", "accurate")])])
    desk.store.close()
    return folder / "lead"


@pytest.fixture
def window(rooms, store, qtbot, tmp_path):
    """A lead's window, with the audit's result shown by its key."""
    shutil.copytree(store, tmp_path / "store")
    room = rooms.empty()
    room.preferences.set("role", "lead")
    room.screens.go("report")
    report = room.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    press("R")
    qtbot.waitUntil(lambda: report.part is not None and report.part.figures.report is not None)
    return room


def result_of(window):
    return window.screens.screen("report").parts["result"]


def decide_the_sample(store):
    """Decide that every drawn place is accurate."""
    audit = load_audit(store, "b")
    sample = load_reviews(store, audit).sample
    assert sample is not None
    decisions = [
        decision_review(audit.rubric, LeadDecision(task=name, where=where, question="label", value="accurate"), ANA)
        for name, where in sample.places
    ]
    return save_reviews(store, "b", decisions, ANA)


def test_the_lead_draws_what_the_goal_needs_judges_it_and_reads_the_bound(window, qtbot):
    result = result_of(window)
    window.screens.go("review")
    review = window.screens.screen("review")
    qtbot.waitUntil(lambda: bool(review.desk.items))
    window.screens.go("report")
    assert part(window, "result_errors_rate").text() == "–"
    assert "No random sample is drawn." in part(window, "result_errors_about").text()
    wanted = result.figures.report.errors.more
    assert part(window, "result_errors_draw").label == f"Draw {wanted} places"
    press("Ctrl+D")
    qtbot.waitUntil(lambda: result.figures.report.errors.drawn == wanted)
    assert "not judged yet" in part(window, "result_errors_about").text()
    assert part(window, "result_errors_draw").isHidden()
    qtbot.waitUntil(lambda: sum(item.sampled for item in review.desk.items) == wanted)  # the review knows it too

    window.lead_screens.context.perform.perform(decide_the_sample)
    qtbot.waitUntil(lambda: result.figures.report.errors.state != "")
    errors = result.figures.report.errors
    assert part(window, "result_errors_rate").text() == f"{100 * errors.figure.value:.1f} %"
    about = part(window, "result_errors_about").text()
    assert f"{errors.wrong} of {errors.figure.n} ratings judged wrong, {errors.figure.tasks} tasks." in about
    assert f"at most {100 * errors.bound:.1f}\u00a0%" in about
    assert errors.waiting == 0
    next(action for action in result.goal.menu().actions() if action.text() == "< 20 %").trigger()
    qtbot.waitUntil(lambda: result.figures.report.errors.goal == 0.2)
    assert result.figures.report.request.final == "", "final labels are decided as before"


def test_from_a_rater_outside_the_band_to_the_place_in_the_review_by_keys_alone(window, qtbot):
    raters = result_of(window).board.raters
    assert raters.rater == "dee", "who has a figure outside comes first"
    press("/")
    assert QApplication.focusWidget() is raters.field
    raters.field.setText("E")
    assert [mark.key[1] for mark in raters.chart.picture.marks] == ["dee", "ben", "eve"], (
        "least can be told of the last"
    )
    assert part(window, "result_rests").isVisible()
    assert part(window, "result_rests").text().startswith("Rests on 5 raters, 24 tasks")
    raters.field.setText("cy")
    press("Return")
    assert QApplication.focusWidget() is raters.chart
    assert "cy: 24 tasks, 48 ratings" in raters.chart.mark.text
    assert raters.rater == "cy"
    press("Return")
    assert QApplication.focusWidget() is raters.places
    place = raters.places.key
    press("Return")
    assert window.screens.name == "review"
    review = window.screens.screen("review")
    qtbot.waitUntil(lambda: review.navigator.item is not None and review.navigator.item.task == place[0])
    assert review.navigator.entry.rater == "cy"
    press("Ctrl+3")
    assert result_of(window).isVisible(), "the part is where it was left"
    press("Escape")
    assert QApplication.focusWidget() is raters.chart


def test_the_raters_are_a_table_too_and_everything_is_saved(window, tmp_path, rooms, qtbot):
    raters = result_of(window).board.raters
    press("T")
    assert raters.as_table
    table = raters.table.table_model.table
    rows = {row[0].text: [cell.text for cell in row] for row in table.rows}
    agreement = [column.title for column in table.columns].index("Agreement with final labels")
    assert "24 tasks; band 0." in rows["dee"][agreement]
    assert rows["dee"][-1] == "agreement"
    assert rows["eve"][agreement] == "1.00 (rests on 1 task: too few for an interval), 1 task"
    assert rows["eve"][-1] == "can’t be told"
    rooms.files.to_write = tmp_path / "kelp.csv"
    press("Ctrl+Shift+E")
    qtbot.waitUntil(
        lambda: {path.name for path in (tmp_path / "kelp").glob("*")} == {f"{name}.csv" for name in RESULT_COLUMNS}
    )
    rooms.files.to_write = tmp_path / "kelp.html"
    press("Ctrl+S")
    qtbot.waitUntil((tmp_path / "kelp.html").is_file)
    assert "Errors in all work" in (tmp_path / "kelp.html").read_text("utf-8")
    press("G")
    assert part(window, "report_heading").isVisible(), "back to the agreement"
