"""The charts and tables of an audit's result, for the window and the HTML page."""

from __future__ import annotations

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
    base_text,
    place_name,
    shorten,
    style_of,
    with_interval,
)
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.audit.report_texts import ReportTexts
from desktop_rater.plugins.statistics.result import (
    AuditedRater,
    AuditResult,
    DrawStep,
    ErrorResult,
    FigureName,
    RaterPlace,
    StratumKind,
)
from desktop_rater.translation import N_


class ResultTexts(ReportTexts, frozen=True, kw_only=True):
    """Texts of an audit's result, with placeholders in braces."""

    audit_result: str = N_("Report", "Audit result")
    rests_all: str = N_("Report", "Rests on {raters}, {tasks}, {places} places, {ratings}; {drawn} drawn")
    ratings_n: str = N_("Report", "{n} ratings")
    one_rating_n: str = N_("Report", "1 rating")

    errors_title: str = N_("Report", "Errors in all work")
    by_stratum: str = N_("Report", "weighted by group")
    ends: str = N_("Report", "{low} to {high} %, 95 % interval")
    at_most: str = N_("Report", "With 95\u00a0% confidence at most {bound}\u00a0%. {goal}")
    goal_shown: str = N_("Report", "The goal, under {goal}\u00a0%, is shown.")
    goal_refuted: str = N_("Report", "The goal, under {goal}\u00a0%, is refuted: it is at least {lower}\u00a0%.")
    goal_open: str = N_("Report", "The goal, under {goal}\u00a0%, is not shown yet, and not refuted.")
    judged_of: str = N_("Report", "{wrong} of {ratings} judged wrong, {tasks}.")
    waiting_n: str = N_("Report", "{n} drawn ratings are not judged yet.")
    waiting_one: str = N_("Report", "1 drawn rating is not judged yet.")
    stratum: str = N_("Report", "Group")
    differ_stratum: str = N_("Report", "Raters differ")
    agree_stratum: str = N_("Report", "All agree")
    one_stratum: str = N_("Report", "One rating")
    together: str = N_("Report", "Together")
    judged: str = N_("Report", "Judged")
    wrong: str = N_("Report", "Wrong")

    draw_title: str = N_("Report", "How many to draw")
    draw_note: str = N_("Report", "upper bound, if the rate stays")
    drawn_all: str = N_("Report", "Places judged")
    bound: str = N_("Report", "Bound")
    drawn_now: str = N_("Report", "{n}, now")
    drawn_first: str = N_("Report", "{n}, the first under {goal} %")
    now_mark: str = N_("Report", "now {bound} %")
    goal_mark: str = N_("Report", "goal: under {goal} %")
    rate_mark: str = N_("Report", "the estimate, {rate} %")
    first_mark: str = N_("Report", "{n}: {bound} %")
    draw_more: str = N_("Report", "Draw {n} more")
    draw_first: str = N_("Report", "Draw {n} places")
    never_enough: str = N_("Report", "If the rate stays, no number of places shows the goal.")
    mistakes_of: str = N_("Report", "Of the {n} wrong: {parts}.")
    mistake: str = N_("Report", "{n} {given} where the lead says {right}")
    mistake_plain: str = N_("Report", "{n} {given}")
    mistakes_other: str = N_("Report", "{n} other")

    band_note: str = N_("Report", "grey: where 95 of 100 raters lie by chance")
    strip: str = N_(
        "Report", "One figure says little. Of {n} figures {outside} lie outside; {chance} would by chance alone. {read}"
    )
    read_first: str = N_("Report", "Read the places before you speak to anyone.")
    about_n: str = N_("Report", "about {n}")
    under_one: str = N_("Report", "fewer than 1")
    signed_ends: str = N_("Report", "{low} to {high}")
    none_compared: str = N_("Report", "No figure is compared with chance: that takes two raters with 20 tasks.")
    enough_tasks: str = N_("Report", "At least 20 tasks: {many}. Fewer: {few}.")
    tasks_ratings: str = N_("Report", "Tasks, ratings")
    errors_col: str = N_("Report", "Wrong by the lead")
    final_col: str = N_("Report", "Agreement with final labels")
    blind_col: str = N_("Report", "Agreement with the lead’s blind answers")
    gold_col: str = N_("Report", "Agreement with gold")
    repeats_col: str = N_("Report", "Same answer on repeats")
    offset_col: str = N_("Report", "Severity, steps from the mean")
    weeks_col: str = N_("Report", "Agreement by week")
    minutes_col: str = N_("Report", "Minutes, med. / p90")
    outside_col: str = N_("Report", "Outside")
    errors_short: str = N_("Report", "errors")
    final_short: str = N_("Report", "agreement")
    blind_short: str = N_("Report", "blind answers")
    gold_short: str = N_("Report", "gold")
    repeats_short: str = N_("Report", "repeats")
    offset_short: str = N_("Report", "severity")
    several_outside: str = N_("Report", "More than one figure outside, then one")
    few_group: str = N_("Report", "Fewer than 20 tasks: too little to tell")
    none_outside: str = N_("Report", "None outside")
    all_group: str = N_("Report", "At least 20 tasks")
    nothing_outside: str = N_("Report", "none")
    too_little: str = N_("Report", "can’t be told")
    one_week: str = N_("Report", "one week only")
    no_week: str = N_("Report", "no times")
    band: str = N_("Report", "band {low}–{high}")
    nobody: str = N_("Report", "No rater matches.")

    behind: str = N_("Report", "{rater}, the places behind it")
    behind_note: str = N_(
        "Report", "{n} of {all} differ from the final label; in {shared} of these another rater says the same"
    )
    own_label: str = N_("Report", "Label")
    final_before: str = N_("Report", "final:")
    no_final_label: str = N_("Report", "open")
    by_lead: str = N_("Report", "By the lead")
    judged_wrong: str = N_("Report", "wrong")
    judged_right: str = N_("Report", "accepted")
    no_places_behind: str = N_("Report", "No rating differs from a final label or is wrong.")

    def per_cent(self, share: float) -> str:
        return self.number(share * 100, 1)

    def bound_of(self, bound: float, errors: ErrorResult) -> str:
        """Return a bound in per cent, with a second decimal where the first would make it the goal."""
        near = abs(bound - errors.goal) < 0.0005
        return self.number(bound * 100, 2 if near else 1)

    def goal_of(self, errors: ErrorResult) -> str:
        """Return the goal in per cent, with as many decimals as it has."""
        goal = errors.goal * 100
        return self.number(goal, 0 if abs(goal - round(goal)) < 1e-9 else 1)

    def stratum_of(self, kind: StratumKind) -> str:
        return {"differ": self.differ_stratum, "agree": self.agree_stratum}.get(kind, self.one_stratum)

    def ratings_of(self, count: int) -> str:
        return self.one_rating_n if count == 1 else self.ratings_n.format(n=self.number(count))

    def rests_result(self, result: AuditResult) -> str:
        """Return what a result rests on."""
        count = len(result.raters)
        return self.rests_all.format(
            raters=self.one_rater if count == 1 else self.raters_n.format(n=self.number(count)),
            tasks=self.counted("task", result.tasks),
            places=self.number(result.places),
            ratings=self.ratings_of(result.ratings),
            drawn=self.number(result.errors.drawn),
        )

    def figure_title(self, name: FigureName) -> str:
        return str(getattr(self, f"{name}_col"))

    def outside_of(self, rater: AuditedRater) -> str:
        """Return the figures that lie outside their band, in words."""
        if not rater.compared:
            return self.too_little
        return ", ".join(str(getattr(self, f"{name}_short")) for name in rater.outside) or self.nothing_outside

    def figure_value(self, name: FigureName, value: float) -> str:
        sign = "+" if name == "offset" and value > 0 else ""
        return f"{sign}{self.number(value, 2)}"

    def figure_ends(self, figure: ReportFigure, name: FigureName) -> str:
        """Return the interval of a figure, or why there is none."""
        if figure.low is None or figure.high is None:
            return self.why(figure.why)
        low, high = self.number(figure.low, 2), self.number(figure.high, 2)
        return self.signed_ends.format(low=low, high=high) if name == "offset" else f"{low}–{high}"

    def error_lines(self, errors: ErrorResult) -> list[str]:
        """Return what is known about all work, in sentences."""
        lines = []
        if errors.bound is not None and errors.lower is not None:
            goal = {"shown": self.goal_shown, "refuted": self.goal_refuted}.get(errors.state, self.goal_open)
            goal = goal.format(goal=self.goal_of(errors), lower=self.per_cent(errors.lower))
            lines.append(self.at_most.format(bound=self.per_cent(errors.bound), goal=goal))
        elif errors.figure.why:
            why = self.why(errors.figure.why)
            lines.append(f"{why[:1].upper()}{why[1:]}.")
        if errors.waiting:
            lines.append(
                self.waiting_one if errors.waiting == 1 else self.waiting_n.format(n=self.number(errors.waiting))
            )
        return lines

    def mistakes_text(self, result: AuditResult, most: int = 2) -> str:
        """Return which labels the wrong ratings have."""
        errors = result.errors
        listed = errors.mistakes[:most]
        parts = []
        for row in listed:
            given, right = self.label_text(result, row.given), self.label_text(result, row.right)
            template = self.mistake if row.right is not None else self.mistake_plain
            parts.append(template.format(n=self.number(row.count), given=given, right=right))
        rest = sum(row.count for row in errors.mistakes[most:])
        if rest:
            parts.append(self.mistakes_other.format(n=self.number(rest)))
        return self.mistakes_of.format(n=self.number(errors.wrong), parts=", ".join(parts)) if parts else ""

    def label_text(self, result: AuditResult, value: Value | None) -> str:
        """Return the text of a label of any depth."""
        if value is None:
            return ""
        looks = (look.label for question in result.questions for look in question.looks if look.id == value)
        return next(looks, value if isinstance(value, str) else f"{value:g}")

    def strip_text(self, result: AuditResult) -> str:
        """Return how many figures lie outside, and how many would by chance."""
        if not result.compared:
            return self.none_compared
        chance = result.by_chance
        expected = self.under_one if chance < 1 else self.about_n.format(n=self.number(chance))
        number = self.number
        return self.strip.format(
            n=number(result.compared), outside=number(result.outside), chance=expected, read=self.read_first
        )


