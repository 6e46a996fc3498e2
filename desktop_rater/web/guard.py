"""Who may be talked to: the public web on its two ports, and nothing of this machine or its network.

Twice: `check_url` looks at what is written, and `addresses` at what it resolves to, right before the socket connects to
that very address. The first is for a message and where nothing may be looked up; the second is what counts.
"""

from __future__ import annotations

import socket
import time
from functools import cached_property
from typing import TYPE_CHECKING

from desktop_rater.http.patience import Patience
from desktop_rater.http.resolving import LookUps
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.web.addresses import is_loopback, is_public, literal
from desktop_rater.web.locations import location
from desktop_rater.web.trouble import WebError, blocked, of_http

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.resolving import Resolve
    from desktop_rater.model.progress import Progress

PORTS = frozenset({80, 443})
# Names that only this machine or its network can mean (RFC 6761, 6762, 8375, and what routers and companies use).
_LOCAL = ("localhost", "local", "internal", "home.arpa", "lan", "localdomain", "intranet", "private", "corp", "home")
_ADVICE = "Only pages of the public web are opened here."


class Guard:
    """One for all that goes to the web.

    `allow_loopback` opens this machine's own addresses, written as numbers, on any port: for a page that somebody
    writes, and for tests. `proxy`, as "http://host:port", is a company's: everything goes through it, it looks up the
    names, and so it alone keeps private addresses away. `certificates` is a PEM file of roots to trust besides the
    usual ones. `resolve` is `socket.getaddrinfo` or behaves as it does.
    """

    def __init__(
        self,
        *,
        allow_loopback: bool = False,
        resolve: Resolve = socket.getaddrinfo,
        proxy: str = "",
        certificates: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._allow_loopback = allow_loopback
        self._look_ups = LookUps(resolve)
        self._proxy = proxy
        self._certificates = certificates
        self._clock = clock

    def check_url(self, url: str) -> None:
        """Raise `WebError` with the state "blocked" for a URL that nobody may open. Looks nothing up."""
        self.asked(url)

    def asked(self, url: str) -> Asked:
        """Where a URL leads. Raises as `check_url`."""
        asked = location(url)
        address = literal(asked.host)
        if address is None:
            if any(asked.host == name or asked.host.endswith(f".{name}") for name in _LOCAL):
                raise blocked(f"{asked.host} is a name of this computer or its network.", _ADVICE)
        elif self._is_own(asked.host):
            return asked
        elif not is_public(address):
            raise blocked(f"{address} is an address of this computer or its network.", _ADVICE)
        if asked.port not in PORTS:
            raise blocked(f"Port {asked.port} is not one of the web's, which are 80 and 443.", _ADVICE)
        return asked

    def addresses(self, host: str, port: int, *, progress: Progress, seconds: float = 5) -> list[str]:
        """The addresses of a host, all of them allowed. Raises `WebError`, or `Cancelled` within a moment.

        A host of which any address is private is refused: which one a connection would get is not for us to guess.
        """
        if self._is_own(host):
            return [host]
        if self.proxy is not None and (host, port) == (self.proxy.host, self.proxy.port):
            return self._resolved(host, port, progress, seconds)
        if port not in PORTS:
            raise blocked(f"Port {port} is not one of the web's, which are 80 and 443.", _ADVICE)
        found = self._resolved(host, port, progress, seconds)
        private = next((address for address in found if not is_public(address)), None)
        if private is not None:
            raise blocked(f"{host} leads to {private}, an address of this computer or its network.", _ADVICE)
        return found

    @cached_property
    def proxy(self) -> Asked | None:
        """The company's proxy. Raises `WebError` where it was set to something else."""
        return _proxy(self._proxy) if self._proxy else None

    @cached_property
    def trust(self) -> ssl.SSLContext:
        """Whose certificates count; reading them takes a moment."""
        from desktop_rater.http.trust import trust  # noqa: PLC0415 - not before the first page

        return trust(self._certificates)

    def _is_own(self, host: str) -> bool:
        return self._allow_loopback and is_loopback(host)

    def _resolved(self, host: str, port: int, progress: Progress, seconds: float) -> list[str]:
        address = literal(host)
        if address is not None:
            return [address]
        waits = Patience(progress, self._clock, seconds).slices(seconds, "nobody says where the host is")
        try:
            found = self._look_ups.addresses(host, port, waits)
        except HttpTrouble as error:
            raise of_http(error, host) from error
        except (OSError, UnicodeError) as error:  # UnicodeError: a name that is too long for the system
            raise _unknown(host) from error
        if not found:
            raise _unknown(host)
        return found


def _unknown(host: str) -> WebError:
    return WebError(
        f"{host} was not found.",
        "No host of that name is known, or this computer is offline.",
        "Check the address and the network.",
        state="unreachable",
    )


def _proxy(url: str) -> Asked:
    mistyped = blocked("The proxy that is set is not written as http://host:port.", "Correct the setting.")
    try:
        proxy = location(url)
    except WebError as error:
        raise mistyped from error
    if proxy.scheme != "http" or proxy.target != b"/":
        raise mistyped
    return proxy
