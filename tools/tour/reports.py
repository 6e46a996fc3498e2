"""Scenes of the report: twenty simulated raters on ninety-four tasks."""

from __future__ import annotations

from typing import cast

from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.window.screens import REPORT
from tools.tour import audits
from tools.tour.stage import Stage

CHOSEN = "made-up-04"


def play_report(stage: Stage) -> None:
    """Show all charts, and the rater who differs most from the others."""
    audits.enter(stage, REPORT)
    room = _room(stage)
    stage.wait(lambda: room.figures.report is not None and room.figures.bundle == audits.BUNDLE)
    stage.wait(lambda: not room.figures.is_running)
    room.board.raters.choose(CHOSEN)
    room.board.raters.setFocus()


def play_report_tables(stage: Stage) -> None:
    """Show the same figures as tables."""
    play_report(stage)
    _toggle(stage)
    _room(stage).board.confusion.setFocus()


def leave_report_tables(stage: Stage) -> None:
    """Return to the charts, then to the rating screen."""
    _toggle(stage)
    audits.leave(stage)


def _room(stage: Stage) -> ReportScreen:
    return cast("ReportScreen", stage.screens.screen(REPORT))


def _toggle(stage: Stage) -> None:
    board = _room(stage).board
    for card in (board.agreement, board.confusion, board.shares, board.times):
        card.toggle_table()
