"""A page as a sequence of blocks: its content without the layout."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bs4 import Comment, NavigableString, Tag

from desktop_rater.web.decoding import strip_invisible
from desktop_rater.web.hostnames import LinkResolver

# Not the head itself: in a page without <body>, lxml leaves <article> and <main> in it.
_SKIPPED_NAMES = """
script style template noscript iframe object applet audio video canvas svg select datalist button input textarea
title meta link base map noframes
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
form frameset header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th
thead tr ul
"""
_BLOCKS = _HEADINGS | frozenset(_BLOCK_NAMES.split())
_MARKS = {
    "b": "b", "strong": "b", "i": "i", "em": "i", "cite": "i", "var": "i", "dfn": "i", "code": "code", "kbd": "code",
    "samp": "code", "tt": "code", "sup": "sup", "sub": "sub", "s": "s", "del": "s", "strike": "s", "u": "u", "ins": "u",
}  # fmt: skip
_BESIDE = frozenset({"nav", "footer", "aside"})
_BESIDE_ROLES = frozenset({"navigation", "contentinfo", "complementary", "banner", "dialog", "search"})
_LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul"}
_INVISIBLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WHITE = re.compile(r"\s+")
_LONGEST_ALT = 300
_WIDEST_CELL = 20
_FEWEST_ROWS = 2


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run of text in a block; a lone line feed is a line break."""

    text: str
    href: str = ""
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """A paragraph, heading, list item (within `lists`, outermost first), line of code or cell.

    `tag` is p, h1 to h6, li, pre, dt, dd, td, th or caption. `beside` if the page marks it as navigation, a footer or a
    banner.
    """

    tag: str
    runs: tuple[TextRun, ...]
    lists: tuple[str, ...] = ()
    quoted: int = 0
    columns: int = 1
    beside: bool = False

    @property
    def text(self) -> str:
        """Return the text, with each run of white space collapsed to a blank."""
        return _WHITE.sub(" ", "".join(run.text for run in self.runs)).strip()


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows of cells; a row with a single `caption` comes first."""

    rows: tuple[tuple[HtmlBlock, ...], ...]
    beside: bool = False


@dataclass(frozen=True)
class FlowContext:
    """Properties that apply to everything inside an element."""

    href: str = ""
    marks: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()
    quoted: int = 0
    tag: str = "p"
    beside: bool = False


@dataclass
class FlowReader:
    """Collects the blocks of an element whose nesting depth has been checked."""

    hrefs: LinkResolver
    found: list[HtmlBlock | HtmlTable] = field(default_factory=list)
    _runs: list[TextRun] = field(default_factory=list)

    def read(self, element: Tag) -> list[HtmlBlock | HtmlTable]:
        self._walk(element, FlowContext())
        self._end(FlowContext())
        return self.found

    def _walk(self, element: Tag, inside: FlowContext) -> None:
        for child in element.children:
            if isinstance(child, Tag):
                if not _is_hidden(child):
                    self._element(child, inside)
            elif type(child) is NavigableString and not isinstance(child, Comment):
                self._add(str(child), inside)

    def _element(self, tag: Tag, inside: FlowContext) -> None:
        name = tag.name
        if name == "br":
            self._runs.append(TextRun("\n"))
        elif name == "img":
            if alt := _WHITE.sub(" ", str(tag.get("alt") or "")).strip()[:_LONGEST_ALT]:
                self._add(f" [{alt}] ", inside)
        elif name == "math":
            self._add(str(tag.get("alttext") or tag.get_text(" ")), inside)
        elif name == "table" and (table := _table(tag, self.hrefs, beside=inside.beside)):
            self._end(inside)
            self.found.append(table)
        elif name == "pre":
            self._end(inside)
            self._code(tag, inside)
        elif name in _BLOCKS:
            self._block(tag, inside)
        else:
            self._walk(tag, _within(tag, inside, self.hrefs))

    def _block(self, tag: Tag, inside: FlowContext) -> None:
        """Read a block element; inside an item or a cell, a paragraph is only a line break."""
        joins_lines = inside.tag in ("li", "td", "th", "dd", "dt", "caption", *_HEADINGS)
        inner = _block_within(tag, inside)
        breaks = joins_lines and inner.tag == inside.tag and inner.lists == inside.lists and tag.name != "li"
        self._part(inside, breaks=breaks)
        self._walk(tag, inner)
        self._part(inner, breaks=breaks)

    def _part(self, inside: FlowContext, *, breaks: bool) -> None:
        if breaks:
            self._runs.append(TextRun("\n"))
        else:
            self._end(inside)

    def _add(self, text: str, inside: FlowContext) -> None:
        if collapsed := _WHITE.sub(" ", strip_invisible(text)):
            self._runs.append(TextRun(collapsed, inside.href, inside.marks))

    def _code(self, tag: Tag, inside: FlowContext) -> None:
        for line in strip_invisible(tag.get_text()).splitlines():
            code = line.replace("\t", "    ").rstrip()
            runs = (TextRun(code, inside.href),) if code else ()
            self.found.append(HtmlBlock("pre", runs, quoted=inside.quoted, beside=inside.beside))

    def _end(self, inside: FlowContext) -> None:
        """Close the open block, if it is not empty."""
        if runs := _tidied(self._runs):
            self.found.append(HtmlBlock(inside.tag, runs, inside.lists, inside.quoted, beside=inside.beside))
        self._runs = []


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _SKIPPED or tag.get("hidden") is not None:
        return True
    return bool(_INVISIBLE.search(str(tag.get("style") or "")[:1000]))


def _within(tag: Tag, inside: FlowContext, hrefs: LinkResolver) -> FlowContext:
    if tag.name == "a":
        href = hrefs.resolved(tag.get("href"))
        return replace(inside, href=href)
    mark = _MARKS.get(tag.name)
    if mark is None or mark in inside.marks:
        return inside
    return replace(inside, marks=inside.marks | {mark})


def _block_within(tag: Tag, inside: FlowContext) -> FlowContext:
    name, lists, quoted, block_tag = tag.name, inside.lists, inside.quoted, inside.tag
    if name in _LISTS:
        lists, block_tag = (*lists, _LISTS[name]), "p"
    elif name == "blockquote":
        quoted, block_tag = quoted + 1, "p"
    elif name == "li":
        lists, block_tag = lists or ("ul",), "li"
    elif name in ("dt", "dd") or name in _HEADINGS:
        block_tag = name
    beside = inside.beside or tag.name in _BESIDE or tag.get("role") in _BESIDE_ROLES
    return replace(inside, lists=lists, quoted=quoted, tag=block_tag, beside=beside)


def _table(tag: Tag, hrefs: LinkResolver, *, beside: bool) -> HtmlTable | None:
    """Return a table of data; None for a layout table, whose cells are read in order instead.

    A text widget creates every cell of the grid, so few cells in many rows and columns would fill memory.
    """
    if tag.find("table") is not None:
        return None
    rows = [cells for row in tag.find_all("tr") if (cells := tuple(_cells(row, hrefs)))]
    widest = max((sum(cell.columns for cell in row) for row in rows), default=0)
    cells = sum(len(row) for row in rows)
    if len(rows) < _FEWEST_ROWS or widest < 2 or widest * len(rows) > 3 * cells:
        return None
    caption = tag.find("caption")
    above = _cell(caption, hrefs) if isinstance(caption, Tag) else None
    return HtmlTable((*(((above,),) if above and above.runs else ()), *rows), beside)


def _cells(row: Tag, hrefs: LinkResolver) -> Iterator[HtmlBlock]:
    for tag in row.find_all(["td", "th"], recursive=False):
        if isinstance(tag, Tag) and not _is_hidden(tag):
            yield _cell(tag, hrefs)


def _cell(tag: Tag, hrefs: LinkResolver) -> HtmlBlock:
    runs: list[TextRun] = []
    for part in FlowReader(hrefs).read(tag):
        rows = part.rows if isinstance(part, HtmlTable) else ((part,),)
        for block in (cell for row in rows for cell in row):
            runs += [TextRun("\n"), *block.runs] if runs else block.runs
    return HtmlBlock(tag.name, tuple(runs), columns=_columns(tag))


def _columns(tag: Tag) -> int:
    value = str(tag.get("colspan") or "1").strip()
    return min(max(int(value), 1), _WIDEST_CELL) if value.isascii() and value.isdigit() and len(value) < 4 else 1


def _tidied(runs: list[TextRun]) -> tuple[TextRun, ...]:
    """Return `runs` without white space at the ends, next to line breaks, and repeated."""
    tidy: list[TextRun] = []
    for run in runs:
        before = tidy[-1].text if tidy else "\n"
        if run.text == "\n":
            if tidy and before != "\n":
                tidy[-1] = TextRun(before.rstrip(" "), tidy[-1].href, tidy[-1].marks)
                tidy.append(run)
            continue
        text = run.text.lstrip(" ") if before.endswith((" ", "\n")) else run.text
        if text:
            tidy.append(TextRun(text, run.href, run.marks))
    while tidy and not tidy[-1].text.strip():
        tidy.pop()
    if tidy:
        tidy[-1] = TextRun(tidy[-1].text.rstrip(" "), tidy[-1].href, tidy[-1].marks)
    return tuple(run for run in tidy if run.text)
