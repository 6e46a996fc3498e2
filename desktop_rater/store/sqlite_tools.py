"""Import of sqlite-utils without its optional dependencies, and rows as structs."""

import sys
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

import msgspec

_UNUSED = {"numpy", "pandas"} - sys.modules.keys()
sys.modules.update(dict.fromkeys(_UNUSED))  # ty: ignore[no-matching-overload]
try:
    from sqlite_utils import Database, Migrations
finally:
    for _name in _UNUSED:
        del sys.modules[_name]

__all__ = ["Database", "Migrations", "placeholders", "row_struct"]

T = TypeVar("T", bound=msgspec.Struct)


def row_struct(shape: type[T], row: Iterable[Any]) -> T:
    """Return a row as a struct whose fields are its columns, in this order."""
    return shape(**dict(zip(shape.__struct_fields__, row, strict=True)))


def placeholders(columns: Collection[Any]) -> str:
    """Return a question mark for each column, as in `VALUES (?, ?)`."""
    return ", ".join("?" for _ in columns)
