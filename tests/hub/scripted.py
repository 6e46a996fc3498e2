"""A server that says exactly the bytes that a test wants, to see what becomes of them.

with Scripted(lambda asked: say(404)) as server:
    server.asked[0].verb, server.asked[0].head
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from email.utils import format_datetime
from typing import NamedTuple, Self

from desktop_rater.format.values import utc_now

HOST = "127.0.0.1"


class Asked(NamedTuple):
    """A request as it came: the names of `headers` in lower case. `connection` counts from 0."""

    verb: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


class Say(NamedTuple):
    """What to answer, and whether to hang up then. `silent`: say nothing more until the server closes."""

    raw: bytes
    hang_up: bool = False
    silent: bool = False


def say(status: int, body: bytes = b"", *, hang_up: bool = False, **headers: str) -> Say:
    """A well-formed answer; in names of headers, `_` stands for a hyphen. A Date is told unless one is given."""
    named = {"Date": format_datetime(utc_now(), usegmt=True), "Content-Length": str(len(body))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {value}" for name, value in named.items())]
    return Say("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, hang_up)


class Scripted:
    """Listens from the start. `answer` is asked for each request, from several threads where there are connections."""

    def __init__(self, answer: Callable[[Asked], Say], *, reads_bodies: bool = True) -> None:
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self.hung_up = threading.Event()
        self._answer = answer
        self._reads_bodies = reads_bodies
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._listen, daemon=True)]
        self._threads[0].start()

    @property
    def verbs(self) -> list[str]:
        return [one.verb for one in self.asked]

    @property
    def connections(self) -> int:
        return len({one.connection for one in self.asked})

    def close(self) -> None:
        self.closing.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        for one in self._threads:
            one.join(5)
        self._listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()

    def _listen(self) -> None:
        number = 0
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection, number), daemon=True)
            self._threads.append(thread)
            thread.start()
            number += 1

    def _serve(self, connection: socket.socket, number: int) -> None:
        connection.settimeout(0.1)
        with connection, suppress(OSError):
            coming = b""
            while True:
                found = self._next(connection, coming, number)
                if found is None:
                    return
                asked, coming = found
                self.asked.append(asked)
                said = self._answer(asked)
                connection.sendall(said.raw)
                if said.silent:
                    self.closing.wait(30)
                if said.hang_up:
                    break
        self.hung_up.set()

    def _next(self, connection: socket.socket, coming: bytes, number: int) -> tuple[Asked, bytes] | None:
        while b"\r\n\r\n" not in coming:
            piece = self._piece(connection)
            if not piece:
                return None
            coming += piece
        head, _, coming = coming.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        verb, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", 0)) if self._reads_bodies else 0
        while len(coming) < length:
            piece = self._piece(connection)
            if not piece:
                return None
            coming += piece
        return Asked(verb, target, headers, coming[:length], number), coming[length:]

    def _piece(self, connection: socket.socket) -> bytes:
        while not self.closing.is_set():
            with suppress(TimeoutError):
                return connection.recv(65536)
        return b""
