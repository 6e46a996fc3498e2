"""A server that somebody has set and that is asked many times: files go up and come down, connections are kept.

Whoever asks sees each answer as it is: a redirect is an answer, and nobody goes after it.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.http.patience import Patience
from desktop_rater.http.reaching import Reach
from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.clients import Line, Reply
    from desktop_rater.http.resolving import Resolve
    from desktop_rater.http.wire import Wire
    from desktop_rater.model.progress import Progress

# Asked twice, they do what they do once, so a kept connection that turns out to have ended costs nobody anything.
_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "PUT", "MKCOL"})


class ServerLimits(NamedTuple):
    """Seconds and bytes. `quiet_seconds`: how long nothing may move. The whole time grows with what has travelled."""

    begin_seconds: float = 60
    bytes_per_second: float = 16 * 1024  # what moves more slowly is given up
    look_up_seconds: float = 5
    connect_seconds: float = 10
    quiet_seconds: float = 30
    kept_seconds: float = 4  # Apache ends a connection after 5 without a request
    head_bytes: int = 64 * 1024
    rest_bytes: int = 64 * 1024  # of a body that nobody wants, read so that the connection can be kept


LIMITS = ServerLimits()


class Upload(NamedTuple):
    """A body that goes up. `pieces` begins anew each time, since it may have to be sent twice."""

    size: int
    pieces: Callable[[], Iterable[bytes]]


class _Kept(NamedTuple):
    line: Line
    wire: Wire


class Server:
    """Each thread that asks at the same time gets a connection of its own. `trust` and look-ups are as in `Plain`."""

    def __init__(
        self,
        clock: Callable[[], float],
        limits: ServerLimits = LIMITS,
        *,
        resolve: Resolve = socket.getaddrinfo,
        certificates: str = "",
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._reach = Reach(resolve, certificates, limits.look_up_seconds)
        self._idle: list[_Kept] = []
        self._closed = False

    @contextmanager
    def ask(
        self,
        verb: str,
        asked: Asked,
        headers: Sequence[tuple[str, str]],
        progress: Progress,
        *,
        upload: Upload | None = None,
        most: int = 0,
    ) -> Generator[Reply]:
        """The answer, whatever its status. At most `most` bytes of its body come, and some more where it is 0.

        Raises `HttpTrouble`, and `Cancelled` within a moment, also while the body is read.
        """
        size = upload.size if upload else 0
        limits = self._limits
        patience = Patience(progress, self._clock, limits.begin_seconds, limits.bytes_per_second)
        patience.whole = size
        whole = [*headers, ("Accept-Encoding", "identity")]
        if upload:
            whole.append(("Content-Length", str(size)))
        kept = self._line(asked, patience, limits.head_bytes + max(most, limits.rest_bytes))
        with ExitStack() as stack:
            stack.callback(self._back, kept)
            reply = self._begun(stack, kept, verb, asked, whole, upload)
            kept.wire.body_begins()
            self._sound(reply, patience)
            yield reply._replace(chunks=_watched(reply.chunks, patience))

    def close(self) -> None:
        """Let go of all connections; of those in use, when their exchange ends."""
        self._closed = True
        while self._idle:
            self._idle.pop().line.close()

    def _back(self, kept: _Kept) -> None:
        self._idle.append(kept)
        if self._closed:
            self.close()

    def _begun(
        self,
        stack: ExitStack,
        kept: _Kept,
        verb: str,
        asked: Asked,
        headers: Sequence[tuple[str, str]],
        upload: Upload | None,
    ) -> Reply:
        try:
            return stack.enter_context(kept.line.ask(verb, asked, headers, _body(upload)))
        except HttpTrouble as error:
            if error.kind != "unreachable" or kept.wire.connected or verb not in _REPEATABLE:
                raise
        return stack.enter_context(kept.line.ask(verb, asked, headers, _body(upload)))

    def _line(self, asked: Asked, patience: Patience, most_bytes: int) -> _Kept:
        try:
            kept = self._idle.pop()
        except IndexError:
            return self._fresh(asked, patience, most_bytes)
        kept.wire.begin(patience, most_bytes)
        return kept

    def _fresh(self, asked: Asked, patience: Patience, most_bytes: int) -> _Kept:
        from desktop_rater.http.clients import Line  # noqa: PLC0415 - httpcore is not loaded before the first call
        from desktop_rater.http.wire import Wire  # noqa: PLC0415 - as above

        limits = self._limits
        wire = Wire(
            lambda host, port: self._reach.addresses(asked.scheme, host, port, wire.patience),
            patience,
            connect_seconds=limits.connect_seconds,
            read_seconds=limits.quiet_seconds,
            head_bytes=limits.head_bytes,
            most_bytes=most_bytes,
        )
        trust = self._reach.trust if asked.scheme == "https" else None
        return _Kept(Line(wire, trust, limits.kept_seconds), wire)

    def _sound(self, reply: Reply, patience: Patience) -> None:
        named = {name.lower(): value for name, value in reply.headers}
        if named.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise HttpTrouble("protocol", "its answer is packed, which nobody asked for")
        length = named.get("content-length", "")
        if not patience.whole and length.isdecimal():
            patience.whole = int(length)


def _watched(chunks: Iterable[bytes], patience: Patience) -> Generator[bytes]:
    for chunk in chunks:
        patience.check()
        yield chunk


def _body(upload: Upload | None) -> Iterator[bytes] | None:
    return iter(upload.pieces()) if upload else None
