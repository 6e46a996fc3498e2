"""The process that reads pages. It handles untrusted bytes, so it has little memory, no files and no network.

`python -m desktop_rater.web.child`; a packaged program starts itself instead. The last argument is the memory limit in
bytes.
"""

import faulthandler
import logging
import sys
import traceback
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import BuiltinImporter, FrozenImporter
from typing import Any

import msgspec

from desktop_rater.model.strict_json import prepared_type
from desktop_rater.web.errors import WebError
from desktop_rater.web.html_page import read_html
from desktop_rater.web.pdf_page import read_pdf, read_plain
from desktop_rater.web.reader_process import (
    CHILD_READY,
    PageContent,
    ReadRequest,
    read_frame,
    send_message,
    write_frame,
)
from desktop_rater.web.system_calls import filter_system_calls
from desktop_rater.web.warm_up import load_codecs, warming_pages
from desktop_rater.windows_api import limit_process

_READERS = {"html": read_html, "text": read_plain, "pdf": read_pdf}
_FAULT = "This is a fault of Desktop Rater, not of the page: open the page in the browser of the system, and report it."
_REFUSED = ("open", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.startfile", "subprocess.Popen")


def main() -> int:
    """Read one page after another, until the parent closes the pipe."""
    logging.disable()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    # Output of a library must not get between the frames.
    sys.stdout = sys.stderr
    load_codecs()
    sys.meta_path.append(_missing)
    for page in warming_pages():
        read_page(page)
        _missing.absent.update(_missing.names)
    restrict_process(int(sys.argv[-1]))
    write_frame(answers, CHILD_READY)
    while frame := read_frame(requests):
        send_message(answers, read_page(msgspec.msgpack.decode(frame, type=prepared_type(ReadRequest))))
    return 0


def read_page(ask: ReadRequest) -> PageContent:
    """Read a page; any exception that a library raises for untrusted bytes gives a `broken` page."""
    _missing.names.clear()
    _alarm(ask.seconds)
    try:
        return _READERS[ask.kind](ask)
    # A library's C code that runs out of memory may fail without a reason.
    except (MemoryError, SystemError):
        return PageContent(state="broken", why="Reading the page takes more memory than the reader has.", spent=True)
    except WebError as error:
        return PageContent(state=error.state, why=error.message)
    except RecursionError:
        return PageContent(state="broken", why="The page is nested too deep to be read.")
    except Exception as error:  # noqa: BLE001 - see above
        why = f"A part of the reader is missing ({_missing.names[-1]})." if _missing.names else _place_of(error)
        return PageContent(state="broken", why=f"The page can't be read. {why} {_FAULT}")
    finally:
        _alarm(0)


class _MissingModules(MetaPathFinder):
    """The last finder of modules: finds none, and keeps the names of those that a library asks for too late.

    `absent` are those that were not found either while everything could be loaded.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.absent: set[str] = set()

    def find_spec(self, fullname: str, _path: object = None, _target: object = None) -> None:
        # All codecs are loaded, so any other is a name that does not exist.
        if not fullname.startswith("encodings.") and fullname not in self.absent:
            self.names.append(fullname)


_missing = _MissingModules()


def _place_of(error: Exception) -> str:
    """Return a sentence with the module and the line that raised `error`, which hold nothing of the page."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"The reader failed at line {line} of {frame.f_globals.get('__name__')}."


def restrict_process(memory: int) -> None:
    """Permanently drop what reading a page does not need, as far as the system can."""
    _limit(memory)
    # No module can be loaded from here on.
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, _missing]
    sys.addaudithook(_refuse)
    # Last, since nothing can be set up afterwards. A kernel without it is left with the limits above.
    filter_system_calls()


def _limit(memory: int) -> None:
    if sys.platform == "win32":
        with suppress(OSError):  # a parent's job may forbid another; the parent's timeout remains
            limit_process(memory)
        return
    import resource  # noqa: PLC0415 - is missing on Windows

    for resource_id, most in (
        # No new descriptor, even after one is closed, so not even C code can open a file or a connection.
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory),
    ):
        try:
            resource.setrlimit(resource_id, (most, most))
        except (ValueError, OSError):  # macOS refuses RLIMIT_AS; the others apply
            continue


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    """Block Python's access to files, programs and the network; on Windows this is the only barrier."""
    if event in _REFUSED or event.startswith("socket."):
        raise PermissionError(event)


def _alarm(seconds: float) -> None:
    """End this process after `seconds`, in case the parent is gone."""
    if sys.platform != "win32":
        import signal  # noqa: PLC0415 - has no timers on Windows

        signal.setitimer(signal.ITIMER_REAL, seconds)
    elif seconds:  # a thread of C code, which waits for no lock of Python
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.stderr)
    else:
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    sys.exit(main())
