"""One GET or POST, over a connection of its own: no cookies, no redirects, nothing from the environment."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import httpcore

from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    import ssl
    from collections.abc import Generator, Iterator, Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.trouble import HttpKind
    from desktop_rater.http.wire import Wire


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
    logging.getLogger("httpcore").setLevel(logging.WARNING)  # at DEBUG it writes whole URLs
    try:
        with (
            _pool(wire, trust, proxy) as pool,
            pool.stream(method, _url(asked), headers=[*_head(asked), *headers], content=body) as response,
        ):
            wire.body_begins()
            reason = response.extensions.get("reason_phrase", b"").decode("latin-1")
            # A letter a byte, so that it can be written down again as it came.
            pairs = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers)
            yield Reply(response.status, reason, pairs, response.iter_stream())
    except httpcore.ProxyError as error:
        raise HttpTrouble("unreachable", f"the proxy says {error}") from error
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise _protocol(str(error)) from error


# How the words of h11 begin, and what they mean. The others may quote what the server sent.
_MEANINGS: tuple[tuple[str, HttpKind, str], ...] = (
    ("Server disconnected", "unreachable", "it hung up without an answer"),
    ("peer closed", "unreachable", "the connection ended in the middle of the page"),
    ("Receive buffer too long", "protocol", "its headers are too long"),
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


def _head(asked: Asked) -> list[tuple[str, str]]:
    host = f"[{asked.host}]" if ":" in asked.host else asked.host
    usual = {"http": 80, "https": 443}[asked.scheme]
    return [("Host", host if asked.port == usual else f"{host}:{asked.port}"), ("Connection", "close")]
