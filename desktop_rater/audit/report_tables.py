"""The tables of a report as they are read: each chart as one, the raters, and the places that differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit import shown
from desktop_rater.audit.charts import of_report
from desktop_rater.audit.report import Figure

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.audit.judged import Judged, Look
    from desktop_rater.audit.report import Differing, OfRater, Report, Spread
    from desktop_rater.audit.wording import Wording


class Cell(Struct, frozen=True):
    """What a cell says; a label with its look.

    `quiet`: it says that there is nothing. `before` stands before a label.
    """

    words: str
    tone: str = ""
    shape: str = ""
    quiet: bool = False
    before: str = ""


class Column(Struct, frozen=True):
    """The head of a column; `figures` stand at its end."""

    title: str
    figures: bool = False


class Table(Struct, frozen=True):
    """A table. `keys`: what each row stands for: a rater, or a task, a place and a rater."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: tuple[tuple[str, ...], ...] = ()


def agreement(report: Report, question: str, words: Wording) -> Table:
    """The figures of agreement that the chart shows."""
    columns = (
        Column(words.figure),
        Column(words.value, figures=True),
        Column(words.interval, figures=True),
        Column(words.rests_on, figures=True),
    )
    rows = []
    for row in of_report.dot_rows(report, question, words):
        found = shown.agreement_on(report, str(row.key[1]))
        rests = words.counted(found.question.per, found.units) if found is not None else ""
        value = Cell(row.shown) if row.value is not None else Cell(row.why, quiet=True)
        rows.append((Cell(row.name), value, Cell(row.between), Cell(rests)))
    return Table(columns, tuple(rows))


def confusion(report: Report, question: str, words: Wording) -> Table:
    """The matrix: a row for each label given."""
    table = of_report.matrix_of(report, question, words)
    if table is None:
        return Table((), ())
    columns = (
        Column(words.given),
        *(Column(one.label, figures=True) for one in table.labels),
        Column(words.total, figures=True),
    )
    rows = tuple(
        (_label(label), *(Cell(words.number(number)) for number in (*line, sum(line))))
        for label, line in zip(table.labels, table.counts, strict=True)
    )
    return Table(columns, rows)


def shares(report: Report, question: str, words: Wording) -> Table:
    """How often each rater gave each label: counts, and shares behind them."""
    labels, counted = of_report.share_counts(report, question)
    columns = (
        Column(words.rater),
        *(Column(one.label, figures=True) for one in labels),
        Column(words.total, figures=True),
    )
    rows = []
    for one in report.raters if labels else ():
        counts = counted[one.rater]
        total = sum(counts)
        parts = (f"{words.number(count)} ({words.percent_of(count / total if total else 0)})" for count in counts)
        rows.append((Cell(shown.named(one, words)), *map(Cell, parts), Cell(words.number(total))))
    return Table(columns, tuple(rows), tuple((one.rater,) for one in report.raters) if labels else ())


def times(report: Report, words: Wording) -> Table:
    """Median and percentiles of each rater."""
    targets = of_report.of_targets(report)
    titles = (words.p10, words.median, words.p90, words.col_targets if targets else words.col_tasks)
    columns = (Column(words.rater), *(Column(title, figures=True) for title in titles))
    rows = []
    for one in report.raters:
        spread = one.per_target if targets else one.per_task
        cells = _spread(spread, words) if spread is not None else (Cell(words.no_time, quiet=True), *[Cell("")] * 3)
        rows.append((Cell(shown.named(one, words)), *cells))
    return Table(columns, tuple(rows), tuple((one.rater,) for one in report.raters))


def _spread(spread: Spread, words: Wording) -> tuple[Cell, ...]:
    minutes = (Cell(words.number(seconds / 60, 1)) for seconds in (spread.low, spread.median, spread.high))
    return (*minutes, Cell(words.number(spread.n)))


