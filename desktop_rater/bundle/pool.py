"""Task lines in a temporary file: each can be had again to the byte, by its number, in any order."""

from __future__ import annotations

import tempfile
from array import array
from typing import TYPE_CHECKING, Self

from desktop_rater.bundle.trouble import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import TracebackType

_HINT = "Nothing was written. Make room there, or choose another folder."


class Pool:
    """Numbered from 0. The file has no name and vanishes with the pool. Raises `BundleError`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ends = array("Q", [0])

    def __enter__(self) -> Self:
        with named(self._folder, "written to", _HINT):
            self._file = tempfile.TemporaryFile(dir=self._folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, line: bytes) -> None:
        """Take one more line. Once one was read again, none is taken any more."""
        with named(self._folder, "written to", _HINT):
            self._file.write(line)
        self._ends.append(self._ends[-1] + len(line))

    def lines(self, numbers: Iterable[int]) -> Iterator[bytes]:
        """The lines of those numbers."""
        for number in numbers:
            start, end = self._ends[number], self._ends[number + 1]
            with named(self._folder, "read", _HINT):
                self._file.seek(start)
                line = self._file.read(end - start)
            yield line
