"""Mapping between a page's text and the Qt document that shows it, and the parts in which it is inserted.

Text and document hold the same words in the same order; they differ in white space, in block separators, in the header
that the reader view adds, and in what rows of tables have only in the text. So the words are scanned in parallel. A
word of the document that is missing in the text maps to nothing; positions are never guessed.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from desktop_rater.text.quotes import CELL_SEPARATOR
from desktop_rater.text.spans import Utf16Map

# Separators of blocks, cells and tables, and the object replacement character, are not letters.
_WORD = re.compile(r"[^\s\ufdd0\ufdd1\ufffc]+")
_BLANK = re.compile(r"[\s\ufdd0\ufdd1\ufffc]*")
# If a word is not the next one of the text, it is searched this far ahead; a short one would match anywhere.
_FAR, _TELLING = 2_000, 4


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with blanks in place of some spans, so that offsets stay the same."""
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], " " * (end - start)]
        last = end
    return "".join((*parts, text[last:]))


@dataclass
class PageOffsetMap:
    """Offsets count code points of `text`, positions count UTF-16 units of the document, as in Qt.

    Filled in steps, like the document. The resulting spans never begin or end with white space. `unshown`: spans of the
    text that the document lacks; those that name a cell belong to it.
    """

    text: str
    unshown: Sequence[tuple[int, int]] = ()
    _positions: list[int] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _at: int = 0

    def __post_init__(self) -> None:
        cells = [span for span in self.unshown if self.text[slice(*span)] != CELL_SEPARATOR]
        self._named = {end: start for start, end in cells}
        self.text = blanked(self.text, self.unshown)

    @property
    def reach(self) -> int:
        """Return the offset up to which the text is in the document so far."""
        return self._at

    def add(self, shown: str, position: int) -> None:
        """Add the next raw part of the document, which begins at `position`."""
        units = Utf16Map(shown)
        for word in _WORD.finditer(shown):
            self._add_word(word.group(), position + units.to_utf16(word.start()))

    def shown_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the positions around the visible characters of a span; None if none is shown."""
        first = self._word_from(start)
        last = bisect_right(self._starts, end - 1) - 1
        if first is None or last < first:
            return None
        begin, stop = max(start, self._starts[first]), min(end, self._ends[last])
        return (self._position(first, begin), self._position(last, stop)) if begin < stop else None

    def source_span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the span of the text between two positions; None if they hold nothing of the page."""
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
        if end == self._starts[high]:  # inside the surrogate pair of its first character
            end = self._ends[high - 1] if high else end
        if start >= end:
            return None
        while start in self._named:
            start = self._named[start]
        return start, end

    def _add_word(self, word: str, position: int) -> None:
        blank = _BLANK.match(self.text, self._at)
        offset = blank.end() if blank else self._at
        if not self.text.startswith(word, offset):
            if self._add_split(word, offset, position):
                return
            offset = self.text.find(word, offset, offset + _FAR) if len(word) >= _TELLING else -1
        if offset >= 0:
            self._put(position, offset, offset + len(word))

    def _add_split(self, word: str, offset: int, position: int) -> bool:
        """Add a word that has white space inside in the text, part by part."""
        parts: list[tuple[int, int, int]] = []
        used = 0
        while used < len(word):
            match = _WORD.match(self.text, offset)
            part = match.group()[: len(word) - used] if match else ""
            if not part or not word.startswith(part, used):
                return False
            parts.append((position + Utf16Map(word).to_utf16(used), offset, offset + len(part)))
            used, offset = used + len(part), offset + len(part)
            blank = _BLANK.match(self.text, offset)
            offset = blank.end() if blank else offset
        for part_position, start, end in parts:
            self._put(part_position, start, end)
        return True

    def _put(self, position: int, start: int, end: int) -> None:
        self._positions.append(position)
        self._starts.append(start)
        self._ends.append(end)
        self._at = end

    def _word_from(self, offset: int) -> int | None:
        """Return the word at an offset, else the next one."""
        word = max(0, bisect_right(self._starts, offset) - 1)
        while word < len(self._starts) and self._ends[word] <= offset:
            word += 1
        return word if word < len(self._starts) else None

    def _position(self, word: int, offset: int) -> int:
        start = self._starts[word]
        return self._positions[word] + Utf16Map(self.text[start : self._ends[word]]).to_utf16(offset - start)

    def _offset(self, word: int, position: int) -> int:
        """Return the offset of a position in a word, clamped to the word."""
        start, end = self._starts[word], self._ends[word]
        units = Utf16Map(self.text[start:end])
        return start + units.to_code_point(max(0, min(position - self._positions[word], units.units)))


