"""Host names, links and redirects: parsing, resolution and display."""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from desktop_rater.http.request_url import RequestUrl
from desktop_rater.text.urls import DEFAULT_PORTS, host_of, page_key
from desktop_rater.web.errors import blocked_error

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


@dataclass(frozen=True)
class LinkResolver:
    """Cached resolution of links relative to `base`."""

    base: str
    _cache: dict[str, str] = field(default_factory=dict)

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
