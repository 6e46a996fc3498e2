"""The rows in a database file as its bytes have them, without SQLite: of a damaged table SQLite shows none.

A file is made of pages, and each page that holds rows says where in it they begin. A page is read by itself, so damage
elsewhere, to the pages that lead to it or to the file's very head, hides nothing. Of what is found nothing is certain:
freed pages still hold old rows. The layout is that of https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import mmap
import struct
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

Value = int | float | str | bytes | None
Bytes = mmap.mmap | bytes

_USUAL_SIZE = 4096  # bytes of a page, where the file's head does not say
_LEAF, _INDEX_LEAF, _INDEX_INNER = 13, 10, 2
_LOG_MAGICS = {0x377F0682, 0x377F0683}
_LOG_HEAD, _FRAME_HEAD = 32, 24
_WHOLE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes of a whole number
_UNREADABLE = (IndexError, ValueError, struct.error)


class Record(NamedTuple):
    """One row. `rowid` is `None` in an index, and in a table that has no such numbers.

    A text that is not UTF-8 holds surrogates in the place of the strange bytes.
    """

    rowid: int | None
    values: list[Value]


class Pages:
    """The pages of a file as they are now: the last ones of its log, if there is one, in place of the file's own."""

    def __init__(self, content: Bytes, log: Bytes) -> None:
        self._content = content
        self._log = log
        self._size = _page_size(content, log)
        self._usable = self._size - (content[20] if len(content) > 20 and content[:6] == b"SQLite" else 0)
        if not 480 <= self._usable <= self._size:
            self._usable = self._size
        self._logged = dict(_frames(log, self._size))
        self.count = max((len(content) + self._size - 1) // self._size, max(self._logged, default=0))

    def page(self, number: int) -> bytes:
        """The bytes of a page, counted from 1. Raises `IndexError`."""
        at = self._logged.get(number)
        source, start = (self._log, at) if at is not None else (self._content, (number - 1) * self._size)
        page = source[start : start + self._size]
        if number < 1 or not page:
            raise IndexError(number)
        return page

    def records(self, wanted: Callable[[bool, int], bool]) -> Iterator[Record | None]:
        """All rows that can be read; `None` now and then, so that the caller can look up.

        `wanted` is asked, before a row is read whole, whether it is of interest: by whether it has a rowid, and by its
        number of columns.
        """
        for number in range(1, self.count + 1):
            yield None
            try:
                page = self.page(number)
                start = 100 if number == 1 else 0
                kind, cells = page[start], struct.unpack_from(">H", page, start + 3)[0]
            except _UNREADABLE:
                continue
            if kind not in {_LEAF, _INDEX_LEAF, _INDEX_INNER}:
                continue
            first = start + (12 if kind == _INDEX_INNER else 8)
            for cell in range(min(cells, (self._size - first) // 2)):
                try:
                    at = struct.unpack_from(">H", page, first + 2 * cell)[0]
                    record = self._record(page, at, kind, wanted)
                except _UNREADABLE:
                    continue
                if record is not None:
                    yield record

    def _record(self, page: bytes, at: int, kind: int, wanted: Callable[[bool, int], bool]) -> Record | None:
        rowid: int | None = None
        if kind == _INDEX_INNER:
            at += 4
        length, at = _varint(page, at)
        if kind == _LEAF:
            rowid, at = _varint(page, at)
            rowid -= (rowid >> 63) << 64
        if not 1 < length <= self.count * self._size:
            return None
        local = self._local(length, table=kind == _LEAF)
        payload = page[at : at + local]
        types = _types(payload) if local == length or len(payload) == local else []
        if not wanted(rowid is not None, len(types)):
            return None
        if local < length:
            payload += self._overflow(struct.unpack_from(">I", page, at + local)[0], length - local)
        if len(payload) != length:
            return None
        return Record(rowid, list(_values(payload, types)))

    def _local(self, length: int, *, table: bool) -> int:
        """How much of a row stands in its own page; the rest overflows."""
        usable = self._usable
        most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (usable - 12) * 32 // 255 - 23
        fitting = least + (length - least) % (usable - 4)
        return fitting if fitting <= most else least

    def _overflow(self, number: int, length: int) -> bytes:
        parts: list[bytes] = []
        while length > 0:
            page = self.page(number)
            number = struct.unpack_from(">I", page)[0]
            part = page[4 : min(self._usable, 4 + length)]
            if not part:
                raise IndexError(number)
            parts.append(part)
            length -= len(part)
        return b"".join(parts)


@contextmanager
def opened(file: Path, log: Path) -> Generator[Pages]:
    """The pages of a file and its log, for reading; either may be missing, empty or anything. Raises `OSError`."""
    with ExitStack() as stack:
        yield Pages(_mapped(file, stack), _mapped(log, stack))


def _mapped(path: Path, stack: ExitStack) -> Bytes:
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as opened_file:
        return stack.enter_context(mmap.mmap(opened_file.fileno(), 0, access=mmap.ACCESS_READ))


def _page_size(content: Bytes, log: Bytes) -> int:
    sizes = []
    if len(log) >= _LOG_HEAD and struct.unpack_from(">I", log)[0] in _LOG_MAGICS:
        sizes.append(struct.unpack_from(">I", log, 8)[0])
    if content[:6] == b"SQLite" and len(content) >= 18:
        size = struct.unpack_from(">H", content, 16)[0]
        sizes.append(65536 if size == 1 else size)
    good = (size for size in sizes if 512 <= size <= 65536 and size & (size - 1) == 0)
    return next(good, _USUAL_SIZE)


def _frames(log: Bytes, size: int) -> Iterator[tuple[int, int]]:
    """(number of a page, where its bytes begin) for each page in the log, in the order in which they were written."""
    if len(log) < _LOG_HEAD or struct.unpack_from(">I", log)[0] not in _LOG_MAGICS:
        return
    salt = log[16:24]
    for at in range(_LOG_HEAD, len(log) - _FRAME_HEAD - size + 1, _FRAME_HEAD + size):
        if log[at + 8 : at + 16] != salt:
            return  # what follows is left from before the log was begun anew
        yield struct.unpack_from(">I", log, at)[0], at + _FRAME_HEAD


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next thing begins."""
    number = 0
    for _ in range(8):
        byte = content[at]
        at += 1
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at
    return number << 8 | content[at], at + 1


def _types(payload: bytes) -> list[int]:
    """The serial types of a row's columns; they stand before its values."""
    end, at = _varint(payload, 0)
    types = []
    while at < end:
        kind, at = _varint(payload, at)
        types.append(kind)
    if at != end:
        raise ValueError(end)
    return types


def _values(payload: bytes, types: list[int]) -> Iterator[Value]:
    at = _varint(payload, 0)[0]
    for kind in types:
        length = _length(kind)
        part = payload[at : at + length]
        if len(part) != length:
            raise IndexError(at)
        at += length
        if kind == 0:
            yield None
        elif kind in _WHOLE:
            yield int.from_bytes(part, "big", signed=True)
        elif kind == 7:
            yield struct.unpack(">d", part)[0]
        elif kind in {8, 9}:
            yield kind - 8
        else:
            yield part.decode("utf-8", "surrogateescape") if kind % 2 else part


def _length(kind: int) -> int:
    if kind in {10, 11}:
        raise ValueError(kind)
    if kind >= 12:
        return (kind - 12) // 2
    return _WHOLE.get(kind, 8 if kind == 7 else 0)
