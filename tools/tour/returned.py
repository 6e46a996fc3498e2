"""Scene of returned work: the sample's results go to a lead and come back, in one store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from desktop_rater.format.change import Change, Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, send_back_rating
from desktop_rater.operations.audit.rework import return_work
from desktop_rater.operations.bundles.import_bundle import import_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.store.store import Store
from tools.tour.stage import Stage

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
    """Open the first returned task at its first comment."""
    work = partial(_there_and_back, folder=stage.folder, rater=stage.rater, now=stage.now)
    stage.perform.perform(work, done=lambda imported: stage.desk.open_bundle(imported.id))
    stage.wait(lambda: stage.session.task is not None and bool(stage.session.comments))
    stage.window.form_pane.form.setFocus()


def _there_and_back(store: Store, *, folder: Path, rater: str, now: Callable[[], datetime]) -> Change:
    progress, out, back = Progress(), folder / "sent.zip", folder / "returned.zip"
    export_results(store, SAMPLE, rater, out, progress=progress, partial=True, now=now)
    import_results(store, [out], lead=LEAD, now=now(), progress=progress)
    counting = load_audit(store, SAMPLE).ratings
    for task, where, reason, words in SAID:
        about = RatingAtPlace(task, where, rater, counting[task, rater].sha256)
        send_back_rating(store, SAMPLE, about, VerdictReason(reason, words), Lead(LEAD, now))
    return_work(store, SAMPLE, rater, back, progress=progress, now=now)
    return import_bundle(store, back, progress=progress, now=now)
