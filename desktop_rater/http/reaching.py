"""How a server that somebody has set is reached: its addresses, and whose certificates count for it."""

from __future__ import annotations

import ipaddress
from functools import cached_property
from typing import TYPE_CHECKING

from desktop_rater.http.resolving import LookUps
from desktop_rater.http.trouble import HttpTrouble

if TYPE_CHECKING:
    import ssl

    from desktop_rater.http.patience import Patience
    from desktop_rater.http.resolving import Resolve


class Reach:
    """`resolve` behaves as `socket.getaddrinfo` does; `certificates` is a PEM file of further roots, or empty."""

    def __init__(self, resolve: Resolve, certificates: str, seconds: float) -> None:
        self._look_ups = LookUps(resolve)
        self._certificates = certificates
        self._seconds = seconds

    @cached_property
    def trust(self) -> ssl.SSLContext:
        """Whose certificates count; reading them takes a moment. Raises `HttpTrouble`."""
        from desktop_rater.http.trust import trust  # noqa: PLC0415 - reading the roots takes a moment

        try:
            return trust(self._certificates)
        except (OSError, ValueError) as error:  # what ssl raises is an OSError too; a path may be none
            raise HttpTrouble("certificate", f"the roots in {self._certificates} can't be read") from error

    def addresses(self, scheme: str, host: str, port: int, patience: Patience) -> list[str]:
        """The addresses of a host; without TLS those of this computer alone. Raises `HttpTrouble`, and `Cancelled`."""
        seconds = min(self._seconds, patience.left())
        try:
            found = self._look_ups.addresses(host, port, patience.slices(seconds, "nobody says where the host is"))
        except (OSError, UnicodeError) as error:
            raise HttpTrouble("unreachable", f"no host is called {host}") from error
        if scheme == "http":
            found = [address for address in found if is_loopback(address)]
        if not found:
            raise HttpTrouble("unreachable", f"{host} has no address that may be used")
        return found


def is_loopback(address: str) -> bool:
    """Whether it is an address, in digits, of this computer itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
