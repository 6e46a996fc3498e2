"""The four charts of a report, each with its heading, table and notes, for the window and the HTML page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit import report_format
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.charts.drawing import DotRow, draw_dots, draw_matrix, draw_shares, draw_times
from desktop_rater.audit.charts.svg import DrawingArea, Picture
from desktop_rater.audit.questions import JudgedQuestion, ValueStyle
from desktop_rater.audit.report import AuditReport, DifferingUnit, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.audit.report_columns import (
    MANY_RATERS,
    MODEL_FIGURES,
    RATER_COLUMNS,
    CellValue,
    RaterColumn,
    hits_of,
)
from desktop_rater.audit.report_format import NONE, Wording
from desktop_rater.hooks import load_rows
from desktop_rater.stats.bootstrap import few_clusters

GROUP = 9  # place of the column that compares raters with the group
MISSED = 0.05  # share of the intervals that miss the group's value by chance alone


class ReportCell(Struct, frozen=True):
    """Text of a cell; a label has its style. `quiet`: the cell is a placeholder. `before`: text before a label."""

    text: str
    tone: str = ""
    shape: str = ""
    quiet: bool = False
    before: str = ""


class ReportColumn(Struct, frozen=True):
    """Header of a column; columns of `figures` are right-aligned."""

    title: str
    figures: bool = False


def table_columns(words: Iterable[str], figures: Iterable[str]) -> tuple[ReportColumn, ...]:
    """Return columns by their titles: those of words, and then those of figures."""
    return (*map(ReportColumn, words), *(ReportColumn(title, figures=True) for title in figures))


class ReportTableData(Struct, frozen=True):
    """Table. `keys`: subject of each row: a rater, or a task, a place and a rater.

    `sorts`: what each row is sorted by in each column, `None` where it has no figure; empty if it can't be sorted.
    """

    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    keys: tuple[tuple[str, ...], ...] = ()
    sorts: tuple[tuple[str | float | None, ...], ...] = ()

    def arranged(self, order: Sequence[int]) -> "ReportTableData":
        """Return the table with these rows, in this order."""
        return ReportTableData(
            self.columns,
            tuple(self.rows[row] for row in order),
            tuple(self.keys[row] for row in order) if self.keys else (),
            tuple(self.sorts[row] for row in order) if self.sorts else (),
        )

    def sorted_rows(self, column: int, *, descending: bool) -> list[int]:
        """Return the rows in the order of a column; those without a figure come last."""
        given: list[tuple[Any, int]] = [(of_row[column], row) for row, of_row in enumerate(self.sorts)]
        missing = [row for value, row in given if value is None]
        rest = sorted((pair for pair in given if pair[0] is not None), key=itemgetter(0), reverse=descending)
        return [row for _, row in rest] + missing


def with_meanings(table: ReportTableData, meanings: Sequence[str], texts: Wording) -> ReportTableData:
    """Return the table with the sentence about each row as the last column; unchanged without any."""
    if not any(meanings):
        return table
    rows = tuple((*row, ReportCell(text)) for row, text in zip(table.rows, meanings, strict=True))
    column = ReportColumn(texts.translate("Report", "What it means"))
    return replace(table, columns=(*table.columns, column), rows=rows)


def agreement_table(report: AuditReport, question: str, texts: Wording) -> ReportTableData:
    """Return the table of the agreement chart."""
    columns = (
        ReportColumn(texts.translate("Report", "Figure")),
        ReportColumn(texts.translate("Report", "Value"), figures=True),
        ReportColumn(texts.translate("Report", "95 % interval"), figures=True),
        ReportColumn(texts.translate("Report", "Based on"), figures=True),
    )
    rows = []
    for row in report_charts.dot_rows(report, question, texts):
        value = ReportCell(row.value_text) if row.value is not None else ReportCell(row.missing, quiet=True)
        interval = ReportCell(row.interval_text, quiet=bool(row.why))
        rows.append((ReportCell(row.name), value, interval, ReportCell(row.base)))
    return ReportTableData(columns, tuple(rows))


def confusion_table(report: AuditReport, question: str, texts: Wording) -> ReportTableData:
    """Return the confusion matrix: a row for each label given."""
    table = report_charts.matrix_of(report, question, texts)
    if table is None:
        return ReportTableData((), ())
    columns = (
        ReportColumn(texts.translate("Report", "Given")),
        *(ReportColumn(label.label, figures=True) for label in table.labels),
        ReportColumn(texts.translate("Report", "total"), figures=True),
    )
    rows = tuple(
        (_label(label), *(ReportCell(texts.number(number)) for number in (*line, sum(line))))
        for label, line in zip(table.labels, table.counts, strict=True)
    )
    return ReportTableData(columns, rows)


def shares_table(report: AuditReport, question: str, texts: Wording) -> ReportTableData:
    """Return the share of each label by rater, with its interval and what it rests on."""
    labels, counted, shares_of = report_charts.shown_shares(report, question)
    columns = (
        ReportColumn(texts.translate("Report", "Rater")),
        *(ReportColumn(label.label, figures=True) for label in labels),
        ReportColumn(texts.translate("Report", "total"), figures=True),
        ReportColumn(texts.translate("Report", "Tasks"), figures=True),
    )
    rows = []
    for rater in report.raters if labels else ():
        counts, shares = counted[rater.rater], shares_of[rater.rater]
        base = (sum(counts), max((share.tasks for share in shares), default=0))
        rows.append(
            (
                ReportCell(report_format.rater_label(rater, texts)),
                *(ReportCell(report_format.share_text(share, texts)) for share in shares),
                *(ReportCell(texts.number(number)) for number in base),
            )
        )
    return ReportTableData(columns, tuple(rows), tuple((rater.rater,) for rater in report.raters) if labels else ())


def times_table(report: AuditReport, texts: Wording) -> ReportTableData:
    """Return median and percentiles of each rater."""
    targets = report_charts.times_are_per_target(report)
    last = (
        (texts.translate("Report", "Targets"), texts.translate("Report", "Tasks"))
        if targets
        else (texts.translate("Report", "Tasks"),)
    )
    titles = (
        texts.translate("Report", "10th percentile"),
        texts.translate("Report", "Median, min"),
        texts.translate("Report", "95 % interval of the median"),
        texts.translate("Report", "90th percentile"),
        *last,
    )
    columns = (
        ReportColumn(texts.translate("Report", "Rater")),
        *(ReportColumn(title, figures=True) for title in titles),
    )
    rows = []
    for rater in report.raters:
        spread = rater.per_target if targets else rater.per_task
        cells = [
            ReportCell(texts.translate("Report", "no times recorded"), quiet=True),
            *[ReportCell("")] * (len(titles) - 1),
        ]
        if spread is not None:
            low, median, high = (
                ReportCell(texts.number(each / 60, 1)) for each in (spread.low, spread.median, spread.high)
            )
            base = (spread.n, spread.tasks) if targets else (spread.n,)
            cells = [low, median, _median_interval(spread, texts), high, *(ReportCell(texts.number(n)) for n in base)]
        rows.append((ReportCell(report_format.rater_label(rater, texts)), *cells))
    return ReportTableData(columns, tuple(rows), tuple((rater.rater,) for rater in report.raters))


def _median_interval(spread: TimeSpread, texts: Wording) -> ReportCell:
    if spread.median_low is None or spread.median_high is None:
        return ReportCell(texts.why(spread.why), quiet=True)
    return ReportCell(f"{texts.number(spread.median_low / 60, 1)}–{texts.number(spread.median_high / 60, 1)}")


def raters_table(report: AuditReport, question: str, texts: Wording, *, whole: bool = False) -> ReportTableData:
    """Return all raters: by name, or if there are many, first those outside the interval of the group.

    Columns without any figure are left out. `whole`: with columns that do not fit into a window.
    """
    translate, rows = texts.translate, report.raters
    shown = [column for column in RATER_COLUMNS if column.at and (whole or not column.page)]
    shown = sorted((column for column in shown if column.is_shown(report, question)), key=lambda column: column.at)
    columns = [_rater_column(report, question, column, texts, whole=whole) for column in shown]
    if len(rows) > MANY_RATERS:
        words = {"": "", "below": translate("Report", "below"), "above": translate("Report", "above")}
        few = ReportCell(translate("Report", "too few tasks"), quiet=True)
        sides = [
            few
            if _cannot_be_told(row, question)
            else ReportCell(words[report_format.outside_group(report, question, row)])
            for row in rows
        ]
        place = sum(column.at < GROUP for column in shown)
        columns.insert(place, (translate("Report", "Beside the group"), sides, [None] * len(rows)))
    heads, cells, sorts = zip(*columns, strict=True)
    names = [ReportCell(report_format.rater_label(row, texts)) for row in rows]
    table = ReportTableData(
        (ReportColumn(translate("Report", "Rater")), *(ReportColumn(title, figures=True) for title in heads)),
        tuple(zip(names, *cells, strict=True)),
        tuple((row.rater,) for row in rows),
        tuple(zip((row.rater.casefold() for row in rows), *sorts, strict=True)),
    )
    return table if len(rows) <= MANY_RATERS else table.arranged(_unlike_first(report, question))


def _rater_column(
    report: AuditReport, question: str, column: RaterColumn, texts: Wording, *, whole: bool
) -> tuple[str, list[ReportCell], list[float | None]]:
    """Return the title of a column, its cells, and what they are sorted by.

    A number of tasks that is the same for all raters stands in the title; files have the same titles for every rubric.
    """
    values = [column.of(row, question) for row in report.raters]
    given = [
        (row.tasks, value.tasks)
        for row, value in zip(report.raters, values, strict=True)
        if isinstance(value, ReportFigure) and value.value is not None
    ]
    bases = {tasks for _, tasks in given}
    based = whole or (len(bases) > 1 and any(tasks != every for every, tasks in given))
    agreement = report_format.agreement_on(report, question)
    of_responses = column.responses and not whole and agreement is not None and agreement.question.per == "response"
    title = texts.translate("Report", column.responses if of_responses else column.title)
    if len(bases) == 1 and not whole:
        counted = texts.counted("task", bases.pop())
        title = texts.translate("Report", "{title}, {tasks}").format(title=title, tasks=counted)
    if column.counted:
        cells = [_counted_cell(value, texts, texts.translate("Report", column.missing)) for value in values]
    else:
        cells = [_cell(value, texts, texts.translate("Report", column.missing), based=based) for value in values]
    return title, cells, [_sorted_by(value) for value in values]


def _counted_cell(value: CellValue, texts: Wording, missing: str) -> ReportCell:
    """Return a share with what it is the share of."""
    if not isinstance(value, ReportFigure) or value.value is None:
        return ReportCell(missing, quiet=True)
    text = texts.translate("Report", "{n} of {total}, {share}")
    count, base = texts.number(hits_of(value)), texts.number(value.n)
    return ReportCell(text.format(n=count, total=base, share=report_format.share_text(value, texts)))


def _cell(value: CellValue, texts: Wording, missing: str, *, based: bool) -> ReportCell:
    match value:
        case ReportFigure(value=float() as number, low=None, tasks=tasks) if value.why == few_clusters(tasks):
            template = texts.translate("Report", "{value} (too few: {tasks})")
            counted = texts.counted("task", tasks)
            return ReportCell(template.format(value=texts.number(number, 2), tasks=counted), quiet=True)
        case ReportFigure():
            text = report_format.with_interval(value, texts, missing, based=based)
            return ReportCell(text, quiet=value.value is None)
        case TimeSpread():
            return ReportCell(f"{texts.number(value.median / 60, 1)} / {texts.number(value.high / 60, 1)}")
        case None:
            return ReportCell(missing, quiet=True)
        case float():
            return ReportCell(texts.number(value, 1))
    return ReportCell(texts.number(value))


def _sorted_by(value: CellValue) -> float | None:
    match value:
        case ReportFigure():
            return value.value
        case TimeSpread():
            return value.median
    return value


def raters_note(report: AuditReport, question: str, texts: Wording) -> str:
    """Return the note of the table of raters: its order."""
    if len(report.raters) <= MANY_RATERS:
        return texts.translate("Report", "in order of name; intervals are wide where few tasks are shared")
    comparable = [row for row in report.raters if not _cannot_be_told(row, question)]
    outside = sum(bool(report_format.outside_group(report, question, rater)) for rater in comparable)
    return texts.translate(
        "Report", "first those whose interval lies outside that of the group: {n} of {told}; up to {chance} by chance"
    ).format(
        n=texts.number(outside),
        told=texts.number(len(comparable)),
        chance=texts.number(round(MISSED * len(comparable))),
    )


def _cannot_be_told(rater: RaterFigures, question: str) -> bool:
    """Tell if agreement with the others has no interval, so that it lies neither inside nor outside the group's."""
    return rater.others.get(question, ReportFigure()).low is None


