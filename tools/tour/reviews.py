"""Scenes of the review: twenty simulated raters side by side, and the lead's verdicts."""

from __future__ import annotations

from typing import cast

from desktop_rater.ui.review.screen import ReviewScreen
from desktop_rater.ui.window.screens import REVIEW
from tools.tour import audits
from tools.tour.stage import Stage

COMMENT = "Would a page say so at all? Search the name of the place too, and write down what you searched for."


def play_review(stage: Stage) -> None:
    """Show the most disagreement first; two ratings of the first item are judged already."""
    audits.enter(stage, REVIEW)
    room = _room(stage)
    stage.wait(lambda: bool(room.desk.items))
    room.show_review()
    stage.wait(lambda: room.desk.task is not None and bool(room.compare.grid.comparison.columns))
    for _ in range(2):
        stage.act("review_accept")
    stage.wait(lambda: room.recorder.is_idle)


def play_send_back(stage: Stage) -> None:
    """Choose a reason and write a comment, without confirming."""
    play_review(stage)
    room = _room(stage)
    stage.act("review_send_back")
    room.take_key("4")
    room.compare.verdict.comment.show_text(COMMENT)
    room.compare.verdict.comment.setFocus()


def leave_send_back(stage: Stage) -> None:
    """Cancel sending back."""
    _room(stage).compare.verdict.leave()
    audits.leave(stage)


def play_blind(stage: Stage) -> None:
    """Ask for the lead's own answer first."""
    play_review(stage)
    stage.act("review_blind")
    stage.act("next_task")
    stage.wait(lambda: _room(stage).desk.task is not None)


def leave_blind(stage: Stage) -> None:
    """Show the raters again."""
    stage.act("review_blind")
    audits.leave(stage)


def _room(stage: Stage) -> ReviewScreen:
    return cast("ReviewScreen", stage.screens.screen(REVIEW))
