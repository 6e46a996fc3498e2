"""The only way into a zip from outside: all is checked before a byte of content is read, nothing is extracted."""

from __future__ import annotations

import re
import stat
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from desktop_rater.bundle.directory import DEFLATED, Entry, read_directory, read_exactly, shown
from desktop_rater.bundle.limits import LIMITS, Limits
from desktop_rater.bundle.trouble import ASK_AGAIN, Fault, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from types import TracebackType

_PIECE = 256 * 1024


class Door:
    """A zip, open for reading by one thread.

    `allowed` are regular expressions; a file whose whole name matches none of them refuses the zip. Entering raises
    `BundleError` for whatever bytes the file holds, and so do the methods.
    """

    def __init__(
        self, path: str | Path, allowed: Iterable[str], limits: Limits = LIMITS, hint: str = ASK_AGAIN
    ) -> None:
        self.path = Path(path)
        self._allowed = re.compile("|".join(f"(?:{pattern})" for pattern in allowed))
        self._limits = limits
        self._hint = hint
        self._open = ExitStack()
        self._entries: dict[str, Entry] = {}

    def __enter__(self) -> Self:
        with self.trouble(), ExitStack() as stack:
            self._file = stack.enter_context(_plain_file(self.path))
            size = self._file.seek(0, 2)
            if size > self._limits.zip_bytes:
                raise Fault(f"It is larger than {self._limits.zip_bytes:,} bytes")
            entries = read_directory(self._file, size, self._limits)
            self._check(entries)
            self._entries = {entry.name: entry for entry in entries if not entry.name.endswith("/")}
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def trouble(self) -> AbstractContextManager[None]:
        """Around what reads this zip: turns what goes wrong into a `BundleError` that names it."""
        return named(self.path, "opened", self._hint)

    @property
    def names(self) -> tuple[str, ...]:
        """Sorted; folders are left out."""
        return tuple(sorted(self._entries))

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def size(self, name: str) -> int:
        """How many bytes `read` will give; `KeyError` where there is no such entry."""
        return self._entries[name].size

    def read(self, name: str) -> bytes:
        """The whole content, for small files."""
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """The content in pieces of at most 256 KiB. When it has ended, size and CRC have been found right."""
        entry = self._entries[name]
        with self.trouble():
            size = crc = 0
            for piece in self._inflated(entry) if entry.method == DEFLATED else self._packed(entry):
                size += len(piece)
                if size > entry.size:
                    raise Fault(f"{name} is larger than the {entry.size:,} bytes that the zip says")
                crc = zlib.crc32(piece, crc)
                yield piece
            if size < entry.size:
                raise Fault(f"{name} is smaller than the {entry.size:,} bytes that the zip says")
            if crc != entry.crc:
                raise Fault(f"{name} is damaged: its checksum (CRC) is wrong")

    def _packed(self, entry: Entry) -> Iterator[bytes]:
        for at in range(0, entry.packed, _PIECE):
            yield read_exactly(self._file, entry.data + at, min(_PIECE, entry.packed - at))

    def _inflated(self, entry: Entry) -> Iterator[bytes]:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for packed in self._packed(entry):
                yield from _pieces(inflater, packed)
                if inflater.unused_data:
                    raise Fault(f"{entry.name} is damaged: something stands behind its end")
        except zlib.error as error:
            raise Fault(f"{entry.name} is damaged ({error})") from error
        if not inflater.eof:
            raise Fault(f"{entry.name} is damaged: its packed text does not end")

    def _check(self, entries: list[Entry]) -> None:
        total = 0
        for entry in entries:
            if not self._allowed.fullmatch(entry.name):
                raise Fault(f"{shown(entry.name)} does not belong into it")
            most = self._limits.entry_bytes(entry.name)
            if entry.size > most:
                raise Fault(f"{entry.name} is larger than {most:,} bytes")
            if entry.size > self._limits.ratio_from and entry.size > self._limits.ratio * entry.packed:
                raise Fault(f"{entry.name} inflates more than {self._limits.ratio} times, as only a zip bomb does")
            total += entry.size
        if total > self._limits.inflated_bytes:
            raise Fault(f"Its files take more than {self._limits.inflated_bytes:,} bytes")


def _pieces(inflater: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    while True:
        piece = inflater.decompress(packed, _PIECE)
        yield piece
        packed = inflater.unconsumed_tail
        # A full piece may leave some behind inside zlib even when all the input is consumed.
        if inflater.eof or (not packed and len(piece) < _PIECE):
            return


def _plain_file(path: Path) -> BinaryIO:
    # To open a named pipe would wait for somebody to write into it.
    if not stat.S_ISREG(path.stat().st_mode):
        raise Fault("It is a folder" if path.is_dir() else "It is not a file")
    return path.open("rb")