def _unlike_first(report: AuditReport, question: str) -> list[int]:
    """Return the raters below the group, then above it, then the others, and last those without an interval."""

    def key(index: int) -> tuple[int, bool, float]:
        rater = report.raters[index]
        side, value = (
            report_format.outside_group(report, question, rater),
            rater.others.get(question, ReportFigure()).value,
        )
        last = _cannot_be_told(rater, question)
        return ("below", "above", "").index(side), last, -rater.tasks if last or value is None else value

    return sorted(range(len(report.raters)), key=key)


def differing_table(
    report: AuditReport, rater: str, texts: Wording, question: str, *, most: int = 100
) -> ReportTableData:
    """Return the places that differ most on a question: of one rater from the others, otherwise among all."""
    row = next((row for row in report.raters if row.rater == rater), None)
    units = report.differing if row is None else row.differing
    questions = {agreement.question.id: agreement.question for agreement in report.agreement}
    shown_units = [unit for unit in units if unit.question == question and question in questions][:most]
    columns = (
        ReportColumn(texts.translate("Report", "Rated text")),
        ReportColumn(texts.translate("Report", "Own")),
        ReportColumn(texts.translate("Report", "Others")),
        ReportColumn(texts.translate("Report", "Where"), figures=True),
    )
    rows = tuple(_unit(unit, questions[unit.question], texts) for unit in shown_units)
    return ReportTableData(columns, rows, tuple((unit.task, unit.where, rater) for unit in shown_units))


