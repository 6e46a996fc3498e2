"""Choosing passages of a page sentence by sentence. Pure."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from desktop_rater.text.sentences import sentences

Span = tuple[int, int]


@dataclass
class PageSentences:
    """The sentences of a page's text, a block a line; a block is cut only when somebody comes to it."""

    text: str
    lang: str = "en"
    _lines: list[int] = field(default_factory=list)
    _cut: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at = 0
        while at >= 0:
            self._lines.append(at)
            found = self.text.find("\n", at)
            at = found + 1 if found >= 0 else -1

    def at(self, offset: int) -> Span | None:
        """The sentence at an offset, else the next one, else the last one before it."""
        line = bisect_right(self._lines, offset) - 1
        within = next((one for one in self._of(line) if offset < one[1]), None)
        return within or self.after(offset) or self.before(offset)

    def after(self, offset: int) -> Span | None:
        """The first sentence that begins at an offset or behind it."""
        line = max(0, bisect_right(self._lines, offset) - 1)
        while line < len(self._lines):
            found = next((one for one in self._of(line) if one[0] >= offset), None)
            if found is not None:
                return found
            line += 1
        return None

    def before(self, offset: int) -> Span | None:
        """The last sentence that ends at an offset or before it."""
        line = bisect_right(self._lines, offset) - 1
        while line >= 0:
            found = next((one for one in reversed(self._of(line)) if one[1] <= offset), None)
            if found is not None:
                return found
            line -= 1
        return None

    def _of(self, line: int) -> tuple[Span, ...]:
        if line not in self._cut:
            start = self._lines[line]
            end = self._lines[line + 1] - 1 if line + 1 < len(self._lines) else len(self.text)
            cuts = sentences(self.text[start:end], self.lang) if start < end else []
            self._cut[line] = tuple((start + first, start + last) for first, last in cuts)
        return self._cut[line]


def stepped(known: PageSentences, chosen: Span | None, by: int, *, near: int = 0) -> Span | None:
    """The next or the previous sentence; with nothing chosen the one at `near`."""
    if chosen is None:
        return known.at(near)
    found = known.after(chosen[1]) if by > 0 else known.before(chosen[0])
    return found or chosen


def grown(known: PageSentences, chosen: Span | None, *, near: int = 0) -> Span | None:
    """A sentence more: what is chosen is first taken to the end of its own sentence."""
    if chosen is None:
        return known.at(near)
    first, last = known.at(chosen[0]), known.at(chosen[1] - 1)
    if first is None or last is None:
        return chosen
    whole = min(first[0], chosen[0]), max(last[1], chosen[1])
    if whole != chosen:
        return whole
    following = known.after(chosen[1])
    return (chosen[0], following[1]) if following is not None else chosen


def shrunk(known: PageSentences, chosen: Span | None) -> Span | None:
    """A sentence less; the last one stays."""
    if chosen is None:
        return None
    last = known.at(chosen[1] - 1)
    if last is None or last[0] <= chosen[0]:
        return chosen
    before = known.before(last[0])
    return (chosen[0], max(before[1], chosen[0] + 1)) if before is not None and before[1] > chosen[0] else chosen
