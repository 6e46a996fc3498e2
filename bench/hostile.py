"""What is made to be slow: bundles, texts and pages as bad as the limits let through.

The functions without `workload` take plain arguments and return plain figures, for `bench.child.measured`.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import convert
from PySide6.QtWidgets import QApplication, QTextEdit
from pytest_httpserver import HTTPServer

from bench.child import measured
from bench.figures import Samples
from bench.window_stage import Stage
from desktop_rater.format.errors import RaterError
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import Web
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.startup import application
from tests.operations.bombs import honest_bundle, write_bombs
from tests.operations.bundles import make, noon, take_in, task, writer
from tests.pages.hostile_paths import gzip_bomb
from tests.pages.servers import HostileServer
from tests.ui.hard_pages import LONG, NOT_SHOWN, SHOWN
from tests.ui.heavy_texts import PLAIN, RENDERED, TOO_HEAVY
from tests.ui.loop_gap import IdleLoop, Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.workload import Workload

_TIMES = 3
_HANGING = ("/silent", "/stall", "/drip", "/drip-headers", "/slow/30")
_ORDINARY = "word " * 60_000
_LIMITS = WebLimits(total_seconds=3, read_seconds=1, connect_seconds=1)
_HOUR = WebLimits(total_seconds=3_600, read_seconds=3_600, connect_seconds=3_600)


def imports(workload: Workload) -> dict[str, Samples]:
    """Measure the processor seconds of each hostile bundle, imported or refused, beside an honest one as long."""
    runs = []
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
            runs.append(measured("bench.hostile:import_bombs", folder).result)
    return {"bundle": Samples([max(bombs) for bombs, _ in runs], [honest for _, honest in runs])}


def texts(_workload: Workload) -> dict[str, Samples]:
    """Measure the processor seconds of each hostile text, painted, beside a bare widget with an ordinary one."""
    runs = [measured("bench.hostile:show_texts").result for _ in range(_TIMES)]
    return {"text": Samples([max(heavy) for heavy, _ in runs], [bare for _, bare in runs])}


def pages(workload: Workload) -> dict[str, Samples]:
    """Measure the longest gaps of the event loop while pages are read, and the wait after Cancel, in milliseconds."""
    with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
        return convert(measured("bench.hostile:read_pages", folder).result, dict[str, Samples])


def import_bombs(folder: str) -> tuple[list[float], float]:
    """Return the processor seconds of each bomb, and of the honest bundle."""
    bombs, honest = write_bombs(Path(folder)), honest_bundle(Path(folder))
    with writer(Path(folder) / "store") as store:

        def seconds(path: Path) -> float:
            started = time.process_time()
            try:
                take_in(store, path)
            except RaterError as refused:
                print(f"refused: {refused.title}")
            return time.process_time() - started

        first = seconds(honest)  # the libraries are loaded from now on
        took = [seconds(path) for path in bombs.values()]
    with writer(Path(folder) / "other") as store:
        return took, min(first, seconds(honest))


def show_texts() -> tuple[list[float], float]:
    """Return the processor seconds of each heavy text in the view of a response, and of an ordinary one in Qt's."""
    app = application()
    app.setStyle("Fusion")
    theme.apply(app, theme.Look())
    took = []
    for plain, heavy in ((False, TOO_HEAVY), (False, RENDERED), (True, PLAIN)):
        for text in heavy.values():
            view = ResponseView("heavy")
            took.append(_painted(view, partial(view.show_response, text, [], plain=plain)))
    bare = QTextEdit()
    return took, _painted(bare, lambda: bare.setPlainText(_ORDINARY))


def _painted(view: QTextEdit, fill: Callable[[], object]) -> float:
    view.resize(600, 500)
    view.show()
    QApplication.processEvents()
    started = time.process_time()
    fill()
    view.grab()
    took = time.process_time() - started
    view.close()
    return took


def read_pages(folder: str) -> dict[str, dict[str, list[float]]]:
    """Read all pages twice in a window, the first time to load what they need, and cancel those that hang."""
    gzip_bomb(300)  # packed once, before the pages are read
    store = Path(folder) / "store"
    with writer(store) as imported:
        take_in(imported, make(Path(folder) / "bundle.zip", [task("t1", "Canberra is the capital of Australia.")]))
    gaps: dict[str, dict[str, list[float]]] = {name: {"ours": [], "floor": []} for name in ("hostile", "long")}
    with HostileServer() as server, HTTPServer() as large, IdleLoop() as idle:
        with Stage(store, web=Web(Guard(allow_loopback=True), _LIMITS, time.monotonic, noon)) as stage:
            for path in (*SHOWN, *NOT_SHOWN):
                _gap(stage, idle, server.url(path), gaps["hostile"])
            for name, html in LONG.items():
                large.expect_request(f"/{name}").respond_with_data(html, content_type="text/html; charset=utf-8")
                _gap(stage, idle, large.url_for(f"/{name}"), gaps["long"])
        with Stage(store, web=Web(Guard(allow_loopback=True), _HOUR, time.monotonic, noon)) as stage:
            cancelled = [_cancel(stage, server.url(path)) for path in _HANGING]
    return {**gaps, "cancel": {"ours": cancelled}}


def _gap(stage: Stage, idle: IdleLoop, url: str, gaps: dict[str, list[float]]) -> None:
    _read(stage, url)
    with Watched(idle) as watched:
        _read(stage, url)
    gaps["ours"].append(watched.longest * 1_000)
    gaps["floor"].append(max(0.0, watched.longest - watched.beyond) * 1_000)


def _read(stage: Stage, url: str) -> None:
    browsing, reader = stage.room.browsing, stage.window.preview.reader
    before = browsing.page
    browsing.open(url)
    stage.until(lambda: not browsing.is_loading and browsing.page is not before)
    stage.until(lambda: reader.read is None or reader.read.is_whole)


def _cancel(stage: Stage, url: str) -> float:
    browsing = stage.room.browsing
    browsing.open(url)
    stage.rest(0.5)
    started = time.perf_counter()
    browsing.cancel()
    stage.until(lambda: not browsing.is_loading)
    return (time.perf_counter() - started) * 1_000
