"""Size, place and state of a window: kept in the settings, and with its frame within the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QMoveEvent, QResizeEvent, QWindowStateChangeEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets.callbacks import DelayedCall

if TYPE_CHECKING:
    from desktop_rater.ui.window.preferences import Preferences

SETTING = "window_place"
SAVE_DELAY_MS = 500
TITLE_HEIGHT = 40  # the height of a frame that is not known before the window is shown
MOVES = (QMoveEvent, QResizeEvent, QWindowStateChangeEvent)
WHOLE_SCREEN = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


def available_size(window: QWidget) -> QSize:
    """Return the size that a window without its frame can have on its screen."""
    frame = window.frameGeometry().size() - window.geometry().size()
    return window.screen().availableSize() - frame


def limit_least_size(window: QWidget, least: QSize) -> None:
    """Set the least size of a window, which never is larger than its screen."""
    title = QSize(0, 0 if window.isVisible() else TITLE_HEIGHT)
    window.setMinimumSize(least.boundedTo(available_size(window) - title))


def place_window(window: QWidget, stored: str) -> None:
    """Give a window its stored place, else its preferred size; it is maximised where that does not fit."""
    if stored and window.restoreGeometry(QByteArray.fromBase64(stored.encode())):
        return
    available = window.screen().availableSize()
    preferred = window.sizeHint()
    window.resize(preferred.boundedTo(available))
    if preferred.height() + TITLE_HEIGHT > available.height() or preferred.width() > available.width():
        window.setWindowState(Qt.WindowState.WindowMaximized)


def keep_within_screen(window: QWidget) -> None:
    """Move and shrink a visible window so that its frame is within the screen."""
    limit_least_size(window, window.minimumSize())
    if window.windowState() & WHOLE_SCREEN:
        return
    available, frame = window.screen().availableGeometry(), window.frameGeometry()
    if available.contains(frame):
        return
    window.resize(window.size().boundedTo(available_size(window)))
    frame = QRect(frame.topLeft(), window.frameGeometry().size())
    left = max(available.left(), min(frame.left(), available.right() + 1 - frame.width()))
    top = max(available.top(), min(frame.top(), available.bottom() + 1 - frame.height()))
    window.move(QPoint(left, top))


class PlaceKeeper(QObject):
    """Stores the place of a window in the settings, a moment after it was moved or resized."""

    def __init__(self, window: QWidget, preferences: Preferences, setting: str = SETTING) -> None:
        super().__init__(window)
        self._window, self._setting = window, setting
        self._preferences = preferences
        self._pause = DelayedCall(self, SAVE_DELAY_MS, self.store)
        window.installEventFilter(self)

    def store(self) -> None:
        """Store the current place; a window in full screen keeps the one that it had before."""
        self._pause.stop()
        if not self._window.windowState() & (Qt.WindowState.WindowFullScreen | Qt.WindowState.WindowMinimized):
            self._preferences.set(self._setting, self._window.saveGeometry().toBase64().toStdString())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, MOVES) and watched is self._window and self._window.isVisible():
            self._pause.start()
        return False
