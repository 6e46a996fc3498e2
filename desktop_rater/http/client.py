"""Clients for configured servers: single requests, and uploads and downloads over connections that are kept alive.

The user chooses the server, so the guard is not used. No other host is contacted: a redirect is returned like any
other response, and a connection without TLS goes only to this computer's own addresses.
"""

import socket
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.format.change import Progress
from desktop_rater.http.request import Deadline, ExchangeLimits, HttpError, RequestUrl, StreamedResponse
from desktop_rater.http.resolve import Resolve, ServerAccess

if TYPE_CHECKING:
    from desktop_rater.http.transport import CancellableTransport


class OneShotLimits(NamedTuple):
    """Limits of one exchange, in seconds and bytes. `read_seconds`: the longest silence; a model needs time."""

    total_seconds: float = 300
    look_up_seconds: float = 5
    connect_seconds: float = 10
    read_seconds: float = 180
    head_bytes: int = 64 * 1024
    body_bytes: int = 4 * 1024 * 1024


ONE_SHOT_LIMITS = OneShotLimits()


class OneShotResponse(NamedTuple):
    """A response with any status. The names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class OneShotClient:
    """A client for single POST requests.

    `resolve` behaves like `socket.getaddrinfo`; `certificates` is a PEM file of further root certificates.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        limits: OneShotLimits = ONE_SHOT_LIMITS,
        *,
        resolve: Resolve = socket.getaddrinfo,
        certificates: str = "",
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._access = ServerAccess(resolve, certificates, limits.look_up_seconds)

    def post(
        self, url: RequestUrl, headers: Sequence[tuple[str, str]], body: bytes, progress: Progress
    ) -> OneShotResponse:
        """Send `body` once. Raises `HttpError`, and `Cancelled` within a moment."""
        limits = self._limits
        deadline = Deadline(progress, self._clock, limits.total_seconds)
        with self._access.transport(url) as transport:
            transport.backend.begin(
                deadline,
                ExchangeLimits(
                    limits.connect_seconds,
                    limits.read_seconds,
                    limits.head_bytes,
                    limits.head_bytes + limits.body_bytes,
                ),
            )
            with transport.stream("POST", url, [*headers, _UNCOMPRESSED], body) as response:
                received = b"".join(response.chunks)
        _refuse_compressed(response)
        return OneShotResponse(response.status, response.headers, received)


# Idempotent methods: safe to repeat when an idle connection turns out to be closed.
_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "PUT", "MKCOL"})


class ServerLimits(NamedTuple):
    """Limits in seconds and bytes. `quiet_seconds`: the longest pause. The total time grows with the bytes moved."""

    begin_seconds: float = 60
    bytes_per_second: float = 16 * 1024  # slower transfers are given up
    look_up_seconds: float = 5
    connect_seconds: float = 10
    quiet_seconds: float = 30
    kept_seconds: float = 4  # Apache ends a connection after 5 without a request
    head_bytes: int = 64 * 1024
    rest_bytes: int = 64 * 1024  # of an unused body, read so that the connection can be reused


SERVER_LIMITS = ServerLimits()


class UploadBody(NamedTuple):
    """The body of an upload. `pieces` starts anew at each call, since the body may have to be sent twice."""

    size: int
    pieces: Callable[[], Iterable[bytes]]


class ServerClient:
    """A client with one connection for each thread that uses it at a time. Arguments as for `OneShotClient`."""

    def __init__(
        self,
        clock: Callable[[], float],
        limits: ServerLimits = SERVER_LIMITS,
        *,
        resolve: Resolve = socket.getaddrinfo,
        certificates: str = "",
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._access = ServerAccess(resolve, certificates, limits.look_up_seconds)
        self._idle: list[CancellableTransport] = []
        self._closed = False

    @contextmanager
    def stream(
        self,
        verb: str,
        url: RequestUrl,
        headers: Sequence[tuple[str, str]],
        progress: Progress,
        *,
        upload: UploadBody | None = None,
        most: int = 0,
        sign_in: tuple[str, str] | None = None,
    ) -> Generator[StreamedResponse]:
        """Send a request and yield the response, whatever its status.

        At most `most` bytes of the body are accepted, and a few more if it is 0. `sign_in`: user and password. Raises
        `HttpError`, and `Cancelled` within a moment, also while the body is read.
        """
        limits = self._limits
        deadline = Deadline(progress, self._clock, limits.begin_seconds, limits.bytes_per_second)
        deadline.whole = upload.size if upload else 0
        all_headers = [*headers, _UNCOMPRESSED, *([("Content-Length", str(upload.size))] if upload else [])]
        most_bytes = limits.head_bytes + max(most, limits.rest_bytes)
        with ExitStack() as stack:
            transport = stack.enter_context(self._connection(url))
            transport.backend.begin(
                deadline, ExchangeLimits(limits.connect_seconds, limits.quiet_seconds, limits.head_bytes, most_bytes)
            )

            def send() -> StreamedResponse:
                body = upload.pieces() if upload else None
                return stack.enter_context(transport.stream(verb, url, all_headers, body, sign_in))

            try:
                response = send()
            except HttpError as error:
                if error.kind != "unreachable" or transport.backend.connected or verb not in _REPEATABLE:
                    raise
                response = send()
            _refuse_compressed(response)
            length = response.headers.get("content-length", "")
            if not deadline.whole and length.isdecimal():
                deadline.whole = int(length)
            yield response

    def close(self) -> None:
        """Close all connections; those in use when their exchange ends."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connection(self, url: RequestUrl) -> "Generator[CancellableTransport]":
        """Yield an idle connection, or a new one, which connects with its first request."""
        try:
            transport = self._idle.pop()
        except IndexError:
            transport = self._access.transport(url, self._limits.kept_seconds)
        try:
            yield transport
        finally:
            self._idle.append(transport)
            if self._closed:
                self.close()


_UNCOMPRESSED = ("Accept-Encoding", "identity")


def _refuse_compressed(response: StreamedResponse) -> None:
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise HttpError("protocol", "the response is compressed, which was not requested")
