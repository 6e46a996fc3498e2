"""Name look-ups in threads of their own, and the addresses and trusted certificates of a configured server.

The system's resolver can hang for minutes and can't be stopped.
"""

import socket
from collections.abc import Callable, Iterable
from functools import cached_property
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import TYPE_CHECKING, Any

from desktop_rater.http.request import Deadline, HttpError, RequestUrl, is_loopback

if TYPE_CHECKING:
    import ssl

    from desktop_rater.http.transport import CancellableTransport

Resolve = Callable[..., list[Any]]
MAX_LOOKUP_THREADS = 64  # threads that hang: each costs some memory, and they end by themselves


class NameResolver:
    """Look-ups by `resolve`, which takes and returns what `socket.getaddrinfo` does."""

    def __init__(self, resolve: Resolve, most: int = MAX_LOOKUP_THREADS) -> None:
        self._resolve = resolve
        self._free = BoundedSemaphore(most)

    def addresses(self, host: str, port: int, waits: Iterable[float]) -> list[str]:
        """Return the distinct addresses of a host in their order. Raises what `waits` or `resolve` raise.

        A thread whose caller stops waiting is left to end by itself.
        """
        results: SimpleQueue[list[Any] | Exception] = SimpleQueue()
        started = False
        for seconds in waits:
            if not started:
                started = self._free.acquire(timeout=seconds)
                if started:
                    Thread(target=self._resolve_into, args=(host, port, results), name="look-up", daemon=True).start()
                continue
            try:
                result = results.get(timeout=seconds)
            except Empty:
                continue
            if isinstance(result, Exception):
                raise result
            return list(dict.fromkeys(entry[4][0] for entry in result))
        raise AssertionError("the waits end by raising")

    def _resolve_into(self, host: str, port: int, results: SimpleQueue[list[Any] | Exception]) -> None:
        try:
            results.put(self._resolve(host, port, type=socket.SOCK_STREAM))
        except Exception as error:  # noqa: BLE001 - raised again in the waiting thread
            results.put(error)
        finally:
            self._free.release()


class ServerAccess:
    """Addresses and trusted certificates of a configured server.

    `resolve` behaves like `socket.getaddrinfo`; `certificates` is a PEM file of further roots, or empty.
    """

    def __init__(self, resolve: Resolve, certificates: str, seconds: float) -> None:
        self._look_ups = NameResolver(resolve)
        self._certificates = certificates
        self._seconds = seconds

    @cached_property
    def trust(self) -> "ssl.SSLContext":
        """Return the TLS context, loaded once since it takes a moment. Raises `HttpError`."""
        from desktop_rater.http.transport import make_tls_context  # noqa: PLC0415 - httpx loads with the first request

        try:
            return make_tls_context(self._certificates)
        except (OSError, ValueError) as error:  # ssl errors are OSErrors too; the path may be invalid
            raise HttpError("certificate", f"the roots in {self._certificates} can't be read") from error

    def transport(self, url: RequestUrl, kept_seconds: float = 0) -> "CancellableTransport":
        """Return a transport to a server, see there."""
        from desktop_rater.http.transport import CancellableTransport  # noqa: PLC0415 - httpx loads with the first request

        def addresses(host: str, port: int) -> list[str]:
            return self.addresses(url.scheme, host, port, transport.backend.deadline)

        transport = CancellableTransport(
            addresses, self.trust if url.scheme == "https" else None, kept_seconds=kept_seconds
        )
        return transport

    def addresses(self, scheme: str, host: str, port: int, deadline: Deadline) -> list[str]:
        """Return the addresses of a host; without TLS only this computer's. Raises `HttpError` and `Cancelled`."""
        seconds = min(self._seconds, deadline.left())
        try:
            addresses = self._look_ups.addresses(
                host, port, deadline.slices(seconds, "the host name could not be resolved in time")
            )
        except (OSError, UnicodeError) as error:
            raise HttpError("unreachable", f"the host {host} was not found") from error
        if scheme == "http":
            addresses = [address for address in addresses if is_loopback(address)]
        if not addresses:
            raise HttpError("unreachable", f"{host} has no address that is allowed")
        return addresses