def _unit(unit: DifferingUnit, question: JudgedQuestion, texts: Wording) -> tuple[ReportCell, ...]:
    given = [(report_format.style_of(question, value), count) for value, count in unit.given]
    where = ReportCell(report_format.place_name(unit.task, unit.where))
    quote = ReportCell(report_format.shorten(unit.quote, report_format.LONGEST_QUOTE))
    if unit.own is not None:
        before = texts.translate("Report", "others: {label}").partition("{label}")[0].strip()
        others = _label(given[0][0], before) if given else ReportCell(NONE, quiet=True)
        return quote, _label(report_format.style_of(question, unit.own)), others, where
    counted = [_label(look, f"{texts.number(count)} ×") for look, count in given[:2]]
    return quote, *(counted + [ReportCell("")] * 2)[:2], where


def _label(look: ValueStyle, before: str = "") -> ReportCell:
    return ReportCell(look.label, look.tone, look.shape, before=before)


DrawPicture = Callable[[DrawingArea], Picture]


class ReportPanel(Struct, frozen=True, kw_only=True):
    """Chart with its heading, notes and table; `draw` is `None` without data. `rows`: the number of its rows."""

    title: str
    draw: DrawPicture | None = None
    table: ReportTableData
    note: str = ""
    foot: tuple[str, ...] = ()
    rows: int = 0


