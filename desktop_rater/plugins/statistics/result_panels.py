"""The charts and tables of an audit's result, for the window and the HTML page."""

from collections.abc import Sequence

from desktop_rater.audit.charts.rater_drawing import (
    BoundChart,
    RaterCell,
    RaterGroup,
    RaterRow,
    RatersChart,
    draw_bound,
    draw_raters,
)
from desktop_rater.audit.questions import Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import (
    LONGEST_NAME,
    LONGEST_QUOTE,
    NONE,
    Wording,
    base_text,
    place_name,
    shorten,
    style_of,
    with_interval,
)
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportPanel, ReportTableData, table_columns
from desktop_rater.plugins.statistics.meanings import result_summary
from desktop_rater.plugins.statistics.result import (
    AuditedRater,
    AuditResult,
    DrawStep,
    ErrorResult,
    FigureName,
    RaterPlace,
    StratumKind,
)


def bound_text(bound: float, errors: ErrorResult, texts: Wording) -> str:
    """Return a bound in per cent, with a second decimal where the first would make it the goal."""
    near = abs(bound - errors.goal) < 0.0005
    return texts.number(bound * 100, 2 if near else 1)


def goal_text(errors: ErrorResult, texts: Wording) -> str:
    """Return the goal in per cent, with as many decimals as it has."""
    goal = errors.goal * 100
    return texts.number(goal, 0 if abs(goal - round(goal)) < 1e-9 else 1)


def stratum_name(kind: StratumKind, texts: Wording) -> str:
    """Return the name of a group of ratings."""
    return {"differ": texts.translate("Report", "Raters differ"), "agree": texts.translate("Report", "All agree")}.get(
        kind, texts.translate("Report", "One rating")
    )


def ratings_counted(count: int, texts: Wording) -> str:
    """Return a number of ratings."""
    return (
        texts.translate("Report", "1 rating")
        if count == 1
        else texts.translate("Report", "{n} ratings").format(n=texts.number(count))
    )


def result_base(result: AuditResult, texts: Wording) -> str:
    """Return what a result rests on."""
    count = len(result.raters)
    return texts.translate("Report", "Rests on {raters}, {tasks}, {places} places, {ratings}; {drawn} drawn").format(
        raters=texts.raters_counted(count),
        tasks=texts.counted("task", result.tasks),
        places=texts.number(result.places),
        ratings=ratings_counted(result.ratings, texts),
        drawn=texts.number(result.errors.drawn),
    )


def figure_title(name: FigureName, texts: Wording) -> str:
    """Return the heading of a figure."""
    titles: dict[FigureName, str] = {
        "errors": texts.translate("Report", "Wrong by the lead"),
        "final": texts.translate("Report", "Agreement with final labels"),
        "blind": texts.translate("Report", "Agreement with the lead’s blind answers"),
        "gold": texts.translate("Report", "Agreement with gold"),
        "repeats": texts.translate("Report", "Same answer on repeats"),
        "offset": texts.translate("Report", "Severity, steps from the mean"),
    }
    return titles[name]


def outside_text(rater: AuditedRater, texts: Wording) -> str:
    """Return the figures that lie outside their band, in words."""
    if not rater.compared:
        return texts.translate("Report", "can’t be told")
    named: dict[FigureName, str] = {
        "errors": texts.translate("Report", "errors"),
        "final": texts.translate("Report", "agreement"),
        "blind": texts.translate("Report", "blind answers"),
        "gold": texts.translate("Report", "gold"),
        "repeats": texts.translate("Report", "repeats"),
        "offset": texts.translate("Report", "severity"),
    }
    return ", ".join(named[name] for name in rater.outside) or texts.translate("Report", "none")


def figure_value(name: FigureName, value: float, texts: Wording) -> str:
    """Return the value of a figure; an offset has its sign."""
    sign = "+" if name == "offset" and value > 0 else ""
    return f"{sign}{texts.number(value, 2)}"


