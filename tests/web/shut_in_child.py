"""Run by a test: what a process can still do once it is shut in as the one that reads pages. Prints what worked."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
from pathlib import Path

from lxml import etree  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.web.child import restrict_process

LIBC = ctypes.CDLL(None)


def by_libc():
    if LIBC.open(sys.argv[1].encode(), os.O_RDONLY) < 0:
        raise OSError("no descriptor")


def by_libc_socket():
    if LIBC.socket(2, 1, 0) < 0:
        raise OSError("no descriptor")


WAYS = {
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
    except (OSError, ImportError, LookupError, MemoryError, etree.Error):
        return False
    return True


if __name__ == "__main__":
    if sys.argv[3] == "shut in":
        restrict_process(1 << 30)
    sys.stdout.write(",".join(name for name, way in WAYS.items() if works(way)))
