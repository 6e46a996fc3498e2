"""The panel of two rounds of the same tasks, and the places that turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.charts.system_drawing import MOST_LINES, RoundLine, RoundsChart, draw_rounds
from desktop_rater.audit.report_format import LONGEST_NAME, LONGEST_QUOTE, place_name, shorten
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.audit.systems import RoundsReport, SystemsReport

if TYPE_CHECKING:
    from desktop_rater.audit.systems_texts import SystemsTexts

TURNS = ("better", "same", "worse")


def turn_texts(rounds: RoundsReport, texts: SystemsTexts) -> dict[str, str]:
    """Return the text of each group of tasks: "23 turned better"."""
    return {
        "better": texts.turned_better.format(n=texts.number(rounds.better)),
        "same": texts.stayed.format(n=texts.number(rounds.same)),
        "worse": texts.turned_worse.format(n=texts.number(rounds.worse)),
    }


def round_names(report: SystemsReport, rounds: RoundsReport, texts: SystemsTexts) -> tuple[str, str]:
    """Return the names of the later and the earlier round; rounds of several systems have those of the request."""
    against = report.request.against
    if rounds.after != rounds.before or not against:
        return rounds.after, rounds.before
    given = {column.name: [value for value, _count in column.values] for column in report.columns}
    others = [value for value in given.get(against[0][0], []) if against != ((against[0][0], value),)]
    after = f"{against[0][0]} {others[0]}" if len(others) == 1 and len(against) == 1 else texts.later_round
    return after, ", ".join(f"{name} {value}" for name, value in against)


def rounds_panel(report: SystemsReport, rounds: RoundsReport, texts: SystemsTexts) -> ReportPanel:
    """Return the tasks of two rounds, each as a line from its figure before to the one after."""
    metric = report.metric(rounds.metric)
    share = metric is not None and metric.is_share
    title = texts.metric_title(metric) if metric is not None else ""
    lines = tuple(
        RoundLine(
            before=task.before, after=task.after, turn=task.turn, key=("task", index),
            tooltip=f"{shorten(task.task, LONGEST_NAME)}: {texts.value_of(task.before, metric)} → "
            f"{texts.value_of(task.after, metric)}",
        )
        for index, task in enumerate(rounds.tasks)
    )  # fmt: skip
    chart = RoundsChart(
        lines=lines,
        turns=turn_texts(rounds, texts),
        about=(texts.of_task if share else texts.mean_of_task).format(metric=title),
        scale=100 if share else 1,
    )
    notes = [texts.one_line]
    if len(lines) > MOST_LINES:
        notes.append(texts.most_lines.format(n=texts.number(MOST_LINES)))
    if any(rounds.unpaired):
        later, earlier = map(texts.number, rounds.unpaired)
        notes.append(texts.unpaired.format(after=later, before=earlier))
    after, before = round_names(report, rounds, texts)
    return ReportPanel(
        title=texts.against.format(after=shorten(after, 60), before=shorten(before, 60)),
        draw=(lambda area: draw_rounds(chart, area, rounds_text(rounds, texts))) if lines else None,
        table=rounds_table(report, rounds, texts),
        note=texts.paired.format(n=texts.number(len(rounds.tasks))),
        foot=(" ".join(notes),),
        rows=10,
    )


def rounds_text(rounds: RoundsReport, texts: SystemsTexts) -> str:
    """Return how many tasks turned, with the sign test."""
    turned = texts.turned.format(better=texts.number(rounds.better), worse=texts.number(rounds.worse))
    return turned if rounds.p is None else f"{turned}; {texts.sign_test.format(p=texts.p_text(rounds.p))}"


def gain_text(report: SystemsReport, rounds: RoundsReport, texts: SystemsTexts) -> str:
    """Return the difference of the main figure and of severe errors."""
    parts = []
    for row in rounds.differences:
        metric = report.metric(row.metric)
        if metric is not None and (metric.id == rounds.metric or metric.kind == "severe"):
            value, ends = texts.difference_cells(metric, row.figure)
            parts.append(f"{texts.metric_title(metric)}: {value.text} ({ends.text})")
    return " · ".join(parts)


def rounds_table(report: SystemsReport, rounds: RoundsReport, texts: SystemsTexts) -> ReportTableData:
    """Return the figures of both rounds and their paired differences."""
    titles = (texts.before, texts.after, texts.difference, texts.interval, texts.p_title, texts.holm_title)
    columns = (ReportColumn(texts.figure), *(ReportColumn(title, figures=True) for title in titles))
    rows = []
    for row in rounds.differences:
        metric = report.metric(row.metric)
        if metric is None:
            continue
        values = [
            texts.none
            if end.figure.value is None
            else f"{texts.value_of(end.figure.value, metric)} ({texts.count_of(metric, end)})"
            for end in (row.before, row.after)
        ]
        rows.append(
            (
                texts.metric_cell(metric),
                *map(ReportCell, values),
                *texts.difference_cells(metric, row.figure),
                *texts.p_cells(row.p, row.holm),
            )
        )
    return ReportTableData(columns, tuple(rows))


def turned_table(report: SystemsReport, rounds: RoundsReport, turn: str, texts: SystemsTexts) -> ReportTableData:
    """Return the places that turned in the tasks of one group, those that turned as their task first.

    A task without a place has a row of its own.
    """
    columns = (
        ReportColumn(texts.what),
        ReportColumn(texts.change),
        ReportColumn(texts.where, figures=True),
    )
    tasks = [(index, task) for index, task in enumerate(rounds.tasks) if task.turn == turn]
    places = [(index, task.task, place) for index, task in tasks for place in task.places]
    rows, keys = [], []
    for index, name, place in sorted(places, key=lambda row: row[2].better is (turn == "worse")):
        where = place_name(place.task or place.task_before, place.where or place.where_before)
        before = f"{texts.value_cell(report, place.before).text} →"
        quote = ReportCell(shorten(place.quote, LONGEST_QUOTE))
        rows.append((quote, texts.value_cell(report, place.after, before), ReportCell(where)))
        keys.append((str(index), name, place.where))
    for index, task in tasks:
        if not task.places:
            nothing = ReportCell(texts.nothing_turned, quiet=True)
            rows.append((nothing, ReportCell(""), ReportCell(place_name(task.task, ""))))
            keys.append((str(index), task.task, ""))
    return ReportTableData(columns, tuple(rows), tuple(keys))
