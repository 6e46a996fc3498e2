"""Pictures of responses: those that were fetched are read from the store."""

from collections.abc import Iterable

from desktop_rater.store.store import Store
from desktop_rater.web.errors import WebError
from desktop_rater.work.pages.stored_pages import find_stored_copy


def stored_pictures(store: Store, urls: Iterable[str], bundle_id: str) -> dict[str, bytes]:
    """Return URL → bytes of the pictures that are stored for a bundle. Raises `StoreError`."""
    from desktop_rater.web import warc  # noqa: PLC0415 - only where there are stored pages

    pictures = {}
    for url in urls:
        copy = find_stored_copy(store, url, bundle=bundle_id)
        if copy is None:
            continue
        try:
            pictures[url] = warc.read_snapshot(copy.path).body
        except WebError:
            continue  # an unreadable file is like none; reading the page reports it
    return pictures
