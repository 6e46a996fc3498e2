"""Recorder of research: searches of the web, and the pages looked at for a target or response."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject

from desktop_rater.model.page import DEAD_STATES, Page
from desktop_rater.model.rating import PageOutcome, ResearchEntry
from desktop_rater.model.values import format_time
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.claim_search import ClaimSearch
from desktop_rater.ui.pages.live_switch import LiveSwitch
from desktop_rater.ui.pages.page_evidence import evidence_url
from desktop_rater.ui.rating.session import Session


def page_outcome(page: Page) -> PageOutcome:
    """Return the outcome of a page from which nothing was taken yet."""
    if page.shows:
        return "sign_in" if page.state == "login" else "nothing"
    return "dead" if page.state in DEAD_STATES else "not_shown"


class ResearchRecorder(QObject):
    """Follows the browser. The page that is open counts for the place where the rater is."""

    def __init__(
        self,
        session: Session,
        browsing: PageBrowser,
        live: LiveSwitch,
        searching: ClaimSearch,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(searching)
        self._session = session
        self._now = now
        self._page: ResearchEntry | None = None  # the page that is shown, without its place
        self._place: tuple[str | None, str | None] = (None, None)
        self._results: str | None = None  # the page of search results, which is no page of its own
        searching.searched.connect(self._add_search)
        browsing.page_shown.connect(self._show_page)
        browsing.failed.connect(self._show_page)
        browsing.closed.connect(self._close)
        live.page_shown.connect(lambda url: self._show(ResearchEntry(kind="page", url=url, outcome="nothing")))
        session.place_changed.connect(self._follow)

    def _add_search(self, words: str, engine: str, url: str) -> None:
        self._results = page_key(url)
        self._add(self._placed(ResearchEntry(kind="search", query=words, engine=engine)))

    def _show_page(self, page: Page) -> None:
        title = " ".join(page.title.split()) if page.shows else ""
        outcome = page_outcome(page)
        if page_key(page.url) == self._results:
            self._close()
        else:
            self._show(ResearchEntry(kind="page", url=evidence_url(page), title=title or None, outcome=outcome))

    def _show(self, entry: ResearchEntry) -> None:
        key = page_key(entry.url or "")
        if key is None or key == self._results:
            self._close()
        elif self._page is None or key != page_key(self._page.url or "") or self._page.outcome != entry.outcome:
            self._page = entry
            self._begin()

    def _begin(self) -> None:
        """Record the page for the current place."""
        session = self._session
        if self._page is None or session.task is None or session.read_only:
            return
        entry = self._placed(self._page)
        self._place = entry.target, entry.response
        if entry.outcome in {"nothing", "sign_in"}:
            session.research.open_page(session.bundle, session.rating, entry)
        else:
            session.research.close_page()
            self._add(entry)

    def _follow(self) -> None:
        placed = self._placed(self._page) if self._page is not None else None
        if placed is not None and (placed.target, placed.response) != self._place:
            self._begin()

    def _close(self) -> None:
        self._page = None
        self._session.research.close_page()

    def _add(self, entry: ResearchEntry) -> None:
        session = self._session
        if session.task is not None and not session.read_only:
            session.research.add(session.bundle, session.task.id, entry)

    def _placed(self, entry: ResearchEntry) -> ResearchEntry:
        place = self._session.place
        return ResearchEntry(
            kind=entry.kind,
            target=place.target,
            response=place.response if place.target is None else None,
            query=entry.query,
            engine=entry.engine,
            url=entry.url,
            title=entry.title,
            at=format_time(self._now()),
            seconds=0 if entry.kind == "page" else None,
            outcome=entry.outcome,
        )
