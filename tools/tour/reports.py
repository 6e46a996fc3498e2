"""Scenes of the report and of the systems: twenty simulated raters on ninety-four tasks."""

from __future__ import annotations

from typing import cast

from desktop_rater.audit.adjudication import final_labels
from desktop_rater.audit.results import LeadDecision
from desktop_rater.audit.sampling import SampleRequest
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.report import draw_sample
from desktop_rater.operations.audit.review import Lead, ReviewChange, decision_review, load_reviews, save_reviews
from desktop_rater.plugins.statistics.result import AuditResult
from desktop_rater.plugins.statistics.result_part import ResultPart
from desktop_rater.plugins.statistics.systems import SystemsRequest
from desktop_rater.plugins.statistics.systems_screen import SystemsScreen
from desktop_rater.store.store import Store
from desktop_rater.ui.report.card import ChartCard
from desktop_rater.ui.report.heading import AGREEMENT
from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.window.screens import REPORT
from tools.tour import audits
from tools.tour.reviews import GRADED
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


def play_many_report(stage: Stage) -> None:
    """Show the report of 262 raters, those unlike the group first."""
    audits.enter(stage, REPORT)
    room, audited = _room(stage), stage.lead_screens.context.audited
    audited.open(GRADED)
    stage.wait(lambda: room.figures.report is not None and room.figures.bundle == GRADED)
    stage.wait(lambda: not room.figures.is_running and room.board.is_complete)
    room.board.raters.choose(room.board.raters.table.table_model.table.keys[0][0])
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
    audits.enter(stage, "systems")
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


def play_result(stage: Stage) -> None:
    """Show how much of all work is wrong by a lead who has judged a sample, and the rater who differs most."""
    play_report(stage)
    room = _room(stage)
    room.show_part("result")
    lead = Lead("Lea", stage.now)
    stage.lead_screens.context.perform.perform(_judge_sample, lead)
    result = cast("ResultPart", room.parts["result"])
    stage.wait(lambda: _judged(result.figures.report))
    result.focus_first()


def leave_result(stage: Stage) -> None:
    """Return to the agreement, then to the rating screen."""
    _room(stage).show_part(AGREEMENT)
    audits.leave(stage)


def _judged(result: AuditResult | None) -> bool:
    return result is not None and result.errors.figure.value is not None


def _judge_sample(store: Store, lead: Lead) -> ReviewChange:
    """Draw a sample, and decide its places as a model of the raters does."""
    audit = load_audit(store, audits.BUNDLE)
    request = SampleRequest(how="stratified", by="disagreement", share=0.15, seed=audits.SEED)
    places = set(draw_sample(store, audit, request, lead, Progress()).sample.places)
    labels = final_labels(audit, load_reviews(store, audit), "dawid-skene")
    decisions = [
        LeadDecision(task=task, where=where, question=question, value=label.value)
        for (task, where, question), label in labels.items()
        if (task, where) in places and question == "label" and label.value is not None
    ]
    new = [decision_review(audit.rubric, decision, lead) for decision in decisions]
    return save_reviews(store, audits.BUNDLE, new, lead)


def _systems(stage: Stage) -> SystemsScreen:
    return cast("SystemsScreen", stage.screens.screen("systems"))


def _toggle_systems(stage: Stage) -> None:
    for card in _systems(stage).board.panes():
        if isinstance(card, ChartCard):
            card.toggle_table()
