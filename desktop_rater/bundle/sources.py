"""What becomes an entry of a zip. Its hash and length are known before anything is written."""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, Protocol, Self

from desktop_rater.bundle.trouble import Fault, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

_PIECE = 256 * 1024


class Source(Protocol):
    """What becomes an entry, its SHA-256 and its length in bytes."""

    @property
    def sha256(self) -> str:
        """64 hexadecimal digits."""
        ...

    @property
    def size(self) -> int:
        """Bytes."""
        ...

    def chunks(self) -> Iterator[bytes]:
        """The content from its beginning, in pieces."""
        ...


class Whole:
    """A small content, in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.size = len(data)

    def chunks(self) -> Iterator[bytes]:
        """The content, once."""
        yield self.data


class Spooled:
    """A content that is too large for memory, in a file that belongs to a `Spool`."""

    def __init__(self, file: BinaryIO, sha256: str, size: int) -> None:
        self._file = file
        self.sha256 = sha256
        self.size = size

    def chunks(self) -> Iterator[bytes]:
        """The content from its beginning."""
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece


class Lines:
    """A file of a `Spool` on its way; several can be filled side by side. Its methods raise `OSError`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._size = 0

    def add(self, lines: Sequence[bytes]) -> None:
        r"""Take lines that come without their "\n"."""
        if lines:
            self.add_piece(b"\n".join((*lines, b"")))

    def add_piece(self, piece: bytes) -> None:
        """Take any bytes."""
        self._file.write(piece)
        self._digest.update(piece)
        self._size += len(piece)

    def spooled(self) -> Spooled:
        """What was taken, as a source."""
        self._file.flush()
        return Spooled(self._file, self._digest.hexdigest(), self._size)


class Snapshot:
    """A stored page; its SHA-256 is its name."""

    def __init__(self, sha256: str, path: Path) -> None:
        self._path = path
        self.sha256 = sha256
        with named(path, "read", ""):
            self.size = path.stat().st_size

    def chunks(self) -> Iterator[bytes]:
        """The file's content. Raises `BundleError` where it is not what its name says."""
        digest = hashlib.sha256()
        with named(self._path, "read", "Fetch the page again."), self._path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                yield piece
            if digest.hexdigest() != self.sha256:
                raise Fault("The snapshot has been altered or damaged")


class Spool:
    """Nameless temporary files in a folder, so that hashes and sizes are known before a manifest names them.

    They vanish when it is left, and with the process if it is killed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def add(self, chunks: Iterable[bytes]) -> Spooled:
        """Take all of `chunks`. Raises `OSError`."""
        taken = self.lines()
        for chunk in chunks:
            taken.add_piece(chunk)
        return taken.spooled()

    def add_lines(self, lines: Iterable[bytes]) -> Spooled:
        r"""Take lines that come without their "\n". Raises `OSError`."""
        return self.add(line + b"\n" for line in lines)

    def lines(self) -> Lines:
        """A new file that takes lines. Raises `OSError`."""
        file = self._stack.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 - the stack closes it
        return Lines(file)