class FigureMeanings(NamedTuple):
    """Sentences for those who are no statisticians: a summary, and one for each figure by name."""

    summary: tuple[str, ...] = ()
    figures: Mapping[str, str] = {}


def meanings_of(report: AuditReport, question: str, texts: Wording) -> FigureMeanings:
    """Return what the figures of a question mean, if a plug-in says it."""
    explain = load_rows("meanings").get("report")
    return explain(report, question, texts) if explain is not None else FigureMeanings()


def column_meanings(texts: Wording) -> Mapping[str, str]:
    """Return what the figures of columns mean, by the title of the column."""
    explain = load_rows("meanings").get("columns")
    return explain(texts) if explain is not None else {}


def summary_panel(summary: Sequence[str], texts: Wording) -> ReportPanel:
    """Return the summary of a report as a panel without a chart or a table."""
    return ReportPanel(
        title=texts.translate("Report", "In plain words"), table=ReportTableData((), ()), foot=tuple(summary)
    )


def agreement_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the agreement figures of a question."""
    meanings = meanings_of(report, question, texts).figures
    rows = report_charts.dot_rows(report, question, texts)
    sentences = [meanings.get(str(row.key[2]), "") if row.key[1] == question else "" for row in rows]
    rows = tuple(
        replace(row, tooltip=f"{row.tooltip}\n{text}".strip()) for row, text in zip(rows, sentences, strict=True)
    )
    agreement = report_format.agreement_on(report, question)
    foot = report_format.rests_text(agreement, texts) if agreement is not None else ""
    description = ". ".join(row.tooltip for row in rows)
    return ReportPanel(
        title=texts.translate("Report", "Agreement"),
        draw=(lambda area: draw_dots(rows, area, description)) if rows else None,
        table=with_meanings(agreement_table(report, question, texts), sentences, texts),
        note=texts.translate("Report", "95 % intervals over tasks and raters")
        if report.filter.raters_random
        else texts.translate("Report", "95 % intervals over tasks"),
        foot=(foot, *_missing_intervals(rows, question)),
        rows=len(rows),
    )


def _missing_intervals(rows: Sequence[DotRow], question: str) -> tuple[str, ...]:
    """Return why figures of the question have no interval, then those of other questions, which are named."""
    own = dict.fromkeys(row.why for row in rows if row.why and row.key[1] == question)
    others = (f"{row.name}: {row.why}." for row in rows if row.why and row.key[1] != question)
    return " ".join(f"{why[0].upper()}{why[1:]}." for why in own), *others


def confusion_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the confusion matrix of a question with few values."""
    matrix = report_charts.matrix_of(report, question, texts)
    if matrix is not None and not any(map(any, matrix.counts)):
        matrix = None  # the other raters have no majority anywhere
    confused = report_charts.most_confused_text(matrix, texts)
    return ReportPanel(
        title=texts.translate("Report", "Given label vs. majority"),
        draw=(lambda area: draw_matrix(matrix, area, confused)) if matrix is not None else None,
        table=confusion_table(report, question, texts),
        note=texts.translate("Report", "counts, shaded by share of row"),
        foot=(confused, report_charts.tied_text(report, question, texts)),
        rows=len(matrix.labels) if matrix is not None else 0,
    )


