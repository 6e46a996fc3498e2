"""Blocks rendered as HTML for a text browser and as plain text, within limits that keep the browser fast."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby

import nh3

from desktop_rater.pages.html_tree import ADDED, HtmlBlock, HtmlTable, TextRun, plain_text
from desktop_rater.text.quotes import CELL_SEPARATOR

MAX_PAGE_CHARACTERS = 600_000
# About 40 ms of a text browser's time, which lays out a table as a whole.
_MOST_CELLS = 400
_WIDEST = 40
_LONGEST = 4_000
# Latin, then Chinese and Japanese, then Arabic, Urdu and Hindi.
_SENTENCE_ENDS = re.compile("[.!?] |[\u3002\uff01\uff1f]|[\u061f\u06d4\u0964] ")


def fit_page(parts: Iterable[HtmlBlock | HtmlTable]) -> tuple[list[HtmlBlock | HtmlTable], bool]:
    """Return the parts with large tables as lines and long blocks split, and whether anything is left out."""
    fitting: list[HtmlBlock | HtmlTable] = []
    cells = size = 0
    for part in parts:
        if isinstance(part, HtmlTable):
            count = sum(map(len, part.rows))
            is_cheap = cells + count <= _MOST_CELLS and max(map(len, part.rows)) <= _WIDEST
            cells += count if is_cheap else 0
            pieces: Sequence[HtmlBlock | HtmlTable] = [part] if is_cheap else [*_as_lines(part)]
        else:
            pieces = [*_short(part)]
        for piece in pieces:
            size += _size(piece)
            if size > MAX_PAGE_CHARACTERS:
                return fitting, True
            fitting.append(piece)
    return fitting, False


def _size(part: HtmlBlock | HtmlTable) -> int:
    if isinstance(part, HtmlTable):
        return sum(_size(cell) for row in part.rows for cell in row)
    return sum(len(run.text) for run in part.runs)


def _as_lines(table: HtmlTable) -> Iterator[HtmlBlock]:
    """Yield each row as a paragraph."""
    for row in table.rows:
        runs = (run for cell in row for run in cell.runs)
        shown = (TextRun(" " if run.text == "\n" else run.text, run.href, run.marks) for run in runs)
        line = (TextRun(run.text) if run.text == CELL_SEPARATOR else run for run in shown)
        yield from _short(HtmlBlock("p", tuple(line), beside=table.beside))


def _short(block: HtmlBlock) -> Iterator[HtmlBlock]:
    """Yield the block itself, or several parts of it, split after sentences or words if possible."""
    if _size(block) <= _LONGEST:
        yield block
        return
    held: list[TextRun] = []
    remaining = _LONGEST
    for run in block.runs:
        rest = run.text
        while len(rest) > remaining:
            cut = _cut(rest, remaining) or (0 if held else remaining)
            held.append(TextRun(rest[:cut], run.href, run.marks))
            yield _with_runs(block, held)
            held, remaining, rest = [], _LONGEST, rest[cut:].lstrip()
        held.append(TextRun(rest, run.href, run.marks))
        remaining -= len(rest)
    yield _with_runs(block, held)


def _with_runs(block: HtmlBlock, runs: Iterable[TextRun]) -> HtmlBlock:
    return replace(block, runs=tuple(run for run in runs if run.text))


def _cut(text: str, most: int) -> int:
    """Return where to split `text` into at most `most` characters; 0 if there is no good place."""
    ends = [match.end() for match in _SENTENCE_ENDS.finditer(text, most // 2, most)]
    return ends[-1] if ends else text.rfind(" ", 0, most) + 1


_DEEPEST = 6
# The last filter before HTML leaves the child: a short list of tags, and links to http and https only.
_TAG_NAMES = "a b blockquote br caption code h1 h2 h3 h4 h5 h6 i li ol p pre s sub sup table tbody td th tr u ul"
_TAGS = set(_TAG_NAMES.split())
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}


@dataclass(frozen=True)
class RenderedPage:
    """HTML and text of the same blocks, and the spans of `text` that `html` lacks; `why` tells what is left out."""

    html: str
    text: str
    unshown: tuple[tuple[int, int], ...] = ()
    why: str = ""


def render_page(parts: Iterable[HtmlBlock | HtmlTable]) -> RenderedPage:
    """Render as much of the blocks as a text browser shows quickly."""
    fitting, is_cut = fit_page(parts)
    why = f"Only the first {MAX_PAGE_CHARACTERS:,} characters of this page are shown." if is_cut else ""
    lines: list[str] = []
    unshown: list[tuple[int, int]] = []
    offset = 0
    for line, added in _text_lines(fitting):
        unshown += ((offset + start, offset + end) for start, end in added)
        lines.append(line)
        offset += len(line) + 1
    return RenderedPage(blocks_to_html(fitting), "\n".join(lines), tuple(unshown), why)


def blocks_to_text(parts: Iterable[HtmlBlock | HtmlTable]) -> str:
    """Return the text, a line for each block or row of a table. Blocks without text take no line."""
    return "\n".join(line for line, _ in _text_lines(parts))


def _text_lines(parts: Iterable[HtmlBlock | HtmlTable]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield each line with the spans that only the text has."""
    for part in parts:
        rows = part.rows if isinstance(part, HtmlTable) else ((part,),)
        for row in rows:
            line, added = plain_text(run for cell in row for run in cell.runs)
            if line:
                yield line, added


