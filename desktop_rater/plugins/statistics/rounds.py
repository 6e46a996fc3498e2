"""Comparison of two rounds of the same prompts, and what the report shows of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from desktop_rater.audit.charts.system_drawing import (
    MOST_LINES,
    RoundLine,
    RoundsChart,
    draw_rounds,
)
from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.questions import JudgedQuestion, Value, judged_questions
from desktop_rater.audit.report_format import (
    LONGEST_NAME,
    LONGEST_QUOTE,
    NONE,
    Wording,
    place_name,
    shorten,
)
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportPanel, ReportTableData, table_columns
from desktop_rater.plugins.statistics.system_figures import (
    PromptSums,
    difference_of,
    group_figures,
    group_name,
    holm,
    is_compared,
    permutation_test,
    prompt_sums,
    sign_test,
    sums_by_row,
)
from desktop_rater.plugins.statistics.system_responses import SystemResponse, prompt_of
from desktop_rater.plugins.statistics.systems import (
    MetricSet,
    PairedTask,
    RoundDifference,
    RoundsReport,
    SystemMetric,
    SystemsReport,
    TurnedPlace,
    best_value,
    ranking,
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
from desktop_rater.rubric import Rubric
from desktop_rater.text.comparison import match_sentences

_SAME = 1e-12
PairKey = tuple[str, tuple[str, ...]]
QuoteOf = Callable[[str, str], str]
"""Task and place → the rated text."""


class Round(NamedTuple):
    """Responses of one round, their bundle, the columns that name them, and the texts of places."""

    bundle: str
    columns: Sequence[str]
    responses: Sequence[SystemResponse]
    quote: QuoteOf


class _Side(NamedTuple):
    """Responses of one round that have a partner, and the row of the pair of each."""

    responses: list[SystemResponse]
    rows: list[int]
    prompts: list[str]


def make_rounds(
    before: Round, after: Round, rubric: Rubric, metrics: MetricSet, by: Sequence[str], pair: str, seed: int
) -> RoundsReport | None:
    """Compare two rounds; `None` without a pair or a metric. `by`: columns of equal values; `pair`: that of the prompt.

    Without a column, tasks of two bundles are paired by id if they share one, otherwise by their prompt.
    """
    prompt = _pairing(before, after, pair)
    keys = [[(prompt(response), response.columns(by)) for response in side.responses] for side in (before, after)]
    shared = [key for key in dict.fromkeys(keys[1]) if key in set(keys[0])]
    if not shared or metrics.main is None:
        return None
    rows = {key: row for row, key in enumerate(shared)}
    sides = [_side(side.responses, of, rows) for side, of in zip((before, after), keys, strict=True)]
    sums = [_aligned_sums(side, metrics, seed) for side in sides]
    tasks = sorted(_paired_tasks(sides, (before, after), rubric, metrics), key=lambda task: task.before - task.after)
    turns = [task.turn for task in tasks]
    names = [_name(side, paired) for side, paired in zip((before, after), sides, strict=True)]
    better, worse = turns.count("better"), turns.count("worse")
    return RoundsReport(
        bundle_before=before.bundle,
        before=names[0] if names[0] != names[1] else before.bundle,
        after=names[1] if names[0] != names[1] else after.bundle,
        metric=metrics.main.id,
        better=better,
        same=turns.count("same"),
        worse=worse,
        p=sign_test(better, worse),
        differences=tuple(_differences(sums[0], sums[1], metrics.metrics, seed)),
        tasks=tuple(tasks),
        unpaired=(len(set(keys[1]) - set(shared)), len(set(keys[0]) - set(shared))),
    )


def _pairing(before: Round, after: Round, pair: str) -> Callable[[SystemResponse], str]:
    if pair:
        return lambda response: response.column(pair)
    ids = [{response.task.id for response in side.responses} for side in (before, after)]
    if before.bundle != after.bundle and ids[0] & ids[1]:
        return lambda response: response.task.id
    return lambda response: prompt_of(response, "")


def _side(responses: Sequence[SystemResponse], keys: Sequence[PairKey], rows: Mapping[PairKey, int]) -> _Side:
    paired = [(response, key) for response, key in zip(responses, keys, strict=True) if key in rows]
    return _Side([response for response, _ in paired], [rows[key] for _, key in paired], [key[0] for _, key in paired])


def _aligned_sums(side: _Side, metrics: MetricSet, seed: int) -> PromptSums:
    """Sum by prompt, in the order of the pairs, so that both rounds have the same rows."""
    order = sorted(range(len(side.rows)), key=side.rows.__getitem__)
    return prompt_sums(
        [side.responses[index] for index in order], [side.prompts[index] for index in order], metrics, seed
    )


def _differences(
    before: PromptSums, after: PromptSums, metrics: Sequence[SystemMetric], seed: int
) -> list[RoundDifference]:
    figures = [group_figures(sums, metrics) for sums in (before, after)]
    compared = [
        index
        for index, metric in enumerate(metrics)
        if is_compared(metric) and metric.id in figures[0] and metric.id in figures[1]
    ]
    chances = permutation_test(after.sums[:, compared], before.sums[:, compared], seed)
    adjusted = holm([float(p) for p in chances])
    return [
        RoundDifference(
            metric=metrics[index].id,
            before=figures[0][metrics[index].id],
            after=figures[1][metrics[index].id],
            figure=as_figure(
                difference_of(after, before, index, metrics[index]),
                len(before.prompts),
                len(before.raters | after.raters),
            ),
            p=float(p),
            holm=adjustment,
        )
        for index, p, adjustment in zip(compared, chances, adjusted, strict=True)
    ]


def _paired_tasks(
    sides: Sequence[_Side], rounds: Sequence[Round], rubric: Rubric, metrics: MetricSet
) -> Iterator[PairedTask]:
    """Yield the pairs in which both rounds have the main figure."""
    main = metrics.main
    if main is None:
        return
    index = metrics.metrics.index(main)
    totals = [sums_by_row(side.responses, side.rows, metrics)[:, index] for side in sides]
    by_row = [_by_row(side) for side in sides]
    question = next((judged for judged in judged_questions(rubric) if judged.id == main.question), None)
    sign = -1 if main.good == "lower" else 1
    for row in sorted(by_row[0].keys() & by_row[1].keys()):
        if not totals[0][row, 1] or not totals[1][row, 1]:
            continue
        was, now = (float(total[row, 0] / total[row, 1]) for total in totals)
        responses = [of[row] for of in by_row]
        turn: Literal["better", "same", "worse"] = (
            "same" if np.abs(now - was) < _SAME else "better" if sign * (now - was) > 0 else "worse"
        )
        places: list[TurnedPlace] = []
        if question is not None:
            places = list(_turned_places(responses[0], responses[1], rounds, question, rubric))
        yield PairedTask(
            task=responses[1][0].task.id,
            task_before=responses[0][0].task.id,
            before=was,
            after=now,
            turn=turn,
            places=tuple(places),
        )


def _by_row(side: _Side) -> dict[int, list[SystemResponse]]:
    rows: dict[int, list[SystemResponse]] = {}
    for response, row in zip(side.responses, side.rows, strict=True):
        rows.setdefault(row, []).append(response)
    return rows


class _Place(NamedTuple):
    task: str
    where: str
    quote: str
    value: Value


def _turned_places(
    earlier: Sequence[SystemResponse],
    later: Sequence[SystemResponse],
    rounds: Sequence[Round],
    question: JudgedQuestion,
    rubric: Rubric,
) -> Iterator[TurnedPlace]:
    """Yield the places that are better or worse, worse first. A sentence without a partner counts unless it is good."""
    before, after = (
        [
            _Place(response.task.id, where, side.quote(response.task.id, where), value)
            for response in responses
            for where, name, value in response.values
            if name == question.id and value is not None
        ]
        for responses, side in zip((earlier, later), rounds, strict=True)
    )
    if question.per == "target":
        partners = match_sentences([place.quote for place in before], [place.quote for place in after])
    else:
        partners = {index: index for index in range(min(len(before), len(after)))}
    rank = _ranks(rubric, question)
    best = max(rank.values(), default=0.0)
    ranks = [[rank.get(place.value, best) for place in places] for places in (before, after)]
    turned = [
        _turned(before[first], after[second], better=ranks[1][second] > ranks[0][first])
        for first, second in partners.items()
        if ranks[1][second] != ranks[0][first]
    ]
    gone = set(range(len(before))) - partners.keys()
    new = set(range(len(after))) - set(partners.values())
    turned += [_turned(before[index], None, better=True) for index in sorted(gone) if ranks[0][index] < best]
    turned += [_turned(None, after[index], better=False) for index in sorted(new) if ranks[1][index] < best]
    yield from sorted(turned, key=lambda place: place.better)


def _ranks(rubric: Rubric, question: JudgedQuestion) -> dict[Value, float]:
    """Return how good each value is; values outside the ranking, such as "not factual", are no error."""
    order = ranking(rubric, question)
    if order:
        return {value: float(index) for index, value in enumerate(order)}
    best = best_value(rubric, question)
    return {look.id: float(look.id == best) for look in question.looks}


def _turned(before: _Place | None, after: _Place | None, *, better: bool) -> TurnedPlace:
    place = after or before
    return TurnedPlace(
        task=after.task if after is not None else "",
        where=after.where if after is not None else "",
        task_before=before.task if before is not None else "",
        where_before=before.where if before is not None else "",
        quote=place.quote if place is not None else "",
        before=before.value if before is not None else None,
        after=after.value if after is not None else None,
        better=better,
    )


def _name(of: Round, side: _Side) -> str:
    """Return the name of a round: that of its only group, otherwise its bundle."""
    names = {group_name(response, of.columns) for response in side.responses}
    return names.pop() if of.columns and len(names) == 1 else of.bundle


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
    columns = table_columns(
        (texts.translate("Report", "Figure"),),
        (
            texts.translate("Report", "Before"),
            texts.translate("Report", "After"),
            texts.translate("Report", "Difference"),
            texts.translate("Report", "95 % interval"),
            texts.translate("Report", "p"),
            texts.translate("Report", "p, Holm"),
        ),
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
