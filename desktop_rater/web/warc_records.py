"""Records of a WARC file, read in bounded memory and time, whatever bytes it holds.

warcio writes our files, and its checker accepts them. Files from outside are not read with it: it accepts lines and
gzip members of any length.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from desktop_rater.web.errors import WebError

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


class WarcRecord:
    """The current record. The part that is not read is skipped."""

    def __init__(self, kind: RecordKind, headers: HeaderPairs, rest: _Rest) -> None:
        self.kind = kind
        self.headers = headers
        self._rest = rest

    def header(self, name: str) -> str:
        return first_header(self.headers, name)

    def read(self, most: int) -> bytes:
        """Return the next `most` bytes of its block, or as many as there are."""
        return self._rest.take(most)

    @property
    def left(self) -> int:
        """Return the number of bytes of its block that have not been read."""
        return self._rest.left


def read_records(path: Path, limits: WarcLimits = WARC_LIMITS) -> Iterator[WarcRecord]:
    """Yield each record in turn. Raises `WebError` of the state `broken_snapshot`."""
    with _open_stream(path, limits) as stream:
        for _ in range(limits.records):
            stream.skip_gap()
            if stream.at_end():
                return
            version, *lines = stream.until(_END, limits.head).decode("utf-8", "replace").split("\r\n")
            if not _VERSION.fullmatch(version.strip()):
                raise broken_snapshot("It is not a WARC file, or the length of one of its records is wrong")
            headers = parse_header_lines(lines, limits)
            length = first_header(headers, "content-length")
            if not _DIGITS.fullmatch(length):
                raise broken_snapshot("One of its records has no length")
            rest = _Rest(stream, int(length))
            kind = _KINDS.get(first_header(headers, "warc-type").strip().lower(), "other")
            yield WarcRecord(kind, headers, rest)
            rest.skip()
        stream.skip_gap()
        if not stream.at_end():
            raise broken_snapshot(f"It holds more than {limits.records:,} records")


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


def broken_snapshot(why: str) -> WebError:
    """Return the error for a stored page that can't be read."""
    return WebError("The stored page can't be read", f"{why}.", "Fetch the page again.", state="broken")


class _Stream:
    """The bytes of a file, decompressed member by member, read once."""

    def __init__(self, file: BinaryIO, limits: WarcLimits) -> None:
        self._file = file
        self._limits = limits
        self._ready = bytearray()
        self._packed = file.read(_PIECE)
        self._plain = not self._packed.startswith(_GZIP)
        self._inflater: zlib._Decompress | None = None
        self._inflated = self._members = 0

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
            if self._plain:
                self._ready += self._packed
                self._packed = self._file.read(_PIECE)
            else:
                self._ready += self._next_inflated()
            self._inflated += len(self._ready) - before
            if self._inflated > self._limits.inflated:
                raise broken_snapshot(f"It inflates to more than {self._limits.inflated:,} bytes")
            if len(self._ready) > before:
                return True
        return False

    def _next_inflated(self) -> bytes:
        if self._inflater is None:
            self._members += 1
            if self._members > self._limits.members:
                raise broken_snapshot(f"It has more than {self._limits.members:,} gzip members")
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            piece = self._inflater.decompress(self._packed, _PIECE)
        except zlib.error:
            raise broken_snapshot("Its compressed data is damaged") from None
        if self._inflater.eof:
            self._packed = self._inflater.unused_data or self._file.read(_PIECE)
            self._inflater = None
            return piece
        self._packed = self._inflater.unconsumed_tail or self._file.read(_PIECE)
        if not self._packed and not piece:
            raise broken_snapshot("It is incomplete")
        return piece


class _Rest:
    """The unread part of a record's block."""

    def __init__(self, stream: _Stream, left: int) -> None:
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
def _open_stream(path: Path, limits: WarcLimits) -> Generator[_Stream]:
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) > limits.file:
                raise broken_snapshot(f"Its file is larger than {limits.file:,} bytes")
            file.seek(0)
            yield _Stream(file, limits)
    except OSError as error:
        raise broken_snapshot(f"{error.strerror or error}") from error


_KINDS: dict[str, RecordKind] = {"response": "response", "resource": "resource", "warcinfo": "warcinfo"}
