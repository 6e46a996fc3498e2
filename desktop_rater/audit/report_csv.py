"""The figures of a report as CSV, in whole numbers of the machine: one file for each kind of row.

What a rater or a task is called comes from outside; a spreadsheet must show it and not run it.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from desktop_rater.text.spreadsheet import defused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_rater.audit.report import Differing, Figure, OfRater, Report, Spread

Value = str | float | None
FIGURE = ("value", "low", "high", "n", "why")
SPREAD = ("median_seconds", "p10_seconds", "p90_seconds", "n")
COUNTS = (
    "tasks",
    "skipped",
    "targets",
    "claims",
    "evidence",
    "unopened",
    "unquoted",
    "unkept",
    "warnings_left",
    "warnings_let_stand",
    "revisions",
    "written",
)
NAMES = ("agreement.csv", "pairs.csv", "confusion.csv", "labels.csv", "raters.csv", "differing.csv")


def csv_files(report: Report) -> dict[str, str]:
    """File name → its text, for each name in `NAMES`."""
    made = (_agreement, _pairs, _confusion, _labels, _raters, _differing)
    return {name: _text(*make(report)) for name, make in zip(NAMES, made, strict=True)}


def _text(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    file = io.StringIO(newline="")
    table = csv.writer(file, lineterminator="\r\n")
    table.writerow(head)
    table.writerows(map(_cell, row) for row in rows)
    return file.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return defused(value) if isinstance(value, str) else repr(value)


def _figure(one: Figure) -> tuple[Value, ...]:
    return one.value, one.low, one.high, one.n, one.why


def _agreement(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    rows = (
        (one.question.id, name, *_figure(figure), one.units, one.pairs, one.ratings)
        for one in report.agreement
        for name, figure in one.figures.items()
    )
    return ("question", "figure", *FIGURE, "units", "pairs", "ratings"), rows


def _pairs(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    rows = (
        (one.question, one.one, one.other, name, *_figure(figure))
        for one in report.pairs
        for name, figure in one.figures.items()
    )
    return ("question", "rater", "other_rater", "figure", *FIGURE), rows


def _confusion(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    rows = (
        (one.question, given, others, count)
        for one in report.confusions
        for given, line in zip(one.values, one.counts, strict=True)
        for others, count in zip(one.values, line, strict=True)
    )
    return ("question", "given", "majority_of_others", "ratings"), rows


def _labels(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    values = {one.question.id: [look.id for look in one.question.looks] for one in report.agreement}
    rows = (
        (one.rater, question, value, count)
        for one in report.raters
        for question, counts in one.labels.items()
        for value, count in zip(values.get(question, ()), counts, strict=False)
    )
    return ("rater", "question", "value", "ratings"), rows


def _raters(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    questions = [one.question.id for one in report.agreement]
    head = ["rater", "model", *COUNTS]
    head += [f"{what}_{name}" for what in ("task", "target") for name in SPREAD]
    head += [f"{what}_{name}" for what in ("gold", "repeats", "text") for name in FIGURE]
    head += [f"{what}_{one}_{name}" for one in questions for what in ("alpha", "alike") for name in FIGURE]
    return head, (_rater(one, questions) for one in report.raters)


def _rater(one: OfRater, questions: Sequence[str]) -> list[Value]:
    row: list[Value] = [one.rater, int(one.model), *(getattr(one, name) for name in COUNTS)]
    for spread in (one.per_task, one.per_target):
        row += _spread(spread)
    for figure in (one.gold, one.repeats, one.texts):
        row += _figure(figure)
    for question in questions:
        for found in (one.others.get(question), one.alike.get(question)):
            row += _figure(found) if found is not None else (None,) * len(FIGURE)
    return row


def _spread(one: Spread | None) -> tuple[Value, ...]:
    return (None,) * len(SPREAD) if one is None else (one.median, one.low, one.high, one.n)


def _differing(report: Report) -> tuple[Sequence[str], Iterator[Sequence[Value]]]:
    found = [("", unit) for unit in report.differing]
    found += [(one.rater, unit) for one in report.raters for unit in one.differing]
    head = ("rater", "question", "task", "where", "quote", "own", "given", "distance")
    return head, (_unit(rater, unit) for rater, unit in found)


def _unit(rater: str, one: Differing) -> tuple[Value, ...]:
    given = "; ".join(f"{value}: {count}" for value, count in one.given)
    return rater, one.question, one.task, one.where, one.quote, one.own, given, one.distance
