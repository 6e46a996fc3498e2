"""Render the report on raters, and panels of other reports, as one self-contained HTML page."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit import report_format
from desktop_rater.audit.assistance_panels import libraries_panel, pull_panel
from desktop_rater.audit.charts.svg import (
    SIGNS,
    DrawingArea,
    css_name,
    estimated_width,
    printable_text,
    render_svg,
    symbol_definitions,
)
from desktop_rater.audit.report import AuditReport
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import (
    ReportPanel,
    ReportTableData,
    agreement_panel,
    column_meanings,
    confusion_panel,
    meanings_of,
    models_panel,
    raters_note,
    raters_table,
    shares_panel,
    summary_panel,
    times_panel,
)
from desktop_rater.audit.results import Caution
from desktop_rater.audit.scale_panels import scale_panels, trends_panel
from desktop_rater.paths import resources
from desktop_rater.rubric.load import CHOICE_TONES

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup


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
        table=raters_table(report, main, texts, whole=True),
        note=raters_note(report, main, texts),
        foot=(report_format.raters_basis(report.raters_from, texts),),
    )
    drawn = [panel for panel in panels if panel.draw is not None]
    trends = trends_panel(report, texts)
    models = models_panel(report, texts)
    pull, libraries = pull_panel(report, texts), libraries_panel(report, texts)
    further = [panel for panel in (models, raters, trends, pull, libraries) if panel is not None]
    summary = meanings_of(report, main, texts).summary
    drawn = [*([summary_panel(summary, texts)] if summary else []), *drawn]
    sections = [_section("", [*drawn, *scale_panels(report, main, texts), *further])]
    for question in rest:
        panels = (confusion_panel(report, question.id, texts), shares_panel(report, question.id, texts))
        title = report_format.question_text(question, texts)
        drawn = [panel for panel in panels if panel.draw is not None]
        sections.append(_section(title, [*drawn, *scale_panels(report, question.id, texts)]))
    number = texts.number
    counts = texts.translate("Report", "{results} results, {raters} raters, {tasks} tasks").format(
        results=number(report.results), raters=number(len(report.raters)), tasks=number(report.tasks)
    )
    about = texts.translate("Report", "Report"), counts
    return render_panels(report, sections, about, texts, colors, lead=lead, language=language)


class PageSection(NamedTuple):
    """Section of a page: its title, and panels, each with whether it takes the whole width."""

    title: str
    panels: tuple[tuple[ReportPanel, bool], ...]


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
    named, counts = about
    when = f"{subject.computed[:16].replace('T', ' ')} UTC"
    title = report_format.shorten(subject.title, LONGEST)
    parts = [
        texts.translate("Report", "by {lead}").format(lead=report_format.shorten(lead, LONGEST)) if lead else "",
        counts,
        texts.translate("Report", "computed {when}, seed {seed}").format(when=when, seed=subject.seed),
        report_format.shorten(subject.bundle, LONGEST) if subject.bundle != subject.title else "",
    ]
    figures = [
        {"title": section.title, "figures": [_figure(panel, texts, wide=wide) for panel, wide in section.panels]}
        for section in sections
        if section.panels
    ]
    return _template().render(
        title=title,
        subject=named,
        about=[part for part in parts if part],
        cautions=[report_format.caution_text(caution, texts) for caution in subject.cautions],
        sections=figures,
        table_title=texts.translate("Report", "Table"),
        language=language,
        light=_named(colors.light),
        dark=_named(colors.dark),
    )


@cache
def _template() -> "Template":
    """Return the page's template, which escapes what it is given; controls and unseen characters are spelled out."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - loads with the first page

    pages = Environment(
        loader=FileSystemLoader(resources() / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else printable_text(str(value)),
        keep_trailing_newline=True,
    )
    drawn = {
        "symbols": _markup(symbol_definitions()),
        "signs": SIGNS,
        "inks": {tone: f"var(--ink-{css_name(tone)})" for tone in CHOICE_TONES},
        "longest": LONGEST,
        "short_name": SHORT_NAME,
    }
    return pages.get_template("report.html", globals=drawn)


def _markup(drawn: str) -> "Markup":
    """Return what the program drew itself as markup."""
    from markupsafe import Markup  # noqa: PLC0415 - as above

    return Markup(drawn)  # noqa: S704 - the texts in it are escaped


def _named(colors: Mapping[str, str]) -> str:
    return "".join(f"--{name.replace(' ', '-')}:{value};" for name, value in colors.items())


def _section(title: str, panels: Sequence[ReportPanel]) -> PageSection:
    return PageSection(title, tuple((panel, False) for panel in panels))


def _figure(panel: ReportPanel, texts: Wording, *, wide: bool = False) -> dict[str, object]:
    """Return a panel with its chart as SVG, its tables, its class, and the meaning of columns."""
    meanings = column_meanings(texts)
    lines = [f"{column.title}: {meanings[column.title]}" for column in panel.table.columns if column.title in meanings]
    figure = {
        "panel": panel,
        "lines": [*panel.foot, *dict.fromkeys(lines)],
        "tables": _tables(panel.table),
        "chart": "",
    }
    if panel.draw is None:
        return {**figure, "kind": "wide" if panel.table.columns else "wide words"}
    area = DrawingArea(WIDE if wide else WIDTH, max(LEAST, panel.rows * ROW + 60), estimated_width, texts.number)
    chart = _markup(render_svg(replace(panel.draw(area), description=panel.title)))
    kind = " ".join(name for name, on in (("wide", wide), ("long", panel.rows > LONG)) if on)
    return {**figure, "kind": kind, "chart": chart}


def _tables(table: ReportTableData) -> list[ReportTableData]:
    """Return a table; one with more columns than paper takes as several, each with the first column."""
    count = len(table.columns) - 1
    if count < 0:
        return []
    parts = max(1, -(-count // MOST_COLUMNS))
    size = -(-count // parts)
    return [
        ReportTableData(
            (table.columns[0], *table.columns[start : start + size]),
            tuple((row[0], *row[start : start + size]) for row in table.rows),
        )
        for start in range(1, count + 1, size)
    ]
