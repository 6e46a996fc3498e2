"""Prefetch of links, parsing of stored pages, and updates of the link list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.page import Page
from desktop_rater.store.pages import VisitState
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.page_views import PageInView
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.web.web_client import FetchedPage, ReopenedPage, Web
from desktop_rater.work.pages.prefetch import LinksToFetch, PrefetchResult, links_to_fetch, prefetch
from desktop_rater.work.pages.stored_pages import UnindexedPage, index_page, unindexed_pages

if TYPE_CHECKING:
    from desktop_rater.ui.pages.link_list import LinkList
    from desktop_rater.ui.widgets.banners import Banners


AFTER_OPENING_MS = 50  # paint the opened task first


class LinkListUpdater(QObject):
    """Observer that updates the list, which itself knows neither the store nor the clock."""

    def __init__(
        self,
        perform: WorkRunner,
        session: Session,
        browsing: PageBrowser,
        in_view: PageInView,
        links: LinkList,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(links)
        self._perform = perform
        self._session = session
        self._links = links
        self._in_view = in_view
        self._now = now
        self._delay = DelayedCall(self, AFTER_OPENING_MS, self.read)
        session.opened.connect(self._delay.start)
        browsing.page_shown.connect(self._add_page)
        browsing.failed.connect(self._add_page)
        browsing.closed.connect(links.show_page)
        in_view.changed.connect(self._show_page)
        self.read()

    def read(self) -> None:
        """Read the last states of the links of this task from the store."""
        session, links = self._session, self._links.links
        pages = {link.page for link in links if link.page is not None}
        if not pages:
            return
        from desktop_rater.work.pages.store_page import link_states  # noqa: PLC0415 - only when it is used

        def done(states: dict[str, VisitState]) -> None:
            if self._links.links is links:
                self._links.show_states({page: last.state for page, last in states.items()})

        self._perform.ask(link_states, session.bundle, pages, done=done)

    def _add_page(self, page: Page) -> None:
        self._links.show_states({key: page.state} if (key := page_key(page.url)) is not None else {})

    def _show_page(self) -> None:
        """Mark the page in view; while another one is loading, the mark stays where it was."""
        page = self._in_view.now
        if page is not None:
            self._links.show_page(page.url, page.final_url, when=self._now())


LINKS_BANNER = "links"


class LinkPrefetch(QObject):
    """Runner of one prefetch at a time. Fetched pages are stored even if it is stopped; the next run continues."""

    ended = Signal()
    _page_fetched = Signal(object)  # Fetched, emitted on the network thread

    def __init__(
        self, perform: WorkRunner, session: Session, web: Web, banners: Banners, watch: LinkListUpdater
    ) -> None:
        super().__init__(banners)
        self._perform = perform
        self._session = session
        self._web = web
        self._banners = banners
        self._watch = watch
        self._running: Progress | None = None
        self._bundle = ""
        self._storing = 0  # pages being stored
        self._result: PrefetchResult | None = None  # result of a run whose last pages are still being stored
        self._page_fetched.connect(self._store_page)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"fetch_task_links": self.fetch_of_task, "fetch_bundle_links": self.fetch_of_bundle}

    def fetch_of_task(self) -> None:
        """Fetch the links of the current task that are not stored yet."""
        if self._session.task is not None:
            self._find(self._session.task.id)

    def fetch_of_bundle(self) -> None:
        """Fetch the links of all tasks of the bundle that are not stored yet."""
        if self._session.bundle:
            self._find("")

    def stop(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._end()

    def _find(self, task: str) -> None:
        if self._running is not None:
            self._session.hinted.emit(self.tr("Links are already being fetched."))
            return
        self._bundle = self._session.bundle
        find = partial(links_to_fetch, task_id=task)
        self._running = self._perform.ask(find, self._bundle, done=self._fetch, failed=self._failed)

    def _fetch(self, links: LinksToFetch) -> None:
        if not links.urls:
            self._end()
            text = self.tr("Every link is stored already.") if links.known else self.tr("There are no links to fetch.")
            self._banners.show_banner(LINKS_BANNER, "info", text)
            return
        self._show_progress(0, len(links.urls))
        store_page = self._page_fetched.emit

        def work(progress: Progress) -> PrefetchResult:
            return prefetch(links.urls, self._web, store_page, progress=progress)

        self._running = self._perform.fetch(
            work, done=self._fetched, failed=self._failed, progressed=self._show_progress
        )

    def _store_page(self, fetched: FetchedPage) -> None:
        from desktop_rater.work.pages.store_page import store_page  # noqa: PLC0415 - only when it is used

        self._storing += 1
        self._perform.perform(
            store_page, fetched, self._bundle, done=lambda _kept: self._stored(), failed=self._not_stored
        )

    def _stored(self) -> None:
        self._storing -= 1
        self._watch.read()
        self._show_result()

    def _not_stored(self, error: Exception) -> None:
        self._storing -= 1
        if isinstance(error, RaterError):
            self._banners.show_error(error)
        self._show_result()

    def _show_progress(self, number: int, total: int) -> None:
        if self._running is None:
            return  # a queued report of a run that was stopped
        text = self.tr("Fetching links: {n} of {total}").format(
            n=formatting.number(number), total=formatting.number(total)
        )
        banner = self._banners.banner(LINKS_BANNER)
        if banner is not None and banner.buttons:
            banner.label.setText(text)
        else:
            self._banners.show_banner(LINKS_BANNER, "info", text, [(self.tr("Stop"), self.stop)])

    def _fetched(self, result: PrefetchResult) -> None:
        self._result = result
        self._show_result()

    def _show_result(self) -> None:
        """Show the result of a run once its last page is stored."""
        result = self._result
        if result is None or self._storing:
            return
        self._end()
        text = self.tr("1 page is stored.") if result.fetched == 1 else self.tr("{n} pages are stored.")
        text = text.format(n=formatting.number(result.fetched))
        if result.missing:
            count = len(result.missing)
            more = (
                self.tr("1 link has no readable page.") if count == 1 else self.tr("{n} links have no readable page.")
            )
            text = f"{text} {more.format(n=formatting.number(count))}"
        self._banners.show_banner(LINKS_BANNER, "warn" if result.missing else "info", text)

    def _failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, RaterError):
            self._banners.show_error(error)

    def _end(self) -> None:
        self._running = self._result = None
        self._banners.drop(LINKS_BANNER)
        self.ended.emit()


class StoredPageParser(QObject):
    """Reader that parses pages on the network queue and records them on the store queue, without delaying answers."""

    unread_count_changed = Signal(int)

    def __init__(self, perform: WorkRunner, web: Web, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._web = web
        self._pages: list[UnindexedPage] = []
        self._running: Progress | None = None

    def start(self) -> None:
        """Start parsing the pages not parsed yet, unless it is running."""
        if self._running is None:
            self._running = self._perform.ask(unindexed_pages, done=self._begin)

    def stop(self) -> None:
        """Stop parsing; pages already parsed stay recorded."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._running, self._pages = None, []

    def _begin(self, pages: list[UnindexedPage]) -> None:
        self._pages = list(pages)
        self._next()

    def _next(self) -> None:
        self.unread_count_changed.emit(len(self._pages))
        if not self._pages:
            self._running = None
            return
        page = self._pages.pop(0)
        read = partial(self._web.reread, page.path)
        self._running = self._perform.fetch(read, done=partial(self._record, page), failed=lambda _error: self._next())

    def _record(self, page: UnindexedPage, read: ReopenedPage) -> None:
        perform = self._perform.perform
        self._running = perform(index_page, page.sha256, read, done=lambda _change: self._next())
