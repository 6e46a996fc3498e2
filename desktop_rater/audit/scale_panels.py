"""Panels of a scale: its figures as a chart and a table, and a table of its raters."""

from msgspec.structs import replace

from desktop_rater.audit import report_format
from desktop_rater.audit.charts.drawing import DotRow, draw_dots
from desktop_rater.audit.report import AuditReport, ReportFigure, ScaleFigures
from desktop_rater.audit.report_columns import SCALE_FIGURES, scale_figure, scale_figure_title
from desktop_rater.audit.report_format import NONE, Wording
from desktop_rater.audit.report_panels import (
    ReportCell,
    ReportColumn,
    ReportPanel,
    ReportTableData,
    meanings_of,
    table_columns,
    with_meanings,
)


def scale_of(report: AuditReport, question: str) -> ScaleFigures | None:
    """Return the figures of a scale; `None` if the question is none."""
    return next((scale for scale in report.scales if scale.question == question), None)


def scale_panels(report: AuditReport, question: str, texts: Wording) -> list[ReportPanel]:
    """Return both panels of a scale; none for another question."""
    return [panel for make in (scale_panel, scale_raters_panel) if (panel := make(report, question, texts)) is not None]


def scale_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel | None:
    """Return the agreement and the reliability of a scale; `None` for another question."""
    scale = scale_of(report, question)
    if scale is None:
        return None
    per = next(agreement.question.per for agreement in report.agreement if agreement.question.id == question)
    rows = tuple(
        DotRow(
            scale_figure_title(name, texts),
            figure.value,
            figure.low,
            figure.high,
            texts.number(figure.value or 0, 2),
            report_format.interval_text(figure, texts),
            missing=texts.translate("Report", "undefined: {why}").format(why=texts.why(figure.why)),
            tooltip=": ".join((scale_figure_title(name, texts), report_format.with_interval(figure, texts, NONE))),
            key=("question", question),
        )
        for name, row in SCALE_FIGURES.items()
        if row.drawn and (figure := scale.figures.get(name)) is not None
    )
    meanings = meanings_of(report, question, texts).figures
    description = ". ".join(row.tooltip for row in rows)
    base = max(scale.figures.values(), key=lambda figure: figure.n)
    bare = dict.fromkeys(
        figure.why
        for name, figure in scale.figures.items()
        if figure.low is None and figure.why and not name.startswith("raters_for")
    )
    needed = [
        f"{scale_figure_title(name, texts)}: {texts.number(figure.value)}"
        + (f" ({ends})" if (ends := report_format.interval_text(figure, texts, 0)) else "")
        for name, figure in scale.figures.items()
        if name.startswith("raters_for") and figure.value is not None
    ]
    raters = texts.raters_counted(base.raters)
    foot = [
        f"{report_format.base_text(base, per, texts)}, {raters}",
        *needed,
        *map(texts.why, bare),
    ]
    if scale.why:
        foot.append(texts.translate("Report", "No many-facet model: {why}.").format(why=texts.why(scale.why)))
    return ReportPanel(
        title=texts.translate("Report", "Reliability of the scale"),
        draw=(lambda area: draw_dots(rows, area, description)) if rows else None,
        table=with_meanings(
            _figures_table(scale, per, texts), [meanings.get(name, "") for name in scale.figures], texts
        ),
        note=texts.translate("Report", "near steps agree in part"),
        foot=tuple(foot),
        rows=len(rows),
    )


def _figures_table(scale: ScaleFigures, per: str, texts: Wording) -> ReportTableData:
    rows = []
    for name, figure in scale.figures.items():
        whole = scale_figure(name).places
        ends = report_format.interval_text(figure, texts, whole) or texts.why(figure.why)
        value = ReportCell(NONE, quiet=True)
        if figure.value is not None:
            value = ReportCell(texts.number(figure.value, whole))
        rows.append(
            (
                ReportCell(scale_figure_title(name, texts)),
                value,
                ReportCell(ends, quiet=figure.low is None),
                ReportCell(report_format.base_text(figure, per, texts)),
            )
        )
    columns = table_columns(
        (texts.translate("Report", "Figure"),),
        (
            texts.translate("Report", "Value"),
            texts.translate("Report", "95 % interval"),
            texts.translate("Report", "Based on"),
        ),
    )
    return ReportTableData(columns, tuple(rows))


def scale_raters_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel | None:
    """Return the raters' means, offsets and severities on a scale; `None` for another question."""
    scale = scale_of(report, question)
    if scale is None:
        return None
    titles = [
        texts.translate("Report", "Tasks"),
        texts.translate("Report", "Ratings"),
        texts.translate("Report", "Mean"),
        texts.translate("Report", "Offset, steps"),
    ]
    modelled = any(row.fits is not None for row in scale.raters)
    titles += (
        [texts.translate("Report", "Severity, log-odds"), texts.translate("Report", "Infit / outfit")]
        if modelled
        else []
    )

    def cell(figure: ReportFigure) -> ReportCell:
        without_base = replace(figure, tasks=0)  # it has columns of its own
        return ReportCell(report_format.with_interval(without_base, texts, NONE), quiet=figure.value is None)

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
            fits = NONE if row.fits is None else " / ".join(texts.number(fit, 2) for fit in row.fits)
            cells += [cell(row.severity), ReportCell(fits)]
        rows.append(tuple(cells))
    columns = (
        ReportColumn(texts.translate("Report", "Rater")),
        *(ReportColumn(title, figures=True) for title in titles),
    )
    keys = tuple((row.rater,) for row in scale.raters)
    foot = (
        (
            texts.translate(
                "Report",
                "Severity: many-facet rating scale model. Infit and outfit are 1 on average; above 1.5 is noise.",
            ),
        )
        if modelled
        else ()
    )
    return ReportPanel(
        title=texts.translate("Report", "Raters on the scale"),
        table=ReportTableData(columns, tuple(rows), keys),
        note=texts.translate("Report", "offset: how much more than the others at the same places"),
        foot=foot,
    )


def trends_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return the raters' change over time and with practice; `None` without any."""
    rows = [row for row in report.trends if any(figure.value is not None for figure in (row.week, row.time))]
    if not rows:
        return None

    def cell(figure: ReportFigure, places: int) -> ReportCell:
        if figure.value is None:
            return ReportCell(texts.why(figure.why) or NONE, quiet=True)
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
    columns = table_columns(
        (texts.translate("Report", "Rater"),),
        (
            texts.translate("Report", "Agreement, a week"),
            texts.translate("Report", "Agreement, twice the tasks"),
            texts.translate("Report", "Time, twice the tasks"),
        ),
    )
    return ReportPanel(
        title=texts.translate("Report", "Change over time"),
        table=ReportTableData(columns, cells),
        note=texts.translate("Report", "agreement with the others, from 0 to 1"),
    )
