"""Rows of objects in memory: dictionaries, data frames, Arrow tables and data sets, as plain JSON."""

import json
import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from desktop_rater.format.errors import FormatError, RaterError
from desktop_rater.format.strict_json import OpenStruct, to_plain

_LINE = re.compile(r"\bline (?=\d)")
_HINT = "Give a data frame, an Arrow table, a data set, or a list of dictionaries. Nothing was written."
_TIMES = ("m", "M")  # kinds of values of numpy
_METHODS: tuple[tuple[str, dict[str, str]], ...] = (
    ("to_dicts", {}),  # polars
    ("to_pylist", {}),  # Arrow
    ("to_dict", {"orient": "records"}),  # pandas
)


class LazyRows(Protocol):
    """Rows that are computed when they are wanted, as in a lazy frame of polars."""

    def collect_schema(self) -> Any: ...


AnyRows = Iterable[Any] | LazyRows


def plain_value(value: Any, *, nan: bool = True, null: bool = True) -> Any:
    """Return a value as JSON has it: values of numpy as numbers, times as ISO 8601, bytes as text with escapes.

    Missing values are `None`; NaN and infinity too if `nan` is false. Without `null`, keys whose value is missing are
    left out. Raises `TypeError` for an object that JSON does not have.
    """
    again = partial(plain_value, nan=nan, null=null)
    match value:
        case None | str() | bool() | int():
            return value
        case float():
            return value if nan or math.isfinite(value) else None
        case list() | tuple():
            return [again(part) for part in value]
        case Mapping():
            parts = ((str(key), again(part)) for key, part in value.items())
            return {key: part for key, part in parts if null or part is not None}
        case OpenStruct():
            return again(to_plain(value))
    return again(list(value) if _kind(value) in _TIMES else value.tolist()) if _is_array(value) else _text(value)


def _text(value: Any) -> str | None:
    match value:
        case bytes():
            return value.decode(errors="backslashreplace")
        case datetime() | date() | time():
            return value.isoformat() if _is_itself(value) else None  # NaT of pandas is a time
        case Decimal() | timedelta() | UUID():
            return str(value)
    if _kind(value) in _TIMES:
        return str(value) if _is_itself(value) else None
    if type(value).__name__ == "NAType":
        return None
    raise TypeError(f"{type(value).__name__} is no text, number, date, list or dictionary")


def _kind(value: Any) -> str:
    return getattr(getattr(value, "dtype", None), "kind", "")


def _is_array(value: Any) -> bool:
    """Return whether a value is an array, or a number of numpy; not a time, whose number may be of nanoseconds."""
    return hasattr(value, "tolist") and (bool(value.shape) or _kind(value) not in _TIMES)


def _is_itself(value: Any) -> bool:
    return bool(value == value)  # noqa: PLR0124 - a missing value equals nothing


def write_rows(path: Path, records: Any, encode: Callable[[Any], bytes] | None = None) -> Path:
    """Write the rows as the lines of a file that is named like the argument; return its path. Raises `FormatError`.

    In columns a missing value is no key; in a dictionary `None` stays null.
    """
    encode = encode or (lambda row: json.dumps(row).encode())
    if hasattr(records, "collect_schema"):  # a lazy frame of polars, which a whole one has too
        records = records.lazy().collect()
    null = not (hasattr(records, "columns") or hasattr(records, "column_names"))
    with path.open("xb") as file:
        for number, row in enumerate(_rows(records, path.name), 1):
            try:
                if not isinstance(row, OpenStruct | Mapping):
                    raise TypeError(f"{type(row).__name__} is no dictionary")
                file.writelines((encode(plain_value(row, nan=False, null=null)), b"\n"))
            except (TypeError, ValueError, RecursionError) as error:
                raise FormatError(f"{path.name}, row {number} can't be used", f"{error}.", _HINT) from None
    return path


def _rows(records: Any, argument: str) -> Iterator[Any]:
    """Return the rows of an object by the first method that it has, else what it yields. Raises `FormatError`."""
    if isinstance(records, Mapping):
        names = ", ".join(map(str, records))[:200]
        raise FormatError(f"{argument} is one dictionary, with the keys {names}, not a list of them", "", _HINT)
    for name, options in _METHODS:
        if hasattr(records, name) and (not options or hasattr(records, "columns")):
            return iter(getattr(records, name)(**options))
    if not isinstance(records, Iterable):
        raise FormatError(f"{argument} has no rows: it is of the type {type(records).__name__}", "", _HINT)
    return iter(records)


@contextmanager
def errors_by_row() -> Generator[None]:
    """Return a context in which errors name rows, since the lines are those of a file that is not the user's."""
    try:
        yield
    except RaterError as error:
        error.title, error.message = by_row(error.title), by_row(error.message)
        raise


def by_row(text: str) -> str:
    """Return a message on a file of rows that names rows in place of lines."""
    return _LINE.sub("row ", text)
