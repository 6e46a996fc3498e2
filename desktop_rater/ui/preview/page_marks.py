"""What is marked on a page: the words of the claim, the passage that says most of them, what is evidence already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.text.passages import best_passage, marks, place_of_quote, words_of
from desktop_rater.ui.preview.visits import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.model.rating import Evidence

Span = tuple[int, int]
# A look at more takes longer than a window may stand still.
LOOKED_AT = 60_000
SHAPES = {"supporting": "supports", "contradicting": "contradicts"}


class PageMarks:
    """Stretches are code points of the page's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._claim = ""
        self._words: frozenset[str] = frozenset()
        self._places: dict[Passage, Span | None] = {}
        self.best: Span | None = None
        self.taken: tuple[tuple[Span, str], ...] = ()

    def set_claim(self, claim: str) -> None:
        """Mark the words of another claim."""
        if claim != self._claim:
            self._claim, self._words = claim, words_of(claim)
            self.best = best_passage(self._text[:LOOKED_AT], self._words)

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
