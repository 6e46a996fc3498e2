"""Reading of zips that may be hostile, within limits."""

import re
import stat
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Self

import msgspec

from desktop_rater.format.errors import HINT_ASK_AGAIN, BundleFault, bundle_errors
from desktop_rater.format.opened_files import ZIPS

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

_LINES = frozenset({"tasks.jsonl", "ratings.jsonl", "history.jsonl"})


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits in bytes, unless noted otherwise. A value equal to its limit is accepted."""

    zip_bytes: int = GIB
    entries: int = 20_000
    directory_bytes: int = 16 * MIB
    """Central directory of a zip."""
    inflated_bytes: int = 2 * GIB
    """All entries together."""
    lines_bytes: int = 3 * GIB // 2
    """Limit of tasks.jsonl, ratings.jsonl and history.jsonl."""
    manifest_bytes: int = 4 * MIB
    """Results list each snapshot, and 20,000 of them take 3.6 MB."""
    rubric_bytes: int = MIB
    guidelines_bytes: int = 4 * MIB
    pictures: int = 30
    """Number of pictures of the guidelines."""
    picture_bytes: int = 4 * MIB
    pictures_bytes: int = 24 * MIB
    picture_side: int = 8_000
    """Pixels."""
    picture_pixels: int = 16_000_000
    """Decoded, a pixel takes four bytes."""
    signature_bytes: int = 64 * KIB
    other_bytes: int = 64 * MIB
    ratio: int = 500
    """Inflated over packed bytes, for an entry of more than `ratio_from` inflated bytes."""
    ratio_from: int = 4 * MIB
    line_bytes: int = 16 * MIB
    line_parts: int = 1_000_000
    """Lists and objects of a line: 16 MiB of "[]," would take 400 MiB once read. Brackets in texts count too."""
    line_quotes: int = 1_300_000
    """Quotation marks of a line, two to a key or a text: 16 MiB of short keys would take 430 MiB."""
    line_commas: int = 3_000_000
    """Commas of a line, one to a value: 16 MiB of "1.5," would take 210 MiB."""
    lines: int = 5_000_000
    """Lines of one file."""

    def entry_bytes(self, name: str) -> int:
        if name in _LINES:
            return self.lines_bytes
        match name:
            case "manifest.json":
                return self.manifest_bytes
            case "rubric.toml":
                return self.rubric_bytes
            case "guidelines.md" | "cases.jsonl":
                return self.guidelines_bytes
            case "signature.json":
                return self.signature_bytes
        return self.picture_bytes if name.startswith("guidelines/") else self.other_bytes


LIMITS = Limits()


STORED = 0
DEFLATED = 8

# APPNOTE.TXT 4.3.16, 4.3.12 and 4.3.7.
_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MARK, _CENTRAL_MARK, _LOCAL_MARK = b"PK\5\6", b"PK\1\2", b"PK\3\4"
_LONGEST_COMMENT = 0xFFFF
_ZIP64 = 0xFFFFFFFF  # placeholder: the value is in the zip64 record
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_SIZES_FOLLOW = 0x0008
_FLAGS = 0x0002 | 0x0004 | _SIZES_FOLLOW | 0x0800  # deflate options, sizes after the data, name in UTF-8
_UTF8 = 0x0800
_DOS_FOLDER = 0x10


class ZipEntry(msgspec.Struct, frozen=True, kw_only=True):
    """File listed in the central directory. `at`, `data`: offsets of its header and its compressed bytes."""

    name: str
    raw_name: bytes
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    at: int
    data: int = 0


def read_directory(file: BinaryIO, size: int, limits: Limits) -> list[ZipEntry]:
    """Return a zip's entries, apart and within `size`; a folder ends in "/". Raises `BundleFault` and `OSError`."""
    mark_at, count, length, start = _find_end(file, size)
    if count > limits.entries:
        raise BundleFault(f"It has {count:,} entries or more; the maximum is {limits.entries:,}")
    if start + length != mark_at:
        raise BundleFault("Its list of entries is not where it should be (cut off, data before it, or zip64)")
    if length > limits.directory_bytes:
        raise BundleFault(f"Its list of entries is larger than {limits.directory_bytes:,} bytes")
    listed = list(_central(read_exactly(file, start, length), count))
    _check_names(listed)
    entries = [_located(file, entry, start) for entry in sorted(listed, key=lambda entry: entry.at)]
    _check_apart(entries)
    return entries


