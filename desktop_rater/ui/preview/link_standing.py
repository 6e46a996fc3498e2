"""What a rating says of the pages of its links: which are opened, and what was taken from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from desktop_rater.model.rating import Stance
    from desktop_rater.ui.session import Session


@dataclass(frozen=True)
class Standing:
    """`here` is page → the stances of the evidence at the place at hand, `taken` every page that is evidence at all.

    `times` is page → when evidence of it was opened, as far as that is known.
    """

    opened: frozenset[str] = frozenset()
    here: dict[str, frozenset[Stance | None]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    times: dict[str, str] = field(default_factory=dict)


def standing_in(session: Session) -> Standing:
    """How it is now."""
    if session.task is None:
        return Standing()
    rating = session.rating
    here: dict[str, frozenset[Stance | None]] = {}
    for piece in session.evidence:
        page = page_of(piece.url)
        if page is not None:
            here[page] = here.get(page, frozenset()) | {piece.stance}
    pieces = [(page, piece) for piece in rating.evidence if (page := page_of(piece.url)) is not None]
    times: dict[str, str] = {}
    for page, piece in pieces:
        if piece.opened is not None:
            times[page] = max(piece.opened, times.get(page, ""))
    opened = frozenset(page for page in map(page_of, rating.links_opened) if page is not None)
    return Standing(opened, here, frozenset(page for page, _piece in pieces), times)
