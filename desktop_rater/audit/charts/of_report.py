"""What each chart of a report shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit import shown
from desktop_rater.audit.charts.dots import DotRow
from desktop_rater.audit.charts.matrix import Matrix
from desktop_rater.audit.charts.shapes import MORE
from desktop_rater.audit.charts.shares import ShareRow
from desktop_rater.audit.charts.times import TimeRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.judged import Look
    from desktop_rater.audit.report import Agreement, Figure, Report, Spread
    from desktop_rater.audit.wording import Wording

# Those that always stand there, and those that only stand there where they can be computed.
ALWAYS = ("percent", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1")
SOMETIMES = ("krippendorff_alpha.interval", "cohen_kappa", "weighted_kappa.linear", "weighted_kappa.quadratic")
ALPHA = "krippendorff_alpha"
MOST_NAMED, LONGEST_NAME = 3, 40


def figure_name(name: str, words: Wording) -> str:
    """What a figure of agreement is called."""
    return {
        "percent": words.percent,
        "cohen_kappa": words.cohen,
        "weighted_kappa.linear": words.linear,
        "weighted_kappa.quadratic": words.quadratic,
        "fleiss_kappa": words.fleiss,
        "krippendorff_alpha": words.alpha,
        "krippendorff_alpha.interval": words.alpha_interval,
        "gwet_ac1": words.ac1,
    }.get(name, name)


def dot_rows(report: Report, question: str, words: Wording) -> tuple[DotRow, ...]:
    """The figures of the question, then alpha of every other question."""
    rows: list[DotRow] = []
    one = shown.agreement_on(report, question)
    if one is not None:
        there = [name for name in ALWAYS if name in one.figures]
        there += [name for name in SOMETIMES if name in one.figures and one.figures[name].value is not None]
        rows += (_dot(figure_name(name, words), one.figures[name], one, words) for name in there)
    for other in report.agreement:
        if other.question.id != question and ALPHA in other.figures:
            name = words.alpha_of.format(question=shown.asked(other.question, words))
            rows.append(_dot(name, other.figures[ALPHA], other, words))
    return tuple(rows)


def _dot(name: str, figure: Figure, agreement: Agreement, words: Wording) -> DotRow:
    key = ("question", agreement.question.id)
    if figure.value is None:
        why = words.undefined.format(why=words.why(figure.why))
        return DotRow(name, why=why, words=f"{name}: {why}", key=key)
    value, ends = words.number(figure.value, 2), shown.between(figure, words)
    rests = words.counted(agreement.question.per, agreement.units)
    said = f"{name}: {value}" + (f" ({ends})" if ends else "") + f", {rests}"
    return DotRow(name, figure.value, figure.low, figure.high, value, ends, words=said, key=key)


def matrix_of(report: Report, question: str, words: Wording) -> Matrix | None:
    """The matrix of a question; `None` where it has none, or too many values."""
    found, one = shown.confusion_of(report, question), shown.agreement_on(report, question)
    if found is None or one is None:
        return None
    given = [any(line) or any(other[at] for other in found.counts) for at, line in enumerate(found.counts)]
    there = shown.kept(one.question, given)
    if not there:
        return None
    labels = tuple(shown.look_of(one.question, found.values[at]) for at in there)
    counts = tuple(tuple(found.counts[row][column] for column in there) for row in there)
    cells = tuple(
        tuple(_cell(labels[row], labels[column], number, sum(line), words) for column, number in enumerate(line))
        for row, line in enumerate(counts)
    )
    return Matrix(labels, counts, words.majority, words.total, cells)


def _cell(given: Look, others: Look, number: int, total: int, words: Wording) -> str:
    share = words.percent_of(number / total if total else 0)
    return words.cell.format(given=given.label, others=others.label, n=words.number(number), share=share)


def confused(table: Matrix | None, words: Wording) -> str:
    """Which two labels stand for each other most often."""
    if table is None:
        return ""
    pairs = [
        (number, row, column)
        for row, line in enumerate(table.counts)
        for column, number in enumerate(line)
        if row != column
    ]
    number, row, column = max(pairs, default=(0, 0, 0), key=lambda one: one[0])
    if not number:
        return words.never_confused
    given, others = table.labels[row].label, table.labels[column].label
    return words.confused.format(given=given, others=others, n=words.number(number))


def share_counts(report: Report, question: str) -> tuple[tuple[Look, ...], dict[str, tuple[int, ...]]]:
    """The labels that are shown, and how often each rater gave them."""
    one = shown.agreement_on(report, question)
    if one is None:
        return (), {}
    every = (0,) * len(one.question.looks)
    counts = {of.rater: of.labels.get(question, every) for of in report.raters}
    used = [any(given[at] for given in counts.values()) for at in range(len(every))]
    there = shown.kept(one.question, used)
    labels = tuple(one.question.looks[at] for at in there)
    return labels, {rater: tuple(given[at] for at in there) for rater, given in counts.items()}


def share_rows(report: Report, question: str, words: Wording) -> tuple[tuple[Look, ...], tuple[ShareRow, ...]]:
    """The labels, and how each rater's are spread over them."""
    labels, counted = share_counts(report, question)
    rows = []
    for one in report.raters if labels else ():
        counts = counted[one.rater]
        total = sum(counts)
        name = shown.named(one, words)
        if not total:
            rows.append(ShareRow(name, (), (), (), ("rater", one.rater), words.no_label))
            continue
        parts = tuple(count / total for count in counts)
        said = tuple(
            words.share.format(
                rater=name, label=label.label, n=words.number(count), total=words.number(total), share=percent
            )
            for label, count, percent in zip(labels, counts, map(words.percent_of, parts), strict=True)
        )
        rows.append(
            ShareRow(name, parts, tuple(words.number(part * 100) for part in parts), said, ("rater", one.rater))
        )
    return labels, tuple(rows)


