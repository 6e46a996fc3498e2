"""Export the figures of a report as CSV with unformatted numbers: one file for each kind of row."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from desktop_rater.audit.report import AuditReport, DifferingUnit, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.text.untrusted import escape_formula

CsvValue = str | float | None
FIGURE = ("value", "low", "high", "n", "why", "tasks", "raters")
SPREAD = ("median_seconds", "p10_seconds", "p90_seconds", "n", "median_low", "median_high", "tasks", "why")
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
NAMES = (
    "agreement.csv",
    "pairs.csv",
    "confusion.csv",
    "labels.csv",
    "raters.csv",
    "differing.csv",
    "scales.csv",
    "scale_raters.csv",
    "trends.csv",
    "hardest.csv",
    "models.csv",
)


def csv_files(report: AuditReport) -> dict[str, str]:
    """Return the text of each file in `NAMES`."""
    builders = (
        _agreement, _pairs, _confusion, _labels, _raters, _differing, _scales, _scale_raters, _trends, _hardest,
        _models,
    )  # fmt: skip
    return {name: _text(*make(report)) for name, make in zip(NAMES, builders, strict=True)}


def _text(head: Sequence[str], rows: Iterable[Sequence[CsvValue]]) -> str:
    file = io.StringIO(newline="")
    table = csv.writer(file, lineterminator="\r\n")
    table.writerow(head)
    table.writerows(map(_cell, row) for row in rows)
    return file.getvalue()


def _cell(value: CsvValue) -> str:
    if value is None:
        return ""
    return escape_formula(value) if isinstance(value, str) else repr(value)


def _figure(figure: ReportFigure) -> tuple[CsvValue, ...]:
    return figure.value, figure.low, figure.high, figure.n, figure.why, figure.tasks, figure.raters


def _agreement(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    rows = (
        (agreement.question.id, name, *_figure(figure), agreement.units, agreement.pairs, agreement.ratings)
        for agreement in report.agreement
        for name, figure in agreement.figures.items()
    )
    return ("question", "figure", *FIGURE, "units", "pairs", "ratings"), rows


def _pairs(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    rows = (
        (pair.question, pair.one, pair.other, name, *_figure(figure))
        for pair in report.pairs
        for name, figure in pair.figures.items()
    )
    return ("question", "rater", "other_rater", "figure", *FIGURE), rows


def _confusion(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    rows = (
        (confusion.question, given, others, count)
        for confusion in report.confusions
        for given, line in zip(confusion.values, confusion.counts, strict=True)
        for others, count in zip(confusion.values, line, strict=True)
    )
    return ("question", "given", "majority_of_others", "ratings"), rows


def _labels(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    values = {agreement.question.id: [look.id for look in agreement.question.looks] for agreement in report.agreement}
    rows = (
        (rater.rater, question, value, count, *_figure(share))
        for rater in report.raters
        for question, counts in rater.labels.items()
        for value, count, share in zip(
            values.get(question, ()),
            counts,
            rater.label_shares.get(question, ()) or (ReportFigure(),) * len(counts),
            strict=False,
        )
    )
    return ("rater", "question", "value", "ratings", *(f"share_{name}" for name in FIGURE)), rows


def _raters(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    questions = [agreement.question.id for agreement in report.agreement]
    head = ["rater", "model", *COUNTS]
    head += [f"{subject}_{name}" for subject in ("task", "target") for name in SPREAD]
    head += [f"{subject}_{name}" for subject in ("gold", "repeats", "text") for name in FIGURE]
    head += [
        f"{subject}_{question}_{name}" for question in questions for subject in ("alpha", "alike") for name in FIGURE
    ]
    return head, (_rater(rater, questions) for rater in report.raters)


def _rater(rater: RaterFigures, questions: Sequence[str]) -> list[CsvValue]:
    row: list[CsvValue] = [rater.rater, int(rater.model), *(getattr(rater, name) for name in COUNTS)]
    for spread in (rater.per_task, rater.per_target):
        row += [None] * len(SPREAD) if spread is None else _spread(spread)
    for figure in (rater.gold, rater.repeats, rater.texts):
        row += _figure(figure)
    for question in questions:
        for rater_figure in (rater.others.get(question), rater.alike.get(question)):
            row += _figure(rater_figure) if rater_figure is not None else (None,) * len(FIGURE)
    return row


def _spread(spread: TimeSpread) -> list[CsvValue]:
    ends = [spread.median_low, spread.median_high]
    return [spread.median, spread.low, spread.high, spread.n, *ends, spread.tasks, spread.why]


def _differing(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    units = [("", unit) for unit in report.differing]
    units += [(rater.rater, unit) for rater in report.raters for unit in rater.differing]
    head = ("rater", "question", "task", "where", "quote", "own", "given", "distance")
    rows = (
        (rater, unit.question, unit.task, unit.where, unit.quote, unit.own, _given(unit), unit.distance)
        for rater, unit in units
    )
    return head, rows


def _scales(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    rows = (
        (scale.question, name, *_figure(figure)) for scale in report.scales for name, figure in scale.figures.items()
    )
    return ("question", "figure", *FIGURE), rows


def _scale_raters(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    parts = ("mean", "offset", "severity")
    rows = (
        (
            scale.question,
            row.rater,
            *_figure(row.mean),
            *_figure(row.offset),
            *_figure(row.severity),
            *(row.fits or (None, None)),
        )
        for scale in report.scales
        for row in scale.raters
    )
    return ("question", "rater", *(f"{part}_{name}" for part in parts for name in FIGURE), "infit", "outfit"), rows


def _trends(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    parts = ("week", "practice", "time")
    rows = ((row.rater, *_figure(row.week), *_figure(row.practice), *_figure(row.time)) for row in report.trends)
    return ("rater", *(f"{part}_{name}" for part in parts for name in FIGURE)), rows


def _hardest(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    parts = ("difficulty", "discrimination")
    rows = ((row.task, row.where, *_figure(row.difficulty), *_figure(row.discrimination)) for row in report.hardest)
    return ("task", "where", *(f"{part}_{name}" for part in parts for name in FIGURE)), rows


def _given(unit: DifferingUnit) -> str:
    return "; ".join(f"{value}: {count}" for value, count in unit.given)


def _models(report: AuditReport) -> tuple[Sequence[str], Iterator[Sequence[CsvValue]]]:
    rows = (
        (check.model, check.question, name, *_figure(getattr(check, name)))
        for check in report.models
        for name in ("alike", "alpha", "people", "gold", "advantage", "winning_rate")
    )
    return ("model", "question", "figure", *FIGURE), rows
