"""The list of entries at the end of a zip, read by ourselves and strictly.

`zipfile` cuts names at NUL, builds an object for each of a million entries before anybody can object, follows zip64
fields wherever they lead, and up to Python 3.11.7 reads entries that overlap: 9 kB become 250 MB. Here nothing of that
is possible: every field is checked before a byte of content is read, and what a plain zip of at most 1 GiB does not
need is refused: zip64, several disks, encryption, text before the first entry or after the last.
"""

from __future__ import annotations

import stat
import struct
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.limits import Limits

STORED = 0
DEFLATED = 8

# APPNOTE.TXT 4.3.16, 4.3.12 and 4.3.7.
_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MARK, _CENTRAL_MARK, _LOCAL_MARK = b"PK\5\6", b"PK\1\2", b"PK\3\4"
_LONGEST_COMMENT = 0xFFFF
_ZIP64 = 0xFFFFFFFF  # "the true value stands elsewhere"
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_SIZES_FOLLOW = 0x0008
_FLAGS = 0x0002 | 0x0004 | _SIZES_FOLLOW | 0x0800  # how it was deflated, sizes behind the data, name in UTF-8
_UTF8 = 0x0800
_DOS_FOLDER = 0x10


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A file in a zip, as the list of entries has it. `at`, `data`: where its header and its packed bytes begin."""

    name: str
    raw_name: bytes
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    at: int
    data: int = 0


def read_directory(file: BinaryIO, size: int, limits: Limits) -> list[Entry]:
    """The entries of the zip of `size` bytes, each known to lie in the file and apart from the others.

    The name of a folder ends with "/". Raises `Fault` and `OSError`.
    """
    mark_at, count, length, start = _find_end(file, size)
    if count > limits.entries:
        raise Fault(f"It holds {count:,} entries or more, and {limits.entries:,} are the most")
    if start + length != mark_at:
        raise Fault("Its list of entries is not where it should be (cut off, something in front of it, or zip64)")
    if length > limits.directory_bytes:
        raise Fault(f"Its list of entries is larger than {limits.directory_bytes:,} bytes")
    listed = list(_central(read_exactly(file, start, length), count))
    _check_names(listed)
    entries = [_located(file, entry, start) for entry in sorted(listed, key=lambda entry: entry.at)]
    _check_apart(entries)
    return entries


def read_exactly(file: BinaryIO, at: int, length: int) -> bytes:
    """`length` bytes from `at`. Raises `Fault` where the file ends before."""
    file.seek(at)
    data = file.read(length)
    if len(data) < length:
        raise Fault("It is cut off")
    return data


def shown(name: str) -> str:
    """A stranger's name, short and without what could disturb a message."""
    quoted = name if name.isprintable() else ascii(name)
    return quoted if len(quoted) <= 80 else f"{quoted[:77]}..."


def _find_end(file: BinaryIO, size: int) -> tuple[int, int, int, int]:
    """Where the end record stands, and what it says: how many entries, the list's length and start."""
    if size == 0:
        raise Fault("It is empty")
    if size < _END.size:
        raise Fault("It is not a zip")
    begin = max(0, size - _END.size - _LONGEST_COMMENT)
    tail = read_exactly(file, begin, size - begin)
    at = len(tail)
    while (at := tail.rfind(_END_MARK, 0, at)) >= 0:
        if at + _END.size <= len(tail):
            _, disk, first_disk, here, count, length, start, comment = _END.unpack_from(tail, at)
            if at + _END.size + comment == len(tail):
                if disk or first_disk or here != count:
                    raise Fault("It is one of several parts of a zip")
                return begin + at, count, length, start
    if read_exactly(file, 0, 4) != _LOCAL_MARK:
        raise Fault("It is not a zip")
    raise Fault("It is cut off, or something stands behind its end")


def _central(data: bytes, count: int) -> Iterator[Entry]:
    at = 0
    for number in range(1, count + 1):
        if at + _CENTRAL.size > len(data) or not data.startswith(_CENTRAL_MARK, at):
            raise Fault(f"Its list of entries is damaged at entry {number}")
        fields = _CENTRAL.unpack_from(data, at)
        name_at = at + _CENTRAL.size
        at = name_at + sum(fields[10:13])
        if at > len(data):
            raise Fault(f"Its list of entries is damaged at entry {number}")
        yield _entry(fields, data[name_at : name_at + fields[10]])
    if at != len(data):
        raise Fault(f"It holds more than the {count:,} entries that it says")


