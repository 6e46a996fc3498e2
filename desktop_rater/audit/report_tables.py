"""Tables of a report: one for each chart, the raters, and the places that differ most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop_rater.audit import report_format
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.questions import JudgedQuestion, ValueStyle
from desktop_rater.audit.report import AuditReport, DifferingUnit, RaterFigures, ReportFigure, TimeSpread

if TYPE_CHECKING:
    from desktop_rater.audit.report_texts import ReportTexts


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


class ReportTableData(Struct, frozen=True):
    """Table. `keys`: subject of each row: a rater, or a task, a place and a rater.

    `sorts`: what each row is sorted by in each column, `None` where it has no figure; empty if it can't be sorted.
    """

    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    keys: tuple[tuple[str, ...], ...] = ()
    sorts: tuple[tuple[str | float | None, ...], ...] = ()

    def arranged(self, order: Sequence[int]) -> ReportTableData:
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


def agreement_table(report: AuditReport, question: str, texts: ReportTexts) -> ReportTableData:
    """Return the table of the agreement chart."""
    columns = (
        ReportColumn(texts.figure),
        ReportColumn(texts.value, figures=True),
        ReportColumn(texts.interval, figures=True),
        ReportColumn(texts.rests_on, figures=True),
    )
    rows = []
    for row in report_charts.dot_rows(report, question, texts):
        value = ReportCell(row.value_text) if row.value is not None else ReportCell(row.missing, quiet=True)
        interval = ReportCell(row.interval_text, quiet=bool(row.why))
        rows.append((ReportCell(row.name), value, interval, ReportCell(row.base)))
    return ReportTableData(columns, tuple(rows))


def confusion_table(report: AuditReport, question: str, texts: ReportTexts) -> ReportTableData:
    """Return the confusion matrix: a row for each label given."""
    table = report_charts.matrix_of(report, question, texts)
    if table is None:
        return ReportTableData((), ())
    columns = (
        ReportColumn(texts.given),
        *(ReportColumn(label.label, figures=True) for label in table.labels),
        ReportColumn(texts.total, figures=True),
    )
    rows = tuple(
        (_label(label), *(ReportCell(texts.number(number)) for number in (*line, sum(line))))
        for label, line in zip(table.labels, table.counts, strict=True)
    )
    return ReportTableData(columns, rows)


def shares_table(report: AuditReport, question: str, texts: ReportTexts) -> ReportTableData:
    """Return the share of each label by rater, with its interval and what it rests on."""
    labels, counted, shares_of = report_charts.shown_shares(report, question)
    columns = (
        ReportColumn(texts.rater),
        *(ReportColumn(label.label, figures=True) for label in labels),
        ReportColumn(texts.total, figures=True),
        ReportColumn(texts.col_tasks, figures=True),
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


def times_table(report: AuditReport, texts: ReportTexts) -> ReportTableData:
    """Return median and percentiles of each rater."""
    targets = report_charts.times_are_per_target(report)
    last = (texts.col_targets, texts.col_tasks) if targets else (texts.col_tasks,)
    titles = (texts.p10, texts.median, texts.median_interval, texts.p90, *last)
    columns = (ReportColumn(texts.rater), *(ReportColumn(title, figures=True) for title in titles))
    rows = []
    for rater in report.raters:
        spread = rater.per_target if targets else rater.per_task
        cells = [ReportCell(texts.no_time, quiet=True), *[ReportCell("")] * (len(titles) - 1)]
        if spread is not None:
            low, median, high = (
                ReportCell(texts.number(each / 60, 1)) for each in (spread.low, spread.median, spread.high)
            )
            base = (spread.n, spread.tasks) if targets else (spread.n,)
            cells = [low, median, _median_interval(spread, texts), high, *(ReportCell(texts.number(n)) for n in base)]
        rows.append((ReportCell(report_format.rater_label(rater, texts)), *cells))
    return ReportTableData(columns, tuple(rows), tuple((rater.rater,) for rater in report.raters))


def _median_interval(spread: TimeSpread, texts: ReportTexts) -> ReportCell:
    if spread.median_low is None or spread.median_high is None:
        return ReportCell(texts.why(spread.why), quiet=True)
    return ReportCell(f"{texts.number(spread.median_low / 60, 1)}–{texts.number(spread.median_high / 60, 1)}")


WHOLE_COUNTS = {
    "unquoted": "unquoted", "unkept": "unkept", "let_stand": "warnings_let_stand", "skipped": "skipped",
    "revisions": "revisions",
}  # fmt: skip
"""Columns of the page alone: text of the title → field of `RaterFigures`."""
MANY_RATERS = 10  # with more, those whose agreement is unlike that of the group come first


def raters_table(report: AuditReport, question: str, texts: ReportTexts, *, whole: bool = False) -> ReportTableData:
    """Return all raters: by name, or if there are many, first those outside the interval of the group.

    Columns without any figure are left out. `whole`: with columns that do not fit into a window.
    """
    rows = report.raters
    columns: dict[str, Callable[[RaterFigures], tuple[ReportCell, float | None]]] = {}

    def count(title: str, of: Callable[[RaterFigures], int], *, always: bool = False) -> None:
        if always or any(map(of, rows)):
            columns[title] = lambda row: (ReportCell(texts.number(of(row))), of(row))

    def figure(title: str, missing: str, of: Callable[[RaterFigures], ReportFigure]) -> None:
        """Add a column; a number of tasks that is the same for all raters stands in its heading."""
        given = [(row.tasks, of(row).tasks) for row in rows if of(row).value is not None]
        bases = {tasks for _, tasks in given}
        based = whole or (len(bases) > 1 and any(tasks != every for every, tasks in given))
        if len(bases) == 1 and not whole:
            title = texts.col_of_tasks.format(title=title, tasks=texts.counted("task", bases.pop()))

        def cell(row: RaterFigures) -> tuple[ReportCell, float | None]:
            value = of(row)
            text = report_format.with_interval(value, texts, missing, based=based)
            return ReportCell(text, quiet=value.value is None), value.value

        columns[title] = cell

    count(texts.col_tasks, lambda row: row.tasks, always=True)
    count(_col_judged(report, question, texts, whole=whole), lambda row: row.targets, always=True)
    if any(row.per_target or row.per_task for row in rows):
        columns[texts.col_time] = lambda row: _time(row, texts)
    if any(row.claims for row in rows):
        columns[texts.col_evidence] = lambda row: _evidence(row, texts)
        count(texts.col_unopened, lambda row: row.unopened, always=True)
    count(texts.col_warnings, lambda row: row.warnings_left)
    figure(texts.col_others, texts.none, lambda row: row.others.get(question, ReportFigure()))
    if len(rows) > MANY_RATERS:
        sides = {row.rater: report_format.outside_group(report, question, row) for row in rows}
        columns[texts.col_group] = lambda row: (ReportCell(texts.outside(sides[row.rater])), None)
    scored = any(row.texts.value is not None for row in rows)
    for title, missing, name, there in (
        (texts.col_gold, texts.no_gold, "gold", report.gold_tasks),
        (texts.col_text, texts.not_scored, "texts", scored),
        (texts.col_repeats, texts.none_repeated, "repeats", report.repeated),
    ):
        if there or any(getattr(row, name).n for row in rows):
            figure(title, missing, attrgetter(name))
    for title, name in WHOLE_COUNTS.items() if whole else ():
        count(getattr(texts, title), attrgetter(name))
    written = [[write(row) for write in columns.values()] for row in rows]
    table = ReportTableData(
        (ReportColumn(texts.rater), *(ReportColumn(title, figures=True) for title in columns)),
        tuple(
            (ReportCell(report_format.rater_label(row, texts)), *(cell for cell, _ in cells))
            for row, cells in zip(rows, written, strict=True)
        ),
        tuple((row.rater,) for row in rows),
        tuple((row.rater.casefold(), *(value for _, value in cells)) for row, cells in zip(rows, written, strict=True)),
    )
    return table if len(rows) <= MANY_RATERS else table.arranged(_unlike_first(report, question))


def raters_note(report: AuditReport, question: str, texts: ReportTexts) -> str:
    """Return the note of the table of raters: its order."""
    if len(report.raters) <= MANY_RATERS:
        return texts.raters_note
    outside = sum(bool(report_format.outside_group(report, question, rater)) for rater in report.raters)
    return texts.unlike_first.format(n=texts.number(outside))


def _unlike_first(report: AuditReport, question: str) -> list[int]:
    """Return the raters whose interval lies below that of the group, then above it, then all others."""

    def key(index: int) -> tuple[int, float]:
        rater = report.raters[index]
        side, value = (
            report_format.outside_group(report, question, rater),
            rater.others.get(question, ReportFigure()).value,
        )
        return ("below", "above", "").index(side), value if value is not None else 2.0

    return sorted(range(len(report.raters)), key=key)


def _col_judged(report: AuditReport, question: str, texts: ReportTexts, *, whole: bool) -> str:
    """Return the heading of the targets or responses column; files have the same headings for every rubric."""
    agreement = report_format.agreement_on(report, question)
    of_responses = agreement is not None and agreement.question.per == "response" and not whole
    return texts.col_responses if of_responses else texts.col_targets


def _time(rater: RaterFigures, texts: ReportTexts) -> tuple[ReportCell, float | None]:
    spread = rater.per_target or rater.per_task
    if spread is None:
        return ReportCell(texts.none, quiet=True), None
    return ReportCell(f"{texts.number(spread.median / 60, 1)} / {texts.number(spread.high / 60, 1)}"), spread.median


def _evidence(rater: RaterFigures, texts: ReportTexts) -> tuple[ReportCell, float | None]:
    if not rater.claims:
        return ReportCell(texts.none, quiet=True), None
    return ReportCell(texts.number(rater.evidence / rater.claims, 1)), rater.evidence / rater.claims


def differing_table(
    report: AuditReport, rater: str, texts: ReportTexts, question: str, *, most: int = 100
) -> ReportTableData:
    """Return the places that differ most on a question: of one rater from the others, otherwise among all."""
    row = next((row for row in report.raters if row.rater == rater), None)
    units = report.differing if row is None else row.differing
    questions = {agreement.question.id: agreement.question for agreement in report.agreement}
    shown_units = [unit for unit in units if unit.question == question and question in questions][:most]
    columns = (
        ReportColumn(texts.what),
        ReportColumn(texts.own),
        ReportColumn(texts.others_gave),
        ReportColumn(texts.where, figures=True),
    )
    rows = tuple(_unit(unit, questions[unit.question], texts) for unit in shown_units)
    return ReportTableData(columns, rows, tuple((unit.task, unit.where, rater) for unit in shown_units))


def _unit(unit: DifferingUnit, question: JudgedQuestion, texts: ReportTexts) -> tuple[ReportCell, ...]:
    given = [(report_format.style_of(question, value), count) for value, count in unit.given]
    where = ReportCell(report_format.place_name(unit.task, unit.where))
    quote = ReportCell(report_format.shorten(unit.quote, report_format.LONGEST_QUOTE))
    if unit.own is not None:
        before = texts.others.partition("{label}")[0].strip()
        others = _label(given[0][0], before) if given else ReportCell(texts.none, quiet=True)
        return quote, _label(report_format.style_of(question, unit.own)), others, where
    counted = [_label(look, f"{texts.number(count)} ×") for look, count in given[:2]]
    return quote, *(counted + [ReportCell("")] * 2)[:2], where


def _label(look: ValueStyle, before: str = "") -> ReportCell:
    return ReportCell(look.label, look.tone, look.shape, before=before)
