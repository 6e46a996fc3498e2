"""A lead grades texts in the window, blind to scores and authors, and sees how well the scores follow."""

import json

import pytest
from PySide6.QtWidgets import QLabel

from desktop_rater.cli.root import main
from desktop_rater.plugins.scoring.manual_scoring import load_grades
from desktop_rater.plugins.scoring.validation import ScoreValidation
from desktop_rater.ui.widgets import theme
from tests.operations.bundles import task
from tests.plugins.scoring.graded import RATERS, TASKS, gold_of, grade_of, opinion, text_of
from tests.plugins.scoring.scorings import lead_store, rated, stored
from tests.ui.rooms import press, press_until


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The lead's store, with points of each place and answers by hand."""
    folder = tmp_path_factory.mktemp("graded")
    raters = {rater: rated({name: text_of(name, rater) for name in TASKS}) for rater in RATERS}
    store = lead_store(folder, raters, gold={name: gold_of(name) for name in TASKS}, tasks=[task(t) for t in TASKS])
    form = folder / "form.json"
    scored = ("--store", str(store), "audit", "score", "b", "--cluster", "place")
    main([*scored, "--form", str(form)])
    plain = json.loads(form.read_text("utf-8"))
    for cluster in plain["clusters"]:
        for text in cluster["texts"]:
            text["says"] = [opinion(point["text"], text["text"]) for point in cluster["points"]]
    form.write_text(json.dumps(plain), "utf-8")
    main([*scored, "--points", str(form)])
    return store


def shown_texts(widget):
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def grade_all(grading, count):
    """As the lead judges each text beside its gold text, by keys alone."""
    for _ in range(count):
        words, gold = grading.text.toPlainText(), grading.gold.text()
        press(str(grade_of(words, next(name for name in TASKS if name in gold)) % 10))


def test_the_lead_grades_texts_by_keys_and_sees_which_scores_follow(window, tmp_path, qtbot, qapp):
    window.preferences.set("role", "lead")
    window.screens.go("report")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    press("C")  # nothing is graded yet, and the page says what to do
    qtbot.waitUntil(lambda: report.parts and "Press E" in report.parts["validation"].validation.note.text())
    scoring = report.parts["validation"]
    press("E")
    grading = scoring.grading
    qtbot.waitUntil(lambda: grading.isVisible() and bool(grading.title.text()))
    count = int(grading.title.text().rpartition(" ")[2])
    assert grading.title.text() == f"Text 1 of {count}"
    assert not [name for name in RATERS if name in shown_texts(grading)]
    press("3", "K", "Backspace")  # a grade is withdrawn
    assert grading.progress.text() == "0 graded"
    grade_all(grading, count)
    assert grading.status_text.startswith(f"{count} of {count}")
    qtbot.waitUntil(lambda: len(stored(tmp_path, load_grades)) == count)

    # The lead's points are those of each place, which is chosen beside the question.
    press_until(qtbot, scoring.page.split.isVisible, "Escape")
    scoring.page.scope.menu().actions()[1].trigger()
    qtbot.waitUntil(lambda: len(scoring.sheet.desk.clusters) == len(TASKS))
    assert scoring.page.points.flat_note.isVisible(), "one gold text a place"
    press("C")
    page = scoring.validation
    qtbot.waitUntil(page.board.isVisible)
    validation = page.figures.report
    assert isinstance(validation, ScoreValidation)
    (recall,) = (row for row in validation.rows if row.rule == "RC")
    assert recall.figures["spearman"].low is not None
    assert "36 texts, 3 raters, 12 tasks" in page.rests.text()
    follows = page.board.cards["follows"]
    assert "The same score for each text: AV" in follows.foot.text()
    assert [mark.text for mark in page.board.cards["scatter"].chart.picture.marks]
    assert "36 of" not in report.title
    assert window.screens.current.mode == "report", "the keys of figures"
    follows.chart.setFocus()
    press("T")
    assert follows.as_table
    assert follows.table.isVisible()

    # Smoothed priors tell texts apart by every way; intervals over texts say that they hold for these tasks only.
    page.priors.menu().actions()[1].trigger()
    qtbot.waitUntil(lambda: "The same score" not in follows.foot.text())
    page.unit.menu().actions()[1].trigger()
    qtbot.waitUntil(lambda: "these 12 tasks only" in follows.note.text())
    theme.apply(qapp, theme.Look(theme="dark"))
    press("Escape")
    assert scoring.page.split.isVisible()
    theme.apply(qapp, theme.Look())  # the text was laid out anew while it was hidden
    assert scoring.sheet.text.gold
    assert scoring.page.text.text.extraSelections(), "the sentence is marked again"


def test_each_text_is_asked_about_each_point_and_flat_priors_are_said(window, qtbot):
    window.preferences.set("role", "lead")
    window.screens.go("report")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    press_until(qtbot, lambda: report.parts and report.parts["validation"].sheet is not None, "S")
    scoring = report.parts["validation"]
    press("T")  # a sentence of the first gold text, which no other gold text says
    qtbot.waitUntil(lambda: scoring.sheet.point is not None)
    for _ in TASKS:
        text = scoring.sheet.text.text
        press("A" if scoring.sheet.point.text in text else "S")
    sheet = scoring.sheet
    assert sheet.is_flat
    assert scoring.page.points.flat_note.isVisible()
    while not sheet.is_whole:
        press("S")
    assert sheet.done == len(sheet.texts)
    assert sheet.answers_to(sheet.point) == len(sheet.texts)
