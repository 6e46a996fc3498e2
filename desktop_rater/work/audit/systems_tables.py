"""Tables of the report about systems: CSV, JSON lines or Parquet files in a folder, and the HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from desktop_rater.audit.html_report import PageColors, render_systems_html
from desktop_rater.audit.systems import SystemsReport
from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.results_out import TABLES
from desktop_rater.bundle.results_out.tables import ColumnKind, Row, columns_of_kinds
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.work.audit.report import TRY_AGAIN

if TYPE_CHECKING:
    from desktop_rater.audit.systems_texts import SystemsTexts

_KINDS: dict[ColumnKind, str] = {
    "whole": "whole n prompts tasks responses targets raters shared pairs wins ties losses",
    "number": "part value low high p holm log_strength value_before value_after",
    "enum": "kind turn",
    "any": "before after",
    "flag": "better",
}
_FIGURE = "value low high n prompts why"
_METRIC = "metric kind question label"
_COLUMNS = {
    "figures": f"system {_METRIC} part whole {_FIGURE} tasks responses targets raters",
    "differences": f"{_METRIC} one other {_FIGURE} p holm shared",
    "strengths": f"question system pairs {_FIGURE} log_strength",
    "pairs": f"question one other wins ties losses {_FIGURE}",
    "rounds": f"{_METRIC} before after value_before value_after {_FIGURE} p holm",
    "turned_tasks": "task task_before turn value_before value_after",
    "turned_places": "task where task_before where_before quote before after better",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
COLUMNS = {
    table: columns_of_kinds(**{name: _KIND_OF.get(name, "text") for name in names.split()})
    for table, names in _COLUMNS.items()
}
"""Columns of each table, which is a file."""


def save_systems_tables(report: SystemsReport, folder: Path, to: str) -> None:
    """Write the tables to a folder, created if missing. `to`: csv, jsonl or parquet. Raises `RaterError`."""
    if to not in TABLES:
        raise BundleError(f"{to} is not a table", hint=f"Choose one of {', '.join(TABLES)}.")
    rows = _rows(report) | _round_rows(report)
    names = {name: f"{name}.{to}" for name in COLUMNS}
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(names.values())) as part_folder:
            for name, file in names.items():
                TABLES[to](part_folder / file, COLUMNS[name], rows.get(name, iter(())), bom=to == "csv")


def save_systems_page(
    report: SystemsReport, path: Path, wording: SystemsTexts, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the report as an HTML page. Raises `RaterError`."""
    page = render_systems_html(report, wording, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _rows(report: SystemsReport) -> dict[str, Iterator[Row]]:
    return {
        "figures": (
            {**asdict(group.base), "system": group.name, **_metric(report, metric), **_row(given)}
            for group in report.groups
            for metric, given in group.figures.items()
        ),
        "differences": ({**_metric(report, row.metric), **_row(row)} for row in report.differences),
        "strengths": (
            {"question": answered.question, "system": row.name, **_row(row)}
            for answered in report.preferences
            for row in answered.strengths
        ),
        "pairs": (
            {"question": answered.question, **_row(row)} for answered in report.preferences for row in answered.duels
        ),
    }


def _round_rows(report: SystemsReport) -> dict[str, Iterator[Row]]:
    rounds = report.rounds
    if rounds is None:
        return {}
    return {
        "rounds": (
            {
                **_row(row), **_metric(report, row.metric), "before": rounds.before, "after": rounds.after,
                "value_before": row.before.figure.value, "value_after": row.after.figure.value,
            }
            for row in rounds.differences
        ),
        "turned_tasks": (
            {**asdict(task), "value_before": task.before, "value_after": task.after} for task in rounds.tasks
        ),
        "turned_places": (asdict(place) for task in rounds.tasks for place in task.places),
    }  # fmt: skip


def _metric(report: SystemsReport, name: str) -> Row:
    metric = report.metric(name)
    more = {} if metric is None else {"kind": metric.kind, "question": metric.question, "label": metric.text or None}
    return {"metric": name, **more}


def _row(row: Struct) -> Row:
    """Return the fields of a row and of its figure, whose tasks are prompts."""
    fields = asdict(row)
    figure = asdict(fields.pop("figure"))
    figure |= {"prompts": figure.pop("tasks"), "why": figure["why"] or None}
    del figure["raters"]
    return {**fields, **figure}
