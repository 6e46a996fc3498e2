"""The pages that were read one after the other, for the ways back and forward."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.model.page import Page

MOST = 50
MOST_HELD = 5  # pages that are at hand; the others are opened again from where they are stored


@dataclass(frozen=True)
class Passage:
    """Where in a page: a quote, and what stood before and behind it."""

    quote: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class Visit:
    """A page that was wanted: from the network, or as it is `stored`, by its snapshot where one is named."""

    url: str
    snapshot: str = ""
    stored: bool = False
    offline: bool = False  # it is shown as it is stored because nobody answered
    passage: Passage | None = None
    page: Page | None = None


class Visits:
    """Going somewhere else from the middle forgets what lay ahead, as in every browser."""

    def __init__(self) -> None:
        self._all: list[Visit] = []
        self._at = -1

    @property
    def here(self) -> Visit | None:
        return self._all[self._at] if self._at >= 0 else None

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._all)

    def add(self, visit: Visit) -> None:
        """A page has come that was not there before."""
        del self._all[self._at + 1 :]
        self._all.append(visit)
        del self._all[:-MOST]
        self._at = len(self._all) - 1
        self._let_go()

    def put(self, visit: Visit) -> None:
        """The page that is shown came anew."""
        self._all[self._at] = visit
        self._let_go()

    def move(self, by: int) -> Visit:
        """To the one before or behind."""
        self._at = max(0, min(self._at + by, len(self._all) - 1))
        return self._all[self._at]

    def forget(self) -> None:
        self._all, self._at = [], -1

    def _let_go(self) -> None:
        """Of the pages that lie furthest away only the way to them is kept."""
        held = [at for at, visit in enumerate(self._all) if visit.page is not None]
        held.sort(key=lambda at: abs(at - self._at))
        for at in held[MOST_HELD:]:
            self._all[at] = replace(self._all[at], page=None)
