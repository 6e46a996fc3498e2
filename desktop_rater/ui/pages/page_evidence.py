"""Evidence that results from taking a page or a passage. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from desktop_rater.model.page import Page
from desktop_rater.model.rating import Evidence, Stance
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PagePassage

NEW_ID = "new"  # id of a piece that is not in the rating yet


def evidence_url(page: Page) -> str:
    """Return the URL that evidence stores: the requested one if it is the same page, otherwise the final one."""
    return page.url if not page.final_url or page_key(page.url) == page_key(page.final_url) else page.final_url


def refers_to_page(piece: Evidence, page: Page) -> bool:
    """Return whether a piece of evidence refers to this page, by either of its URLs."""
    return page_key(piece.url) is not None and page_key(piece.url) in {page_key(page.url), page_key(page.final_url)}


def take_evidence(
    existing: Sequence[Evidence], page: Page, passage: PagePassage | None, stance: Stance, *, opened: str = ""
) -> Evidence:
    """Return the resulting piece: an updated one of `existing`, the evidence of a place, or a new one.

    A page occurs once per stance: a further passage replaces the quote. If the passage is present with another stance,
    its stance changes; a row of this page without a stance receives it.
    """
    mine = [item for item in existing if refers_to_page(item, page)]
    same = [item for item in mine if passage is not None and item.quote.split() == passage.quote.split()]
    choice = [*(item for item in mine if item.stance == stance), *same, *(item for item in mine if item.stance is None)]
    piece = choice[0] if choice else Evidence(id=NEW_ID, url=evidence_url(page))
    return replace(_filled_in(piece, page, passage, opened), stance=stance)


def set_quote(
    existing: Sequence[Evidence], page: Page, passage: PagePassage, selected: str | None, *, opened: str = ""
) -> Evidence:
    """Return the piece with the passage as its quote: the selected one of this page, one without, or a new one."""
    mine = [item for item in existing if refers_to_page(item, page)]
    choice = [*(item for item in mine if item.id == selected), *(item for item in mine if not item.quote)]
    piece = choice[0] if choice else Evidence(id=NEW_ID, url=evidence_url(page))
    return _filled_in(piece, page, passage, opened)


def _filled_in(piece: Evidence, page: Page, passage: PagePassage | None, opened: str) -> Evidence:
    """Fill in what the page declares; what the rater wrote stays."""
    if passage is not None:
        piece = replace(piece, quote=passage.quote, prefix=passage.prefix, suffix=passage.suffix)
    return replace(
        piece,
        title=piece.title or " ".join(page.title.split()),
        opened=piece.opened or opened or None,
        snapshot=page.snapshot or piece.snapshot,
    )
