"""A report as one HTML page that needs nothing else: no script, no address, and each chart also as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit import report_tables, shown
from desktop_rater.audit.charts import of_report
from desktop_rater.audit.charts.dots import dots
from desktop_rater.audit.charts.matrix import matrix
from desktop_rater.audit.charts.shapes import Picture, Sheet
from desktop_rater.audit.charts.shares import shares
from desktop_rater.audit.charts.signs import SIGNS, symbols
from desktop_rater.audit.charts.svg import about_as_wide, css_name, plain, svg
from desktop_rater.audit.charts.times import times
from desktop_rater.audit.html_style import style
from desktop_rater.audit.report_tables import Table
from desktop_rater.rubric.looks import TONES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.report import Report
    from desktop_rater.audit.report_tables import Cell
    from desktop_rater.audit.wording import Wording

WIDTH, ROW, LEAST = 440, 32, 310
LONGEST = 400  # characters of a cell: names and quotes come from outside


class Part(Struct, frozen=True):
    """A chart with its heading, what is said beside and beneath it, and its table."""

    title: str
    picture: Picture | None
    table: Table
    note: str = ""
    foot: tuple[str, ...] = ()
    wide: bool = False


class Colors(Struct, frozen=True):
    """Name of a colour → colour, for a light and for a dark page."""

    light: Mapping[str, str]
    dark: Mapping[str, str]


def html_page(report: Report, words: Wording, colors: Colors, *, lead: str = "", language: str = "en") -> str:
    """The whole page. What others wrote is in it as text and never as markup."""
    main = shown.main_of(report)
    rest = [one.question for one in report.agreement if one.question.id != main and one.question.decisive]
    sections = [_section("", words, [*_pictured(report, main, words), _raters(report, main, words)])]
    sections += [_section(shown.asked(one, words), words, list(_of_question(report, one.id, words))) for one in rest]
    title = plain(f"{shown.cut(report.title, LONGEST)}: {words.report}")
    head = (
        f'<!doctype html><html lang="{plain(language)}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{style(colors.light, colors.dark)}</style></head>"
    )
    return f"{head}<body>{symbols()}{_head(report, words, lead)}{''.join(sections)}</body></html>\n"


def _head(report: Report, words: Wording, lead: str) -> str:
    number = words.number
    rests = words.rests.format(
        results=number(report.results), raters=number(len(report.raters)), tasks=number(report.tasks)
    )
    when = report.computed[:16].replace("T", " ")
    said = [rests, words.seed.format(when=f"{when} UTC", seed=report.seed)]
    if report.bundle != report.title:
        said.append(shown.cut(report.bundle, LONGEST))
    if lead:
        said.insert(0, words.by.format(lead=shown.cut(lead, LONGEST)))
    line = " · ".join(f"<bdi>{plain(one)}</bdi>" for one in said)
    return f"<header><h1>{plain(shown.cut(report.title, LONGEST))}</h1><p>{line}</p></header>"


def _section(title: str, words: Wording, parts: list[Part]) -> str:
    head = f"<h2>{plain(title)}</h2>" if title else ""
    return (
        f'<section>{head}<div class="board">{"".join(_figure(part, words) for part in parts)}</div></section>'
        if parts
        else ""
    )


def _figure(part: Part, words: Wording) -> str:
    drawn = "" if part.picture is None else f'<div class="chart">{svg(part.picture)}</div>'
    foot = "".join(f"<p>{plain(one)}</p>" for one in part.foot if one)
    table = _table(part.table)
    if part.picture is not None:
        table = f"<details open><summary>{plain(words.as_table)}</summary>{table}</details>"
    note = f"<small>{plain(part.note)}</small>" if part.note else ""
    kind = ' class="wide"' if part.wide else ""
    return f"<figure{kind}><figcaption><h3>{plain(part.title)}</h3>{note}</figcaption>{drawn}{foot}{table}</figure>"


def _table(table: Table) -> str:
    heads = "".join(
        f'<th scope="col"{_numbers(column.figures)}>{plain(column.title[:LONGEST])}</th>' for column in table.columns
    )
    rows = "".join(
        "<tr>" + "".join(_cell(cell, table.columns[at].figures) for at, cell in enumerate(row)) + "</tr>"
        for row in table.rows
    )
    return f'<div class="table"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _numbers(figures: bool) -> str:  # noqa: FBT001 - a column is one or the other
    return ' class="figures"' if figures else ""


def _cell(cell: Cell, figures: bool) -> str:  # noqa: FBT001 - as above
    kinds = " ".join(name for name, on in (("figures", figures), ("quiet", cell.quiet)) if on)
    sign = ""
    if cell.shape in SIGNS:
        ink = f"var(--ink-{css_name(cell.tone)})" if cell.tone in TONES else "var(--text2)"
        sign = (
            f'<svg class="sign" viewBox="-8 -8 16 16" aria-hidden="true">'
            f'<use href="#sign-{cell.shape}" style="color:{ink}"/></svg>'
        )
    before = f'<span class="quiet">{plain(cell.before)}</span> ' if cell.before else ""
    inside = f"{before}{sign}<bdi>{plain(cell.words[:LONGEST])}</bdi>"
    return f'<td class="{kinds}">{inside}</td>' if kinds else f"<td>{inside}</td>"


def _sheet(words: Wording, rows: int) -> Sheet:
    return Sheet(WIDTH, max(LEAST, rows * ROW + 60), about_as_wide, words.number)


def _pictured(report: Report, question: str, words: Wording) -> Iterator[Part]:
    """The four charts that the window shows too."""
    rows = of_report.dot_rows(report, question, words)
    if rows:
        picture = dots(rows, _sheet(words, len(rows)), words.agreement)
        found = shown.agreement_on(report, question)
        foot = "" if found is None else _units(found.question.per, found.units, found.pairs, words)
        table = report_tables.agreement(report, question, words)
        yield Part(words.agreement, picture, table, words.intervals, (foot,))
    yield from _of_question(report, question, words)
    lines = of_report.time_rows(report, words)
    if any(line.median is not None for line in lines):
        minutes = report.guideline_seconds / 60 if report.guideline_seconds is not None else None
        title = words.time_target if of_report.of_targets(report) else words.time_task
        sheet = _sheet(words, len(lines))
        picture = times(lines, sheet, unit=words.minutes, guideline=minutes, words=title)
        foot = (words.time_note, of_report.guideline_words(report, words))
        yield Part(title, picture, report_tables.times(report, words), "", foot)


def _of_question(report: Report, question: str, words: Wording) -> Iterator[Part]:
    """The matrix and the shares of a question, where it has few values."""
    table = of_report.matrix_of(report, question, words)
    if table is not None:
        picture = matrix(table, _sheet(words, len(table.labels)), words.confusion)
        foot = (of_report.confused(table, words), of_report.tied(report, question, words))
        yield Part(words.confusion, picture, report_tables.confusion(report, question, words), words.row_share, foot)
    labels, rows = of_report.share_rows(report, question, words)
    if rows:
        picture = shares(labels, rows, _sheet(words, len(rows)), words.shares)
        foot = of_report.share_notes(report, question, words)
        yield Part(words.shares, picture, report_tables.shares(report, question, words), "", foot)


def _raters(report: Report, question: str, words: Wording) -> Part:
    return Part(
        words.raters, None, report_tables.raters(report, question, words, whole=True), words.raters_note, wide=True
    )


def _units(per: str, units: int, pairs: int, words: Wording) -> str:
    return words.units.format(units=words.counted(per, units), pairs=words.number(pairs))
