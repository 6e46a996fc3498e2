"""The rows of the table: what is measured, and what it may come to at most.

`{tasks}` in a row's name is the number of tasks of the run.
"""

from __future__ import annotations

from bench import audits, bundles, engine, hostile, hubs, lead_work, many_raters, rubric_work, window
from bench.figures import Row

ROWS = (
    Row("import of {tasks} tasks", "s", 1.25, bundles.imports, "seconds"),
    Row("import, processor time beside SQLite alone", "s", 2, bundles.imports, "processor"),
    Row("import, peak memory", "MB", 150, bundles.imports, "megabytes", bounds="value"),
    Row("export of {tasks} ratings", "s", 1, bundles.exports, "seconds"),
    Row("export, peak memory", "MB", 150, bundles.exports, "megabytes", bounds="value"),
    Row("rubric.check of ten targets", "ms", 1, engine.checks, "check", bounds="value"),
    Row("a task at the limit of tests, checked", "s", 1, engine.limit, "checked", bounds="value"),
    Row("an answer in a task at the limit, checked", "ms", 50, engine.limit, "answered", bounds="value"),
    Row("a rating from a file, stored", "ms", 2, bundles.results, "rated", bounds="value"),
    Row("a rating of results, checked", "ms", 2, bundles.results, "checked", bounds="value"),
    Row("10,000 judged places, zips to figures", "s", 0.55, audits.figures, "zips", bounds="value"),
    Row("10,000 judged places, store to figures", "s", 0.14, audits.figures, "store", bounds="value"),
    Row("2,000 results, one in a hundred damaged", "s", 20, audits.many, "seconds", bounds="value"),
    Row("10,000 results collected from Apache", "s", 3, hubs.collects, "seconds"),
    Row("collected again, nothing new", "s", 15, hubs.collects, "again", bounds="value"),
    Row("window: first paint", "ms", 1.5, window.starts, "paint"),
    Row("window: first task painted", "ms", 4, window.starts, "task"),
    Row("window with a task, peak memory", "MB", 150, window.memory, "megabytes", bounds="value"),
    Row("next task, key to painted, p95", "ms", 4.5, window.keys, "next", "p95"),
    Row("previous task, key to painted, p95", "ms", 4.5, window.keys, "previous", "p95"),
    Row("answer, key to durable, p95", "ms", 4, window.keys, "durable", "p95"),
    Row("answer, key to painted, p95", "ms", 4, window.keys, "painted", "p95"),
    Row("answer, Python calls", "", 3_000, window.calls, "answer", bounds="value"),
    Row("pairs: next task, key to painted, p95", "ms", 4.5, rubric_work.pairs, "next", "p95"),
    Row("pairs: answer, key to painted, p95", "ms", 4, rubric_work.pairs, "answer", "p95"),
    Row("scales: next task, key to painted, p95", "ms", 4.5, rubric_work.scales, "next", "p95"),
    Row("scales: answer, key to painted, p95", "ms", 4, rubric_work.scales, "answer", "p95"),
    Row("zoom step, processor time", "ms", 2, window.zoom, "zoom"),
    Row("answer among 625 targets", "ms", 2, window.long_texts, "many targets"),
    Row("longest gap while 560 kB open", "ms", 50, window.long_texts, "paragraphs", "max", "excess"),
    Row("longest gap while a paragraph of 560 kB opens", "ms", 2, window.long_texts, "one"),
    Row("review of 10,000 places opened", "ms", 15, lead_work.lead, "review"),
    Row("verdict, key to painted, p95", "ms", 4, lead_work.lead, "verdict", "p95"),
    Row("report of 10,000 places opened", "ms", 15, lead_work.lead, "report"),
    Row("review of 500,000 places opened", "ms", 2_000, many_raters.lead, "review", bounds="value"),
    Row("review of 500,000 places, peak memory", "MB", 300, many_raters.lead, "megabytes", bounds="value"),
    Row("longest gap while 500,000 places open", "ms", 50, many_raters.lead, "gap", "max", "excess"),
    Row("verdict among 500,000 places, key to painted, p95", "ms", 50, many_raters.lead, "verdict", "p95", "value"),
    Row("report of 500,000 places opened", "ms", 5_000, many_raters.lead, "report", bounds="value"),
    Row("answer during an import, p95", "ms", 5, window.gaps, "answer", "p95"),
    Row("filter and search, first page, p95", "ms", 8, window.searches, "search", "p95"),
    Row("filter and search, query of the first page, p95", "ms", 8, window.searches, "search query", "p95"),
    Row("longest gap during an import", "ms", 50, window.gaps, "import", "max", "excess"),
    Row("longest gap during an export", "ms", 50, window.gaps, "export", "max", "excess"),
    Row("longest gap during searches", "ms", 50, window.gaps, "searching", "max", "excess"),
    Row("hostile bundle, slowest, processor time", "s", 80, hostile.imports, "bundle"),
    Row("hostile text painted, slowest, processor time", "s", 12, hostile.texts, "text"),
    Row("longest gap while hostile pages are read", "ms", 50, hostile.pages, "hostile", "max", "excess"),
    Row("longest gap while the longest pages are read", "ms", 50, hostile.pages, "long", "max", "excess"),
    Row("cancelling a page that hangs", "ms", 500, hostile.pages, "cancel", "max", "value"),
    Row("longest gap during a backup", "ms", 50, window.gaps, "backup", "max", "excess"),
)
