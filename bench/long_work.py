"""Zoom steps and long texts in a real window: processor time of a step, of an answer among many targets, and gaps.

Each function takes plain arguments and returns plain figures, for `bench.child.measured`.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from bench.window_stage import Painted, Stage
from bench.workload import BUNDLE, noon, tasks
from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.import_bundle import import_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.widgets import theme
from tests.ui.loop_gap import IdleLoop, Watched

if TYPE_CHECKING:
    from collections.abc import Callable

ZOOM_STEPS, ANSWERS = 12, 30
MANY_TARGETS, MANY_TARGETS_SIZE, LONG_SIZE, LONG_TARGETS = 625, 60_000, 560_000, 600
_LAYOUT_PASSES = 3
_REST = 0.3
_LAID_OUT = 3.0  # seconds until Qt has laid out what is not in view


def zoom_steps(store: str) -> list[list[float]]:
    """Measure processor milliseconds of zoom steps, and of layouts of the same window by Qt alone."""
    with Stage(Path(store)) as stage:
        ours, bare = [], []
        for number in range(ZOOM_STEPS):
            back = bool(number % 2)
            stage.rest(_REST)
            ours.append(_spent(lambda back=back: _step(stage, "Ctrl+-" if back else "Ctrl++"), time.process_time))
            stage.rest(_REST)
            bare.append(_spent(lambda back=back: _enlarge_fonts(stage.window, -1 if back else 1), time.process_time))
        return [ours, bare]


def answers_among_targets(folder: str) -> list[float]:
    """Milliseconds of the GUI thread for an answer, painted: among 625 targets, and among ten; medians."""
    store = _long_store(Path(folder), [_with_targets("t-000000-many", MANY_TARGETS_SIZE, MANY_TARGETS)])
    with Stage(store) as stage:
        few = _answers(stage)
        _open_next(stage)
        return [_answers(stage), few]


def long_response(folder: str, paragraphs: int = 1) -> list[float]:
    """Milliseconds of the longest gap while a response of 560 kB opens; and of an idle loop in the same seconds.

    With `paragraphs` 0 the response is one paragraph, which Qt lays out as a whole.
    """
    long = _with_targets("t-000000-long", LONG_SIZE, LONG_TARGETS, between="\n\n" if paragraphs else " ")
    store = _long_store(Path(folder), [long])
    with IdleLoop() as idle, Stage(store) as stage:
        stage.rest(_REST)
        with Watched(idle) as watched:
            _open_next(stage)
            stage.rest(_LAID_OUT)
        return [watched.longest * 1_000, max(0.0, watched.longest - watched.beyond) * 1_000]


def bare_text() -> float:
    """Measure the milliseconds of the GUI thread in which a bare text widget shows and paints the long paragraph."""
    text = _with_targets("bare", LONG_SIZE, LONG_TARGETS, between=" ")["responses"][0]["text"]
    app = QApplication.instance() or QApplication([])
    edit = QTextEdit()
    edit.setReadOnly(True)
    edit.resize(700, 600)
    edit.show()
    app.processEvents()
    painted = Painted(edit.viewport())
    started = time.thread_time()
    edit.setPlainText(text)
    while not painted.yet:
        app.processEvents()
    return (time.thread_time() - started) * 1_000


def _with_targets(name: str, size: int, targets: int, *, between: str = "\n\n") -> dict[str, Any]:
    """Return a task whose response has that size and as many targets."""
    made, drawn = next(tasks(1)), random.Random(name)  # noqa: S311 - a workload, no secret
    words = [word.strip(".") for word in made["responses"][0]["text"].split() if word.isalpha()]
    parts: list[str] = []
    length = size // targets - len(between)
    spans: list[dict[str, Any]] = []
    for number in range(targets):
        text = " ".join(drawn.choices(words, k=length // 3))[: length - 1].strip().capitalize() + "."
        start = sum(map(len, parts)) + len(between) * number
        spans.append({"id": f"s{number + 1}", "response": "a", "start": start, "end": start + min(len(text), 200)})
        parts.append(text)
    whole = between.join(parts)
    made["id"], made["responses"][0]["text"] = name, whole
    made["targets"] = [{**span, "text": whole[span["start"] : span["end"]]} for span in spans]
    return made


def _long_store(folder: Path, further: list[dict[str, Any]]) -> Path:
    """Return a store with an ordinary task, and further ones behind it."""
    lines = folder / "long.jsonl"
    lines.write_text("".join(f"{json.dumps(task)}\n" for task in (next(tasks(1)), *further)), "utf-8")
    bundle = folder / "long.zip"
    wanted = BundleOptions(
        rubric="span-factuality", id=BUNDLE, title="Long", language="en", created="2026-11-20T08:00:00Z"
    )
    build_bundle(bundle, lines, wanted, Progress())
    with open_writer(folder / "long-store", command="bench") as store:
        import_bundle(store, bundle, progress=Progress(), now=noon)
    return folder / "long-store"


def _open_next(stage: Stage) -> None:
    session = stage.room.session
    before = session.task
    stage.press("Ctrl+PgDown")
    stage.until(lambda: session.task is not before)


def _answers(stage: Stage) -> float:
    took = []
    for number in range(ANSWERS):
        stage.rest(_REST)
        took.append(_spent(lambda number=number: stage.press("N" if number % 2 else "Y"), time.thread_time))
    return median(took)


def _step(stage: Stage, key: str) -> None:
    zoom = theme.look().zoom
    stage.press(key)
    stage.until(lambda: theme.look().zoom != zoom)


def _enlarge_fonts(window: QWidget, pixels: int) -> None:
    """Give each visible widget and its document a font of another size, and lay the window out once."""
    window.setUpdatesEnabled(False)
    for widget in [window, *(widget for widget in window.findChildren(QWidget) if widget.isVisible())]:
        font = QFont(widget.font())
        font.setPixelSize(font.pixelSize() + pixels)
        widget.setFont(font)
        if isinstance(widget, QTextEdit):
            document = widget.document()
            font = QFont(document.defaultFont())
            font.setPixelSize(font.pixelSize() + pixels)
            document.setDefaultFont(font)
    for _ in range(_LAYOUT_PASSES):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    window.setUpdatesEnabled(True)


def _spent(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Milliseconds by a clock until the work is done and painted."""
    started = clock()
    work()
    for _ in range(_LAYOUT_PASSES):
        QApplication.processEvents()
    return (clock() - started) * 1_000
