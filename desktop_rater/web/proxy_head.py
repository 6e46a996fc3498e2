"""The heads of HTTP messages as the proxy of the live view reads them: strictly, without what is for one hop."""

from __future__ import annotations

import re

import msgspec

Headers = tuple[tuple[bytes, bytes], ...]

END = b"\r\n\r\n"
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
TARGET = re.compile(rb"[\x21-\x7e]+")
VERSION = re.compile(rb"HTTP/1\.[01]")
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?")

# RFC 9110 7.6.1, and what only a proxy may read: handed on, the token would reach the site.
ONE_HOP = frozenset({b"connection", b"keep-alive", b"te", b"trailer", b"upgrade", b"expect"})


class NoHead(Exception):
    """What came is no head of an HTTP message."""


class Request(msgspec.Struct, frozen=True):
    """What the browser asks of the proxy: `target` is an address, or host and port for a tunnel."""

    method: bytes
    target: bytes
    headers: Headers

    def header(self, name: bytes) -> bytes:
        """The only header of that name; empty where there is none. Raises `NoHead` where there are two that differ."""
        found = {value for known, value in self.headers if known.lower() == name}
        if len(found) > 1:
            raise NoHead(f"two headers {name.decode('ascii')}")
        return next(iter(found), b"")

    @property
    def length(self) -> int:
        """How many bytes of body follow. Raises `NoHead` where that is not said by a number."""
        if self.header(b"transfer-encoding"):
            raise NoHead("a body without its length")
        said = self.header(b"content-length") or b"0"
        if not re.fullmatch(rb"\d{1,12}", said):
            raise NoHead("a length that is no number")
        return int(said)


class Response(msgspec.Struct, frozen=True):
    """The head of what a site answers."""

    line: bytes
    status: int
    headers: Headers


def request_in(head: bytes) -> Request:
    """A request's head up to its empty line. Raises `NoHead`."""
    line, headers = _parts(head)
    words = line.split(b" ")
    if len(words) != 3:
        raise NoHead("a first line that is not of three words")
    method, target, version = words
    if not (TOKEN.fullmatch(method) and TARGET.fullmatch(target) and VERSION.fullmatch(version)):
        raise NoHead("a first line that is no request")
    return Request(method, target, headers)


def response_in(head: bytes) -> Response:
    """A response's head up to its empty line. Raises `NoHead`."""
    line, headers = _parts(head)
    match = STATUS.fullmatch(line)
    if match is None:
        raise NoHead("a first line that is no answer")
    return Response(line, int(match[1]), headers)


def _parts(head: bytes) -> tuple[bytes, Headers]:
    first, *lines = head.removesuffix(END).split(b"\r\n")
    return first, tuple(map(_header, lines))


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, colon, value = line.partition(b":")
    # A line that goes on from the one before, or a bare line break inside it, is read one way here and another there.
    if not colon or not TOKEN.fullmatch(name) or re.search(rb"[\0\r\n]", value):
        raise NoHead("a header that is none")
    return name, value.strip(b" \t")


def handed_on(headers: Headers) -> Headers:
    """Those for the whole way: without what is for this hop, without what is between browser and proxy."""
    listed = {
        word.strip().lower() for name, value in headers if name.lower() == b"connection" for word in value.split(b",")
    }
    return tuple(
        (name, value)
        for name, value in headers
        if name.lower() not in ONE_HOP | listed and not name.lower().startswith(b"proxy-")
    )


def written(line: bytes, headers: Headers) -> bytes:
    """A head as it travels."""
    return b"\r\n".join((line, *(name + b": " + value for name, value in headers))) + END
