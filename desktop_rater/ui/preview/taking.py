"""What becomes of the evidence of a place when a page or a passage of it is taken. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.model.rating import Evidence
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.page import Page
    from desktop_rater.model.rating import Stance
    from desktop_rater.ui.preview.visits import Passage

FRESH = "new"  # the id of a piece that is not in the rating yet


def url_of(page: Page) -> str:
    """How evidence names a page: by the URL that was asked for where that is the same page, else by the final one."""
    return page.url if not page.final_url or page_of(page.url) == page_of(page.final_url) else page.final_url


def is_of(piece: Evidence, page: Page) -> bool:
    """Whether a piece of evidence names this page, by either of its addresses."""
    return page_of(piece.url) is not None and page_of(piece.url) in {page_of(page.url), page_of(page.final_url)}


def taken(
    known: Sequence[Evidence], page: Page, passage: Passage | None, stance: Stance, *, opened: str = ""
) -> Evidence:
    """The piece as it is afterwards: one of `known`, the evidence of a place, or a fresh one.

    A page stands once for each stance: another passage of it takes the place of the quote. The passage that is there
    already takes the new stance, and a row of this page without a stance is one that was waiting for it.
    """
    mine = [one for one in known if is_of(one, page)]
    same = [one for one in mine if passage is not None and one.quote.split() == passage.quote.split()]
    choice = [
        *(one for one in mine if one.stance == stance),
        *same,
        *(one for one in mine if one.stance is None),
    ]
    piece = choice[0] if choice else Evidence(id=FRESH, url=url_of(page))
    return replace(_told(piece, page, passage, opened), stance=stance)


def quoted(
    known: Sequence[Evidence], page: Page, passage: Passage, selected: str | None, *, opened: str = ""
) -> Evidence:
    """The piece whose quote the passage becomes: the selected one of this page, else one without, else a fresh one."""
    mine = [one for one in known if is_of(one, page)]
    choice = [*(one for one in mine if one.id == selected), *(one for one in mine if not one.quote)]
    piece = choice[0] if choice else Evidence(id=FRESH, url=url_of(page))
    return _told(piece, page, passage, opened)


def _told(piece: Evidence, page: Page, passage: Passage | None, opened: str) -> Evidence:
    """A piece with what the page says of itself: what the rater wrote stays."""
    if passage is not None:
        piece = replace(piece, quote=passage.quote, prefix=passage.prefix, suffix=passage.suffix)
    return replace(
        piece,
        title=piece.title or " ".join(page.title.split()),
        opened=piece.opened or opened or None,
        snapshot=page.snapshot or piece.snapshot,
    )
