"""The process that reads pages. It sees the bytes of strangers, so it has little memory, no files and no network.

`python -m desktop_rater.web.child`; a packaged program starts itself instead. The bytes of memory it may have are its
last argument.
"""

from __future__ import annotations

import logging
import sys
from importlib.machinery import BuiltinImporter, FrozenImporter
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.web.html_page import read_html
from desktop_rater.web.pdf_page import read_pdf
from desktop_rater.web.plain_page import read_plain
from desktop_rater.web.reading import READY, Ask, Reading, put, received, send
from desktop_rater.web.warming import warming_pages

if TYPE_CHECKING:
    from typing import Any

_READERS = {"html": read_html, "text": read_plain, "pdf": read_pdf}
_REFUSED = ("open", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.startfile", "subprocess.Popen")


def main() -> int:
    """Answer one page after another, until nobody asks."""
    logging.disable()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    # What a library prints must not come between the frames.
    sys.stdout = sys.stderr
    for page in warming_pages():
        read(page)
    shut_in(int(sys.argv[-1]))
    put(answers, READY)
    while frame := received(asked):
        send(answers, read(msgspec.msgpack.decode(frame, type=ready(Ask))))
    return 0


def read(ask: Ask) -> Reading:
    """The page, or `broken`: whatever the bytes of a stranger make a library raise is the trouble of that page."""
    _alarm(ask.seconds)
    try:
        return _READERS[ask.kind](ask)
    # Where memory ends inside a library's C code, that may come back with nothing and not say why.
    except (MemoryError, SystemError):
        return Reading(state="broken", why="Reading the page takes more memory than the reader has.", spent=True)
    except RecursionError:
        return Reading(state="broken", why="The page is nested too deep to be read.")
    except Exception as trouble:  # noqa: BLE001 - see above
        return Reading(state="broken", why=f"The page can't be read: {type(trouble).__name__} while reading it.")
    finally:
        _alarm(0)


def shut_in(memory: int) -> None:
    """Take from this process, for good, what reading a page does not need, as far as the system can."""
    # No such limits on Windows: there the size of what is asked and the time that the parent waits are the bounds.
    if sys.platform != "win32":
        _limit(memory)
    # What is not loaded by now is not there.
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter]
    sys.addaudithook(_refuse)


def _limit(memory: int) -> None:
    import resource  # noqa: PLC0415 - is missing on Windows

    for what, most in (
        # No descriptor is free beyond those of the pipes, so nothing, C code neither, opens a file or a connection.
        (resource.RLIMIT_NOFILE, 3),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory),
    ):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):  # macOS refuses RLIMIT_AS; the others hold
            continue


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    """Python's own ways to files, programs and the network; on Windows nothing else bars them."""
    if event in _REFUSED or event.startswith("socket."):
        raise PermissionError(event)


def _alarm(seconds: float) -> None:
    """End this process then, should nobody be left to do it."""
    if sys.platform != "win32":
        import signal  # noqa: PLC0415 - has no timers on Windows

        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    sys.exit(main())
