"""The page that can be seen, in the reader or live; the verdict for a link below it, and links fetched ahead."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import isValid

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.page import Page
from desktop_rater.format.rating import LinkVerdict
from desktop_rater.operations.pages.prefetch import LinksToFetch, PrefetchResult, links_to_fetch, prefetch
from desktop_rater.operations.pages.stored_pages import index_page, link_states, store_page, unindexed_pages
from desktop_rater.pages.web_client import FetchedPage, ReopenedPage, Web
from desktop_rater.rubric.links import link_verdicts
from desktop_rater.store.pages import VisitState
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser, ShownPage
from desktop_rater.ui.pages.evidence_fields import ChoiceRow, verdict_names
from desktop_rater.ui.pages.link_list import LinkList
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.banners import BannerAction, BannerKind, Banners
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.window.jobs import WorkRunner

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView


class LiveSwitch(QObject):
    """Switch that creates the live view on first use. The reader follows its navigation when switched back."""

    changed = Signal()  # the view has changed, or the content of the live view
    reader_wanted = Signal(str, str)  # URL of a page that the live view can't show, and the reason
    used = Signal()  # the rater scrolls or selects

    def __init__(
        self,
        views: QStackedWidget,
        browsing: PageBrowser,
        make: "Callable[[], LiveView]",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._views = views
        self._browsing = browsing
        self._make = make
        self.view: LiveView | None = None
        self.is_on = False

    @property
    def url(self) -> str:
        return self.view.url if self.view is not None else ""

    @property
    def title(self) -> str:
        return self.view.title if self.view is not None else ""

    @property
    def shown(self) -> ShownPage | None:
        return self.view.shown if self.is_on and self.view is not None else None

    @property
    def is_loading(self) -> bool:
        return self.is_on and self.view is not None and self.view.is_loading

    @property
    def selected_text(self) -> str:
        return self.view.selected_text if self.is_on and self.view is not None else ""

    def can_step(self, by: int) -> bool:
        view = self.view
        return self.is_on and view is not None and (view.can_go_back if by < 0 else view.can_go_forward)

    def step(self, by: int) -> bool:
        """Go back or forward; return False if there is no such page."""
        if self.view is None or not self.can_step(by):
            return False
        (self.view.back if by < 0 else self.view.forward)()
        return True

    def reload(self) -> bool:
        """Reload the live page; return whether the live view is visible."""
        if self.is_on and self.view is not None:
            self.view.reload()
        return self.is_on

    def switch_script(self) -> bool:
        """Switch JavaScript on or off; return False if no live page is visible."""
        page = self.view.page if self.is_on and self.view is not None else None
        if self.view is not None and page is not None:
            self.view.run_script(not page.runs_script)
        return page is not None

    def open(self, url: str) -> None:
        view = self._view()
        self.is_on = True
        view.open(url)
        self.changed.emit()

    def switch_off(self) -> str:
        """Switch to the reader; return the URL it has to fetch if the live view has navigated away."""
        if not self.is_on:
            return ""
        self.is_on = False
        live, page = self.url, self._browsing.page
        current_pages = {page_key(page.url), page_key(page.final_url)} if page is not None else set()
        self.changed.emit()
        return live if page_key(live) is not None and page_key(live) not in current_pages else ""

    def forget(self) -> None:
        """Forget the page when it is closed."""
        self.is_on = False
        if self.view is not None:
            self.view.forget()

    def _view(self) -> "LiveView":
        if self.view is None:
            view = self.view = self._make()
            self._views.addWidget(view)
            view.reader_wanted.connect(self.reader_wanted)
            view.used.connect(self.used)
            for signal in (view.title_changed, view.address_changed, view.moved):
                signal.connect(self._on_moved)
        return self.view

    def _on_moved(self, *_what: object) -> None:
        if self.is_on:
            self.changed.emit()


class PageInView(QObject):
    """The page that can be seen now: what counts as opened, read, timed, judged and quoted.

    There is none while a page is loading, and while the pane is hidden or shows something else.
    """

    changed = Signal()
    used = Signal()  # the rater scrolls or selects in the page, or takes something from it

    def __init__(
        self, browsing: PageBrowser, live: LiveSwitch, shows_pages: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._browsing = browsing
        self._live = live
        self._shows_pages = shows_pages
        self.now: ShownPage | None = None
        self.since = ""  # a time of the file formats
        self.loads = 0  # number of pages that were requested
        self._was_loading = False
        for signal in (
            *(browsing.loading, browsing.loading_cancelled, browsing.page_shown, browsing.failed, browsing.closed),
            live.changed,
        ):
            signal.connect(lambda *_values: self.refresh())
        live.used.connect(self.use)

    @property
    def is_loading(self) -> bool:
        """Return whether another page is about to take the place of the one in view."""
        return self._live.is_loading if self._live.is_on else self._browsing.is_loading

    def refresh(self) -> None:
        self.loads += self.is_loading and not self._was_loading
        self._was_loading = self.is_loading
        page = self._find()
        if page == self.now:
            return
        self.now = page
        if page is not None:
            self.since = self._browsing.count(page.url) if page.answered else self._browsing.current_time
        self.changed.emit()

    def use(self) -> None:
        if self.now is not None:
            self.used.emit()

    def _find(self) -> ShownPage | None:
        if not self._shows_pages() or self.is_loading:
            return None
        if self._live.is_on:
            return self._live.shown
        return ShownPage.in_reader(self._browsing.page) if self._browsing.page is not None else None


VERDICT_KEYS = ("Shift M", "Shift V", "Shift X", "Shift G")  # of the actions, in the order of the verdicts


class LinkVerdictBar(QWidget):
    """Choices for the link that is open, else for the current row of the list of links.

    A page that could not be read suggests a verdict.
    """

    def __init__(self, session: Session, in_view: PageInView, links: LinkList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("link_verdicts")
        self._session = session
        self._in_view = in_view
        self._links = links
        self.page: str | None = None  # the link that the bar is about
        theme.set_ground(self, "panel")
        self.row = ChoiceRow("link_verdict", self.tr("This link"), verdict_names(), keys=VERDICT_KEYS)
        self.row.chosen.connect(self.judge)
        body = QWidget()
        inner = tight_column(body)
        theme.pad(inner, 16, 4, 8, 4)  # words and keys without shapes: one line in the page of a notebook
        inner.addWidget(self.row)
        tight_column(self, horizontal_line(), body, spacing=0)
        for signal in (in_view.changed, session.opened, session.rating_changed):
            signal.connect(lambda *_values: self.refresh())
        links.list.selectionModel().currentChanged.connect(lambda *_indexes: self.refresh())
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]
        self.refresh()

    def refresh(self) -> None:
        """Show the link that the keys judge; while another page is loading, they judge none."""
        shown, in_list = self._in_view.now, self._links.list.hasFocus()
        if shown is None and self._in_view.is_loading and not in_list:
            self.row.setEnabled(False)
            return
        chosen = self._links.chosen_url if in_list else None
        urls = [url for url in (chosen, *((shown.url, shown.final_url) if shown is not None else ())) if url]
        self.page = self._links.link_of(*urls) if self._session.task is not None else None
        self.setVisible(self.page is not None)
        if self.page is None:
            return
        outcome = shown.outcome if shown is not None and chosen is None else None
        suggested = outcome if outcome in {"dead", "sign_in"} else None
        self.row.show_choice(link_verdicts(self._session.rating).get(self.page), suggested)
        self.row.setEnabled(not self._session.read_only)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "link_matches": lambda: self.judge("matches"),
            "link_differs": lambda: self.judge("differs"),
            "link_dead": lambda: self.judge("dead"),
            "link_sign_in": lambda: self.judge("sign_in"),
        }

    def judge(self, verdict: LinkVerdict) -> None:
        """Judge the link; the same verdict again takes it back."""
        if self.isVisible() and self.row.isEnabled() and self.page is not None:
            self._session.judge_link(self.page, verdict)
            self.refresh()
        else:
            loading = self.tr("The page is still loading. Judge the link once it is shown.")
            none = self.tr("No link of the task is shown.")
            self._session.hinted.emit(loading if self._in_view.is_loading else none)

    def _focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        if isValid(self._links.list):  # not while the window is being destroyed
            self.refresh()


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
        self, perform: WorkRunner, session: Session, web: Web, banners: Banners, stored: Callable[[], object]
    ) -> None:
        super().__init__(banners)
        self._perform = perform
        self._session = session
        self._web = web
        self._banners = banners
        self._page_stored = stored  # called after each page
        self._running: Progress | None = None
        self._bundle = ""
        self._quiet = False  # nobody asked for it, so nothing is said
        self._storing = 0  # pages being stored
        self._result: PrefetchResult | None = None  # result of a run whose last pages are still being stored
        self._page_fetched.connect(self._store_page)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"fetch_task_links": self.fetch_of_task, "fetch_bundle_links": self.fetch_of_bundle}

    def fetch_of_task(self, *, quiet: bool = False) -> None:
        """Fetch the links of the current task that are not stored yet; with `quiet`, without a message."""
        if self._session.task is not None and not (quiet and self._running is not None):
            self._find(self._session.task.id, quiet=quiet)

    def fetch_of_bundle(self) -> None:
        """Fetch the links of all tasks of the bundle that are not stored yet."""
        if self._session.bundle:
            self._find("")

    def stop(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._end()

    def _find(self, task: str, *, quiet: bool = False) -> None:
        self._quiet = quiet
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
            self._show("info", text)
            return
        self._show_progress(0, len(links.urls))
        store_page = self._page_fetched.emit

        def work(progress: Progress) -> PrefetchResult:
            return prefetch(links.urls, self._web, store_page, progress=progress)

        self._running = self._perform.fetch(
            work, done=self._fetched, failed=self._failed, progressed=self._show_progress
        )

    def _store_page(self, fetched: FetchedPage) -> None:

        self._storing += 1
        self._perform.perform(
            store_page, fetched, self._bundle, done=lambda _kept: self._stored(), failed=self._not_stored
        )

    def _stored(self) -> None:
        self._storing -= 1
        self._page_stored()
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
            self._show("info", text, [(self.tr("Stop"), self.stop)])

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
        self._show("warn" if result.missing else "info", text)

    def _show(self, kind: BannerKind, text: str, ways: Sequence[BannerAction] = ()) -> None:
        if not self._quiet:
            self._banners.show_banner(LINKS_BANNER, kind, text, ways)

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
        self._pages: list[tuple[str, Path]] = []  # SHA-256 and file
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

    def _begin(self, pages: list[tuple[str, Path]]) -> None:
        self._pages = list(pages)
        self._next()

    def _next(self) -> None:
        self.unread_count_changed.emit(len(self._pages))
        if not self._pages:
            self._running = None
            return
        sha256, path = self._pages.pop(0)
        read, record = partial(self._web.reread, path), partial(self._record, sha256)
        self._running = self._perform.fetch(read, done=record, failed=lambda _error: self._next())

    def _record(self, sha256: str, read: ReopenedPage) -> None:
        perform = self._perform.perform
        self._running = perform(index_page, sha256, read, done=lambda _change: self._next())
