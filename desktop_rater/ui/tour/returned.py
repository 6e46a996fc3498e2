"""The tour's scene of work that was sent back: the sample's results go to a lead and come back, in one store."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from desktop_rater.model.progress import Progress
from desktop_rater.work.audit_desk import load_audit
from desktop_rater.work.export_results import export_results
from desktop_rater.work.import_bundle import import_bundle
from desktop_rater.work.open_results import open_results
from desktop_rater.work.return_work import return_work
from desktop_rater.work.review import About, Because, Lead, send_back

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.change import Change
    from desktop_rater.store.store import Store
    from desktop_rater.ui.tour.stage import Stage

SAMPLE = "sample-factuality"
LEAD = "Lena"
WIDER = (
    "Two papers by the people who dug there are one voice. Please look for a survey that weighs both passes, "
    "and say in the comment what you searched for."
)
SAID = (
    ("t-0001", "targets/s4", "search-too-thin", WIDER),
    ("t-0001", "targets/s6", "evidence-does-not-say-it", "Highest of the passes that people name, or of all of them?"),
    ("t-0003", "targets/s1", "claim-missed", "The year is a claim of its own."),
)


def play_returned(stage: Stage) -> None:
    """The first task that came back, at the first comment."""
    work = partial(_there_and_back, folder=stage.folder, rater=stage.rater, now=stage.now)
    stage.perform.perform(work, done=lambda imported: stage.desk.open_bundle(imported.id))
    stage.wait(lambda: stage.session.task is not None and bool(stage.session.comments))
    stage.window.form_pane.form.setFocus()


def _there_and_back(store: Store, *, folder: Path, rater: str, now: Callable[[], datetime]) -> Change:
    progress, out, back = Progress(), folder / "sent.zip", folder / "returned.zip"
    export_results(store, SAMPLE, rater, out, progress=progress, partial=True)
    open_results(store, [out], lead=LEAD, now=now(), progress=progress)
    counting = load_audit(store, SAMPLE).ratings
    for task, where, reason, words in SAID:
        about = About(task, where, rater, counting[task, rater].sha256)
        send_back(store, SAMPLE, about, Because(reason, words), Lead(LEAD, now))
    return_work(store, SAMPLE, rater, back, progress=progress, now=now)
    return import_bundle(store, back, progress=progress, now=now)
