"""Build the data of each chart from a report."""

from collections.abc import Iterator

from desktop_rater.audit import report_format
from desktop_rater.audit.charts.drawing import ConfusionChart, DotRow, ShareRow, TimeRow
from desktop_rater.audit.charts.svg import MORE
from desktop_rater.audit.questions import ValueStyle
from desktop_rater.audit.report import AuditReport, QuestionAgreement, ReportFigure
from desktop_rater.audit.report_columns import AGREEMENT_FIGURES
from desktop_rater.audit.report_format import Wording

ALPHA = "krippendorff_alpha"
MOST_NAMED, LONGEST_NAME = 3, 40


def dot_rows(report: AuditReport, question: str, texts: Wording) -> tuple[DotRow, ...]:
    """Return rows for the figures of the question, then alpha of every other question."""
    rows: list[DotRow] = []
    agreement = report_format.agreement_on(report, question)
    if agreement is not None:
        figures = agreement.figures
        listed = [name for name, row in AGREEMENT_FIGURES.items() if row.shown != "defined" and name in figures]
        listed += [
            name
            for name, row in AGREEMENT_FIGURES.items()
            if row.shown == "defined" and name in figures and figures[name].value is not None
        ]
        for name in listed:
            title = texts.translate("Report", AGREEMENT_FIGURES[name].title)
            rows.append(_dot(title, name, agreement, texts))
    for other in sorted(report.agreement, key=lambda other: not other.question.decisive):
        if other.question.id != question and ALPHA in other.figures:
            name = texts.translate("Report", "α: {question}").format(
                question=report_format.question_text(other.question, texts)
            )
            rows.append(_dot(name, ALPHA, other, texts))
    return tuple(rows)


def _dot(name: str, figure_name: str, agreement: QuestionAgreement, texts: Wording) -> DotRow:
    figure, key = agreement.figures[figure_name], ("question", agreement.question.id, figure_name)
    if figure.value is None:
        why = texts.translate("Report", "undefined: {why}").format(why=texts.why(figure.why))
        return DotRow(name, missing=why, tooltip=f"{name}: {why}", key=key)
    value, ends = texts.number(figure.value, 2), report_format.interval_text(figure, texts)
    base, why = report_format.base_text(figure, agreement.question.per, texts), texts.why(figure.why)
    text = f"{name}: {value} ({ends or why}), {base}"
    ends = ends or texts.translate("Report", "no interval")
    return DotRow(name, figure.value, figure.low, figure.high, value, ends, tooltip=text, key=key, why=why, base=base)


def matrix_of(report: AuditReport, question: str, texts: Wording) -> ConfusionChart | None:
    """Return the matrix of a question; `None` if it has none, or too many values."""
    confusion, agreement = report_format.confusion_of(report, question), report_format.agreement_on(report, question)
    if confusion is None or agreement is None:
        return None
    given = [
        any(line) or any(other[index] for other in confusion.counts) for index, line in enumerate(confusion.counts)
    ]
    indices = report_format.shown_values(agreement.question, given)
    if not indices:
        return None
    labels = tuple(report_format.style_of(agreement.question, confusion.values[index]) for index in indices)
    counts = tuple(tuple(confusion.counts[row][column] for column in indices) for row in indices)
    cells = tuple(
        tuple(_cell(labels[row], labels[column], number, sum(line), texts) for column, number in enumerate(line))
        for row, line in enumerate(counts)
    )
    return ConfusionChart(
        labels, counts, texts.translate("Report", "majority of the others"), texts.translate("Report", "total"), cells
    )


def _cell(given: ValueStyle, others: ValueStyle, number: int, total: int, texts: Wording) -> str:
    share = texts.percent_of(number / total if total else 0)
    return texts.translate("Report", "{given} given, {others} by the others: {n} ({share} of the row)").format(
        given=given.label, others=others.label, n=texts.number(number), share=share
    )


def most_confused_text(table: ConfusionChart | None, texts: Wording) -> str:
    """Return a text naming the two labels most often confused."""
    if table is None:
        return ""
    pairs = [
        (number, row, column)
        for row, line in enumerate(table.counts)
        for column, number in enumerate(line)
        if row != column
    ]
    number, row, column = max(pairs, default=(0, 0, 0), key=lambda pair: pair[0])
    if not number:
        return texts.translate("Report", "No rating differs from the majority of the others.")
    given, others = table.labels[row].label, table.labels[column].label
    return texts.translate("Report", "Most often confused: {given} given, {others} by the others ({n})").format(
        given=given, others=others, n=texts.number(number)
    )


def share_counts(report: AuditReport, question: str) -> tuple[tuple[ValueStyle, ...], dict[str, tuple[int, ...]]]:
    """Return the labels shown, and how often each rater gave them."""
    agreement = report_format.agreement_on(report, question)
    if agreement is None:
        return (), {}
    every = (0,) * len(agreement.question.looks)
    counts = {row.rater: row.labels.get(question, every) for row in report.raters}
    used = [any(given[index] for given in counts.values()) for index in range(len(every))]
    indices = report_format.shown_values(agreement.question, used)
    labels = tuple(agreement.question.looks[index] for index in indices)
    return labels, {rater: tuple(given[index] for index in indices) for rater, given in counts.items()}


