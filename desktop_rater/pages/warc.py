"""Server responses as WARC files, one gzip member a record: writing and reading.

A file of another program may hold many responses. The page is then the first one that shows something, with the
redirects that lead to it.
"""

import hashlib
import re
import zlib
from bisect import bisect_right
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from desktop_rater import __version__
from desktop_rater.format.rating import LibraryName
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.format.values import parse_time
from desktop_rater.pages.decoding import BodyDecoder, media_kind, parse_media_type
from desktop_rater.pages.guard import redirect_target
from desktop_rater.pages.response import (
    WEB_LIMITS,
    Redirect,
    SnapshotOutline,
    WebError,
    WebResponse,
    broken_snapshot,
)
from desktop_rater.text.urls import page_key

MIB = 1024 * 1024


class WarcLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits, in bytes unless noted. Our own files have a few records; those of other programs have many."""

    file: int = 64 * MIB
    inflated: int = 128 * MIB
    records: int = 5_000
    members: int = 20_000
    """Gzip members; there should be one for each record."""
    head: int = 64 * 1024
    """The head of a record, and that of the HTTP answer in it."""
    lines: int = 500
    """Of one head."""


WARC_LIMITS = WarcLimits()

HeaderPairs = tuple[tuple[str, str], ...]
RecordKind = Literal["response", "resource", "warcinfo", "other"]

_PIECE = 64 * 1024
_GAP = 16  # bytes of line breaks between two records; there should be four
_END = b"\r\n\r\n"
_BLANKS = " \t\r"  # around a header; other white space of Latin-1 may be part of a letter
_VERSION = re.compile(r"WARC/[01]\.[0-9]{1,2}")
_DIGITS = re.compile("[0-9]{1,12}")
_GZIP = b"\x1f\x8b"


class WarcPosition(NamedTuple):
    """Position of a record: of its gzip member in the file, and of itself in the inflated member."""

    offset: int
    skipped: int = 0


class WarcRecord:
    """The current record. The part that is not read is skipped."""

    def __init__(self, kind: RecordKind, headers: HeaderPairs, rest: "_Rest", position: WarcPosition) -> None:
        self.kind = kind
        self.headers = headers
        self.position = position
        self._rest = rest

    def header(self, name: str) -> str:
        return first_header(self.headers, name)

    @property
    def time(self) -> str:
        """Return its time, as one of the formats. Raises `WebError` without one."""
        return _time(self.header("warc-date"))

    def read(self, most: int) -> bytes:
        """Return the next `most` bytes of its block, or as many as there are."""
        return self._rest.take(most)

    @property
    def left(self) -> int:
        """Return the number of bytes of its block that have not been read."""
        return self._rest.left


def read_records(path: Path, limits: WarcLimits = WARC_LIMITS) -> Iterator[WarcRecord]:
    """Yield each record in turn. Raises `WebError` of the state `broken_snapshot`."""
    with _open_file(path, limits) as pieces:
        yield from WarcStream(pieces, limits).records()


def first_header(headers: HeaderPairs, name: str) -> str:
    """Return the first header of that name (in lower case); an empty text if there is none."""
    return next((value for key, value in headers if key.lower() == name), "")


def parse_header_lines(lines: list[str], limits: WarcLimits) -> HeaderPairs:
    """Parse the lines of a head as (name, value), in order. Invalid lines are ignored."""
    if len(lines) > limits.lines:
        raise broken_snapshot(f"A head in it has more than {limits.lines} lines")
    headers: list[tuple[str, str]] = []
    for line in lines:
        if line[:1] in (" ", "\t") and headers:  # a header may continue in the next line
            name, value = headers.pop()
            headers.append((name, f"{value} {line.strip(_BLANKS)}"))
            continue
        name, colon, value = line.partition(":")
        if colon and name.strip():
            headers.append((name.strip(_BLANKS), value.strip(_BLANKS)))
    return tuple(headers)


class WarcStream:
    """The bytes of a file, decompressed member by member, read once. `start`: offset of the first piece in the file.

    `position`: that of the record that is being read, also after an error.
    """

    def __init__(self, pieces: Iterator[bytes], limits: WarcLimits, start: int = 0) -> None:
        self._pieces = pieces
        self._limits = limits
        self._ready = bytearray()
        self._packed = b""
        self._end = start  # of the packed bytes that came so far
        self._receive()
        self.is_plain = not self._packed.startswith(_GZIP)
        self._inflater: zlib._Decompress | None = None
        self.inflated = self._members = 0
        self._member_offset, self._member_start = start, 0  # in the file, and in what was inflated
        self.position = WarcPosition(start)

    def records(self, skipped: int = 0) -> Iterator[WarcRecord]:
        """Yield each record in turn, after so many inflated bytes. Raises `WebError`."""
        while skipped and (data := self.take(skipped)):
            skipped -= len(data)
        for _ in range(self._limits.records):
            self.skip_gap()
            if self.at_end():
                return
            inside = self.inflated - len(self._ready) - self._member_start
            offset = self._member_offset
            self.position = WarcPosition(offset + inside) if self.is_plain else WarcPosition(offset, inside)
            version, *lines = self.until(_END, self._limits.head).decode("utf-8", "replace").split("\r\n")
            if not _VERSION.fullmatch(version.strip()):
                raise broken_snapshot("It is not a WARC file, or the length of one of its records is wrong")
            headers = parse_header_lines(lines, self._limits)
            length = first_header(headers, "content-length")
            if not _DIGITS.fullmatch(length):
                raise broken_snapshot("One of its records has no length")
            rest = _Rest(self, int(length))
            kind = _KINDS.get(first_header(headers, "warc-type").strip().lower(), "other")
            yield WarcRecord(kind, headers, rest, self.position)
            rest.skip()
        self.skip_gap()
        if not self.at_end():
            raise broken_snapshot(f"It holds more than {self._limits.records:,} records")

    def at_end(self) -> bool:
        return not self._ready and not self._more()

    def skip_gap(self) -> None:
        for _ in range(_GAP):
            if self.at_end() or self._ready[:1] not in (b"\r", b"\n"):
                return
            del self._ready[:1]

    def until(self, mark: bytes, most: int) -> bytes:
        """Return the bytes before the mark, and skip the mark."""
        searched = 0
        while (position := self._ready.find(mark, searched)) < 0:
            searched = max(0, len(self._ready) - len(mark) + 1)
            if len(self._ready) > most or not self._more():
                raise broken_snapshot("The head of one of its records is incomplete")
        if position > most:
            raise broken_snapshot("The head of one of its records is incomplete")
        data = bytes(self._ready[:position])
        del self._ready[: position + len(mark)]
        return data

    def take(self, most: int) -> bytes:
        """Return up to `most` bytes, at least one unless at the end."""
        if not self._ready:
            self._more()
        data = bytes(self._ready[:most])
        del self._ready[:most]
        return data

    def _more(self) -> bool:
        """Decompress more bytes; return False at the end."""
        while self._packed or self._inflater is not None:
            before = len(self._ready)
            if self.is_plain:
                self._ready += self._packed
                self._receive()
            else:
                self._ready += self._next_inflated()
            self.inflated += len(self._ready) - before
            if self.inflated > self._limits.inflated:
                raise broken_snapshot(f"It inflates to more than {self._limits.inflated:,} bytes")
            if len(self._ready) > before:
                return True
        return False

    def _next_inflated(self) -> bytes:
        if self._inflater is None:
            self._members += 1
            if self._members > self._limits.members:
                raise broken_snapshot(f"It has more than {self._limits.members:,} gzip members")
            self._member_offset, self._member_start = self._end - len(self._packed), self.inflated
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            piece = self._inflater.decompress(self._packed, _PIECE)
        except zlib.error:
            raise broken_snapshot("Its compressed data is damaged") from None
        if self._inflater.eof:
            self._receive(self._inflater.unused_data)
            self._inflater = None
            return piece
        self._receive(self._inflater.unconsumed_tail)
        if not self._packed and not piece:
            raise broken_snapshot("It is incomplete")
        return piece

    def _receive(self, left: bytes = b"") -> None:
        """Take what is left of the packed bytes, or the next piece."""
        self._packed = left or next(self._pieces, b"")
        self._end += 0 if left else len(self._packed)


class _Rest:
    """The unread part of a record's block."""

    def __init__(self, stream: WarcStream, left: int) -> None:
        self._stream = stream
        self.left = left

    def take(self, most: int) -> bytes:
        pieces = []
        remaining = min(most, self.left)
        while remaining:
            piece = self._stream.take(min(remaining, _PIECE))
            if not piece:
                raise broken_snapshot("It is incomplete")
            remaining -= len(piece)
            self.left -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def skip(self) -> None:
        while self.left:
            self.take(_PIECE)


