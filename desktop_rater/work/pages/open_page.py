"""Open one page for a rater: fetched and stored, or from the store if it can't be fetched."""

from msgspec.structs import replace

from desktop_rater.model.change import Progress
from desktop_rater.model.page import NO_ANSWER_STATES, Page
from desktop_rater.store.store import Store
from desktop_rater.web.web_client import Web
from desktop_rater.work.pages.store_page import store_page
from desktop_rater.work.pages.stored_pages import find_stored_copy


def fetch_page(store: Store, web: Web, url: str, *, bundle_id: str, progress: Progress) -> Page:
    """Fetch and store a page; return the stored copy if it can't be fetched. Raises `StoreError`, `Cancelled`."""
    page = store_page(store, web.open(url, progress), bundle_id).page
    if page.state not in NO_ANSWER_STATES:
        return page
    return _stored(store, web, url, progress) or page


def open_stored_page(store: Store | None, web: Web, url: str, progress: Progress) -> Page:
    """Return the latest stored copy, without using the network."""
    page = None if store is None else _stored(store, web, url, progress)
    return page or Page(url=url, final_url=url, state="unreachable", why="No copy of this page is stored.")


def _stored(store: Store, web: Web, url: str, progress: Progress) -> Page | None:
    copy = find_stored_copy(store, url)
    return None if copy is None else replace(web.reopen(copy.path, progress), url=url)
