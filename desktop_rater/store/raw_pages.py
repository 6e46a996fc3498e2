"""Reader of database rows from the raw bytes of a file, without SQLite."""

import mmap
import struct
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

RawValue = int | float | str | bytes | None
RawBytes = mmap.mmap | bytes

_USUAL_SIZE = 4096  # bytes of a page, if the file header does not tell
_LEAF, _INDEX_LEAF, _INDEX_INNER = 13, 10, 2
_LOG_MAGICS = {0x377F0682, 0x377F0683}
_LOG_HEAD, _FRAME_HEAD = 32, 24
_WHOLE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes of an integer
_UNREADABLE = (IndexError, ValueError, struct.error)


class RawRow(NamedTuple):
    """One row; `rowid` is `None` in an index. Invalid UTF-8 becomes surrogates."""

    rowid: int | None
    values: list[RawValue]


class RawPages:
    """The current pages of a file; the last versions in its WAL, if there is one, replace the file's own."""

    def __init__(self, content: RawBytes, log: RawBytes) -> None:
        self._content = content
        self._log = log
        self._size = _page_size(content, log)
        self._usable = self._size - (content[20] if len(content) > 20 and content[:6] == b"SQLite" else 0)
        if not 480 <= self._usable <= self._size:
            self._usable = self._size
        self._logged = dict(_frames(log, self._size))
        self.count = max((len(content) + self._size - 1) // self._size, max(self._logged, default=0))

    def page(self, number: int) -> bytes:
        """Return the bytes of a page, counted from 1. Raises `IndexError`."""
        offset = self._logged.get(number)
        source, start = (self._log, offset) if offset is not None else (self._content, (number - 1) * self._size)
        page = source[start : start + self._size]
        if number < 1 or not page:
            raise IndexError(number)
        return page

    def records(self, wanted: Callable[[bool, int], bool]) -> Iterator[RawRow | None]:
        """Yield rows that `wanted(has rowid, column count)` accepts, and `None` now and then to allow cancelling."""
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
                    offset = struct.unpack_from(">H", page, first + 2 * cell)[0]
                    record = self._record(page, offset, kind, wanted)
                except _UNREADABLE:
                    continue
                if record is not None:
                    yield record

    def _record(self, page: bytes, offset: int, kind: int, wanted: Callable[[bool, int], bool]) -> RawRow | None:
        rowid: int | None = None
        if kind == _INDEX_INNER:
            offset += 4
        length, offset = _varint(page, offset)
        if kind == _LEAF:
            rowid, offset = _varint(page, offset)
            rowid -= (rowid >> 63) << 64
        if not 1 < length <= self.count * self._size:
            return None
        local = self._local(length, table=kind == _LEAF)
        payload = page[offset : offset + local]
        types = _types(payload) if local == length or len(payload) == local else []
        if not wanted(rowid is not None, len(types)):
            return None
        if local < length:
            payload += self._overflow(struct.unpack_from(">I", page, offset + local)[0], length - local)
        if len(payload) != length:
            return None
        return RawRow(rowid, list(_values(payload, types)))

    def _local(self, length: int, *, table: bool) -> int:
        """Return the number of bytes of a row in its own page; the rest overflows."""
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
def open_raw_pages(file: Path, log: Path) -> Generator[RawPages]:
    """Open the pages of a file and its WAL; either may be missing, empty or invalid. Raises `OSError`."""
    with ExitStack() as stack:
        yield RawPages(_mapped(file, stack), _mapped(log, stack))


def _mapped(path: Path, stack: ExitStack) -> RawBytes:
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as opened_file:
        return stack.enter_context(mmap.mmap(opened_file.fileno(), 0, access=mmap.ACCESS_READ))


def _page_size(content: RawBytes, log: RawBytes) -> int:
    sizes = []
    if len(log) >= _LOG_HEAD and struct.unpack_from(">I", log)[0] in _LOG_MAGICS:
        sizes.append(struct.unpack_from(">I", log, 8)[0])
    if content[:6] == b"SQLite" and len(content) >= 18:
        size = struct.unpack_from(">H", content, 16)[0]
        sizes.append(65536 if size == 1 else size)
    good = (size for size in sizes if 512 <= size <= 65536 and size & (size - 1) == 0)
    return next(good, _USUAL_SIZE)


def _frames(log: RawBytes, size: int) -> Iterator[tuple[int, int]]:
    """Yield (page number, offset of its bytes) for each page in the WAL, in the order of writing."""
    if len(log) < _LOG_HEAD or struct.unpack_from(">I", log)[0] not in _LOG_MAGICS:
        return
    salt = log[16:24]
    for offset in range(_LOG_HEAD, len(log) - _FRAME_HEAD - size + 1, _FRAME_HEAD + size):
        if log[offset + 8 : offset + 16] != salt:
            return  # frames from before the WAL was restarted follow
        yield struct.unpack_from(">I", log, offset)[0], offset + _FRAME_HEAD


def _varint(content: bytes, offset: int) -> tuple[int, int]:
    number = 0
    for _ in range(8):
        byte = content[offset]
        offset += 1
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, offset
    return number << 8 | content[offset], offset + 1


def _types(payload: bytes) -> list[int]:
    """Return the serial types of a row's columns, which precede its values."""
    end, offset = _varint(payload, 0)
    types = []
    while offset < end:
        kind, offset = _varint(payload, offset)
        types.append(kind)
    if offset != end:
        raise ValueError(end)
    return types


def _values(payload: bytes, types: list[int]) -> Iterator[RawValue]:
    offset = _varint(payload, 0)[0]
    for kind in types:
        length = _length(kind)
        part = payload[offset : offset + length]
        if len(part) != length:
            raise IndexError(offset)
        offset += length
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