@contextmanager
def _open_file(path: Path, limits: WarcLimits) -> Generator[Iterator[bytes]]:
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) > limits.file:
                raise broken_snapshot(f"Its file is larger than {limits.file:,} bytes")
            file.seek(0)
            yield iter(lambda: file.read(_PIECE), b"")
    except OSError as error:
        raise broken_snapshot(f"{error.strerror or error}") from error


_KINDS: dict[str, RecordKind] = {"response": "response", "resource": "resource", "warcinfo": "warcinfo"}


_STATUS = re.compile(r"HTTP/[0-9](?:\.[0-9])? ([1-5][0-9]{2})(?: (.*))?", re.ASCII)
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]{0,256})?\r?\n")
_COOKIES = frozenset({"set-cookie", "set-cookie2"})
_LONGEST_URL = 8192
_GZIP_NAMES = frozenset({"gzip", "x-gzip"})
_MOST_CHUNKS = 100_000
MAX_RECORD_BYTES = WEB_LIMITS.inflated_bytes + WEB_LIMITS.wire_bytes  # bytes of a block; chunks have some overhead
_LIMITS = msgspec.structs.replace(WEB_LIMITS, raw_bytes=MAX_RECORD_BYTES)


class StoredHead(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a response. `length`: the size of the HTTP head in the record's block, in bytes."""

    url: str
    status: int
    reason: str = ""
    headers: HeaderPairs = ()
    length: int = 0

    @property
    def media_type(self) -> str:
        """Return the media type without parameters, in lower case."""
        return parse_media_type(first_header(self.headers, "content-type"))

    @property
    def location(self) -> str:
        return first_header(self.headers, "location")


def read_stored_head(record: WarcRecord, limits: WarcLimits) -> StoredHead | None:
    """Return the HTTP head of a record that was just begun; `None` if it holds no HTTP response."""
    url = record.header("warc-target-uri").strip("<>")
    if record.kind not in ("response", "resource") or len(url) > _LONGEST_URL:
        return None
    if record.kind == "resource":  # a bare file, without a response around it
        return StoredHead(url=url, status=200, reason="OK", headers=(("Content-Type", record.header("content-type")),))
    block = record.read(limits.head)
    end = _HEAD_ENDS.search(block)
    if end is None:
        return None
    status, *lines = block[: end.start()].decode("latin-1").replace("\r\n", "\n").split("\n")
    match = _STATUS.fullmatch(status.strip())
    if match is None:
        return None
    headers = tuple(header for header in parse_header_lines(lines, limits) if header[0].lower() not in _COOKIES)
    return StoredHead(url=url, status=int(match[1]), reason=match[2] or "", headers=headers, length=end.end())


def decode_stored_body(head: StoredHead, block: bytes) -> tuple[bytes, bytes]:
    """Return the body in the coding that the headers name, and decompressed. Raises `WebError`."""
    chunked = first_header(head.headers, "transfer-encoding").strip().lower() == "chunked"
    raw = _joined(block) if chunked else block
    codings = [value for name, value in head.headers if name.lower() == "content-encoding"]
    if not raw.startswith(_GZIP) and _GZIP_NAMES.issuperset(coding.strip().lower() for coding in codings):
        codings = []  # some programs store the decompressed body with the original header
    try:
        body = BodyDecoder(codings, _LIMITS)
        body.take(raw)
        plain = body.plain()
    except WebError as error:
        raise broken_snapshot(error.message.rstrip(".")) from None
    if len(plain) > WEB_LIMITS.inflated_bytes:
        raise broken_snapshot(f"It is larger than {WEB_LIMITS.inflated_bytes:,} bytes")
    return raw, plain


def _joined(block: bytes) -> bytes:
    """Join the chunks; return the block itself if it is not chunked despite the header."""
    pieces = []
    position = 0
    for _ in range(_MOST_CHUNKS):
        line = _CHUNK.match(block, position)
        if line is None:
            if position:
                raise broken_snapshot("One of its chunks is damaged")
            return block
        size = int(line[1], 16)
        if not size:
            return b"".join(pieces)
        pieces.append(block[line.end() : line.end() + size])
        position = line.end() + size
        position += 2 if block.startswith(b"\r\n", position) else 1
    raise broken_snapshot(f"It has more than {_MOST_CHUNKS:,} chunks")


_OURS = "Desktop Rater "
_TIME = 19  # characters of a time without fractions and zone
_HOPS = 20
_SHOWN = frozenset({"html", "pdf", "epub", "text"})
_FIELDS = 4096  # bytes of a warcinfo record that are read
RENDERED = "rendered-by: live view"  # a field of the warcinfo record
LIBRARY, LIBRARY_DATE = "read-from: library ", "library-date: "  # likewise
PICTURE_SCHEME = "urn:view:"  # before the URL of a page: its picture, as other archives have it
MAX_PICTURE_BYTES = 4 * 1024 * 1024


class _StoredResponse(msgspec.Struct, frozen=True):
    """A response in a file: its position, head and time. `page` is the key of its URL."""

    number: int
    head: StoredHead
    page: str
    date: str
    cut: bool = False


def write_snapshot(answer: WebResponse) -> bytes:
    """Write a response and its redirects, without cookies. The same response gives the same bytes."""
    from desktop_rater.pages import warc_writer  # noqa: PLC0415 - warcio comes with the first page, not at the start

    software = f"{_OURS}{__version__}"
    if answer.rendered:
        name = sha256(canonical_json([snapshot_content_key(answer), answer.fetched, sha256(answer.picture)]))
        return warc_writer.pack_rendering(name, f"{software}\r\n{RENDERED}", answer, PICTURE_SCHEME)
    parts = [snapshot_content_key(answer), answer.fetched]
    if answer.library is not None:
        parts += [answer.library.name.replace("\r\n", " "), answer.library.date]
        software = f"{software}\r\n{LIBRARY}{parts[-2]}\r\n{LIBRARY_DATE}{parts[-1]}"
    last = Redirect(url=answer.final_url, status=answer.status, reason=answer.reason, headers=answer.headers)
    exchanges = [*((hop, b"") for hop in answer.hops), (last, answer.raw)]
    return warc_writer.pack_warc(sha256(canonical_json(parts)), software, answer.fetched, exchanges)


def read_snapshot(path: Path, limits: WarcLimits = WARC_LIMITS) -> WebResponse:
    """Read the response in a file. Raises `WebError` of the state `broken_snapshot`, whatever the file holds."""
    responses, fields = _read_file(path, limits)
    chain = _redirect_chain(responses, ours=bool(fields))
    *redirects, last = chain
    raw, body = decode_stored_body(last.head, _block(path, last, limits))
    return WebResponse(
        url=chain[0].head.url,
        final_url=last.head.url,
        status=last.head.status,
        reason=last.head.reason,
        headers=last.head.headers,
        hops=tuple(
            Redirect(url=entry.head.url, status=entry.head.status, reason=entry.head.reason, headers=entry.head.headers)
            for entry in redirects
        ),
        raw=raw,
        body=body,
        fetched=last.date,
        rendered=RENDERED in fields,
        cut=last.cut,
        library=_library(fields),
    )


def read_snapshot_picture(path: Path, limits: WarcLimits = WARC_LIMITS) -> bytes:
    """Return the picture in the file of a rendered page; empty if there is none, or a larger one than is stored."""
    for record in read_records(path, limits):
        if record.kind == "resource" and record.header("warc-target-uri").strip("<>").startswith(PICTURE_SCHEME):
            return record.read(record.left) if record.left <= MAX_PICTURE_BYTES else b""
    return b""


def read_snapshot_outline(path: Path, limits: WarcLimits = WARC_LIMITS) -> SnapshotOutline:
    """Read a file like `read_snapshot`, without its content."""
    responses, fields = _read_file(path, limits)
    chain = _redirect_chain(responses, ours=bool(fields))
    head = chain[-1].head
    return SnapshotOutline(
        url=chain[0].head.url,
        final_url=head.url,
        fetched=chain[-1].date,
        status=head.status,
        media_type=head.media_type,
        library=_library(fields),
    )


def snapshot_content_key(answer: WebResponse) -> str:
    """Return a key that is equal for two responses with the same content and redirects, at any time."""
    hops = [[_key(hop.url), hop.status] for hop in answer.hops]
    payload = hashlib.sha256(answer.body).hexdigest()
    parts = [_key(answer.url), hops, _key(answer.final_url), answer.status, payload]
    return sha256(canonical_json([*parts, "rendered"] if answer.rendered else parts))


def _key(url: str) -> str:
    return page_key(url) or url


def _redirect_chain(responses: list[_StoredResponse], *, ours: bool) -> list[_StoredResponse]:
    """Return the redirects and the page they lead to; of a file of `ours`, they are in order."""
    if not responses:
        raise broken_snapshot("It contains no web server response")
    if ours:
        return responses[: _HOPS + 1]
    by_page: dict[str, list[_StoredResponse]] = {}
    for response in responses:
        by_page.setdefault(response.page, []).append(response)
    chains = (_chain_from(start, by_page) for start in responses)
    for chain in chains:
        head = chain[-1].head
        if head.status == 200 and media_kind(head.media_type) in _SHOWN and not head.url.endswith("/robots.txt"):
            return chain
    return _chain_from(responses[0], by_page)


def _read_file(path: Path, limits: WarcLimits) -> tuple[list[_StoredResponse], list[str]]:
    """Return the responses in a file, in order and without their bodies, and the fields of this program in it.

    There are none if another program wrote the file.
    """
    fields: list[str] = []
    responses = []
    for number, record in enumerate(read_records(path, limits)):
        if record.kind == "warcinfo":
            lines = record.read(_FIELDS).decode("utf-8", "replace").split("\r\n")
            fields = fields or (lines if any(line.startswith(f"software: {_OURS}") for line in lines) else [])
        head = read_stored_head(record, limits)
        page = page_key(head.url) if head else None
        if head is not None and page is not None:
            cut = bool(record.header("warc-truncated"))
            responses.append(_StoredResponse(number, head, page, _time(record.header("warc-date")), cut))
    return responses, fields


def _library(fields: list[str]) -> LibraryName | None:
    """Return the library that a file of this program names."""
    name, day = (
        next((line[len(field) :] for line in fields if line.startswith(field)), "") for field in (LIBRARY, LIBRARY_DATE)
    )
    try:
        return LibraryName(name=name, date=day) if name else None
    except ValueError:
        raise broken_snapshot("The date of its library is not valid") from None


def _chain_from(start: _StoredResponse, by_page: dict[str, list[_StoredResponse]]) -> list[_StoredResponse]:
    """Return `start` and the responses its redirects lead to, each the next one for that page in the file."""
    chain = [start]
    while len(chain) <= _HOPS and (target := _target(chain[-1].head)) is not None:
        candidates = by_page.get(target, [])
        index = bisect_right(candidates, chain[-1].number, key=lambda response: response.number)
        following = candidates[index] if index < len(candidates) else (candidates or [start])[0]
        if following in chain:
            break
        chain.append(following)
    return chain


def _target(head: StoredHead) -> str | None:
    """Return the page that a redirect leads to."""
    if not (300 <= head.status < 400 and head.location):
        return None
    return page_key(redirect_target(head.url, head.location))


def _time(value: str) -> str:
    """Convert a time of WARC, which may have fractions of a second, to a time of the formats."""
    time = f"{value[:_TIME]}Z"
    try:
        parse_time(time)
    except ValueError:
        raise broken_snapshot("The time of the download is missing") from None
    return time


def _block(path: Path, wanted: _StoredResponse, limits: WarcLimits) -> bytes:
    """Return the block of a record after its HTTP head."""
    for number, record in enumerate(read_records(path, limits)):
        if number == wanted.number:
            record.read(wanted.head.length)
            if record.left > MAX_RECORD_BYTES:
                raise broken_snapshot(f"It is larger than {MAX_RECORD_BYTES:,} bytes")
            return record.read(record.left)
    raise broken_snapshot("It was changed while being read")
