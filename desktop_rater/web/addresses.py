"""Which network addresses are on the public web.

Not `ipaddress.is_global`: up to Python 3.11.7 it lets NAT64, 6to4, ::127.0.0.1 and 224.0.0.1 through.
"""

from __future__ import annotations

import ipaddress
import socket

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
# All that is routed today, so that NAT64, mapped, unique local, link-local and multicast need no line of their own.
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


def is_public(address: str) -> bool:
    """Whether an address, as a resolver spells it, is one of the public web. What is no address is not."""
    ip = _ip(address)
    if isinstance(ip, ipaddress.IPv6Address):
        mapped = ip.ipv4_mapped
        if mapped is None:
            return ip in _PUBLIC_V6 and not any(ip in net for net in _REFUSED_V6)
        ip = mapped
    return ip is not None and not any(ip in net for net in _REFUSED_V4)


def is_loopback(address: str) -> bool:
    """Whether an address is 127.0.0.0/8 or ::1, in its usual spelling."""
    ip = _ip(address)
    return ip is not None and ip.is_loopback


def literal(host: str) -> str | None:
    """The address that a host is by itself, also in the spellings that only a resolver takes: 127.1, 0x7f000001, 0.

    None for a name.
    """
    if _ip(host) is not None:
        return host
    if not host[:1].isdigit():  # inet_aton takes nothing else, and reads only up to the first blank
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
