"""Main text of a page: trafilatura selects it, the blocks are the page's own."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import trafilatura

from desktop_rater.text.superscripts import without_notation
from desktop_rater.web.blocks import HtmlBlock, HtmlTable
from desktop_rater.web.decoding import strip_invisible
from desktop_rater.web.render import blocks_to_text, iter_blocks

_NO_LETTERS = re.compile(r"[\W_]+")
# trafilatura's names, after TEI.
_BLOCKS = frozenset({"body", "p", "head", "list", "item", "table", "row", "cell", "quote", "code", "div", "graphic"})
_NEAR = 400
_LONG = 40
_ENOUGH = 200
_SHARE = 0.02
_PLACED = 0.6


def select_main_text(html: str, whole: Sequence[HtmlBlock | HtmlTable]) -> list[HtmlBlock | HtmlTable]:
    """Return the blocks of `whole` that trafilatura selects as the main text.

    If it finds implausibly little, or text that can't be located in the page: all blocks outside navigation and the
    like.
    """
    lines = _extracted(html)
    size = sum(map(len, lines))
    if size >= _ENOUGH and size >= _SHARE * len(blocks_to_text(whole)):
        chosen = _BlockSelection(lines).of(whole)
        if len(_letters(blocks_to_text(chosen))) >= _PLACED * size:
            return chosen
    rest = [part for part in whole if not part.beside]
    return rest if blocks_to_text(rest) else list(whole)


def _extracted(html: str) -> list[str]:
    """Return trafilatura's text, a block a line, reduced to letters and digits."""
    try:
        document = trafilatura.bare_extraction(html, include_tables=True)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - if its heuristics fail, the whole page is shown
        return []
    body = getattr(document, "body", None)
    lines = (_letters(line) for line in _lines(body)) if body is not None else ()
    return [line for line in lines if line]


def _letters(text: str) -> str:
    """Return letters and digits only: punctuation and notations are not the same in both."""
    return _NO_LETTERS.sub("", without_notation(strip_invisible(text)))


def _lines(element: Any) -> Iterator[str]:
    """Yield the blocks of one of lxml's elements."""
    held: list[str] = []
    stack: list[tuple[Any, bool]] = [(element, False)]
    while stack:
        tag, is_over = stack.pop()
        if tag.tag in _BLOCKS:
            yield "".join(held)
            held = []
        if is_over:
            held.append(tag.tail or "")
            continue
        held.append(tag.text or "")
        stack.append((tag, True))
        stack += [(child, False) for child in reversed(tag)]
    yield "".join(held)


class _BlockSelection:
    """Selects the page's blocks that are in the extracted text, by a cursor, since both are in the same order."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._text = "\n" + "\n".join(lines) + "\n"
        self._at = 0

    def of(self, whole: Sequence[HtmlBlock | HtmlTable]) -> list[HtmlBlock | HtmlTable]:
        chosen = []
        for part in whole:
            cells = [part] if isinstance(part, HtmlBlock) else [cell for cell in iter_blocks(part) if cell.runs]
            if sum(map(self._finds, cells)) * 2 > len(cells):
                chosen.append(part)
        return chosen

    def _finds(self, block: HtmlBlock) -> bool:
        """Find a block: a short one near the cursor, on a line of its own unless it is code; a long one anywhere."""
        line = _letters(block.shown)
        if not line:
            return block.tag == "pre"
        wanted = line if block.tag == "pre" else f"\n{line}\n"
        position = self._text.find(wanted, self._at, self._at + _NEAR + len(line))
        if position < 0 and len(line) >= _LONG:
            position = self._text.find(line, self._at)
            position = position if position >= 0 else self._text.find(line)
        if position < 0:
            return False
        self._at = max(self._at, position + len(line))
        return True
