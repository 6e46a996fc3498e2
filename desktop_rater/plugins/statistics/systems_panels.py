"""The charts about systems, each with its heading, table and notes, for the window and the HTML page."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from desktop_rater.audit.charts.drawing import ShareRow, draw_shares
from desktop_rater.audit.charts.svg import DrawingArea, Picture
from desktop_rater.audit.charts.system_drawing import (
    EvenChart,
    IntervalCell,
    IntervalChart,
    IntervalColumn,
    IntervalRow,
    arranged,
    draw_even,
    draw_intervals,
)
from desktop_rater.audit.questions import ValueStyle
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import (
    LONGEST_NAME,
    LONGEST_QUOTE,
    NONE,
    Wording,
    place_name,
    shorten,
)
from desktop_rater.audit.report_panels import (
    DrawPicture,
    ReportCell,
    ReportColumn,
    ReportPanel,
    ReportTableData,
    table_columns,
    with_meanings,
)
from desktop_rater.plugins.statistics.preferences_panel import even_row, preferences_panel, rows_text
from desktop_rater.plugins.statistics.rounds import rounds_panel
from desktop_rater.plugins.statistics.systems import (
    AssistedFigure,
    AssistedFigures,
    FigurePlace,
    SystemFigure,
    SystemGroup,
    SystemMetric,
    SystemsReport,
)
from desktop_rater.plugins.statistics.systems_meanings import (
    figure_sentence,
    fragility_line,
    systems_meanings,
)
from desktop_rater.plugins.statistics.systems_texts import (
    difference_cells,
    figure_count,
    full_title,
    judged_text,
    labels_note,
    metric_about,
    metric_cell,
    metric_interval,
    metric_title,
    metric_value,
    of_two,
    p_cells,
    p_text,
    places_counted,
    prompts_counted,
    saving_text,
    signed_value,
    value_cell,
    wide_ends,
)

NO_FIGURE = SystemFigure(part=0, whole=0, figure=ReportFigure())
MOST_DIFFERENCES = 45  # rows of the chart: ten systems
SKIPPED = "skipped"  # shape of reasons to skip, which are no judgement


def _figure(group: SystemGroup, metric: SystemMetric) -> SystemFigure:
    return group.figures.get(metric.id, NO_FIGURE)


def _cell(group: SystemGroup, metric: SystemMetric, texts: Wording) -> IntervalCell:
    given = _figure(group, metric)
    figure, title = given.figure, metric_title(metric, texts)
    key = ("figure", group.name, metric.id)
    if figure.value is None:
        missing = texts.why(figure.why) or NONE
        return IntervalCell(missing=missing, tooltip=f"{group.name}, {title}: {missing}", key=key)
    meaning = figure_sentence("figure", f"{group.name}, {title}", figure, texts, metric)
    value, ends = metric_value(figure.value, texts, metric), metric_interval(figure, texts, metric)
    unit = " %" if metric.is_share else ""
    count = figure_count(metric, given, texts)
    parts = (f"{value}{unit}" + (f" ({ends})" if ends else ""), count, prompts_counted(figure.tasks, texts))
    tooltip = f"{group.name}, {title}: {', '.join(parts)}" + ("" if ends else f". {texts.why(figure.why)}")
    return IntervalCell(
        value=figure.value,
        low=figure.low,
        high=figure.high,
        wide=wide_ends(figure),
        value_text=value,
        interval_text=ends,
        count=count,
        missing="" if ends else texts.why(figure.why),
        tooltip=f"{tooltip}\n{meaning}",
        key=key,
    )


def _column(metric: SystemMetric, texts: Wording) -> IntervalColumn:
    share = metric.is_share
    return IntervalColumn(
        title=metric_title(metric, texts),
        about=metric_about(metric, texts),
        tone=metric.tone,
        shape=metric.shape,
        scale=100 if share else 1,
        unit="%" if share else "",
        floor=0 if share else metric.low,
        ceiling=100 if share else metric.high,
    )


def _rests(group: SystemGroup, texts: Wording) -> str:
    return f"{texts.counted('task', group.base.tasks)}, {places_counted(group.base, texts)}"


def _intervals(report: SystemsReport, metrics: Sequence[SystemMetric], texts: Wording) -> IntervalChart:
    rows = [
        IntervalRow(
            name=shorten(group.name, LONGEST_NAME),
            about=_rests(group, texts),
            cells=tuple(_cell(group, metric, texts) for metric in metrics),
        )
        for group in report.groups
    ]
    return IntervalChart(columns=tuple(_column(metric, texts) for metric in metrics), rows=tuple(rows))


def _table(report: SystemsReport, metrics: Sequence[SystemMetric], texts: Wording) -> ReportTableData:
    """Return a row for each group and metric, with value, interval and base."""
    titles = (
        texts.translate("Report", "System"),
        texts.translate("Report", "Figure"),
        texts.translate("Report", "Value"),
        texts.translate("Report", "95 % interval"),
        texts.translate("Report", "Based on"),
        texts.translate("Report", "Prompts"),
    )
    first_figures = 2
    columns = tuple(ReportColumn(title, figures=at >= first_figures) for at, title in enumerate(titles))
    rows = []
    for metric in metrics:
        name = full_title(metric, texts)
        for group in report.groups:
            cell, unit = _cell(group, metric, texts), " %" if metric.is_share else ""
            value = ReportCell(f"{cell.value_text}{unit}") if cell.value is not None else ReportCell(NONE)
            ends = ReportCell(cell.interval_text or cell.missing, quiet=not cell.interval_text)
            tasks = ReportCell(texts.number(_figure(group, metric).figure.tasks))
            head = ReportCell(shorten(group.name, LONGEST_NAME))
            rows.append((head, ReportCell(name, metric.tone, metric.shape), value, ends, ReportCell(cell.count), tasks))
    meanings = systems_meanings(report, texts).figures
    sentences = [meanings.get(f"{group.name}: {metric.id}", "") for metric in metrics for group in report.groups]
    return with_meanings(ReportTableData(columns, tuple(rows)), sentences, texts)


def _description(chart: IntervalChart) -> str:
    return ". ".join(cell.tooltip for row in chart.rows for cell in row.cells)


def _shows_means(report: SystemsReport) -> bool:
    """Tell if the first card has the means of scales: the rubric has no label with values."""
    return not any(metric.kind == "label" for metric in report.metrics)


def wrote_panel(report: SystemsReport, texts: Wording) -> ReportPanel:
    """Return the shares of labels, severe errors, and responses without an error, of each system."""
    kinds = {"mean", "f1"} if _shows_means(report) else {"label", "severe", "clean"}
    metrics = [metric for metric in report.metrics if metric.kind in kinds]
    questions = [metric.ask for metric in metrics if metric.kind == "label" and metric.unit != "target"]
    chart = _intervals(report, metrics, texts)
    has_rows = bool(metrics and report.groups)
    no_label = texts.translate("Report", "Places without a final label, in no figure: {n}.")
    open_places = [no_label.format(n=texts.number(report.open))] if report.open else []
    refused = [
        texts.translate("Report", "No figures by people and {model} together: {why}.").format(
            model=assisted.model, why=texts.why(assisted.why)
        )
        for assisted in report.assisted
        if assisted.why
    ]
    return ReportPanel(
        title=texts.translate("Report", "What the systems wrote"),
        draw=(lambda area: draw_intervals(chart, area, _description(chart))) if has_rows else None,
        table=_table(report, metrics, texts),
        note=" · ".join(
            [
                *questions[:1],
                texts.translate("Report", "95 % intervals over prompts and raters")
                if report.request.raters_random
                else texts.translate("Report", "95 % intervals, bootstrap over prompts"),
            ]
        ),
        foot=(
            labels_note(report.main_figures, texts),
            *open_places,
            *refused,
        ),
        rows=2 * len(report.groups),
    )


def defects_panel(report: SystemsReport, texts: Wording) -> ReportPanel:
    """Return the share of responses with a defect: a row for each risk, a column for each system."""
    metrics = [metric for metric in report.metrics if metric.kind == "defect"]
    rows = tuple(
        IntervalRow(
            name=metric_title(metric, texts), cells=tuple(_cell(group, metric, texts) for group in report.groups)
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
        title=texts.translate("Report", "Defect rate by risk"),
        draw=(lambda area: draw_intervals(chart, area, _description(chart))) if metrics and report.groups else None,
        table=_table(report, metrics, texts),
        note=texts.translate("Report", "share of judged responses with a level {values}").format(values=f"≥ {level}"),
        foot=(texts.translate("Report", "No defect among few responses does not mean that there are none."),),
        rows=len(metrics),
    )


def answers_panel(report: SystemsReport, texts: Wording) -> ReportPanel:
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
        title=texts.translate("Report", "Other judgements"),
        draw=draw if has_rows else None,
        table=_table(report, [*means, *shares], texts),
        note=texts.translate("Report", "means, and shares of each answer"),
        rows=len(report.groups) * (len(questions) + 2 * bool(means)),
    )


def _draw_shares(looks: tuple[ValueStyle, ...], rows: tuple[ShareRow, ...], area: DrawingArea) -> Picture:
    return draw_shares(looks, rows, replace(area, height=0))


def _share_rows(report: SystemsReport, metrics: Sequence[SystemMetric], texts: Wording) -> tuple[ShareRow, ...]:
    rows = []
    for group in report.groups:
        figures = [_figure(group, metric) for metric in metrics]
        values = [figure.figure.value for figure in figures]
        name = f"{shorten(group.name, LONGEST_NAME)}, n = {texts.number(max(figure.whole for figure in figures))}"
        tooltips = tuple(_cell(group, metric, texts).tooltip for metric in metrics)
        if not any(values):
            rows.append(ShareRow(name, (), (), (), ("figure", group.name), texts.translate("Report", "no label given")))
            continue
        parts = tuple(value or 0 for value in values)
        numbers = tuple(texts.number(part * 100) for part in parts)
        rows.append(ShareRow(name, parts, numbers, tooltips, ("figure", group.name)))
    return tuple(rows)


def differences_panel(report: SystemsReport, texts: Wording) -> ReportPanel:
    """Return the differences between systems in the main figure; the table has those of all figures."""
    main = report.main_metric
    of_main = [row for row in report.differences if main is not None and row.metric == main.id]
    rows = []
    for row in of_main[:MOST_DIFFERENCES]:
        name = of_two(texts.translate("Report", "{one} − {other}"), row.one, row.other)
        p = p_text(row.holm if row.holm is not None else row.p, texts)
        value = "" if row.figure.value is None else signed_value(row.figure.value, texts, main)
        key = ("difference", row.one, row.other)
        meaning = figure_sentence("difference", name, row.figure, texts, main, row.holm)
        rows.append(even_row(name, row.figure, p, value, metric_interval(row.figure, texts, main), texts, key, meaning))
    share = main is not None and main.is_share
    chart = EvenChart(rows=tuple(rows), even=0, scale=100 if share else 1)
    note = texts.translate("Report", "{metric}; p after Holm, {n} compared").format(
        metric=metric_title(main, texts) if main is not None else "", n=texts.number(len(of_main))
    )
    return ReportPanel(
        title=texts.translate("Report", "Differences between systems"),
        draw=(lambda area: draw_even(chart, area, rows_text(rows))) if rows else None,
        table=_differences_table(report, texts),
        note=note,
        foot=(
            texts.translate("Report", "the first {n} of {total}").format(
                n=texts.number(len(rows)), total=texts.number(len(of_main))
            ),
        )
        if len(rows) < len(of_main)
        else (),
        rows=len(rows),
    )


def _differences_table(report: SystemsReport, texts: Wording) -> ReportTableData:
    columns = table_columns(
        (
            texts.translate("Report", "Systems"),
            texts.translate("Report", "Figure"),
        ),
        (
            texts.translate("Report", "Difference"),
            texts.translate("Report", "95 % interval"),
            texts.translate("Report", "p"),
            texts.translate("Report", "p, Holm"),
            texts.translate("Report", "Shared prompts"),
        ),
    )
    rows = []
    for row in report.differences:
        metric = report.metric(row.metric)
        if metric is None:
            continue
        name = texts.translate("Report", "{one} − {other}").format(
            one=shorten(row.one, LONGEST_NAME), other=shorten(row.other, LONGEST_NAME)
        )
        rows.append(
            (
                ReportCell(name),
                metric_cell(metric, texts),
                *difference_cells(metric, row.figure, texts),
                *p_cells(row.p, row.holm, texts),
                ReportCell(texts.number(row.shared)),
            )
        )
    meanings = systems_meanings(report, texts).figures
    named = (row for row in report.differences if report.metric(row.metric) is not None)
    sentences = [meanings[f"{row.one} - {row.other}: {row.metric}"] for row in named]
    return with_meanings(ReportTableData(columns, tuple(rows)), sentences, texts)


def assisted_panel(report: SystemsReport, assisted: AssistedFigures, texts: Wording) -> ReportPanel:
    """Return the figures by people and a model together, beside those by people: of each system, the best first."""
    rows = [(metric, row) for metric in report.metrics for row in assisted.figures if row.metric == metric.id]
    main = next((metric for metric, _ in sorted(rows, key=lambda pair: not pair[0].main)), None)
    of_shown = [row for metric, row in rows if metric is main and not row.other]
    lower = main is not None and main.good == "lower"
    of_shown.sort(key=lambda row: (row.figure.value is None, (row.figure.value or 0) * (1 if lower else -1)))
    titles = (
        texts.translate("Report", "By people"),
        texts.translate("Report", "By people and {model}").format(model=shorten(assisted.model, LONGEST_NAME)),
    )
    column = _column(main or SystemMetric(id="", kind="share", unit="response"), texts)
    highest = max((figure.high or 0 for row in of_shown for figure in (row.people, row.figure)), default=0)
    columns = (replace(column, title=title, about="", reach=column.scale * highest) for title in titles)
    chart = IntervalChart(
        columns=tuple(columns),
        rows=tuple(
            IntervalRow(
                name=shorten(row.one, LONGEST_NAME),
                cells=tuple(
                    even_row(
                        f"{row.one}, {title}",
                        figure,
                        count,
                        "" if figure.value is None else metric_value(figure.value, texts, main),
                        metric_interval(figure, texts, main),
                        texts,
                        ("assisted", row.one),
                    ).cells[0]
                    for title, figure, count in zip(
                        titles,
                        (row.people, row.figure),
                        (judged_text(row, texts), saving_text(row.saving, texts)),
                        strict=True,
                    )
                ),
            )
            for row in of_shown
        ),
    )
    return ReportPanel(
        title=texts.translate("Report", "By people and a model together"),
        draw=(lambda area: draw_intervals(chart, area, _description(chart))) if of_shown else None,
        table=_assisted_table(rows, titles, texts),
        note="" if main is None else full_title(main, texts),
        foot=(
            texts.translate(
                "Report", "People judged a random sample of the tasks, the model all of them; intervals over prompts."
            ),
        ),
        rows=2 * len(of_shown),
    )


def _assisted_table(
    rows: Sequence[tuple[SystemMetric, AssistedFigure]], titles: tuple[str, str], texts: Wording
) -> ReportTableData:
    interval = texts.translate("Report", "95 % interval")
    numbers = (titles[0], interval, titles[1], interval, texts.translate("Report", "Gain"))
    columns = (
        ReportColumn(texts.translate("Report", "System")),
        ReportColumn(texts.translate("Report", "Figure")),
        *(ReportColumn(title, figures=True) for title in (*numbers, texts.translate("Report", "Judged by people"))),
    )
    cells = []
    for metric, row in rows:
        template = texts.translate("Report", "{one} − {other}") if row.other else "{one}"
        name = template.format(one=shorten(row.one, LONGEST_NAME), other=shorten(row.other, LONGEST_NAME))
        both = [difference_cells(metric, figure, texts, sign=bool(row.other)) for figure in (row.people, row.figure)]
        gain = ReportCell(saving_text(row.saving, texts) or NONE)
        judged = ReportCell(judged_text(row, texts))
        figure = ReportCell(full_title(metric, texts), metric.tone, metric.shape)
        cells.append((ReportCell(name), figure, *both[0], *both[1], gain, judged))
    return ReportTableData(columns, tuple(cells))


def places_panel(
    report: SystemsReport, title: str, found: tuple[Sequence[FigurePlace], int], texts: Wording
) -> ReportPanel:
    """Return the places behind a figure, each with its text and final value; `found`: with the number of all."""
    places, total = found
    columns = (
        ReportColumn(texts.translate("Report", "Rated text")),
        ReportColumn(texts.translate("Report", "Final label")),
        ReportColumn(texts.translate("Report", "Where"), figures=True),
    )
    rows = tuple(
        (
            ReportCell(shorten(place.quote, LONGEST_QUOTE)),
            value_cell(report, place.value, texts, question=place.question),
            ReportCell(place_name(place.task, place.where)),
        )
        for place in places
    )
    template = (
        texts.translate("Report", "{n} places")
        if total == len(places)
        else texts.translate("Report", "the first {n} of {total}")
    )
    return ReportPanel(
        title=title,
        table=ReportTableData(columns, rows, tuple((place.task, place.where) for place in places)),
        note=template.format(n=texts.number(len(places)), total=texts.number(total)),
        foot=() if places else (texts.translate("Report", "This figure counts no place."),),
        rows=len(rows),
    )


def all_panels(report: SystemsReport, texts: Wording) -> dict[str, ReportPanel]:
    """Return the panels that have something to show, by name, in their order."""
    panels = {"wrote": wrote_panel(report, texts)}
    for index, preferences in enumerate(report.preferences):
        panels[f"preferred{index or ''}"] = preferences_panel(
            preferences, texts, fragility_line(report, preferences.question, texts)
        )
    panels["defects"] = defects_panel(report, texts)
    panels["differences"] = differences_panel(report, texts)
    if report.rounds is not None:
        panels["rounds"] = rounds_panel(report, report.rounds, texts)
    for index, assisted in enumerate(report.assisted):
        panels[f"assisted{index or ''}"] = assisted_panel(report, assisted, texts)
    panels["answers"] = answers_panel(report, texts)
    return {name: panel for name, panel in panels.items() if panel.draw is not None}
