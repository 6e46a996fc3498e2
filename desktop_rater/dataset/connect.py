"""Tables of a dataset on an engine: DuckDB on this machine, or Spark."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from desktop_rater.bundle.results_out.table_files import import_optional
from desktop_rater.dataset.parts import DatasetManifest, TableWriter


def duckdb_connection() -> Any:
    """Return a connection to DuckDB in this process; what does not fit into its memory goes to a temporary folder."""
    ibis: Any = import_optional("ibis", "A dataset")
    return ibis.duckdb.connect()


def spark_connection(session: Any) -> Any:
    """Return a connection to a Spark session."""
    ibis: Any = import_optional("ibis", "A dataset")
    return ibis.pyspark.connect(session)


def dataset_tables(connection: Any, folder: Path, manifest: DatasetManifest, names: Collection[str]) -> dict[str, Any]:
    """Return the named tables of a dataset, read by the engine itself. One without rows has no file."""
    ibis: Any = import_optional("ibis", "A dataset")
    paths: dict[str, list[str]] = {name: [] for name in names}
    for file in manifest.files:
        if file.table in paths:
            paths[file.table].append(str(folder / file.path))
    writer = TableWriter(folder)
    tables = {}
    for name, found in paths.items():
        empty = ibis.memtable(writer.arrow(name, []))
        tables[name] = connection.read_parquet(found, table_name=f"dataset_{name}") if found else empty
    return tables
