"""Composition root of the window: builds the parts and wires them; no other module knows all of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.app.assembly import Application, build_application, follow_settings
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.store.connections import UpdatedStore
from desktop_rater.ui.store.window_loop import run_window
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.startup import FirstPaint, application, process_events_until

if TYPE_CHECKING:
    from desktop_rater.operations.self_test import SelfTestStep


__all__ = [
    "Application",
    "application",
    "build_application",
    "follow_settings",
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


def try_window(folder: Path, *, now: Callable[[], datetime]) -> SelfTestStep:
    """Build the window once, with the sample, and close it: for a package that was just built."""
    from desktop_rater.operations.self_test import SelfTestStep  # noqa: PLC0415 - as above
    from desktop_rater.ui.window.window_requests import WindowRequests  # noqa: PLC0415 - only when it is used

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
