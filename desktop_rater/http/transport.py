"""A transport of httpx over a network backend of our own: no cookies, no redirects, nothing from the environment.

Requests are passed to the transport itself: `httpx.Client` would store cookies, and fail on a redirect whose address
is invalid.
"""

import errno
import logging
import math
import os
import re
import selectors
import socket
import ssl
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import TypeVar, cast

import certifi
import httpcore
import httpx

from desktop_rater.http.request import (
    WAIT_SLICE,
    Deadline,
    ExchangeLimits,
    HttpError,
    HttpErrorKind,
    RequestUrl,
    StreamedResponse,
    os_error_reason,
)

_HEAD_START = round(0.25 / WAIT_SLICE)  # waits before the next address is tried too
# EWOULDBLOCK is Windows' EINPROGRESS.
_UNDER_WAY = frozenset({0, errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EAGAIN})


def connect_first(addresses: Sequence[str], port: int, waits: Iterable[float]) -> socket.socket:
    """Connect to one of `addresses`, which are numeric.

    `waits` yields how long to wait each time, and raises when the time is over.
    """
    race = _Race(port)
    try:
        return race.run(deque(addresses), waits)
    finally:
        race.close()


class _Race:
    """Connection attempts in progress; all but the first that succeeds are closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pending = selectors.DefaultSelector()
        self._reason = "the host has no address"

    def run(self, untried: deque[str], waits: Iterable[float]) -> socket.socket:
        for turn, seconds in enumerate(waits):
            while untried and (turn % _HEAD_START == 0 or not self._pending.get_map()):
                if self._start(untried.popleft()):
                    break
            if not self._pending.get_map():
                break  # all were tried and failed
            winner = self._first_connected(seconds)
            if winner is not None:
                return winner
        raise HttpError("unreachable", self._reason)

    def close(self) -> None:
        for key in list(self._pending.get_map().values()):
            cast("socket.socket", key.fileobj).close()
        self._pending.close()

    def _start(self, address: str) -> bool:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # a system without IPv6
            self._reason = os_error_reason(error)
            return False
        connection.settimeout(0)
        number = connection.connect_ex((address, self._port))
        if number not in _UNDER_WAY:
            self._fail(connection, number)
            return False
        self._pending.register(connection, selectors.EVENT_WRITE)
        return True

    def _first_connected(self, seconds: float) -> socket.socket | None:
        for key, _events in self._pending.select(seconds):
            connection = cast("socket.socket", key.fileobj)
            self._pending.unregister(connection)
            number = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if not number:
                return connection
            self._fail(connection, number)
        return None

    def _fail(self, connection: socket.socket, number: int) -> None:
        connection.close()
        self._reason = os_error_reason(OSError(number, os.strerror(number)))


T = TypeVar("T")

_BLANK_LINE = re.compile(rb"\n\r?\n")  # the end of a head, and of a body in chunks


class CancellableBackend(httpcore.NetworkBackend):
    """A back end of httpcore that connects only to the addresses that `addresses` returns for a host.

    It serves one exchange after the other; each starts with `begin`.
    """

    def __init__(self, addresses: Callable[[str, int], list[str]]) -> None:
        self._addresses = addresses

    def begin(self, deadline: Deadline, limits: ExchangeLimits) -> None:
        """Start an exchange; `connected` then tells if it needed a new connection."""
        self.deadline = deadline
        self.limits = limits
        self.connected = False
        self.body_left: float | None = None
        self._most_now = limits.head_bytes

    def start_body(self, length: float | None) -> None:
        """Apply the larger limit from here on: the response's head is complete, and `length` bytes follow, if known."""
        self._most_now = self.limits.most_bytes
        self.body_left = length

    def count_received(self, count: int) -> None:
        """Count received bytes. Raises `HttpError` if there are too many."""
        self.deadline.received += count
        if self.deadline.received > self._most_now:
            raise HttpError("too_large", "the response is too large")

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline decides
        local_address: str | None = None,  # noqa: ARG002 - the system chooses
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002 - none are set
    ) -> httpcore.NetworkStream:
        self.connected = True
        addresses = self._addresses(host, port)
        waits = self.deadline.slices(self.limits.connect_seconds, "the server did not accept the connection in time")
        connection = connect_first(addresses, port, waits)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return CancellableStream(connection, self)


