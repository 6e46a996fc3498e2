"""The window with all tasks in it: how soon it is there, how soon it answers, and whether it ever hangs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import convert

from bench.child import environment, measured
from bench.figures import Samples
from bench.workload import RATER, Workload

if TYPE_CHECKING:
    from collections.abc import Generator

_STARTS = 15
_TIMES = 3
_ENOUGH = 1_000  # tasks, for counts
_ROOT = Path(__file__).resolve().parents[1]


def starts(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds from the start of the process to the first painting, and to the first task painted.

    The floor is a process that shows a bare window.
    """
    with _own_store(workload) as store:
        start_process("first", store)  # it compiles what changed, and reads the files once
        runs: dict[str, list[float]] = {name: [] for name in ("bare", "first", "task")}
        for _ in range(_STARTS):
            for name, took in runs.items():
                took.append(start_process(name, store))
    return {"paint": Samples(runs["first"], runs["bare"]), "task": Samples(runs["task"], runs["bare"])}


def keys(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds after keys of a rater in a window with all tasks, each beside its floor."""
    with _own_store(workload) as store:
        return convert(measured("bench.window_work:measure_keys", str(store)).result, dict[str, Samples])


def plain(_workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds of the next task in a window of plain Qt widgets, beside the same floor."""
    return convert(measured("bench.plain_window:measure").result, dict[str, Samples])


def searches(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds from a text to the painted first page of its tasks, and of its query alone."""
    with _own_store(workload) as store:
        return convert(measured("bench.search_work:measure", str(store)).result, dict[str, Samples])


def gaps(workload: Workload) -> dict[str, Samples]:
    """Measure the longest gap of the event loop in milliseconds beside work in the background, and that of an idle one.

    Also the time of answers beside it, and that of answers beside nothing.
    """
    # First of all once, unmeasured: a checkout that has changed is compiled meanwhile.
    _work_in_background("work_once", Workload(workload.folder, min(workload.tasks, _ENOUGH)))
    return convert(_work_in_background("measure_gaps", workload), dict[str, Samples])


def _work_in_background(function: str, workload: Workload) -> Any:
    with _own_store(workload) as store:
        out = str(store.with_name("results.zip"))
        return measured(f"bench.window_work:{function}", str(store), str(workload.further), out).result


def memory(workload: Workload) -> dict[str, Samples]:
    """Measure the peak memory in MB of a window that has opened a task, and of a bare window."""
    with _own_store(workload) as store:
        ours = [measured("bench.window_work:open_task", str(store)).megabytes for _ in range(_TIMES)]
        bare = [measured("bench.window_work:open_bare_window").megabytes for _ in range(_TIMES)]
    return {"megabytes": Samples(ours, bare)}


def calls(workload: Workload) -> dict[str, Samples]:
    """Count the Python calls of an answer on all threads, until its views are painted and it is on disk."""
    part = Workload(workload.folder, min(workload.tasks, _ENOUGH))
    with _own_store(part) as store:
        counted = measured("bench.calls:count_calls", str(store), "answer").result
    return {"answer": Samples([sum(counted.values())])}


def zoom(workload: Workload) -> dict[str, Samples]:
    """Measure the processor milliseconds of a zoom step, and of Qt for another font size in the same window."""
    part = Workload(workload.folder, min(workload.tasks, _ENOUGH))
    with _own_store(part) as store:
        return {"zoom": Samples(*measured("bench.long_work:zoom_steps", str(store)).result)}


def long_texts(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds of an answer among 625 targets beside ten, and the longest gaps as long responses open.

    The floor of a gap is that of an idle event loop; with a single paragraph, a bare text widget that shows it.
    """
    runs: dict[str, list[list[float]]] = {"many targets": [], "paragraphs": [], "one": []}
    for _ in range(_TIMES):
        for name, function, *arguments in (
            ("many targets", "answers_among_targets"),
            ("paragraphs", "long_response", 1),
            ("one", "long_response", 0),
        ):
            with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
                runs[name].append(measured(f"bench.long_work:{function}", folder, *arguments).result)
        runs["one"][-1][1] = measured("bench.long_work:bare_text").result
    return {name: Samples([pair[0] for pair in ran], [pair[1] for pair in ran]) for name, ran in runs.items()}


def start_process(what: str, store: Path) -> float:
    """Milliseconds until a process that was started says that it is so far."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "bench.window_start", what, str(store)]
    ran = subprocess.run(command, cwd=_ROOT, env=environment(), stdout=subprocess.PIPE, check=True)
    return (float(ran.stdout.split()[-1]) - begun) * 1_000


@contextmanager
def _own_store(workload: Workload) -> Generator[Path]:
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        store = Path(folder) / "store"
        shutil.copytree(workload.begun, store)
        settings = {"format": "desktop-rater-settings", "version": 1, "rater": RATER, "open_with": "place"}
        (store / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        yield store
