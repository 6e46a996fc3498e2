"""Figures of research in offline libraries: the evidence from each, and the labels that rest on libraries alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from desktop_rater.audit import report_format
from desktop_rater.audit.items import depth_of
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import AuditReport, LibraryShare
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import ReportPanel
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.audit.results import ReceivedRating

MOST_PLACES = 200  # listed


def library_shares(
    ratings: Iterable[ReceivedRating], whole: Iterable[ReceivedRating], label: JudgedQuestion | None
) -> tuple[LibraryShare, ...]:
    """Return the share of each library in the evidence, and of the labels that rest on libraries alone.

    `whole`: the ratings with their values, read only if there are such labels. Ratings whose libraries an earlier
    version did not count are left out.
    """
    counted = [(rating, rating.digest) for rating in ratings if rating.digest.libraries is not None]
    pieces: Counter[tuple[str, str]] = Counter()
    raters: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for rating, digest in counted:
        for name, date, count in digest.libraries or ():
            pieces[name, date] += count
            raters[name, date].add(rating.rater)
    total = sum(sum(digest.evidence.values()) for _, digest in counted)
    shares = [
        LibraryShare(name=name, date=date, count=count, of=total, raters=len(raters[name, date]))
        for (name, date), count in pieces.most_common()
    ]
    if label is None or not any(digest.library_only for _, digest in counted):
        return tuple(shares)
    given: Counter[Value] = Counter()
    places: defaultdict[Value, list[tuple[str, str, str]]] = defaultdict(list)
    for rating in whole:
        digest = rating.digest
        for where, values in digest.values.items() if digest.library_only is not None else ():
            value = label.value(values) if depth_of(where) == label.per else None
            if value is not None:
                given[value] += 1
                places[value] += [(rating.task, where, rating.rater)] if where in (digest.library_only or ()) else []
    labels = (
        LibraryShare(
            question=label.id,
            value=value,
            count=len(alone),
            of=given[value],
            raters=len({rater for _, _, rater in alone}),
            places=tuple(sorted(alone)),
        )
        for value, alone in places.items()
        if alone
    )
    return (*shares, *sorted(labels, key=lambda share: -share.count))


def library_lines(report: AuditReport) -> Iterator[str]:
    """Yield the figures as lines of a terminal."""
    texts = report_format.ENGLISH
    for share in report.libraries:
        counts = f"{_count_text(share, texts)}, {texts.raters_counted(share.raters)}"
        places = "".join(f"; {task} {where} {rater}" for task, where, rater in share.places)
        yield f"  {_title(share, report, texts)}: {counts}{places}"


def libraries_panel(report: AuditReport, texts: Wording) -> ReportPanel | None:
    """Return the figures with the places that rest on libraries alone; `None` without any."""
    rows: list[tuple[ReportCell, ...]] = []
    keys: list[tuple[str, ...]] = []
    for share in report.libraries:
        title = ReportCell(report_format.shorten(_title(share, report, texts), report_format.LONGEST_NAME))
        rows.append((title, ReportCell(_count_text(share, texts)), ReportCell(texts.number(share.raters))))
        keys += [(), *share.places[:MOST_PLACES]]
        rows += [
            (ReportCell(f"– {report_format.place_name(task, where)}", quiet=True), ReportCell(""), ReportCell(rater))
            for task, where, rater in share.places[:MOST_PLACES]
        ]
        if len(share.places) > MOST_PLACES:
            rest = texts.translate("Report", "… and {n} more").format(n=texts.number(len(share.places) - MOST_PLACES))
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
