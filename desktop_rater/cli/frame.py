"""The start of the window, without loading the commands, if nothing but the window is asked for.

The window is opened, its frame first; or the one that is open already is raised, and gets the files.
"""

import gc
import io
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.format.errors import RaterError
from desktop_rater.format.opened_files import ACCEPTED, MOST_BYTES, can_open, request_to_open
from desktop_rater.format.values import utc_now
from desktop_rater.paths import default_store, window_socket

if TYPE_CHECKING:
    from desktop_rater.ui.window.startup import FirstPaint

COMPLETE_VARIABLE = "_DESKTOP_RATER_COMPLETE"  # set by the script, for the words that are completed
ANSWER_SECONDS = 10.0  # the open window may be busy for a moment
# Bytes held back while a command or the window runs, so that an error can be explained once the memory is used up.
# Nothing is written there; with it goes at least one whole arena of Python's allocator.
_MEMORY_TO_EXPLAIN = 2_000_000
ACTIVATION_VARIABLES = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")


def window_words(arguments: Sequence[str]) -> tuple[Path, list[Path]] | None:
    """Return the store and the files of a start that asks for the window alone: `[--store FOLDER] [FILE...]`.

    Words that could be commands are read as such, later.
    """
    has_store = len(arguments) >= 2 and arguments[0] == "--store" and not arguments[1].startswith("-")
    files = [Path(word) for word in (arguments[2:] if has_store else arguments)]
    if COMPLETE_VARIABLE in os.environ or has_no_screen() or not all(path.suffix and _is_file(path) for path in files):
        return None
    return Path(arguments[1]) if has_store else default_store(), files


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - no error for a name that is too long, which is explained later


def open_early(arguments: Sequence[str]) -> int | None:
    """Open the window if there are no other arguments than a store and files, and return its exit status.

    Other arguments are read as commands, later: the result is `None`.
    """
    words = window_words(arguments)
    return None if words is None else guarded(lambda: open_window(*words))


def guarded(run: Callable[[], int]) -> int:
    """Run a command, or the window, and return its exit status; an error is reported."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    spare_memory = None
    try:
        spare_memory = bytearray(_MEMORY_TO_EXPLAIN)
        return run()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the single handler of errors
        del spare_memory
        from desktop_rater.cli.root import report_error  # noqa: PLC0415 - a start without errors needs no commands

        return report_error(error)


def open_window(folder: Path, files: Sequence[Path] = (), *, another: bool = False) -> int:
    """Open files in the window on a store that is open, or open one until it is closed; `another`: in any case."""
    if not can_open(files):
        name = next((path for path in files if not can_open((path,))), files[0]).name
        kinds = "bundles, results and folders, or files of records such as CSV and JSON lines"
        raise RaterError(f"{name} can't be opened", f"The window opens {kinds}, not both at once.")
    if has_no_screen():
        raise RaterError("There is no display for the window.", hint="The commands work without one: see --help.")
    if not another and hand_over(folder, files):
        return 0
    try:
        first = paint_frame(folder)
        from desktop_rater.app import open_desktop_window  # noqa: PLC0415 - the window is on the screen by now
    except ImportError as error:
        from desktop_rater.operations.missing_library import report_library_error  # noqa: PLC0415 - rarely needed

        if report_library_error(error):  # in a dialog, too: there may be no terminal
            return 1
        raise

    gc.freeze()
    keep_secrets_from_children()
    exit_on_signals()
    return open_desktop_window(folder, files, now=utc_now, first=first, hand_over=None if another else hand_over)


def keep_secrets_from_children() -> None:
    """Remove secrets from the environment of child processes; the copy in `os.environ` keeps them for the window."""
    from desktop_rater.operations import credentials  # noqa: PLC0415 - see above

    for name in (credentials.HUB_VARIABLE, credentials.MODEL_KEY_VARIABLE, credentials.KEY_VARIABLE):
        os.unsetenv(name)


def exit_on_signals() -> None:
    """Exit at once on a signal until the window is open, which then saves and quits: `ui.window.window_requests`."""
    for name in ("SIGTERM", "SIGHUP"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_DFL)


def paint_frame(folder: Path) -> "FirstPaint":
    """Show the frame of the window on a store."""
    # Everything loaded now stays until the end. Scanning it for garbage now and at each later collection would take
    # noticeable time. From the first paint on, the application collects in its own thread.
    gc.disable()
    from desktop_rater.ui.window.startup import paint_first  # noqa: PLC0415 - see above

    return paint_first(folder, now=utc_now)


def has_no_screen() -> bool:
    """Return whether no window can be shown here."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not display and "QT_QPA_PLATFORM" not in os.environ


def use_offscreen_platform() -> None:
    """Let Qt draw windows without a screen. On Windows this platform of Qt has to be told where the fonts are."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if sys.platform == "win32":
        os.environ.setdefault("QT_QPA_FONTDIR", str(Path(os.environ.get("SYSTEMROOT", "C:/Windows")) / "Fonts"))


def hand_over(store: Path, files: Sequence[Path] = ()) -> bool:
    """Ask the user's own window on a store to open files and come to the front; return whether it will."""
    socket_file = window_socket(store)
    if not _is_own_socket(socket_file):
        return False

    activation = next((os.environ[name] for name in ACTIVATION_VARIABLES if os.environ.get(name)), "")
    request = request_to_open(store, files, activation).encoded()
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

    assert sys.platform != "win32", "a pipe is used there"
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
