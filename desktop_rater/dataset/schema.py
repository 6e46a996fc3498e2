"""Tables of a dataset, from `resources/dataset.toml`: columns, types and what they hold."""

import tomllib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct

from desktop_rater.bundle.results_out.tables import ColumnKind, ExportColumn
from desktop_rater.paths import resources

SCHEMA_VERSION = 2

# `part`: rows of one results zip, never changed. `lead`: from the lead's bundles and store. `derived`: from all parts.
# Tables of the last two kinds are written anew by each build.
TableSource = Literal["part", "lead", "derived"]


class DatasetColumn(Struct, frozen=True):
    """Column of a table: `kind` as in the exported tables, `about` as in the documentation."""

    name: str
    kind: ColumnKind
    about: str


class DatasetTable(Struct, frozen=True, kw_only=True):
    """Table of a dataset. `key`: the columns by which a row is found."""

    name: str
    source: TableSource
    about: str
    key: tuple[str, ...]
    columns: tuple[DatasetColumn, ...]

    @property
    def exported(self) -> tuple[ExportColumn, ...]:
        return tuple(ExportColumn(column.name, column.kind) for column in self.columns)


def bucket_of(task: str) -> int:
    """Return the share of the tasks that a task belongs to: the first byte of the SHA-256 of its id."""
    return sha256(task.encode()).digest()[0]


def _table(plain: Mapping[str, Any], shared: Mapping[str, list[Any]]) -> DatasetTable:
    columns = ([name, *shared[name]] if isinstance(name, str) else name for name in plain["columns"])
    return DatasetTable(
        name=plain["name"],
        source=plain["source"],
        about=plain["about"],
        key=tuple(plain["key"]),
        columns=tuple(DatasetColumn(*column) for column in columns),
    )


_FILE = tomllib.loads((resources() / "dataset.toml").read_text("utf-8"))

TABLES = tuple(_table(plain, _FILE["columns"]) for plain in _FILE["tables"])
BY_NAME = {table.name: table for table in TABLES}