def blocks_to_html(parts: Sequence[HtmlBlock | HtmlTable]) -> str:
    """Return the HTML for a text browser, without anything that is not on the list: it loads and runs nothing."""
    return nh3.clean(
        "\n".join(_groups(parts)),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel=None,
        strip_comments=True,
        generic_attribute_prefixes=set(),
    )


def iter_blocks(part: HtmlBlock | HtmlTable) -> Iterator[HtmlBlock]:
    """Yield the blocks of a part: itself, or its cells."""
    if isinstance(part, HtmlBlock):
        yield part
    else:
        for row in part.rows:
            yield from row


def _groups(parts: Sequence[HtmlBlock | HtmlTable]) -> Iterator[str]:
    """Yield groups of adjacent blocks that form one element: code, items of lists, quotations."""
    for (quoted, kind), group in groupby(parts, key=_kind):
        if kind == "table":
            tables = (part for part in group if isinstance(part, HtmlTable))
            yield from ("<table>" + "".join(map(_row, table.rows)) + "</table>" for table in tables)
            continue
        blocks = [part for part in group if isinstance(part, HtmlBlock)]
        depth = min(quoted, _DEEPEST)
        if kind == "plain":
            inner = "\n".join(map(_paragraph, blocks))
        else:
            inner = _code(blocks) if kind == "pre" else _lists(blocks)
        if inner:
            yield "<blockquote>" * depth + inner + "</blockquote>" * depth


def _kind(part: HtmlBlock | HtmlTable) -> tuple[int, str]:
    if isinstance(part, HtmlTable):
        return 0, "table"
    return part.quoted, "pre" if part.tag == "pre" else "list" if part.lists else "plain"


def _paragraph(block: HtmlBlock) -> str:
    inner = _inline(block.runs)
    if block.tag == "figcaption":
        return f"<p>{inner}</p>"
    if block.tag == "dt":
        return f"<p><b>{inner}</b></p>"
    if block.tag == "dd":
        return f"<blockquote><p>{inner}</p></blockquote>"
    return f"<{block.tag}>{inner}</{block.tag}>"


def _code(blocks: Sequence[HtmlBlock]) -> str:
    lines = [_inline(block.runs) for block in blocks]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    # Joined, since a text browser does not show empty lines that are blocks of their own.
    return f"<pre>{chr(10).join(lines)}</pre>" if lines else ""


def _lists(blocks: Sequence[HtmlBlock]) -> str:
    """Return list items with lists opened and closed as their depth changes."""
    out: list[str] = []
    open_lists: tuple[str, ...] = ()
    numbers: dict[int, int] = {}  # of the last items, by depth
    for block in blocks:
        lists = block.lists[:_DEEPEST]
        shared = 0
        while shared < min(len(lists), len(open_lists)) and lists[shared] == open_lists[shared]:
            shared += 1
        number, depth = _number(block), len(lists)
        if number is not None and number != numbers.get(depth, 0) + 1:
            shared = min(shared, depth - 1)  # a text browser numbers the items of a list upwards from its start
        out += [f"</{name}>" for name in reversed(open_lists[shared:])]
        out += [f"<{name}>" for name in lists[shared:]]
        if number is not None and shared < depth:
            out[-1] = f'<ol start="{number}">'
        numbers = {level: last for level, last in numbers.items() if level <= shared} | {depth: number or 0}
        open_lists = lists
        out.append(f"<li>{_inline(block.runs)}</li>")
    out += [f"</{name}>" for name in reversed(open_lists)]
    return "".join(out)


def _number(block: HtmlBlock) -> int | None:
    """Return the number of an item of an ordered list."""
    first = block.runs[0] if block.lists[-1:] == ("ol",) else TextRun("")
    return int(first.text.rstrip(". ")) if ADDED in first.marks else None


def _row(row: Sequence[HtmlBlock]) -> str:
    if len(row) == 1 and row[0].tag == "caption":
        return f"<caption>{_inline(row[0].runs)}</caption>"
    return "<tr>" + "".join(map(_cell, row)) + "</tr>"


def _cell(block: HtmlBlock) -> str:
    columns = f' colspan="{block.columns}"' if block.columns > 1 else ""
    columns += f' rowspan="{block.rows}"' if block.rows > 1 else ""
    return f"<{block.tag}{columns}>{_inline(block.runs)}</{block.tag}>"


def _inline(runs: Iterable[TextRun]) -> str:
    return "".join(map(_run_html, runs))


def _run_html(run: TextRun) -> str:
    if run.text == "\n" or ADDED in run.marks:
        return "<br>" if run.text == "\n" else ""
    marks = sorted(run.marks)
    inner = "".join(f"<{mark}>" for mark in marks) + escape(run.text, quote=False)
    inner += "".join(f"</{mark}>" for mark in reversed(marks))
    return f'<a href="{escape(run.href)}">{inner}</a>' if run.href else inner