_TOKEN = re.compile(r'<(/?)([A-Za-z][A-Za-z0-9]*)((?:[^>"]|"[^"]*")*)>|[^<]+|<')
_START = re.compile(r'\bstart="(\d{1,6})"')
_ENTITY = re.compile(r"&[#A-Za-z0-9]{0,32}$")
_VOID = frozenset({"br", "hr", "wbr", "img", "col"})
# A cut between children of these is invisible; elsewhere it is the last resort.
_SOFT = frozenset({"div", "section", "article", "main", "ul", "ol", "dl", "blockquote"})
_TAG_COSTS = 8
_AT_LAST = 2


class _Cutter:
    def __init__(self, size: int) -> None:
        self.size = size
        self.written: list[str] = []
        self.length = 0
        self.open: list[tuple[str, str]] = []  # name and tag
        self.items: list[int] = []  # number of list items so far, for each open element

    def tag(self, closing: str, name: str, rest: str) -> None:
        self.length += _TAG_COSTS
        self.written.append(f"<{closing}{name}{rest}>")
        if closing:
            while self.open and any(open_name == name for open_name, _tag in self.open):
                self.items.pop()
                if self.open.pop()[0] == name:
                    break
        elif name not in _VOID:
            if name == "li" and self.items:
                self.items[-1] += 1
            self.open.append((name, f"<{name}{rest}>"))
            self.items.append(0)

    def text(self, text: str) -> None:
        self.length += len(text)
        self.written.append(text)

    @property
    def is_due(self) -> bool:
        soft = all(name in _SOFT for name, _tag in self.open)
        return self.length >= (self.size if soft else _AT_LAST * self.size)

    def take(self) -> str:
        part = "".join((*self.written, *(f"</{name}>" for name, _tag in reversed(self.open))))
        elements = zip(self.open, self.items, strict=True)
        self.open = [(name, _numbered(tag, count) if name == "ol" else tag) for (name, tag), count in elements]
        self.items = [0] * len(self.open)
        self.written = [tag for _name, tag in self.open]
        self.length = 0
        return part


def split_html(html: str, size: int) -> Iterator[str]:
    """Yield parts of about `size` characters, each with balanced tags; list numbers continue."""
    cutter = _Cutter(size)
    for token in _TOKEN.finditer(html):
        if token[2] is not None:
            cutter.tag(token[1], token[2].lower(), token[3])
            if cutter.is_due:
                yield cutter.take()
            continue
        text = token.group().replace("<", "&lt;")
        for piece in _pieces(text, size):
            cutter.text(piece)
            if len(text) > size and cutter.is_due:
                yield cutter.take()
    if cutter.length:
        yield cutter.take()


def _pieces(text: str, size: int) -> Iterator[str]:
    """Yield a text in pieces of at most `size`, cut at blanks if possible and never inside an entity."""
    start = 0
    while len(text) - start > size:
        end = max(text.rfind(" ", start, start + size), text.rfind("\n", start, start + size)) + 1
        if end <= start:
            end = start + size
            entity = _ENTITY.search(text, max(start, end - 40), end)
            if entity is not None:
                end = entity.start() if entity.start() > start else text.find(";", end) + 1 or end
        yield text[start:end]
        start = end
    yield text[start:]


def _numbered(tag: str, count: int) -> str:
    start = _START.search(tag)
    return f'<ol start="{(int(start[1]) if start else 1) + count}">'
