"""Where the marked texts of a source stand in their response, when the source gives no offsets."""

from __future__ import annotations

import re

from desktop_rater.bundle.targets import MOST_CLOSE_WORK, Aligned, Unplaced, at_place
from desktop_rater.model.task import Target
from desktop_rater.text.quotes import Place, close_place, similar

_ENDS = " \t\r\n.,;:…"


class Placing:
    """Texts that are found one after the other.

    The search for the next one begins behind the one before, so that repeated ones find their own places. One that
    is found only further up is taken where no other stands. `lenient`: another case, white space or full stop at the
    end is no difference.
    """

    def __init__(self, text: str, response: str, *, lenient: bool = False) -> None:
        self.targets: list[Target] = []
        self.unplaced: list[Unplaced] = []
        self.aligned: list[Aligned] = []
        self._text = text
        self._response = response
        self._find = place_of_mark if lenient else _find
        self._behind = 0
        self._taken: list[Place] = []

    def next(self, id_: str, quote: str) -> Target | None:
        """The next text as a target, or `None` where it finds no place."""
        quote = quote.strip()
        at = self._after(quote) or self._anywhere(quote) if quote else None
        if at is None:
            why = "it is nowhere in the response, nor 95 % of it" if quote else "it is empty"
            self.unplaced.append(Unplaced(target=id_, quote=quote, why=why))
            return None
        self._taken.append(at)
        self._behind = max(self._behind, at.end)
        target = at_place(Target(id=id_, response=self._response), self._text, at)
        self.targets.append(target)
        if at.how == "close":
            self.aligned.append(
                Aligned(target=id_, how=at.how, quote=quote, found=target.quote or "", similarity=at.similarity)
            )
        return target

    def _after(self, quote: str) -> Place | None:
        found = self._find(self._text[self._behind :], quote)
        return found and Place(found.start + self._behind, found.end + self._behind, found.how, found.similarity)

    def _anywhere(self, quote: str) -> Place | None:
        found = self._find(self._text, quote)
        if found is None or any(_same_text(found, other) for other in self._taken):
            return None
        return found


def place_of_mark(text: str, quote: str) -> Place | None:
    """Where a text stands that a person marked and that was written down with another case, space or full stop.

    Marks may overlap, so nothing is taken. The first exact occurrence, else the first that differs in no more than
    that, else a close one.
    """
    at = text.find(quote)
    if at >= 0:
        return Place(at, at + len(quote), "exact")
    words = quote.strip(_ENDS).split()
    if words:
        found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
        if found:
            start, end = found.span()
            return Place(start, end, "close", similar(quote, text[start:end]))
    return _find(text, quote)


def _same_text(one: Place, other: Place) -> bool:
    """Whether one of the two holds half of the other or more. Neighbours may share a few words."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return 2 * shared >= min(one.end - one.start, other.end - other.start)


def _find(text: str, quote: str) -> Place | None:
    at = text.find(quote)
    if at >= 0:
        return Place(at, at + len(quote), "exact")
    return close_place(text, quote, near=0) if len(text) * len(quote) <= MOST_CLOSE_WORK else None
