"""Run by a test: what a process can still do once it is shut in as the one that reads pages. Prints what worked."""

import ctypes
import errno
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

from lxml import etree  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.pages.sandbox import MACHINES, restrict_process

LIBC = ctypes.CDLL(None, use_errno=True)


def by_libc():
    if LIBC.open(sys.argv[1].encode(), os.O_RDONLY) < 0:
        raise OSError("no descriptor")


def by_libc_socket():
    if LIBC.socket(2, 1, 0) < 0:
        raise OSError("no descriptor")


def by_closing_a_descriptor(then):
    """Close the standard error first, which frees a descriptor, and restore nothing."""
    LIBC.close(2)
    if then() < 0:
        raise OSError("refused")


def fork_and_exec():
    child = LIBC.fork()
    if child == 0:
        LIBC.execl(b"/bin/true", b"true", None)
        LIBC._exit(1)
    if child < 0 or os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        return -1
    return child


def connect():
    address = struct.pack("=HH4s8x", socket.AF_INET, socket.htons(int(sys.argv[2])), bytes([127, 0, 0, 1]))
    return LIBC.connect(LIBC.socket(2, 1, 0), address, len(address))


def ptrace():
    """Look into a process that does not exist, which is an error of another kind than being refused."""
    LIBC.ptrace(3, 0, None, None)
    return -1 if ctypes.get_errno() == errno.EPERM else 0


FROM_C = {
    "close and open": lambda: LIBC.open(sys.argv[1].encode(), os.O_RDONLY),
    "close and connect": connect,
    "close and duplicate": lambda: LIBC.dup(1),
    "fork and exec": fork_and_exec,
    "thread": lambda: threading.Thread(target=lambda: None).start() or 0,
    "kill": lambda: LIBC.kill(os.getppid(), 0),
    "ptrace": ptrace,
}
WAYS = {
    **{name: lambda then=then: by_closing_a_descriptor(then) for name, then in FROM_C.items()},
    "open": lambda: Path(sys.argv[1]).read_text("utf-8"),
    "descriptor": lambda: os.open(sys.argv[1], os.O_RDONLY),
    "lxml": lambda: etree.parse(sys.argv[1]),
    "libc": by_libc,
    "write": lambda: Path(sys.argv[1] + ".new").write_text("x", "utf-8"),
    "socket": lambda: socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1),
    "libc socket": by_libc_socket,
    "look-up": lambda: socket.getaddrinfo("localhost", 80),
    "program": lambda: subprocess.run(["true"], check=True),
    "shell": lambda: os.system("true"),
    "import": lambda: __import__("sqlite3"),
    "memory": lambda: bytearray(2 << 30),
}


def works(way):
    try:
        way()
    except (OSError, ImportError, LookupError, MemoryError, RuntimeError, etree.Error):
        return False
    return True


if __name__ == "__main__":
    if sys.argv[3] == "limits only":
        MACHINES.clear()  # as on a machine without a table
    if sys.argv[3] != "free":
        restrict_process(1 << 30)
    sys.stdout.write("\n".join(name for name, way in WAYS.items() if works(way)))
