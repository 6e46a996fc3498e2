"""Read the cells of CSV files row by row, within limits."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.safe_zip import Limits
from desktop_rater.model.strict_json import BOM


def cells_of(pieces: Iterable[bytes], delimiter: str, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows as lists of cells, each with its line number; empty lines are skipped. Raises `BundleFault`."""
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
            raise BundleFault(f"line {lines.first}: {_explained(error)}") from error
        if cells:
            yield lines.first, cells


class _Lines:
    """Lines of a file as text; keeps the line where the current row began."""

    def __init__(self, pieces: Iterable[bytes], limits: Limits) -> None:
        self.first = 1
        self._number = 0
        self._size = 0
        self._most = limits.line_bytes
        self._lines = _split(pieces, self._most)

    def begin(self) -> None:
        self.first = self._number + 1
        self._size = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self._size += len(line)
        if self._size > self._most:
            raise BundleFault(
                f"line {self.first}: its row has more than {self._most:,} bytes (a quotation mark that is not closed?)"
            )
        try:
            return (line.removeprefix(BOM) if self._number == 1 else line).decode()
        except UnicodeDecodeError as error:
            raise BundleFault(f"line {self._number}: not UTF-8 at byte {error.start + 1}") from error


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
        return "a quotation mark is not closed"
    if "expected after" in words:
        return "there is text after the closing quotation mark of a cell"
    if "new-line character" in words:
        return "unexpected carriage return within a line; lines end with a line feed"
    return f"not a row: {words}"
