"""The window on the screen before its parts are loaded: a frame in the right look, in the right place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QEvent, QEventLoop, QObject

from desktop_rater.paths import settings_file
from desktop_rater.ui import languages
from desktop_rater.ui.application import application, apply_look
from desktop_rater.ui.main_window import MainWindow
from desktop_rater.work.keep_settings import Kept, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

PATIENCE_MS = 300  # a system that shows windows later than that gets this one whole


@dataclass(frozen=True)
class FirstPaint:
    """A frame that is shown, and the settings that it is shown by."""

    window: MainWindow
    kept: Kept


class _Painted(QObject):
    """Whether a widget has been painted."""

    yet = False

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.yet = self.yet or event.type() == QEvent.Type.Paint
        return False


def paint_first(folder: Path, *, now: Callable[[], datetime]) -> FirstPaint:
    """Show the frame of the window on a store that is not open yet."""
    app = application()
    kept = settings_of(folder, now)
    dress(app, kept)
    window = MainWindow()
    painted = _Painted(window)
    window.installEventFilter(painted)
    window.resize(window.sizeHint().boundedTo(app.primaryScreen().availableSize()))
    window.show()
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not painted.yet and not deadline.hasExpired():
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, PATIENCE_MS)
    window.removeEventFilter(painted)
    return FirstPaint(window, kept)


def settings_of(folder: Path, now: Callable[[], datetime]) -> Kept:
    """The settings of the window on a store."""
    return read_settings(settings_file(folder), now=now())


def dress(app: QApplication, kept: Kept) -> None:
    """Speak the language and wear the look that the settings name."""
    languages.use(app, kept.settings.language)
    apply_look(kept.settings)
