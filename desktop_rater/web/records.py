"""The records of a WARC file, walked in bounded memory and time, whatever bytes it holds.

warcio writes our files and its checker accepts them. Those that come from outside are not read with it: it takes lines
and gzip members of any length.
"""

from __future__ import annotations

import re
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Literal

import msgspec

from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

MIB = 1024 * 1024


class WarcLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes, where nothing else is said. Our own files have a few records; those of other programs have many."""

    file: int = 64 * MIB
    inflated: int = 128 * MIB
    records: int = 5_000
    members: int = 20_000
    """Gzip members; there should be one for each record."""
    head: int = 64 * 1024
    """The head of a record, and that of the HTTP answer in it."""
    lines: int = 500
    """Of one head."""


LIMITS = WarcLimits()

Headers = tuple[tuple[str, str], ...]
Kind = Literal["response", "resource", "warcinfo", "other"]

_PIECE = 64 * 1024
_GAP = 16  # bytes of line breaks between two records; there should be four
_END = b"\r\n\r\n"
_BLANKS = " \t\r"  # beside a header; other bytes that Latin-1 calls white may be half a letter
_VERSION = re.compile(r"WARC/[01]\.[0-9]{1,2}")
_DIGITS = re.compile("[0-9]{1,12}")
_GZIP = b"\x1f\x8b"


class Record:
    """A record while it is the current one. What is not read of it is passed over."""

    def __init__(self, kind: Kind, headers: Headers, rest: _Rest) -> None:
        self.kind = kind
        self.headers = headers
        self._rest = rest

    def header(self, name: str) -> str:
        """The first header of that name; an empty text where there is none."""
        return first(self.headers, name)

    def read(self, most: int) -> bytes:
        """The next `most` bytes of its block, or as many as there are."""
        return self._rest.take(most)

    @property
    def left(self) -> int:
        """How many bytes of its block have not been read."""
        return self._rest.left


def records(path: Path, limits: WarcLimits = LIMITS) -> Iterator[Record]:
    """Each record in turn. Raises `WebError` of the state `broken`."""
    with _opened(path, limits) as stream:
        for _ in range(limits.records):
            stream.skip_gap()
            if stream.at_end():
                return
            headers = _record_head(stream.until(_END, limits.head), limits)
            length = first(headers, "content-length")
            if not _DIGITS.fullmatch(length):
                raise broken("One of its records does not say how long it is")
            rest = _Rest(stream, int(length))
            yield Record(_kind(first(headers, "warc-type")), headers, rest)
            rest.skip()
        stream.skip_gap()
        if not stream.at_end():
            raise broken(f"It holds more than {limits.records:,} records")


def first(headers: Headers, name: str) -> str:
    """The first header of that name, in lower case; an empty text where there is none."""
    return next((value for known, value in headers if known.lower() == name), "")


def header_lines(lines: list[str], limits: WarcLimits) -> Headers:
    """The lines of a head as (name, value), in order. What is no header is left out."""
    if len(lines) > limits.lines:
        raise broken(f"A head in it has more than {limits.lines} lines")
    found: list[tuple[str, str]] = []
    for line in lines:
        if line[:1] in (" ", "\t") and found:  # a header may go on in the next line
            name, value = found.pop()
            found.append((name, f"{value} {line.strip(_BLANKS)}"))
            continue
        name, colon, value = line.partition(":")
        if colon and name.strip():
            found.append((name.strip(_BLANKS), value.strip(_BLANKS)))
    return tuple(found)


def broken(why: str) -> WebError:
    """The trouble with a stored page that can't be read."""
    return WebError("The stored page can't be read", f"{why}.", "Fetch the page again.", state="broken")


class _Stream:
    """The bytes of a file, inflated member by member, each once."""

    def __init__(self, file: BinaryIO, limits: WarcLimits) -> None:
        self._file = file
        self._limits = limits
        self._ready = bytearray()
        self._packed = file.read(_PIECE)
        self._plain = not self._packed.startswith(_GZIP)
        self._inflater: zlib._Decompress | None = None
        self._inflated = self._members = 0

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return not self._ready and not self._more()

    def skip_gap(self) -> None:
        """Pass over the line breaks between two records."""
        for _ in range(_GAP):
            if self.at_end() or self._ready[:1] not in (b"\r", b"\n"):
                return
            del self._ready[:1]

    def until(self, mark: bytes, most: int) -> bytes:
        """What stands before the mark, which is passed over too."""
        looked = 0
        while (at := self._ready.find(mark, looked)) < 0:
            looked = max(0, len(self._ready) - len(mark) + 1)
            if len(self._ready) > most or not self._more():
                raise broken("One of its records has no end of its head")
        if at > most:
            raise broken("One of its records has no end of its head")
        found = bytes(self._ready[:at])
        del self._ready[: at + len(mark)]
        return found

    def take(self, most: int) -> bytes:
        """Up to `most` bytes, at least one unless it is at its end."""
        if not self._ready:
            self._more()
        found = bytes(self._ready[:most])
        del self._ready[:most]
        return found

    def _more(self) -> bool:
        """Make more bytes ready; false at the end."""
        while self._packed or self._inflater is not None:
            before = len(self._ready)
            self._ready += self._next_plain() if self._plain else self._next_inflated()
            self._inflated += len(self._ready) - before
            if self._inflated > self._limits.inflated:
                raise broken(f"It inflates to more than {self._limits.inflated:,} bytes")
            if len(self._ready) > before:
                return True
        return False

    def _next_plain(self) -> bytes:
        piece, self._packed = self._packed, self._file.read(_PIECE)
        return piece

    def _next_inflated(self) -> bytes:
        if self._inflater is None:
            self._members += 1
            if self._members > self._limits.members:
                raise broken(f"It has more than {self._limits.members:,} gzip members")
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            piece = self._inflater.decompress(self._packed, _PIECE)
        except zlib.error:
            raise broken("What is packed in it is damaged") from None
        if self._inflater.eof:
            self._packed = self._inflater.unused_data or self._file.read(_PIECE)
            self._inflater = None
            return piece
        self._packed = self._inflater.unconsumed_tail or self._file.read(_PIECE)
        if not self._packed and not piece:
            raise broken("It breaks off")
        return piece


class _Rest:
    """What is left of a record's block."""

    def __init__(self, stream: _Stream, left: int) -> None:
        self._stream = stream
        self.left = left

    def take(self, most: int) -> bytes:
        pieces = []
        wanted = min(most, self.left)
        while wanted:
            piece = self._stream.take(min(wanted, _PIECE))
            if not piece:
                raise broken("It breaks off")
            wanted -= len(piece)
            self.left -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def skip(self) -> None:
        while self.left:
            self.take(_PIECE)


@contextmanager
def _opened(path: Path, limits: WarcLimits) -> Generator[_Stream]:
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) > limits.file:
                raise broken(f"Its file is larger than {limits.file:,} bytes")
            file.seek(0)
            yield _Stream(file, limits)
    except OSError as error:
        raise broken(f"{error.strerror or error}") from error


def _record_head(head: bytes, limits: WarcLimits) -> Headers:
    version, *lines = head.decode("utf-8", "replace").split("\r\n")
    if not _VERSION.fullmatch(version.strip()):
        raise broken("It is no WARC file, or one of its records is longer than it says")
    return header_lines(lines, limits)


def _kind(said: str) -> Kind:
    match said.strip().lower():
        case "response":
            return "response"
        case "resource":
            return "resource"
        case "warcinfo":
            return "warcinfo"
    return "other"