def figure_ends(figure: ReportFigure, name: FigureName, texts: Wording) -> str:
    """Return the interval of a figure, or why there is none."""
    if figure.low is None or figure.high is None:
        return texts.why(figure.why)
    low, high = texts.number(figure.low, 2), texts.number(figure.high, 2)
    return (
        texts.translate("Report", "{low} to {high}").format(low=low, high=high) if name == "offset" else f"{low}–{high}"
    )


def error_lines(errors: ErrorResult, texts: Wording) -> list[str]:
    """Return what is known about all work, in sentences."""
    lines = []
    if errors.bound is not None and errors.lower is not None:
        goal = {
            "shown": texts.translate("Report", "The goal, under {goal}\u00a0%, is shown."),
            "refuted": texts.translate(
                "Report", "The goal, under {goal}\u00a0%, is refuted: it is at least {lower}\u00a0%."
            ),
        }.get(
            errors.state, texts.translate("Report", "The goal, under {goal}\u00a0%, is not shown yet, and not refuted.")
        )
        goal = goal.format(goal=goal_text(errors, texts), lower=texts.per_cent(errors.lower))
        lines.append(
            texts.translate("Report", "With 95\u00a0% confidence at most {bound}\u00a0%. {goal}").format(
                bound=texts.per_cent(errors.bound), goal=goal
            )
        )
    if errors.figure.why:
        why = texts.why(errors.figure.why)
        lines.append(f"{why[:1].upper()}{why[1:]}.")
    if errors.waiting:
        lines.append(
            texts.translate("Report", "1 drawn rating is not judged yet.")
            if errors.waiting == 1
            else texts.translate("Report", "{n} drawn ratings are not judged yet.").format(
                n=texts.number(errors.waiting)
            )
        )
    return lines


def mistakes_text(result: AuditResult, texts: Wording, most: int = 2) -> str:
    """Return which labels the wrong ratings have."""
    errors = result.errors
    listed = errors.mistakes[:most]
    parts = []
    for row in listed:
        given, right = label_text(result, row.given), label_text(result, row.right)
        template = (
            texts.translate("Report", "{n} {given} where the lead says {right}")
            if row.right is not None
            else texts.translate("Report", "{n} {given}")
        )
        parts.append(template.format(n=texts.number(row.count), given=given, right=right))
    rest = sum(row.count for row in errors.mistakes[most:])
    if rest:
        parts.append(texts.translate("Report", "{n} other").format(n=texts.number(rest)))
    return (
        texts.translate("Report", "Of the {n} wrong: {parts}.").format(
            n=texts.number(errors.wrong), parts=", ".join(parts)
        )
        if parts
        else ""
    )


def label_text(result: AuditResult, value: Value | None) -> str:
    """Return the text of a label of any depth."""
    if value is None:
        return ""
    looks = (look.label for question in result.questions for look in question.looks if look.id == value)
    return next(looks, value if isinstance(value, str) else f"{value:g}")


def strip_text(result: AuditResult, texts: Wording) -> str:
    """Return how many figures lie outside, and how many would by chance."""
    if not result.compared:
        return texts.translate("Report", "No figure is compared with chance: that takes two raters with 20 tasks.")
    chance = result.by_chance
    expected = (
        texts.translate("Report", "fewer than 1")
        if chance < 1
        else texts.translate("Report", "about {n}").format(n=texts.number(chance))
    )
    number = texts.number
    return texts.translate(
        "Report", "One figure says little. Of {n} figures {outside} lie outside; {chance} would by chance alone. {read}"
    ).format(
        n=number(result.compared),
        outside=number(result.outside),
        chance=expected,
        read=texts.translate("Report", "Read the places before you speak to anyone."),
    )


_SHOWN_STEPS, _MOST_WEEKS = 4, 16


