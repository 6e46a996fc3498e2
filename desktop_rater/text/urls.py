"""Links in texts, the validity of URLs, the key that identifies a page, and the parts of a URL."""

import re
import unicodedata
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import Any
from urllib.parse import urlsplit

# RFC 3986, appendix B. ASCII, or IGNORECASE lets the long s of "http\u017f" pass.
_URL = re.compile(r"(https?)://([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(.*))?", re.DOTALL)
# "@" would end a user name, and browsers take "\" for "/"; the others are invalid in a host (RFC 3986, 3.2.2).
_NOT_IN_HOST = frozenset('@\\"<>^`{|}')
# A full-width character must not become one of these when the host is resolved (RFC 5895 maps by NFKC).
_DELIMITERS = frozenset("/?#@:\\")
_WHITE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")  # the latter is all of category Cc
_PORTS = range(1, 65536)
_PORT_DIGITS = 5
_USUAL = 1_000  # characters; longer URLs are not cached


def page_key(url: str) -> str | None:
    """Return the key by which two URLs are the same page, or None if `url` is not valid. Never raises.

    Valid: absolute, http or https, with a host, no user name, no white space or control character (Unicode category Cc)
    anywhere, and, if a port is given, one of 1-65535 in ASCII digits. The key is the URL with scheme and host in lower
    case, without its fragment and without the trailing slashes of its path. Everything else distinguishes pages:
    percent-encoding, a default port, an empty port ("a.example:"), an empty query ("a.example/?").
    """
    return _cached_key(url) if len(url) <= _USUAL else _key(url)


def _key(url: str) -> str | None:
    parts = _URL.fullmatch(url)
    if parts is None or _WHITE_OR_CONTROL.search(url):
        return None
    scheme, authority, path, query = parts.groups(default="")
    if not _is_authority(authority):
        return None
    return f"{scheme.lower()}://{authority.lower()}{path.rstrip('/')}{query}"


_cached_key = lru_cache(4_096)(_key)  # a task names the same pages many times


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
    if "%" in address:  # a zone: an interface of one machine, not a page
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


DEFAULT_PORTS = {"http": 80, "https": 443}


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, without brackets; empty if there is none. Never raises."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # brackets without an IPv6 address
        return ""


def authority(scheme: str, host: str, port: int | None) -> str:
    """Return host and port as in a URL: an IPv6 address in brackets, the port only if it is not the default."""
    name = f"[{host}]" if ":" in host else host
    return name if port in (None, DEFAULT_PORTS.get(scheme)) else f"{name}:{port}"


_LINK = re.compile(r'https?://[^\s<>"]+')
_SCHEME = re.compile(r"https?://")
_TRAILING = frozenset(".,;:!?'*`")
_OPENING = {")": "(", "]": "[", "}": "{"}


def find_links(text: str) -> list[str]:
    """Return the links in `text`, in order of appearance, repeated ones included; in linear time.

    A link is `http://` or `https://` (lower case) up to white space, `<`, `>` or `"`, without trailing `.,;:!?'*`,
    back-ticks and closing brackets that have no partner inside the link. A scheme with nothing after it is not a link.
    """
    return [link for link in map(_trimmed, _LINK.findall(text)) if not _SCHEME.fullmatch(link)]


def find_links_in_json(value: Any) -> list[str]:
    """Return the links in every string of a JSON value, keys included, in order; other types are ignored."""
    links: list[str] = []
    # A stack instead of recursion: a tool's output may be nested arbitrarily deep.
    stack = [value]
    while stack:
        match stack.pop():
            case str(text):
                links.extend(find_links(text))
            case list(values) | tuple(values):
                stack.extend(reversed(values))
            case dict(entries):
                stack.extend(part for entry in reversed(entries.items()) for part in reversed(entry))
    return links


def _trimmed(link: str) -> str:
    end = len(link)
    unmatched = _unmatched(link)
    while link[end - 1] in _TRAILING or unmatched[end - 1]:
        end -= 1
    return link[:end]


def _unmatched(link: str) -> bytearray:
    """Return a byte a character: 1 for a closing bracket without a partner before it; a cut end changes none."""
    flags = bytearray(len(link))
    open_counts = dict.fromkeys(_OPENING.values(), 0)
    for index, character in enumerate(link):
        if character in open_counts:
            open_counts[character] += 1
        elif opening := _OPENING.get(character):
            flags[index] = not open_counts[opening]
            open_counts[opening] -= not flags[index]
    return flags
