"""Tables of the report about systems: CSV, JSON lines or Parquet files in a folder, and the HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rater.audit.html_report import PageColors, render_systems_html
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.systems import SystemFigure, SystemsReport
from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.results_out import TABLES
from desktop_rater.bundle.results_out.tables import ExportColumn, Row, columns_of_kinds
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.work.audit.report import TRY_AGAIN

if TYPE_CHECKING:
    from desktop_rater.audit.systems_texts import SystemsTexts

_FIGURE = columns_of_kinds(value="number", low="number", high="number", n="whole", prompts="whole", why="text")
_BASE = columns_of_kinds(prompts_all="whole", tasks="whole", responses="whole", targets="whole", raters="whole")
_TESTS = columns_of_kinds(p="number", p_holm="number")
_METRIC = columns_of_kinds(metric="text", kind="enum", question="text", label="text")
COLUMNS: dict[str, tuple[ExportColumn, ...]] = {
    "figures": (
        *columns_of_kinds(system="text"), *_METRIC, *columns_of_kinds(part="number", whole="whole"), *_FIGURE, *_BASE,
    ),
    "differences": (
        *columns_of_kinds(system="text", other_system="text"), *_METRIC, *_FIGURE, *_TESTS,
        *columns_of_kinds(shared_prompts="whole"),
    ),
    "strengths": (
        *columns_of_kinds(question="text", system="text", pairs="whole"), *_FIGURE,
        *columns_of_kinds(log_strength="number"),
    ),
    "pairs": (
        *columns_of_kinds(question="text", system="text", other_system="text", wins="whole", ties="whole"),
        *columns_of_kinds(losses="whole"), *_FIGURE,
    ),
    "rounds": (
        *_METRIC, *columns_of_kinds(before="text", after="text", value_before="number", value_after="number"),
        *_FIGURE, *_TESTS,
    ),
    "turned_tasks": columns_of_kinds(
        task="text", task_before="text", turn="enum", value_before="number", value_after="number"
    ),
    "turned_places": columns_of_kinds(
        task="text", where="text", task_before="text", where_before="text", quote="text", before="any", after="any",
        better="flag",
    ),
}  # fmt: skip
"""Columns of each table, which is a file."""


def save_systems_tables(report: SystemsReport, folder: Path, to: str) -> dict[str, int]:
    """Write the tables that have rows to a folder, created if missing; return their numbers of rows.

    `to`: csv, jsonl or parquet. Raises `RaterError`.
    """
    if to not in TABLES:
        raise BundleError(f"{to} is not a table", hint=f"Choose one of {', '.join(TABLES)}.")
    rows = {name: list(made) for name, made in _rows(report).items()}
    names = {name: f"{name}.{to}" for name in COLUMNS}
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(names.values())) as part_folder:
            for name, file in names.items():
                TABLES[to](part_folder / file, COLUMNS[name], rows[name], bom=to == "csv")
    return {name: len(made) for name, made in rows.items()}


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
        "figures": _figures(report),
        "differences": (
            {
                "system": row.one, "other_system": row.other, **_metric(report, row.metric), **_figure(row.figure),
                "p": row.p, "p_holm": row.holm, "shared_prompts": row.shared,
            }
            for row in report.differences
        ),
        "strengths": (
            {
                "question": answered.question, "system": row.name, "pairs": row.pairs, **_figure(row.figure),
                "log_strength": row.log_strength,
            }
            for answered in report.preferences
            for row in answered.strengths
        ),
        "pairs": (
            {
                "question": answered.question, "system": row.one, "other_system": row.other, "wins": row.wins,
                "ties": row.ties, "losses": row.losses, **_figure(row.figure),
            }
            for answered in report.preferences
            for row in answered.duels
        ),
        **_round_rows(report),
    }  # fmt: skip


def _round_rows(report: SystemsReport) -> dict[str, Iterator[Row]]:
    rounds = report.rounds
    if rounds is None:
        return {name: iter(()) for name in ("rounds", "turned_tasks", "turned_places")}
    return {
        "rounds": (
            {
                **_metric(report, row.metric), "before": rounds.before, "after": rounds.after,
                "value_before": _value(row.before), "value_after": _value(row.after), **_figure(row.figure),
                "p": row.p, "p_holm": row.holm,
            }
            for row in rounds.differences
        ),
        "turned_tasks": (
            {
                "task": task.task, "task_before": task.task_before, "turn": task.turn, "value_before": task.before,
                "value_after": task.after,
            }
            for task in rounds.tasks
        ),
        "turned_places": (
            {column.name: getattr(place, column.name) for column in COLUMNS["turned_places"]}
            for task in rounds.tasks
            for place in task.places
        ),
    }  # fmt: skip


def _figures(report: SystemsReport) -> Iterator[Row]:
    for group in report.groups:
        base = group.base
        for metric, given in group.figures.items():
            yield {
                "system": group.name,
                **_metric(report, metric),
                "part": given.part,
                "whole": given.whole,
                **_figure(given.figure),
                "prompts_all": base.prompts,
                "tasks": base.tasks,
                "responses": base.responses,
                "targets": base.targets,
                "raters": base.raters,
            }


def _metric(report: SystemsReport, name: str) -> Row:
    metric = report.metric(name)
    if metric is None:
        return {"metric": name}
    return {"metric": name, "kind": metric.kind, "question": metric.question, "label": metric.text or None}


def _figure(figure: ReportFigure) -> Row:
    return {
        "value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n, "prompts": figure.tasks,
        "why": figure.why or None,
    }  # fmt: skip


def _value(figure: SystemFigure) -> float | None:
    return figure.figure.value
