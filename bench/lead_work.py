"""A QA lead's window on 10,000 judged places: opening the review and the report, and verdicts, each with its floor."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QTableView, QWidget

from bench.audits import take
from bench.child import measured
from bench.figures import Samples
from bench.window_stage import Painted, Stage
from bench.workload import RATER, Workload
from desktop_rater.format.change import Progress
from desktop_rater.ui.window.screens import REPORT, REVIEW
from tools.simulate import SimulationOptions, simulate_results

if TYPE_CHECKING:
    from desktop_rater.ui.report.screen import ReportScreen
    from desktop_rater.ui.review.screen import ReviewScreen

_TASKS, _RATERS = 500, 2  # of ten sentences: 10,000 judged places
_OPENINGS = 5
_VERDICTS, _WARM = 110, 10
_PAUSE = 0.1  # seconds
_DIGESTS = "SELECT task, rater, digest FROM received JOIN received_ratings ON results = received.key"


def lead(workload: Workload) -> dict[str, Samples]:
    """Measure milliseconds to the painted review and report, each entered for the first time, and of a verdict.

    The floor of the first two reads the digests of all ratings and shows a bare table of them; that of a verdict
    repaints the table.
    """
    part = Workload(workload.folder, _TASKS)
    runs: list[dict[str, dict[str, list[float]]]] = []
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        store = make_store(part, Path(folder))
        for number in range(_OPENINGS):
            own = shutil.copytree(store, Path(folder) / f"store-{number}")
            runs.append(measured("bench.lead_work:measure", str(own), int(number == 0)).result)
    figures: dict[str, Samples] = {}
    for name in runs[0]:
        ours = [value for run in runs for value in run.get(name, {}).get("ours", ())]
        figures[name] = Samples(ours, [value for run in runs for value in run.get(name, {}).get("floor", ())])
    return figures


def make_store(part: Workload, folder: Path) -> Path:
    """Make a lead's store with the results of all raters."""
    store, inbox = folder / "store", folder / "inbox"
    shutil.copytree(part.imported, store)
    simulate_results(part.bundle, part.ratings, inbox, SimulationOptions(raters=_RATERS, seed=1), Progress())
    take(str(store), str(inbox))
    settings = {"format": "desktop-rater-settings", "version": 1, "rater": RATER, "open_with": "place"}
    (store / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return store


def measure(store: str, verdicts: int) -> dict[str, dict[str, list[float]]]:
    """Enter the review and the report of a store of one's own; give verdicts in the review if wanted."""
    with Stage(Path(store)) as stage:
        stage.settle()
        stage.room.preferences.set("role", "lead")
        shown = {"review": {"ours": [open_review(stage)], "floor": [_open_bare(stage, Path(store))]}}
        stage.rest(1)
        if verdicts:
            shown["verdict"] = give_verdicts(stage)
        shown["report"] = {"ours": [open_report(stage)], "floor": [_open_bare(stage, Path(store))]}
    return shown


def open_review(stage: Stage) -> float:
    """Return the milliseconds to the painted review."""
    started = time.perf_counter()
    stage.room.screens.go(REVIEW)
    review = _review(stage)
    stage.until(lambda: review.desk.task is not None and review.compare.grid.comparison.columns)
    _repaint(stage, review.compare.grid.viewport())  # the list has been painted before its first task is read
    return (time.perf_counter() - started) * 1_000


def open_report(stage: Stage) -> float:
    """Return the milliseconds to the painted report."""
    started = time.perf_counter()
    stage.room.screens.go(REPORT)
    report = cast("ReportScreen", stage.room.screens.screen(REPORT))
    stage.until(lambda: report.figures.report is not None and report.board.isVisible())
    _repaint(stage, report.board)
    return (time.perf_counter() - started) * 1_000


def _repaint(stage: Stage, widget: QWidget) -> float:
    """Return the milliseconds to paint a widget, which may have been painted already."""
    painted, started = Painted(stage.window), time.perf_counter()
    widget.update()
    stage.until(lambda: painted.yet)
    return painted.milliseconds(started)


def _review(stage: Stage) -> ReviewScreen:
    return cast("ReviewScreen", stage.room.screens.screen(REVIEW))


def _open_bare(stage: Stage, store: Path) -> float:
    """Return the milliseconds to read the digests by SQLite alone and to show as many rows in a bare table."""
    started = time.perf_counter()
    with closing(sqlite3.connect(store / "store.sqlite3")) as db:
        rows = db.execute(_DIGESTS).fetchall()
    table = QTableView()
    table.setModel(QStringListModel([f"{task} {rater}" for task, rater, _ in rows], table))
    painted = Painted(table.viewport())
    table.resize(stage.window.size())
    table.show()
    stage.until(lambda: painted.yet)
    took = time.perf_counter() - started
    table.close()
    table.deleteLater()
    stage.window.activateWindow()
    return took * 1_000


def give_verdicts(stage: Stage) -> dict[str, list[float]]:
    """Measure from the key that confirms a verdict to the painted window, beside a repaint of the list alone."""
    review, ours, floor = _review(stage), [], []
    viewport, choice = review.list_pane.list.viewport(), review.compare.decide
    review.list_pane.list.setFocus()
    for number in range(_VERDICTS):
        stage.rest(_PAUSE)
        if choice.is_open:  # many raters, who may be tied: Return confirms a label
            stage.press(next(iter(review.desk.looks.keys(choice.question).values())))
        painted = Painted(stage.window)
        started = time.perf_counter()
        stage.press("Return")
        stage.until(lambda painted=painted: painted.yet)
        took = time.perf_counter() - started
        painted.setParent(None)
        stage.until(lambda: review.recorder.is_idle)
        stage.rest(_PAUSE)
        bare = _repaint(stage, viewport)
        if number >= _WARM:
            ours.append(took * 1_000)
            floor.append(bare)
    return {"ours": ours, "floor": floor}