def errors_panel(result: AuditResult, texts: Wording) -> ReportPanel:
    """Return the error rate, and the strata that it comes from."""
    errors, number = result.errors, texts.number
    columns = table_columns(
        (texts.translate("Report", "Group"),),
        (
            texts.translate("Report", "Ratings"),
            texts.translate("Report", "Judged"),
            texts.translate("Report", "Wrong"),
        ),
    )
    counted = [(stratum_name(row.kind, texts), row.ratings, row.judged, row.wrong) for row in errors.strata]
    counted.append((texts.translate("Report", "Together"), result.ratings, errors.figure.n, errors.wrong))
    rows = tuple((ReportCell(name), *(ReportCell(number(count)) for count in counts)) for name, *counts in counted)
    lines = [error_rate_text(result, texts), judged_text(result, texts), *error_lines(errors, texts)]
    lines += [mistakes_text(result, texts), *result_summary(errors, texts)]
    return ReportPanel(
        title=texts.translate("Report", "Errors in all work"),
        table=ReportTableData(columns, rows),
        note=texts.translate("Report", "weighted by group"),
        foot=tuple(line for line in lines if line),
    )


def error_rate_text(result: AuditResult, texts: Wording) -> str:
    """Return the error rate with its interval."""
    figure = result.errors.figure
    if figure.value is None:
        return ""
    return ", ".join(filter(None, (f"{texts.per_cent(figure.value)} %", error_ends(result, texts))))


def error_ends(result: AuditResult, texts: Wording) -> str:
    """Return the interval of the error rate; empty without one."""
    figure = result.errors.figure
    if figure.low is None or figure.high is None:
        return ""
    return texts.translate("Report", "{low} to {high} %, 95 % interval").format(
        low=texts.per_cent(figure.low), high=texts.per_cent(figure.high)
    )


def judged_text(result: AuditResult, texts: Wording) -> str:
    """Return what the error rate rests on: "29 of 400 ratings judged wrong, 94 tasks"."""
    errors, figure = result.errors, result.errors.figure
    if not figure.n:
        return ""
    tasks = texts.counted("task", figure.tasks)
    return texts.translate("Report", "{wrong} of {ratings} judged wrong, {tasks}.").format(
        wrong=texts.number(errors.wrong), ratings=ratings_counted(figure.n, texts), tasks=tasks
    )


def draws_panel(result: AuditResult, texts: Wording) -> ReportPanel:
    """Return the bound by the number of places drawn; without a chart if there is nothing to draw."""
    errors = result.errors
    kinds = [row.kind for row in errors.strata]
    columns = table_columns(
        (texts.translate("Report", "Places judged"),),
        (*(stratum_name(kind, texts) for kind in kinds), texts.translate("Report", "Bound")),
    )
    rows = []
    for step in _listed_steps(errors.steps, errors.enough):
        counts = (texts.number(step.by_stratum.get(kind, 0)) for kind in kinds)
        cells = (*counts, f"{bound_text(step.bound, errors, texts)} %")
        rows.append((ReportCell(_step_name(result, step, texts)), *map(ReportCell, cells)))
    chart = _bound_chart(result, texts)
    foot = (
        (texts.translate("Report", "If the rate stays, no number of places shows the goal."),)
        if errors.enough is None and errors.steps
        else ()
    )
    return ReportPanel(
        title=texts.translate("Report", "How many to draw"),
        draw=(lambda area: draw_bound(chart, area, texts.translate("Report", "How many to draw")))
        if chart is not None
        else None,
        table=ReportTableData(columns, tuple(rows)),
        note=texts.translate("Report", "upper bound, if the rate stays"),
        foot=foot,
    )


def _step_name(result: AuditResult, step: DrawStep, texts: Wording) -> str:
    errors, count = result.errors, texts.number(step.places)
    if step == errors.steps[0]:
        return texts.translate("Report", "{n}, now").format(n=count)
    return (
        texts.translate("Report", "{n}, the first under {goal} %").format(n=count, goal=goal_text(errors, texts))
        if step == errors.enough
        else count
    )


