"""The window from its opening to its end, also across a change that needs a new one, or a store to be saved."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QRect, QTimer

from desktop_rater.model.trouble import RaterError
from desktop_rater.settings import BY_ID
from desktop_rater.store.trouble import StoreError
from desktop_rater.ui.application import application
from desktop_rater.ui.first_paint import dress, settings_of
from desktop_rater.ui.store_care import rescue_page, restoring, updating

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType

    from PySide6.QtWidgets import QApplication, QMainWindow

    from desktop_rater.ui.crash import CrashReport
    from desktop_rater.ui.jobs import Jobs
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.store_care.read_only import ReadOnly
    from desktop_rater.ui.store_care.restoring import Restoring, Said
    from desktop_rater.ui.store_care.store_check import StoreCheck
    from desktop_rater.ui.store_care.stores import Updated
    from desktop_rater.work.keep_settings import Kept


class OpenRoom(Protocol):
    """What of an open window matters here."""

    @property
    def window(self) -> MainWindow: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def crash(self) -> CrashReport: ...
    @property
    def preferences(self) -> Preferences: ...
    @property
    def restoring(self) -> Restoring: ...
    @property
    def read_only(self) -> ReadOnly: ...
    @property
    def store_check(self) -> StoreCheck: ...

    def close(self) -> None: ...


def stay_open(
    folder: Path,
    build: Callable[[Kept, Updated], OpenRoom],
    *,
    now: Callable[[], datetime],
    kept: Kept | None = None,
    frame: QMainWindow | None = None,
) -> int:
    """Show a window until the user is done; the exit status. Raises `RaterError` where there is nothing to show.

    `kept` are the settings where the application wears them already, `frame` a bare window that is shown already.
    """
    app = application()
    dressed = kept is not None
    kept = kept or settings_of(folder, now)
    place: QRect | None = None
    said: Said | None = None
    while True:
        if not dressed:
            dress(app, kept)
        dressed = False
        begun = updating.bring_up_to_date(folder, frame, now)
        frame = None
        if begun.left:
            return 0
        try:
            room = build(kept, begun.updated)
        except StoreError as error:
            said = rescue_page.ask(app, folder, error, now=now)
            if said is None:
                raise
            continue
        if said is not None:
            room.window.banners.show_banner("restore", said.kind, said.text)
        whys = _reasons(room)
        status = _run(app, room, place)
        if not whys:
            return status
        said = restoring.put_last_in_place(folder, whys, now=now) or _rescued(app, folder, whys, now)
        place = room.window.geometry()
        kept = replace(kept, settings=room.preferences.now, set_aside=None, wrong=(), unreadable="")
        room.window.deleteLater()
        room.jobs.deleteLater()


def _reasons(room: OpenRoom) -> list[object]:
    """Fills with what the window is closed for to be opened anew: a setting, a backup, damage, or a store set free."""
    whys: list[object] = []

    def close(why: object = None) -> None:
        if not isinstance(why, str) or BY_ID[why].anew:
            whys.append(why)
            # Not from inside the very widget that said so: it is of the window that goes.
            QTimer.singleShot(0, room.window, room.window.close)

    room.preferences.changed.connect(close)
    room.restoring.ready.connect(close)
    room.store_check.rescue_wanted.connect(close)
    room.read_only.writing_wanted.connect(close)
    return whys


def _rescued(app: QApplication, folder: Path, whys: list[object], now: Callable[[], datetime]) -> Said | None:
    damage = next((one for one in reversed(whys) if isinstance(one, RaterError)), None)
    return None if damage is None else rescue_page.ask(app, folder, damage, now=now)


def _run(app: QApplication, room: OpenRoom, place: QRect | None) -> int:
    """Show the window until it is closed."""
    before = sys.excepthook

    def crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            before(kind, error, trace)
            return
        room.crash.show(error.with_traceback(trace))

    sys.excepthook = crashed
    try:
        if place is not None:
            room.window.setGeometry(place)
        elif not room.window.isVisible():
            room.window.resize(room.window.sizeHint().boundedTo(app.primaryScreen().availableSize()))
        room.window.show()
        return app.exec()
    finally:
        sys.excepthook = before
        room.close()
