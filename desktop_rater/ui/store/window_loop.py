"""Run the window until the user quits, reopening it after a restore, a recovery or a change that needs a new one."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from desktop_rater.model.errors import RaterError
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.store.errors import StoreError
from desktop_rater.ui.store import rescue_page, restore, update_page
from desktop_rater.ui.store.connections import ReadOnlyMode, UpdatedStore
from desktop_rater.ui.store.restore import BackupRestorer, StartMessage
from desktop_rater.ui.store.store_check import StoreCheck
from desktop_rater.ui.window.crash_report import CrashReport
from desktop_rater.ui.window.jobs import Jobs
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.startup import application, apply_settings, settings_of
from desktop_rater.work.rating.settings_file import SettingsFile


class OpenWindow(Protocol):
    """The parts of an open window that the window loop uses."""

    @property
    def window(self) -> MainWindow: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def crash(self) -> CrashReport: ...
    @property
    def preferences(self) -> Preferences: ...
    @property
    def restoring(self) -> BackupRestorer: ...
    @property
    def read_only(self) -> ReadOnlyMode: ...
    @property
    def store_check(self) -> StoreCheck: ...

    def close(self) -> None: ...


def run_window(
    folder: Path,
    build: Callable[[SettingsFile, UpdatedStore], OpenWindow],
    *,
    now: Callable[[], datetime],
    settings: SettingsFile | None = None,
    frame: QMainWindow | None = None,
) -> int:
    """Show a window until the user is done. Return the exit status; raise `RaterError` if no window can be shown.

    `settings` is given if they have been applied to the application already, `frame` a bare window that is
    already visible.
    """
    app = application()
    styled = settings is not None
    settings = settings or settings_of(folder, now)
    place: tuple[QRect, Qt.WindowState] | None = None
    message: StartMessage | None = None
    while True:
        if not styled:
            apply_settings(app, settings)
        styled = False
        outcome = update_page.update_store(folder, frame, now)
        frame = None
        if outcome.left:
            return 0
        try:
            opened = build(settings, outcome.updated)
        except StoreError as error:
            message = rescue_page.show_rescue_page(app, folder, error, now=now)
            if message is None:
                raise
            continue
        if message is not None:
            opened.window.banners.show_banner("restore", message.kind, message.text)
        reasons = _reasons(opened)
        status = _run(app, opened, place)
        if not reasons:
            return status
        message = restore.install_last_prepared(folder, reasons, now=now)
        damage = next((reason for reason in reversed(reasons) if isinstance(reason, RaterError)), None)
        if message is None and damage is not None:
            message = rescue_page.show_rescue_page(app, folder, damage, now=now)
        place = opened.window.geometry(), opened.window.windowState()
        settings = replace(settings, settings=opened.preferences.now, set_aside=None, wrong=(), unreadable="")
        opened.window.deleteLater()
        opened.jobs.deleteLater()


def _reasons(opened: OpenWindow) -> list[object]:
    """Return a list that collects the reasons to reopen: a setting, a backup, damage, or a released lock."""
    reasons: list[object] = []

    def close(reason: object = None) -> None:
        if not isinstance(reason, str) or SETTINGS_BY_ID[reason].rebuilds_window:
            reasons.append(reason)
            # Deferred, because the widget that emits the signal belongs to the closing window.
            QTimer.singleShot(0, opened.window, opened.window.close)

    opened.preferences.changed.connect(close)
    opened.restoring.ready.connect(close)
    opened.store_check.rescue_wanted.connect(close)
    opened.read_only.writing_wanted.connect(close)
    return reasons


def _run(app: QApplication, opened: OpenWindow, place: tuple[QRect, Qt.WindowState] | None) -> int:
    """Show the window until it is closed. Return the exit status."""
    previous_hook = sys.excepthook

    def report_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            previous_hook(kind, error, trace)
            return
        opened.crash.show(error.with_traceback(trace))

    sys.excepthook = report_crash
    try:
        if place is not None:
            geometry, state = place
            opened.window.setGeometry(geometry)
            opened.window.setWindowState(state)
        elif not opened.window.isVisible():
            opened.window.fit_to_screen()
        opened.window.show()
        return app.exec()
    finally:
        sys.excepthook = previous_hook
        opened.close()
