"""Requests of the system to quit: signals of termination, and the end of the desktop session."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

SIGNALS = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
SAVE_TIMEOUT_MS = 4_000  # Windows ends a program that has not answered for five seconds


class QuitRequests(QObject):
    """Closes the windows as the user would, so that what is being typed is saved. A second signal ends the program.

    `save` submits what was typed and returns whether all of it is in the store.
    """

    def __init__(self, app: QApplication, save: Callable[[], bool]) -> None:
        super().__init__(app)
        self._save = save
        # Python runs a handler when it gets to run at all: in an idle event loop only because of this socket.
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._quit)
        self._wakeup_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, _end_at_the_next) for number in SIGNALS}
        app.commitDataRequest.connect(self.save_in_time)

    def _quit(self) -> None:
        self._reader.recv(len(SIGNALS))
        QApplication.quit()

    def save_in_time(self, _manager: object = None) -> None:
        """Save everything before the session ends, which waits for this call and for nothing after it."""
        deadline = QDeadlineTimer(SAVE_TIMEOUT_MS)
        while not self._save() and not deadline.hasExpired():
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 50)

    def close(self) -> None:
        """Let signals end the program at once again: there is nothing left to save."""
        self._notifier.setEnabled(False)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup_fd)
        self._reader.close()
        self._writer.close()
        self.deleteLater()


def _end_at_the_next(number: int, _frame: object) -> None:
    """Let a second signal end the program, in case that it can't be closed."""
    signal.signal(number, signal.SIG_DFL)
