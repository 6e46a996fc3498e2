"""Evidence that results from taking a page or a passage. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from desktop_rater.model.edit import speaking_of, with_stance
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
    return refers_to_url(page, piece.url)


def refers_to_url(page: Page, url: str) -> bool:
    """Return whether a URL is one of the page's two."""
    return page_key(url) is not None and page_key(url) in {page_key(page.url), page_key(page.final_url)}


@dataclass(frozen=True)
class TakenEvidence:
    """The piece that a page or passage becomes. `others`: id → what other evidence becomes, `None` if it is removed."""

    piece: Evidence
    others: dict[str, Evidence | None]


def take_evidence(
    existing: Sequence[Evidence],
    page: Page,
    passage: PagePassage | None,
    stance: Stance,
    *,
    claims: Sequence[str] = (),
    opened: str = "",
) -> TakenEvidence:
    """Return what becomes of a page that is taken as evidence for claims of a target, or for a place without claims.

    A page occurs once per claim and stance: a further passage replaces the quote. If the passage is present with
    another stance, its stance changes; a row of this page without a stance receives it. The same passage with the same
    stance speaks of further claims. Evidence keeps what it says about claims that are not concerned.
    """
    mine = [item for item in existing if refers_to_page(item, page)]
    here = [item for item in mine if not claims or not item.claim_ids or not set(claims).isdisjoint(item.claim_ids)]
    choice = [
        *(item for item in mine if item.stance == stance and _has_quote(item, passage)),
        *(item for item in here if item.stance == stance),
        *(item for item in here if passage is not None and _has_quote(item, passage)),
        *(item for item in here if item.stance is None),
    ]
    piece = choice[0] if choice else Evidence(id=NEW_ID, url=evidence_url(page))
    changes = piece.stance not in {None, stance} or bool(passage and piece.quote and not _has_quote(piece, passage))
    others: dict[str, Evidence | None] = {}
    if changes and claims and not set(piece.claim_ids) <= set(claims):
        others[piece.id] = _without_claims(piece, claims)
        piece = Evidence(id=NEW_ID, url=piece.url, title=piece.title, opened=piece.opened)
    reason = piece.reason if piece.stance == stance else None
    piece = with_stance(_filled_in(piece, page, passage, opened), stance, reason)
    if claims:
        piece = speaking_of(piece, dict.fromkeys((*piece.claim_ids, *claims)))
        same = (item for item in here if item.id not in {piece.id, *others} and item.stance == stance)
        others |= {item.id: _without_claims(item, claims) for item in same if item.claim_ids}
    return TakenEvidence(piece, others)


def _has_quote(piece: Evidence, passage: PagePassage | None) -> bool:
    return piece.quote.split() == (passage.quote.split() if passage is not None else [])


def _without_claims(piece: Evidence, claims: Sequence[str]) -> Evidence | None:
    remaining = [name for name in piece.claim_ids if name not in claims]
    return speaking_of(piece, remaining) if remaining else None


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
