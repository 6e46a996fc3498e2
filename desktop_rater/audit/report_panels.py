"""The four charts of a report, each with its heading, table and notes, for the window and the HTML page."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit import report_format, report_tables
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.charts.drawing import DotRow, draw_dots, draw_matrix, draw_shares, draw_times
from desktop_rater.audit.charts.svg import DrawingArea, Picture
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_columns import MODEL_FIGURES
from desktop_rater.audit.report_format import NONE, Wording
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.hooks import load_rows

DrawPicture = Callable[[DrawingArea], Picture]


class ReportPanel(Struct, frozen=True, kw_only=True):
    """Chart with its heading, notes and table; `draw` is `None` without data. `rows`: the number of its rows."""

    title: str
    draw: DrawPicture | None = None
    table: ReportTableData
    note: str = ""
    foot: tuple[str, ...] = ()
    rows: int = 0


class FigureMeanings(NamedTuple):
    """Sentences for those who are no statisticians: a summary, and one for each figure by name."""

    summary: tuple[str, ...] = ()
    figures: Mapping[str, str] = {}


def meanings_of(report: AuditReport, question: str, texts: Wording) -> FigureMeanings:
    """Return what the figures of a question mean, if a plug-in says it."""
    explain = load_rows("meanings").get("report")
    return explain(report, question, texts) if explain is not None else FigureMeanings()


def column_meanings(texts: Wording) -> Mapping[str, str]:
    """Return what the figures of columns mean, by the title of the column."""
    explain = load_rows("meanings").get("columns")
    return explain(texts) if explain is not None else {}


def summary_panel(summary: Sequence[str], texts: Wording) -> ReportPanel:
    """Return the summary of a report as a panel without a chart or a table."""
    return ReportPanel(
        title=texts.translate("Report", "In plain words"), table=ReportTableData((), ()), foot=tuple(summary)
    )


def agreement_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the agreement figures of a question."""
    meanings = meanings_of(report, question, texts).figures
    rows = report_charts.dot_rows(report, question, texts)
    sentences = [meanings.get(str(row.key[2]), "") if row.key[1] == question else "" for row in rows]
    rows = tuple(
        replace(row, tooltip=f"{row.tooltip}\n{text}".strip()) for row, text in zip(rows, sentences, strict=True)
    )
    agreement = report_format.agreement_on(report, question)
    foot = report_format.rests_text(agreement, texts) if agreement is not None else ""
    description = ". ".join(row.tooltip for row in rows)
    return ReportPanel(
        title=texts.translate("Report", "Agreement"),
        draw=(lambda area: draw_dots(rows, area, description)) if rows else None,
        table=report_tables.with_meanings(report_tables.agreement_table(report, question, texts), sentences, texts),
        note=texts.translate("Report", "95 % intervals over tasks and raters")
        if report.filter.raters_random
        else texts.translate("Report", "95 % intervals over tasks"),
        foot=(foot, *_missing_intervals(rows, question)),
        rows=len(rows),
    )


def _missing_intervals(rows: Sequence[DotRow], question: str) -> tuple[str, ...]:
    """Return why figures of the question have no interval, then those of other questions, which are named."""
    own = dict.fromkeys(row.why for row in rows if row.why and row.key[1] == question)
    others = (f"{row.name}: {row.why}." for row in rows if row.why and row.key[1] != question)
    return " ".join(f"{why[0].upper()}{why[1:]}." for why in own), *others


def confusion_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the confusion matrix of a question with few values."""
    matrix = report_charts.matrix_of(report, question, texts)
    if matrix is not None and not any(map(any, matrix.counts)):
        matrix = None  # the other raters have no majority anywhere
    confused = report_charts.most_confused_text(matrix, texts)
    return ReportPanel(
        title=texts.translate("Report", "Given label vs. majority"),
        draw=(lambda area: draw_matrix(matrix, area, confused)) if matrix is not None else None,
        table=report_tables.confusion_table(report, question, texts),
        note=texts.translate("Report", "counts, shaded by share of row"),
        foot=(confused, report_charts.tied_text(report, question, texts)),
        rows=len(matrix.labels) if matrix is not None else 0,
    )


def shares_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the label shares of a question with few values."""
    labels, rows = report_charts.share_rows(report, question, texts)
    foot = report_charts.share_notes(report, question, texts)
    return ReportPanel(
        title=texts.translate("Report", "Label shares"),
        draw=(lambda area: draw_shares(labels, rows, area, foot[0])) if rows else None,
        table=report_tables.shares_table(report, question, texts),
        foot=foot,
        rows=len(rows),
    )


def models_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return how models do against the people, as `audit judge-check` computes it; `None` without a model."""
    if not report.models:
        return None
    rows = []
    for check in report.models:
        replaces = (
            NONE
            if check.replaces is None
            else texts.translate("Report", "yes")
            if check.replaces
            else texts.translate("Report", "no")
        )
        if check.replaces is False and check.needed is not None:
            replaces = texts.translate("Report", "no, only with epsilon from {epsilon}").format(
                epsilon=texts.number(check.needed, 2)
            )
        given = [getattr(check, name) for name in MODEL_FIGURES]
        cells = [ReportCell(report_format.with_interval(figure, texts, NONE), quiet=figure.value is None)
                 for figure in given]  # fmt: skip
        name = ReportCell(report_format.shorten(check.model, report_format.LONGEST_NAME))
        rows.append((name, *cells, ReportCell(replaces, quiet=check.replaces is None)))
    titles = (
        *(texts.translate("Report", title) for title in MODEL_FIGURES.values()),
        texts.translate("Report", "Could replace one"),
    )
    columns = (
        ReportColumn(texts.translate("Report", "Model")),
        *(ReportColumn(title, figures=True) for title in titles),
    )
    reasons = dict.fromkeys(check.why for check in report.models if check.why)
    return ReportPanel(
        title=texts.translate("Report", "Models against people"),
        table=ReportTableData(columns, tuple(rows), tuple((check.model,) for check in report.models)),
        note=texts.translate("Report", "could a model replace a rater? Epsilon {epsilon}").format(
            epsilon=texts.number(report.models[0].epsilon, 2)
        ),
        foot=tuple(f"{texts.why(why)}." for why in reasons),
        rows=len(rows),
    )


def times_panel(report: AuditReport, texts: Wording) -> ReportPanel:
    """Return the time that each rater takes."""
    rows = report_charts.time_rows(report, texts)
    minutes = report.guideline_seconds / 60 if report.guideline_seconds is not None else None
    has_times = any(row.median is not None for row in rows)
    return ReportPanel(
        title=texts.translate("Report", "Active time per target")
        if report_charts.times_are_per_target(report)
        else texts.translate("Report", "Active time per task"),
        draw=(
            lambda area: draw_times(
                rows,
                area,
                unit=texts.translate("Report", "min"),
                guideline=minutes,
                description=texts.translate("Report", "Dot: median. Line: from the 10th to the 90th percentile."),
            )
        )
        if has_times
        else None,
        table=report_tables.times_table(report, texts),
        foot=(
            texts.translate("Report", "Dot: median. Line: from the 10th to the 90th percentile."),
            report_charts.guideline_text(report, texts),
        ),
        rows=len(rows),
    )
