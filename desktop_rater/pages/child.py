"""The process that reads pages. It handles untrusted bytes, so it has little memory, no files and no network.

On Linux it makes no system call beyond memory, clocks and its pipes.

`python -m desktop_rater.pages.child`; a packaged program starts itself instead. The last argument is the memory limit
in bytes.
"""

import codecs
import ctypes
import encodings
import errno
import faulthandler
import logging
import os
import pkgutil
import struct
import sys
import traceback
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import BuiltinImporter, FrozenImporter
from typing import Any

import msgspec

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.html_page import read_html
from desktop_rater.pages.page_reader import CHILD_READY, PageContent, ReadRequest, read_frame, send_message, write_frame
from desktop_rater.pages.pdf_page import read_pdf, read_plain
from desktop_rater.pages.response import WebError
from desktop_rater.windows_api import limit_process

# By machine: the kernel's number of the architecture, of `seccomp`, and of the calls that remain.
MACHINES = {
    "x86_64": (
        0xC000003E,
        317,
        {
            "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
            "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "readv": 19,
            "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "setitimer": 38,
            "getpid": 39, "exit": 60, "gettimeofday": 96, "sysinfo": 99, "sigaltstack": 131, "gettid": 186,
            "time": 201, "futex": 202, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229,
            "clock_nanosleep": 230, "exit_group": 231, "getrandom": 318, "rseq": 334,
        },
    ),
    "aarch64": (
        0xC00000B7,
        277,
        {
            "close": 57, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66, "ppoll": 73, "fstat": 80,
            "exit": 93, "exit_group": 94, "futex": 98, "nanosleep": 101, "setitimer": 103, "clock_gettime": 113,
            "clock_getres": 114, "clock_nanosleep": 115, "sched_yield": 124, "restart_syscall": 128,
            "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "gettimeofday": 169,
            "getpid": 172, "gettid": 178, "sysinfo": 179, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222,
            "mprotect": 226, "madvise": 233, "getrandom": 278, "rseq": 293,
        },
    ),
}  # fmt: skip

_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_OFFSET_OF_CALL, _OFFSET_OF_MACHINE = 0, 4
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000 | errno.EPERM
_NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 38, 1, 1


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def filter_system_calls() -> bool:
    """Let all system calls but a few fail, for good; return whether this kernel and machine can do it."""
    machine = MACHINES.get(os.uname().machine) if sys.platform == "linux" and sys.maxsize > 2**32 else None
    if machine is None:
        return False
    architecture, seccomp, calls = machine
    program = _instructions(architecture, sorted(calls.values()))
    libc = ctypes.CDLL(None, use_errno=True)
    # Without it, only root may install a filter.
    if libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        return False
    argument = _Program(len(program), b"".join(program))
    installed = libc.syscall(
        ctypes.c_long(seccomp), ctypes.c_ulong(_SET_FILTER), ctypes.c_ulong(_ALL_THREADS), ctypes.byref(argument)
    )
    return installed == 0


def _instructions(architecture: int, calls: list[int]) -> list[bytes]:
    # Each jump gives the number of instructions to skip if equal, and if not.
    last = len(calls) - 1
    return [
        struct.pack("=HBBI", *instruction)
        for instruction in (
            (_LOAD, 0, 0, _OFFSET_OF_MACHINE),
            (_JUMP_IF_EQUAL, 0, len(calls) + 1, architecture),
            (_LOAD, 0, 0, _OFFSET_OF_CALL),
            *((_JUMP_IF_EQUAL, last - index + 1, 0, call) for index, call in enumerate(calls)),
            (_RETURN, 0, 0, _FAIL),
            (_RETURN, 0, 0, _ALLOW),
        )
    ]


_ARTICLE = b"<title>Page</title><h1>Page</h1>" + b"".join(
    b"<p>Paragraph %d of a page that is read once so that its reader is warm, and never shown.</p>" % number
    for number in range(9)
)
# So short that every strategy for finding a main text is tried.
_SHORT = b'<html lang="en"><title>Page</title><nav>Page</nav><table><tr><td>1<td><a href="/">2</a></table>'
_DRAWN = zlib.compress(b"BT /F1 12 Tf 20 20 Td (Page) Tj ET")
_TO_UNICODE = (
    b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange<00><ff>endcodespacerange\n"
    b"1 beginbfchar\n<50><0050>\nendbfchar\n1 beginbfrange\n<61><65><0061>\nendbfrange\nendcmap end end"
)


def load_codecs() -> None:
    """Load every codec of Python: a page, or a font in a PDF, may name any of them."""
    for module in pkgutil.iter_modules(encodings.__path__):
        with suppress(LookupError):  # a module that is no codec, or one of another system
            codecs.lookup(module.name)


def warming_pages() -> Iterator[ReadRequest]:
    """Yield one page for each code path of the child."""
    for kind, content_type, body in (
        ("html", "text/html; charset=utf-8", _ARTICLE),
        ("html", "text/html", _SHORT),
        ("text", "application/json", b'{"page": 1}'),
        ("pdf", "application/pdf", _pdf()),
    ):
        yield ReadRequest(
            kind=kind,
            final_url="https://page.example/",
            content_type=content_type,
            body=body,
            elements=1_000,
            depth=100,
            seconds=0,
        )


def _pdf() -> bytes:
    """Return a page with one word, in a font that is not embedded and has a map to Unicode with codes of one byte."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(_DRAWN), _DRAWN),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(_TO_UNICODE), _TO_UNICODE),
    )
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 7\n0000000000 65535 f \n" + table + end


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
