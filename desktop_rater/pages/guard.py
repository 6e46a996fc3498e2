"""Access control: the public web on its two ports, and nothing of this machine or its network."""

import ipaddress
import re
import socket
import time
import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from msgspec import Struct

from desktop_rater.format.change import Progress
from desktop_rater.http.request import Deadline, HttpError, RequestUrl
from desktop_rater.http.resolve import NameResolver, Resolve
from desktop_rater.pages.response import WebError, blocked_error, web_error_from_http
from desktop_rater.text.urls import DEFAULT_PORTS, host_of, page_key

if TYPE_CHECKING:
    import ssl


_ASCII_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.ASCII)
_MOST_CHARACTERS = 253  # RFC 1035
# Scripts that one language mixes (Unicode TR 39, "highly restrictive").
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)


class HostDisplay(NamedTuple):
    """A host in its own script and in ASCII. `mixed`: one label has letters of several scripts.

    The two are equal for a host that is ASCII anyway.
    """

    shown: str
    ascii: str
    mixed: bool


def ascii_host(host: str) -> str:
    """Return a host in lower case, international names in punycode. Raises `ValueError` if it is invalid."""
    if len(host) > _MOST_CHARACTERS:
        raise ValueError("it is longer than the name of a host may be")
    name = host.lower() if host.isascii() else _punycode(host)
    name = name.removesuffix(".")
    if len(name) > _MOST_CHARACTERS or not _ASCII_NAME.fullmatch(name):
        raise ValueError("it is not the name of a host")
    return name


def host_display(url: str) -> HostDisplay:
    """Return the host of a URL for display; empty if it has none. Never raises."""
    host = host_of(url)
    if not host or ":" in host:
        return HostDisplay(host, host, mixed=False)
    try:
        name = ascii_host(host)
    except ValueError:
        return HostDisplay(host, host, mixed=not host.isascii())
    displayed = ".".join(_decoded_label(label) for label in name.split("."))
    return HostDisplay(displayed, name, any(map(_is_mixed, displayed.split("."))))


def _punycode(host: str) -> str:
    import idna  # noqa: PLC0415 - large tables, and most names are ASCII

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError as error:
        raise ValueError(f"{error}") from error


def _decoded_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    import idna  # noqa: PLC0415 - as above

    try:
        return idna.decode(label)
    except idna.IDNAError:
        return label  # an invalid name is shown in punycode


def _is_mixed(label: str) -> bool:
    scripts = frozenset(
        unicodedata.name(character, "?").partition(" ")[0] for character in label if character.isalpha()
    )
    return len(scripts) > 1 and not any(scripts <= allowed for allowed in _TOGETHER)


_LONGEST = 2_048
# Browsers remove these anywhere in a URL, so "java\nscript:" is a scheme.
_REMOVED = re.compile("[\t\r\n\x00]")
_ENDS = "".join(map(chr, range(0x21)))
_WHITE = re.compile(r"\s")


class LinkResolver(Struct, frozen=True):
    """Cached resolution of links relative to `base`."""

    base: str
    _cache: dict[str, str] = {}

    def resolved(self, href: object) -> str:
        """Return the URL that an attribute names, see `resolve_link`; an empty text if there is no attribute."""
        text = str(href or "")
        if text not in self._cache:
            self._cache[text] = resolve_link(text, self.base)
        return self._cache[text]


def resolve_link(href: str, base: str) -> str:
    """Resolve `href` relative to `base`; an empty text if it is not a web page, or only an anchor in this one."""
    href = _REMOVED.sub("", href[: _LONGEST + 1]).strip(_ENDS)
    if not href or href.startswith("#") or len(href) > _LONGEST:
        return ""
    try:
        url = urljoin(base, _with_slashes(href))
        host = urlsplit(url).netloc
    except ValueError:  # brackets without an IPv6 address
        return ""
    page, fragment = urldefrag(url)
    if _WHITE.search(host) or (fragment and page == urldefrag(base).url):
        return ""
    url = _WHITE.sub("%20", url)
    return url if len(url) <= _LONGEST and page_key(url) is not None else ""


def base_url(href: str, final_url: str) -> str:
    """Return the base URL that a page declares; `javascript:` and the like are ignored."""
    return resolve_link(href, final_url) or final_url


def _with_slashes(href: str) -> str:
    """Replace backslashes before the query by slashes, as browsers do."""
    end = min((index for index in (href.find("?"), href.find("#")) if index >= 0), default=len(href))
    return href[:end].replace("\\", "/") + href[end:]


_LOCATIONS_MOST_CHARACTERS = 8192
# Characters of a path that are not escaped; "%" too, since existing escapes are kept.
_SAFE = "%!$&'()*+,-./:;=?@[]^_|~"
_BLANKS = " \t\r\n\f"


def parse_web_url(url: str) -> RequestUrl:
    """Parse a URL. Raises `WebError` with the state "blocked" if it is not a valid web address."""
    if len(url) > _LOCATIONS_MOST_CHARACTERS:
        raise blocked_error("The address is too long.")
    if page_key(url) is None:
        raise blocked_error(_fault(url), "Check the address for typing errors.")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = str(ipaddress.IPv6Address(host)) if ":" in host else ascii_host(host)
    except ValueError as error:
        raise blocked_error("The name of its host is not valid.", "Check the address.") from error
    scheme = parts.scheme
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return RequestUrl(
        scheme, host, parts.port or DEFAULT_PORTS[scheme], quote(target, _SAFE, errors="replace").encode("ascii")
    )


def redirect_target(url: str, header: str) -> str:
    """Return the target of the header Location of a response from `url`; blanks and line ends in it are tolerated."""
    target = _in_utf8(header).strip(_BLANKS).replace("\\", "/")
    for blank in _BLANKS:
        target = target.replace(blank, "%20" if blank == " " else "")
    try:
        return urljoin(url, target)
    except ValueError:
        return target  # invalid; the guard refuses it


def _in_utf8(header: str) -> str:
    """Decode a header as UTF-8 if possible: servers send it although headers are Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _fault(url: str) -> str:
    """Return the reason, for the user, why a URL is not a valid address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "It is not a valid address."
    if parts.scheme not in DEFAULT_PORTS:
        return "Only addresses with http or https are opened."
    if "@" in parts.netloc:
        return "It contains a user name before the host, which can be used to imitate another host."
    return "It is not a valid address."


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
    def trust(self) -> "ssl.SSLContext":
        """Return the TLS context, loaded once since it takes a moment."""
        from desktop_rater.http.transport import make_tls_context  # noqa: PLC0415 - not before the first page

        return make_tls_context(self._certificates)

    def _is_own(self, host: str) -> bool:
        return self._allow_loopback and is_loopback_literal(host)

    def _resolved(self, host: str, port: int, progress: Progress, seconds: float) -> list[str]:
        address = literal_address(host)
        if address is not None:
            return [address]
        if host.endswith(".invalid"):  # no such host exists (RFC 6761): a document of a library has this name
            raise _not_found_error(host)
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
