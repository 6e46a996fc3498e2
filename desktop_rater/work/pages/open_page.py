"""Open one page for a rater: fetched and stored, or from the store if it can't be fetched."""

from typing import NamedTuple

from msgspec.structs import replace

from desktop_rater.model.change import Progress
from desktop_rater.model.page import NO_ANSWER_STATES, Page
from desktop_rater.store.store import Store
from desktop_rater.web.web_client import Web
from desktop_rater.work.pages.store_page import store_page
from desktop_rater.work.pages.stored_pages import StoredCopy, find_stored_copy


class OpenedPage(NamedTuple):
    """A page, with the stored copy if it was read from there."""

    page: Page
    copy: StoredCopy | None = None


def fetch_page(store: Store, web: Web, url: str, *, bundle_id: str, progress: Progress) -> OpenedPage:
    """Fetch and store a page; return the stored copy if it can't be fetched. Raises `StoreError`, `Cancelled`."""
    page = store_page(store, web.open(url, progress), bundle_id).page
    if page.state not in NO_ANSWER_STATES:
        return OpenedPage(page)
    return _stored(store, web, url, bundle_id, "", progress) or OpenedPage(page)


def open_stored_page(
    store: Store | None, web: Web, url: str, progress: Progress, *, bundle_id: str = "", rater: str = ""
) -> OpenedPage:
    """Return the stored copy that answers for a bundle, or for a rater's results, without using the network."""
    opened = None if store is None else _stored(store, web, url, bundle_id, rater, progress)
    why = "No copy of this page is stored."
    return opened or OpenedPage(Page(url=url, final_url=url, state="unreachable", why=why))


def _stored(store: Store, web: Web, url: str, bundle_id: str, rater: str, progress: Progress) -> OpenedPage | None:
    copy = find_stored_copy(store, url, bundle=bundle_id, rater=rater)
    return None if copy is None else OpenedPage(replace(web.reopen(copy.path, progress), url=url), copy)
