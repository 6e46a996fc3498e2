"""Open, import and compare pages: fetched and stored, or from the store if they can't be fetched."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.results import origin_of
from desktop_rater.files import file_sha256
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.page import NO_ANSWER_STATES, Page
from desktop_rater.format.results import open_results
from desktop_rater.format.values import format_time
from desktop_rater.operations.pages.stored_pages import StoredCopy, find_stored_copy, record_pages, store_page
from desktop_rater.pages.web_client import Web
from desktop_rater.store import snapshots
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.store import Store
from desktop_rater.text.comparison import ComparedSentence, compare_sentences


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


class ImportedPages(Change, frozen=True, kw_only=True):
    """Outcome of an import. `new` pages were added, `known` ones were there; `broken`: SHA-256 of unreadable ones."""

    bundle: str
    new: int
    known: int
    broken: tuple[str, ...] = ()


def import_pages(store: Store, path: Path, progress: Progress, now: datetime) -> ImportedPages:
    """Store each page of a results zip, as coming from its rater.

    Raises `RaterError`; pages stored before that remain, which is harmless.
    """
    with open_results(path) as results:
        new = [sha256 for sha256 in results.snapshots if snapshots.intact_snapshot(store.folder, sha256) is None]
        total = len(results.snapshots)
        for index, sha256 in enumerate(results.snapshots, 1):
            snapshots.store_snapshot(store.folder, sha256, results.snapshot(sha256))
            progress(index, total)
        manifest = results.manifest
        origin = PageOrigin(
            kind="results",
            bundle=origin_of(manifest).bundle,
            rater=manifest.rater,
            results=file_sha256(path),
            arrived=format_time(now),
        )
        broken = record_pages(store, origin, results.snapshots, progress)
        return ImportedPages(bundle=manifest.bundle.id, new=len(new), known=total - len(new), broken=broken)


class PageDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Sentences that only one of two versions of a page has. `whole`: both were compared to their ends."""

    only_stored: tuple[str, ...]
    only_fetched: tuple[str, ...]
    whole: bool

    @property
    def same(self) -> bool:
        return self.whole and not self.only_stored and not self.only_fetched


def compare_page_texts(stored: Page, fetched: Page) -> PageDifference:
    """Compare the whole text of a stored page with that of the page fetched again, sentence by sentence."""
    first, second = stored.whole_text or stored.text, fetched.whole_text or fetched.text
    compared = compare_sentences(first, second, lang=stored.lang or "en")
    return PageDifference(
        only_stored=_differing(first, compared.first),
        only_fetched=_differing(second, compared.second),
        whole=compared.whole or first == second,
    )


def _differing(text: str, sentences: tuple[ComparedSentence, ...]) -> tuple[str, ...]:
    return tuple(text[slice(*sentence.span)] for sentence in sentences if sentence.kind != "same")
