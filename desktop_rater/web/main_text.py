"""Which blocks of a page are its main text: trafilatura says so, the words stay the page's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import trafilatura
from bs4 import BeautifulSoup

from desktop_rater.web.flow import Block, Flow, Table
from desktop_rater.web.shown import blocks_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHITE = re.compile(r"\s+")
_NEAR = 400
_LONG = 40
_ENOUGH = 200
_SHARE = 0.02
_PLACED = 0.6


def main_of(html: str, whole: Sequence[Block | Table], url: str) -> list[Block | Table]:
    """The blocks of `whole` that trafilatura takes for the main text.

    Where it finds too little to be true, or what can't be told in the page: all that the page does not put beside.
    """
    found = _extracted(html, url)
    size, all_of_it = len(text_of(found)), len(text_of(whole))
    if size >= _ENOUGH and size >= _SHARE * all_of_it:
        chosen = _Chosen(found).of(whole)
        if len(text_of(chosen)) >= _PLACED * size:
            return chosen
    rest = [part for part in whole if not part.beside]
    return rest if text_of(rest) else list(whole)


def _extracted(html: str, url: str) -> list[Block | Table]:
    try:
        text = trafilatura.extract(
            html, url=url, output_format="html", include_links=True, include_tables=True, include_formatting=True
        )
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a page that its heuristics fail at is still shown whole
        text = None
    body = BeautifulSoup(text or "", "lxml").body
    return Flow(url).read(body) if body else []


class _Chosen:
    """Goes through the page with one finger on what was extracted, which is in the same order."""

    def __init__(self, extracted: Sequence[Block | Table]) -> None:
        lines = [_plain(block) for part in extracted for block in blocks_of(part)]
        self._text = "\n" + "\n".join(line for line in lines if line) + "\n"
        self._at = 0

    def of(self, whole: Sequence[Block | Table]) -> list[Block | Table]:
        return [part for part in whole if self._takes(part)]

    def _takes(self, part: Block | Table) -> bool:
        if isinstance(part, Block):
            return self._finds(part)
        cells = [cell for cell in blocks_of(part) if cell.runs]
        return sum(map(self._finds, cells)) * 2 > len(cells)

    def _finds(self, block: Block) -> bool:
        """A short block stands near the finger, on a line of its own; a long one anywhere."""
        line = _plain(block)
        if not line:
            return block.tag == "pre"
        at = self._text.find(f"\n{line}\n", self._at, self._at + _NEAR + len(line))
        if at < 0 and len(line) >= _LONG:
            at = self._text.find(line, self._at)
            at = at if at >= 0 else self._text.find(line)
        if at < 0:
            return False
        self._at = max(self._at, at + len(line))
        return True


def _plain(block: Block) -> str:
    return _WHITE.sub("", block.text)
