"""The window with all tasks in it: how soon it is there, how soon it answers, and whether it ever hangs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.child import measured
from bench.figures import Figure

if TYPE_CHECKING:
    from collections.abc import Generator

    from bench.workload import Workload

_STARTS = 7
_FRAME_MS = 16  # of a screen that shows 60 pictures in a second
_ROOT = Path(__file__).resolve().parents[1]


def starts(workload: Workload) -> dict[str, Figure]:
    """Milliseconds from the start of the process to the first painting, and to the first task.

    Of several starts in turn the quickest counts, for all: what else runs can only add.
    """
    with _own_store(workload) as store:
        _start("first", store)  # it compiles what changed, and reads the files once
        runs: dict[str, list[float]] = {name: [] for name in ("bare", "first", "task")}
        for _ in range(_STARTS):
            for name, took in runs.items():
                took.append(_start(name, store))
    bare = min(runs["bare"])
    return {"paint": Figure(min(runs["first"]), bare), "task": Figure(min(runs["task"]), bare)}


def works(workload: Workload) -> dict[str, Figure]:
    """What a rater does in a window with all tasks."""
    with _own_store(workload) as store:
        out = str(store.with_name("results.zip"))
        found = measured("bench.window_work:measure_all", str(store), str(workload.further), out).result
    figures = {name: Figure(*found[name]) for name in ("answer", "answer while importing")}
    ours, bare = found["next"]
    # 16 ms, or one and a half times the bare widget where that is more.
    figures["next"] = Figure(ours, bare, bounded=ours * _FRAME_MS / max(_FRAME_MS, 1.5 * bare))
    figures["search"] = Figure(found["search"][0])
    for name in ("backup", "searching", "import", "export"):
        longest, idle = found[name]
        figures[name] = Figure(longest, idle, bounded=longest - idle)
    return figures


def _start(what: str, store: Path) -> float:
    """Milliseconds until a process that was started says that it is so far."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "bench.window_start", what, str(store)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(_ROOT)}
    # Installed programs are compiled; a checkout is after its first start, unless the environment forbids it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(_ROOT / "build" / "bench" / "compiled")
    ran = subprocess.run(command, cwd=_ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return (float(ran.stdout.split()[-1]) - begun) * 1_000


@contextmanager
def _own_store(workload: Workload) -> Generator[Path]:
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        store = Path(folder) / "store"
        shutil.copytree(workload.begun, store)
        (store / "settings.json").write_text(
            '{"format": "desktop-rater-settings", "version": 1, "rater": "r-1", "open_with": "place"}', encoding="utf-8"
        )
        yield store
