"""Open the window, as a part of the desktop: with an icon, files to open and a log; other starts hand it files."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from desktop_rater.app.assembly import Application, build_application, follow_settings
from desktop_rater.operations.event_log import EventLog
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.paths import log_file
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.store.connections import UpdatedStore
from desktop_rater.ui.store.window_loop import run_window
from desktop_rater.ui.window.crash_report import error_places, versions
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.startup import (
    DesktopApplication,
    FirstPaint,
    application,
    application_icon,
    process_events_until,
)
from desktop_rater.ui.window.window_requests import WindowRequests

if TYPE_CHECKING:
    from desktop_rater.operations.audit.import_results import ImportedResults
    from desktop_rater.operations.bundles.import_bundle import ImportedBundle
    from desktop_rater.operations.self_test import SelfTestStep


__all__ = [
    "Application",
    "application",
    "build_application",
    "follow_settings",
    "open_desktop_window",
    "open_window",
    "try_window",
]

SAMPLE_RATER = "sample"


def open_window(
    folder: Path,
    *,
    now: Callable[[], datetime],
    rater: str = "",
    first: FirstPaint | None = None,
    prepare: Callable[[Application], object] | None = None,
) -> int:
    """Open the window on a store until it is closed, and return the exit status. Raises `RaterError`.

    `first` is the window that is already on the screen. `prepare` is called with each window that is built.
    """
    reach = HubAccess(folder, now)  # shared by later windows: it holds passwords that are not stored
    starts = [True]  # only the first window begins at the start page; later ones stay where the user was

    def build_window(settings: SettingsFile, updated: UpdatedStore, frame: MainWindow | None) -> Application:
        try:
            built = build_application(
                folder,
                rater=rater,
                now=now,
                settings=settings,
                window=frame,
                updated=updated,
                reach=reach,
                start_page=bool(starts) and starts.pop(),
            )
        except BaseException:
            if frame is not None:  # another window is shown instead
                frame.hide()
                frame.deleteLater()
            raise
        if prepare is not None:
            prepare(built)
        return built

    settings, frame = (None, None) if first is None else (first.settings, first.window)
    return run_window(folder, build_window, now=now, settings=settings, frame=frame)


def try_window(folder: Path, *, now: Callable[[], datetime]) -> "SelfTestStep":
    """Build the window once, with the sample, and close it: for a package that was just built."""
    from desktop_rater.operations.self_test import SelfTestStep  # noqa: PLC0415 - as above

    application()
    built = build_application(folder, rater=SAMPLE_RATER, now=now)
    requests = WindowRequests(folder, built.window)
    try:
        requests.listen()  # loads QtNetwork
        built.window.show()
        built.transfer.open_sample()
        opened = process_events_until(lambda: built.session.task is not None)
        return SelfTestStep(name="open the window", passed=opened, detail=built.window.windowTitle())
    finally:
        requests.close()
        built.window.close()
        process_events_until(lambda: not built.window.isVisible())  # pending changes are saved first
        built.close()


HAND_OVER_MS, HAND_OVER_TRIES = 250, 40
LISTEN_MS = 1_000  # after the window is built: the first task does not wait until QtNetwork is loaded

HandOver = Callable[[Path, Sequence[Path]], bool]
"""Asks the open window of a store to open files and come to the front; returns whether it will."""


def open_desktop_window(
    folder: Path,
    files: Sequence[Path],
    *,
    now: Callable[[], datetime],
    first: FirstPaint | None = None,
    hand_over: HandOver | None = None,
) -> int:
    """Open the window, with files to import, until it is closed; return the exit status. Raises `RaterError`.

    `hand_over` is for a start that finds the store taken: by a window that was started a moment before, perhaps.
    """
    app = application()
    requests = WindowRequests(folder, app)
    requests.open_files(files)
    log = WindowLog(EventLog(log_file(folder), now))

    def prepare(built: Application) -> None:
        log.follow(built)
        if built.stores.taken and hand_over is not None:
            _hand_over_late(built, requests, partial(hand_over, folder, files))
        else:
            QTimer.singleShot(0, built.window, partial(_serve, built, requests))

    def complete() -> None:
        """Do what the first paint should not wait for."""
        app.setWindowIcon(application_icon())
        if isinstance(app, DesktopApplication):
            app.open_files_by(requests.open_files)

    QTimer.singleShot(0, app, complete)
    try:
        status = open_window(folder, now=now, first=first, prepare=prepare)
    finally:
        requests.close()
    log.write_end(status)
    return status


def _serve(built: Application, requests: WindowRequests) -> None:
    """Let a window open the files of this start, and those of later ones."""
    requests.serve(built.window, built.window.open_files)
    QTimer.singleShot(LISTEN_MS, built.window, requests.listen)


def _hand_over_late(built: Application, requests: WindowRequests, hand_over: Callable[[], bool]) -> None:
    """Close a window as soon as the one that has the store answers; if none does, keep it, read-only.

    The other window may have been started so recently that it does not listen yet.
    """
    tries = iter(range(HAND_OVER_TRIES))
    timer = QTimer(built.window)

    def attempt() -> None:
        if hand_over():
            timer.stop()
            built.window.close()
        elif next(tries, None) is None:
            timer.stop()
            _serve(built, requests)

    timer.timeout.connect(attempt)
    timer.start(HAND_OVER_MS)


class WindowLog:
    """Writes the events of one start of the program, in which several windows may follow each other.

    Messages of errors are left out: they may contain rated texts.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._started = False

    def follow(self, application: Application) -> None:
        """Log the events of a window."""
        if not self._started:
            self._log.write(f"start: {', '.join(versions())}")
            self._started = True
        if application.stores.writer is None:
            self._log.write("the store is read-only")
        application.perform.crashed.connect(lambda error: self._log.write(f"crash: {error_places(error)}"))
        application.perform.failed.connect(self._write_error)
        application.transfer.failed.connect(self._write_error)
        application.transfer.bundle_imported.connect(self._write_import)
        application.lead_screens.results_imported.connect(self._write_results)

    def write_end(self, status: int) -> None:
        self._log.write(f"end: exit status {status}")

    def _write_error(self, error: Exception) -> None:
        self._log.write(f"error: {error_places(error)}")

    def _write_import(self, imported: "ImportedBundle") -> None:
        left_out = len(imported.left_out)
        self._log.write(f"import: bundle {imported.outcome}, {imported.imported} tasks, {left_out} left out")

    def _write_results(self, imported: "ImportedResults") -> None:
        counts = {"results": imported.took, "copies": imported.copies, "refused": imported.refused}
        self._log.write(f"import: {', '.join(f'{len(files)} {name}' for name, files in counts.items())}")
