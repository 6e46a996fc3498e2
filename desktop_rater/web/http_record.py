"""The HTTP answer inside a record of a WARC file: its head, and its body without chunks and coding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.web.inflate import Body
from desktop_rater.web.limits import LIMITS as WEB
from desktop_rater.web.media import media_type_of
from desktop_rater.web.records import Headers, broken, first, header_lines
from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from desktop_rater.web.records import Record, WarcLimits

_STATUS = re.compile(r"HTTP/[0-9](?:\.[0-9])? ([1-5][0-9]{2})(?: (.*))?", re.ASCII)
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]{0,256})?\r?\n")
_COOKIES = frozenset({"set-cookie", "set-cookie2"})
_LONGEST_URL = 8192
_GZIP = b"\x1f\x8b"
_GZIP_NAMES = frozenset({"gzip", "x-gzip"})
_MOST_CHUNKS = 100_000
MOST = WEB.inflated_bytes + WEB.wire_bytes  # bytes of a block: chunks take a little more than what is in them
_LIMITS = msgspec.structs.replace(WEB, raw_bytes=MOST)


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """`length`: the bytes of the record's block that the HTTP head takes."""

    url: str
    status: int
    reason: str = ""
    headers: Headers = ()
    length: int = 0

    @property
    def media_type(self) -> str:
        """Without parameters, in lower case."""
        return media_type_of(first(self.headers, "content-type"))

    @property
    def location(self) -> str:
        """Where a redirect leads."""
        return first(self.headers, "location")


def head_of(record: Record, limits: WarcLimits) -> Head | None:
    """The HTTP head of a record that is just begun; `None` where it holds no answer of a web server."""
    url = record.header("warc-target-uri").strip("<>")
    if record.kind not in ("response", "resource") or len(url) > _LONGEST_URL:
        return None
    if record.kind == "resource":  # a file as such, without an answer around it
        return Head(url=url, status=200, reason="OK", headers=(("Content-Type", record.header("content-type")),))
    block = record.read(limits.head)
    end = _HEAD_ENDS.search(block)
    if end is None:
        return None
    status, *lines = block[: end.start()].decode("latin-1").replace("\r\n", "\n").split("\n")
    said = _STATUS.fullmatch(status.strip())
    if said is None:
        return None
    headers = tuple(header for header in header_lines(lines, limits) if header[0].lower() not in _COOKIES)
    return Head(url=url, status=int(said[1]), reason=said[2] or "", headers=headers, length=end.end())


def body_of(head: Head, block: bytes) -> tuple[bytes, bytes]:
    """The body in the coding that the headers name, and the same inflated. Raises `WebError`."""
    chunked = first(head.headers, "transfer-encoding").strip().lower() == "chunked"
    raw = _joined(block) if chunked else block
    codings = [value for name, value in head.headers if name.lower() == "content-encoding"]
    if not raw.startswith(_GZIP) and _GZIP_NAMES.issuperset(coding.strip().lower() for coding in codings):
        codings = []  # some programs keep the body inflated, and the header that says otherwise
    try:
        body = Body(codings, _LIMITS)
        body.take(raw)
        plain = body.plain()
    except WebError as error:
        raise broken(error.message.rstrip(".")) from None
    if len(plain) > WEB.inflated_bytes:
        raise broken(f"It is larger than {WEB.inflated_bytes:,} bytes")
    return raw, plain


def _joined(block: bytes) -> bytes:
    """The chunks put together; as it stands where there are none, although a header says so."""
    pieces = []
    at = 0
    for _ in range(_MOST_CHUNKS):
        line = _CHUNK.match(block, at)
        if line is None:
            if at:
                raise broken("One of its chunks is damaged")
            return block
        size = int(line[1], 16)
        if not size:
            return b"".join(pieces)
        pieces.append(block[line.end() : line.end() + size])
        at = line.end() + size
        at += 2 if block.startswith(b"\r\n", at) else 1
    raise broken(f"It has more than {_MOST_CHUNKS:,} chunks")
