"""Stored pages: open and store them, look them up by URL or text, and index those that arrived without being shown."""

from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.page import Page, PageState
from desktop_rater.pages.response import SnapshotOutline, WebError
from desktop_rater.pages.web_client import FetchedPage, ReopenedPage, Web
from desktop_rater.store import pages, snapshots
from desktop_rater.store.pages import PageHit, PageOrigin, VisitState
from desktop_rater.store.store import Store
from desktop_rater.text.urls import page_key


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
    picture; one of a library once for each of its editions, as such. An empty `bundle_id` marks a page that belongs to
    all bundles.
    """
    page = fetched.page
    if page.snapshot is None or not fetched.warc:
        pages.record_visits(store, [_visit_of_page(page, bundle_id)])
        return StoredPage(page=page, new=False)
    hashes = [] if page.rendered else pages.fetched_contents(store, page.url, fetched.content)
    if page.library is not None:
        hashes = [page.snapshot]
    stored_digest = next((sha256 for sha256 in hashes if snapshots.intact_snapshot(store.folder, sha256)), None)
    if stored_digest is None:
        snapshots.store_snapshot(store.folder, page.snapshot, [fetched.warc])
    page = replace(page, snapshot=stored_digest or page.snapshot)
    name, row = page.snapshot or "", page_snapshot_row(page, fetched.content)
    visits = [] if page.library is not None else [_visit_of_page(page, bundle_id)]
    pages.record_visits(store, visits, [row], {name: searchable_text(page)}, [(name, _own_origin(page, bundle_id))])
    return StoredPage(page=page, new=stored_digest is None)


def _own_origin(page: Page, bundle_id: str) -> PageOrigin:
    if page.library is not None:
        library, day = page.library.name, page.library.date
        return PageOrigin(kind="library", bundle=bundle_id, arrived=page.fetched, library=library, library_date=day)
    return PageOrigin(kind="rendered" if page.rendered else "fetched", bundle=bundle_id, arrived=page.fetched)


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


def _visit_of_page(page: Page, bundle_id: str) -> pages.VisitRow:
    return pages.VisitRow(
        bundle=bundle_id,
        url=page.url,
        final_url=page.final_url,
        state=page.state,
        status=page.status,
        fetched=page.fetched,
        snapshot=page.snapshot,
    )


_CHUNK = 100  # rows per transaction


class StoredCopy(msgspec.Struct, frozen=True, kw_only=True):
    """File of a stored page. `fetched`: time, as the file states it; empty if that is unknown or can't be true.

    `others`: number of further raters whose results have a page of this URL, if the page came with a rater's results;
    `alone`: nothing else in the store has one. `elsewhere`: the URL that the file states, if it is of another page.
    """

    path: Path
    sha256: str
    fetched: str
    url: str
    origin: PageOrigin = PageOrigin()
    others: int = 0
    alone: bool = False
    elsewhere: str = ""


class IndexedPages(Change, frozen=True, kw_only=True):
    """Outcome of indexing. `read`: number of pages that can be searched now; `broken`: SHA-256 of unreadable ones."""

    read: int
    broken: tuple[str, ...] = ()


def find_stored_copy(
    store: Store,
    url: str,
    snapshot: str = "",
    bundle: str = "",
    rater: str = "",
    results: str = "",
    *,
    brought: bool = False,
) -> StoredCopy | None:
    """Return the named stored page, otherwise the best intact one of the URL for a bundle; `None` if there is none.

    With a `rater`, as in a review, pages of that rater's results answer too, or only those of the zip `results`; see
    `pages.copies_of_url`. `brought`: not those fetched here. A named page is returned whoever brought it, even if
    altered; reading it reports that.
    """
    path = snapshots.snapshot_path(store.folder, snapshot)
    if path is not None:
        origins = pages.origins_of_snapshot(store, snapshot, bundle, rater)
        row = pages.find_snapshot_row(store, snapshot)
        return _copy(store, path, url, snapshot, row, origins[0] if origins else PageOrigin())
    for copy in pages.copies_of_url(store, url, bundle, rater, results):
        path = snapshots.intact_snapshot(store.folder, copy.row.sha256)
        if path is not None and not (brought and copy.origin.is_own):
            return _copy(store, path, url, copy.row.sha256, copy.row, copy.origin)
    return None


def stored_pictures(store: Store, urls: Iterable[str], bundle_id: str) -> dict[str, bytes]:
    """Return URL → bytes of the pictures that are stored for a bundle. Raises `StoreError`."""
    from desktop_rater.pages.warc import read_snapshot  # noqa: PLC0415 - a start reads no stored page

    pictures = {}
    for url in urls:
        copy = find_stored_copy(store, url, bundle=bundle_id)
        if copy is None:
            continue
        try:
            pictures[url] = read_snapshot(copy.path).body
        except WebError:
            continue  # an unreadable file is like none; reading the page reports it
    return pictures


def _copy(
    store: Store, path: Path, url: str, sha256: str, row: pages.SnapshotRow | None, origin: PageOrigin
) -> StoredCopy:
    if row is None:
        return StoredCopy(path=path, sha256=sha256, fetched="", url=url, origin=origin)
    brought = origin.kind == "results"
    holders = pages.holders_of_url(store, url, origin.bundle) if brought else set()
    own = origin.is_own
    stated = row.fetched if origin.kind == "unknown" or origin.is_plausible(row.fetched) else ""
    return StoredCopy(
        path=path,
        sha256=sha256,
        fetched=origin.arrived if own else stated,
        url=row.url,
        origin=origin,
        others=len(holders - {"", origin.rater}),
        alone=brought and holders <= {origin.rater},
        elsewhere="" if same_page(url, row.url, row.final_url) else row.url,
    )


def same_page(url: str, *stated: str) -> bool:
    """Return whether a URL is one of the pages that a stored file states, by whatever spelling."""
    return (page_key(url) or url) in {page_key(other) or other for other in stated}


def search_stored_pages(store: Store, bundle_id: str, text: str, limit: int = 50) -> list[PageHit]:
    """Return the bundle's stored pages that contain all the words, best first."""
    return pages.search_pages(store, bundle_id, text, limit)


