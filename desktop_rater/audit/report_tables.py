"""Tables of a report: one for each chart, the raters, and the places that differ most."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit import report_format
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.judged_questions import JudgedQuestion, ValueStyle
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
    """Table. `keys`: subject of each row: a rater, or a task, a place and a rater."""

    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    keys: tuple[tuple[str, ...], ...] = ()


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


def raters_table(report: AuditReport, question: str, texts: ReportTexts, *, whole: bool = False) -> ReportTableData:
    """Return all raters by name. `whole`: with columns that do not fit into a window, and empty columns."""
    number = texts.number

    def count(value: int) -> ReportCell:
        return ReportCell(number(value))

    def figure(value: ReportFigure, missing: str, *, based: bool) -> ReportCell:
        text = report_format.with_interval(value, texts, missing, based=based)
        return ReportCell(text, quiet=value.value is None)

    def add(title: str, missing: str, of: Callable[[RaterFigures], ReportFigure]) -> None:
        """Add a column; a number of tasks that is the same for all raters stands in its heading."""
        given = [(row.tasks, of(row).tasks) for row in report.raters if of(row).value is not None]
        bases = {tasks for _, tasks in given}
        based = len(bases) > 1 and any(tasks != every for every, tasks in given)
        if len(bases) == 1 and not whole:
            title = texts.col_of_tasks.format(title=title, tasks=texts.counted("task", bases.pop()))
        usual[title] = lambda row: figure(of(row), missing, based=based or whole)

    usual: dict[str, Callable[[RaterFigures], ReportCell]] = {
        texts.col_tasks: lambda row: count(row.tasks),
        _col_judged(report, question, texts, whole=whole): lambda row: count(row.targets),
        texts.col_time: lambda row: _time(row, texts),
        texts.col_evidence: lambda row: _evidence(row, texts),
        texts.col_unopened: lambda row: count(row.unopened),
        texts.col_warnings: lambda row: count(row.warnings_left),
    }
    add(texts.col_others, texts.none, lambda row: row.others.get(question, ReportFigure()))
    if whole or report.gold_tasks:
        add(texts.col_gold, texts.no_gold, lambda row: row.gold)
    if whole or any(row.texts.value is not None for row in report.raters):
        add(texts.col_text, texts.not_scored, lambda row: row.texts)
    if whole or report.repeated:
        add(texts.col_repeats, texts.none_repeated, lambda row: row.repeats)
    more: dict[str, Callable[[RaterFigures], ReportCell]] = {
        texts.unquoted: lambda row: count(row.unquoted),
        texts.unkept: lambda row: count(row.unkept),
        texts.let_stand: lambda row: count(row.warnings_let_stand),
        texts.skipped: lambda row: count(row.skipped),
        texts.revisions: lambda row: count(row.revisions),
    }
    writes = usual | more if whole else usual
    return ReportTableData(
        (ReportColumn(texts.rater), *(ReportColumn(title, figures=True) for title in writes)),
        tuple(
            (ReportCell(report_format.rater_label(row, texts)), *(write(row) for write in writes.values()))
            for row in report.raters
        ),
        tuple((row.rater,) for row in report.raters),
    )


def _col_judged(report: AuditReport, question: str, texts: ReportTexts, *, whole: bool) -> str:
    """Return the heading of the targets or responses column; files have the same headings for every rubric."""
    agreement = report_format.agreement_on(report, question)
    of_responses = agreement is not None and agreement.question.per == "response" and not whole
    return texts.col_responses if of_responses else texts.col_targets


def _time(rater: RaterFigures, texts: ReportTexts) -> ReportCell:
    spread = rater.per_target or rater.per_task
    if spread is None:
        return ReportCell(texts.none, quiet=True)
    return ReportCell(f"{texts.number(spread.median / 60, 1)} / {texts.number(spread.high / 60, 1)}")


def _evidence(rater: RaterFigures, texts: ReportTexts) -> ReportCell:
    if not rater.claims:
        return ReportCell(texts.none, quiet=True)
    return ReportCell(texts.number(rater.evidence / rater.claims, 1))


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
