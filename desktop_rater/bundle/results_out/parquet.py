"""Tables as Parquet, by pyarrow, which is not everybody's: it is as large as all the rest."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.results_out.columns import as_text
from desktop_rater.bundle.trouble import Fault

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from desktop_rater.bundle.results_out.columns import Column
    from desktop_rater.bundle.results_out.rows import Row

_ROWS = 20_000
_HOW = "pip install 'desktop-rater[parquet]' brings it. A program that was not installed by pip can't take it: use csv."


def write_parquet(path: Path, columns: tuple[Column, ...], rows: Iterable[Row], *, bom: bool) -> None:
    """Write a Parquet file, 20,000 rows a group. Raises `Fault` where pyarrow is missing or can't."""
    del bom
    try:
        pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise Fault("Parquet needs the package pyarrow, which is not installed", _HOW) from error
    kinds = {"text": pa.string(), "any": pa.string(), "whole": pa.int64(), "number": pa.float64(), "flag": pa.bool_()}
    schema = pa.schema([(column.name, kinds[column.kind]) for column in columns])
    rows = iter(rows)
    with _translated(pa.ArrowException), parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _ROWS)):
            arrays = {column.name: [_value(row.get(column.name), column) for row in batch] for column in columns}
            writer.write_table(pa.table(arrays, schema=schema))


def _value(value: Any, column: Column) -> Any:
    if value is None:
        return None
    match column.kind:
        case "any" | "text":
            return as_text(value)
        case "number":
            return float(value)
    return value


@contextmanager
def _translated(trouble: type[Exception]) -> Generator[None]:
    try:
        yield
    except trouble as error:
        raise Fault(f"pyarrow can't write it: {error}") from error
