"""Panels and lines on what assists raters: offline libraries, decided cases and suggestions."""

from collections.abc import Iterator

from desktop_rater.audit import report_format
from desktop_rater.audit.report import AuditReport, LibraryShare, ReportFigure
from desktop_rater.audit.report_columns import PULL_FIGURES
from desktop_rater.audit.report_format import Wording, figure_line
from desktop_rater.audit.report_panels import ReportCell, ReportColumn, ReportPanel, ReportTableData

MOST_PLACES = 200  # listed
SHOWN, HELD_OUT = "shown", "held_out"


def library_lines(report: AuditReport) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    texts = report_format.ENGLISH
    for library in report.libraries:
        counts = f"{_count_text(library, texts)}, {texts.raters_counted(library.raters)}"
        places = "".join(f"; {task} {where} {rater}" for task, where, rater in library.places)
        yield f"  {_title(library, report, texts)}: {counts}{places}"


def libraries_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return the figures with the places that rest on libraries alone; `None` without any."""
    rows: list[tuple[ReportCell, ...]] = []
    keys: list[tuple[str, ...]] = []
    for library in report.libraries:
        title = ReportCell(report_format.shorten(_title(library, report, texts), report_format.LONGEST_NAME))
        rows.append((title, ReportCell(_count_text(library, texts)), ReportCell(texts.number(library.raters))))
        keys += [(), *library.places[:MOST_PLACES]]
        rows += [
            (ReportCell(f"– {report_format.place_name(task, where)}", quiet=True), ReportCell(""), ReportCell(rater))
            for task, where, rater in library.places[:MOST_PLACES]
        ]
        if len(library.places) > MOST_PLACES:
            rest = texts.translate("Report", "… and {n} more").format(n=texts.number(len(library.places) - MOST_PLACES))
            rows.append((ReportCell(rest, quiet=True), ReportCell(""), ReportCell("")))
            keys.append(())
    columns = (
        ReportColumn(texts.translate("Report", "Evidence, and labels without any")),
        ReportColumn(texts.translate("Report", "Share"), figures=True),
        ReportColumn(texts.translate("Report", "Raters"), figures=True),
    )
    note = texts.translate("Report", "of all evidence; and of a label, where nothing but libraries was searched")
    title = texts.translate("Report", "Offline libraries")
    table = ReportTableData(columns, tuple(rows), tuple(keys))
    return ReportPanel(title=title, table=table, note=note) if rows else None


def _title(share: LibraryShare, report: AuditReport, texts: Wording) -> str:
    if share.value is None:
        template = texts.translate("Report", "Evidence from {library}")
        return template.format(library=", ".join(filter(None, (share.name, share.date))))
    agreement = report_format.agreement_on(report, share.question)
    label = agreement.question.text_of(share.value) if agreement is not None else str(share.value)
    return texts.translate("Report", "{label}, on libraries alone").format(label=label)


def _count_text(share: LibraryShare, texts: Wording) -> str:
    text = texts.translate("Report", "{n} of {total}, {share}")
    part = texts.percent_of(share.count / share.of)
    return text.format(n=texts.number(share.count), total=texts.number(share.of), share=part)


def pull_lines(report: AuditReport) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    panel = pull_panel(report, report_format.ENGLISH)
    if panel is not None:
        yield f"{panel.title}, shown minus held out:"
        names = filter(report.pull.__contains__, PULL_FIGURES)
        for name, (title, _, given, held_out) in zip(names, panel.table.rows, strict=True):
            yield f"  {title.text}: {figure_line(report.pull[name])}; shown: {given.text}; held out: {held_out.text}"
        yield from (f"  {text}" for text in panel.foot)


def pull_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return the figures as a table; `None` without any."""
    rows = tuple(
        (
            ReportCell(texts.translate("Report", row.title)),
            ReportCell(report_format.with_interval(figure, texts, report_format.NONE), quiet=figure.value is None),
            *(ReportCell(_side_text(report.pull[f"{name}.{side}"], texts)) for side in (SHOWN, HELD_OUT)),
        )
        for name, row in PULL_FIGURES.items()
        if (figure := report.pull.get(name)) is not None
    )
    columns = (
        ReportColumn(texts.translate("Report", "Share of answers")),
        ReportColumn(texts.translate("Report", "Shown minus held out"), figures=True),
        ReportColumn(texts.translate("Report", "Shown"), figures=True),
        ReportColumn(texts.translate("Report", "Held out"), figures=True),
    )
    reasons = dict.fromkeys(
        texts.why(figure.why)
        for name, figure in report.pull.items()
        if name in PULL_FIGURES and figure.why and figure.value is not None
    )
    left_out = texts.translate("Report", "Ratings that an earlier version opened are left out: {n}")
    notes = [*reasons, *([left_out.format(n=texts.number(report.pull_left_out))] if report.pull_left_out else [])]
    panel = ReportPanel(
        title=texts.translate("Report", "Pull of cases and suggestions"),
        table=ReportTableData(columns, rows),
        note=texts.translate("Report", "95 % intervals over tasks"),
        foot=tuple(f"{note[0].upper()}{note[1:]}." for note in notes),
    )
    return panel if rows else None


def _side_text(figure: ReportFigure, texts: Wording) -> str:
    if figure.value is None:
        return report_format.NONE
    text, tasks = texts.translate("Report", "{share} of {n}, {tasks}"), texts.counted("task", figure.tasks)
    return text.format(share=texts.percent_of(figure.value), n=texts.number(figure.n), tasks=tasks)
