"""Scenes of a custom rubric: the template that `rubric new` writes, in a bundle, and what a changed one changes."""

from __future__ import annotations

from functools import partial
from typing import cast

from desktop_rater.operations.rubrics import rubric_path
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.actions import RUBRIC
from desktop_rater.plugins.authoring.preview import PREVIEW_BUNDLE, PreviewSource, renew_preview
from desktop_rater.plugins.authoring.replay_screen import ReplayScreen
from tools.tour import audits
from tools.tour.stage import Stage

FIRST, WRONG = "sample-1", "a3"


def play_changed_rubric(stage: Stage) -> None:
    """Show what a rubric judges otherwise in which what is likely made up counts as inaccurate."""
    text = rubric_path("span-factuality").read_text(encoding="utf-8")
    text = text.replace('id = "span-factuality"', 'id = "house-rules"').replace(
        'then = "unsupported"', 'then = "inaccurate"'
    )
    changed = stage.folder / "house-rules.toml"
    changed.write_text(text, encoding="utf-8")
    audits.enter(stage, RUBRIC)
    room = cast("ReplayScreen", stage.screens.screen(RUBRIC))
    room.rubric = str(changed)
    room.enter()
    stage.wait(room.bundle_button.isEnabled)
    room.table.choose(1)
    room.table.setFocus()


def play_custom_rubric(stage: Stage) -> None:
    """Judge a target wrong, and show the follow-up questions."""
    template = resources() / "new_rubric" / "target.toml"
    stage.perform.perform(
        partial(renew_preview, now=stage.now),
        PreviewSource(rubric=str(template), folder=stage.folder),
        done=lambda _imported: stage.desk.open_bundle(PREVIEW_BUNDLE),
    )
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == FIRST)
    stage.go("a1")
    stage.answer("YA")
    stage.go(WRONG)
    stage.answer("YI")
    stage.session.set_current_question("harm")
    stage.answer("2")
