"""Scenes of the review: simulated raters in groups and side by side, and the lead's verdicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from desktop_rater.audit.questions import LabelChoice
from desktop_rater.format.change import Progress
from desktop_rater.plugins.library.catalogue import Library, delete_library, precedent_libraries
from desktop_rater.plugins.library.search import add_library
from desktop_rater.ui.review.screen import ReviewScreen
from desktop_rater.ui.window.screens import REVIEW
from tools.tour import audits
from tools.tour.scales import write_grades
from tools.tour.stage import Stage

CASES: tuple[dict[str, str], ...] = (
    {
        "value": "inaccurate",
        "label": "Inaccurate",
        "section": "Names and dates",
        "reason": "Livy names another pass; the page of the museum quotes him.",
    },
    {"value": "inaccurate", "label": "Inaccurate", "reason": "The year is that of the return."},
    {"value": "unsupported", "label": "Unsupported"},
)
SHORTEST = 40  # of a claim with cases
MANY, GRADED = "many-raters", "many-graders"
COMMENT = "Would a page say so at all? Search the name of the place too, and write down what you searched for."


def play_review(stage: Stage) -> None:
    """Show the most disagreement first, the raters in groups by their label."""
    audits.enter(stage, REVIEW)
    room = _room(stage)
    stage.wait(lambda: bool(room.desk.items))
    room.show_review()
    stage.wait(lambda: room.desk.task is not None and bool(room.compare.grid.comparison.columns))


def play_many_raters(stage: Stage) -> None:
    """Show fifty raters of labels, decided by a model, and those places that it is less sure of."""
    _open(stage, MANY, lambda folder: audits.write_results(folder, tasks=3, raters=50, bundle_id=MANY, noise=0.35))
    room = _room(stage)
    room.recorder.choose_labels(LabelChoice(by="dawid-skene", threshold=0.95))
    stage.wait(lambda: room.desk.items[0].method == "dawid-skene")
    filters = room.list_pane.filters
    filters.set_filter(replace(filters.filter, reviewed=False, order="entropy"))
    room.navigator.go(room.list_pane.model.keys[0])
    stage.wait(lambda: room.recorder.is_idle and room.desk.task is not None)


def play_many_graders(stage: Stage) -> None:
    """Show 262 raters of a scale, one of them with a column of their own."""
    _open(stage, GRADED, lambda folder: write_grades(folder, GRADED, tasks=12, raters=262))
    room = _room(stage)
    room.navigator.show_raters(frozenset({room.desk.items[0].entries[0].rater}))


def leave_many(stage: Stage) -> None:
    """Return to the other results, then to the rating screen."""
    room, audited = _room(stage), stage.lead_screens.context.audited
    room.list_pane.clear_filters()
    audited.open(audits.BUNDLE)
    stage.wait(lambda: audited.audit is not None and audited.audit.bundle == audits.BUNDLE)
    audits.leave(stage)


def _open(stage: Stage, bundle: str, write: Callable[[Path], tuple[Path, Path]]) -> None:
    """Open the results of a bundle, which are written first where they are missing."""
    audits.enter(stage, REVIEW)
    context, room = stage.lead_screens.context, _room(stage)
    if bundle not in context.audited.bundles:
        context.results.import_files(write(stage.folder / bundle))
        stage.wait(lambda: bundle in context.audited.bundles)
    context.audited.open(bundle)
    stage.wait(lambda: room.desk.audit is not None and room.desk.audit.bundle == bundle and bool(room.desk.items))
    room.show_review()
    stage.wait(lambda: room.desk.task is not None and bool(room.compare.grid.comparison.columns))


def play_send_back(stage: Stage) -> None:
    """Choose a reason and write a comment for one rater, without confirming."""
    play_review(stage)
    room = _room(stage)
    item = room.desk.item
    assert item is not None
    room.navigator.go(room.desk.name, item.entries[0].rater)
    stage.act("review_send_back")
    room.take_key("4")
    room.compare.verdict.comment.show_text(COMMENT)
    room.compare.verdict.comment.setFocus()


def leave_send_back(stage: Stage) -> None:
    """Cancel sending back."""
    _room(stage).compare.verdict.leave()
    audits.leave(stage)


def play_blind(stage: Stage) -> None:
    """Ask for the lead's own answer first."""
    play_review(stage)
    stage.act("review_blind")
    stage.act("next_task")
    stage.wait(lambda: _room(stage).desk.task is not None)


def leave_blind(stage: Stage) -> None:
    """Show the raters again."""
    stage.act("review_blind")
    audits.leave(stage)


def play_review_cases(stage: Stage) -> None:
    """Show decided cases like a claim, and the reason that a decision against them needs."""
    play_review(stage)
    room, file = _room(stage), stage.folder / "team.precedents.jsonl"
    item = next(item for item in room.desk.items if item.quote.isascii() and len(item.quote) > SHORTEST)
    case = {
        "bundle": "answers-of-may",
        "where": "targets/s1",
        "rubric": audits.RUBRIC,
        "question": "label",
        "by": "lead",
    }
    audits.write_lines(
        file,
        [
            {**case, **labels, "task": f"t-{at:04d}", "text": item.quote[: -at or None]}
            for at, labels in enumerate(CASES)
        ],
    )
    library = Library(id="team", name="Team", kind="precedents", sources=(str(file),))
    add_library(stage.folder / "store", library, stage.web, Progress())
    stage.lead_screens.context.audited.open(audits.BUNDLE)
    stage.wait(lambda: room.desk.task is not None and room.navigator.is_shown)
    room.navigator.go((item.task, item.where))
    stage.wait(lambda: room.navigator.is_shown and not room.plugin_parts["library"].panel.isHidden())
    room.take_key(room.desk.looks.keys("label")["accurate"])
    stage.act("review_confirm")
    stage.wait(lambda: room.compare.banners.text("reason") is not None)


def leave_review_cases(stage: Stage) -> None:
    """Remove the cases."""
    folder = stage.folder / "store"
    for library in precedent_libraries(folder):
        delete_library(folder, library)
    audits.leave(stage)


def _room(stage: Stage) -> ReviewScreen:
    return cast("ReviewScreen", stage.screens.screen(REVIEW))
