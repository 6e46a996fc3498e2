"""How files are read whose columns a user maps to the fields of a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.convert.by_columns import CSV, JSONL, convert_csv, convert_jsonl
from desktop_rater.bundle.convert.columns import columns_named_so, columns_of
from desktop_rater.bundle.convert.converted import Converted, Omitted
from desktop_rater.bundle.convert.delimited import columns_in
from desktop_rater.bundle.convert.source import Records
from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.trouble import BundleError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAPPED = (CSV, JSONL)
"""The formats whose columns are mapped."""

_PAIR, _SINGLE = "side-by-side@1", "span-factuality@1"
_DELIMITERS = {"tab": "\t", r"\t": "\t", "comma": ",", "semicolon": ";", "bar": "|"}


class Mapped(msgspec.Struct, frozen=True, kw_only=True):
    """A converter for these columns, and the rubric that suits them: one for pairs where there are two responses."""

    convert: Callable[[Records], Iterator[Converted | Omitted]]
    rubric: str


def mapped(source: str, files: Sequence[Path], columns: str | None, delimiter: str | None) -> Mapped:
    """`columns`: a map, or the TOML file of one; without it columns count that are called as the fields are.

    Raises `BundleError`.
    """
    sign = _sign(delimiter)
    found = columns_of(columns) if columns else columns_named_so(_names(source, files, sign))
    rubric = _PAIR if found.pair else _SINGLE
    if source == CSV:
        return Mapped(convert=partial(convert_csv, columns=found, delimiter=sign), rubric=rubric)
    return Mapped(convert=partial(convert_jsonl, columns=found), rubric=rubric)


def _names(source: str, files: Sequence[Path], delimiter: str | None) -> list[str]:
    records = Records(files[:1], LIMITS)
    if source == JSONL:
        return [name for _, first in _first(records) for name in first]
    for pieces in records.pieces():
        with records.trouble():
            return columns_in(pieces, delimiter, LIMITS)
    return []


def _first(records: Records) -> Iterator[tuple[int, dict[str, object]]]:
    for one in records:
        yield one
        return


def _sign(delimiter: str | None) -> str | None:
    if delimiter is None:
        return None
    sign = _DELIMITERS.get(delimiter.lower(), delimiter)
    if len(sign) != 1 or sign in '"\r\n\0':
        raise BundleError("The delimiter can't be used", f"{delimiter!r} is not one sign.", "Write it like ; or tab.")
    return sign