def shown_shares(
    report: AuditReport, question: str
) -> tuple[tuple[ValueStyle, ...], dict[str, tuple[int, ...]], dict[str, tuple[ReportFigure, ...]]]:
    """Return the labels shown, and of each rater how often they were given, and their shares."""
    labels, counted = share_counts(report, question)
    agreement = report_format.agreement_on(report, question)
    looks = agreement.question.looks if agreement is not None else ()
    places = [index for index, look in enumerate(looks) if look in labels]
    shares: dict[str, tuple[ReportFigure, ...]] = {}
    for rater in report.raters:
        figures, counts = rater.label_shares.get(question, ()), counted.get(rater.rater, ())
        plain = (ReportFigure(value=count / (sum(counts) or 1)) for count in counts)
        shares[rater.rater] = tuple(figures[index] for index in places) if figures else tuple(plain)
    return labels, counted, shares


def share_rows(
    report: AuditReport, question: str, texts: Wording
) -> tuple[tuple[ValueStyle, ...], tuple[ShareRow, ...]]:
    """Return the labels, and each rater's distribution over them."""
    labels, counted, shares = shown_shares(report, question)
    rows = []
    for rater in report.raters if labels else ():
        counts = counted[rater.rater]
        total = sum(counts)
        name = report_format.rater_label(rater, texts)
        if not total:
            rows.append(ShareRow(name, (), (), (), ("rater", rater.rater), texts.translate("Report", "no label given")))
            continue
        parts = tuple(count / total for count in counts)
        tooltips = tuple(
            texts.translate("Report", "{rater}: {label}, {n} of {total}: {share}").format(
                rater=name,
                label=label.label,
                n=texts.number(count),
                total=texts.number(total),
                share=report_format.share_text(figure, texts, based=True),
            )
            for label, count, figure in zip(labels, counts, shares[rater.rater], strict=True)
        )
        rows.append(
            ShareRow(name, parts, tuple(texts.number(part * 100) for part in parts), tooltips, ("rater", rater.rater))
        )
    return labels, tuple(rows)


def raters_with_few_labels(report: AuditReport, question: str) -> Iterator[tuple[str, int]]:
    """Yield raters who gave far fewer labels than the others, with their counts: bars do not show it."""
    counts = {row.rater: sum(row.labels.get(question, ())) for row in report.raters}
    positive = sorted(count for count in counts.values() if count)
    usual = positive[len(positive) // 2] if positive else 0
    yield from ((rater, count) for rater, count in counts.items() if 0 < count < usual / 2)


def share_notes(report: AuditReport, question: str, texts: Wording) -> tuple[str, ...]:
    """Return texts saying what the bars are shares of, and who gave few labels."""
    agreement = report_format.agreement_on(report, question)
    per = agreement.question.per if agreement is not None else "target"
    shares = {
        "target": texts.translate("Report", "Per cent of the rater’s targets."),
        "response": texts.translate("Report", "Per cent of the rater’s responses."),
    }.get(per) or texts.translate("Report", "Per cent of the rater’s tasks.")
    rare = list(raters_with_few_labels(report, question))
    if len(rare) == 1:
        rater, count = rare[0]
        return shares, texts.translate("Report", "{rater}: based on {n} only.").format(
            rater=report_format.shorten(rater, LONGEST_NAME), n=texts.counted(per, count)
        )
    named = [
        f"{report_format.shorten(rater, LONGEST_NAME)} ({texts.number(count)})" for rater, count in rare[:MOST_NAMED]
    ]
    named += [MORE] * (len(rare) > MOST_NAMED)
    return (
        shares,
        *(
            [texts.translate("Report", "Based on few ratings: {raters}.").format(raters=", ".join(named))]
            if named
            else []
        ),
    )


def tied_text(report: AuditReport, question: str, texts: Wording) -> str:
    """Return a text counting the ratings that are in no cell."""
    confusion = report_format.confusion_of(report, question)
    return (
        texts.translate("Report", "{n} more ratings, where the others have no majority, are not shown.").format(
            n=texts.number(confusion.tied)
        )
        if confusion is not None and confusion.tied
        else ""
    )


def time_rows(report: AuditReport, texts: Wording) -> tuple[TimeRow, ...]:
    """Return the times of each rater: per target where there are any, otherwise per task."""
    targets = times_are_per_target(report)
    rows = []
    for rater in report.raters:
        spread = rater.per_target if targets else rater.per_task
        name, key = report_format.rater_label(rater, texts), ("rater", rater.rater)
        if spread is None:
            missing = texts.translate("Report", "no times recorded")
            rows.append(TimeRow(name, tooltip=f"{name}: {missing}", key=key, missing=missing))
        else:
            median, low, high = spread.median / 60, spread.low / 60, spread.high / 60
            ends = [end / 60 if end is not None else None for end in (spread.median_low, spread.median_high)]
            base = ReportFigure(value=median, low=ends[0], high=ends[1], n=spread.n, tasks=spread.tasks)
            text = texts.translate(
                "Report", "{rater}: median {median} min, 10th percentile {low}, 90th percentile {high}, {n}"
            ).format(
                rater=name,
                n=report_format.base_text(base, "target" if targets else "task", texts),
                median=report_format.with_interval(base, texts, "", based=False, places=1),
                low=texts.number(low, 1),
                high=texts.number(high, 1),
            )
            rows.append(TimeRow(name, median, low, high, text, key))
    return tuple(rows)


def times_are_per_target(report: AuditReport) -> bool:
    """Return whether times are per target."""
    return any(rater.per_target is not None for rater in report.raters)


def guideline_text(report: AuditReport, texts: Wording) -> str:
    """Return the text of the dashed line."""
    if report.guideline_seconds is None:
        return ""
    minutes = texts.number(report.guideline_seconds / 60)
    if report.guideline_label:
        return texts.translate(
            "Report", "Dashed: the {minutes} minutes that the rubric asks for before {label}."
        ).format(minutes=minutes, label=report.guideline_label)
    return texts.translate("Report", "Dashed: the {minutes} minutes that the rubric asks for.").format(minutes=minutes)
