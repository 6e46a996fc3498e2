"""A page as a flow of blocks: what stands in it, without how it was laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bs4 import Comment, NavigableString, Tag

from desktop_rater.web.charset import readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.web.hrefs import Hrefs

# Not the head itself: where a page has no <body>, lxml leaves <article> and <main> in there.
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
class Run:
    """A stretch of a block; a lone line feed is a line break."""

    text: str
    href: str = ""
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading, an item of a list (within `lists`, outermost first), a line of code or a cell.

    `tag` is p, h1 to h6, li, pre, dt, dd, td, th or caption. `beside` where the page itself calls it navigation, a
    footer or a banner.
    """

    tag: str
    runs: tuple[Run, ...]
    lists: tuple[str, ...] = ()
    quoted: int = 0
    columns: int = 1
    beside: bool = False

    @property
    def text(self) -> str:
        """The characters, a blank for each stretch of white space."""
        return _WHITE.sub(" ", "".join(run.text for run in self.runs)).strip()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a row that is a single `caption` stands above the others."""

    rows: tuple[tuple[Block, ...], ...]
    beside: bool = False


@dataclass(frozen=True)
class Inside:
    """What holds for all that is inside an element."""

    href: str = ""
    marks: frozenset[str] = frozenset()
    lists: tuple[str, ...] = ()
    quoted: int = 0
    tag: str = "p"
    beside: bool = False


@dataclass
class Flow:
    """Walks an element whose nesting has been measured, and gathers its blocks."""

    hrefs: Hrefs
    found: list[Block | Table] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)

    def read(self, element: Tag) -> list[Block | Table]:
        """The blocks of `element`, in order."""
        self._walk(element, Inside())
        self._end(Inside())
        return self.found

    def _walk(self, element: Tag, inside: Inside) -> None:
        for child in element.children:
            if isinstance(child, Tag):
                if not _is_hidden(child):
                    self._element(child, inside)
            elif type(child) is NavigableString and not isinstance(child, Comment):
                self._text(str(child), inside)

    def _element(self, tag: Tag, inside: Inside) -> None:
        name = tag.name
        if name == "br":
            self._runs.append(Run("\n"))
        elif name == "img":
            self._picture(tag, inside)
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

    def _block(self, tag: Tag, inside: Inside) -> None:
        """In an item or a cell, a paragraph is only a line of its own."""
        held = inside.tag in ("li", "td", "th", "dd", "dt", "caption", *_HEADINGS)
        inner = _block_within(tag, inside)
        breaks = held and inner.tag == inside.tag and inner.lists == inside.lists and tag.name != "li"
        self._part(inside, breaks=breaks)
        self._walk(tag, inner)
        self._part(inner, breaks=breaks)

    def _part(self, inside: Inside, *, breaks: bool) -> None:
        if breaks:
            self._runs.append(Run("\n"))
        else:
            self._end(inside)

    def _text(self, text: str, inside: Inside) -> None:
        self._add(text, inside)

    def _add(self, text: str, inside: Inside) -> None:
        if kept := _WHITE.sub(" ", readable(text)):
            self._runs.append(Run(kept, inside.href, inside.marks))

    def _picture(self, tag: Tag, inside: Inside) -> None:
        words = _WHITE.sub(" ", str(tag.get("alt") or "")).strip()[:_LONGEST_ALT]
        if words:
            self._add(f" [{words}] ", inside)

    def _code(self, tag: Tag, inside: Inside) -> None:
        for line in readable(tag.get_text()).splitlines():
            kept = line.replace("\t", "    ").rstrip()
            runs = (Run(kept, inside.href),) if kept else ()
            self.found.append(Block("pre", runs, quoted=inside.quoted, beside=inside.beside))

    def _end(self, inside: Inside) -> None:
        """Close the block that is open, if it holds anything."""
        if runs := _tidy(self._runs):
            self.found.append(Block(inside.tag, runs, inside.lists, inside.quoted, beside=inside.beside))
        self._runs = []


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _SKIPPED or tag.get("hidden") is not None:
        return True
    return bool(_INVISIBLE.search(str(tag.get("style") or "")[:1000]))


def _within(tag: Tag, inside: Inside, hrefs: Hrefs) -> Inside:
    """What holds inside an inline element."""
    if tag.name == "a":
        href = hrefs.resolved(tag.get("href"))
        return replace(inside, href=href)
    mark = _MARKS.get(tag.name)
    if mark is None or mark in inside.marks:
        return inside
    return replace(inside, marks=inside.marks | {mark})


def _block_within(tag: Tag, inside: Inside) -> Inside:
    """What holds inside an element that is a block."""
    name, lists, quoted, kept = tag.name, inside.lists, inside.quoted, inside.tag
    if name in _LISTS:
        lists, kept = (*lists, _LISTS[name]), "p"
    elif name == "blockquote":
        quoted, kept = quoted + 1, "p"
    elif name == "li":
        lists, kept = lists or ("ul",), "li"
    elif name in ("dt", "dd") or name in _HEADINGS:
        kept = name
    beside = inside.beside or _is_beside(tag)
    return replace(inside, lists=lists, quoted=quoted, tag=kept, beside=beside)


def _is_beside(tag: Tag) -> bool:
    return tag.name in _BESIDE or tag.get("role") in _BESIDE_ROLES


def _table(tag: Tag, hrefs: Hrefs, *, beside: bool) -> Table | None:
    """A table of data; None for one that only lays a page out: its cells are then read as they come.

    A text widget makes a cell of every place in the grid, so few cells in many rows and columns would fill memory.
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
    return Table((*(((above,),) if above and above.runs else ()), *rows), beside)


def _cells(row: Tag, hrefs: Hrefs) -> Iterator[Block]:
    for tag in row.find_all(["td", "th"], recursive=False):
        if isinstance(tag, Tag) and not _is_hidden(tag):
            yield _cell(tag, hrefs)


def _cell(tag: Tag, hrefs: Hrefs) -> Block:
    """All that stands in a cell as one block."""
    runs: list[Run] = []
    for part in Flow(hrefs).read(tag):
        rows = part.rows if isinstance(part, Table) else ((part,),)
        for block in (cell for row in rows for cell in row):
            runs += [Run("\n"), *block.runs] if runs else block.runs
    return Block(tag.name, tuple(runs), columns=_columns(tag))


def _columns(tag: Tag) -> int:
    said = str(tag.get("colspan") or "1").strip()
    return min(max(int(said), 1), _WIDEST_CELL) if said.isascii() and said.isdigit() and len(said) < 4 else 1


def _tidy(runs: list[Run]) -> tuple[Run, ...]:
    """`runs` without white space at the ends, beside line breaks, and twice in a row."""
    kept: list[Run] = []
    for run in runs:
        before = kept[-1].text if kept else "\n"
        if run.text == "\n":
            if kept and before != "\n":
                kept[-1] = Run(before.rstrip(" "), kept[-1].href, kept[-1].marks)
                kept.append(run)
            continue
        text = run.text.lstrip(" ") if before.endswith((" ", "\n")) else run.text
        if text:
            kept.append(Run(text, run.href, run.marks))
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept:
        kept[-1] = Run(kept[-1].text.rstrip(" "), kept[-1].href, kept[-1].marks)
    return tuple(run for run in kept if run.text)