_SHOWN_STEPS, _MOST_WEEKS = 4, 16


def errors_panel(result: AuditResult, texts: ResultTexts) -> ReportPanel:
    """Return the error rate, and the strata that it comes from."""
    errors, number = result.errors, texts.number
    titles = (texts.col_ratings, texts.judged, texts.wrong)
    columns = (ReportColumn(texts.stratum), *(ReportColumn(title, figures=True) for title in titles))
    counted = [(texts.stratum_of(row.kind), row.ratings, row.judged, row.wrong) for row in errors.strata]
    counted.append((texts.together, result.ratings, errors.figure.n, errors.wrong))
    rows = tuple((ReportCell(name), *(ReportCell(number(count)) for count in counts)) for name, *counts in counted)
    lines = [error_rate_text(result, texts), judged_text(result, texts), *texts.error_lines(errors)]
    lines.append(texts.mistakes_text(result))
    return ReportPanel(
        title=texts.errors_title,
        table=ReportTableData(columns, rows),
        note=texts.by_stratum,
        foot=tuple(line for line in lines if line),
    )


def error_rate_text(result: AuditResult, texts: ResultTexts) -> str:
    """Return the error rate with its interval."""
    figure = result.errors.figure
    if figure.value is None:
        return ""
    return ", ".join(filter(None, (f"{texts.per_cent(figure.value)} %", error_ends(result, texts))))


