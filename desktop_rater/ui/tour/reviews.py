"""The tour's scenes of the review: twenty made-up raters side by side, and what a QA lead says of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop_rater.ui.rooms import REVIEW
from desktop_rater.ui.tour import audits

if TYPE_CHECKING:
    from desktop_rater.ui.review.room import ReviewRoom
    from desktop_rater.ui.tour.stage import Stage

COMMENT = "Would a page say so at all? Search the name of the place too, and write down what you searched for."


def play_review(stage: Stage) -> None:
    """Most disagreement first; two ratings of the first place are judged already."""
    audits.enter(stage, REVIEW)
    room = _room(stage)
    stage.wait(lambda: bool(room.desk.items))
    room.show_review()
    stage.wait(lambda: room.desk.task is not None and bool(room.compare.grid.comparison.columns))
    for _ in range(2):
        stage.act("review_accept")
    stage.wait(lambda: room.judging.is_settled)


def play_send_back(stage: Stage) -> None:
    """A reason and a comment, not said yet."""
    play_review(stage)
    room = _room(stage)
    stage.act("review_send_back")
    room.take_key("4")
    room.compare.verdict.comment.show_text(COMMENT)
    room.compare.verdict.comment.setFocus()


def leave_send_back(stage: Stage) -> None:
    """Nothing is sent back."""
    _room(stage).compare.verdict.leave()
    audits.leave(stage)


def play_blind(stage: Stage) -> None:
    """The lead's own answer is asked for first."""
    play_review(stage)
    stage.act("review_blind")
    stage.act("next_task")
    stage.wait(lambda: _room(stage).desk.task is not None)


def leave_blind(stage: Stage) -> None:
    """The raters may be seen again."""
    stage.act("review_blind")
    audits.leave(stage)


def _room(stage: Stage) -> ReviewRoom:
    return cast("ReviewRoom", stage.rooms.made(REVIEW))
