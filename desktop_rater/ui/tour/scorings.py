"""The tour's scene of scoring justifications: points taken from gold texts, and some texts answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop_rater.ui.rooms import REPORT
from desktop_rater.ui.tour import audits
from desktop_rater.ui.tour.reports import play_report

if TYPE_CHECKING:
    from desktop_rater.ui.report.room import ReportRoom
    from desktop_rater.ui.scoring.scoring import Scoring
    from desktop_rater.ui.tour.stage import Stage

TRUSTED = ("made-up-01", "made-up-02")
POINT, TOPIC = "An official source says so.", "Sources"
ANSWERS = ("agree", "silent", "silent", "agree", "disagree")


def play_scoring(stage: Stage) -> None:
    """Three points in two topics; the third one is asked for."""
    play_report(stage)
    stage.act("report_score")
    scoring = _scoring(stage)
    page = scoring.page
    stage.wait(lambda: page.stack.currentWidget() in {page.nothing, page.sides})
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
            scoring.steps.answer(says)


def leave_scoring(stage: Stage) -> None:
    """Back to the report, and to the rater's room."""
    _scoring(stage).leave()
    audits.leave(stage)


def _scoring(stage: Stage) -> Scoring:
    room = cast("ReportRoom", stage.rooms.made(REPORT))
    assert room.scoring is not None, "the action makes it"
    return room.scoring
