"""Tables of a dataset on an engine, DuckDB on this machine, Spark or another, and the reports computed from them."""

import os
import re
import tempfile
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import AuditReport, ReportFigure, ReportFilter
from desktop_rater.cli.label_figures import label_figures
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import format_time, utc_now
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.plugins.dataset.engines import spark_session
from desktop_rater.plugins.dataset.parts import CHECK_HINT, REPORT_TABLES, DatasetManifest, TableWriter

if TYPE_CHECKING:
    from ibis import Table


ParquetReader = Callable[[Sequence[str], str], "Table"]
"""Returns the table of some Parquet files, under a name, on an engine."""

_PATTERN = re.compile(r"[*?\[\]{}\\]")  # of a path, as Hadoop reads it
_ENGINES = ("_duckdb", "duckdb", "py4j", "pyspark")
_EXTRAS = {"duckdb": "dataset", "spark": "dataset,spark"}


def parquet_reader(engine: Literal["duckdb", "spark"], master: str = "", connect: str = "") -> ParquetReader:
    """Return a reader by DuckDB in this process, or by Spark. Raises `RaterError`."""
    try:
        import ibis  # noqa: PLC0415 - an optional library
    except ImportError as error:
        hint = f"Install it with pip install 'desktop-rater[{_EXTRAS[engine]}]'."
        raise RaterError("The report was not made.", "The package ibis-framework is not installed.", hint) from error
    if engine == "duckdb":
        spill = Path(tempfile.gettempdir(), f"desktop-rater-{os.getpid()}")  # made only if memory does not suffice
        database = ibis.duckdb.connect(temp_directory=spill)
        # It takes paths for patterns, and folders like bundle=kelp for columns.
        return lambda paths, name: database.read_parquet(
            [*map(escape, paths)], table_name=name, hive_partitioning=False
        )
    session = spark_session(master, connect)
    if master.startswith("local"):  # 200 partitions, its default, are for clusters
        session.conf.set("spark.sql.shuffle.partitions", str(session.sparkContext.defaultParallelism))
    return spark_reader(session)


def spark_reader(session: Any) -> ParquetReader:
    """Return a reader by a Spark session."""
    import ibis  # noqa: PLC0415 - as above

    cluster = ibis.pyspark.connect(session)

    def read(paths: Sequence[str], name: str) -> "Table":
        session.read.parquet(*(_PATTERN.sub(r"\\\g<0>", path) for path in paths)).createOrReplaceTempView(name)
        return cluster.table(name)

    return read


@contextmanager
def engine_errors() -> Generator[None]:
    """Convert the errors of an engine, such as for a damaged file or a full disk, to `RaterError`."""
    try:
        yield
    except Exception as error:  # those of Spark have no common class
        if type(error).__module__.partition(".")[0] not in _ENGINES:
            raise
        lines = (str(error).strip() or type(error).__name__).splitlines()
        cause = next((line for line in reversed(lines) if line.startswith("Caused by: ")), lines[0])
        raise RaterError("The engine can't read the dataset.", cause.removeprefix("Caused by: "), CHECK_HINT) from error


def dataset_tables(
    read: ParquetReader, folder: Path, manifest: DatasetManifest, names: Collection[str]
) -> "dict[str, Table]":
    """Return the named tables of a dataset, read by the engine itself. One without rows has no file."""
    tables = {}
    for name in names:
        paths = [str(folder / file.path) for file in manifest.of_table(name)]
        tables[name] = read(paths, f"dataset_{name}") if paths else empty_table(name)
    return tables


def empty_table(name: str) -> "Table":
    """Return a table of a dataset without rows."""
    import ibis  # noqa: PLC0415 - as above

    return ibis.memtable(TableWriter(Path()).arrow(name, []))


class FinalLabelShares(msgspec.Struct, frozen=True, kw_only=True):
    """Final values of a question by the votes alone: the share of each, the most frequent first.

    `places` have a final value, and `open` have votes that decide nothing.
    """

    question: str
    places: int
    open: int
    shares: tuple[tuple[Value, ReportFigure], ...]


class DatasetReport(msgspec.Struct, frozen=True, kw_only=True):
    """Report of one bundle of a dataset. `left_out`: figures that it does not have, with reasons if they depend.

    `final_labels`: by the majority, on scales by the median, without decisions of the lead.
    """

    report: AuditReport
    final_labels: tuple[FinalLabelShares, ...]
    left_out: tuple[str, ...]


def dataset_report(
    connection: Any,
    bundle: str,
    *,
    tables: Mapping[str, str] | None = None,
    seed: int = REPORT_SEED,
    **wanted: Any,
) -> DatasetReport:
    """Compute the report of a bundle on an engine, with the figures of `audit dataset report`.

    `connection` is one of ibis, such as `ibis.duckdb.connect()`. The engine has the tables of docs/plugins/dataset.md
    under their names, or under those that `tables` gives them; one that is not there has no rows. `wanted` are the
    options that select: `raters` (a tuple), `since`, `until`, `question`, `models` and `tolerance`. Needs `desktop-
    rater[dataset]`. Raises `RaterError` for a bundle that is not there.
    """
    from desktop_rater.plugins.dataset.figures import dataset_report as compute  # noqa: PLC0415 - loads ibis

    present = _present_tables(connection, tables)
    return compute(present, bundle, ReportFilter(**wanted), seed=seed, computed=format_time(utc_now()))


def dataset_systems(
    connection: Any,
    bundle: str,
    *,
    tables: Mapping[str, str] | None = None,
    seed: int = REPORT_SEED,
    **wanted: Any,
) -> Any:
    """Compute the figures about systems on an engine, as `audit dataset systems` does.

    `connection` and `tables` are those of `dataset_report`. `wanted` are the options that select: `by` and `where`
    (tuples), `pair`, `final`, `threshold`, `errors`, `severe` and `defect`. Raises `RaterError`.
    """
    from desktop_rater.plugins.dataset.figures import dataset_labels  # noqa: PLC0415 - loads ibis

    present = _present_tables(connection, tables)
    labels = dataset_labels(present, bundle, wanted.get("final", "majority"), wanted.get("threshold", 0))
    return label_figures("systems").compute(wanted, *labels, seed=seed, computed=format_time(utc_now()))


def _present_tables(connection: Any, tables: Mapping[str, str] | None) -> dict[str, Any]:
    names = {name: name for name in REPORT_TABLES} | dict(tables or {})
    there = set(connection.list_tables())
    return {
        name: connection.table(names[name]) if names[name] in there else empty_table(name) for name in REPORT_TABLES
    }
