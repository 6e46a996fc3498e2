"""The panel of two rounds of the same tasks, and the places that turned."""

from __future__ import annotations

from desktop_rater.audit.charts.system_drawing import (
    MOST_LINES,
    RoundLine,
    RoundsChart,
    draw_rounds,
)
from desktop_rater.audit.report_format import (
    LONGEST_NAME,
    LONGEST_QUOTE,
    NONE,
    Wording,
    place_name,
    shorten,
)
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.plugins.statistics.systems import (
    RoundsReport,
    SystemsReport,
)
from desktop_rater.plugins.statistics.systems_texts import (
    difference_cells,
    figure_count,
    metric_cell,
    metric_title,
    metric_value,
    p_cells,
    p_text,
    value_cell,
)

TURNS = ("better", "same", "worse")


def turn_texts(rounds: RoundsReport, texts: Wording) -> dict[str, str]:
    """Return the text of each group of tasks: "23 turned better"."""
    return {
        "better": texts.translate("Report", "{n} turned better").format(n=texts.number(rounds.better)),
        "same": texts.translate("Report", "{n} the same").format(n=texts.number(rounds.same)),
        "worse": texts.translate("Report", "{n} worse").format(n=texts.number(rounds.worse)),
    }


def round_names(report: SystemsReport, rounds: RoundsReport, texts: Wording) -> tuple[str, str]:
    """Return the names of the later and the earlier round; rounds of several systems have those of the request."""
    against = report.request.against
    if rounds.after != rounds.before or not against:
        return rounds.after, rounds.before
    given = {column.name: [value for value, _count in column.values] for column in report.columns}
    others = [value for value in given.get(against[0][0], []) if against != ((against[0][0], value),)]
    after = (
        f"{against[0][0]} {others[0]}"
        if len(others) == 1 and len(against) == 1
        else texts.translate("Report", "later round")
    )
    return after, ", ".join(f"{name} {value}" for name, value in against)


def rounds_panel(report: SystemsReport, rounds: RoundsReport, texts: Wording) -> ReportPanel:
    """Return the tasks of two rounds, each as a line from its figure before to the one after."""
    metric = report.metric(rounds.metric)
    share = metric is not None and metric.is_share
    title = metric_title(metric, texts) if metric is not None else ""
    lines = tuple(
        RoundLine(
            before=task.before, after=task.after, turn=task.turn, key=("task", index),
            tooltip=f"{shorten(task.task, LONGEST_NAME)}: {metric_value(task.before, texts, metric)} → "
            f"{metric_value(task.after, texts, metric)}",
        )
        for index, task in enumerate(rounds.tasks)
    )  # fmt: skip
    chart = RoundsChart(
        lines=lines,
        turns=turn_texts(rounds, texts),
        about=(
            texts.translate("Report", "{metric}, per cent of each task")
            if share
            else texts.translate("Report", "{metric}, of each task")
        ).format(metric=title),
        scale=100 if share else 1,
    )
    notes = [
        texts.translate("Report", "One line is one task, most gained first. Ring: before. Dot: better. Square: worse.")
    ]
    if len(lines) > MOST_LINES:
        notes.append(
            texts.translate("Report", "Drawn: the {n} tasks that changed most.").format(n=texts.number(MOST_LINES))
        )
    if any(rounds.unpaired):
        later, earlier = map(texts.number, rounds.unpaired)
        notes.append(
            texts.translate("Report", "Only in one round: {after} later tasks, {before} earlier ones.").format(
                after=later, before=earlier
            )
        )
    after, before = round_names(report, rounds, texts)
    return ReportPanel(
        title=texts.translate("Report", "{after} against {before}, the same tasks").format(
            after=shorten(after, 60), before=shorten(before, 60)
        ),
        draw=(lambda area: draw_rounds(chart, area, rounds_text(rounds, texts))) if lines else None,
        table=rounds_table(report, rounds, texts),
        note=texts.translate("Report", "{n} tasks rated in both rounds").format(n=texts.number(len(rounds.tasks))),
        foot=(" ".join(notes),),
        rows=10,
    )


def rounds_text(rounds: RoundsReport, texts: Wording) -> str:
    """Return how many tasks turned, with the sign test."""
    turned = texts.translate("Report", "{better} turned better, {worse} worse").format(
        better=texts.number(rounds.better), worse=texts.number(rounds.worse)
    )
    if rounds.p is None:
        return turned
    tested = texts.translate("Report", "sign test, {p}").format(p=p_text(rounds.p, texts))
    return f"{turned}; {tested}"


def gain_text(report: SystemsReport, rounds: RoundsReport, texts: Wording) -> str:
    """Return the difference of the main figure and of severe errors."""
    parts = []
    for row in rounds.differences:
        metric = report.metric(row.metric)
        if metric is not None and (metric.id == rounds.metric or metric.kind == "severe"):
            value, ends = difference_cells(metric, row.figure, texts)
            parts.append(f"{metric_title(metric, texts)}: {value.text} ({ends.text})")
    return " · ".join(parts)


def rounds_table(report: SystemsReport, rounds: RoundsReport, texts: Wording) -> ReportTableData:
    """Return the figures of both rounds and their paired differences."""
    titles = (
        texts.translate("Report", "Before"),
        texts.translate("Report", "After"),
        texts.translate("Report", "Difference"),
        texts.translate("Report", "95 % interval"),
        texts.translate("Report", "p"),
        texts.translate("Report", "p, Holm"),
    )
    columns = (
        ReportColumn(texts.translate("Report", "Figure")),
        *(ReportColumn(title, figures=True) for title in titles),
    )
    rows = []
    for row in rounds.differences:
        metric = report.metric(row.metric)
        if metric is None:
            continue
        values = [
            NONE
            if end.figure.value is None
            else f"{metric_value(end.figure.value, texts, metric)} ({figure_count(metric, end, texts)})"
            for end in (row.before, row.after)
        ]
        rows.append(
            (
                metric_cell(metric, texts),
                *map(ReportCell, values),
                *difference_cells(metric, row.figure, texts),
                *p_cells(row.p, row.holm, texts),
            )
        )
    return ReportTableData(columns, tuple(rows))


def turned_table(report: SystemsReport, rounds: RoundsReport, turn: str, texts: Wording) -> ReportTableData:
    """Return the places that turned in the tasks of one group, those that turned as their task first.

    A task without a place has a row of its own.
    """
    columns = (
        ReportColumn(texts.translate("Report", "Rated text")),
        ReportColumn(texts.translate("Report", "Change")),
        ReportColumn(texts.translate("Report", "Where"), figures=True),
    )
    tasks = [(index, task) for index, task in enumerate(rounds.tasks) if task.turn == turn]
    places = [(index, task.task, place) for index, task in tasks for place in task.places]
    rows, keys = [], []
    for index, name, place in sorted(places, key=lambda row: row[2].better is (turn == "worse")):
        where = place_name(place.task or place.task_before, place.where or place.where_before)
        before = f"{value_cell(report, place.before, texts).text} →"
        quote = ReportCell(shorten(place.quote, LONGEST_QUOTE))
        rows.append((quote, value_cell(report, place.after, texts, before), ReportCell(where)))
        keys.append((str(index), name, place.where))
    for index, task in tasks:
        if not task.places:
            nothing = ReportCell(texts.translate("Report", "No place turned."), quiet=True)
            rows.append((nothing, ReportCell(""), ReportCell(place_name(task.task, ""))))
            keys.append((str(index), task.task, ""))
    return ReportTableData(columns, tuple(rows), tuple(keys))
