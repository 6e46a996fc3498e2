"""Requests, each over a connection of its own or over one that is kept.

No cookies, no redirects, nothing from the environment.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import httpcore

from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    import ssl
    from collections.abc import Generator, Iterator, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.trouble import HttpKind
    from desktop_rater.http.wire import Wire


_WITHOUT_BODY = frozenset({204, 304})
# What came after the end of an answer. httpcore tells nobody, and begins the next answer with it.
_LEFT_OVER = attrgetter("_connection._h11_state.trailing_data")


class Reply(NamedTuple):
    """The head of an answer, its headers in Latin-1; `chunks` is its body as it travels, without the framing."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    chunks: Iterator[bytes]


@contextmanager
def get(
    asked: Asked,
    headers: Sequence[tuple[str, str]],
    *,
    wire: Wire,
    trust: ssl.SSLContext | None,
    proxy: Asked | None = None,
) -> Generator[Reply]:
    """Ask, and close the connection when the caller has what it wants.

    `trust` is None where no certificate is to be checked, since the scheme is http. What libraries raise comes out as
    `HttpTrouble`, also while the body is read.
    """
    with _exchange("GET", asked, headers, None, wire=wire, trust=trust, proxy=proxy) as reply:
        yield reply


@contextmanager
def post(
    asked: Asked, headers: Sequence[tuple[str, str]], body: bytes, *, wire: Wire, trust: ssl.SSLContext | None
) -> Generator[Reply]:
    """Send `body`, as `get` asks."""
    whole = [*headers, ("Content-Length", str(len(body)))]
    with _exchange("POST", asked, whole, body, wire=wire, trust=trust, proxy=None) as reply:
        yield reply


class Line:
    """A connection to one server that is kept from one exchange to the next. For one thread at a time."""

    def __init__(self, wire: Wire, trust: ssl.SSLContext | None, kept_seconds: float) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=trust, network_backend=wire, max_connections=1, keepalive_expiry=kept_seconds
        )

    @contextmanager
    def ask(
        self, verb: str, asked: Asked, headers: Sequence[tuple[str, str]], body: Iterator[bytes] | None
    ) -> Generator[Reply]:
        """Ask as `get` does. The connection is kept where the answer was read to its end, and closed otherwise.

        It is closed too where the server said more than an answer: what is left over would be taken for the next one.
        """
        head = [_host(asked), *headers]
        empty = False
        try:
            with _in_our_words(), self._pool.stream(verb, _url(asked), headers=head, content=body) as response:
                empty = response.status in _WITHOUT_BODY and _announces(response.headers)
                yield _reply(response)
        finally:
            if empty or any(_LEFT_OVER(one)[0] for one in self._pool.connections):
                self._pool.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._pool.close()


@contextmanager
def _exchange(
    method: str,
    asked: Asked,
    headers: Sequence[tuple[str, str]],
    body: bytes | None,
    *,
    wire: Wire,
    trust: ssl.SSLContext | None,
    proxy: Asked | None,
) -> Generator[Reply]:
    head = [_host(asked), ("Connection", "close")]
    with (
        _in_our_words(),
        _pool(wire, trust, proxy) as pool,
        pool.stream(method, _url(asked), headers=[*head, *headers], content=body) as response,
    ):
        wire.body_begins()
        yield _reply(response)


@contextmanager
def _in_our_words() -> Generator[None]:
    logging.getLogger("httpcore").setLevel(logging.WARNING)  # at DEBUG it writes whole URLs
    try:
        yield
    except httpcore.ProxyError as error:
        raise HttpTrouble("unreachable", f"the proxy says {error}") from error
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise _protocol(str(error)) from error


def _announces(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether a body is to come, where there can be none: it would come a moment later, unasked."""
    named = {name.lower(): value for name, value in headers}
    return b"transfer-encoding" in named or named.get(b"content-length", b"0") != b"0"


def _reply(response: httpcore.Response) -> Reply:
    reason = response.extensions.get("reason_phrase", b"").decode("latin-1")
    # A letter a byte, so that it can be written down again as it came.
    pairs = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers)
    return Reply(response.status, reason, pairs, response.iter_stream())


# How the words of h11 begin, and what they mean. The others may quote what the server sent.
_MEANINGS: tuple[tuple[str, HttpKind, str], ...] = (
    ("Server disconnected", "unreachable", "it hung up without an answer"),
    ("peer closed", "unreachable", "the connection ended in the middle of the page"),
    ("Receive buffer too long", "protocol", "its headers are too long"),
    ("Received server _SWITCH", "protocol", "it wants to speak something else than HTTP"),
    ("InformationalResponse status_code", "protocol", "its status is none"),
    ("illegal", "protocol", "what it says is no HTTP"),
)


def _protocol(words: str) -> HttpTrouble:
    for start, kind, meaning in _MEANINGS:
        if words.startswith(start):
            return HttpTrouble(kind, meaning)
    return HttpTrouble("protocol", words.partition(":")[0][:100])


def _pool(wire: Wire, trust: ssl.SSLContext | None, proxy: Asked | None) -> httpcore.ConnectionPool:
    if proxy is None:
        return httpcore.ConnectionPool(ssl_context=trust, network_backend=wire, max_connections=1)
    return httpcore.HTTPProxy(_url(proxy), ssl_context=trust, network_backend=wire, max_connections=1)


def _url(asked: Asked) -> httpcore.URL:
    return httpcore.URL(
        scheme=asked.scheme.encode("ascii"), host=asked.host.encode("ascii"), port=asked.port, target=asked.target
    )


def _host(asked: Asked) -> tuple[str, str]:
    host = f"[{asked.host}]" if ":" in asked.host else asked.host
    usual = {"http": 80, "https": 443}[asked.scheme]
    return ("Host", host if asked.port == usual else f"{host}:{asked.port}")
