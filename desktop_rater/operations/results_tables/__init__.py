"""Export formats of results, tables and those of plug-ins; CSV is safe to open in a spreadsheet."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from desktop_rater.format.errors import BundleFault
from desktop_rater.format.values import parse_time
from desktop_rater.hooks import hook, resolve
from desktop_rater.operations.results_tables.tables import ExportColumn, Row, as_text, values_in_order
from desktop_rater.rubric.condition import is_number
from desktop_rater.text.untrusted import escape_formula

Metadata = Mapping[str, str]
"""Name → text, for the formats that have a place for it."""

_BOM = "\ufeff"


def write_csv(
    path: Path, columns: tuple[ExportColumn, ...], rows: Iterable[Row], *, bom: bool, metadata: Metadata | None = None
) -> None:
    """Write a CSV file; texts are quoted, numbers are not. `bom`: for programs that would guess another encoding."""
    del metadata  # CSV has none
    with _new(path) as file:
        if bom:
            file.write(_BOM)
        write = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        write.writerow(
            [column.name if column.name == escape_formula(column.name) else f"'{column.name}" for column in columns]
        )
        for row in rows:
            write.writerow([_cell(value) for value in values_in_order(row, columns)])


def write_jsonl(
    path: Path, columns: tuple[ExportColumn, ...], rows: Iterable[Row], *, bom: bool, metadata: Metadata | None = None
) -> None:
    """Write JSON lines, each with all the columns."""
    del bom, metadata  # JSON lines have none
    with _new(path) as file:
        for row in rows:
            plain = {column.name: row.get(column.name) for column in columns}
            file.write(json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, int | float):
        return value
    return escape_formula(as_text(value))


def _new(path: Path) -> TextIO:
    return path.open("x", encoding="utf-8", newline="")


_ROWS = 20_000
_HOW = "Install it with pip install 'desktop-rater[parquet]'. If the program was not installed by pip, use csv."


def write_parquet(
    path: Path, columns: tuple[ExportColumn, ...], rows: Iterable[Row], *, bom: bool, metadata: Metadata | None = None
) -> None:
    """Write a Parquet file with 20,000 rows per group. Raises `BundleFault` if pyarrow is missing or fails."""
    del bom
    pa, parquet = _import("pyarrow", "Parquet"), _import("pyarrow.parquet", "Parquet")
    schema = arrow_schema(pa, columns, metadata)
    try:
        with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
            for batch in arrow_batches(pa, schema, columns, rows):
                writer.write_batch(batch)
    except pa.ArrowException as error:
        raise BundleFault(f"pyarrow can't write it: {error}") from error


def arrow_table(columns: tuple[ExportColumn, ...], rows: Iterable[Row], metadata: Metadata) -> Any:
    """Return a `pyarrow.Table` with the types of a Parquet file. Raises `BundleFault` if pyarrow is missing."""
    pa = _import("pyarrow", "Arrow tables")
    schema = arrow_schema(pa, columns, metadata)
    return pa.Table.from_batches(arrow_batches(pa, schema, columns, rows), schema=schema).unify_dictionaries()


def _import(module: str, product: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        need = "needs" if product == "Parquet" else "need"
        raise BundleFault(f"{product} {need} the package pyarrow, which is not installed", _HOW) from error


def arrow_schema(pa: Any, columns: tuple[ExportColumn, ...], metadata: Metadata | None) -> Any:
    """Return the Arrow schema of columns; `pa` is the module pyarrow."""
    kinds = {
        "text": pa.string(),
        "any": pa.string(),
        "enum": pa.dictionary(pa.int32(), pa.string()),
        "list": pa.list_(pa.string()),
        "time": pa.timestamp("us", tz="UTC"),
        "whole": pa.int64(),
        "number": pa.float64(),
        "flag": pa.bool_(),
    }
    return pa.schema([(column.name, kinds[column.kind]) for column in columns], metadata=dict(metadata or {}) or None)


def arrow_batches(pa: Any, schema: Any, columns: tuple[ExportColumn, ...], rows: Iterable[Row]) -> Iterator[Any]:
    """Yield the rows as Arrow record batches of 20,000 rows."""
    rows = iter(rows)
    while batch := list(islice(rows, _ROWS)):
        arrays = {column.name: _values(column, [row.get(column.name) for row in batch]) for column in columns}
        yield pa.RecordBatch.from_pydict(arrays, schema=schema)


def _values(column: ExportColumn, values: list[Any]) -> list[Any]:
    """Convert the values of a column to those that its Arrow type takes."""
    match column.kind:
        case "any" | "text" | "enum":
            return [value if value is None or isinstance(value, str) else as_text(value) for value in values]
        case "list":
            several = (value if value is None or isinstance(value, list | tuple) else [value] for value in values)
            return [None if value is None else [as_text(part) for part in value] for value in several]
        case "time":
            return [None if value is None else parse_time(value) for value in values]
        case "number":  # a rating that breaks a rule may hold anything
            return [float(value) if is_number(value) else None for value in values]
    return values


TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Writers of rows: `write(path, columns, rows, bom=…, metadata=…)`."""


class ResultsFormat(NamedTuple):
    """Export format of a plug-in, whose writer `write(path, rated)` gets rated tasks.

    One with a suffix is that of a project: `write(path, rated, rubric)` returns the configuration for a file with it.
    """

    write: Callable[..., bytes | None]
    config_suffix: str = ""


def format_names() -> list[str]:
    """Return the names of all export formats."""
    return sorted({*TABLES, *hook("results_formats")})


def find_format(name: str) -> ResultsFormat:
    """Return an export format that is no table."""
    return resolve(hook("results_formats")[name])
