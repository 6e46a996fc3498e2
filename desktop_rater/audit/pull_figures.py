"""Figures of how far decided cases and suggestions pull answers: where they were shown against where held out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit import report_format
from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.report import AuditReport, ReportFigure
from desktop_rater.audit.report_columns import PULL_FIGURES
from desktop_rater.audit.report_format import Wording, figure_line
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.cluster_bootstrap import group_difference, share
from desktop_rater.translation import N_

SHOWN, HELD_OUT = "shown", "held_out"
NEVER_SHOWN, NEVER_HELD_OUT = N_("Report", "none was shown"), N_("Report", "none was held out")


def pull_figures(ratings: Sequence[ReceivedRating]) -> tuple[dict[str, ReportFigure], int]:
    """Return the figures, each with its two shares, and the number of ratings that an earlier version did not count.

    A figure is the share of equal answers where something was shown, minus that where it was held out.
    """
    by_task: defaultdict[str, defaultdict[str, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        for name, numbers in (rating.digest.pull or {}).items():
            by_task[name][rating.task].append(numbers)
    figures: dict[str, ReportFigure] = {}
    for name in filter(by_task.__contains__, PULL_FIGURES):
        counts = np.array([np.sum(rows, axis=0) for rows in by_task[name].values()], dtype=np.float64)
        with_it, equal, without, held_equal = counts.T
        figures[name] = as_figure(group_difference(equal, with_it, held_equal, without), int((with_it + without).sum()))
        if not (with_it.any() and without.any()):
            figures[name] = replace(figures[name], why=NEVER_HELD_OUT if with_it.any() else NEVER_SHOWN)
        for side, parts, wholes in ((SHOWN, equal, with_it), (HELD_OUT, held_equal, without)):
            figures[f"{name}.{side}"] = as_figure(share(parts, wholes), int(wholes.sum()))
    return figures, sum(rating.digest.pull is None for rating in ratings)


def pull_lines(report: AuditReport) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    panel = pull_panel(report, report_format.ENGLISH)
    if panel is not None:
        yield f"{panel.title}, shown minus held out:"
        names = filter(report.pull.__contains__, PULL_FIGURES)
        for name, (title, _, given, held_out) in zip(names, panel.table.rows, strict=True):
            yield f"  {title.text}: {figure_line(report.pull[name])}; shown: {given.text}; held out: {held_out.text}"
        yield from (f"  {text}" for text in panel.foot)


def pull_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return the figures as a table; `None` without any."""
    rows = tuple(
        (
            ReportCell(texts.translate("Report", row.title)),
            ReportCell(report_format.with_interval(figure, texts, report_format.NONE), quiet=figure.value is None),
            *(ReportCell(_side_text(report.pull[f"{name}.{side}"], texts)) for side in (SHOWN, HELD_OUT)),
        )
        for name, row in PULL_FIGURES.items()
        if (figure := report.pull.get(name)) is not None
    )
    columns = (
        ReportColumn(texts.translate("Report", "Share of answers")),
        ReportColumn(texts.translate("Report", "Shown minus held out"), figures=True),
        ReportColumn(texts.translate("Report", "Shown"), figures=True),
        ReportColumn(texts.translate("Report", "Held out"), figures=True),
    )
    reasons = dict.fromkeys(
        texts.why(figure.why)
        for name, figure in report.pull.items()
        if name in PULL_FIGURES and figure.why and figure.value is not None
    )
    left_out = texts.translate("Report", "Ratings that an earlier version opened are left out: {n}")
    notes = [*reasons, *([left_out.format(n=texts.number(report.pull_left_out))] if report.pull_left_out else [])]
    panel = ReportPanel(
        title=texts.translate("Report", "Pull of cases and suggestions"),
        table=ReportTableData(columns, rows),
        note=texts.translate("Report", "95 % intervals over tasks"),
        foot=tuple(f"{note[0].upper()}{note[1:]}." for note in notes),
    )
    return panel if rows else None


def _side_text(figure: ReportFigure, texts: Wording) -> str:
    if figure.value is None:
        return report_format.NONE
    text, tasks = texts.translate("Report", "{share} of {n}, {tasks}"), texts.counted("task", figure.tasks)
    return text.format(share=texts.percent_of(figure.value), n=texts.number(figure.n), tasks=tasks)
