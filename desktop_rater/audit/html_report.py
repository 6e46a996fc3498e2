"""Render the report on raters, and panels of other reports, as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit import report_format, report_tables
from desktop_rater.audit.charts.svg import (
    SIGNS,
    DrawingArea,
    css_name,
    escape_text,
    estimated_width,
    render_svg,
    symbol_definitions,
)
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_panels import (
    ReportPanel,
    agreement_panel,
    column_meanings,
    confusion_panel,
    meanings_of,
    models_panel,
    shares_panel,
    summary_panel,
    times_panel,
)
from desktop_rater.audit.report_tables import ReportCell, ReportColumn, ReportTableData
from desktop_rater.audit.results import Caution
from desktop_rater.audit.scales.scale_panels import scale_panels, trends_panel
from desktop_rater.rubric.load import CHOICE_TONES

if TYPE_CHECKING:
    from desktop_rater.audit.report_format import Wording


_RULES = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1480px; background: var(--win); color: var(--text);
  font: 13px/18px Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 19px; line-height: 26px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 24px 0 8px; overflow-wrap: anywhere; }
h3 { font-size: 13px; margin: 0; }
p { margin: 4px 0 0; color: var(--text2); }
header { margin-bottom: 16px; }
.caution { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
small { font-size: 12px; color: var(--text2); }
.board { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(470px, 100%), 1fr)); gap: 12px; }
figure { margin: 0; padding: 12px 16px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 6px; min-width: 0; }
.words p { color: var(--text); }
.words p:first-of-type { font-weight: 600; }
figure.wide { grid-column: 1 / -1; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; margin-bottom: 8px; }
.chart { overflow-x: auto; }
.chart svg { display: block; max-width: 100%; height: auto; }
.chart text { font-family: inherit; unicode-bidi: isolate; }
.mark { fill: transparent; }
.mark:hover { stroke: var(--accent); }
.table { overflow-x: auto; margin-top: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 12px; }
th { font-size: 11px; font-weight: 400; color: var(--text2); text-align: start; vertical-align: bottom;
  border-bottom: 1px solid var(--edge); padding: 4px; }
td { border-bottom: 1px solid var(--line); padding: 5px 4px; overflow-wrap: anywhere; vertical-align: top; }
td:first-child { font-weight: 600; min-width: 80px; }
.figures { text-align: end; }
td.figures { white-space: nowrap; }
td.figures.quiet { white-space: normal; }
.quiet { color: var(--text2); }
.sign { width: 15px; height: 15px; vertical-align: -3px; margin-inline-end: 5px; }
details { margin-top: 8px; }
summary { color: var(--text2); font-size: 12px; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.name { white-space: nowrap; }
@page { size: A4; margin: 12mm; }
@media print {
  body { padding: 0; max-width: none; background: none; }
  .board { display: block; }
  figure { padding: 0; border: 0; margin: 0 0 16px; break-inside: auto; }
  figcaption, h2, p { break-after: avoid; }
  .chart, tr { break-inside: avoid; }
  .chart, .table { overflow: visible; }
  .long .chart, summary { display: none; }
  th, td { font-size: 11px; padding: 3px 5px; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""


def report_style_sheet(light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """Return the style sheet. Colours are given by name, such as "text" or "ink not factual"."""
    by_night = f"@media screen and (prefers-color-scheme: dark){{:root{{{_named(dark)}}}}}"
    return f":root{{color-scheme:light dark;{_named(light)}}}{by_night}{_RULES}"


def _named(colors: Mapping[str, str]) -> str:
    return "".join(f"--{name.replace(' ', '-')}:{value};" for name, value in colors.items())


WIDTH, ROW, LEAST = 440, 32, 310
WIDE = 940  # charts about systems have a column for each figure
MOST_COLUMNS = 8  # of a table, besides the first
LONG = 40  # rows of a chart: on paper its table says the same
SHORT_NAME = 40  # characters of a name that is not broken at its hyphens
LONGEST = 400  # characters of a cell: names and quotes are untrusted


class PageColors(Struct, frozen=True):
    """Colour names and values, for a light and for a dark page."""

    light: Mapping[str, str]
    dark: Mapping[str, str]


def render_html(
    report: AuditReport, texts: Wording, colors: PageColors, *, lead: str = "", language: str = "en"
) -> str:
    """Render the whole page. Untrusted text is escaped and never becomes markup."""
    main = report_format.main_question_id(report)
    rest = [
        agreement.question
        for agreement in report.agreement
        if agreement.question.id != main and agreement.question.decisive
    ]
    confusion, shares = confusion_panel(report, main, texts), shares_panel(report, main, texts)
    panels = (agreement_panel(report, main, texts), confusion, shares, times_panel(report, texts))
    raters = ReportPanel(
        title=texts.translate("Report", "Raters"),
        table=report_tables.raters_table(report, main, texts, whole=True),
        note=report_tables.raters_note(report, main, texts),
        foot=(report_format.raters_basis(report.raters_from, texts),),
    )
    drawn = [panel for panel in panels if panel.draw is not None]
    trends = trends_panel(report, texts)
    over_time = [trends] if trends is not None else []
    models = models_panel(report, texts)
    further = [*([models] if models is not None else []), raters, *over_time]
    summary = meanings_of(report, main, texts).summary
    drawn = [*([summary_panel(summary, texts)] if summary else []), *drawn]
    sections = [_section("", texts, [*drawn, *scale_panels(report, main, texts), *further])]
    for question in rest:
        panels = (confusion_panel(report, question.id, texts), shares_panel(report, question.id, texts))
        title = report_format.question_text(question, texts)
        drawn = [panel for panel in panels if panel.draw is not None]
        sections.append(_section(title, texts, [*drawn, *scale_panels(report, question.id, texts)]))
    number = texts.number
    counts = texts.translate("Report", "{results} results, {raters} raters, {tasks} tasks").format(
        results=number(report.results), raters=number(len(report.raters)), tasks=number(report.tasks)
    )
    return _page(
        report, texts, colors, (texts.translate("Report", "Report"), counts), sections, lead=lead, language=language
    )


class PageSection(NamedTuple):
    """Section of a page: its title, and panels, each with whether it takes the whole width."""

    title: str
    panels: tuple[tuple[ReportPanel, bool], ...]


def render_panels(
    subject: PageSubject,
    sections: Sequence[PageSection],
    about: tuple[str, str],
    texts: Wording,
    colors: PageColors,
    *,
    lead: str = "",
    language: str = "en",
) -> str:
    """Render sections of panels; `about`: what the page shows, and what its figures rest on."""
    written = []
    for section in sections:
        figures = "".join(_figure(panel, texts, wide=wide) for panel, wide in section.panels)
        title = f"<h2>{escape_text(section.title)}</h2>" if section.title else ""
        written.append(f'<section>{title}<div class="board">{figures}</div></section>')
    return _page(subject, texts, colors, about, written, lead=lead, language=language)


class PageSubject(Protocol):
    """A report of one bundle."""

    @property
    def bundle(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def computed(self) -> str: ...
    @property
    def cautions(self) -> tuple[Caution, ...]: ...


def _page(
    report: PageSubject,
    texts: Wording,
    colors: PageColors,
    about: tuple[str, str],
    sections: Sequence[str],
    *,
    lead: str,
    language: str,
) -> str:
    """Return a page; `about`: its subject, and what its figures rest on."""
    subject, counts = about
    title = escape_text(f"{report_format.shorten(report.title, LONGEST)}: {subject}")
    head = (
        f'<!doctype html><html lang="{escape_text(language)}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{report_style_sheet(colors.light, colors.dark)}</style></head>"
    )
    return f"{head}<body>{symbol_definitions()}{_head(report, texts, counts, lead)}{''.join(sections)}</body></html>\n"


def _head(report: PageSubject, texts: Wording, counts: str, lead: str) -> str:
    when = report.computed[:16].replace("T", " ")
    parts = [
        counts,
        texts.translate("Report", "computed {when}, seed {seed}").format(when=f"{when} UTC", seed=report.seed),
    ]
    if report.bundle != report.title:
        parts.append(report_format.shorten(report.bundle, LONGEST))
    if lead:
        parts.insert(0, texts.translate("Report", "by {lead}").format(lead=report_format.shorten(lead, LONGEST)))
    line = " · ".join(f"<bdi>{escape_text(part)}</bdi>" for part in parts)
    cautions = "".join(
        f'<p class="caution" role="note">{escape_text(report_format.caution_text(caution, texts))}</p>'
        for caution in report.cautions
    )
    title = escape_text(report_format.shorten(report.title, LONGEST))
    return f"<header><h1>{title}</h1><p>{line}</p>{cautions}</header>"


def _section(title: str, texts: Wording, parts: list[ReportPanel]) -> str:
    head = f"<h2>{escape_text(title)}</h2>" if title else ""
    return (
        f'<section>{head}<div class="board">{"".join(_figure(part, texts) for part in parts)}</div></section>'
        if parts
        else ""
    )


def _figure(panel: ReportPanel, texts: Wording, *, wide: bool = False) -> str:
    drawn, table, kind = "", "", "wide words"
    if panel.table.columns:
        table, kind = _tables(panel.table), "wide"
    if panel.draw is not None:
        area = DrawingArea(WIDE if wide else WIDTH, max(LEAST, panel.rows * ROW + 60), estimated_width, texts.number)
        drawn = f'<div class="chart">{render_svg(replace(panel.draw(area), description=panel.title))}</div>'
        summary = escape_text(texts.translate("Report", "Table"))
        table = f"<details open><summary>{summary}</summary>{table}</details>"
        kind = " ".join(name for name, on in (("wide", wide), ("long", panel.rows > LONG)) if on)
    foot = "".join(f"<p>{escape_text(line)}</p>" for line in panel.foot if line)
    meanings = column_meanings(texts)
    explained = {column.title: meanings[column.title] for column in panel.table.columns if column.title in meanings}
    foot += "".join(f"<p>{escape_text(title)}: {escape_text(text)}</p>" for title, text in explained.items())
    note = f"<small>{escape_text(panel.note)}</small>" if panel.note else ""
    caption = f"<figcaption><h3>{escape_text(panel.title)}</h3>{note}</figcaption>"
    return f'<figure class="{kind}">{caption}{drawn}{foot}{table}</figure>'


def _tables(table: ReportTableData) -> str:
    """Return a table; one with more columns than paper takes as several, each with the first column."""
    count = len(table.columns) - 1
    parts = max(1, -(-count // MOST_COLUMNS))
    size = -(-count // parts)
    return "".join(
        _table(
            ReportTableData(
                (table.columns[0], *table.columns[start : start + size]),
                tuple((row[0], *row[start : start + size]) for row in table.rows),
            )
        )
        for start in range(1, count + 1, size)
    )


def _table(table: ReportTableData) -> str:
    heads = "".join(
        f'<th scope="col"{_numbers(column.figures)}>{escape_text(column.title[:LONGEST])}</th>'
        for column in table.columns
    )
    rows = "".join(
        "<tr>" + "".join(_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)) + "</tr>"
        for row in table.rows
    )
    return f'<div class="table"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _numbers(figures: bool) -> str:  # noqa: FBT001 - a column is one or the other
    return ' class="figures"' if figures else ""


def _cell(cell: ReportCell, column: ReportColumn) -> str:
    kinds = " ".join(name for name, on in (("figures", column.figures), ("quiet", cell.quiet)) if on)
    sign = ""
    if cell.shape in SIGNS:
        ink = f"var(--ink-{css_name(cell.tone)})" if cell.tone in CHOICE_TONES else "var(--text2)"
        sign = (
            f'<svg class="sign" viewBox="-8 -8 16 16" aria-hidden="true">'
            f'<use href="#sign-{cell.shape}" style="color:{ink}"/></svg>'
        )
    before = f'<span class="quiet">{escape_text(cell.before)}</span> ' if cell.before else ""
    words = " ".join(
        f'<span class="name">{escape_text(word)}</span>'
        if "-" in word and len(word) <= SHORT_NAME
        else escape_text(word)
        for word in cell.text[:LONGEST].split(" ")
    )
    inside = f"{before}{sign}<bdi>{words}</bdi>"
    return f'<td class="{kinds}">{inside}</td>' if kinds else f"<td>{inside}</td>"
