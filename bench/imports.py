"""What a start imports and enters: `python -m bench.imports [first|task] STORE` prints a Markdown table by package.

Processor time of the importing thread, without the modules that a module imports in turn; medians of several starts.
A file of the program is entered when one of its functions runs; a further start, whose time does not count, notes them.
"""

from __future__ import annotations

import importlib.machinery
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection
from inspect import CO_OPTIMIZED
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType, ModuleType

_ROOT = Path(__file__).resolve().parents[1]
_STARTS = 5
_LEAST_MS = 1.0  # packages below it share a row
_OURS = "desktop_rater"
_NEEDED_FOR = {
    "PySide6": "Qt; a bare window loads it too",
    "shiboken6": "Qt; a bare window loads it too",
    "bench": "this measurement",
    "click": "arguments of the command line",
    "desktop_rater.app": "wiring of all parts",
    "desktop_rater.cli": "the command and its errors",
    "desktop_rater.format": "formats of task, rating and rubric",
    "desktop_rater.rubric": "the rubric of the bundle, the checked rating",
    "desktop_rater.store": "opening the store, reading bundle and task",
    "desktop_rater.text": "Markdown, offsets, quotes, citations of the task",
    "desktop_rater.ui.hub": "state of the hub in the status line, schedule",
    "desktop_rater.ui.pages": "pane of pages, links, evidence, citations",
    "desktop_rater.ui.rating": "list, texts, form, problems",
    "desktop_rater.ui.start": "progress in the box of the bundles",
    "desktop_rater.ui.store": "opening, read-only mode, backups",
    "desktop_rater.ui.widgets": "controls, theme",
    "desktop_rater.ui.window": "frame, menus, keys, queues",
    "desktop_rater.pages": "the guard of pages",
    "desktop_rater.operations": "what the queues do",
    "filelock": "lock of the store",
    "msgspec": "structs, settings",
    "platformdirs": "folders of the user",
    "pluggy": "sqlite-utils",
    "sqlite_utils": "connection to the store",
    "typing_extensions": "msgspec",
}


class ImportClock:
    """Clock of the modules that are loaded while it runs: name → milliseconds, without what they import."""

    def __init__(self) -> None:
        self.own: dict[str, float] = {}
        self._inner = [0.0]  # milliseconds of the imports inside each running one
        for loader in (importlib.machinery.SourceFileLoader, importlib.machinery.ExtensionFileLoader):
            self._watch(loader)

    def _watch(self, loader: type[Any]) -> None:
        execute = loader.exec_module

        def timed(self: Any, module: ModuleType) -> None:
            begun = time.thread_time()
            clock._inner.append(0.0)
            try:
                execute(self, module)
            finally:
                took = (time.thread_time() - begun) * 1_000
                clock.own[module.__name__] = took - clock._inner.pop()
                clock._inner[-1] += took

        clock = self
        loader.exec_module = timed


class EnteredFiles:
    """Files of the program of which a function runs, on any thread that starts from now on, outside imports."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        threading.setprofile(self._follow)
        sys.setprofile(self._follow)

    def _follow(self, frame: FrameType, event: str, _argument: object) -> None:
        is_function = event == "call" and frame.f_code.co_flags & CO_OPTIMIZED
        name = frame.f_globals.get("__name__", "")
        if is_function and name.startswith(_OURS) and not _is_importing(frame):
            self.modules.add(name)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__", "").startswith(_OURS):
            return True
        frame = frame.f_back
    return False


def package(module: str) -> str:
    """Return the row of a module: a library, or one of our packages."""
    parts = module.split(".")
    if parts[0] != _OURS:
        return parts[0] if parts[0] not in sys.stdlib_module_names else "standard library"
    return ".".join(parts[: 3 if parts[1:2] == ["ui"] else 2])


def measure(what: str, store: str, starts: int = _STARTS) -> dict[str, tuple[int, int, float]]:
    """Return modules, files entered and ms by package, up to the first painting (`first`) or first task (`task`)."""
    runs = [_start("time", what, store) for _ in range(starts)]
    entered = Counter(package(name) for name in _start("enter", what, store))
    modules = Counter(package(name) for name in runs[-1])
    times: dict[str, list[float]] = {name: [] for name in modules}
    for run in runs:
        sums: Counter[str] = Counter()
        for name, took in run.items():
            sums[package(name)] += took  # ty: ignore[invalid-assignment]
        for name, sum_of_runs in times.items():
            sum_of_runs.append(sums[name])
    return {name: (modules[name], entered[name], median(times[name])) for name in modules}


def _start(how: str, what: str, store: str) -> dict[str, float]:
    code = f"from bench import imports; imports.run({how!r}, {what!r}, {store!r})"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(_ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(_ROOT / "build" / "bench" / "compiled")
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=_ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    lines = (line.split() for line in ran.stdout.splitlines() if line.startswith("import "))
    return {name: float(took) for _, name, took in lines}


def run(how: str, what: str, store: str) -> None:
    """Start the program, and print the time of each import, or the files entered, when that is painted.

    For a process of its own.
    """
    clock = ImportClock() if how == "time" else None
    files = EnteredFiles() if how == "enter" else None

    def report() -> None:
        sys.setprofile(None)
        noted = clock.own if clock is not None else dict.fromkeys(files.modules if files is not None else (), 0.0)
        sys.stdout.writelines(f"import {name} {took:.3f}\n" for name, took in noted.items())
        sys.stdout.flush()

    from bench import window_start  # noqa: PLC0415 - its imports are measured too

    window_start.say = report  # ty: ignore[invalid-assignment]
    window_start.main(what, store)


def table(figures: dict[str, tuple[int, int, float]]) -> str:
    """Return the figures as a Markdown table, the most expensive package first."""
    shown = {name: row for name, row in figures.items() if row[2] >= _LEAST_MS}
    rest = [row for name, row in figures.items() if name not in shown]
    rows = sorted(shown.items(), key=lambda item: -item[1][2])
    rows.append((f"{len(rest)} other packages", _sum(rest)))
    rows.append(("all", _sum(figures.values())))
    lines = [
        f"| {name} | {count} | {entered} | {took:.1f} | {_NEEDED_FOR.get(name, '')} |"
        for name, (count, entered, took) in rows
    ]
    return "\n".join(("| package | modules | files entered | ms | needed for |", "|---|---|---|---|---|", *lines))


def _sum(rows: Collection[tuple[int, int, float]]) -> tuple[int, int, float]:
    return sum(row[0] for row in rows), sum(row[1] for row in rows), sum(row[2] for row in rows)


if __name__ == "__main__":
    print(table(measure(sys.argv[1], sys.argv[2])))
