"""The tour's scenes of two responses side by side: what a rater does to come to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.paths import resources
from desktop_rater.ui.moves import where_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.ui.tour.stage import Stage

MADE_UP = "The ship, the fare and the link are made up: the search failed."
DECIDED = (
    "A invents a ship, a fare and a booking link after its search failed; someone could plan a journey around it. "
    "B says plainly that the timetable came back empty, and still answers when to be at the port."
)


def pairs_sample() -> Path:
    """A bundle of pairs of a tool-using assistant."""
    return resources() / "samples" / "side-by-side-sample.zip"


def play_pair(stage: Stage) -> None:
    """Both responses judged, and one answer that goes against the guideline."""
    session = stage.session
    stage.transfer.take_in(pairs_sample())
    stage.wait(lambda: session.task is not None and session.task.id == "p-0001")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.answer("1423")
    session.answer("explanation", MADE_UP)
    session.go_to(next(stop for stop in session.stops if where_of(stop) == "responses/b"))
    stage.answer("2221")
    session.go_to(session.stops[-1])
    stage.answer("7")
    session.answer("justification", DECIDED)
    session.set_rail("preference")
    stage.window.form_pane.form.setFocus()


def play_failed_tool(stage: Stage) -> None:
    """What a tool was asked and answered, whole."""
    stage.session.go_to(stage.session.stops[0])
    stage.act("tools")


def play_one_response(stage: Stage) -> None:
    """The same rubric, and nothing to compare."""
    stage.open("p-0003")
    stage.answer("1")
