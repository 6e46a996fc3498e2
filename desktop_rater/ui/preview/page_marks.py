"""What is marked on a page: the words of the claim, the passage that says most of them, what is evidence already."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from desktop_rater.text.passages import best_passage, marks, place_of_quote, words_of
from desktop_rater.ui.preview.visits import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.model.rating import Evidence

Span = tuple[int, int]
# Code points that are looked through at once: more takes longer than a window may stand still.
AT_ONCE = 20_000
SHAPES = {"supporting": "supports", "contradicting": "contradicts"}


class PageMarks:
    """Stretches are code points of the page's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._claim = ""
        self._words: frozenset[str] = frozenset()
        self._places: dict[Passage, Span | None] = {}
        self._looked_to = 0
        self._found: list[Span] = []
        self.best: Span | None = None
        self.taken: tuple[tuple[Span, str], ...] = ()

    def set_claim(self, claim: str) -> bool:
        """Mark the words of a claim; False where they are marked already."""
        if claim == self._claim:
            return False
        self._claim, self._words = claim, words_of(claim)
        self._looked_to, self._found, self.best = 0, [], None
        return True

    def look(self) -> bool:
        """Look for the claim in a part more of the page; False where all of it has been seen."""
        start, end = self._looked_to, self._part_end(self._looked_to)
        if start == end or not self._words:
            return False
        found = best_passage(self._text[start:end], self._words)
        if found is not None:
            self._found.append((start + found[0], start + found[1]))
        self._looked_to = end
        self.best = self._best_of_all()
        return end < len(self._text)

    def _part_end(self, start: int) -> int:
        """Parts of about one size: in a short rest every word would seem rare."""
        length = len(self._text)
        size = ceil(length / ceil(length / AT_ONCE)) if length else 0
        if start + size >= length:
            return length
        line_end = self._text.rfind("\n", start + 1, start + size)
        return line_end if line_end > 0 else start + size

    def _best_of_all(self) -> Span | None:
        """Of the best passages of each part the one that is best beside the others."""
        if len(self._found) < 2:
            return self._found[0] if self._found else None
        beside = "\n".join(self._text[first:last].replace("\n", " ") for first, last in self._found)
        best = best_passage(beside, self._words)
        number = beside.count("\n", 0, best[0]) if best is not None else 0
        return self._found[number]

    def words_in(self, start: int, end: int) -> Iterator[Span]:
        """The words of the claim in a stretch."""
        return ((start + first, start + last) for first, last in marks(self._text[start:end], self._words))

    def place_of(self, passage: Passage) -> Span | None:
        """Where a passage stands; None where the page does not have it."""
        if passage not in self._places:
            self._places[passage] = place_in(self._text, passage)
        return self._places[passage]

    def set_taken(self, pieces: Iterable[Evidence]) -> None:
        """Mark the quotes of evidence."""
        quoted = ((Passage(one.quote, one.prefix, one.suffix), one.stance) for one in pieces if one.quote)
        found = ((self.place_of(passage), SHAPES.get(stance or "", "")) for passage, stance in quoted)
        self.taken = tuple((place, shape) for place, shape in found if place is not None)


def place_in(text: str, passage: Passage) -> Span | None:
    """Where a passage stands in a text: to the letter where it does, else nearly so."""
    at = text.find(passage.prefix + passage.quote + passage.suffix) if passage.quote else -1
    if at >= 0:
        return at + len(passage.prefix), at + len(passage.prefix) + len(passage.quote)
    return place_of_quote(text, passage.quote, passage.prefix, passage.suffix)
