"""Where the words of a page's text stand in the document that shows the page, and back.

Both hold the same words in the same order; they differ in white space, in what parts one block from the next, and in
what the reader view itself writes above the page. So the words are walked along side by side. A word of the document
that the text does not have is in no stretch of it; nothing is ever guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from desktop_rater.text.offsets import Utf16Map

# What parts blocks, cells and tables in a document of Qt, and what stands there for an object, are no letters.
_WORD = re.compile(r"[^\s\ufdd0\ufdd1\ufffc]+")
_BLANK = re.compile(r"[\s\ufdd0\ufdd1\ufffc]*")
# Where a word is not the next one of the text, it is looked for this far on; a short one would be found anywhere.
_FAR, _TELLING = 2_000, 4


@dataclass
class PagePlaces:
    """Offsets count code points of `text`, positions count UTF-16 units of the document, as Qt does.

    Filled stretch by stretch, as the document is. What comes out of it never begins or ends with white space.
    """

    text: str
    _positions: list[int] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _at: int = 0

    @property
    def reach(self) -> int:
        """How far into the text the document goes by now."""
        return self._at

    def add(self, shown: str, position: int) -> None:
        """A stretch of the document, raw, which begins at `position` and follows what was added before."""
        units = Utf16Map(shown)
        for word in _WORD.finditer(shown):
            self._add_word(word.group(), position + units.to_utf16(word.start()))

    def shown_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The positions from the first to behind the last character of a stretch; None if nothing of it is shown."""
        first = self._word_from(start)
        last = bisect_right(self._starts, end - 1) - 1
        if first is None or last < first:
            return None
        begin, stop = max(start, self._starts[first]), min(end, self._ends[last])
        return (self._position(first, begin), self._position(last, stop)) if begin < stop else None

    def source_span(self, first: int, last: int) -> tuple[int, int] | None:
        """The stretch of the text between two positions; None if nothing of the page stands there."""
        low = max(0, bisect_right(self._positions, first) - 1)
        high = bisect_right(self._positions, last - 1) - 1
        if high < low:
            return None
        start = self._offset(low, first)
        if start == self._ends[low]:
            if low == high:
                return None
            start = self._starts[low + 1]
        end = self._offset(high, last)
        if end == self._starts[high]:  # between the halves of its first character
            end = self._ends[high - 1] if high else end
        return (start, end) if start < end else None

    def _add_word(self, word: str, position: int) -> None:
        blank = _BLANK.match(self.text, self._at)
        at = blank.end() if blank else self._at
        if not self.text.startswith(word, at):
            if self._add_split(word, at, position):
                return
            at = self.text.find(word, at, at + _FAR) if len(word) >= _TELLING else -1
        if at >= 0:
            self._put(position, at, at + len(word))

    def _add_split(self, word: str, at: int, position: int) -> bool:
        """A word that has white space inside in the text: each part of it."""
        parts: list[tuple[int, int, int]] = []
        done = 0
        while done < len(word):
            found = _WORD.match(self.text, at)
            part = found.group()[: len(word) - done] if found else ""
            if not part or not word.startswith(part, done):
                return False
            parts.append((position + Utf16Map(word).to_utf16(done), at, at + len(part)))
            done, at = done + len(part), at + len(part)
            blank = _BLANK.match(self.text, at)
            at = blank.end() if blank else at
        for part_position, start, end in parts:
            self._put(part_position, start, end)
        return True

    def _put(self, position: int, start: int, end: int) -> None:
        self._positions.append(position)
        self._starts.append(start)
        self._ends.append(end)
        self._at = end

    def _word_from(self, offset: int) -> int | None:
        """The word in which an offset lies, else the next one."""
        word = max(0, bisect_right(self._starts, offset) - 1)
        while word < len(self._starts) and self._ends[word] <= offset:
            word += 1
        return word if word < len(self._starts) else None

    def _position(self, word: int, offset: int) -> int:
        start = self._starts[word]
        return self._positions[word] + Utf16Map(self.text[start : self._ends[word]]).to_utf16(offset - start)

    def _offset(self, word: int, position: int) -> int:
        """The offset of a position in a word; at its ends where the position lies beside it."""
        start, end = self._starts[word], self._ends[word]
        units = Utf16Map(self.text[start:end])
        return start + units.to_code_point(max(0, min(position - self._positions[word], units.units)))