def shares_panel(report: AuditReport, question: str, texts: Wording) -> ReportPanel:
    """Return the label shares of a question with few values."""
    labels, rows = report_charts.share_rows(report, question, texts)
    foot = report_charts.share_notes(report, question, texts)
    return ReportPanel(
        title=texts.translate("Report", "Label shares"),
        draw=(lambda area: draw_shares(labels, rows, area, foot[0])) if rows else None,
        table=shares_table(report, question, texts),
        foot=foot,
        rows=len(rows),
    )


def models_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return how models do against the people, as `audit judge-check` computes it; `None` without a model."""
    if not report.models:
        return None
    rows = []
    for check in report.models:
        replaces = (
            NONE
            if check.replaces is None
            else texts.translate("Report", "yes")
            if check.replaces
            else texts.translate("Report", "no")
        )
        if check.replaces is False and check.needed is not None:
            replaces = texts.translate("Report", "no, only with epsilon from {epsilon}").format(
                epsilon=texts.number(check.needed, 2)
            )
        given = [getattr(check, name) for name in MODEL_FIGURES]
        cells = [ReportCell(report_format.with_interval(figure, texts, NONE), quiet=figure.value is None)
                 for figure in given]  # fmt: skip
        name = ReportCell(report_format.shorten(check.model, report_format.LONGEST_NAME))
        rows.append((name, *cells, ReportCell(replaces, quiet=check.replaces is None)))
    columns = table_columns(
        (texts.translate("Report", "Model"),),
        (
            *(texts.translate("Report", title) for title in MODEL_FIGURES.values()),
            texts.translate("Report", "Could replace one"),
        ),
    )
    reasons = dict.fromkeys(check.why for check in report.models if check.why)
    return ReportPanel(
        title=texts.translate("Report", "Models against people"),
        table=ReportTableData(columns, tuple(rows), tuple((check.model,) for check in report.models)),
        note=texts.translate("Report", "could a model replace a rater? Epsilon {epsilon}").format(
            epsilon=texts.number(report.models[0].epsilon, 2)
        ),
        foot=tuple(f"{texts.why(why)}." for why in reasons),
        rows=len(rows),
    )


def times_panel(report: AuditReport, texts: Wording) -> ReportPanel:
    """Return the time that each rater takes."""
    rows = report_charts.time_rows(report, texts)
    minutes = report.guideline_seconds / 60 if report.guideline_seconds is not None else None
    has_times = any(row.median is not None for row in rows)
    return ReportPanel(
        title=texts.translate("Report", "Active time per target")
        if report_charts.times_are_per_target(report)
        else texts.translate("Report", "Active time per task"),
        draw=(
            lambda area: draw_times(
                rows,
                area,
                unit=texts.translate("Report", "min"),
                guideline=minutes,
                description=texts.translate("Report", "Dot: median. Line: from the 10th to the 90th percentile."),
            )
        )
        if has_times
        else None,
        table=times_table(report, texts),
        foot=(
            texts.translate("Report", "Dot: median. Line: from the 10th to the 90th percentile."),
            report_charts.guideline_text(report, texts),
        ),
        rows=len(rows),
    )