def raters(report: Report, question: str, words: Wording, *, whole: bool = False) -> Table:
    """All raters by name. `whole`: with figures that a window has no room for, and those that nobody has."""
    number = words.number

    def count(value: int) -> Cell:
        return Cell(number(value))

    def figure(one: Figure, missing: str) -> Cell:
        return Cell(shown.with_interval(one, words, missing), quiet=one.value is None)

    usual: dict[str, Callable[[OfRater], Cell]] = {
        words.col_tasks: lambda one: count(one.tasks),
        _col_judged(report, question, words, whole=whole): lambda one: count(one.targets),
        words.col_time: lambda one: _time(one, words),
        words.col_evidence: lambda one: _evidence(one, words),
        words.col_unopened: lambda one: count(one.unopened),
        words.col_warnings: lambda one: count(one.warnings_left),
        words.col_others: lambda one: figure(one.others.get(question, Figure()), words.none),
    }
    if whole or report.gold_tasks:
        usual[words.col_gold] = lambda one: figure(one.gold, words.no_gold)
    if whole or any(one.texts.value is not None for one in report.raters):
        usual[words.col_text] = lambda one: figure(one.texts, words.not_scored)
    if whole or report.repeated:
        usual[words.col_repeats] = lambda one: figure(one.repeats, words.none_repeated)
    more: dict[str, Callable[[OfRater], Cell]] = {
        words.unquoted: lambda one: count(one.unquoted),
        words.unkept: lambda one: count(one.unkept),
        words.let_stand: lambda one: count(one.warnings_let_stand),
        words.skipped: lambda one: count(one.skipped),
        words.revisions: lambda one: count(one.revisions),
    }
    writes = usual | more if whole else usual
    return Table(
        (Column(words.rater), *(Column(title, figures=True) for title in writes)),
        tuple((Cell(shown.named(one, words)), *(write(one) for write in writes.values())) for one in report.raters),
        tuple((one.rater,) for one in report.raters),
    )


def _col_judged(report: Report, question: str, words: Wording, *, whole: bool) -> str:
    """What the question is asked of; files have the same heads by each rubric."""
    found = shown.agreement_on(report, question)
    of_responses = found is not None and found.question.per == "response" and not whole
    return words.col_responses if of_responses else words.col_targets


def _time(one: OfRater, words: Wording) -> Cell:
    spread = one.per_target or one.per_task
    if spread is None:
        return Cell(words.none, quiet=True)
    return Cell(f"{words.number(spread.median / 60, 1)} / {words.number(spread.high / 60, 1)}")


def _evidence(one: OfRater, words: Wording) -> Cell:
    if not one.claims:
        return Cell(words.none, quiet=True)
    return Cell(words.number(one.evidence / one.claims, 1))


def differing(report: Report, rater: str, words: Wording, question: str, *, most: int = 100) -> Table:
    """The places that differ most on a question: of one rater from the others, else among all."""
    one = next((one for one in report.raters if one.rater == rater), None)
    found = report.differing if one is None else one.differing
    questions = {agreement.question.id: agreement.question for agreement in report.agreement}
    there = [unit for unit in found if unit.question == question and question in questions][:most]
    columns = (Column(words.what), Column(words.own), Column(words.others_gave), Column(words.where, figures=True))
    rows = tuple(_unit(unit, questions[unit.question], words) for unit in there)
    return Table(columns, rows, tuple((unit.task, unit.where, rater) for unit in there))


def _unit(unit: Differing, question: Judged, words: Wording) -> tuple[Cell, ...]:
    given = [(shown.look_of(question, value), count) for value, count in unit.given]
    where = Cell(shown.place(unit.task, unit.where))
    if unit.own is not None:
        before = words.others.partition("{label}")[0].strip()
        others = _label(given[0][0], before) if given else Cell(words.none, quiet=True)
        return (
            Cell(shown.cut(unit.quote, shown.LONGEST_QUOTE)),
            _label(shown.look_of(question, unit.own)),
            others,
            where,
        )
    counted = [_label(look, f"{words.number(count)} ×") for look, count in given[:2]]
    return Cell(shown.cut(unit.quote, shown.LONGEST_QUOTE)), *(counted + [Cell("")] * 2)[:2], where


def _label(look: Look, before: str = "") -> Cell:
    return Cell(look.label, look.tone, look.shape, before=before)
