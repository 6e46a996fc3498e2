"""Our side of the comparison: the same work in our window and by our commands, in processes of their own."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench.audits import take
from bench.child import Ran, measured
from bench.window import start_process
from bench.window_stage import Painted, Stage
from bench.workload import BUNDLE, RATER, Workload, ratings, tasks
from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from tools.simulate import SimulationOptions, simulate_results

_PAUSE = 0.2  # seconds between two turns, on both sides
_CREATED = "2026-11-20T08:00:00Z"


class TurnTimes(msgspec.Struct):
    """Seconds of turns and searches, each in the order in which they were made."""

    answer: list[float] = []
    following: list[float] = []
    search: list[float] = []


class Ours:
    """Our program on a workload. `labels` are those of each simulated rater, as the results have them."""

    def __init__(self, workload: Workload, folder: Path, raters: int, judged: int) -> None:
        self._workload = workload
        self._store = folder / "store"
        shutil.copytree(workload.imported, self._store)
        settings = {"format": "desktop-rater-settings", "version": 1, "rater": RATER, "open_with": "place"}
        (self._store / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        self._audit = folder / "audit"
        self.labels = _fill_audit(self._audit, folder, raters, judged)
        start_process("first", self._store)  # it compiles what changed, and reads the files once

    def start(self) -> float:
        """Return the seconds from the start of the process to the painted first task."""
        return start_process("task", self._store) / 1_000

    def turns(self, count: int, words: list[str]) -> Ran:
        """Give answers and search in a window of its own; the result is `TurnTimes`."""
        with self._own(self._store) as store:
            return measured("bench.peers.ours:measure_turns", str(store), count, words)

    def import_tasks(self) -> Ran:
        """Import the bundle into a new store."""
        with self._own() as out:
            return measured("bench.bundles:import_all", str(self._workload.bundle), str(out))

    def export(self) -> Ran:
        """Export a rating of each task. What an export keeps for the next one is not kept."""
        with self._own(self._workload.rated) as store:
            return measured("bench.bundles:export_all", str(store), str(store.with_name("out.zip")))

    def export_labels(self) -> Ran:
        """Export one label of each task, as the peers do."""
        with self._own(self._workload.labelled) as store:
            return measured("bench.bundles:export_all", str(store), str(store.with_name("out.zip")))

    def agreement(self) -> Ran:
        """Compute the report from the store, with all its figures and intervals."""
        return measured("bench.audits:compute", str(self._audit))

    @contextmanager
    def _own(self, store: Path | None = None) -> Generator[Path]:
        with tempfile.TemporaryDirectory(dir=self._workload.folder) as folder:
            path = Path(folder) / "store"
            yield shutil.copytree(store, path) if store else path


def measure_turns(store: str, count: int, words: list[str]) -> TurnTimes:
    """Answer a question and go on to the next task by their keys, `count` times; then search for each word.

    An answer counts until it is on disk, a task until its text is painted, a search until its first page is.
    """
    times = TurnTimes()
    with Stage(Path(store)) as stage:
        stage.settle()
        for _ in range(count):
            stage.rest(_PAUSE)
            stored, started = len(stage.stored), time.perf_counter()
            stage.press("Y")
            stage.until(lambda stored=stored: len(stage.stored) > stored)
            times.answer.append(stage.stored[stored] - started)
            before, painted = stage.room.session.task, Painted(stage.text)
            painted.forget()
            started = time.perf_counter()
            stage.press("Ctrl+PgDown")
            stage.until(lambda before=before: stage.room.session.task is not before)
            stage.until(lambda painted=painted: painted.yet)
            times.following.append(painted.milliseconds(started) / 1_000)
        model, page = stage.window.task_list.model, Painted(stage.window.task_list.list.viewport())
        filled: list[bool] = []
        model.filled.connect(lambda: filled.append(True))
        for word in words:
            stage.rest(_PAUSE)
            filled.clear()
            page.forget()
            started = time.perf_counter()
            model.show(BUNDLE, word, "all")
            stage.until(lambda: filled and page.yet)
            times.search.append(time.perf_counter() - started)
            assert model.rowCount(), word
    return times


def one_target(task: dict[str, Any]) -> dict[str, Any]:
    """Return a task with its first sentence as the only target, so that a rater gives it one label."""
    quote = task["responses"][0]["text"].partition(". ")[0] + "."
    return {**task, "targets": [{"id": "s1", "response": "a", "start": 0, "end": len(quote), "quote": quote}]}


def _fill_audit(store: Path, folder: Path, raters: int, judged: int) -> list[list[str]]:
    """Make a lead's store with the results of simulated raters, and return the labels of each rater."""
    bundle, inbox = folder / "judged.zip", folder / "inbox"
    lines = _write_lines(folder / "tasks.jsonl", (one_target(task) for task in tasks(judged)))
    options = BundleOptions(rubric="span-factuality", id=BUNDLE, title="Bench", language="en", created=_CREATED)
    build_bundle(bundle, lines, options, Progress())
    started = _write_lines(folder / "ratings.jsonl", (_first_target(rating) for rating in ratings(judged)))
    done = simulate_results(bundle, started, inbox, SimulationOptions(raters=raters, seed=1), Progress())
    take(str(store), str(inbox))
    current = {results.rater: results.out for results in done.written}  # the last of each rater
    return [_labels(out) for out in current.values()]


def _first_target(rating: dict[str, Any]) -> dict[str, Any]:
    answers = rating["answers"]
    evidence = [piece for piece in rating["evidence"] if piece["target"] == "s1"]
    kept = {**answers, "targets": {"s1": answers["targets"]["s1"]}}
    return {**rating, "answers": kept, "evidence": evidence, "time": {"active_seconds": 60, "idle_seconds": 5}}


def _labels(results: Path) -> list[str]:
    with zipfile.ZipFile(results) as zip_:
        rated = [json.loads(line) for line in zip_.read("ratings.jsonl").splitlines()]
    return [rating["answers"]["targets"]["s1"].get("accuracy", "no fact") for rating in rated]


def _write_lines(path: Path, objects: Any) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
    return path
