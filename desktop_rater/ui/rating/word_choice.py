"""Choose consecutive words with the arrow keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QTextBoundaryFinder

WordSpan = tuple[int, int]


@dataclass(frozen=True)
class WordChoice:
    """Choice of words by their spans (UTF-16 units): from `anchor` to `active`, both included."""

    words: tuple[WordSpan, ...]
    anchor: int = 0
    active: int = 0

    @property
    def span(self) -> WordSpan:
        low, high = sorted((self.anchor, self.active))
        return self.words[low][0], self.words[high][1]

    def moved(self, by: int, *, extend: bool) -> WordChoice:
        """Return the choice moved by `by` words, or with `extend` grown or shrunk by as many."""
        return self.at(self.active + by, extend=extend)

    def at(self, word: int, *, extend: bool) -> WordChoice:
        """Return the choice at a word, limited to the words there are."""
        active = max(0, min(word, len(self.words) - 1))
        return replace(self, active=active, anchor=self.anchor if extend else active)


def word_spans(text: str) -> tuple[WordSpan, ...]:
    """Return the spans of the words of a text in UTF-16 units, by Unicode word boundaries, without punctuation."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    units = text.encode("utf-16-le", "surrogatepass")
    spans: list[WordSpan] = []
    begin, end = 0, finder.toNextBoundary()
    while end > begin:
        if any(map(str.isalnum, units[2 * begin : 2 * end].decode("utf-16-le", "replace"))):
            spans.append((begin, end))
        begin, end = end, finder.toNextBoundary()
    return tuple(spans)
