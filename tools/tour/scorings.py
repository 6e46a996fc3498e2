"""Scene of scoring justifications: points taken from gold texts, and some texts answered."""

from __future__ import annotations

from typing import cast

from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.scoring.screen import ScoringScreen
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
        page.trust_wanted.emit(TRUSTED)
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


def leave_scoring(stage: Stage) -> None:
    """Return to the report, then to the rating screen."""
    _scoring(stage).leave()
    audits.leave(stage)


def _scoring(stage: Stage) -> ScoringScreen:
    room = cast("ReportScreen", stage.screens.screen(REPORT))
    assert room.scoring is not None, "the action makes it"
    return room.scoring
