"""Panels of a scale: its figures as a chart and a table, and a table of its raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.audit import report_format
from desktop_rater.audit.charts.drawing import DotRow, draw_dots
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData

if TYPE_CHECKING:
    from desktop_rater.audit.report import AuditReport, ReportFigure, ScaleFigures
    from desktop_rater.audit.report_texts import ReportTexts

# Drawn on the axis from 0 to 1; the table has all figures.
_DRAWN = ("gwet_ac2.linear", "gwet_ac2.quadratic", "conger_kappa.quadratic", "icc_1", "icc_2_1", "icc_2_k")


def scale_of(report: AuditReport, question: str) -> ScaleFigures | None:
    """Return the figures of a scale; `None` if the question is none."""
    return next((scale for scale in report.scales if scale.question == question), None)


def scale_figure_name(name: str, texts: ReportTexts) -> str:
    """Return the display name of a figure."""
    kind, _, part = name.partition(".")
    weights = {"ordinal": texts.ordinal_weights, "linear": texts.linear_weights, "quadratic": texts.quadratic_weights}
    return {
        "mean": texts.scale_mean,
        "gwet_ac2": texts.ac2.format(weights=weights.get(part, part)),
        "brennan_prediger": texts.brennan.format(weights=weights.get(part, part)),
        "conger_kappa": texts.conger.format(weights=weights.get(part, part)),
        "icc_1": texts.icc_1,
        "icc_2_1": texts.icc_2_1,
        "icc_2_k": texts.icc_2_k,
        "unit": texts.spread_units,
        "rater": texts.spread_raters,
        "rest": texts.spread_rest,
        "raters_for": texts.raters_for.format(reliability=f"0{texts.point}{part}"),
        "step": texts.model_step.format(n=part),
        "spread": texts.model_spread,
    }.get(kind, name)


def scale_panels(report: AuditReport, question: str, texts: ReportTexts) -> list[ReportPanel]:
    """Return both panels of a scale; none for another question."""
    panels = (scale_panel(report, question, texts), scale_raters_panel(report, question, texts))
    return [panel for panel in panels if panel is not None]


def scale_panel(report: AuditReport, question: str, texts: ReportTexts) -> ReportPanel | None:
    """Return the agreement and the reliability of a scale; `None` for another question."""
    scale = scale_of(report, question)
    if scale is None:
        return None
    per = next(agreement.question.per for agreement in report.agreement if agreement.question.id == question)
    rows = tuple(
        DotRow(
            scale_figure_name(name, texts),
            figure.value,
            figure.low,
            figure.high,
            texts.number(figure.value or 0, 2),
            report_format.interval_text(figure, texts),
            missing=texts.undefined.format(why=texts.why(figure.why)),
            tooltip=": ".join((scale_figure_name(name, texts), report_format.with_interval(figure, texts, texts.none))),
            key=("question", question),
        )
        for name in _DRAWN
        if (figure := scale.figures.get(name)) is not None
    )
    description = ". ".join(row.tooltip for row in rows)
    base = max(scale.figures.values(), key=lambda figure: figure.n)
    bare = dict.fromkeys(
        figure.why
        for name, figure in scale.figures.items()
        if figure.low is None and figure.why and not name.startswith("raters_for")
    )
    needed = [
        f"{scale_figure_name(name, texts)}: {texts.number(figure.value)}"
        + (f" ({ends})" if (ends := report_format.interval_text(figure, texts, 0)) else "")
        for name, figure in scale.figures.items()
        if name.startswith("raters_for") and figure.value is not None
    ]
    raters = texts.one_rater if base.raters == 1 else texts.raters_n.format(n=texts.number(base.raters))
    foot = [
        f"{report_format.base_text(base, per, texts)}, {raters}",
        *needed,
        *map(texts.why, bare),
    ]
    if scale.why:
        foot.append(texts.no_model.format(why=texts.why(scale.why)))
    return ReportPanel(
        title=texts.scale,
        draw=(lambda area: draw_dots(rows, area, description)) if rows else None,
        table=_figures_table(scale, per, texts),
        note=texts.scale_note,
        foot=tuple(foot),
        rows=len(rows),
    )


def _figures_table(scale: ScaleFigures, per: str, texts: ReportTexts) -> ReportTableData:
    titles = (texts.value, texts.interval, texts.rests_on)
    rows = []
    for name, figure in scale.figures.items():
        whole = 0 if name.startswith("raters_for") else 2
        ends = report_format.interval_text(figure, texts, whole) or texts.why(figure.why)
        value = ReportCell(texts.none, quiet=True)
        if figure.value is not None:
            value = ReportCell(texts.number(figure.value, whole))
        rows.append(
            (
                ReportCell(scale_figure_name(name, texts)),
                value,
                ReportCell(ends, quiet=figure.low is None),
                ReportCell(report_format.base_text(figure, per, texts)),
            )
        )
    columns = (ReportColumn(texts.figure), *(ReportColumn(title, figures=True) for title in titles))
    return ReportTableData(columns, tuple(rows))


def scale_raters_panel(report: AuditReport, question: str, texts: ReportTexts) -> ReportPanel | None:
    """Return the raters' means, offsets and severities on a scale; `None` for another question."""
    scale = scale_of(report, question)
    if scale is None:
        return None
    titles = [texts.col_tasks, texts.col_ratings, texts.scale_mean, texts.offset]
    modelled = any(row.fits is not None for row in scale.raters)
    titles += [texts.severity, texts.fits] if modelled else []

    def cell(figure: ReportFigure) -> ReportCell:
        without_base = replace(figure, tasks=0)  # it has columns of its own
        return ReportCell(report_format.with_interval(without_base, texts, texts.none), quiet=figure.value is None)

    rows = []
    for row in scale.raters:
        cells = [
            ReportCell(report_format.shorten(row.rater, report_format.LONGEST_NAME)),
            ReportCell(texts.number(row.mean.tasks)),
            ReportCell(texts.number(row.mean.n)),
            cell(row.mean),
            cell(row.offset),
        ]
        if modelled:
            fits = texts.none if row.fits is None else " / ".join(texts.number(fit, 2) for fit in row.fits)
            cells += [cell(row.severity), ReportCell(fits)]
        rows.append(tuple(cells))
    columns = (ReportColumn(texts.rater), *(ReportColumn(title, figures=True) for title in titles))
    keys = tuple((row.rater,) for row in scale.raters)
    foot = (texts.severity_note,) if modelled else ()
    return ReportPanel(
        title=texts.scale_raters, table=ReportTableData(columns, tuple(rows), keys), note=texts.offset_note, foot=foot
    )


def trends_panel(report: AuditReport, texts: ReportTexts) -> ReportPanel | None:
    """Return the raters' change over time and with practice; `None` without any."""
    rows = [row for row in report.trends if any(figure.value is not None for figure in (row.week, row.time))]
    if not rows:
        return None
    titles = (texts.trend_week, texts.trend_practice, texts.trend_time)

    def cell(figure: ReportFigure, places: int) -> ReportCell:
        if figure.value is None:
            return ReportCell(texts.why(figure.why) or texts.none, quiet=True)
        ends = report_format.interval_text(figure, texts, places)
        base = texts.counted("task", figure.tasks)
        return ReportCell(f"{texts.number(figure.value, places)} ({f'{ends}, ' if ends else ''}{base})")

    cells = tuple(
        (
            ReportCell(report_format.shorten(row.rater, report_format.LONGEST_NAME)),
            *(cell(figure, places) for figure, places in ((row.week, 3), (row.practice, 3), (row.time, 2))),
        )
        for row in rows
    )
    columns = (ReportColumn(texts.rater), *(ReportColumn(title, figures=True) for title in titles))
    return ReportPanel(title=texts.trends, table=ReportTableData(columns, cells), note=texts.trends_note)
