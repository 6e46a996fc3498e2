"""The rows of the table: what is measured, and what it may come to at most.

`{tasks}` in a row's name is the number of tasks of the run.
"""

from __future__ import annotations

from bench import bundles, engine
from bench.figures import Row

ROWS = (
    Row("import of {tasks} tasks", "s", 1.5, bundles.imports, "seconds"),
    Row("import, peak memory", "MB", 150, bundles.imports, "megabytes"),
    Row("export of {tasks} ratings", "s", 1.5, bundles.exports, "seconds"),
    Row("export, peak memory", "MB", 150, bundles.exports, "megabytes"),
    Row("rubric.check of ten targets", "ms", 1, engine.checks, "check"),
    Row("a rating from a file, stored", "ms", 2, bundles.results, "rated"),
    Row("a rating of results, checked", "ms", 2, bundles.results, "checked"),
)
