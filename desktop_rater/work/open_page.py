"""One page as a rater gets it: fetched and kept, and from the store where the network can't bring it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.model.page import NO_ANSWER, Page
from desktop_rater.work.gather_evidence import keep
from desktop_rater.work.stored_pages import copy_of

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.web.open_web import Web


def fetch_page(store: Store, web: Web, url: str, *, bundle_id: str, progress: Progress) -> Page:
    """Fetch and keep a page; the stored copy where no network brings it. Raises `StoreError`, `Cancelled`."""
    page = keep(store, web.open(url, progress), bundle_id).page
    if page.state not in NO_ANSWER:
        return page
    return _stored(store, web, url, progress) or page


def stored_page(store: Store | None, web: Web, url: str, progress: Progress) -> Page:
    """The latest stored copy, without any look at the network."""
    page = None if store is None else _stored(store, web, url, progress)
    return page or Page(url=url, final_url=url, state="unreachable", why="There is no stored copy of this page.")


def _stored(store: Store, web: Web, url: str, progress: Progress) -> Page | None:
    copy = copy_of(store, url)
    return None if copy is None else replace(web.reopen(copy.path, progress), url=url)
