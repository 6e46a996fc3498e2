"""Which URLs are valid, and which of them are the same page."""

import re
import unicodedata
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address

# RFC 3986, appendix B. ASCII, or IGNORECASE lets the long s of "http\u017f" pass.
_URL = re.compile(r"(https?)://([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(.*))?", re.DOTALL)
# "@" would end a user name, and browsers take "\" for "/"; the others have no place in a host (RFC 3986, 3.2.2).
_NOT_IN_HOST = frozenset('@\\"<>^`{|}')
# What a full-width look-alike must not turn into when the host is resolved (RFC 5895 maps by NFKC).
_DELIMITERS = frozenset("/?#@:\\")
_WHITE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")  # the latter is the category Cc, whole
_PORTS = range(1, 65536)
_PORT_DIGITS = 5
_USUAL = 1_000  # characters; what is longer is not remembered


def page_of(url: str) -> str | None:
    """The key by which two URLs are the same page, or None where `url` is not valid. Never raises.

    Valid: absolute, http or https, with a host, no user name, no white space or control character (Unicode category
    Cc) anywhere, and, if a port is given, one of 1-65535 in ASCII digits. The key is the URL with scheme and host in
    lower case, without its fragment and without the trailing slashes of its path. All else stays as it is and tells
    pages apart: percent-encoding, a default port, an empty port ("a.example:"), an empty query ("a.example/?").
    """
    return _known(url) if len(url) <= _USUAL else _key(url)


def _key(url: str) -> str | None:
    parts = _URL.fullmatch(url)
    if parts is None or _WHITE_OR_CONTROL.search(url):
        return None
    scheme, authority, path, query = parts.groups(default="")
    if not _is_authority(authority):
        return None
    return f"{scheme.lower()}://{authority.lower()}{path.rstrip('/')}{query}"


_known = lru_cache(4_096)(_key)  # raters of one task name the same pages again and again


def _is_authority(authority: str) -> bool:
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        return False
    host, port = parts.groups(default="")
    return _is_port(port) and (_is_ipv6(host[1:-1]) if host.startswith("[") else _is_name(host))


def _is_port(port: str) -> bool:
    if not port:
        return True
    digits = port.lstrip("0")
    # The length comes first: int() raises for thousands of digits.
    return port.isascii() and port.isdigit() and len(digits) <= _PORT_DIGITS and int(digits or "0") in _PORTS


def _is_ipv6(address: str) -> bool:
    if "%" in address:  # a zone: a network card of one machine, which is no page
        return False
    try:
        IPv6Address(address)
    except AddressValueError:
        return False
    return True


def _is_name(host: str) -> bool:
    mapped = host if host.isascii() else unicodedata.normalize("NFKC", host)
    # Without a letter or digit ("https://...") it is a placeholder for a host.
    return _NOT_IN_HOST.isdisjoint(host) and _DELIMITERS.isdisjoint(mapped) and any(map(str.isalnum, host))