def error_ends(result: AuditResult, texts: ResultTexts) -> str:
    """Return the interval of the error rate; empty without one."""
    figure = result.errors.figure
    if figure.low is None or figure.high is None:
        return ""
    return texts.ends.format(low=texts.per_cent(figure.low), high=texts.per_cent(figure.high))


def judged_text(result: AuditResult, texts: ResultTexts) -> str:
    """Return what the error rate rests on: "29 of 400 ratings judged wrong, 94 tasks"."""
    errors, figure = result.errors, result.errors.figure
    if not figure.n:
        return ""
    tasks = texts.counted("task", figure.tasks)
    return texts.judged_of.format(wrong=texts.number(errors.wrong), ratings=texts.ratings_of(figure.n), tasks=tasks)


def draws_panel(result: AuditResult, texts: ResultTexts) -> ReportPanel:
    """Return the bound by the number of places drawn; without a chart if there is nothing to draw."""
    errors = result.errors
    kinds = [row.kind for row in errors.strata]
    titles = (*(texts.stratum_of(kind) for kind in kinds), texts.bound)
    columns = (ReportColumn(texts.drawn_all), *(ReportColumn(title, figures=True) for title in titles))
    rows = []
    for step in _listed_steps(errors.steps, errors.enough):
        counts = (texts.number(step.by_stratum.get(kind, 0)) for kind in kinds)
        cells = (*counts, f"{texts.bound_of(step.bound, errors)} %")
        rows.append((ReportCell(_step_name(result, step, texts)), *map(ReportCell, cells)))
    chart = _bound_chart(result, texts)
    foot = (texts.never_enough,) if errors.enough is None and errors.steps else ()
    return ReportPanel(
        title=texts.draw_title,
        draw=(lambda area: draw_bound(chart, area, texts.draw_title)) if chart is not None else None,
        table=ReportTableData(columns, tuple(rows)),
        note=texts.draw_note,
        foot=foot,
    )