def _entry(fields: tuple[int, ...], raw_name: bytes) -> Entry:
    _, _, _, flags, method, _, _, crc, packed, size, _, _, _, disk, _, attributes, at = fields
    name = _decoded(raw_name, flags)
    entry = Entry(
        name=name,
        raw_name=raw_name,
        method=method,
        crc=crc,
        packed=packed,
        size=size,
        mode=attributes >> 16,
        at=at,
    )
    _check_name(name)
    if flags & _ENCRYPTED:
        raise Fault(f"{shown(name)} is encrypted")
    if flags & ~_FLAGS:
        raise Fault(f"{shown(name)} is packed in a way that is not read here (flags {flags:#06x})")
    if method not in (STORED, DEFLATED):
        raise Fault(f"{shown(name)} is packed by method {method}; only stored and deflated files are read")
    if disk or _ZIP64 in (packed, size, at):
        raise Fault(f"{shown(name)} uses zip64 or a second disk, which no file of this size needs")
    _check_kind(entry, attributes)
    if method == STORED and packed != size:
        raise Fault(f"{shown(name)} has two sizes, {packed:,} and {size:,} bytes")
    return entry


def _decoded(raw: bytes, flags: int) -> str:
    try:
        return raw.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        raise Fault(f"The name {shown(raw.decode('latin-1'))} is not UTF-8 as it says") from None


def _check_name(name: str) -> None:
    if not name:
        raise Fault("An entry has no name")
    if any(unicodedata.category(character).startswith("C") for character in name):
        raise Fault(f"The name {shown(ascii(name))} holds a control character")
    parts = name.removesuffix("/").split("/")
    if "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise Fault(f"The name {shown(name)} leads out of the zip")


def _check_kind(entry: Entry, attributes: int) -> None:
    kind = stat.S_IFMT(entry.mode)
    folder = entry.name.endswith("/")
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        raise Fault(f"{shown(entry.name)} is {_kind(kind)}, not a plain file")
    if folder and (entry.size or entry.packed > 2):  # nothing, deflated, is 2 bytes
        raise Fault(f"{shown(entry.name)} is a folder with content")
    if not folder and attributes & _DOS_FOLDER:
        raise Fault(f"{shown(entry.name)} is a folder, not a plain file")


def _kind(kind: int) -> str:
    match kind:
        case stat.S_IFLNK:
            return "a symbolic link"
        case stat.S_IFDIR:
            return "a folder"
    return "a device or pipe"


def _check_names(entries: list[Entry]) -> None:
    seen: dict[str, str] = {}
    for entry in entries:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", entry.name).casefold())
        if folded in seen:
            other = seen[folded]
            twice = "stands in it twice" if other == entry.name else f"and {shown(other)} are one name to some systems"
            raise Fault(f"{shown(entry.name)} {twice}")
        seen[folded] = entry.name


def _located(file: BinaryIO, entry: Entry, directory: int) -> Entry:
    """The entry with the place of its data, once its own header agrees with the list."""
    if entry.at + _LOCAL.size > directory:
        raise Fault(f"{shown(entry.name)} is said to lie outside the file")
    header = read_exactly(file, entry.at, _LOCAL.size)
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(header)
    if mark != _LOCAL_MARK:
        raise Fault(f"{shown(entry.name)} is not where the list of entries says")
    name = file.read(name_length)
    agree = (name, method, flags & _ENCRYPTED) == (entry.raw_name, entry.method, 0)
    if not flags & _SIZES_FOLLOW:
        agree = agree and crc == entry.crc and packed in (entry.packed, _ZIP64) and size in (entry.size, _ZIP64)
    if not agree:
        raise Fault(f"{shown(entry.name)} is described in two ways that disagree")
    data = entry.at + _LOCAL.size + name_length + extra_length
    if data + entry.packed > directory:
        raise Fault(f"{shown(entry.name)} is cut off")
    return msgspec.structs.replace(entry, data=data)


def _check_apart(entries: list[Entry]) -> None:
    """`entries` are sorted by their place."""
    if entries and entries[0].at:
        raise Fault("Something stands in front of its first entry")
    for entry, following in pairwise(entries):
        if entry.data + entry.packed > following.at:
            raise Fault(f"{shown(entry.name)} and {shown(following.name)} are overlapping entries")
