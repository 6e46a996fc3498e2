"""A URL taken apart, for whoever goes there."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote, urljoin, urlsplit

from desktop_rater.http.asked import Asked
from desktop_rater.text.pages import page_of
from desktop_rater.web.names import ascii_name
from desktop_rater.web.trouble import blocked

_MOST_CHARACTERS = 8192
_PORTS = {"http": 80, "https": 443}
# What may stand in a path as it is; "%" too, since what is escaped already stays as it is.
_AS_IT_IS = "%!$&'()*+,-./:;=?@[]^_|~"
_BLANKS = " \t\r\n\f"


def location(url: str) -> Asked:
    """Where a URL leads. Raises `WebError` with the state "blocked" for one that is no valid address of the web."""
    if len(url) > _MOST_CHARACTERS:
        raise blocked("It is longer than an address of the web may be.")
    if page_of(url) is None:
        raise blocked(_fault(url), "Look at the address, and correct it if it was mistyped.")
    try:
        parts = urlsplit(url)
        host = _host(parts.hostname or "")
    except ValueError as error:
        raise blocked("The name of its host is not valid.", "Look at the address once more.") from error
    scheme = parts.scheme
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Asked(scheme, host, parts.port or _PORTS[scheme], quote(target, _AS_IT_IS, errors="replace").encode("ascii"))


def redirected(url: str, header: str) -> str:
    """Where the header Location of an answer from `url` leads; servers write it with blanks and line ends too."""
    words = _in_utf8(header).strip(_BLANKS).replace("\\", "/")
    for blank in _BLANKS:
        words = words.replace(blank, "%20" if blank == " " else "")
    try:
        return urljoin(url, words)
    except ValueError:
        return words  # no address, as the guard will say


def _in_utf8(header: str) -> str:
    """Servers do send UTF-8 in headers, which are Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _host(host: str) -> str:
    return str(ipaddress.IPv6Address(host)) if ":" in host else ascii_name(host)


def _fault(url: str) -> str:
    """Why it is not a valid address, in words."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "It is not a valid address."
    if parts.scheme not in _PORTS:
        return "Only addresses with http or https are opened."
    if "@" in parts.netloc:
        return "It has a user name before the host, which is a way to feign another host."
    return "It is not a valid address."
