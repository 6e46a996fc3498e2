"""The tour's scene of a rubric of one's own: the one that `rubric new` begins with, in a bundle."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from desktop_rater.paths import resources
from desktop_rater.work.preview_rubric import BUNDLE, Previewed, renew_preview

if TYPE_CHECKING:
    from desktop_rater.ui.tour.stage import Stage

FIRST, WRONG = "sample-1", "a3"


def play_custom_rubric(stage: Stage) -> None:
    """A target that is judged wrong, and what is then asked of it."""
    template = resources() / "new_rubric" / "target.toml"
    stage.perform.perform(
        partial(renew_preview, now=stage.now),
        Previewed(rubric=str(template), folder=stage.folder),
        done=lambda _imported: stage.desk.open_bundle(BUNDLE),
    )
    stage.wait(lambda: stage.session.task is not None and stage.session.task.id == FIRST)
    stage.go("a1")
    stage.answer("YA")
    stage.go(WRONG)
    stage.answer("YI")
    stage.session.set_rail("harm")
    stage.answer("2")