def read_exactly(file: BinaryIO, at: int, length: int) -> bytes:
    """Read `length` bytes from `at`. Raises `BundleFault` if the file ends before."""
    file.seek(at)
    data = file.read(length)
    if len(data) < length:
        raise BundleFault("It is cut off")
    return data


def quoted_name(name: str) -> str:
    """Quote an untrusted name for a message: shortened, and without control characters."""
    quoted = name if name.isprintable() else ascii(name)
    return quoted if len(quoted) <= 80 else f"{quoted[:77]}..."


def _find_end(file: BinaryIO, size: int) -> tuple[int, int, int, int]:
    """Return the offset of the end record, the number of entries, and the directory's length and offset."""
    if size == 0:
        raise BundleFault("It is empty")
    if size < _END.size:
        raise BundleFault("It is not a zip")
    begin = max(0, size - _END.size - _LONGEST_COMMENT)
    tail = read_exactly(file, begin, size - begin)
    offset = len(tail)
    while (offset := tail.rfind(_END_MARK, 0, offset)) >= 0:
        if offset + _END.size <= len(tail):
            _, disk, first_disk, here, count, length, start, comment = _END.unpack_from(tail, offset)
            if offset + _END.size + comment == len(tail):
                if disk or first_disk or here != count:
                    raise BundleFault("It is one of several parts of a zip")
                return begin + offset, count, length, start
    if read_exactly(file, 0, 4) != _LOCAL_MARK:
        raise BundleFault("It is not a zip")
    raise BundleFault("It is cut off, or there is data after its end")


def _central(data: bytes, count: int) -> Iterator[ZipEntry]:
    offset = 0
    for number in range(1, count + 1):
        if offset + _CENTRAL.size > len(data) or not data.startswith(_CENTRAL_MARK, offset):
            raise BundleFault(f"Its list of entries is damaged at entry {number}")
        fields = _CENTRAL.unpack_from(data, offset)
        name_at = offset + _CENTRAL.size
        offset = name_at + sum(fields[10:13])
        if offset > len(data):
            raise BundleFault(f"Its list of entries is damaged at entry {number}")
        yield _entry(fields, data[name_at : name_at + fields[10]])
    if offset != len(data):
        raise BundleFault(f"It has more than the declared {count:,} entries")


def _entry(fields: tuple[int, ...], raw_name: bytes) -> ZipEntry:
    _, _, _, flags, method, _, _, crc, packed, size, _, _, _, disk, _, attributes, at = fields
    try:
        name = raw_name.decode("utf-8" if flags & _UTF8 else "cp437")
    except UnicodeDecodeError:
        raise BundleFault(f"The name {quoted_name(raw_name.decode('latin-1'))} is not valid UTF-8") from None
    mode = attributes >> 16
    entry = ZipEntry(name=name, raw_name=raw_name, method=method, crc=crc, packed=packed, size=size, mode=mode, at=at)
    _check_name(name)
    if flags & _ENCRYPTED:
        raise BundleFault(f"{quoted_name(name)} is encrypted")
    if flags & ~_FLAGS:
        raise BundleFault(f"{quoted_name(name)} uses an unsupported zip feature (flags {flags:#06x})")
    if method not in (STORED, DEFLATED):
        words = f"uses compression method {method}; only stored and deflated files are supported"
        raise BundleFault(f"{quoted_name(name)} {words}")
    if disk or _ZIP64 in (packed, size, at):
        raise BundleFault(f"{quoted_name(name)} uses zip64 or a second disk, which is not supported")
    _check_kind(entry, attributes)
    if method == STORED and packed != size:
        raise BundleFault(f"{quoted_name(name)} has contradictory sizes, {packed:,} and {size:,} bytes")
    return entry


def _check_name(name: str) -> None:
    if not name:
        raise BundleFault("An entry has no name")
    if any(unicodedata.category(character).startswith("C") for character in name):
        raise BundleFault(f"The name {quoted_name(ascii(name))} holds a control character")
    parts = name.removesuffix("/").split("/")
    if "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise BundleFault(f"The name {quoted_name(name)} points outside the zip")


