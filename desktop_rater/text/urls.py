"""Links in texts, the validity of URLs, the key that identifies a page, and the parts of a URL."""

import re
import unicodedata
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from desktop_rater.text.untrusted import has_unseen

# RFC 3986, appendix B. ASCII, or IGNORECASE lets the long s of "http\u017f" pass.
_URL = re.compile(r"(https?)://([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(.*))?", re.DOTALL)
# "@" would end a user name, and browsers take "\" for "/"; the others are invalid in a host (RFC 3986, 3.2.2).
_NOT_IN_HOST = frozenset('@\\"<>^`{|}')
# A full-width character must not become one of these when the host is resolved (RFC 5895 maps by NFKC).
_DELIMITERS = frozenset("/?#@:\\")
_WHITE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")  # the latter is all of category Cc
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})?")
_ESCAPES = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
DEFAULT_PORTS = {"http": 80, "https": 443}
_PORTS = range(1, 65536)
_PORT_DIGITS = 5
_USUAL = 1_000  # characters; longer URLs are not cached


def page_key(url: str) -> str | None:
    """Return the key by which two URLs are the same page, or None if `url` is not valid. Never raises.

    Valid: absolute, http or https, with a host, no user name, no white space or control character (Unicode category Cc)
    anywhere, and, if a port is given, one of 1-65535 in ASCII digits. The key is the URL with scheme and host in lower
    case, without an empty or default port, its fragment and the trailing slashes of its path, and with normalised
    percent-encoding (RFC 3986, sections 6.2.2 and 6.2.3). Everything else distinguishes pages, an empty query
    ("a.example/?") too. A key is its own key.
    """
    return _cached_key(url) if len(url) <= _USUAL else _key(url)


def _key(url: str) -> str | None:
    parts = _URL.fullmatch(url)
    if parts is None or _WHITE_OR_CONTROL.search(url):
        return None
    scheme, authority, path, query = parts.groups(default="")
    host_and_port = _AUTHORITY.fullmatch(authority)
    if host_and_port is None:
        return None
    scheme, (host, port) = scheme.lower(), host_and_port.groups(default="")
    name = _normalised(_normalised(host.lower()).lower())  # an encoded letter may be a capital
    if not (_is_port(port) and (_is_ipv6(host[1:-1]) if host.startswith("[") else _is_name(host) and _is_name(name))):
        return None
    port = f":{port}" if port and int(port[-_PORT_DIGITS:]) != DEFAULT_PORTS[scheme] else ""
    return f"{scheme}://{name}{port}{_normalised(path).rstrip('/')}{_normalised(query)}"


def _normalised(part: str) -> str:
    """Return a part of a URL with normalised percent-encoding, characters beyond ASCII encoded as UTF-8."""
    if not part.isascii():
        part = _BEYOND_ASCII.sub(lambda match: quote(match[0], errors="surrogatepass"), part)
    return _PERCENT.sub(_normalised_octet, part) if "%" in part else part


def _normalised_octet(match: re.Match[str]) -> str:
    digits = match[1]
    if digits is None:  # a percent sign that encodes nothing
        return "%25"
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"


_cached_key = lru_cache(4_096)(_key)  # a task names the same pages many times


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


# Characters that end a link, as the inside of a character class: white space, `<`, `>`, `"`, and those that close or
# separate in any script. Beyond ASCII these are the categories Pi, Pf, Ps and Pe of Unicode 14, the middle dot, the
# ellipsis, and Chinese and Japanese commas, stops, colons, exclamation and question marks. Letters of any script belong
# to a link.
LINK_ENDS = (
    '\\s<>"\u00ab\u00b7\u00bb\u0f3a-\u0f3d\u169b\u169c\u2018-\u201f\u2026\u2039\u203a\u2045\u2046\u207d\u207e\u208d\u208e'
    "\u2308-\u230b\u2329\u232a\u2768-\u2775\u27c5\u27c6\u27e6-\u27ef\u2983-\u2998\u29d8-\u29db\u29fc\u29fd\u2e02-\u2e05"
    "\u2e09\u2e0a\u2e0c\u2e0d\u2e1c\u2e1d\u2e20-\u2e29\u2e42\u2e55-\u2e5c\u3001\u3002\u3008-\u3011\u3014-\u301b"
    "\u301d-\u301f\ufd3e\ufd3f\ufe17\ufe18\ufe35-\ufe44\ufe47\ufe48\ufe59-\ufe5e\uff01\uff08\uff09\uff0c\uff1a\uff1b"
    "\uff1f\uff3b\uff3d\uff5b\uff5d\uff5f-\uff64"
)
_LINK = re.compile(f"https?://[^{LINK_ENDS}]+")
_SCHEME = re.compile(r"https?://")
# Punctuation that may stand inside a link, but not at its end: that of ASCII, and the ends of sentences and clauses in
# Greek, Armenian, Hebrew, Arabic, Urdu, Indic scripts, Thai, Tibetan, Burmese, Ethiopic, Khmer, and full-width.
_TRAILING = frozenset(
    ".,;:!?'*`\u037e\u0387\u055c\u055d\u055e\u0589\u05c3\u060c\u061b\u061f\u06d4\u0964\u0965\u0e5a\u0e5b\u0f0d\u0f0e"
    "\u104a\u104b\u1361\u1362\u1363\u1364\u1365\u1366\u1367\u1368\u17d4\u17d5\uff0e"
)
_OPENING = {")": "(", "]": "[", "}": "{"}


def find_links(text: str) -> list[str]:
    """Return the links in `text`, in order of appearance, repeated ones included; in linear time.

    A link is `http://` or `https://` (lower case) up to a character of `LINK_ENDS`, without trailing punctuation
    and closing brackets that have no partner inside the link. A scheme with nothing after it is not a link.
    """
    return [link for link in map(_trimmed, _LINK.findall(text)) if not _SCHEME.fullmatch(link)]


def without_links(text: str) -> str:
    """Return a text with a blank in place of each link, whose words are an address and not a statement."""
    return _LINK.sub(" ", text)


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


def readable_url(url: str) -> str:
    """Return a URL for display, with letters of other scripts in place of their percent-encoding.

    What could mislead stays encoded: ASCII, blanks, punctuation, controls, and letters that run from right to left,
    which would reorder the parts of the address.
    """
    return _ESCAPES.sub(_readable, url)


def _readable(escapes: re.Match[str]) -> str:
    try:
        text = unquote(escapes[0], errors="strict")
    except UnicodeDecodeError:
        return escapes[0]
    return "".join(character if _is_letter(character) else quote(character) for character in text)


def _is_letter(character: str) -> bool:
    runs_left_to_right = unicodedata.bidirectional(character) in ("L", "NSM")
    return runs_left_to_right and unicodedata.category(character)[0] in "LMN" and not has_unseen(character)
