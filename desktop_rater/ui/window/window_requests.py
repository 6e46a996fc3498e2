"""Files to open and requests to come to the front, from other starts of the program; requests of the system to quit.

On Windows the server is a pipe with a random name, which a file in the user's profile tells.
"""

import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QObject, QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from desktop_rater.files import remove_leftovers
from desktop_rater.format.opened_files import (
    ACCEPTED,
    MOST_BYTES,
    REFUSED,
    WindowRequest,
    can_open,
    is_source,
    paths_of,
    read_request,
)
from desktop_rater.paths import window_socket

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

PROBE_MS = 500
SIGNALS = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
SAVE_TIMEOUT_MS = 4_000  # Windows ends a program that has not answered for five seconds

OpenFiles = Callable[[tuple[Path, ...]], object]


class WindowRequests(QObject):
    """Server of one store: the first window listens, and later starts send their files to it.

    Requests wait until there is a window to open them in.
    """

    def __init__(self, store: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._store = store
        self._file = window_socket(store)
        self._server: QLocalServer | None = None
        self._waiting: list[tuple[Path, ...]] = []
        self._window: QWidget | None = None
        self._open_files: OpenFiles | None = None

    def listen(self) -> bool:
        """Become the window that later starts talk to, unless another one is; return whether this is so."""
        if self._server is not None:
            return True
        from PySide6.QtNetwork import QLocalServer  # noqa: PLC0415 - the first paint must not wait for it

        server = QLocalServer(self)
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            listens = _listen(server, self._file)
        except OSError:  # without a folder for it, each start has a window
            listens = False
        if listens:
            self._server = server
            server.newConnection.connect(self._accept)
        return listens

    def close(self) -> None:
        """Stop listening, and remove the socket."""
        if self._server is not None:
            self._server.close()
            self._server = None
            remove_leftovers([self._file])

    def serve(self, window: QWidget, open_files: OpenFiles) -> None:
        """Open files in a window, beginning with those that wait for one."""
        self._window, self._open_files = window, open_files
        waiting, self._waiting = self._waiting, []
        for paths in waiting:
            open_files(paths)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open files of a command or of the desktop, as if they were dropped on the window."""
        records, others = [], []
        for path in paths:
            if is_source(path):
                records.append(path)
            elif can_open((path,)):
                others.append(path)
        for group in map(tuple, filter(None, (others, records))):
            if self._open_files is None or not self._has_window():
                self._waiting.append(group)
            else:
                self._open_files(group)

    def _has_window(self) -> bool:
        """Return whether the window is open: one that was closed for a restore or a recovery must not come back."""
        return self._window is not None and Shiboken.isValid(self._window) and self._window.isVisible()

    def _accept(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            connection = self._server.nextPendingConnection()
            connection.setReadBufferSize(MOST_BYTES + 1)
            connection.readyRead.connect(partial(self._read, connection))
            connection.disconnected.connect(connection.deleteLater)
            self._read(connection)

    def _read(self, connection: "QLocalSocket") -> None:
        """Answer a complete line; a longer one than allowed ends the connection."""
        if not connection.canReadLine():
            if connection.bytesAvailable() > MOST_BYTES:
                connection.abort()
            return
        request = read_request(bytes(connection.readLine().data()), self._store)
        connection.write(REFUSED if request is None else ACCEPTED)
        connection.flush()  # now: opening the files may take longer than the other program waits
        connection.disconnectFromServer()
        if request is not None:
            self._follow(request)

    def _follow(self, request: WindowRequest) -> None:
        if self._window is not None and self._has_window():
            _raise(self._window, request.activation)
        self.open_files(paths_of(request.files))


def _raise(window: QWidget, activation: str) -> None:
    """Bring a window to the front; a desktop may allow it only with the token of the start that asks for it."""
    if activation and QApplication.platformName().startswith("wayland"):
        os.environ["XDG_ACTIVATION_TOKEN"] = activation  # Qt takes it from there, and removes it
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _listen(server: "QLocalServer", file: Path) -> bool:
    """Listen at a socket, also where a program that ended left its own; not where another program listens."""
    if sys.platform == "win32":
        name = _pipe_name(file)
        if name and _connected(name) is not None:
            return False
        server.setSocketOptions(server.SocketOption.UserAccessOption)
        name = f"desktop-rater-{secrets.token_hex(16)}"
        return server.listen(name) and bool(file.write_text(name, "ascii"))
    if server.listen(str(file)):
        return True
    if not file.is_socket() or _connected(str(file)) is not None:
        return False
    remove_leftovers([file])
    return server.listen(str(file))


def _connected(name: str) -> "QLocalSocket | None":
    """Return a connection to a server, if it listens."""
    from PySide6.QtNetwork import QLocalSocket  # noqa: PLC0415 - as above

    connection = QLocalSocket()
    connection.connectToServer(name)
    return connection if connection.waitForConnected(PROBE_MS) else None


def _pipe_name(file: Path) -> str:
    with suppress(OSError, ValueError):
        return file.read_bytes()[:100].decode("ascii")
    return ""


def send_through_pipe(file: Path, request: bytes, *, timeout_ms: int) -> bytes:
    """Send a request through the pipe that a file names; return the answer, nothing without one."""
    name = _pipe_name(file)
    connection = _connected(name) if name else None
    if connection is None:
        return b""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only there

        ctypes.WinDLL("user32").AllowSetForegroundWindow(-1)  # this process was started by the user, the window not
    connection.write(request)
    connection.flush()
    return bytes(connection.readLine().data()) if connection.waitForReadyRead(timeout_ms) else b""


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