class CancellableStream(httpcore.NetworkStream):
    """A connection that counts what comes in and goes out, framing included.

    httpcore would take bytes after the end of a response for the beginning of the next one. So it is given none beyond
    that end: what is left over stays here, and the connection counts as closed.
    """

    def __init__(self, connection: socket.socket, backend: CancellableBackend) -> None:
        self._connection = connection
        self._backend = backend
        self._received = b""  # not yet given to httpcore
        self._before = b""  # the last two bytes that were, unless they end a blank line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - as above
        if not self._received:
            receive = partial(self._connection.recv, max_bytes)
            self._received = self._within_deadline(receive, "the server stopped sending data")
            self._backend.count_received(len(self._received))
        size = self._portion()
        data, self._received = self._received[:size], self._received[size:]
        return data

    def _portion(self) -> int:
        """Return the number of received bytes that belong to the response for certain."""
        size, left, before = len(self._received), self._backend.body_left, self._before
        self._before = b""
        if left is not None:
            size = int(min(size, left))
            self._backend.body_left = left - size
        elif blank_line := _BLANK_LINE.search(before + self._received):
            size = blank_line.end() - len(before)
        else:
            self._before = (before + self._received)[-2:]
        return size

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - as above
        rest = memoryview(buffer)
        while rest:
            try:
                sent = self._within_deadline(partial(self._connection.send, rest), "the server stopped receiving data")
            except HttpError as error:
                if error.kind == "unreachable":  # it may have answered before closing: httpcore still reads after this
                    raise httpcore.WriteError(str(error)) from error
                raise
            self._backend.deadline.sent += sent
            rest = rest[sent:]

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - as above
    ) -> httpcore.NetworkStream:
        secured = ssl_context.wrap_socket(
            self._connection, server_hostname=server_hostname, do_handshake_on_connect=False
        )
        self._connection = secured
        try:
            self._within_deadline(secured.do_handshake, "the server did not complete the TLS handshake")
        except BaseException:
            self.close()  # httpcore closes only what a handshake gave it
            raise
        return self

    def close(self) -> None:
        self._connection.close()

    def get_extra_info(self, info: str) -> object:
        """Answer httpcore's queries. An idle connection with unrequested data counts as closed."""
        if info != "is_readable":
            return self._connection if info == "socket" else None
        if self._received or self._connection.fileno() < 0:
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            return bool(selector.select(0))

    def _within_deadline(self, operation: Callable[[], T], late_reason: str) -> T:
        try:
            for seconds in self._backend.deadline.slices(self._backend.limits.read_seconds, late_reason):
                self._connection.settimeout(seconds)
                with suppress(TimeoutError):
                    return operation()
        except ssl.SSLCertVerificationError as error:
            raise HttpError("certificate", error.verify_message) from error
        except ssl.SSLError as error:
            reason = (error.reason or "unknown reason").lower().replace("_", " ")
            raise HttpError("unreachable", f"the TLS connection failed: {reason}") from error
        except OSError as error:
            raise HttpError("unreachable", os_error_reason(error)) from error
        raise AssertionError("a deadline ends by raising")


_NO_BODY = frozenset({204, 304})


