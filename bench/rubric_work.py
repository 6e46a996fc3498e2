"""Next task and answer in a bundle of pairs and in one of scales: `pairs` and `scales` measure in a new process."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.child import measured
from bench.figures import Samples
from bench.window_stage import Painted, Stage
from bench.window_work import BareText
from bench.workload import RATER, noon, tasks
from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.import_bundle import import_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.store.open_store import open_writer

if TYPE_CHECKING:
    from bench.workload import Workload

_TASKS, _WARM = 110, 10
_PAUSE = 0.2  # seconds: no rater is quicker
_PAIRS, _SCALES = "side-by-side", "response-quality"


def pairs(workload: Workload) -> dict[str, Samples]:
    """Measure milliseconds to the painted next pair, and from an answer's key to the painted window.

    The floor is a bare text widget with the texts of the task.
    """
    return _samples(workload, _PAIRS)


def scales(workload: Workload) -> dict[str, Samples]:
    """Measure the same of tasks with scales."""
    return _samples(workload, _SCALES)


def _samples(workload: Workload, rubric: str) -> dict[str, Samples]:
    workload.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        store = make_store(Path(folder), rubric)
        ran = measured("bench.rubric_work:measure", str(store)).result
    return {name: Samples(**samples) for name, samples in ran.items()}


def make_store(folder: Path, rubric: str) -> Path:
    """Make a store with the tasks of the workload as a bundle of that rubric, each response twice in one of pairs."""
    lines = folder / "tasks.jsonl"
    with lines.open("w", encoding="utf-8") as file:
        for task in tasks(_TASKS):
            if rubric == _PAIRS:
                task["responses"].append({**task["responses"][0], "id": "b"})
            file.write(json.dumps(task, ensure_ascii=False) + "\n")
    options = BundleOptions(
        rubric=rubric, id=rubric, title="Bench", language="en", created=noon().isoformat(timespec="seconds")[:19] + "Z"
    )
    bundle, store = folder / "bundle.zip", folder / "store"
    build_bundle(bundle, lines, options, Progress())
    with open_writer(store, command="bench") as opened:
        import_bundle(opened, bundle, progress=Progress(), now=noon)
    settings = {"format": "desktop-rater-settings", "version": 1, "rater": RATER, "open_with": "place"}
    (store / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return store


def measure(store: str) -> dict[str, dict[str, list[float]]]:
    """Answer the first question of each task, and go to the next one, in a window on a store of one's own."""
    with Stage(Path(store)) as stage:
        stage.settle()
        bare = BareText(stage)
        answer: dict[str, list[float]] = {"ours": [], "floor": []}
        following: dict[str, list[float]] = {"ours": [], "floor": []}
        for number in range(_TASKS - 1):
            stage.rest(_PAUSE)
            figures = _answer(stage), bare.paint(), _next(stage), bare.paint()
            if number >= _WARM:
                for samples, value in zip(
                    (answer["ours"], answer["floor"], following["ours"], following["floor"]), figures, strict=True
                ):
                    samples.append(value)
        bare.edit.close()
    return {"answer": answer, "next": following}


def _answer(stage: Stage) -> float:
    """Return the milliseconds from the key of an answer until the window is painted; the answer is on disk then too."""
    known, painted = len(stage.stored), Painted(stage.window)
    started = time.perf_counter()
    stage.press("2")
    stage.until(lambda: painted.yet)
    stage.until(lambda: len(stage.stored) > known)
    return painted.milliseconds(started)


def _next(stage: Stage) -> float:
    stage.rest(_PAUSE)
    before, painted = stage.room.session.task, Painted(stage.text)
    started = time.perf_counter()
    stage.press("Ctrl+PgDown")
    stage.until(lambda: stage.room.session.task is not before)
    stage.until(lambda: painted.yet)
    return painted.milliseconds(started)
