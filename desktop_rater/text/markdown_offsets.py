"""Mapping between offsets in Markdown and in the rendered text.

The rendered text is, but for entities and line ends, a part of the source in the same order. So both are scanned in
parallel: the next rendered character is the next equal one of the source, past invisible markup. If that fails, the
source has to be shown instead.

Qt's rendering of Markdown was measured with PySide6 6.11 (`QTextDocument.setMarkdown` in GitHub's dialect, raw HTML
off); `tests/text/test_rendered.py` measures it again:
- bullets, numbers and check boxes of lists are not text; blocks and hard breaks end in U+2029; a line end inside a
  paragraph is one blank;
- U+FDD0 precedes each cell of a table, U+FDD1 follows the table;
- entities are decoded except in code; NUL becomes U+FFFD; every other visible character keeps its code point.
"""

from __future__ import annotations

import html
import re
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from desktop_rater.text.spans import Utf16Map, WidgetTextMap

PARAGRAPH_BREAK = "\u2029"
_BREAKS = frozenset((PARAGRAPH_BREAK, "\ufdd0", "\ufdd1"))  # not characters of the source
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# The destination of a link or an image, after its text; and the label of a reference.
_LINK_TAIL = re.compile(r"[`*_~]*\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]\n]*\])")
_FENCE = re.compile(r"\n*[ \t>*+\-]*(?:`{3,}[^`\n]*|~{3,}[^\n]*)(?:\n|\Z)")
_MAY_SKIP = frozenset("]`~_ \t>*+-\n")  # first characters of a tail or a fence
_MARKUP = frozenset("*_~`#>[]!|\\+-=.:()<0123456789 \t\n\"'")
_STANDS_FOR = {" ": " \n\t", "\ufffd": "\ufffd\0"}
_CRLF = re.compile("\r\n")
# A few characters in a row tell a word from a stray letter in a URL.
_NEEDLE = 8
_FAR = 5_000


@dataclass(frozen=True)
class RenderedMap:
    """Offsets of a Markdown source, and positions (UTF-16 units) in the rendered text, both ways.

    `starts` and `ends` hold, for each rendered character, its start and end in the source; a break between blocks is
    not a character of the source and is empty.
    """

    source: str
    rendered: str
    starts: array[int]
    ends: array[int]

    @cached_property
    def _units(self) -> Utf16Map:
        return Utf16Map(self.rendered)

    def shown_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the positions around the rendered characters of a span; None if it renders to nothing.

        A formula is one character: a span that has a part of it has all of it.
        """
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        while first < last and self.is_break(first):
            first += 1
        while first < last and self.is_break(last - 1):
            last -= 1
        return (self._units.to_utf16(first), self._units.to_utf16(last)) if first < last else None

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the span of the source from which the characters between two positions came."""
        begin, end = self._units.to_code_point(first), self._units.to_code_point(last)
        while begin < end and self.is_break(begin):
            begin += 1
        while begin < end and self.is_break(end - 1):
            end -= 1
        if begin == end:
            offset = self.to_source(first)
            return offset, offset
        return self.starts[begin], self.ends[end - 1]

    def to_shown(self, code_point: int) -> int:
        """Return the position of the first rendered character at or after an offset."""
        return self._units.to_utf16(bisect_left(self.starts, code_point))

    def to_source(self, utf16: int) -> int:
        """Return the offset of the character at a position; after the last one, its end."""
        index = self._units.to_code_point(utf16)
        if index < len(self.starts):
            return self.starts[index]
        return self.ends[-1] if self.ends else 0

    def is_break(self, index: int) -> bool:
        """Return whether a rendered character only ends a block or a cell."""
        return self.rendered[index] in _BREAKS


def align_markdown(source: str, rendered: str) -> RenderedMap | None:
    """Return the map between a source and its rendered text; None if a rendered character is not in the source."""
    text = WidgetTextMap(source).shown
    spans = _Scan(text, rendered, by_lines=True).places() or _Scan(text, rendered, by_lines=False).places()
    if spans is None:
        return None
    starts, ends = (_past_carriage_returns(source, offsets) for offsets in spans)
    return RenderedMap(source, rendered, starts, ends)


class _Scan:
    """Parallel scan of both texts. `by_lines`: each break between blocks is a line end of the source."""

    def __init__(self, source: str, rendered: str, *, by_lines: bool) -> None:
        self.source = source
        self.rendered = rendered
        self.by_lines = by_lines
        self.at = 0

    def places(self) -> tuple[array[int], array[int]] | None:
        starts, ends = array("q"), array("q")
        for index, character in enumerate(self.rendered):
            if character in _BREAKS:
                starts.append(self.at)
                ends.append(self.at)
                if self.by_lines and character == PARAGRAPH_BREAK:
                    self.at = self.source.find("\n", self.at) + 1 or len(self.source)
                continue
            span = self._find(index, character)
            if span is None:
                return None
            starts.append(span[0])
            ends.append(span[1])
            self.at = span[1]
        return starts, ends

    def _find(self, index: int, character: str) -> tuple[int, int] | None:
        if self.source[self.at : self.at + 1] in _MAY_SKIP:
            self._skip_hidden(index)
        current = self.source[self.at : self.at + 1]
        if current == "&":
            entity = self._entity(self.at, index, character)
            if entity is not None:
                return entity
        if current and (current == character or current in _STANDS_FOR.get(character, "")):
            return self.at, self.at + 1
        return self._find_later(index, character)

    def _skip_hidden(self, index: int) -> None:
        """Skip text that is not rendered: info strings of fences and link destinations."""
        source = self.source
        while self.at < len(source):
            line_start = self.at == 0 or "\n" in source[self.at - 1 : self.at + 1]
            wordy = _FENCE if line_start else _LINK_TAIL
            skipped = wordy.match(source, self.at)
            if skipped is None or self.rendered.startswith(skipped.group().strip(), index):
                return
            self.at = skipped.end()

    def _entity(self, start: int, index: int, character: str) -> tuple[int, int] | None:
        match = _ENTITY.match(self.source, start)
        if match is None or html.unescape(match.group()) != character or self.rendered.startswith(match.group(), index):
            return None
        return match.span()

    def _find_later(self, index: int, character: str) -> tuple[int, int] | None:
        nearest = self._nearest(index, character)
        if nearest is None or _MARKUP.issuperset(self.source[self.at : nearest[0]]):
            return nearest
        rest = self.rendered[index : index + _NEEDLE]
        needle = "".join(takewhile(lambda letter: letter not in _BREAKS and letter not in " &\ufffd", rest))
        word = self.source.find(needle, self.at, self.at + _FAR) if len(needle) > 1 else -1
        return (word, word + 1) if word >= 0 else nearest

    def _nearest(self, index: int, character: str) -> tuple[int, int] | None:
        literal = [self.source.find(offset, self.at) for offset in _STANDS_FOR.get(character, character)]
        start = min((offset for offset in literal if offset >= 0), default=-1)
        end = start if start >= 0 else len(self.source)
        for match in _ENTITY.finditer(self.source, self.at, end):
            if self._entity(match.start(), index, character) is not None:
                return match.span()
        return (start, start + 1) if start >= 0 else None


def _past_carriage_returns(source: str, offsets: array[int]) -> array[int]:
    """Convert offsets of the text with plain line feeds to offsets of the source; both ascend."""
    shifts = [match.start() - before for before, match in enumerate(_CRLF.finditer(source))]
    return array("q", [offset + bisect_left(shifts, offset) for offset in offsets]) if shifts else offsets
