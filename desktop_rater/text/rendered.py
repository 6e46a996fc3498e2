"""Where the characters of Markdown stand once it is rendered, and where those that are shown came from.

What is rendered is, but for entities and line ends, a part of the source in the same order. So the two are walked along
side by side: the next rendered character is the next one of the source that is equal to it, past markup that shows
nothing. Where that fails, the source has to be shown.

What Qt makes of Markdown was measured with PySide6 6.11 (`QTextDocument.setMarkdown` in GitHub's dialect, raw HTML
off); `tests/text/test_rendered.py` measures it again:

- bullets, numbers and check boxes of lists are no text; blocks and hard breaks end in U+2029; a line end inside a
  paragraph is one blank;
- U+FDD0 stands before each cell of a table, U+FDD1 behind the table;
- entities are decoded but in code; NUL becomes U+FFFD; all else that is shown keeps its code point.
"""

from __future__ import annotations

import html
import re
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from desktop_rater.text.offsets import ShownMap, Utf16Map

PARAGRAPH = "\u2029"
_BREAKS = frozenset((PARAGRAPH, "\ufdd0", "\ufdd1"))  # no characters of the source
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Where a link or an image goes, behind its words; and the label of a reference.
_LINK_TAIL = re.compile(r"\]\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\]\[[^\[\]\n]*\]")
_FENCE = re.compile(r"[ \t>*+\-]*(?:`{3,}[^`\n]*|~{3,}[^\n]*)(?:\n|\Z)")
_MAY_SKIP = frozenset("]`~ \t>*+-")  # where a tail or a fence may begin
_MARKUP = frozenset("*_~`#>[]!|\\+-=.:()<0123456789 \t\n\"'")
_STANDS_FOR = {" ": " \n\t", "\ufffd": "\ufffd\0"}
_CRLF = re.compile("\r\n")
# A few characters in a row are enough to tell a word from a chance letter in an address.
_NEEDLE = 8
_FAR = 5_000


@dataclass(frozen=True)
class RenderedMap:
    """Offsets of a Markdown source, and positions (UTF-16 units) in what is rendered from it, both ways.

    `starts` and `ends` say for each rendered character where in the source it begins and ends; a break between blocks
    is no character of the source, and begins where it ends.
    """

    source: str
    rendered: str
    starts: array[int]
    ends: array[int]

    @cached_property
    def _units(self) -> Utf16Map:
        return Utf16Map(self.rendered)

    def shown_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The positions from the first to behind the last rendered character of a stretch; None if it shows nothing."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        while first < last and self._is_break(first):
            first += 1
        while first < last and self._is_break(last - 1):
            last -= 1
        return (self._units.to_utf16(first), self._units.to_utf16(last)) if first < last else None

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """The stretch of the source from which the characters between two positions came."""
        begin, end = self._units.to_code_point(first), self._units.to_code_point(last)
        while begin < end and self._is_break(begin):
            begin += 1
        while begin < end and self._is_break(end - 1):
            end -= 1
        if begin == end:
            offset = self.to_source(first)
            return offset, offset
        return self.starts[begin], self.ends[end - 1]

    def to_shown(self, code_point: int) -> int:
        """The position of the first rendered character that stands at an offset or behind it."""
        return self._units.to_utf16(bisect_left(self.starts, code_point))

    def to_source(self, utf16: int) -> int:
        """The offset of the character at a position; behind the last one, where that one ends."""
        index = self._units.to_code_point(utf16)
        if index < len(self.starts):
            return self.starts[index]
        return self.ends[-1] if self.ends else 0

    def _is_break(self, index: int) -> bool:
        return self.rendered[index] in _BREAKS


def align(source: str, rendered: str) -> RenderedMap | None:
    """The map between a source and what is rendered from it; None where rendered characters are not in the source."""
    text = ShownMap(source).shown
    found = _Walk(text, rendered, by_lines=True).places() or _Walk(text, rendered, by_lines=False).places()
    if found is None:
        return None
    starts, ends = (_past_carriage_returns(source, offsets) for offsets in found)
    return RenderedMap(source, rendered, starts, ends)


def stands_for(source: str, rendered: str) -> bool:
    """Whether that stretch of the source can be what one rendered character came from."""
    shown = ShownMap(source).shown
    if rendered in (source, shown) or shown in tuple(_STANDS_FOR.get(rendered, ())):
        return True
    return _ENTITY.fullmatch(source) is not None and html.unescape(source) == rendered


class _Walk:
    """One walk along both texts. `by_lines`: each break between blocks is a line end of the source."""

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
                if self.by_lines and character == PARAGRAPH:
                    self.at = self.source.find("\n", self.at) + 1 or len(self.source)
                continue
            found = self._find(index, character)
            if found is None:
                return None
            starts.append(found[0])
            ends.append(found[1])
            self.at = found[1]
        return starts, ends

    def _find(self, index: int, character: str) -> tuple[int, int] | None:
        """Where the source has the rendered character at `index`."""
        if self.source[self.at : self.at + 1] in _MAY_SKIP:
            self._pass_by(index)
        here = self.source[self.at : self.at + 1]
        if here == "&":
            entity = self._entity(self.at, index, character)
            if entity is not None:
                return entity
        if here and (here == character or here in _STANDS_FOR.get(character, "")):
            return self.at, self.at + 1
        return self._further_on(index, character)

    def _pass_by(self, index: int) -> None:
        """Go past what shows nothing though it is made of words: info strings, and where a link goes."""
        source = self.source
        while self.at < len(source):
            line_start = self.at == 0 or source[self.at - 1] == "\n"
            wordy = _FENCE if line_start else _LINK_TAIL
            skipped = wordy.match(source, self.at)
            if skipped is None or self.rendered.startswith(skipped.group().strip(), index):
                return
            self.at = skipped.end()

    def _entity(self, at: int, index: int, character: str) -> tuple[int, int] | None:
        match = _ENTITY.match(self.source, at)
        if match is None or html.unescape(match.group()) != character or self.rendered.startswith(match.group(), index):
            return None
        return match.span()

    def _further_on(self, index: int, character: str) -> tuple[int, int] | None:
        nearest = self._nearest(index, character)
        if nearest is None or _MARKUP.issuperset(self.source[self.at : nearest[0]]):
            return nearest
        rest = self.rendered[index : index + _NEEDLE]
        needle = "".join(takewhile(lambda one: one not in _BREAKS and one not in " &\ufffd", rest))
        word = self.source.find(needle, self.at, self.at + _FAR) if len(needle) > 1 else -1
        return (word, word + 1) if word >= 0 else nearest

    def _nearest(self, index: int, character: str) -> tuple[int, int] | None:
        literal = [self.source.find(one, self.at) for one in _STANDS_FOR.get(character, character)]
        at = min((one for one in literal if one >= 0), default=-1)
        end = at if at >= 0 else len(self.source)
        for match in _ENTITY.finditer(self.source, self.at, end):
            if self._entity(match.start(), index, character) is not None:
                return match.span()
        return (at, at + 1) if at >= 0 else None


def _past_carriage_returns(source: str, offsets: array[int]) -> array[int]:
    """Offsets of the text with plain line feeds as offsets of the source; both ascend."""
    shifts = [match.start() - before for before, match in enumerate(_CRLF.finditer(source))]
    return array("q", [offset + bisect_left(shifts, offset) for offset in offsets]) if shifts else offsets
