"""Read tables of cells, such as CSV, row by row, with detection of the delimiter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from desktop_rater.bundle.csv_cells import cells_of
from desktop_rater.bundle.errors import BundleFault
from desktop_rater.bundle.safe_zip import Limits

ANOTHER = "Nothing was written. Name another column in --columns."
DELIMITERS = (",", ";", "\t", "|")
_MOST_NAMES, _LONGEST = 30, 60
_DELIMITER_LINE = re.compile(rb"(?:\xef\xbb\xbf)?sep=([^\r\n])\r?\n", re.IGNORECASE)  # Excel's delimiter line


def rows_by_column(
    pieces: Iterable[bytes],
    delimiter: str | None,
    wanted: Iterable[str],
    limits: Limits,
    hint: str = ANOTHER,
    on_fault: Callable[[int, str], None] | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows as column → cell, each with the number of the line where it begins.

    The first row names the columns. Without a delimiter the one is used with which all `wanted` columns exist,
    otherwise the one with the most columns. Empty cells after the last named column are ignored. Raises
    `BundleFault`, naming the line; `hint` is used if a column is missing. Rows with a wrong number of cells go to
    `on_fault` if it is given.
    """
    rest = iter(pieces)
    start = next(rest, b"")
    declared = _DELIMITER_LINE.match(start)
    if delimiter is None:
        delimiter = declared[1].decode("latin-1") if declared else _detect_delimiter(start, set(wanted), limits)
    rows = cells_of(chain([start], rest), delimiter, limits)
    if declared:
        next(rows, None)
    line, names = next(rows, (1, []))
    names = _named_columns(line, names)
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise BundleFault(
            f"line {line}: no column is called {quote_names(missing)}; there are {quote_names(names)}", hint
        )
    for number, cells in rows:
        if len(cells) < len(names) or any(cells[len(names) :]):
            only = "only" if len(cells) < len(names) else "it has"
            why = f"{only} {len(cells):,} cells instead of {len(names):,}"
            if on_fault is None:
                raise BundleFault(f"line {number}: {why}")
            on_fault(number, why)
        elif any(cells):
            yield number, dict(zip(names, cells, strict=False))


def columns_in(pieces: Iterable[bytes], delimiter: str | None, limits: Limits) -> list[str]:
    """Return the names of the columns. Raises `BundleFault`."""
    start = next(iter(pieces), b"")
    declared = _DELIMITER_LINE.match(start)
    if delimiter is None:
        delimiter = declared[1].decode("latin-1") if declared else _detect_delimiter(start, set(), limits)
    rows = cells_of([start], delimiter, limits)
    if declared:
        next(rows, None)
    return _named_columns(*next(rows, (1, [])))


def quote_names(names: Iterable[str]) -> str:
    """Quote names for a message: the first of them, shortened if long."""
    names = list(names)
    more = len(names) - _MOST_NAMES
    text = ", ".join(f'"{name[:_LONGEST]}"' for name in names[:_MOST_NAMES])
    return f"{text} and {more:,} more" if more > 0 else text


def _detect_delimiter(start: bytes, wanted: set[str], limits: Limits) -> str:
    names: dict[str, list[str]] = {delimiter: [] for delimiter in DELIMITERS}
    for delimiter in DELIMITERS:
        with suppress(BundleFault):  # it may be a row with another delimiter
            names[delimiter] = next(cells_of([start], delimiter, limits), (1, []))[1]
    return max(DELIMITERS, key=lambda delimiter: (wanted <= set(names[delimiter]), len(names[delimiter])))


def _named_columns(line: int, names: list[str]) -> list[str]:
    while names and not names[-1].strip():
        names = names[:-1]
    if not names:
        raise BundleFault(f"line {line}: it names no columns")
    names = [name if name.strip() else f"column {number}" for number, name in enumerate(names, 1)]
    repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if repeated is not None:
        raise BundleFault(f'line {line}: two columns are named "{repeated[:_LONGEST]}"')
    return names
