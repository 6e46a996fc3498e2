"""The charts about systems, each with its heading, table and notes, for the window and the HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.audit.charts.drawing import ShareRow, draw_shares
from desktop_rater.audit.charts.svg import DrawingArea, Key, Picture
from desktop_rater.audit.charts.system_drawing import (
    MOST_LINES,
    DuelRow,
    EvenChart,
    IntervalCell,
    IntervalChart,
    IntervalColumn,
    IntervalRow,
    RoundLine,
    RoundsChart,
    arranged,
    draw_duels,
    draw_even,
    draw_intervals,
    draw_rounds,
)
from desktop_rater.audit.questions import ValueStyle
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import LONGEST_NAME, LONGEST_QUOTE, place_name, shorten, with_interval
from desktop_rater.audit.report_panels import DrawPicture, ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.plugins.statistics.systems import (
    FigurePlace,
    RoundsReport,
    SystemFigure,
    SystemGroup,
    SystemMetric,
    SystemPreferences,
    SystemsReport,
)

if TYPE_CHECKING:
    from desktop_rater.plugins.statistics.systems_texts import SystemsTexts


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


NO_FIGURE = SystemFigure(part=0, whole=0, figure=ReportFigure())
MOST_DIFFERENCES = 45  # rows of the chart: ten systems
LONGEST_OF_TWO = 20  # characters of two names on one line of a chart
SKIPPED = "skipped"  # shape of reasons to skip, which are no judgement


def _figure(group: SystemGroup, metric: SystemMetric) -> SystemFigure:
    return group.figures.get(metric.id, NO_FIGURE)


def _cell(group: SystemGroup, metric: SystemMetric, texts: SystemsTexts) -> IntervalCell:
    given = _figure(group, metric)
    figure, title = given.figure, texts.metric_title(metric)
    key = ("figure", group.name, metric.id)
    if figure.value is None:
        missing = texts.why(figure.why) or texts.none
        return IntervalCell(missing=missing, tooltip=f"{group.name}, {title}: {missing}", key=key)
    value, ends = texts.value_of(figure.value, metric), texts.interval_of(figure, metric)
    unit = " %" if metric.is_share else ""
    count = texts.count_of(metric, given)
    parts = (f"{value}{unit}" + (f" ({ends})" if ends else ""), count, texts.prompts_of(figure.tasks))
    tooltip = f"{group.name}, {title}: {', '.join(parts)}" + ("" if ends else f". {texts.why(figure.why)}")
    return IntervalCell(
        value=figure.value,
        low=figure.low,
        high=figure.high,
        value_text=value,
        interval_text=ends,
        count=count,
        missing="" if ends else texts.why(figure.why),
        tooltip=tooltip,
        key=key,
    )


def _column(metric: SystemMetric, texts: SystemsTexts) -> IntervalColumn:
    share = metric.is_share
    return IntervalColumn(
        title=texts.metric_title(metric),
        about=texts.metric_about(metric),
        tone=metric.tone,
        shape=metric.shape,
        scale=100 if share else 1,
        unit="%" if share else "",
        floor=0 if share else metric.low,
        ceiling=100 if share else metric.high,
    )


def _rests(group: SystemGroup, texts: SystemsTexts) -> str:
    return f"{texts.counted('task', group.base.tasks)}, {texts.places(group.base)}"


def _intervals(report: SystemsReport, metrics: Sequence[SystemMetric], texts: SystemsTexts) -> IntervalChart:
    rows = [
        IntervalRow(
            name=shorten(group.name, LONGEST_NAME),
            about=_rests(group, texts),
            cells=tuple(_cell(group, metric, texts) for metric in metrics),
        )
        for group in report.groups
    ]
    return IntervalChart(columns=tuple(_column(metric, texts) for metric in metrics), rows=tuple(rows))


def _table(report: SystemsReport, metrics: Sequence[SystemMetric], texts: SystemsTexts) -> ReportTableData:
    """Return a row for each group and metric, with value, interval and base."""
    titles = (texts.system, texts.figure, texts.value, texts.interval, texts.rests_on, texts.prompts)
    first_figures = 2
    columns = tuple(ReportColumn(title, figures=at >= first_figures) for at, title in enumerate(titles))
    rows = []
    for metric in metrics:
        name = texts.metric_name.format(title=texts.metric_title(metric), about=texts.metric_about(metric))
        for group in report.groups:
            cell, unit = _cell(group, metric, texts), " %" if metric.is_share else ""
            value = ReportCell(f"{cell.value_text}{unit}") if cell.value is not None else ReportCell(texts.none)
            ends = ReportCell(cell.interval_text or cell.missing, quiet=not cell.interval_text)
            tasks = ReportCell(texts.number(_figure(group, metric).figure.tasks))
            head = ReportCell(shorten(group.name, LONGEST_NAME))
            rows.append((head, ReportCell(name, metric.tone, metric.shape), value, ends, ReportCell(cell.count), tasks))
    return ReportTableData(columns, tuple(rows))


def _description(chart: IntervalChart) -> str:
    return ". ".join(cell.tooltip for row in chart.rows for cell in row.cells)


def _shows_means(report: SystemsReport) -> bool:
    """Tell if the first card has the means of scales: the rubric has no label with values."""
    return not any(metric.kind == "label" for metric in report.metrics)


def wrote_panel(report: SystemsReport, texts: SystemsTexts) -> ReportPanel:
    """Return the shares of labels, severe errors, and responses without an error, of each system."""
    kinds = {"mean", "f1"} if _shows_means(report) else {"label", "severe", "clean"}
    metrics = [metric for metric in report.metrics if metric.kind in kinds]
    questions = [metric.ask for metric in metrics if metric.kind == "label" and metric.unit != "target"]
    chart = _intervals(report, metrics, texts)
    has_rows = bool(metrics and report.groups)
    return ReportPanel(
        title=texts.wrote,
        draw=(lambda area: draw_intervals(chart, area, _description(chart))) if has_rows else None,
        table=_table(report, metrics, texts),
        note=" · ".join(
            [*questions[:1], texts.by_prompts_and_raters if report.request.raters_random else texts.by_prompts]
        ),
        foot=(texts.no_final.format(n=texts.number(report.open)),) if report.open else (),
        rows=2 * len(report.groups),
    )


def defects_panel(report: SystemsReport, texts: SystemsTexts) -> ReportPanel:
    """Return the share of responses with a defect: a row for each risk, a column for each system."""
    metrics = [metric for metric in report.metrics if metric.kind == "defect"]
    rows = tuple(
        IntervalRow(
            name=texts.metric_title(metric), cells=tuple(_cell(group, metric, texts) for group in report.groups)
        )
        for metric in metrics
    )
    ceiling = max((cell.high or cell.value or 0 for row in rows for cell in row.cells), default=0) or 0.1
    columns = tuple(
        IntervalColumn(title=shorten(group.name, LONGEST_NAME), scale=100, unit="%", floor=0, reach=100 * ceiling)
        for group in report.groups
    )
    chart = IntervalChart(columns=columns, rows=rows, compact=True)
    level = next((metric.value for metric in metrics), None)
    return ReportPanel(
        title=texts.defects,
        draw=(lambda area: draw_intervals(chart, area, _description(chart))) if metrics and report.groups else None,
        table=_table(report, metrics, texts),
        note=texts.defects_note.format(values=f"≥ {level}"),
        foot=(texts.defects_foot,),
        rows=len(metrics),
    )


def answers_panel(report: SystemsReport, texts: SystemsTexts) -> ReportPanel:
    """Return the means of scales, and the distribution of each other question, of each system."""
    means = [] if _shows_means(report) else [metric for metric in report.metrics if metric.kind in {"mean", "f1"}]
    shares = [metric for metric in report.metrics if metric.kind == "share" and metric.shape != SKIPPED]
    questions = {metric.question: metric.ask for metric in shares}
    chart = _intervals(report, means, texts)

    def draw(area: DrawingArea) -> Picture:
        pictures: list[tuple[str, DrawPicture]] = [("", lambda inside: draw_intervals(chart, inside))] if means else []
        for question, ask in questions.items():
            of_question = [metric for metric in shares if metric.question == question]
            looks = tuple(ValueStyle(metric.value or "", metric.text, metric.tone, metric.shape)
                          for metric in of_question)  # fmt: skip
            rows = _share_rows(report, of_question, texts)
            pictures.append((ask, partial(_draw_shares, looks, rows)))
        return arranged(pictures, area, _description(chart))

    has_rows = bool((means or shares) and report.groups)
    return ReportPanel(
        title=texts.answers,
        draw=draw if has_rows else None,
        table=_table(report, [*means, *shares], texts),
        note=texts.answers_note,
        rows=len(report.groups) * (len(questions) + 2 * bool(means)),
    )


def _draw_shares(looks: tuple[ValueStyle, ...], rows: tuple[ShareRow, ...], area: DrawingArea) -> Picture:
    return draw_shares(looks, rows, replace(area, height=0))


def _share_rows(report: SystemsReport, metrics: Sequence[SystemMetric], texts: SystemsTexts) -> tuple[ShareRow, ...]:
    rows = []
    for group in report.groups:
        figures = [_figure(group, metric) for metric in metrics]
        values = [figure.figure.value for figure in figures]
        name = f"{shorten(group.name, LONGEST_NAME)}, n = {texts.number(max(figure.whole for figure in figures))}"
        tooltips = tuple(_cell(group, metric, texts).tooltip for metric in metrics)
        if not any(values):
            rows.append(ShareRow(name, (), (), (), ("figure", group.name), texts.no_label))
            continue
        parts = tuple(value or 0 for value in values)
        numbers = tuple(texts.number(part * 100) for part in parts)
        rows.append(ShareRow(name, parts, numbers, tooltips, ("figure", group.name)))
    return tuple(rows)


def preferences_panel(preferences: SystemPreferences, texts: SystemsTexts) -> ReportPanel:
    """Return which system is preferred to the others, and the wins, ties and losses of each two."""
    rows = []
    for strength in preferences.strengths:
        figure, name = strength.figure, shorten(strength.name, LONGEST_NAME)
        count = texts.pairs_n.format(n=texts.number(strength.pairs))
        if preferences.judgements:
            count = texts.judgements_n.format(n=texts.number(figure.n))
        value = "" if figure.value is None else texts.value_of(figure.value)
        key = ("strength", preferences.question, strength.name)
        rows.append(_even_row(name, figure, count, value, texts.interval_of(figure), texts, key))
    chart = EvenChart(rows=tuple(rows), even=0.5, even_text=texts.even)
    duels = tuple(
        DuelRow(
            name=_of_two(texts.wins_over, duel.one, duel.other),
            parts=(duel.wins, duel.ties, duel.losses),
            count=texts.pairs_n.format(n=texts.number(duel.pairs)),
            tooltip=texts.duel.format(
                one=duel.one, other=duel.other, wins=texts.number(duel.wins), ties=texts.number(duel.ties),
                losses=texts.number(duel.losses), share=with_interval(duel.figure, texts, texts.none),
            ),
            key=("duel", preferences.question, duel.one, duel.other),
        )
        for duel in preferences.duels
    )  # fmt: skip

    def draw(area: DrawingArea) -> Picture:
        parts = ("", partial(draw_even, chart)), ("", partial(draw_duels, duels))
        return arranged(parts, area, _rows_text(rows))

    base = preferences.base
    raters = texts.one_rater if base.raters == 1 else texts.raters_n.format(n=texts.number(base.raters))
    note = texts.pairs_of.format(
        pairs=texts.number(preferences.pairs), prompts=texts.number(base.prompts), raters=raters
    )
    notes = [texts.strength_note]
    if preferences.first.value is not None:
        ends = texts.interval_of(preferences.first)
        template = texts.first_place if ends else texts.first_place_only
        notes.append(template.format(share=texts.value_of(preferences.first.value), interval=ends))
    if preferences.judgements:
        notes.append(texts.order_note.format(n=texts.number(preferences.judgements)))
    if preferences.open:
        notes.append(texts.open_pairs.format(n=texts.number(preferences.open)))
    return ReportPanel(
        title=texts.preferred,
        draw=draw if preferences.duels else None,
        table=_preferences_table(preferences, texts),
        note=note,
        foot=tuple(notes),
        rows=len(rows) + len(duels),
    )


def _preferences_table(preferences: SystemPreferences, texts: SystemsTexts) -> ReportTableData:
    titles = (texts.wins, texts.ties, texts.losses, texts.pairs, texts.value, texts.interval)
    columns = (ReportColumn(texts.system), *(ReportColumn(title, figures=True) for title in titles))
    rows = []
    for strength in preferences.strengths:
        of = [duel for duel in preferences.duels if strength.name in {duel.one, duel.other}]
        wins = sum(duel.wins if duel.one == strength.name else duel.losses for duel in of)
        ties = sum(duel.ties for duel in of)
        counts = (wins, ties, strength.pairs - wins - ties, strength.pairs)
        rows.append((strength.name, counts, strength.figure))
    rows += [
        (texts.wins_over.format(one=duel.one, other=duel.other), (duel.wins, duel.ties, duel.losses, duel.pairs),
         duel.figure)
        for duel in preferences.duels
    ]  # fmt: skip
    return ReportTableData(
        columns,
        tuple(
            (
                ReportCell(shorten(name, LONGEST_NAME)),
                *(ReportCell(texts.number(count)) for count in counts),
                ReportCell(texts.none if figure.value is None else texts.value_of(figure.value)),
                ReportCell(texts.interval_of(figure) or texts.why(figure.why)),
            )
            for name, counts, figure in rows
        ),
    )


def _even_row(
    name: str, figure: ReportFigure, count: str, value: str, ends: str, texts: SystemsTexts, key: tuple[str, ...]
) -> IntervalRow:
    """Return the row of a figure that belongs to no group: a strength or a difference."""
    if figure.value is None:
        missing = texts.why(figure.why) or texts.none
        return IntervalRow(name=name, cells=(IntervalCell(missing=missing, tooltip=f"{name}: {missing}", key=key),))
    tooltip = f"{name}: {value} ({ends or texts.why(figure.why)}), {count}"
    cell = IntervalCell(
        value=figure.value, low=figure.low, high=figure.high, value_text=value,
        interval_text=ends, count=count, missing="" if ends else texts.why(figure.why), tooltip=tooltip, key=key,
    )  # fmt: skip
    return IntervalRow(name=name, cells=(cell,))


def _of_two(template: str, one: str, other: str) -> str:
    return template.format(one=shorten(one, LONGEST_OF_TWO), other=shorten(other, LONGEST_OF_TWO))


def _rows_text(rows: Iterable[IntervalRow]) -> str:
    return ". ".join(cell.tooltip for row in rows for cell in row.cells)


def differences_panel(report: SystemsReport, texts: SystemsTexts) -> ReportPanel:
    """Return the differences between systems in the main figure; the table has those of all figures."""
    main = report.main_metric
    of_main = [row for row in report.differences if main is not None and row.metric == main.id]
    rows = []
    for row in of_main[:MOST_DIFFERENCES]:
        name = _of_two(texts.minus, row.one, row.other)
        p = texts.p_text(row.holm if row.holm is not None else row.p)
        value = "" if row.figure.value is None else texts.with_sign(row.figure.value, main)
        key = ("difference", row.one, row.other)
        rows.append(_even_row(name, row.figure, p, value, texts.interval_of(row.figure, main), texts, key))
    share = main is not None and main.is_share
    chart = EvenChart(rows=tuple(rows), even=0, scale=100 if share else 1)
    note = texts.differences_note.format(
        metric=texts.metric_title(main) if main is not None else "", n=texts.number(len(of_main))
    )
    return ReportPanel(
        title=texts.differences,
        draw=(lambda area: draw_even(chart, area, _rows_text(rows))) if rows else None,
        table=_differences_table(report, texts),
        note=note,
        foot=(texts.places_first.format(n=texts.number(len(rows)), total=texts.number(len(of_main))),)
        if len(rows) < len(of_main)
        else (),
        rows=len(rows),
    )


def _differences_table(report: SystemsReport, texts: SystemsTexts) -> ReportTableData:
    titles = (texts.difference, texts.interval, texts.p_title, texts.holm_title, texts.shared)
    columns = (
        ReportColumn(texts.systems),
        ReportColumn(texts.figure),
        *(ReportColumn(title, figures=True) for title in titles),
    )
    rows = []
    for row in report.differences:
        metric = report.metric(row.metric)
        if metric is None:
            continue
        name = texts.minus.format(one=shorten(row.one, LONGEST_NAME), other=shorten(row.other, LONGEST_NAME))
        rows.append(
            (
                ReportCell(name),
                texts.metric_cell(metric),
                *texts.difference_cells(metric, row.figure),
                *texts.p_cells(row.p, row.holm),
                ReportCell(texts.number(row.shared)),
            )
        )
    return ReportTableData(columns, tuple(rows))


def places_title(report: SystemsReport, key: Key, texts: SystemsTexts) -> str:
    """Return the title of the places behind a figure, which the key of its mark names."""
    kind, *names = map(str, key)
    if kind == "duel":
        return texts.places_of.format(system=_of_two(texts.wins_over, names[1], names[2]), metric=texts.preferred)
    if kind == "strength":
        return texts.places_of.format(system=shorten(names[1], LONGEST_NAME), metric=texts.preferred)
    system = _of_two(texts.minus, *names) if kind == "difference" else shorten(names[0], LONGEST_NAME)
    metric = report.main_metric if kind == "difference" else report.metric(names[1])
    return texts.places_of.format(system=system, metric=texts.metric_title(metric) if metric is not None else "")


def places_panel(
    report: SystemsReport, title: str, found: tuple[Sequence[FigurePlace], int], texts: SystemsTexts
) -> ReportPanel:
    """Return the places behind a figure, each with its text and final value; `found`: with the number of all."""
    places, total = found
    columns = (ReportColumn(texts.what), ReportColumn(texts.final), ReportColumn(texts.where, figures=True))
    rows = tuple(
        (
            ReportCell(shorten(place.quote, LONGEST_QUOTE)),
            texts.value_cell(report, place.value),
            ReportCell(place_name(place.task, place.where)),
        )
        for place in places
    )
    template = texts.places_n if total == len(places) else texts.places_first
    return ReportPanel(
        title=title,
        table=ReportTableData(columns, rows, tuple((place.task, place.where) for place in places)),
        note=template.format(n=texts.number(len(places)), total=texts.number(total)),
        foot=() if places else (texts.no_places,),
        rows=len(rows),
    )


def all_panels(report: SystemsReport, texts: SystemsTexts) -> dict[str, ReportPanel]:
    """Return the panels that have something to show, by name, in their order."""
    panels = {"wrote": wrote_panel(report, texts)}
    for index, preferences in enumerate(report.preferences):
        panels[f"preferred{index or ''}"] = preferences_panel(preferences, texts)
    panels["defects"] = defects_panel(report, texts)
    panels["differences"] = differences_panel(report, texts)
    if report.rounds is not None:
        panels["rounds"] = rounds_panel(report, report.rounds, texts)
    panels["answers"] = answers_panel(report, texts)
    return {name: panel for name, panel in panels.items() if panel.draw is not None}
