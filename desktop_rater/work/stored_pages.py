"""Stored pages: found by their URL or by what they say, and read when they came without being shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.change import Change
from desktop_rater.store import pages, snapshots
from desktop_rater.web.trouble import WebError
from desktop_rater.work.gather_evidence import row_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.model.page import PageState
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.pages import Hit
    from desktop_rater.store.store import Store
    from desktop_rater.web.open_web import Reopened, Web
    from desktop_rater.web.warc import Outline

ALL = ""  # in place of a bundle: a page that belongs to all of them
_CHUNK = 100  # rows of one transaction


class StoredCopy(msgspec.Struct, frozen=True, kw_only=True):
    """Where a stored page lies, and when it was fetched: empty where nothing is noted of it."""

    path: Path
    sha256: str
    fetched: str
    url: str


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """`pages` of which something is noted now; `broken`: the SHA-256 of those that can't be read."""

    pages: int = 0
    broken: tuple[str, ...] = ()


class PagesRead(Change, frozen=True, kw_only=True):
    """`read` pages can be found by what they say now; `broken`: the SHA-256 of those that can't be read."""

    read: int
    broken: tuple[str, ...] = ()


def copy_of(store: Store, url: str, snapshot: str = "") -> StoredCopy | None:
    """The stored page of that name, else the latest one of the URL that is as it was; `None` where there is none.

    The page of that name is given also where it was altered: whoever reads it says so.
    """
    path = snapshots.path(store.folder, snapshot)
    if path is not None:
        row = pages.known(store, snapshot)
        return StoredCopy(path=path, sha256=snapshot, fetched=row.fetched if row else "", url=row.url if row else url)
    for row in pages.newest(store, url):
        path = snapshots.intact(store.folder, row.sha256)
        if path is not None:
            return StoredCopy(path=path, sha256=row.sha256, fetched=row.fetched, url=row.url)
    return None


def search(store: Store, bundle_id: str, words: str, limit: int = 50) -> list[Hit]:
    """The stored pages of a bundle that hold all the words, the best first."""
    return pages.search_pages(store, bundle_id, words, limit)


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page that a search can't find yet by what it says."""

    sha256: str
    path: Path


def waiting(store: Store) -> list[Waiting]:
    """The stored pages that were never read, as far as their files are there."""
    found = ((sha256, snapshots.path(store.folder, sha256)) for sha256 in pages.unread(store))
    return [Waiting(sha256=sha256, path=path) for sha256, path in found if path is not None]


def put_read(store: Store, sha256: str, again: Reopened) -> PagesRead:
    """Keep what a stored page says; one that shows nothing is not asked again."""
    row = msgspec.structs.replace(row_of(again.page, again.content), sha256=sha256)
    shows = again.page.shows
    pages.put_text(store, row, text_of(again.page) if shows else "")
    return PagesRead(read=int(shows), broken=() if shows else (sha256,))


def unread(store: Store) -> int:
    """How many stored pages can't be found yet by what they say."""
    return len(waiting(store))


def note(store: Store, bundle_id: str, sha256s: Iterable[str], progress: Progress) -> Noted:
    """Note what a bundle or results brought, by the heads in its files: their text is not read.

    A file that can't be understood stays where it is, and nothing is said of it.
    """
    known = pages.noted(store)
    count = 0
    broken = []
    for chunk in _chunks(sha256s):
        found = {sha256: _outline(store, sha256) for sha256 in chunk}
        broken += [sha256 for sha256, outline in found.items() if outline is None]
        good = {sha256: outline for sha256, outline in found.items() if outline is not None}
        rows = [_row(sha256, outline) for sha256, outline in good.items() if sha256 not in known]
        pages.record(store, [_visit(bundle_id, sha256, outline) for sha256, outline in good.items()], rows)
        count += len(good)
        progress(count, 0)
    return Noted(pages=count, broken=tuple(broken))


def read_unread(store: Store, web: Web, progress: Progress) -> PagesRead:
    """Read the stored pages that were never shown, so that a search finds them. Raises `StoreError`, `Cancelled`.

    One after the other: what was read stays read when the work is stopped.
    """
    note(store, ALL, sorted(_files(store) - pages.noted(store)), progress)
    unread_pages = waiting(store)
    broken: list[str] = []
    for done, page in enumerate(unread_pages, 1):
        broken += put_read(store, page.sha256, web.reread(page.path, progress)).broken
        progress(done, len(unread_pages))
    return PagesRead(read=len(unread_pages) - len(broken), broken=tuple(broken))


def _files(store: Store) -> set[str]:
    """Also those that an earlier version stored without noting anything."""
    return {path.name.partition(".")[0] for path in snapshots.listed(store.folder)}


def _outline(store: Store, sha256: str) -> Outline | None:
    from desktop_rater.web import warc  # noqa: PLC0415 - only where there are stored pages

    path = snapshots.path(store.folder, sha256)
    if path is None:
        return None
    try:
        return warc.outline(path)
    except WebError:
        return None


def _row(sha256: str, outline: Outline) -> pages.SnapshotRow:
    return pages.SnapshotRow(sha256=sha256, **msgspec.structs.asdict(outline))


def _visit(bundle_id: str, sha256: str, outline: Outline) -> pages.Visit:
    return pages.Visit(
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


def _chunks(sha256s: Iterable[str]) -> Iterator[list[str]]:
    """In pieces of which each is one short transaction."""
    waiting = list(sha256s)
    for start in range(0, len(waiting), _CHUNK):
        yield waiting[start : start + _CHUNK]