def make_tls_context(more: str = "") -> ssl.SSLContext:
    """Return a TLS context with the roots of certifi, of this computer, and of the PEM file `more`.

    A company that inspects the traffic of its laptops has its own root among those of the computer.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # checks the certificate and the name
    context.load_verify_locations(certifi.where())
    context.load_default_certs()
    if more:
        context.load_verify_locations(more)
    return context


class CancellableTransport(httpx.BaseTransport):
    """Sends requests, one at a time, over one connection to the addresses that `addresses` returns for host and port.

    It is kept for `kept_seconds` after a response that was read to its end; without that, it serves one request.
    `trust` is None for http, where no certificate is checked. Errors of the libraries are raised as `HttpError`.
    """

    def __init__(
        self,
        addresses: Callable[[str, int], list[str]],
        trust: ssl.SSLContext | None,
        *,
        proxy: RequestUrl | None = None,
        kept_seconds: float = 0,
    ) -> None:
        logging.getLogger("httpcore").setLevel(logging.WARNING)  # at DEBUG it writes whole URLs
        self.backend = CancellableBackend(addresses)
        self._kept = kept_seconds > 0
        self._pool = httpcore.ConnectionPool(
            ssl_context=trust,
            proxy=httpcore.Proxy(f"{proxy.scheme}://{proxy.authority}") if proxy else None,
            max_connections=1,
            keepalive_expiry=kept_seconds,
            network_backend=self.backend,
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        core_request = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=url.raw_scheme,
                host=url.raw_host,
                port=url.port,
                target=request.extensions.get("target", url.raw_path),
            ),
            headers=request.headers.raw,
            content=request.stream,
        )
        with _translated_errors():
            response = self._pool.handle_request(core_request)
        length = _body_length(request, response) if self._kept else math.inf
        self.backend.start_body(length)
        return httpx.Response(
            response.status,
            headers=response.headers,
            stream=_BodyStream(response, self.backend),
            extensions=response.extensions,
        )

    @contextmanager
    def stream(
        self,
        method: str,
        url: RequestUrl,
        headers: Sequence[tuple[str, str]],
        body: bytes | Iterable[bytes] | None = None,
        sign_in: tuple[str, str] | None = None,
    ) -> Generator[StreamedResponse]:
        """Send a request and yield the response, whatever its status. `sign_in`: user and password."""
        try:
            request = httpx.Request(
                method,
                f"{url.scheme}://{url.authority}/",
                headers=[*([] if self._kept else [("Connection", "close")]), *headers],
                content=body,
                extensions={"target": url.target},  # as it is: httpx would normalize it
            )
        except httpx.InvalidURL as error:
            raise HttpError("unreachable", "its address is not valid") from error
        if sign_in is not None:
            request = next(httpx.BasicAuth(*sign_in).auth_flow(request))
        with closing(self.handle_request(request)) as response:
            # One character per byte, so that the original bytes can be written again.
            raw_headers = tuple(
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
            )
            reason = response.extensions.get("reason_phrase", b"").decode("latin-1")
            lower_headers = {name.lower(): value for name, value in raw_headers}
            try:
                yield StreamedResponse(response.status_code, reason, raw_headers, lower_headers, response.iter_raw())
            finally:
                announces_body = "transfer-encoding" in lower_headers or lower_headers.get("content-length", "0") != "0"
                if announces_body and response.status_code in _NO_BODY:
                    self._pool.close()  # the body would arrive unrequested

    def close(self) -> None:
        self._pool.close()


class _BodyStream(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response, backend: CancellableBackend) -> None:
        self._response = response
        self._backend = backend

    def __iter__(self) -> Iterator[bytes]:
        with _translated_errors():
            for chunk in self._response.iter_stream():
                self._backend.deadline.check()
                yield chunk

    def close(self) -> None:
        self._response.close()


def _body_length(request: httpx.Request, response: httpcore.Response) -> float | None:
    """Return the number of bytes that follow the head; `None` if only the body itself shows its end."""
    headers = httpx.Headers(response.headers)
    if request.method == "HEAD" or response.status in _NO_BODY:
        return 0
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and "transfer-encoding" not in headers else None


# Beginnings of h11's messages, and their meanings. Other messages may quote what the server sent.
_MEANINGS: tuple[tuple[str, HttpErrorKind, str], ...] = (
    ("Server disconnected", "unreachable", "it closed the connection without a response"),
    ("peer closed", "unreachable", "the connection was closed before the response was complete"),
    ("Receive buffer too long", "protocol", "its headers are too long"),
    ("Received server _SWITCH", "protocol", "it wants to switch to another protocol than HTTP"),
    ("InformationalResponse status_code", "protocol", "its status code is invalid"),
    ("illegal", "protocol", "its response is not valid HTTP"),
)


@contextmanager
def _translated_errors() -> Generator[None]:
    try:
        yield
    except httpcore.ProxyError as error:
        raise HttpError("unreachable", f"the proxy reported: {error}") from error
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        text = str(error)
        meanings = ((kind, meaning) for start, kind, meaning in _MEANINGS if text.startswith(start))
        kind, meaning = next(meanings, ("protocol", text.partition(":")[0][:100]))
        raise HttpError(kind, meaning) from error
