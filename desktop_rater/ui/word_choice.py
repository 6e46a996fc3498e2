"""Choosing words one after the other by the arrow keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QTextBoundaryFinder

Span = tuple[int, int]


@dataclass(frozen=True)
class WordChoice:
    """Words by where they begin and end (UTF-16 units): those from `anchor` to `active` are chosen."""

    words: tuple[Span, ...]
    anchor: int = 0
    active: int = 0

    @property
    def span(self) -> Span:
        low, high = sorted((self.anchor, self.active))
        return self.words[low][0], self.words[high][1]

    def moved(self, by: int, *, extend: bool) -> WordChoice:
        """The next word, or with `extend` one word more or less."""
        return self.at(self.active + by, extend=extend)

    def at(self, word: int, *, extend: bool) -> WordChoice:
        """That word, as far as there are any."""
        active = max(0, min(word, len(self.words) - 1))
        return replace(self, active=active, anchor=self.anchor if extend else active)


def words_in(text: str) -> tuple[Span, ...]:
    """The words of a text as its language divides them, in UTF-16 units; what is no letter and no figure is none."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    units = text.encode("utf-16-le", "surrogatepass")
    found: list[Span] = []
    begin, end = 0, finder.toNextBoundary()
    while end > begin:
        if any(map(str.isalnum, units[2 * begin : 2 * end].decode("utf-16-le", "replace"))):
            found.append((begin, end))
        begin, end = end, finder.toNextBoundary()
    return tuple(found)
