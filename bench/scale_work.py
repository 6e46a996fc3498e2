"""Building and reporting a dataset, for processes of their own: in the project's environment, or in that with Spark."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from ibis import Table
from ibis.expr.types import Expr

from bench.workload import BUNDLE, noon
from desktop_rater.audit.report import ReportFilter
from desktop_rater.format.change import Progress
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.plugins.dataset.build import BuildOptions, build_dataset
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader
from desktop_rater.plugins.dataset.engines import in_processes, on_spark, spark_session
from desktop_rater.plugins.dataset.figures import dataset_report
from desktop_rater.plugins.dataset.parts import REPORT_TABLES, read_dataset_manifest


class Phases(msgspec.Struct):
    """Seconds of a run. `spread`: of the part that a cluster shares out; `size`: bytes of what was written.

    `starting` are those of the engine itself, which are in no other figure.
    """

    seconds: float
    spread: float
    starting: float
    size: int = 0


class Clock:
    """Sum of the seconds that calls take; those inside another one count once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def timed(self, call: Callable[[], Any]) -> Any:
        """Call, and add the seconds."""
        if self._running:
            return call()
        self._running, started = True, time.perf_counter()
        try:
            return call()
        finally:
            self._running = False
            self.seconds += time.perf_counter() - started

    def each(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield items, adding the seconds until each is there."""
        iterator, end = iter(items), object()
        while (item := self.timed(lambda: next(iterator, end))) is not end:
            yield item


def build(inbox: str, out: str, engine: str, workers: int) -> Phases:
    """Build a dataset of all results in a folder. A cluster shares out the judging."""
    started = time.perf_counter()
    run = in_processes(workers) if engine == "process" else on_spark(spark_session(f"local[{workers}]"))
    starting, clock = time.perf_counter() - started, Clock()
    started = time.perf_counter()
    built = build_dataset(
        Path(out),
        [Path(inbox) / "bundle.zip", Path(inbox)],
        run=lambda batches, progress: clock.each(run(batches, progress)),
        now=noon(),
        progress=Progress(),
        # On Spark a batch is a share of the work of a cluster, as by the command.
        options=BuildOptions(workers=workers if engine == "process" else 64),
    )
    seconds = time.perf_counter() - started
    if built.refused:
        raise RuntimeError(str(built.refused[0]))
    return Phases(seconds, clock.seconds, starting, sum(file.bytes for file in built.manifest.files))


def report(folder: str, engine: str, workers: int) -> Phases:
    """Compute the report of a dataset on so many cores. A cluster shares out what the engine counts."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:workers])
    started = time.perf_counter()
    read = parquet_reader("spark" if engine == "spark" else "duckdb", f"local[{workers}]")
    starting, clock = time.perf_counter() - started, Clock()
    _watch_engine(clock)
    manifest, computed = read_dataset_manifest(Path(folder)), format_time(noon())
    started = time.perf_counter()
    tables = dataset_tables(read, Path(folder), manifest, REPORT_TABLES)
    made = dataset_report(tables, BUNDLE, ReportFilter(), seed=REPORT_SEED, computed=computed)
    seconds = time.perf_counter() - started
    return Phases(seconds, clock.seconds, starting, len(msgspec.json.encode(made.report)))


def _watch_engine(clock: Clock) -> None:
    """Let the clock run while the engine works: where a relation is cached, or its rows are fetched."""
    cache, fetch, stream = Table.cache, Expr.to_pyarrow, Expr.to_pyarrow_batches

    def streamed(table: Any, **options: Any) -> Iterator[Any]:
        batches = clock.timed(lambda: stream(table, **options))
        yield from clock.each(batches)

    def timed(call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **options: clock.timed(lambda: call(*given, **options))

    for kind, name, call in ((Table, "cache", timed(cache)), (Expr, "to_pyarrow", timed(fetch))):
        setattr(kind, name, call)
    Expr.to_pyarrow_batches = streamed
