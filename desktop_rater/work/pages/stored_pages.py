"""Stored pages: look up by URL or text, and index pages that arrived without being shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.change import Change, Progress
from desktop_rater.model.page import PageState
from desktop_rater.store import pages, snapshots
from desktop_rater.store.pages import PageHit
from desktop_rater.store.store import Store
from desktop_rater.web.errors import WebError
from desktop_rater.work.pages.store_page import page_snapshot_row, searchable_text

if TYPE_CHECKING:
    from desktop_rater.web.warc import SnapshotOutline
    from desktop_rater.web.web_client import ReopenedPage, Web


ALL_BUNDLES = ""  # bundle id of pages that belong to all bundles
_CHUNK = 100  # rows per transaction


class StoredCopy(msgspec.Struct, frozen=True, kw_only=True):
    """File of a stored page; `fetched`: time, empty if unknown."""

    path: Path
    sha256: str
    fetched: str
    url: str


class IndexedPages(Change, frozen=True, kw_only=True):
    """Outcome of indexing. `read`: number of pages that can be searched now; `broken`: SHA-256 of unreadable ones."""

    read: int
    broken: tuple[str, ...] = ()


def find_stored_copy(store: Store, url: str, snapshot: str = "") -> StoredCopy | None:
    """Return the named stored page, otherwise the latest intact one of the URL; `None` if there is none.

    A named page is returned even if altered; reading it reports that.
    """
    path = snapshots.snapshot_path(store.folder, snapshot)
    if path is not None:
        row = pages.find_snapshot_row(store, snapshot)
        return StoredCopy(path=path, sha256=snapshot, fetched=row.fetched if row else "", url=row.url if row else url)
    for row in pages.snapshots_of_url(store, url):
        path = snapshots.intact_snapshot(store.folder, row.sha256)
        if path is not None:
            return StoredCopy(path=path, sha256=row.sha256, fetched=row.fetched, url=row.url)
    return None


def search_stored_pages(store: Store, bundle_id: str, text: str, limit: int = 50) -> list[PageHit]:
    """Return the bundle's stored pages that contain all the words, best first."""
    return pages.search_pages(store, bundle_id, text, limit)


class UnindexedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page whose text is not indexed yet."""

    sha256: str
    path: Path


def unindexed_pages(store: Store) -> list[UnindexedPage]:
    """Return the stored pages that were never read and whose files exist."""
    paths = ((sha256, snapshots.snapshot_path(store.folder, sha256)) for sha256 in pages.unparsed_snapshots(store))
    return [UnindexedPage(sha256=sha256, path=path) for sha256, path in paths if path is not None]


def index_page(store: Store, sha256: str, reopened: ReopenedPage) -> IndexedPages:
    """Index the text of a stored page; an unreadable one is not tried again."""
    row = msgspec.structs.replace(page_snapshot_row(reopened.page, reopened.content), sha256=sha256)
    shows = reopened.page.shows
    pages.store_page_text(store, row, searchable_text(reopened.page) if shows else "")
    return IndexedPages(read=int(shows), broken=() if shows else (sha256,))


def count_unindexed(store: Store) -> int:
    """Return the number of stored pages that are not indexed yet."""
    return len(unindexed_pages(store))


def record_pages(store: Store, bundle_id: str, sha256s: Iterable[str], progress: Progress) -> tuple[str, ...]:
    """Record pages that came with a bundle or results, from their WARC headers without reading their text.

    Unreadable files are left in place and not recorded; their SHA-256s are returned.
    """
    recorded = pages.recorded_snapshots(store)
    count = 0
    broken = []
    waiting = list(sha256s)
    for start in range(0, len(waiting), _CHUNK):
        chunk = waiting[start : start + _CHUNK]
        outlines = {sha256: _outline(store, sha256) for sha256 in chunk}
        broken += [sha256 for sha256, outline in outlines.items() if outline is None]
        readable = {sha256: outline for sha256, outline in outlines.items() if outline is not None}
        rows = [
            pages.SnapshotRow(sha256=sha256, **msgspec.structs.asdict(outline))
            for sha256, outline in readable.items()
            if sha256 not in recorded
        ]
        pages.record_visits(store, [_visit(bundle_id, sha256, outline) for sha256, outline in readable.items()], rows)
        count += len(readable)
        progress(count, 0)
    return tuple(broken)


def index_unread(store: Store, web: Web, progress: Progress) -> IndexedPages:
    """Index the stored pages that were never shown. Raises `StoreError`, `Cancelled`.

    Pages indexed before an interruption stay indexed.
    """
    # Earlier versions of the program did not record all files.
    files = {path.name.partition(".")[0] for path in snapshots.list_snapshots(store.folder)}
    record_pages(store, ALL_BUNDLES, sorted(files - pages.recorded_snapshots(store)), progress)
    unread_pages = unindexed_pages(store)
    broken: list[str] = []
    for index, page in enumerate(unread_pages, 1):
        broken += index_page(store, page.sha256, web.reread(page.path, progress)).broken
        progress(index, len(unread_pages))
    return IndexedPages(read=len(unread_pages) - len(broken), broken=tuple(broken))


def _outline(store: Store, sha256: str) -> SnapshotOutline | None:
    from desktop_rater.web import warc  # noqa: PLC0415 - only where there are stored pages

    path = snapshots.snapshot_path(store.folder, sha256)
    if path is None:
        return None
    try:
        return warc.read_snapshot_outline(path)
    except WebError:
        return None


def _visit(bundle_id: str, sha256: str, outline: SnapshotOutline) -> pages.VisitRow:
    return pages.VisitRow(
        bundle=bundle_id,
        url=outline.url,
        final_url=outline.final_url,
        state=_state(outline.status),
        status=outline.status,
        fetched=outline.fetched,
        snapshot=sha256,
    )


def _state(status: int) -> PageState:
    match status:
        case 404 | 410:
            return "not_found"
        case _ if status >= 500:
            return "failed"
        case _ if status >= 400:
            return "refused"
    return "ok"
