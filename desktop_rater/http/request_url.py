"""The URL of a request, in the parts that are sent, and the base address of a configured server."""

import ipaddress
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from desktop_rater.text.urls import DEFAULT_PORTS, authority

_MOST_CHARACTERS = 2_000


class RequestUrl(NamedTuple):
    """A parsed URL. `scheme` is http or https, `host` ASCII without brackets, `target` path and query as sent."""

    scheme: str
    host: str
    port: int
    target: bytes

    @property
    def authority(self) -> str:
        """Return the host, and the port if it is not the default, as in the header Host."""
        return authority(self.scheme, self.host, self.port)


def parse_base_url(url: str, *, allow_loopback: bool) -> RequestUrl:
    """Parse a configured base address. Raises `ValueError` whose text says why it can't be used.

    `allow_loopback`: http is accepted if the host is this computer.
    """
    if len(url) > _MOST_CHARACTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("It is not a valid address: it must consist of ASCII characters without spaces")
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("Its port is invalid") from None
    if "@" in parts.netloc:
        raise ValueError("It contains a user name or a password; remove them from the address")
    if parts.query or parts.fragment:
        raise ValueError("It has a query or a fragment; remove it from the base address")
    if not host or parts.scheme not in DEFAULT_PORTS:
        raise ValueError("It must begin with https:// and contain a host")
    if parts.scheme == "http" and not (allow_loopback and (host == "localhost" or is_loopback(host))):
        raise ValueError("It must begin with https://, otherwise texts would be sent unencrypted")
    target = quote(parts.path.rstrip("/"), safe="%/~!$&'()*+,;=:@-._")
    return RequestUrl(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme], target.encode("ascii"))


def is_loopback(address: str) -> bool:
    """Return whether `address` is a numeric address of this computer itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
