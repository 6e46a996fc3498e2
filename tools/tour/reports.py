"""Scenes of the report and of the systems: twenty simulated raters on ninety-four tasks."""

from __future__ import annotations

from typing import cast

from desktop_rater.audit.systems import SystemsRequest
from desktop_rater.ui.report.card import ChartCard
from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.systems.screen import SystemsScreen
from desktop_rater.ui.window.screens import REPORT, SYSTEMS
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


def play_systems(stage: Stage) -> None:
    """Show what the systems wrote, and their second version against the first."""
    audits.enter(stage, SYSTEMS)
    room = _systems(stage)
    stage.wait(lambda: room.figures.report is not None and room.figures.bundle == audits.BUNDLE)
    request = SystemsRequest(final="dawid-skene", against=(("version", "2.0"),))
    room.figures.compute(audits.BUNDLE, request)
    stage.wait(lambda: not room.figures.is_running)
    room.board.cards["wrote"].setFocus()


def play_system_tables(stage: Stage) -> None:
    """Show the same figures as tables."""
    play_systems(stage)
    _toggle_systems(stage)


def leave_system_tables(stage: Stage) -> None:
    """Return to the charts, then to the rating screen."""
    _toggle_systems(stage)
    audits.leave(stage)


def _systems(stage: Stage) -> SystemsScreen:
    return cast("SystemsScreen", stage.screens.screen(SYSTEMS))


def _toggle_systems(stage: Stage) -> None:
    for card in _systems(stage).board.panes():
        if isinstance(card, ChartCard):
            card.toggle_table()
