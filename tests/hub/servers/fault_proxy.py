"""Stands before a real server and does what networks and gateways do: cuts, stalls, flips bytes, answers for itself.

    with FaultProxy(apache.port) as proxy:
        proxy.rule = on("PUT", Fault(upload=1000))

Every request is passed on as it came, its Host included, over a connection of its own; what came is in `requests`.
"""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, Self

import h11

from tests.hub.servers.process import HOST

_PIECE = 16 * 1024
_STALL = 60  # seconds, after which even a stalled exchange ends


class Seen(NamedTuple):
    """A request as it came: `number` counts from 0, the names of `headers` are in lower case."""

    number: int
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Fault:
    """What happens to one exchange. `upload` and `answer` are bytes of a body that go through before all is cut."""

    upload: int | None = None
    answer: int | None = None
    dropped: bool = False  # cut before the server hears of it
    lost: bool = False  # the server does as asked, and nobody hears its answer
    quiet: bool = False  # cut with an end in place of a reset, as if all had been said
    flip_upload: int | None = None  # the byte at this place becomes another
    flip_answer: int | None = None
    stall: bool = False  # nothing happens until the proxy closes
    status: int | None = None  # the proxy answers so, and the server hears nothing
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


LOGIN_PAGE = Fault(
    status=200,
    headers=(("Content-Type", "text/html; charset=utf-8"),),
    body=b"<!DOCTYPE html><html><body><form>Please sign in to this network</form></body></html>",
)


def on(method: str, *faults: Fault, containing: str = "") -> Callable[[Seen], Fault | None]:
    """The first requests of that method and target get these faults, one each; all others pass."""
    left = list(faults)
    turn = threading.Lock()

    def rule(seen: Seen) -> Fault | None:
        with turn:
            return left.pop(0) if left and seen.method == method and containing in seen.target else None

    return rule


def at(number: int, fault: Fault) -> Callable[[Seen], Fault | None]:
    """The request of that number, from 0."""
    return lambda seen: fault if seen.number == number else None


def always(fault: Fault, *methods: str) -> Callable[[Seen], Fault | None]:
    """Every request of these methods, of all where none is named."""
    return lambda seen: fault if not methods or seen.method in methods else None


