"""What SQLite alone takes for an import or its search index: the same rows, into the same tables, in one transaction.

Reading the rows from a store that has them does not count.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from bench.child import measured
from bench.figures import Samples
from bench.workload import Workload
from desktop_rater.store.open_store import open_writer

_BATCH = 1_000  # rows
_TIMES = 3
_ROWS = {
    "tasks": {
        "tasks": ("key, bundle, id, title, line_sha256, targets, line", "key"),
        "placed": ("key, sha256", "key"),
        "task_sizes": ("key, targets, responses", "key"),
    },
    "index": {"texts": ("rowid, prompt, responses, tools", "rowid")},
}


def measure(workload: Workload, what: str) -> dict[str, Samples]:
    """Measure the seconds, by the clock and of the processor, in which SQLite inserts all `tasks` or their `index`."""
    ran = []
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory(dir=workload.folder) as folder:
            ran.append(measured("bench.sqlite_alone:insert_rows", str(workload.imported), f"{folder}/out", what).result)
    return {name: Samples([seconds[name] for seconds in ran]) for name in ("seconds", "processor")}


def insert_rows(imported: str, out: str, what: str) -> dict[str, float]:
    """Insert the rows of a store into a new one; return the seconds of the inserts and of the commit."""
    spent = {"seconds": 0.0, "processor": 0.0}

    def timed(statement: str, rows: list | None = None) -> None:
        started = time.perf_counter(), time.process_time()
        if rows is None:
            store.db.execute(statement)
        else:
            store.db.executemany(statement, rows)
        ended = time.perf_counter(), time.process_time()
        for name, before, after in zip(spent, started, ended, strict=True):
            spent[name] += after - before

    with (
        open_writer(Path(out), command="bench") as store,
        closing(sqlite3.connect(Path(imported) / "store.sqlite3")) as source,
    ):
        bundles = source.execute("SELECT * FROM bundles").fetchall()
        first, last = source.execute("SELECT min(key), max(key) FROM tasks").fetchone()
        timed("BEGIN IMMEDIATE")
        marks = ", ".join("?" * len(bundles[0]))
        timed(f"INSERT INTO bundles VALUES ({marks})", bundles)  # noqa: S608 - question marks
        for start, end in pairwise((*range(first, last + 1, _BATCH), last + 1)):
            for table, (columns, key) in _ROWS[what].items():
                query = f"SELECT {columns} FROM {table} WHERE {key} >= ? AND {key} < ? ORDER BY {key}"  # noqa: S608
                rows = source.execute(query, (start, end)).fetchall()
                marks = ", ".join("?" for _ in columns.split(","))
                timed(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)  # noqa: S608
        timed("COMMIT")
    return spent
