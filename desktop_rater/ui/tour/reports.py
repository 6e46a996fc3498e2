"""The tour's scenes of the report: twenty made-up raters on ninety-four tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop_rater.ui.rooms import REPORT
from desktop_rater.ui.tour import audits

if TYPE_CHECKING:
    from desktop_rater.ui.report.room import ReportRoom
    from desktop_rater.ui.tour.stage import Stage

CHOSEN = "made-up-04"


def play_report(stage: Stage) -> None:
    """All charts, and where one of the raters differs most from the others."""
    audits.enter(stage, REPORT)
    room = _room(stage)
    stage.wait(lambda: room.figures.report is not None and room.figures.bundle == audits.BUNDLE)
    stage.wait(lambda: not room.figures.is_running)
    room.board.raters.choose(CHOSEN)
    room.board.raters.setFocus()


def play_report_tables(stage: Stage) -> None:
    """The same figures as tables."""
    play_report(stage)
    _toggle(stage)
    _room(stage).board.confusion.setFocus()


def leave_report_tables(stage: Stage) -> None:
    """Back to the charts, and to the rater's room."""
    _toggle(stage)
    audits.leave(stage)


def _room(stage: Stage) -> ReportRoom:
    return cast("ReportRoom", stage.rooms.made(REPORT))


def _toggle(stage: Stage) -> None:
    board = _room(stage).board
    for card in (board.agreement, board.confusion, board.shares, board.times):
        card.toggle_table()
