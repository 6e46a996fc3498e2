"""Which blocks of a page are its main text: trafilatura says so, the words stay the page's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import trafilatura

from desktop_rater.web.charset import readable
from desktop_rater.web.flow import Block
from desktop_rater.web.shown import blocks_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.web.flow import Table

_WHITE = re.compile(r"\s+")
# trafilatura's own names, after TEI.
_BLOCKS = frozenset({"body", "p", "head", "list", "item", "table", "row", "cell", "quote", "code", "div", "graphic"})
_NEAR = 400
_LONG = 40
_ENOUGH = 200
_SHARE = 0.02
_PLACED = 0.6


def main_of(html: str, whole: Sequence[Block | Table]) -> list[Block | Table]:
    """The blocks of `whole` that trafilatura takes for the main text.

    Where it finds too little to be true, or what can't be told in the page: all that the page does not put beside.
    """
    lines = _extracted(html)
    size = sum(map(len, lines))
    if size >= _ENOUGH and size >= _SHARE * len(text_of(whole)):
        chosen = _Chosen(lines).of(whole)
        if len(_WHITE.sub("", text_of(chosen))) >= _PLACED * size:
            return chosen
    rest = [part for part in whole if not part.beside]
    return rest if text_of(rest) else list(whole)


def _extracted(html: str) -> list[str]:
    """What trafilatura finds, a block a line, without white space."""
    try:
        found = trafilatura.bare_extraction(html, include_tables=True)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a page that its heuristics fail at is still shown whole
        return []
    body = getattr(found, "body", None)
    lines = (_WHITE.sub("", readable(line)) for line in _lines(body)) if body is not None else ()
    return [line for line in lines if line]


def _lines(element: Any) -> Iterator[str]:
    """The blocks of one of lxml's elements."""
    held: list[str] = []
    waiting: list[tuple[Any, bool]] = [(element, False)]
    while waiting:
        tag, is_over = waiting.pop()
        if tag.tag in _BLOCKS:
            yield "".join(held)
            held = []
        if is_over:
            held.append(tag.tail or "")
            continue
        held.append(tag.text or "")
        waiting.append((tag, True))
        waiting += [(child, False) for child in reversed(tag)]
    yield "".join(held)


class _Chosen:
    """Goes through the page with one finger on what was extracted, which is in the same order."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._text = "\n" + "\n".join(lines) + "\n"
        self._at = 0

    def of(self, whole: Sequence[Block | Table]) -> list[Block | Table]:
        return [part for part in whole if self._takes(part)]

    def _takes(self, part: Block | Table) -> bool:
        if isinstance(part, Block):
            return self._finds(part)
        cells = [cell for cell in blocks_of(part) if cell.runs]
        return sum(map(self._finds, cells)) * 2 > len(cells)

    def _finds(self, block: Block) -> bool:
        """A short block stands near the finger, on a line of its own unless it is code; a long one anywhere."""
        line = _WHITE.sub("", block.text)
        if not line:
            return block.tag == "pre"
        wanted = line if block.tag == "pre" else f"\n{line}\n"
        at = self._text.find(wanted, self._at, self._at + _NEAR + len(line))
        if at < 0 and len(line) >= _LONG:
            at = self._text.find(line, self._at)
            at = at if at >= 0 else self._text.find(line)
        if at < 0:
            return False
        self._at = max(self._at, at + len(line))
        return True