def _listed_steps(steps: Sequence[DrawStep], enough: DrawStep | None) -> list[DrawStep]:
    """Return the first, the last, and those of interest between."""
    if not steps:
        return []
    at = steps.index(enough) if enough in steps else len(steps) - 1
    wanted = {0, at // 2, at, len(steps) - 1}
    return [steps[index] for index in sorted(wanted)][:_SHOWN_STEPS]


def _bound_chart(result: AuditResult, texts: Wording) -> BoundChart | None:
    errors, rate = result.errors, result.errors.figure.value
    if len(errors.steps) < 2:
        return None
    # From nothing drawn the bound is 100 %, which would flatten the rest.
    steps = [step for step in errors.steps if step.bound < 8 * errors.goal] or list(errors.steps)
    if len(steps) < 2:
        return None
    now, first = steps[0], errors.enough
    goal = goal_text(errors, texts)
    return BoundChart(
        points=tuple((step.places, 100 * step.bound) for step in steps),
        now=(
            now.places,
            100 * now.bound,
            texts.translate("Report", "now {bound} %").format(bound=bound_text(now.bound, errors, texts))
            if now == errors.steps[0]
            else "",
        ),
        first=None
        if first is None or first == now
        else (
            first.places,
            100 * first.bound,
            texts.translate("Report", "{n}: {bound} %").format(
                n=texts.number(first.places), bound=bound_text(first.bound, errors, texts)
            ),
        ),
        goal=(100 * errors.goal, texts.translate("Report", "goal: under {goal} %").format(goal=goal)),
        rate=None
        if rate is None
        else (100 * rate, texts.translate("Report", "the estimate, {rate} %").format(rate=texts.per_cent(rate))),
    )


def raters_chart(
    result: AuditResult, texts: Wording, order: str = "outside", chosen: str = "all", find: str = ""
) -> RatersChart:
    """Return the raters in groups: those with figures outside, the others, and those with few tasks.

    `order`: outside, name or tasks; `chosen`: all, outside or few; `find`: part of a name.
    """
    raters = [
        rater for rater in result.raters
        if find.casefold() in rater.rater.casefold()
        and {"all": True, "outside": bool(rater.outside), "few": not rater.compared}[chosen]
    ]  # fmt: skip
    if order == "tasks":
        raters.sort(key=lambda rater: -rater.tasks)
    many, few = ([rater for rater in raters if rater.compared is compared] for compared in (True, False))
    if order == "outside":
        outside = sorted((rater for rater in many if rater.outside), key=lambda rater: -len(rater.outside))
        parts = [
            (texts.translate("Report", "More than one figure outside, then one"), outside),
            (texts.translate("Report", "None outside"), [rater for rater in many if not rater.outside]),
            (texts.translate("Report", "Fewer than 20 tasks: too little to tell"), few),
        ]
    else:
        parts = [
            (texts.translate("Report", "At least 20 tasks"), many),
            (texts.translate("Report", "Fewer than 20 tasks: too little to tell"), few),
        ]
    titles = (
        texts.translate("Report", "Rater"),
        texts.translate("Report", "Tasks, ratings"),
        *(figure_title(name, texts) for name in result.names),
        texts.translate("Report", "Agreement by week"),
        texts.translate("Report", "Minutes, med. / p90"),
        texts.translate("Report", "Outside"),
    )
    groups = tuple(
        RaterGroup(
            title=title,
            note=texts.translate("Report", "{n} raters").format(n=texts.number(len(rows)))
            if len(rows) > 1
            else texts.translate("Report", "1 rater"),
            rows=tuple(_row(result, rater, texts) for rater in rows),
        )
        for title, rows in parts
        if rows
    )
    shares = tuple(name != "offset" for name in result.names)
    return RatersChart(
        titles=titles, shares=shares, groups=groups, nothing=texts.translate("Report", "No rater matches.")
    )


def _row(result: AuditResult, rater: AuditedRater, texts: Wording) -> RaterRow:
    cells = tuple(_cell(rater, name, texts) for name in result.names)
    weeks = tuple(figure.value for _week, figure in rater.weeks if figure.value is not None)
    return RaterRow(
        name=shorten(rater.rater, LONGEST_NAME),
        base=f"{texts.number(rater.tasks)}, {texts.number(rater.ratings)}",
        cells=cells,
        weeks=weeks,
        no_weeks=texts.translate("Report", "one week only") if weeks else texts.translate("Report", "no times"),
        minutes=_minutes(rater, texts),
        outside=outside_text(rater, texts),
        tooltip=_tooltip(result, rater, texts),
        key=("rater", rater.rater),
    )


def _cell(rater: AuditedRater, name: FigureName, texts: Wording) -> RaterCell:
    banded = rater.figures.get(name)
    if banded is None:
        return RaterCell(missing=NONE)
    figure = banded.figure
    if figure.value is None:
        return RaterCell(missing=texts.why(figure.why))
    return RaterCell(
        value=figure.value, low=figure.low, high=figure.high, value_text=figure_value(name, figure.value, texts),
        interval_text=figure_ends(figure, name, texts) if figure.low is not None else "",
        missing=texts.counted("task", figure.tasks), band=banded.band, outside=banded.outside,
    )  # fmt: skip


def _minutes(rater: AuditedRater, texts: Wording) -> str:
    if rater.time is None:
        return NONE
    return f"{texts.number(rater.time.median / 60, 1)} / {texts.number(rater.time.high / 60, 1)}"


def _figure_text(rater: AuditedRater, name: FigureName, texts: Wording) -> str:
    """Return a figure with its interval, base and band."""
    banded = rater.figures[name]
    figure = banded.figure
    if figure.value is None:
        return texts.why(figure.why)
    base = base_text(figure, "", texts) if not figure.tasks else texts.counted("task", figure.tasks)
    text = f"{figure_value(name, figure.value, texts)} ({figure_ends(figure, name, texts)}), {base}"
    if banded.band is None:
        return text
    low, high = (figure_value(name, end, texts) for end in banded.band)
    band = texts.translate("Report", "band {low}–{high}").format(low=low, high=high)
    return f"{text}; {band}"


def _tooltip(result: AuditResult, rater: AuditedRater, texts: Wording) -> str:
    base = f"{texts.counted('task', rater.tasks)}, {ratings_counted(rater.ratings, texts)}"
    lines = [f"{shorten(rater.rater, LONGEST_NAME)}: {base}"]
    lines += [f"{figure_title(name, texts)}: {_figure_text(rater, name, texts)}"
              for name in result.names if name in rater.figures]  # fmt: skip
    lines += [
        f"{week}: {texts.number(figure.value, 2)} ({figure_ends(figure, 'final', texts)}), "
        f"{texts.counted('task', figure.tasks)}"
        for week, figure in rater.weeks[-8:]
        if figure.value is not None
    ]
    outside = texts.translate("Report", "Outside")
    lines.append(f"{outside}: {outside_text(rater, texts)}")
    return "\n".join(lines)


def raters_panel(
    result: AuditResult, texts: Wording, order: str = "outside", chosen: str = "all", find: str = ""
) -> ReportPanel:
    """Return the raters as a chart and as a table."""
    chart = raters_chart(result, texts, order, chosen, find)
    by_name = {rater.rater: rater for rater in result.raters}
    rows = [row for group in chart.groups for row in group.rows]
    raters = [by_name[str(row.key[1])] for row in rows]
    names = result.names
    columns = (
        ReportColumn(texts.translate("Report", "Rater")),
        ReportColumn(texts.translate("Report", "Tasks, ratings"), figures=True),
        *(ReportColumn(figure_title(name, texts)) for name in names),
        ReportColumn(texts.translate("Report", "Minutes, med. / p90"), figures=True),
        ReportColumn(texts.translate("Report", "Outside")),
    )
    table = tuple(
        (
            ReportCell(row.name), ReportCell(row.base),
            *(ReportCell(_figure_text(rater, name, texts) if name in rater.figures else NONE) for name in names),
            ReportCell(row.minutes), ReportCell(row.outside),
        )
        for row, rater in zip(rows, raters, strict=True)
    )  # fmt: skip
    few = sum(not rater.compared for rater in result.raters)
    counts = texts.translate("Report", "At least 20 tasks: {many}. Fewer: {few}.").format(
        many=texts.number(len(result.raters) - few), few=texts.number(few)
    )
    return ReportPanel(
        title=texts.translate("Report", "Raters"),
        draw=lambda area: draw_raters(chart, area, "" if rows else chart.nothing),
        table=ReportTableData(columns, table, tuple((rater.rater,) for rater in raters)),
        note=texts.translate("Report", "grey: where 95 of 100 raters lie by chance"),
        foot=(strip_text(result, texts), counts),
        rows=len(rows),
    )


def weeks_panel(result: AuditResult, texts: Wording) -> ReportPanel:
    """Return the agreement with final labels by rater and week; without rows if all work is of one week."""
    weeks = sorted({week for rater in result.raters for week, _figure in rater.weeks})[-_MOST_WEEKS:]
    columns = (ReportColumn(texts.translate("Report", "Rater")), *(ReportColumn(week, figures=True) for week in weeks))
    rows = tuple(
        (
            ReportCell(shorten(rater.rater, LONGEST_NAME)),
            *(ReportCell(with_interval(given.get(week, ReportFigure()), texts, NONE)) for week in weeks),
        )
        for rater in result.raters
        if (given := dict(rater.weeks)) and len(weeks) > 1
    )
    return ReportPanel(
        title=texts.translate("Report", "Agreement by week"),
        table=ReportTableData(columns, rows),
        note=texts.translate("Report", "Agreement with final labels"),
    )


def places_table(result: AuditResult, rater: AuditedRater, texts: Wording) -> ReportTableData:
    """Return the places behind a rater's figures."""
    columns = tuple(
        map(
            ReportColumn,
            (
                texts.translate("Report", "Rated text"),
                texts.translate("Report", "By the lead"),
                texts.translate("Report", "Label"),
                texts.translate("Report", "Agreement with final labels"),
                texts.translate("Report", "Where"),
            ),
        )
    )
    rows = tuple(
        (
            ReportCell(shorten(place.quote, LONGEST_QUOTE)),
            _verdict(place, texts),
            _label(result, place.question, place.own, texts),
            _label(result, place.question, place.final, texts, texts.translate("Report", "final:")),
            ReportCell(place_name(place.task, place.where)),
        )
        for place in rater.places
    )
    return ReportTableData(columns, rows, tuple((place.task, place.where, rater.rater) for place in rater.places))


def _verdict(place: RaterPlace, texts: Wording) -> ReportCell:
    if place.wrong is None:
        return ReportCell("")
    return ReportCell(
        texts.translate("Report", "wrong") if place.wrong else texts.translate("Report", "accepted"),
        quiet=not place.wrong,
    )


def _label(result: AuditResult, question: str, value: Value | None, texts: Wording, before: str = "") -> ReportCell:
    judged = next((row for row in result.questions if row.id == question), None)
    if value is None:
        return ReportCell(texts.translate("Report", "open"), quiet=True, before=before)
    if judged is None:
        return ReportCell(str(value), before=before)
    look = style_of(judged, value)
    return ReportCell(look.label, look.tone, look.shape, before=before)


def behind_text(rater: AuditedRater, texts: Wording) -> str:
    """Return how many ratings differ from the final labels, and how many of these another rater shares."""
    number = texts.number
    return texts.translate(
        "Report", "{n} of {all} differ from the final label; in {shared} of these another rater says the same"
    ).format(n=number(rater.differing), all=number(rater.ratings), shared=number(rater.shared))


def result_panels(result: AuditResult, texts: Wording) -> dict[str, ReportPanel]:
    """Return all panels by the names of their cards; charts without data are left out."""
    panels = {"errors": errors_panel(result, texts), "draws": draws_panel(result, texts)}
    panels |= {"raters": raters_panel(result, texts), "weeks": weeks_panel(result, texts)}
    return {name: panel for name, panel in panels.items() if panel.table.rows or name == "errors"}
