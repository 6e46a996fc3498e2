"""The four charts of a report, each with its heading, table and notes, for the window and the HTML page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit import report_format, report_tables
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.charts.drawing import DotRow, draw_dots, draw_matrix, draw_shares, draw_times
from desktop_rater.audit.charts.svg import DrawingArea, Picture
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData

if TYPE_CHECKING:
    from desktop_rater.audit.report_texts import ReportTexts

DrawPicture = Callable[[DrawingArea], Picture]


class ReportPanel(Struct, frozen=True, kw_only=True):
    """Chart with its heading, notes and table; `draw` is `None` without data. `rows`: the number of its rows."""

    title: str
    draw: DrawPicture | None = None
    table: ReportTableData
    note: str = ""
    foot: tuple[str, ...] = ()
    rows: int = 0


def agreement_panel(report: AuditReport, question: str, texts: ReportTexts) -> ReportPanel:
    """Return the agreement figures of a question."""
    rows = report_charts.dot_rows(report, question, texts)
    agreement = report_format.agreement_on(report, question)
    foot = report_format.rests_text(agreement, texts) if agreement is not None else ""
    description = ". ".join(row.tooltip for row in rows)
    return ReportPanel(
        title=texts.agreement,
        draw=(lambda area: draw_dots(rows, area, description)) if rows else None,
        table=report_tables.agreement_table(report, question, texts),
        note=texts.intervals_of_raters if report.filter.raters_random else texts.intervals,
        foot=(foot, *_missing_intervals(rows, question)),
        rows=len(rows),
    )


def _missing_intervals(rows: Sequence[DotRow], question: str) -> tuple[str, ...]:
    """Return why figures of the question have no interval, then those of other questions, which are named."""
    own = dict.fromkeys(row.why for row in rows if row.why and row.key[1] == question)
    others = (f"{row.name}: {row.why}." for row in rows if row.why and row.key[1] != question)
    return " ".join(f"{why[0].upper()}{why[1:]}." for why in own), *others


def confusion_panel(report: AuditReport, question: str, texts: ReportTexts) -> ReportPanel:
    """Return the confusion matrix of a question with few values."""
    matrix = report_charts.matrix_of(report, question, texts)
    if matrix is not None and not any(map(any, matrix.counts)):
        matrix = None  # the other raters have no majority anywhere
    confused = report_charts.most_confused_text(matrix, texts)
    return ReportPanel(
        title=texts.confusion,
        draw=(lambda area: draw_matrix(matrix, area, confused)) if matrix is not None else None,
        table=report_tables.confusion_table(report, question, texts),
        note=texts.row_share,
        foot=(confused, report_charts.tied_text(report, question, texts)),
        rows=len(matrix.labels) if matrix is not None else 0,
    )


def shares_panel(report: AuditReport, question: str, texts: ReportTexts) -> ReportPanel:
    """Return the label shares of a question with few values."""
    labels, rows = report_charts.share_rows(report, question, texts)
    foot = report_charts.share_notes(report, question, texts)
    return ReportPanel(
        title=texts.shares,
        draw=(lambda area: draw_shares(labels, rows, area, foot[0])) if rows else None,
        table=report_tables.shares_table(report, question, texts),
        foot=foot,
        rows=len(rows),
    )


def models_panel(report: AuditReport, texts: ReportTexts) -> ReportPanel | None:
    """Return how models do against the people, as `audit judge-check` computes it; `None` without a model."""
    if not report.models:
        return None
    figures = {
        "alike": texts.col_alike, "alpha": texts.col_alpha_people, "people": texts.col_among_people,
        "gold": texts.col_gold, "advantage": texts.col_advantage, "winning_rate": texts.col_winning,
    }  # fmt: skip
    rows = []
    for check in report.models:
        replaces = texts.none if check.replaces is None else texts.yes if check.replaces else texts.no
        if check.replaces is False and check.needed is not None:
            replaces = texts.replaces_from.format(epsilon=texts.number(check.needed, 2))
        given = [getattr(check, name) for name in figures]
        cells = [ReportCell(report_format.with_interval(figure, texts, texts.none), quiet=figure.value is None)
                 for figure in given]  # fmt: skip
        name = ReportCell(report_format.shorten(check.model, report_format.LONGEST_NAME))
        rows.append((name, *cells, ReportCell(replaces, quiet=check.replaces is None)))
    titles = (*figures.values(), texts.col_replaces)
    columns = (ReportColumn(texts.col_model), *(ReportColumn(title, figures=True) for title in titles))
    reasons = dict.fromkeys(check.why for check in report.models if check.why)
    return ReportPanel(
        title=texts.models,
        table=ReportTableData(columns, tuple(rows), tuple((check.model,) for check in report.models)),
        note=texts.models_note.format(epsilon=texts.number(report.models[0].epsilon, 2)),
        foot=tuple(f"{texts.why(why)}." for why in reasons),
        rows=len(rows),
    )


def times_panel(report: AuditReport, texts: ReportTexts) -> ReportPanel:
    """Return the time that each rater takes."""
    rows = report_charts.time_rows(report, texts)
    minutes = report.guideline_seconds / 60 if report.guideline_seconds is not None else None
    has_times = any(row.median is not None for row in rows)
    return ReportPanel(
        title=texts.time_target if report_charts.times_are_per_target(report) else texts.time_task,
        draw=(lambda area: draw_times(rows, area, unit=texts.minutes, guideline=minutes, description=texts.time_note))
        if has_times
        else None,
        table=report_tables.times_table(report, texts),
        foot=(texts.time_note, report_charts.guideline_text(report, texts)),
        rows=len(rows),
    )
