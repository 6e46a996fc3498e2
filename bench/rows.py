"""The rows of the table: what is measured, and what it may come to at most.

`{tasks}` in a row's name is the number of tasks of the run.
"""

from __future__ import annotations

from bench import audits, bundles, engine, hubs, window
from bench.figures import Row

ROWS = (
    Row("import of {tasks} tasks", "s", 1.5, bundles.imports, "seconds"),
    Row("import, peak memory", "MB", 150, bundles.imports, "megabytes"),
    Row("export of {tasks} ratings", "s", 1.5, bundles.exports, "seconds"),
    Row("export, peak memory", "MB", 150, bundles.exports, "megabytes"),
    Row("rubric.check of ten targets", "ms", 1, engine.checks, "check"),
    Row("a task at the limit of tests, checked", "s", 1, engine.limit, "checked"),
    Row("an answer in a task at the limit, checked", "ms", 50, engine.limit, "answered"),
    Row("a rating from a file, stored", "ms", 2, bundles.results, "rated"),
    Row("a rating of results, checked", "ms", 2, bundles.results, "checked"),
    Row("10,000 judged places, zips to figures", "s", 1, audits.figures, "zips"),
    Row("10,000 judged places, store to figures", "s", 0.2, audits.figures, "store"),
    Row("2,000 results, one in a hundred damaged", "s", 20, audits.many, "seconds"),
    Row("10,000 results collected from Apache", "s", 3, hubs.collects, "seconds"),
    Row("collected again, nothing new", "s", 15, hubs.collects, "again"),
    Row("window: first paint", "ms", 2, window.starts, "paint"),
    Row("window: first task painted", "ms", 8, window.starts, "task"),
    Row("next task, key to painted, p95", "ms", 16, window.works, "next"),
    Row("answer, key to durable, p95", "ms", 5, window.works, "answer"),
    Row("answer during an import, p95", "ms", 5, window.works, "answer while importing"),
    Row("filter and search, first page, p95", "ms", 30, window.works, "search"),
    Row("longest gap during an import", "ms", 50, window.works, "import"),
    Row("longest gap during an export", "ms", 50, window.works, "export"),
    Row("longest gap during searches", "ms", 50, window.works, "searching"),
    Row("longest gap during a backup", "ms", 50, window.works, "backup"),
)