def _step_name(result: AuditResult, step: DrawStep, texts: ResultTexts) -> str:
    errors, count = result.errors, texts.number(step.places)
    if step == errors.steps[0]:
        return texts.drawn_now.format(n=count)
    return texts.drawn_first.format(n=count, goal=texts.goal_of(errors)) if step == errors.enough else count


def _listed_steps(steps: Sequence[DrawStep], enough: DrawStep | None) -> list[DrawStep]:
    """Return the first, the last, and those of interest between."""
    if not steps:
        return []
    at = steps.index(enough) if enough in steps else len(steps) - 1
    wanted = {0, at // 2, at, len(steps) - 1}
    return [steps[index] for index in sorted(wanted)][:_SHOWN_STEPS]


def _bound_chart(result: AuditResult, texts: ResultTexts) -> BoundChart | None:
    errors, rate = result.errors, result.errors.figure.value
    if len(errors.steps) < 2:
        return None
    # From nothing drawn the bound is 100 %, which would flatten the rest.
    steps = [step for step in errors.steps if step.bound < 8 * errors.goal] or list(errors.steps)
    if len(steps) < 2:
        return None
    now, first = steps[0], errors.enough
    goal = texts.goal_of(errors)
    return BoundChart(
        points=tuple((step.places, 100 * step.bound) for step in steps),
        now=(now.places, 100 * now.bound, texts.now_mark.format(bound=texts.bound_of(now.bound, errors))
             if now == errors.steps[0] else ""),
        first=None if first is None or first == now else (
            first.places, 100 * first.bound,
            texts.first_mark.format(n=texts.number(first.places), bound=texts.bound_of(first.bound, errors)),
        ),
        goal=(100 * errors.goal, texts.goal_mark.format(goal=goal)),
        rate=None if rate is None else (100 * rate, texts.rate_mark.format(rate=texts.per_cent(rate))),
    )  # fmt: skip


def raters_chart(
    result: AuditResult, texts: ResultTexts, order: str = "outside", chosen: str = "all", find: str = ""
) -> RatersChart:
    """Return the raters in groups: those with figures outside, those with few tasks, and the others.

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
        parts = [(texts.several_outside, outside), (texts.few_group, few)]
        parts.append((texts.none_outside, [rater for rater in many if not rater.outside]))
    else:
        parts = [(texts.all_group, many), (texts.few_group, few)]
    titles = (
        texts.rater, texts.tasks_ratings, *(texts.figure_title(name) for name in result.names), texts.weeks_col,
        texts.minutes_col, texts.outside_col,
    )  # fmt: skip
    groups = tuple(
        RaterGroup(
            title=title, note=texts.raters_n.format(n=texts.number(len(rows))) if len(rows) > 1 else texts.one_rater,
            rows=tuple(_row(result, rater, texts) for rater in rows),
        )
        for title, rows in parts if rows
    )  # fmt: skip
    shares = tuple(name != "offset" for name in result.names)
    return RatersChart(titles=titles, shares=shares, groups=groups, nothing=texts.nobody)


def _row(result: AuditResult, rater: AuditedRater, texts: ResultTexts) -> RaterRow:
    cells = tuple(_cell(rater, name, texts) for name in result.names)
    weeks = tuple(figure.value for _week, figure in rater.weeks if figure.value is not None)
    return RaterRow(
        name=shorten(rater.rater, LONGEST_NAME),
        base=f"{texts.number(rater.tasks)}, {texts.number(rater.ratings)}",
        cells=cells,
        weeks=weeks,
        no_weeks=texts.one_week if weeks else texts.no_week,
        minutes=_minutes(rater, texts),
        outside=texts.outside_of(rater),
        tooltip=_tooltip(result, rater, texts),
        key=("rater", rater.rater),
    )


def _cell(rater: AuditedRater, name: FigureName, texts: ResultTexts) -> RaterCell:
    banded = rater.figures.get(name)
    if banded is None:
        return RaterCell(missing=texts.none)
    figure = banded.figure
    if figure.value is None:
        return RaterCell(missing=texts.why(figure.why))
    return RaterCell(
        value=figure.value, low=figure.low, high=figure.high, value_text=texts.figure_value(name, figure.value),
        interval_text=texts.figure_ends(figure, name) if figure.low is not None else "",
        missing=texts.counted("task", figure.tasks), band=banded.band, outside=banded.outside,
    )  # fmt: skip


def _minutes(rater: AuditedRater, texts: ResultTexts) -> str:
    if rater.time is None:
        return texts.none
    return f"{texts.number(rater.time.median / 60, 1)} / {texts.number(rater.time.high / 60, 1)}"


def _figure_text(rater: AuditedRater, name: FigureName, texts: ResultTexts) -> str:
    """Return a figure with its interval, base and band."""
    banded = rater.figures[name]
    figure = banded.figure
    if figure.value is None:
        return texts.why(figure.why)
    base = base_text(figure, "", texts) if not figure.tasks else texts.counted("task", figure.tasks)
    text = f"{texts.figure_value(name, figure.value)} ({texts.figure_ends(figure, name)}), {base}"
    if banded.band is None:
        return text
    low, high = (texts.figure_value(name, end) for end in banded.band)
    return f"{text}; {texts.band.format(low=low, high=high)}"


def _tooltip(result: AuditResult, rater: AuditedRater, texts: ResultTexts) -> str:
    base = f"{texts.counted('task', rater.tasks)}, {texts.ratings_of(rater.ratings)}"
    lines = [f"{shorten(rater.rater, LONGEST_NAME)}: {base}"]
    lines += [f"{texts.figure_title(name)}: {_figure_text(rater, name, texts)}"
              for name in result.names if name in rater.figures]  # fmt: skip
    lines += [
        f"{week}: {texts.number(figure.value, 2)} ({texts.figure_ends(figure, 'final')}), "
        f"{texts.counted('task', figure.tasks)}"
        for week, figure in rater.weeks[-8:]
        if figure.value is not None
    ]
    lines.append(f"{texts.outside_col}: {texts.outside_of(rater)}")
    return "\n".join(lines)


def raters_panel(
    result: AuditResult, texts: ResultTexts, order: str = "outside", chosen: str = "all", find: str = ""
) -> ReportPanel:
    """Return the raters as a chart and as a table."""
    chart = raters_chart(result, texts, order, chosen, find)
    by_name = {rater.rater: rater for rater in result.raters}
    rows = [row for group in chart.groups for row in group.rows]
    raters = [by_name[str(row.key[1])] for row in rows]
    names = result.names
    columns = (
        ReportColumn(texts.rater), ReportColumn(texts.tasks_ratings, figures=True),
        *(ReportColumn(texts.figure_title(name)) for name in names),
        ReportColumn(texts.minutes_col, figures=True), ReportColumn(texts.outside_col),
    )  # fmt: skip
    table = tuple(
        (
            ReportCell(row.name), ReportCell(row.base),
            *(ReportCell(_figure_text(rater, name, texts) if name in rater.figures else texts.none) for name in names),
            ReportCell(row.minutes), ReportCell(row.outside),
        )
        for row, rater in zip(rows, raters, strict=True)
    )  # fmt: skip
    few = sum(not rater.compared for rater in result.raters)
    counts = texts.enough_tasks.format(many=texts.number(len(result.raters) - few), few=texts.number(few))
    return ReportPanel(
        title=texts.raters,
        draw=lambda area: draw_raters(chart, area, "" if rows else chart.nothing),
        table=ReportTableData(columns, table, tuple((rater.rater,) for rater in raters)),
        note=texts.band_note,
        foot=(texts.strip_text(result), counts),
        rows=len(rows),
    )


def weeks_panel(result: AuditResult, texts: ResultTexts) -> ReportPanel:
    """Return the agreement with final labels by rater and week; without rows if all work is of one week."""
    weeks = sorted({week for rater in result.raters for week, _figure in rater.weeks})[-_MOST_WEEKS:]
    columns = (ReportColumn(texts.rater), *(ReportColumn(week, figures=True) for week in weeks))
    rows = tuple(
        (
            ReportCell(shorten(rater.rater, LONGEST_NAME)),
            *(ReportCell(with_interval(given.get(week, ReportFigure()), texts, texts.none)) for week in weeks),
        )
        for rater in result.raters
        if (given := dict(rater.weeks)) and len(weeks) > 1
    )
    return ReportPanel(title=texts.weeks_col, table=ReportTableData(columns, rows), note=texts.final_col)


def places_table(result: AuditResult, rater: AuditedRater, texts: ResultTexts) -> ReportTableData:
    """Return the places behind a rater's figures."""
    columns = tuple(map(ReportColumn, (texts.what, texts.by_lead, texts.own_label, texts.final_col, texts.where)))
    rows = tuple(
        (
            ReportCell(shorten(place.quote, LONGEST_QUOTE)),
            _verdict(place, texts),
            _label(result, place.question, place.own, texts),
            _label(result, place.question, place.final, texts, texts.final_before),
            ReportCell(place_name(place.task, place.where)),
        )
        for place in rater.places
    )
    return ReportTableData(columns, rows, tuple((place.task, place.where, rater.rater) for place in rater.places))


def _verdict(place: RaterPlace, texts: ResultTexts) -> ReportCell:
    if place.wrong is None:
        return ReportCell("")
    return ReportCell(texts.judged_wrong if place.wrong else texts.judged_right, quiet=not place.wrong)


def _label(result: AuditResult, question: str, value: Value | None, texts: ResultTexts, before: str = "") -> ReportCell:
    judged = next((row for row in result.questions if row.id == question), None)
    if value is None:
        return ReportCell(texts.no_final_label, quiet=True, before=before)
    if judged is None:
        return ReportCell(str(value), before=before)
    look = style_of(judged, value)
    return ReportCell(look.label, look.tone, look.shape, before=before)


def behind_text(rater: AuditedRater, texts: ResultTexts) -> str:
    """Return how many ratings differ from the final labels, and how many of these another rater shares."""
    number = texts.number
    return texts.behind_note.format(n=number(rater.differing), all=number(rater.ratings), shared=number(rater.shared))


def result_panels(result: AuditResult, texts: ResultTexts) -> dict[str, ReportPanel]:
    """Return all panels by the names of their cards; charts without data are left out."""
    panels = {"errors": errors_panel(result, texts), "draws": draws_panel(result, texts)}
    panels |= {"raters": raters_panel(result, texts), "weeks": weeks_panel(result, texts)}
    return {name: panel for name, panel in panels.items() if panel.table.rows or name == "errors"}