def unindexed_pages(store: Store) -> list[tuple[str, Path]]:
    """Return SHA-256 and file of the stored pages whose text is not indexed yet and whose files exist."""
    paths = ((sha256, snapshots.snapshot_path(store.folder, sha256)) for sha256 in pages.unparsed_snapshots(store))
    return [(sha256, path) for sha256, path in paths if path is not None]


def index_page(store: Store, sha256: str, reopened: ReopenedPage) -> IndexedPages:
    """Index the text of a stored page; an unreadable one is not tried again."""
    row = msgspec.structs.replace(page_snapshot_row(reopened.page, reopened.content), sha256=sha256)
    shows = reopened.page.shows
    pages.store_page_text(store, row, searchable_text(reopened.page) if shows else "")
    return IndexedPages(read=int(shows), broken=() if shows else (sha256,))


def count_unindexed(store: Store) -> int:
    """Return the number of stored pages that are not indexed yet."""
    return len(unindexed_pages(store))


def record_pages(store: Store, origin: PageOrigin, sha256s: Iterable[str], progress: Progress) -> tuple[str, ...]:
    """Record pages that came with a bundle or results, from their WARC headers without reading their text.

    Pages of a bundle, or of unknown origin, count as visited; those of results are a rater's claims. Unreadable files
    are left in place and not recorded; their SHA-256s are returned.
    """
    recorded = pages.recorded_snapshots(store)
    count = 0
    broken = []
    waiting = list(sha256s)
    located = set(waiting) if origin.kind == "results" else set()
    if origin.kind == "unknown":
        located = pages.located_snapshots(store)
    for start in range(0, len(waiting), _CHUNK):
        chunk = waiting[start : start + _CHUNK]
        outlines = {sha256: read_outline(snapshots.snapshot_path(store.folder, sha256)) for sha256 in chunk}
        broken += [sha256 for sha256, outline in outlines.items() if outline is None]
        readable = {sha256: outline for sha256, outline in outlines.items() if outline is not None}
        rows = [
            pages.SnapshotRow(
                sha256=sha256,
                url=outline.url,
                final_url=outline.final_url,
                fetched=outline.fetched,
                status=outline.status,
                media_type=outline.media_type,
            )
            for sha256, outline in readable.items()
            if sha256 not in recorded
        ]
        visits = [_visit(origin, *item) for item in readable.items() if item[0] not in located]
        origins = [] if origin.kind == "unknown" else [(sha256, origin) for sha256 in readable]
        pages.record_visits(store, visits, rows, origins=origins)
        count += len(readable)
        progress(count, 0)
    return tuple(broken)


def index_unread(store: Store, web: Web, progress: Progress) -> IndexedPages:
    """Index the stored pages that were never shown. Raises `StoreError`, `Cancelled`.

    Pages indexed before an interruption stay indexed.
    """
    # Earlier versions of the program did not record all files.
    files = {path.name.partition(".")[0] for path in snapshots.list_snapshots(store.folder)}
    record_pages(store, PageOrigin(), sorted(files - pages.recorded_snapshots(store)), progress)
    unread_pages = unindexed_pages(store)
    broken: list[str] = []
    for index, (sha256, path) in enumerate(unread_pages, 1):
        broken += index_page(store, sha256, web.reread(path, progress)).broken
        progress(index, len(unread_pages))
    return IndexedPages(read=len(unread_pages) - len(broken), broken=tuple(broken))


def read_outline(path: Path | None) -> SnapshotOutline | None:
    """Return the URLs, time and status that the file of a stored page states; `None` if it can't be read."""
    if path is None:
        return None
    from desktop_rater.pages.warc import read_snapshot_outline  # noqa: PLC0415 - see above

    try:
        return read_snapshot_outline(path)
    except WebError:
        return None


def _visit(origin: PageOrigin, sha256: str, outline: SnapshotOutline) -> pages.VisitRow:
    return pages.VisitRow(
        bundle=origin.bundle,
        url=outline.url,
        final_url=outline.final_url,
        state=_state(outline.status),
        status=outline.status,
        fetched=outline.fetched if origin.is_plausible(outline.fetched) else origin.arrived or outline.fetched,
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
