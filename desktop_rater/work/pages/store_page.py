"""Store fetched pages so that they open without the network."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.model.change import Change
from desktop_rater.model.page import Page
from desktop_rater.store import pages, snapshots
from desktop_rater.store.pages import PageOrigin, VisitState
from desktop_rater.store.store import Store

if TYPE_CHECKING:
    from desktop_rater.web.web_client import FetchedPage


def link_states(store: Store, bundle: str, urls: Collection[str]) -> dict[str, VisitState]:
    """Return page → outcome of the last visit, without pages never fetched. Raises `StoreError`."""
    return pages.last_states_of(store, bundle, urls)


class StoredPage(Change, frozen=True, kw_only=True):
    """Outcome of storing a page. `page.snapshot` names the stored bytes, `None` if there is nothing to store.

    `new`: no stored page had the same content.
    """

    page: Page
    new: bool


def store_page(store: Store, fetched: FetchedPage, bundle_id: str = "") -> StoredPage:
    """Store the bytes, the text, and the visit of a page. Raises `StoreError`.

    Each content is stored once: if a page of that URL that was fetched here has the same content, it is used. A file
    from elsewhere is not, since its headers may lead to another text. A rendered page is stored each time, with its
    picture. An empty `bundle_id` marks a page that belongs to all bundles.
    """
    page = fetched.page
    if page.snapshot is None or not fetched.warc:
        pages.record_visits(store, [_visit(page, bundle_id)])
        return StoredPage(page=page, new=False)
    hashes = [] if page.rendered else pages.fetched_contents(store, page.url, fetched.content)
    stored_digest = next((sha256 for sha256 in hashes if snapshots.intact_snapshot(store.folder, sha256)), None)
    rows = []
    if stored_digest is None:
        snapshots.store_snapshot(store.folder, page.snapshot, [fetched.warc])
        rows = [page_snapshot_row(page, fetched.content)]
    page = replace(page, snapshot=stored_digest or page.snapshot)
    name = page.snapshot or ""
    origin = PageOrigin(kind="rendered" if page.rendered else "fetched", bundle=bundle_id, arrived=page.fetched)
    pages.record_visits(store, [_visit(page, bundle_id)], rows, {name: searchable_text(page)}, [(name, origin)])
    return StoredPage(page=page, new=stored_digest is None)


def page_snapshot_row(page: Page, content: str) -> pages.SnapshotRow:
    """Return the row of a page that was read."""
    return pages.SnapshotRow(
        sha256=page.snapshot or "",
        url=page.url,
        final_url=page.final_url,
        fetched=page.fetched,
        status=page.status,
        media_type=page.media_type,
        content=content,
        title=page.title,
        site=page.site,
    )


def searchable_text(page: Page) -> str:
    """Return the searchable text: the whole page, not only its main text."""
    return page.whole_text or page.text


def _visit(page: Page, bundle_id: str) -> pages.VisitRow:
    return pages.VisitRow(
        bundle=bundle_id,
        url=page.url,
        final_url=page.final_url,
        state=page.state,
        status=page.status,
        fetched=page.fetched,
        snapshot=page.snapshot,
    )