class FaultProxy:
    """Listens from the start; as long as it has no rule, it passes everything on."""

    def __init__(self, port: int) -> None:
        self.rule: Callable[[Seen], Fault | None] | None = None
        self.requests: list[Seen] = []
        self.closing = threading.Event()
        self._upstream = port
        self._turn = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server((HOST, 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._listen, name="fault proxy", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        with self._turn:
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def count(self, method: str = "") -> int:
        """How many requests came."""
        return sum(not method or one.method == method for one in list(self.requests))

    def forget(self) -> None:
        """No rule any more, and nothing has been asked."""
        self.rule = None
        self.requests.clear()

    def choose(self, request: h11.Request) -> Fault:
        """Note what was asked; what happens to it."""
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers)
        with self._turn:
            seen = Seen(len(self.requests), request.method.decode(), request.target.decode("latin-1"), headers)
            self.requests.append(seen)
        return (self.rule(seen) if self.rule else None) or Fault()

    def upstream(self) -> socket.socket:
        return socket.create_connection((HOST, self._upstream), timeout=_STALL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()

    def _listen(self) -> None:
        while not self.closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(_STALL)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer takes 40 ms
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each small answer takes 40 ms more
        with self._turn:
            self._open.add(connection)
        with suppress(OSError, h11.ProtocolError, _Cut):  # the other side went away, or was cut off, as it should
            _Client(self, connection).serve()
        connection.close()
        with self._turn:
            self._open.discard(connection)


class _Cut(Exception):
    """This connection is over."""


class _Client:
    """One connection of a client: its requests, one after the other."""

    def __init__(self, proxy: FaultProxy, connection: socket.socket) -> None:
        self._proxy = proxy
        self._connection = connection
        self._side = h11.Connection(h11.SERVER)

    def serve(self) -> None:
        while True:
            event = _next(self._side, self._connection)
            if not isinstance(event, h11.Request):
                return
            self._exchange(event, self._proxy.choose(event))
            if self._side.our_state is not h11.DONE or self._side.their_state is not h11.DONE:
                return
            self._side.start_next_cycle()

    def _exchange(self, request: h11.Request, fault: Fault) -> None:
        if self._side.they_are_waiting_for_100_continue:
            self._say(h11.InformationalResponse(status_code=100, headers=[]))
        if fault.stall:
            self._proxy.closing.wait(_STALL)
            raise _Cut
        if fault.dropped:
            for _ in self._body():
                pass
            self._cut(self._connection, fault)
        if fault.status is not None:
            for _ in self._body():
                pass
            self._answer_alone(fault, head=request.method == b"HEAD")
            return
        with self._proxy.upstream() as server:
            self._pass_on(request, server, fault)

    def _answer_alone(self, fault: Fault, *, head: bool) -> None:
        assert fault.status is not None
        length = [("Content-Length", str(len(fault.body)))]
        self._say(h11.Response(status_code=fault.status, headers=[*fault.headers, *length]))
        if fault.body and not head:
            self._say(h11.Data(data=fault.body))
        self._say(h11.EndOfMessage())

    def _pass_on(self, request: h11.Request, server: socket.socket, fault: Fault) -> None:
        side = h11.Connection(h11.CLIENT)
        kept = [(name, value) for name, value in request.headers if name not in (b"connection", b"expect")]
        head = h11.Request(method=request.method, target=request.target, headers=kept)
        server.sendall(side.send(head) or b"")
        for piece in _spoilt(self._body(), fault.upload, fault.flip_upload):
            if piece is None:
                self._cut(server, fault)
            with suppress(OSError):  # it may have answered before it has all
                server.sendall(side.send(h11.Data(data=piece)) or b"")
        with suppress(OSError):
            server.sendall(side.send(h11.EndOfMessage()) or b"")
        answer = _next(side, server)
        while isinstance(answer, h11.InformationalResponse):
            answer = _next(side, server)
        if fault.lost or not isinstance(answer, h11.Response):
            self._cut(server, fault)
        headers = [(name, value) for name, value in answer.headers if name != b"connection"]
        self._say(h11.Response(status_code=answer.status_code, headers=headers, reason=answer.reason))
        for piece in _spoilt(_data(side, server), fault.answer, fault.flip_answer):
            if piece is None:
                self._cut(server, fault)
            self._say(h11.Data(data=piece))
        self._say(h11.EndOfMessage())

    def _body(self) -> Iterator[bytes]:
        return _data(self._side, self._connection)

    def _say(self, event: h11.Event) -> None:
        self._connection.sendall(self._side.send(event) or b"")

    def _cut(self, server: socket.socket, fault: Fault) -> NoReturn:
        for one in (server, self._connection):
            if not fault.quiet:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
        raise _Cut


def _next(side: h11.Connection, connection: socket.socket) -> object:
    while True:
        event = side.next_event()
        if event is not h11.NEED_DATA:
            return event
        side.receive_data(connection.recv(_PIECE))


def _data(side: h11.Connection, connection: socket.socket) -> Iterator[bytes]:
    """The rest of a message, piece by piece."""
    while isinstance(event := _next(side, connection), h11.Data):
        yield bytes(event.data)


def _spoilt(pieces: Iterator[bytes], cut: int | None, flip: int | None) -> Iterator[bytes | None]:
    """The pieces with a byte flipped; None where they are cut off."""
    past = 0
    for piece in pieces:
        end = past + len(piece)
        if flip is not None and past <= flip < end:
            at = flip - past
            piece = piece[:at] + bytes([piece[at] ^ 1]) + piece[at + 1 :]  # noqa: PLW2901 - the same piece, spoilt
        if cut is not None and end >= cut:
            yield piece[: cut - past]
            yield None
            return
        yield piece
        past = end
    if cut is not None:
        yield None
