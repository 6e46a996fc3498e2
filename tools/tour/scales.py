"""Scenes of rating scales."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.paths import resources
from desktop_rater.ui.report.screen import ReportScreen
from desktop_rater.ui.window.screens import REPORT
from tools.simulate import SimulationOptions, simulate_results
from tools.tour import audits
from tools.tour.stage import Stage

GRADED, GRADED_TASKS, GRADERS = "graded-answers", 60, 6
GRADES = (4, 5, 2, 3, 1, 4, 3, 5, 2, 4)
RUBRIC = """
id = "helpfulness"
version = 1
title = "Helpfulness"
[[questions]]
id = "helpful"
per = "task"
ask = "How helpful is it?"
kind = "scale"
min = 1
max = 5
step = 1
required = true
"""


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
    stage.answer("54430050")
    stage.session.set_current_question("violent_reason")


def write_grades(folder: Path, name: str, *, tasks: int, raters: int) -> tuple[Path, Path]:
    """Write a bundle of one scale and a folder with the results of the raters."""
    folder.mkdir()
    bundle, progress = folder / f"{name}.zip", Progress(lambda _done, _total: None)
    rubric = folder / "rubric.toml"
    rubric.write_text(RUBRIC, encoding="utf-8")
    lines = audits.repeated_tasks(scales_sample(), tasks)
    grades = [
        {"task": line["id"], "answers": {"task": {"helpful": GRADES[at % len(GRADES)]}}}
        for at, line in enumerate(lines)
    ]
    audits.write_lines(folder / "tasks.jsonl", lines)
    audits.write_lines(folder / "ratings.jsonl", grades)
    wanted = BundleOptions(rubric=str(rubric), id=name, title="Graded answers", created=audits.MADE_AT)
    build_bundle(bundle, folder / "tasks.jsonl", wanted, progress)
    options = SimulationOptions(raters=raters, seed=audits.SEED, noise=0.4)
    simulate_results(bundle, folder / "ratings.jsonl", folder / "results", options, progress)
    return bundle, folder / "results"


def play_scale_report(stage: Stage) -> None:
    """Show how reliable a scale is, and which raters give more than the others."""
    audits.enter(stage, REPORT)
    context = stage.lead_screens.context
    if GRADED not in context.audited.bundles:
        context.results.import_files(write_grades(stage.folder / "graded", GRADED, tasks=GRADED_TASKS, raters=GRADERS))
        stage.wait(lambda: GRADED in context.audited.bundles)
    context.audited.open(GRADED)
    room = cast("ReportScreen", stage.screens.screen(REPORT))
    stage.wait(
        lambda: room.figures.report is not None and room.figures.bundle == GRADED and not room.figures.is_running
    )
    room.board.scale.setFocus()
    room.board.ensureWidgetVisible(room.board.scale_raters)


def leave_scale_report(stage: Stage) -> None:
    """Return to the other results, then to the rating screen."""
    audited = stage.lead_screens.context.audited
    audited.open(audits.BUNDLE)
    stage.wait(lambda: audited.audit is not None and audited.audit.bundle == audits.BUNDLE)
    audits.leave(stage)
