"""A transport of httpx over a network backend of our own: no cookies, no redirects, nothing from the environment.

Requests are passed to the transport itself: `httpx.Client` would store cookies, and fail on a redirect whose address
is invalid.
"""

import logging
import math
import ssl
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager

import certifi
import httpcore
import httpx

from desktop_rater.http.backend import CancellableBackend
from desktop_rater.http.errors import HttpError, HttpErrorKind
from desktop_rater.http.request_url import RequestUrl
from desktop_rater.http.response import StreamedResponse

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
