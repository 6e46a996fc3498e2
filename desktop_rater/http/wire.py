"""Sockets that wait in short slices, so that whoever cancels is heard at every step.

While connecting, in the handshake, while reading and while writing.
"""

from __future__ import annotations

import selectors
import socket
import ssl
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import httpcore

from desktop_rater.http.connecting import connect
from desktop_rater.http.trouble import HttpTrouble, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop_rater.http.patience import Patience

T = TypeVar("T")


class Wire(httpcore.NetworkBackend):
    """Connects to the addresses that `addresses` names for a host, and to nothing else.

    One for each exchange; or one for several, one after another, each of which begins with a patience of its own.
    """

    def __init__(
        self,
        addresses: Callable[[str, int], list[str]],
        patience: Patience,
        *,
        connect_seconds: float,
        read_seconds: float,
        head_bytes: int,
        most_bytes: int,
    ) -> None:
        self._addresses = addresses
        self.patience = patience
        self.connected = False
        self._connect_seconds = connect_seconds
        self._read_seconds = read_seconds
        self._head_bytes = head_bytes
        self._most_bytes = most_bytes
        self._most_now = head_bytes

    def begin(self, patience: Patience, most_bytes: int) -> None:
        """Another exchange; `connected` says from here on whether it wanted a connection of its own."""
        self.patience = patience
        self.connected = False
        self._most_bytes = most_bytes
        self._most_now = self._head_bytes

    def body_begins(self) -> None:
        """The head is in: from here on it is the larger limit that holds."""
        self._most_now = self._most_bytes

    def came(self, count: int) -> None:
        """Count what came. Raises `HttpTrouble` when it is too much."""
        self.patience.received += count
        if self.patience.received > self._most_now:
            raise HttpTrouble("too_large", "more came than a page may have")

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - patience has the last word
        local_address: str | None = None,  # noqa: ARG002 - the system chooses
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002 - none are set
    ) -> httpcore.NetworkStream:
        self.connected = True
        addresses = self._addresses(host, port)
        waits = self.patience.slices(self._connect_seconds, "the server does not take the connection")
        connection = connect(addresses, port, waits)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return WireStream(connection, self, self._read_seconds)


class WireStream(httpcore.NetworkStream):
    """A connection that counts what comes in and goes out, framing included."""

    def __init__(self, connection: socket.socket, wire: Wire, seconds: float) -> None:
        self._connection = connection
        self._wire = wire
        self._seconds = seconds

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - as above
        data = self._patiently(partial(self._connection.recv, max_bytes), "the server fell silent")
        self._wire.came(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - as above
        rest = memoryview(buffer)
        while rest:
            try:
                went = self._patiently(partial(self._connection.send, rest), "the server does not listen")
            except HttpTrouble as error:
                if error.kind == "unreachable":  # it may have answered before it hung up: httpcore reads on after this
                    raise httpcore.WriteError(str(error)) from error
                raise
            self._wire.patience.sent += went
            rest = rest[went:]

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
            self._patiently(secured.do_handshake, "the server does not finish its handshake")
        except BaseException:
            self.close()  # httpcore closes only what a handshake gave it
            raise
        return self

    def close(self) -> None:
        self._connection.close()

    def get_extra_info(self, info: str) -> object:
        """What httpcore asks for. A kept connection that has something to say unasked says that it has ended."""
        if info == "is_readable":
            return self._has_news()
        return self._connection if info == "socket" else None

    def _has_news(self) -> bool:
        if self._connection.fileno() < 0:
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            return bool(selector.select(0))

    def _patiently(self, step: Callable[[], T], late: str) -> T:
        try:
            for seconds in self._wire.patience.slices(self._seconds, late):
                self._connection.settimeout(seconds)
                with suppress(TimeoutError):
                    return step()
        except ssl.SSLCertVerificationError as error:
            raise HttpTrouble("certificate", error.verify_message) from error
        except ssl.SSLError as error:
            words = (error.reason or "nobody says why").lower().replace("_", " ")
            raise HttpTrouble("unreachable", f"there is no safe connection: {words}") from error
        except OSError as error:
            raise HttpTrouble("unreachable", reason_of(error)) from error
        raise AssertionError("patience ends by raising")
