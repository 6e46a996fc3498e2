"""Blocks as HTML for a text browser, and as plain text: the same words, block for block."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from desktop_rater.web.clean import cleaned
from desktop_rater.web.fitting import MOST_CHARACTERS, fitted
from desktop_rater.web.flow import Block, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop_rater.web.flow import Run

_DEEPEST = 6


@dataclass(frozen=True)
class Shown:
    """HTML and text of the same blocks; `why` says what is left out."""

    html: str
    text: str
    why: str = ""


def shown_of(parts: Iterable[Block | Table]) -> Shown:
    """What a text browser shows of them without effort."""
    kept, is_cut = fitted(parts)
    why = f"Only the first {MOST_CHARACTERS:,} characters of this page are shown." if is_cut else ""
    return Shown(html_of(kept), text_of(kept), why)


def text_of(parts: Iterable[Block | Table]) -> str:
    """A block a line; a cell is a block. Blocks without text take no line."""
    lines = (block.text for part in parts for block in blocks_of(part))
    return "\n".join(line for line in lines if line)


def html_of(parts: Sequence[Block | Table]) -> str:
    """The same for a text browser, cleaned."""
    return cleaned("\n".join(_grouped(parts)))


def blocks_of(part: Block | Table) -> Iterator[Block]:
    """The blocks of a part: itself, or its cells."""
    if isinstance(part, Block):
        yield part
    else:
        for row in part.rows:
            yield from row


def _grouped(parts: Sequence[Block | Table]) -> Iterator[str]:
    """Neighbours that Qt and HTML take for one thing together: code, items of lists, quotations."""
    for (quoted, kind), group in groupby(parts, key=_kind):
        if kind == "table":
            yield from (_table(part) for part in group if isinstance(part, Table))
            continue
        blocks = [part for part in group if isinstance(part, Block)]
        depth = min(quoted, _DEEPEST)
        inner = {"pre": _code, "list": _lists}.get(kind, _plain)(blocks)
        if inner:
            yield "<blockquote>" * depth + inner + "</blockquote>" * depth


def _kind(part: Block | Table) -> tuple[int, str]:
    if isinstance(part, Table):
        return 0, "table"
    return part.quoted, "pre" if part.tag == "pre" else "list" if part.lists else "plain"


def _plain(blocks: Sequence[Block]) -> str:
    return "\n".join(_paragraph(block) for block in blocks)


def _paragraph(block: Block) -> str:
    inner = _inline(block.runs)
    if block.tag == "dt":
        return f"<p><b>{inner}</b></p>"
    if block.tag == "dd":
        return f"<blockquote><p>{inner}</p></blockquote>"
    return f"<{block.tag}>{inner}</{block.tag}>"


def _code(blocks: Sequence[Block]) -> str:
    lines = ["".join(run.text for run in block.runs) for block in blocks]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    # The empty lines between would be blocks of their own in a text browser, which shows nothing of them.
    return f"<pre>{escape(chr(10).join(lines), quote=False)}</pre>" if lines else ""


def _lists(blocks: Sequence[Block]) -> str:
    """Items one after another, with lists opened and closed as their depth changes."""
    out: list[str] = []
    open_lists: tuple[str, ...] = ()
    for block in blocks:
        lists = block.lists[:_DEEPEST]
        shared = 0
        while shared < min(len(lists), len(open_lists)) and lists[shared] == open_lists[shared]:
            shared += 1
        out += [f"</{name}>" for name in reversed(open_lists[shared:])]
        out += [f"<{name}>" for name in lists[shared:]]
        open_lists = lists
        out.append(f"<li>{_inline(block.runs)}</li>")
    out += [f"</{name}>" for name in reversed(open_lists)]
    return "".join(out)


def _table(table: Table) -> str:
    return "<table>" + "".join(_row(row) for row in table.rows) + "</table>"


def _row(row: Sequence[Block]) -> str:
    if len(row) == 1 and row[0].tag == "caption":
        return f"<caption>{_inline(row[0].runs)}</caption>"
    return "<tr>" + "".join(map(_cell, row)) + "</tr>"


def _cell(block: Block) -> str:
    columns = f' colspan="{block.columns}"' if block.columns > 1 else ""
    return f"<{block.tag}{columns}>{_inline(block.runs)}</{block.tag}>"


def _inline(runs: Iterable[Run]) -> str:
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    if run.text == "\n":
        return "<br>"
    marks = sorted(run.marks)
    inner = "".join(f"<{mark}>" for mark in marks) + escape(run.text, quote=False)
    inner += "".join(f"</{mark}>" for mark in reversed(marks))
    return f'<a href="{escape(run.href)}">{inner}</a>' if run.href else inner
