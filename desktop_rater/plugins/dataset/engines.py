"""Run the judging of batches: in processes of this machine, or on Apache Spark."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.plugins.dataset.judge import JudgedBatch, ZipBatch, judge_batch

BatchRunner = Callable[[Sequence[ZipBatch], Progress], Iterator[JudgedBatch]]
"""Judges batches in any order; the progress counts zips."""

_ATTEMPTS = 3  # of a batch whose worker was killed
_SECONDS = 0.2  # between two looks at the progress
# Which tables are copied to all workers is decided once their size is counted: a Parquet file of a few megabytes may be
# gigabytes in memory.
_JOINS = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10m"}
_HOW_SPARK = "Install it with pip install 'desktop-rater[spark]'. It needs Java 17."


def in_processes(workers: int, judge: Callable[[ZipBatch], JudgedBatch] = judge_batch) -> BatchRunner:
    """Return a runner with that many processes; with one, or for one batch, this process judges."""

    def run(batches: Sequence[ZipBatch], progress: Progress) -> Iterator[JudgedBatch]:
        total, done = sum(len(batch.zips) for batch in batches), 0
        alone = workers == 1 or len(batches) < 2
        judged = map(judge, batches) if alone else _pooled(batches, workers, judge, lambda: progress(done, total))
        for outcome in judged:
            done += outcome.accepted + len(outcome.refused)
            progress(done, total)
            yield outcome

    return run


def _pooled(
    batches: Sequence[ZipBatch], workers: int, judge: Callable[[ZipBatch], JudgedBatch], report: Callable[[], None]
) -> Iterator[JudgedBatch]:
    """Yield the outcome of each batch. Those of a worker that was killed are judged again. Raises `RaterError`."""
    waiting = list(batches)
    for _ in range(_ATTEMPTS):
        context = _PoolContext()
        with ProcessPoolExecutor(min(workers, len(waiting)), context, _start_worker) as pool:
            futures: dict[Future[JudgedBatch], ZipBatch] = {pool.submit(judge, batch): batch for batch in waiting}
            try:
                while futures:
                    finished, _ = wait(futures, _SECONDS, FIRST_COMPLETED)
                    for future in finished:
                        outcome = future.result()
                        waiting.remove(futures.pop(future))
                        yield outcome
                    report()
            except BrokenProcessPool:
                continue
            except BaseException:
                for worker in context.workers:
                    worker.terminate()
                raise
            return
    raise RaterError(
        "The dataset was not built.",
        f"A worker ended {_ATTEMPTS} times before its results were judged.",
        "Give fewer --workers: there may not be enough memory.",
    )


class _PoolContext(SpawnContext):
    """Context of one pool, with the workers that were started for it.

    A pool is never forked: the libraries that this process has loaded may hold locks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # ty: ignore[incompatible-attribute-override]
        worker = SpawnProcess(*arguments, **named)
        self.workers.append(worker)
        return worker


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the first process was killed: the pool would wait for more batches for ever."""
    parent = parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)


def on_spark(session: Any, judge: Callable[[ZipBatch], JudgedBatch] = judge_batch) -> BatchRunner:
    """Return a runner by `mapInArrow`. Workers must see the zips and the dataset under the same paths."""

    def run(batches: Sequence[ZipBatch], progress: Progress) -> Iterator[JudgedBatch]:
        total = sum(len(batch.zips) for batch in batches)
        progress(0, total)
        rows = [(number, msgspec.json.encode(batch).decode()) for number, batch in enumerate(batches)]
        if rows:
            listed = session.createDataFrame(rows, "number long, batch string")
            spread = listed.repartitionByRange(len(rows), "number")
            for row in spread.mapInArrow(partial(_judge_in_arrow, judge), "outcome string").collect():
                yield msgspec.json.decode(row.outcome, type=prepared_type(JudgedBatch))
        progress(total, total)

    return run


def _judge_in_arrow(judge: Callable[[ZipBatch], JudgedBatch], pieces: Iterable[Any]) -> Iterator[Any]:
    """Judge the batches in the record batches of one partition, on a worker of Spark."""
    arrow: Any = import_module("pyarrow")  # on a worker alone
    for piece in pieces:
        for text in piece.column("batch").to_pylist():
            outcome = judge(msgspec.json.decode(text, type=prepared_type(ZipBatch)))
            yield arrow.RecordBatch.from_pydict({"outcome": [msgspec.json.encode(outcome).decode()]})


def spark_session(master: str = "", connect: str = "") -> Any:
    """Return a Spark session: of a cluster by `master`, or of a Spark Connect server. Raises `RaterError`."""
    try:
        sessions = import_module("pyspark.sql").SparkSession
    except ImportError as error:
        raise RaterError("Spark can't be used.", "The package pyspark is not installed.", _HOW_SPARK) from error
    builder = sessions.builder.appName("desktop-rater")
    for name, value in _JOINS.items():
        builder = builder.config(name, value)
    if master.startswith("local"):  # all of it on this machine: nothing listens on its network
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    if connect:
        builder = builder.remote(connect)
    elif master:
        builder = builder.master(master)
    try:
        return builder.getOrCreate()
    except Exception as error:  # its errors have no common class: no Java, no server, a wrong address
        first = str(error).strip().partition("\n")[0]
        raise RaterError("Spark can't be used.", f"{first}.", "Check Java, --master or --connect.") from error
