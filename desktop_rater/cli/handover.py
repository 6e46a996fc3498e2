"""A second start of the program: the window that is open is raised, and gets the files."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_rater.paths import window_socket

ANSWER_SECONDS = 10.0  # the open window may be busy for a moment
ACTIVATION_VARIABLES = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")


def hand_over(store: Path, files: Sequence[Path] = ()) -> bool:
    """Ask the user's own window on a store to open files and come to the front; return whether it will."""
    socket_file = window_socket(store)
    if not _is_own_socket(socket_file):
        return False
    from desktop_rater.model.window_request import ACCEPTED, MOST_BYTES, WindowRequest  # noqa: PLC0415 - rarely needed

    request = WindowRequest(
        store=os.path.realpath(store),
        files=tuple(str(path.absolute()) for path in files),
        activation=next((os.environ[name] for name in ACTIVATION_VARIABLES if os.environ.get(name)), ""),
    ).encoded()
    send = _send_through_pipe if sys.platform == "win32" else _send_through_socket
    return len(request) <= MOST_BYTES and send(socket_file, request) == ACCEPTED


def _is_own_socket(socket_file: Path) -> bool:
    """Return whether there is a socket that only this user can have put there."""
    try:
        folder, file = socket_file.parent.lstat(), socket_file.lstat()
    except OSError:
        return False
    if sys.platform == "win32":  # the user's profile belongs to the user
        return stat.S_ISREG(file.st_mode)
    own = folder.st_uid == file.st_uid == os.geteuid()
    return own and stat.S_ISDIR(folder.st_mode) and not folder.st_mode & 0o077 and stat.S_ISSOCK(file.st_mode)


def _send_through_socket(socket_file: Path, request: bytes) -> bytes:
    """Return the answer of the window; nothing if it is gone, or too busy to answer."""
    import socket  # noqa: PLC0415 - the first start must not wait for it

    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(str(socket_file))
            connection.sendall(request)
            return connection.recv(64)
    except OSError:
        return b""


def _send_through_pipe(name_file: Path, request: bytes) -> bytes:
    """Send as through a socket; the file contains the name of the pipe."""
    from desktop_rater.ui.window.window_requests import send_through_pipe  # noqa: PLC0415 - as above

    return send_through_pipe(name_file, request, timeout_ms=round(ANSWER_SECONDS * 1_000))
