"""Keep a page as it was fetched, so that it opens again without the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.model.change import Change
from desktop_rater.store import pages, snapshots

if TYPE_CHECKING:
    from desktop_rater.model.page import Page
    from desktop_rater.store.store import Store
    from desktop_rater.web.open_web import Fetched


class Kept(Change, frozen=True, kw_only=True):
    """What became of a fetched page. `page.snapshot` names what is stored, `None` where it shows nothing to store.

    `new`: no stored page showed the same before.
    """

    page: Page
    new: bool


def keep(store: Store, fetched: Fetched, bundle_id: str = "") -> Kept:
    """Store the bytes, what the page says, and that it was visited. Raises `StoreError`.

    Once per content: where a stored page of that URL showed the same, that is the one. `bundle_id` is empty for a page
    that belongs to all bundles.
    """
    page = fetched.page
    if page.snapshot is None or not fetched.warc:
        pages.record(store, [_visit(page, bundle_id)])
        return Kept(page=page, new=False)
    same = _same(store, fetched)
    if same is not None:
        page = replace(page, snapshot=same)
        pages.record(store, [_visit(page, bundle_id)], texts={same: text_of(page)})
        return Kept(page=page, new=False)
    snapshots.keep(store.folder, page.snapshot, [fetched.warc])
    texts = {page.snapshot: text_of(page)}
    pages.record(store, [_visit(page, bundle_id)], [row_of(page, fetched.content)], texts)
    return Kept(page=page, new=True)


def row_of(page: Page, content: str) -> pages.SnapshotRow:
    """What is noted of a page that was read."""
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


def text_of(page: Page) -> str:
    """What a search looks through: all of the page, also what is not its main text."""
    return page.whole_text or page.text


def _same(store: Store, fetched: Fetched) -> str | None:
    """A stored page of that URL that shows the same, and whose file is there as it was."""
    rows = pages.newest(store, fetched.page.url)
    same = (row.sha256 for row in rows if row.content == fetched.content)
    return next((sha256 for sha256 in same if snapshots.intact(store.folder, sha256)), None)


def _visit(page: Page, bundle_id: str) -> pages.Visit:
    return pages.Visit(
        bundle=bundle_id,
        url=page.url,
        final_url=page.final_url,
        state=page.state,
        status=page.status,
        fetched=page.fetched,
        snapshot=page.snapshot,
    )
