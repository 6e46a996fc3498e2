"""Scenes of rating scales."""

from __future__ import annotations

from pathlib import Path

from desktop_rater.paths import resources
from tools.tour.stage import Stage


def scales_sample() -> Path:
    """Make a bundle of scales with documents, conversations and references."""
    return resources() / "samples" / "response-quality-sample.zip"


def play_scales(stage: Stage) -> None:
    """Give some answers, and show the passage that a citation refers to."""
    stage.transfer.import_bundle(scales_sample())
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == "q-0001")
    stage.wait(lambda: not stage.transfer.is_running)
    stage.window.banners.drop("transfer")
    stage.answer("454")
    stage.act("next_citation")
    stage.act("next_citation")


def play_risks(stage: Stage) -> None:
    """Choose a level that requires a reason."""
    stage.open("q-0004")
    stage.answer("4430050")
    stage.session.set_current_question("violent_reason")