def _check_kind(entry: ZipEntry, attributes: int) -> None:
    kind = stat.S_IFMT(entry.mode)
    folder = entry.name.endswith("/")
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        name = {stat.S_IFLNK: "a symbolic link", stat.S_IFDIR: "a folder"}.get(kind, "a device or pipe")
        raise BundleFault(f"{quoted_name(entry.name)} is {name}, not a plain file")
    if folder and (entry.size or entry.packed > 2):  # an empty file takes 2 bytes when deflated
        raise BundleFault(f"{quoted_name(entry.name)} is a folder with content")
    if not folder and attributes & _DOS_FOLDER:
        raise BundleFault(f"{quoted_name(entry.name)} is a folder, not a plain file")


def _check_names(entries: list[ZipEntry]) -> None:
    seen: dict[str, str] = {}
    for entry in entries:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", entry.name).casefold())
        if folded in seen:
            other = seen[folded]
            twice = (
                "occurs twice" if other == entry.name else f"and {quoted_name(other)} are the same name on some systems"
            )
            raise BundleFault(f"{quoted_name(entry.name)} {twice}")
        seen[folded] = entry.name


def _located(file: BinaryIO, entry: ZipEntry, directory: int) -> ZipEntry:
    """Return the entry with the offset of its data, after comparing its own header with the directory."""
    if entry.at + _LOCAL.size > directory:
        raise BundleFault(f"{quoted_name(entry.name)} has an offset outside the file")
    header = read_exactly(file, entry.at, _LOCAL.size)
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(header)
    if mark != _LOCAL_MARK:
        raise BundleFault(f"{quoted_name(entry.name)} is not where the list of entries says")
    name = file.read(name_length)
    agree = (name, method, flags & _ENCRYPTED) == (entry.raw_name, entry.method, 0)
    if _ZIP64 in (packed, size):
        raise BundleFault(f"{quoted_name(entry.name)} uses zip64, which is not supported")
    if not flags & _SIZES_FOLLOW:
        agree = agree and (crc, packed, size) == (entry.crc, entry.packed, entry.size)
    if not agree:
        raise BundleFault(f"{quoted_name(entry.name)} has two contradictory headers")
    data = entry.at + _LOCAL.size + name_length + extra_length
    if data + entry.packed > directory:
        raise BundleFault(f"{quoted_name(entry.name)} is cut off")
    return msgspec.structs.replace(entry, data=data)


def _check_apart(entries: list[ZipEntry]) -> None:
    """Check that entries do not overlap; `entries` are sorted by their offset."""
    if entries and entries[0].at:
        raise BundleFault("There is data before its first entry")
    for entry, following in pairwise(entries):
        if entry.data + entry.packed > following.at:
            raise BundleFault(f"{quoted_name(entry.name)} and {quoted_name(following.name)} are overlapping entries")


MANIFEST = "manifest.json"
UNPACKED = "It is a folder into which a zip was unpacked"
UNPACKED_HINT = (
    "Use the zip as it was exported, without unpacking it. Browsers such as Safari may unpack what they load."
)
_MAC_FILE = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|\._)")


def is_unpacked(folder: Path) -> bool:
    """Return whether a folder has the files of a bundle or of results, which are read from their zip only."""
    return (folder / MANIFEST).is_file() and (folder / "tasks.jsonl").is_file()


_PIECE = 256 * 1024
_NO_MEMORY = "Error -4 "  # how `zlib.error` begins for Z_MEM_ERROR


