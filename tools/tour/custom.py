"""Scene of a custom rubric: the template that `rubric new` writes, in a bundle."""

from __future__ import annotations

from functools import partial

from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.preview import PREVIEW_BUNDLE, PreviewSource, renew_preview
from tools.tour.stage import Stage

FIRST, WRONG = "sample-1", "a3"


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
