"""Exchanges with a server that somebody has set, such as a language model: over TLS, or with this computer itself.

Who may be talked to is the user's choice, so no guard stands here. But nobody else is talked to either: a redirect is
an answer like others, and a plain connection goes to this computer's own addresses or nowhere.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

from desktop_rater.http.asked import Asked
from desktop_rater.http.patience import Patience
from desktop_rater.http.reaching import Reach, is_loopback
from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.http.resolving import Resolve
    from desktop_rater.model.progress import Progress

_PORTS = {"http": 80, "https": 443}
_MOST_CHARACTERS = 2_000


class PlainLimits(NamedTuple):
    """Seconds and bytes of one exchange. `read_seconds`: how long a server may say nothing; a model thinks."""

    total_seconds: float = 300
    look_up_seconds: float = 5
    connect_seconds: float = 10
    read_seconds: float = 180
    head_bytes: int = 64 * 1024
    body_bytes: int = 4 * 1024 * 1024


LIMITS = PlainLimits()


class Answered(NamedTuple):
    """An answer, whatever its status. The names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def address_of(url: str, *, allow_loopback: bool) -> Asked:
    """Where a set address leads. Raises `ValueError`, whose text says why it can't be used.

    `allow_loopback`: http is let through where the host is this computer.
    """
    if len(url) > _MOST_CHARACTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("It is not a plain address: ASCII letters without blanks")
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("Its port is no port") from None
    if "@" in parts.netloc:
        raise ValueError("It holds a user name or a password, and those don't belong in an address")
    if parts.query or parts.fragment:
        raise ValueError("It has a query or a fragment, which a base address has not")
    if not host or parts.scheme not in _PORTS:
        raise ValueError("It has to begin with https:// and name a host")
    if parts.scheme == "http" and not (allow_loopback and _names_this_computer(host)):
        raise ValueError("It has to begin with https://, since the texts would travel in the open otherwise")
    target = quote(parts.path.rstrip("/"), safe="%/~!$&'()*+,;=:@-._")
    return Asked(parts.scheme, host, port or _PORTS[parts.scheme], target.encode("ascii"))


class Plain:
    """Asks. `resolve` is `socket.getaddrinfo` or behaves as it does; `certificates` a PEM file of further roots."""

    def __init__(
        self,
        clock: Callable[[], float],
        limits: PlainLimits = LIMITS,
        *,
        resolve: Resolve = socket.getaddrinfo,
        certificates: str = "",
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._reach = Reach(resolve, certificates, limits.look_up_seconds)

    def post(self, asked: Asked, headers: Sequence[tuple[str, str]], body: bytes, progress: Progress) -> Answered:
        """Send `body` once. Raises `HttpTrouble`, and `Cancelled` within a moment."""
        from desktop_rater.http.clients import post  # noqa: PLC0415 - httpcore is not loaded before the first call
        from desktop_rater.http.wire import Wire  # noqa: PLC0415 - as above

        limits = self._limits
        patience = Patience(progress, self._clock, limits.total_seconds)
        wire = Wire(
            lambda host, port: self._reach.addresses(asked.scheme, host, port, patience),
            patience,
            connect_seconds=limits.connect_seconds,
            read_seconds=limits.read_seconds,
            head_bytes=limits.head_bytes,
            most_bytes=limits.head_bytes + limits.body_bytes,
        )
        trust = self._reach.trust if asked.scheme == "https" else None
        with post(asked, [*headers, ("Accept-Encoding", "identity")], body, wire=wire, trust=trust) as reply:
            pieces = []
            for chunk in reply.chunks:
                patience.check()
                pieces.append(chunk)
            named = {name.lower(): value for name, value in reply.headers}
        if named.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise HttpTrouble("protocol", "its answer is packed, which nobody asked for")
        return Answered(reply.status, named, b"".join(pieces))


def _names_this_computer(host: str) -> bool:
    return host == "localhost" or is_loopback(host)
