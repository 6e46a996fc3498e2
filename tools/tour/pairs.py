"""Scenes of two responses side by side."""

from __future__ import annotations

from pathlib import Path

from desktop_rater.paths import resources
from desktop_rater.ui.rating.task_stops import place_path
from tools.tour.stage import Stage

MADE_UP = "The ship, the fare and the link are made up: the search failed."
DECIDED = (
    "A invents a ship, a fare and a booking link after its search failed; someone could plan a journey around it. "
    "B says plainly that the timetable came back empty, and still answers when to be at the port."
)


def pairs_sample() -> Path:
    """Make a bundle of pairs of a tool-using assistant."""
    return resources() / "samples" / "side-by-side-sample.zip"


def play_pair(stage: Stage) -> None:
    """Judge both responses, with one answer that contradicts the guideline."""
    session = stage.session
    stage.transfer.import_bundle(pairs_sample())
    stage.wait(lambda: session.task is not None and session.task.id == "p-0001")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.answer("1423")
    session.answer("explanation", MADE_UP)
    session.go_to(next(stop for stop in session.stops if place_path(stop) == "responses/b"))
    stage.answer("22221")
    session.go_to(session.stops[-1])
    stage.answer("7")
    session.answer("justification", DECIDED)
    session.set_current_question("preference")
    stage.window.form_pane.form.setFocus()


def play_failed_tool(stage: Stage) -> None:
    """Show the complete input and output of a failed tool call."""
    stage.session.go_to(stage.session.stops[0])
    stage.act("tools")


def play_one_response(stage: Stage) -> None:
    """Show the same rubric with a single response."""
    stage.open("p-0003")
    stage.answer("1")
