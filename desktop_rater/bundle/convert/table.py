r"""Tables of cells, such as CSV, read row by row.

Cells may hold line ends, so a row has the number of the line where it begins. Lines end at "\n" only: U+0085 and
U+2028 are ordinary characters.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from desktop_rater.bundle.trouble import Fault
from desktop_rater.model.strict_json import BOM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.bundle.limits import Limits


def cells_of(pieces: Iterable[bytes], delimiter: str, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """The rows as lists of cells, each with the number of its line; empty lines are passed over. Raises `Fault`."""
    lines = _Lines(pieces, limits)
    csv.field_size_limit(limits.line_bytes)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Fault(f"line {lines.first}: {_explained(error)}") from error
        if cells:
            yield lines.first, cells


class _Lines:
    """The lines of a file as text, which knows where the row at hand began."""

    def __init__(self, pieces: Iterable[bytes], limits: Limits) -> None:
        self.first = 1
        self._number = 0
        self._size = 0
        self._most = limits.line_bytes
        self._lines = _split(pieces, self._most)

    def begin(self) -> None:
        """Another row begins with the next line."""
        self.first = self._number + 1
        self._size = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self._size += len(line)
        if self._size > self._most:
            raise Fault(
                f"line {self.first}: its row has more than {self._most:,} bytes (a quotation mark that is not closed?)"
            )
        try:
            return (line.removeprefix(BOM) if self._number == 1 else line).decode()
        except UnicodeDecodeError as error:
            raise Fault(f"line {self._number}: not UTF-8 at byte {error.start + 1}") from error


def _split(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > most:
            break
    if rest:
        yield rest


def _explained(error: csv.Error) -> str:
    words = str(error)
    if "unexpected end" in words:
        return "a quotation mark opens a cell that does not end"
    if "expected after" in words:
        return "something stands behind the quotation mark that ends a cell"
    if "new-line character" in words:
        return "a carriage return stands where no line ends; lines end with a line feed"
    return f"not a row: {words}"
