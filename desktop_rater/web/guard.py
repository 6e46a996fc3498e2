"""Access control: the public web on its two ports, and nothing of this machine or its network.

Checked twice: `check_url` checks the URL, and `addresses` the resolved addresses, right before the socket connects to
one of them. The first is for the message and where no name may be resolved; the second is what protects.
Not `ipaddress.is_global`: up to Python 3.11.7 it accepts NAT64, 6to4, ::127.0.0.1 and 224.0.0.1.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from desktop_rater.http.deadline import Deadline
from desktop_rater.http.errors import HttpError
from desktop_rater.http.request_url import RequestUrl
from desktop_rater.http.resolve import NameResolver, Resolve
from desktop_rater.model.change import Progress
from desktop_rater.text.urls import DEFAULT_PORTS
from desktop_rater.web.errors import WebError, blocked_error, web_error_from_http
from desktop_rater.web.hostnames import parse_web_url

if TYPE_CHECKING:
    import ssl


_REFUSED_V4 = tuple(
    ipaddress.ip_network(net)
    for net in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a provider's NAT, and one cloud's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # one cloud's platform services, on a public-looking address
        "169.254.0.0/16",  # link-local, and the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# All that is routed today; this excludes NAT64, mapped, unique local, link-local and multicast.
_PUBLIC_V6 = ipaddress.ip_network("2000::/3")
_REFUSED_V6 = tuple(
    ipaddress.ip_network(net)
    for net in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)


def is_public_address(address: str) -> bool:
    """Return whether an address, as a resolver spells it, is on the public web. Invalid addresses are not."""
    ip = _ip(address)
    if isinstance(ip, ipaddress.IPv6Address):
        mapped = ip.ipv4_mapped
        if mapped is None:
            return ip in _PUBLIC_V6 and not any(ip in net for net in _REFUSED_V6)
        ip = mapped
    return ip is not None and not any(ip in net for net in _REFUSED_V4)


def is_loopback_literal(address: str) -> bool:
    """Return whether an address is in 127.0.0.0/8 or is ::1, in its usual spelling."""
    ip = _ip(address)
    return ip is not None and ip.is_loopback


def literal_address(host: str) -> str | None:
    """Return the address that a host is literally, also in spellings like 127.1, 0x7f000001 and 0; None for a name."""
    if _ip(host) is not None:
        return host
    if not host[:1].isdigit():  # inet_aton accepts nothing else, and reads only up to the first blank
        return None
    try:
        return socket.inet_ntoa(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        return None


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None


PORTS = frozenset(DEFAULT_PORTS.values())
# Names of this machine or its network (RFC 6761, 6762, 8375, and those used by routers and companies).
_LOCAL = ("localhost", "local", "internal", "home.arpa", "lan", "localdomain", "intranet", "private", "corp", "home")
_ADVICE = "Only pages of the public web are opened here."


class Guard:
    """Access control for all connections to the web.

    `allow_loopback` permits this machine's own addresses, written as numbers, on any port: for a page being written,
    and for tests. `proxy`, as "http://host:port", is a company's: all traffic goes through it and it resolves the
    names, so only it keeps private addresses away. `certificates` is a PEM file of additional trusted roots. `resolve`
    behaves like `socket.getaddrinfo`.
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
        self._look_ups = NameResolver(resolve)
        self._proxy = proxy
        self._certificates = certificates
        self._clock = clock

    def check_url(self, url: str) -> None:
        """Raise `WebError` with the state "blocked" for a URL that may not be opened. Resolves no names."""
        self.parse_allowed(url)

    def parse_allowed(self, url: str) -> RequestUrl:
        """Parse and check a URL. Raises like `check_url`."""
        parsed = parse_web_url(url)
        address = literal_address(parsed.host)
        if address is None:
            if any(parsed.host == name or parsed.host.endswith(f".{name}") for name in _LOCAL):
                raise blocked_error(f"{parsed.host} is a name of this computer or its network.", _ADVICE)
        elif self._is_own(parsed.host):
            return parsed
        elif not is_public_address(address):
            raise blocked_error(f"{address} is an address of this computer or its network.", _ADVICE)
        if parsed.port not in PORTS:
            raise blocked_error(f"Port {parsed.port} is not one of the web's, which are 80 and 443.", _ADVICE)
        return parsed

    def addresses(self, host: str, port: int, *, progress: Progress, seconds: float = 5) -> list[str]:
        """Return the addresses of a host, all of them allowed. Raises `WebError`, or `Cancelled` within a moment.

        A host with any private address is refused, since any of its addresses may be the one that is connected.
        """
        if self._is_own(host):
            return [host]
        if self.proxy is not None and (host, port) == (self.proxy.host, self.proxy.port):
            return self._resolved(host, port, progress, seconds)
        if port not in PORTS:
            raise blocked_error(f"Port {port} is not allowed; only 80 and 443 are.", _ADVICE)
        addresses = self._resolved(host, port, progress, seconds)
        private = next((address for address in addresses if not is_public_address(address)), None)
        if private is not None:
            raise blocked_error(f"{host} leads to {private}, an address of this computer or its network.", _ADVICE)
        return addresses

    @cached_property
    def proxy(self) -> RequestUrl | None:
        """Return the company's proxy. Raises `WebError` if the setting is invalid."""
        return _parse_proxy(self._proxy) if self._proxy else None

    def use_proxy(self, proxy: str) -> None:
        """Use another proxy for all later connections; "" for none."""
        self._proxy = proxy
        self.__dict__.pop("proxy", None)  # the cached value

    @cached_property
    def trust(self) -> ssl.SSLContext:
        """Return the TLS context, loaded once since it takes a moment."""
        from desktop_rater.http.transport import make_tls_context  # noqa: PLC0415 - not before the first page

        return make_tls_context(self._certificates)

    def _is_own(self, host: str) -> bool:
        return self._allow_loopback and is_loopback_literal(host)

    def _resolved(self, host: str, port: int, progress: Progress, seconds: float) -> list[str]:
        address = literal_address(host)
        if address is not None:
            return [address]
        waits = Deadline(progress, self._clock, seconds).slices(seconds, "the host name could not be resolved in time")
        try:
            addresses = self._look_ups.addresses(host, port, waits)
        except HttpError as error:
            raise web_error_from_http(error, host) from error
        except (OSError, UnicodeError) as error:  # UnicodeError: the name is too long for the system
            raise _not_found_error(host) from error
        if not addresses:
            raise _not_found_error(host)
        return addresses


def _not_found_error(host: str) -> WebError:
    return WebError(
        f"{host} was not found.",
        "No host of that name is known, or this computer is offline.",
        "Check the address and the network.",
        state="unreachable",
    )


def _parse_proxy(url: str) -> RequestUrl:
    mistyped = blocked_error("The proxy setting is not of the form http://host:port.", "Correct the setting.")
    try:
        proxy = parse_web_url(url)
    except WebError as error:
        raise mistyped from error
    if proxy.scheme != "http" or proxy.target != b"/":
        raise mistyped
    return proxy
