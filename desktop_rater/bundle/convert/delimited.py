"""A table whose delimiter has to be found out: commas, semicolons, tabs or bars."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from desktop_rater.bundle.convert.table import cells_of
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.bundle.limits import Limits

ANOTHER = "Nothing was written. Name another column in --columns."
DELIMITERS = (",", ";", "\t", "|")
_SHOWN, _LONGEST = 30, 60
_SAID = re.compile(rb"(?:\xef\xbb\xbf)?sep=([^\r\n])\r?\n", re.IGNORECASE)  # how Excel says it, in a line of its own


def rows_by_column(
    pieces: Iterable[bytes], delimiter: str | None, wanted: Iterable[str], limits: Limits, hint: str = ANOTHER
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows as column → cell, each with the number of the line where it begins; the first row names the columns.

    Without a delimiter that one is taken by which all `wanted` columns are there, else the one that gives the most.
    Empty cells behind the last named column are passed over. Raises `Fault`, naming the line; `hint` says what to do
    where a column is missing.
    """
    rest = iter(pieces)
    start = next(rest, b"")
    said = _SAID.match(start)
    if delimiter is None:
        delimiter = said[1].decode("latin-1") if said else _found_out(start, set(wanted), limits)
    rows = cells_of(chain([start], rest), delimiter, limits)
    if said:
        next(rows, None)
    line, names = next(rows, (1, []))
    names = _named_columns(line, names)
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise Fault(f"line {line}: no column is called {quoted(missing)}; there are {quoted(names)}", hint)
    for number, cells in rows:
        if any(cells[len(names) :]):
            raise Fault(f"line {number}: {len(cells):,} cells, and there are {len(names):,} columns")
        if len(cells) < len(names):
            raise Fault(f"line {number}: only {len(cells):,} cells, and there are {len(names):,} columns")
        if any(cells):
            yield number, dict(zip(names, cells, strict=False))


def columns_in(pieces: Iterable[bytes], delimiter: str | None, limits: Limits) -> list[str]:
    """The names of the columns. Raises `Fault`."""
    start = next(iter(pieces), b"")
    said = _SAID.match(start)
    if delimiter is None:
        delimiter = said[1].decode("latin-1") if said else _found_out(start, set(), limits)
    rows = cells_of([start], delimiter, limits)
    if said:
        next(rows, None)
    return _named_columns(*next(rows, (1, [])))


def quoted(names: Iterable[str]) -> str:
    """Names in a message: the first of them, cut where they are long."""
    names = list(names)
    more = len(names) - _SHOWN
    shown = ", ".join(f'"{name[:_LONGEST]}"' for name in names[:_SHOWN])
    return f"{shown} and {more:,} more" if more > 0 else shown


def _found_out(start: bytes, wanted: set[str], limits: Limits) -> str:
    names = {delimiter: _first_row(start, delimiter, limits) for delimiter in DELIMITERS}
    return max(DELIMITERS, key=lambda delimiter: (wanted <= set(names[delimiter]), len(names[delimiter])))


def _first_row(start: bytes, delimiter: str, limits: Limits) -> list[str]:
    try:
        return next(cells_of([start], delimiter, limits), (1, []))[1]
    except Fault:  # with another delimiter it may be a row
        return []


def _named_columns(line: int, names: list[str]) -> list[str]:
    while names and not names[-1].strip():
        names = names[:-1]
    if not names:
        raise Fault(f"line {line}: it names no columns")
    names = [name if name.strip() else f"column {number}" for number, name in enumerate(names, 1)]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Fault(f'line {line}: two columns are named "{twice[:_LONGEST]}"')
    return names
