"""Cuts that make a page light enough for a text browser, which takes long for large tables and long paragraphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop_rater.web.flow import Block, Run, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_CHARACTERS = 600_000
# About 40 ms of a text browser's time, which can't lay out half a table.
_MOST_CELLS = 400
_WIDEST = 40
_LONGEST = 4_000
_BETWEEN = " | "
# Beside our own: of Chinese and Japanese, Arabic, Urdu and Hindi.
_SENTENCE_ENDS = re.compile("[.!?] |[\u3002\uff01\uff1f]|[\u061f\u06d4\u0964] ")


def fitted(parts: Iterable[Block | Table]) -> tuple[list[Block | Table], bool]:
    """The parts with tables only as far as they are cheap, no block too long; and whether anything is left out."""
    kept: list[Block | Table] = []
    cells = size = 0
    for part in parts:
        if isinstance(part, Table):
            count = sum(map(len, part.rows))
            is_cheap = cells + count <= _MOST_CELLS and max(map(len, part.rows)) <= _WIDEST
            cells += count if is_cheap else 0
            pieces: Sequence[Block | Table] = [part] if is_cheap else [*_as_lines(part)]
        else:
            pieces = [*_short(part)]
        for piece in pieces:
            size += _size(piece)
            if size > MOST_CHARACTERS:
                return kept, True
            kept.append(piece)
    return kept, False


def _size(part: Block | Table) -> int:
    if isinstance(part, Table):
        return sum(_size(cell) for row in part.rows for cell in row)
    return sum(len(run.text) for run in part.runs)


def _as_lines(table: Table) -> Iterator[Block]:
    """A row a paragraph."""
    for row in table.rows:
        runs: list[Run] = []
        for cell in row:
            runs += [Run(_BETWEEN)] if runs else []
            runs += (Run(" ", run.href) if run.text == "\n" else run for run in cell.runs)
        yield from _short(Block("p", tuple(runs), beside=table.beside))


def _short(block: Block) -> Iterator[Block]:
    """The block itself, or several of it, cut after sentences or words as far as there are any."""
    if _size(block) <= _LONGEST:
        yield block
        return
    held: list[Run] = []
    room = _LONGEST
    for run in block.runs:
        rest = run.text
        while len(rest) > room:
            cut = _cut(rest, room) or (0 if held else room)
            held.append(Run(rest[:cut], run.href, run.marks))
            yield _of(block, held)
            held, room, rest = [], _LONGEST, rest[cut:].lstrip()
        held.append(Run(rest, run.href, run.marks))
        room -= len(rest)
    yield _of(block, held)


def _of(block: Block, runs: Iterable[Run]) -> Block:
    return Block(block.tag, tuple(run for run in runs if run.text), block.lists, block.quoted, beside=block.beside)


def _cut(text: str, room: int) -> int:
    """Where to cut so that at most `room` characters stand before; 0 where nothing offers itself."""
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(text, room // 2, room)]
    return ends[-1] if ends else text.rfind(" ", 0, room) + 1
