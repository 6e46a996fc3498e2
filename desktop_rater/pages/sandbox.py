"""Restriction of a process that reads untrusted bytes, before it receives them.

On Linux it then makes no system call beyond memory, clocks, and the files and pipes that are open.
"""

import ctypes
import errno
import os
import struct
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import BuiltinImporter, FrozenImporter
from typing import Any

from desktop_rater.windows_api import limit_process

# By machine: the kernel's number of the architecture, of `seccomp`, and of the calls that remain.
MACHINES = {
    "x86_64": (
        0xC000003E,
        317,
        {
            "read": 0, "write": 1, "close": 3, "fstat": 5, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
            "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "pread64": 17,
            "readv": 19, "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "setitimer": 38,
            "getpid": 39, "exit": 60, "gettimeofday": 96, "sysinfo": 99, "sigaltstack": 131, "gettid": 186,
            "time": 201, "futex": 202, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229,
            "clock_nanosleep": 230, "exit_group": 231, "getrandom": 318, "rseq": 334,
        },
    ),
    "aarch64": (
        0xC00000B7,
        277,
        {
            "close": 57, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "ppoll": 73,
            "fstat": 80, "exit": 93, "exit_group": 94, "futex": 98, "nanosleep": 101, "setitimer": 103,
            "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "sched_yield": 124,
            "restart_syscall": 128,
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


_REFUSED = ("open", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.startfile", "subprocess.Popen")


def restrict_process(memory: int, *finders: MetaPathFinder) -> None:
    """Permanently drop all that reading does not need, as far as the system can: files, programs, the network.

    `finders` of modules are asked last.
    """
    _limit(memory)
    # No module can be loaded from here on.
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, *finders]
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
