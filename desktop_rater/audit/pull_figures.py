"""Figures of how far decided cases and suggestions pull answers: where they were shown against where held out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

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


def pull_figures(ratings: Iterable[ReceivedRating]) -> tuple[dict[str, ReportFigure], int]:
    """Return the figures, each with its two shares, and the number of ratings that an earlier version did not count.

    A figure is the share of equal answers where something was shown, minus that where it was held out.
    """
    by_task: defaultdict[str, defaultdict[str, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    raters: defaultdict[str, set[str]] = defaultdict(set)
    left_out = 0
    for rating in ratings:
        counts = rating.digest.pull
        left_out += counts is None
        for name, numbers in (counts or {}).items():
            by_task[name][rating.task].append(numbers)
            raters[name].add(rating.rater)
    figures: dict[str, ReportFigure] = {}
    for name in filter(by_task.__contains__, PULL_FIGURES):
        sums = np.array([np.sum(rows, axis=0) for rows in by_task[name].values()], dtype=np.float64)
        shown, equal, held_out, held_equal = sums.T
        count, held_count = int(shown.sum()), int(held_out.sum())
        pull = as_figure(group_difference(equal, shown, held_equal, held_out), count + held_count, len(raters[name]))
        if not (count and held_count):
            pull = ReportFigure(
                n=pull.n, tasks=pull.tasks, raters=pull.raters, why=NEVER_HELD_OUT if count else NEVER_SHOWN
            )
        figures[name] = pull
        figures[f"{name}.{SHOWN}"] = as_figure(share(equal, shown), count)
        figures[f"{name}.{HELD_OUT}"] = as_figure(share(held_equal, held_out), held_count)
    return figures, left_out


def pull_lines(report: AuditReport) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    for name, row in PULL_FIGURES.items():
        if name in report.pull:
            sides = (_side_text(report.pull[f"{name}.{side}"], report_format.ENGLISH) for side in (SHOWN, HELD_OUT))
            both = dict(zip(("shown", "held out"), sides, strict=True))
            shares = "; ".join(f"{side}: {text}" for side, text in both.items())
            yield f"  {row.line}: {figure_line(report.pull[name])}; {shares}"
    if report.pull and report.pull_left_out:
        yield f"  {_left_out_text(report, report_format.ENGLISH)}"


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
    reasons = dict.fromkeys(texts.why(report.pull[name].why) for name in PULL_FIGURES if name in report.pull)
    foot = [f"{why[0].upper()}{why[1:]}." for why in reasons if why]
    return (
        ReportPanel(
            title=texts.translate("Report", "Pull of cases and suggestions"),
            table=ReportTableData(columns, rows),
            note=texts.translate("Report", "95 % intervals over tasks"),
            foot=(*foot, *([_left_out_text(report, texts)] if report.pull_left_out else ())),
        )
        if rows
        else None
    )


def _side_text(figure: ReportFigure, texts: Wording) -> str:
    if figure.value is None:
        return report_format.NONE
    text = texts.translate("Report", "{share} of {n}, {tasks}")
    share_text = texts.percent_of(figure.value)
    return text.format(share=share_text, n=texts.number(figure.n), tasks=texts.counted("task", figure.tasks))


def _left_out_text(report: AuditReport, texts: Wording) -> str:
    text = texts.translate("Report", "Ratings opened by an earlier version, which are left out: {n}.")
    return text.format(n=texts.number(report.pull_left_out))
