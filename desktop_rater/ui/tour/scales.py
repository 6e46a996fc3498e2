"""The tour's scenes of the scales: what a rater does to come to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.paths import resources

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.ui.tour.stage import Stage


def scales_sample() -> Path:
    """A bundle of scales with documents, conversations and references."""
    return resources() / "samples" / "response-quality-sample.zip"


def play_scales(stage: Stage) -> None:
    """A few answers, and the passage that a citation rests on."""
    stage.transfer.take_in(scales_sample())
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == "q-0001")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.answer("454")
    stage.act("next_citation")
    stage.act("next_citation")


def play_risks(stage: Stage) -> None:
    """A level from which on a reason is asked for."""
    stage.open("q-0004")
    stage.answer("4430050")
    stage.session.set_rail("violent_reason")