class SafeZip:
    """Zip open for one thread; each full name must match a pattern of `allowed`. Raises `BundleError` if invalid."""

    def __init__(
        self, path: str | Path, allowed: Iterable[str], limits: Limits = LIMITS, hint: str = HINT_ASK_AGAIN
    ) -> None:
        self.path = Path(path)
        self._allowed = re.compile("|".join(f"(?:{pattern})" for pattern in allowed))
        self._limits = limits
        self._hint = hint
        self._open = ExitStack()
        self._entries: dict[str, ZipEntry] = {}

    def __enter__(self) -> Self:
        with self.translate_errors(), ExitStack() as stack:
            # Opening a named pipe would block until it has a writer.
            if not stat.S_ISREG(self.path.stat().st_mode):
                if is_unpacked(self.path):
                    raise BundleFault(UNPACKED, UNPACKED_HINT)
                raise BundleFault("It is a folder" if self.path.is_dir() else "It is not a file")
            self._file = stack.enter_context(self.path.open("rb"))
            size = self._file.seek(0, 2)
            if size > self._limits.zip_bytes:
                raise BundleFault(f"It is larger than {self._limits.zip_bytes:,} bytes")
            entries = read_directory(self._file, size, self._limits)
            self._check(entries)
            self._entries = {entry.name: entry for entry in entries if not entry.name.endswith("/")}
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def translate_errors(self) -> AbstractContextManager[None]:
        """Return a context that converts errors while reading this zip to a `BundleError` naming it."""
        return bundle_errors(self.path, "opened", self._hint)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the sorted names of the files, without folders."""
        return tuple(sorted(self._entries))

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def size(self, name: str) -> int:
        """Return the inflated size of an entry; raises `KeyError` if it does not exist."""
        return self._entries[name].size

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the content in pieces. Size and CRC have been verified once the iterator is exhausted."""
        entry = self._entries[name]
        with self.translate_errors():
            size = crc = 0
            for piece in self._inflated(entry) if entry.method == DEFLATED else self._packed(entry):
                size += len(piece)
                if size > entry.size:
                    raise BundleFault(f"{name} is larger than the {entry.size:,} bytes declared in the zip")
                crc = zlib.crc32(piece, crc)
                yield piece
            if size < entry.size:
                raise BundleFault(f"{name} is smaller than the {entry.size:,} bytes declared in the zip")
            if crc != entry.crc:
                raise BundleFault(f"{name} is damaged: its checksum (CRC) is wrong")

    def chunks_from(self, name: str, start: int) -> Iterator[bytes]:
        """Yield the content from an offset on, whose checksum is not verified."""
        entry = self._entries[name]
        with self.translate_errors():
            if entry.method == STORED:
                yield from self._packed(entry, start)
                return
            for piece in self._inflated(entry):
                yield piece[start:]
                start = max(0, start - len(piece))

    def _packed(self, entry: ZipEntry, start: int = 0) -> Iterator[bytes]:
        for position in range(start, entry.packed, _PIECE):
            yield read_exactly(self._file, entry.data + position, min(_PIECE, entry.packed - position))

    def _inflated(self, entry: ZipEntry) -> Iterator[bytes]:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for packed in self._packed(entry):
                yield from _pieces(inflater, packed)
                if inflater.unused_data:
                    raise BundleFault(f"{entry.name} is damaged: there is data after its end")
        except zlib.error as error:
            if str(error).startswith(_NO_MEMORY):
                raise MemoryError(str(error)) from error
            raise BundleFault(f"{entry.name} is damaged ({error})") from error
        if not inflater.eof:
            raise BundleFault(f"{entry.name} is damaged: its compressed data is incomplete")

    def _check(self, entries: list[ZipEntry]) -> None:
        total = 0
        for entry in entries:
            if not self._allowed.fullmatch(entry.name):
                raise _unexpected(entry.name, [entry.name for entry in entries])
            most = self._limits.entry_bytes(entry.name)
            if entry.size > most:
                raise BundleFault(f"{entry.name} is larger than {most:,} bytes")
            if entry.size > self._limits.ratio_from and entry.size > self._limits.ratio * entry.packed:
                raise BundleFault(f"{entry.name} inflates more than {self._limits.ratio} times (a zip bomb?)")
            total += entry.size
        if total > self._limits.inflated_bytes:
            raise BundleFault(f"Its files take more than {self._limits.inflated_bytes:,} bytes")


def _unexpected(name: str, names: Iterable[str]) -> BundleFault:
    """Return the fault of a name that is not allowed: of a zip that was packed again, or put into another zip."""
    files = [name for name in names if not name.endswith("/") and not _MAC_FILE.search(name)]
    folder = next((name.removesuffix(MANIFEST) for name in files if name.endswith(f"/{MANIFEST}")), "")
    if (folder and all(name.startswith(folder) for name in files)) or (MANIFEST in files and _MAC_FILE.search(name)):
        return BundleFault("It was unpacked and packed again", UNPACKED_HINT)
    zips = [quoted_name(name) for name in files if name.lower().endswith(ZIPS)]
    if zips and len(zips) == len(files):
        others = f" and {len(zips) - 1:,} more" if len(zips) > 1 else ""
        return BundleFault(f"It holds other zips: {zips[0]}{others}", "Unpack this one, then open those in it.")
    return BundleFault(f"{quoted_name(name)} is not allowed in this file")


def _pieces(inflater: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    while True:
        piece = inflater.decompress(packed, _PIECE)
        yield piece
        packed = inflater.unconsumed_tail
        # After a full piece zlib may still hold output, even if all the input is consumed.
        if inflater.eof or (not packed and len(piece) < _PIECE):
            return
