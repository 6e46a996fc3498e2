"""Import of sqlite-utils without what this program does not use of it, and rows as structs."""

import sys
from collections.abc import Collection, Iterable
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

import msgspec

# Optional dependencies, its plugins, ranks of FTS4, and functions of its command line with their library for dates.
_UNUSED = {
    "numpy": None,
    "pandas": None,
    "sqlite_fts4": SimpleNamespace(rank_bm25=None),
    "sqlite_utils.hookspecs": SimpleNamespace(hookimpl=None, hookspec=None),
    "sqlite_utils.plugins": SimpleNamespace(ensure_plugins_loaded=None, pm=None),
    "sqlite_utils.recipes": ModuleType("sqlite_utils.recipes"),
}
_UNUSED = {name: stub for name, stub in _UNUSED.items() if name not in sys.modules}
sys.modules.update(_UNUSED)  # ty: ignore[no-matching-overload]
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
