"""Scenes of scoring justifications: points taken from gold texts, some texts answered, and texts graded."""

from __future__ import annotations

from typing import cast

from desktop_rater.plugins.scoring.actions import PART
from desktop_rater.plugins.scoring.manual_scoring import GoldChoice
from desktop_rater.plugins.scoring.screen import ScoringScreen
from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.window.screens import REPORT
from tools.tour import audits
from tools.tour.reports import play_report
from tools.tour.stage import Stage

TRUSTED = ("made-up-01", "made-up-02")
POINT, TOPIC = "An official source says so.", "Sources"
ANSWERS = ("agree", "silent", "silent", "agree", "disagree")


def play_scoring(stage: Stage) -> None:
    """Show three points in two topics, with the third one current."""
    play_report(stage)
    stage.act("report_score")
    scoring = _scoring(stage)
    page = scoring.page
    stage.wait(lambda: page.stack.currentWidget() in {page.nothing, page.split})
    if scoring.sheet is None:
        page.gold_wanted.emit(GoldChoice(TRUSTED))
        stage.wait(lambda: scoring.sheet is not None)
    if scoring.sheet is not None and not scoring.sheet.points:
        stage.act("scoring_take")
        stage.act("scoring_next")
        stage.act("scoring_take")
        page.points.written.emit("point", POINT)
        page.points.written.emit("topic", TOPIC)
        stage.act("scoring_next_open")
        for says in ANSWERS:
            scoring.commands.answer(says)


def play_validation(stage: Stage) -> None:
    """Answer every text and grade it, and compare the grades with the scores."""
    play_scoring(stage)
    scoring = _scoring(stage)
    while scoring.sheet is not None and not scoring.sheet.is_whole:
        text = scoring.sheet.text
        scoring.commands.answer(ANSWERS[len(text.text) % len(ANSWERS)])
    scoring.leave()
    stage.act("scoring_grade")
    grading = scoring.grading
    stage.wait(lambda: bool(grading.title.text()))
    while grading.graded < grading.total:
        says = ANSWERS[len(grading.text.toPlainText()) % len(ANSWERS)]
        grading.grade({"agree": 8, "silent": 5, "disagree": 3}[says] + grading.graded % 5 - 2)

    stage.act("scoring_validate")
    stage.wait(scoring.validation.board.isVisible)


def leave_scoring(stage: Stage) -> None:
    """Return to the report, then to the rating screen."""
    _scoring(stage).leave()
    audits.leave(stage)


def leave_validation(stage: Stage) -> None:
    """Return to the texts, then as from these."""
    _scoring(stage).leave()
    leave_scoring(stage)


def _scoring(stage: Stage) -> ScoringScreen:
    return cast("ScoringScreen", cast("ReportScreen", stage.screens.screen(REPORT)).parts[PART])