def few(report: Report, question: str) -> Iterator[tuple[str, int]]:
    """Raters who gave far fewer labels than the others: what a bar can't show."""
    counts = {one.rater: sum(one.labels.get(question, ())) for one in report.raters}
    there = sorted(count for count in counts.values() if count)
    usual = there[len(there) // 2] if there else 0
    yield from ((rater, count) for rater, count in counts.items() if 0 < count < usual / 2)


def share_notes(report: Report, question: str, words: Wording) -> tuple[str, ...]:
    """What the bars are shares of, and who gave few labels."""
    agreement = shown.agreement_on(report, question)
    per = agreement.question.per if agreement is not None else "target"
    found = list(few(report, question))
    if len(found) == 1:
        rater, count = found[0]
        return words.shares_of(per), words.rests_only.format(
            rater=shown.cut(rater, LONGEST_NAME), n=words.counted(per, count)
        )
    named = [f"{shown.cut(rater, LONGEST_NAME)} ({words.number(count)})" for rater, count in found[:MOST_NAMED]]
    named += [MORE] * (len(found) > MOST_NAMED)
    return (words.shares_of(per), *([words.rest_on_few.format(raters=", ".join(named))] if named else []))


def tied(report: Report, question: str, words: Wording) -> str:
    """How many ratings are in no cell."""
    found = shown.confusion_of(report, question)
    return words.tied.format(n=words.number(found.tied)) if found is not None and found.tied else ""


def time_rows(report: Report, words: Wording) -> tuple[TimeRow, ...]:
    """The times of each rater: of targets where there are any, else of tasks."""
    targets = of_targets(report)
    rows = []
    for one in report.raters:
        spread = one.per_target if targets else one.per_task
        name, key = shown.named(one, words), ("rater", one.rater)
        if spread is None:
            rows.append(TimeRow(name, words=f"{name}: {words.no_time}", key=key, nothing=words.no_time))
        else:
            said = _time_words(name, spread, "target" if targets else "task", words)
            median, low, high = spread.median / 60, spread.low / 60, spread.high / 60
            rows.append(TimeRow(name, median, low, high, said, key))
    return tuple(rows)


def of_targets(report: Report) -> bool:
    """Whether times are those of targets."""
    return any(one.per_target is not None for one in report.raters)


def _time_words(name: str, spread: Spread, per: str, words: Wording) -> str:
    figures = {"median": spread.median, "low": spread.low, "high": spread.high}
    written = {what: words.number(seconds / 60, 1) for what, seconds in figures.items()}
    return words.time.format(rater=name, n=words.counted(per, spread.n), **written)


def guideline_words(report: Report, words: Wording) -> str:
    """What the dashed line says."""
    if report.guideline_seconds is None:
        return ""
    minutes = words.number(report.guideline_seconds / 60)
    if report.guideline_label:
        return words.time_rule_label.format(minutes=minutes, label=report.guideline_label)
    return words.time_rule.format(minutes=minutes)
