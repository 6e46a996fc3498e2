"""Recorder of research: searches of the web, and the pages looked at for a target or response."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QObject

from desktop_rater.model.rating import ResearchEntry
from desktop_rater.model.values import format_time
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import ShownPage
from desktop_rater.ui.pages.claim_search import ClaimSearch
from desktop_rater.ui.pages.page_views import PageInView
from desktop_rater.ui.rating.session import Session

PagePlace = tuple[str | None, str | None]  # target, or else response


class ResearchRecorder(QObject):
    """Records the page in view for the place where the rater is.

    A page that stays open when the rater goes on to another place counts there once it is used, or looked at for a
    while (`CARRIED_SECONDS`).
    """

    def __init__(
        self, session: Session, in_view: PageInView, searching: ClaimSearch, now: Callable[[], datetime]
    ) -> None:
        super().__init__(searching)
        self._session = session
        self._in_view = in_view
        self._now = now
        self._page: ShownPage | None = None  # the page in view, or the last one
        self._visits: dict[PagePlace, ResearchEntry] = {}  # entries of that page
        self._place: PagePlace | None = None  # where it was recorded last
        self._opened_at: PagePlace | None = None  # where the rater opened it
        self._loads = 0  # of the browser, when it was shown
        self._results: str | None = None  # the page of search results, which is no page of its own
        searching.searched.connect(self._add_search)
        in_view.changed.connect(self._show)
        in_view.used.connect(session.research.use_page)
        session.place_changed.connect(self._follow)
        session.opened.connect(self._forget)

    def _add_search(self, words: str, engine: str, url: str) -> None:
        self._results = page_key(url)
        self._add(self._placed(ResearchEntry(kind="search", query=words, engine=engine)))

    def _show(self) -> None:
        page = self._in_view.now
        if page is None or page_key(page.evidence_url) in {None, self._results}:
            self._session.research.close_page()
            return
        before = page_key(self._page.evidence_url) if self._page is not None else None
        if before != page_key(page.evidence_url):
            self._visits, self._opened_at = {}, self._here
        if self._loads != self._in_view.loads:
            self._opened_at = self._here
        self._page, self._loads = page, self._in_view.loads
        self._record()

    def _follow(self) -> None:
        if self._in_view.now is not None and self._in_view.now == self._page and self._here != self._place:
            self._record()

    def _record(self) -> None:
        """Record the page for the current place. An error in place of a page is not carried to another place."""
        session, page = self._session, self._page
        if page is None or session.task is None or session.read_only:
            return
        self._place = self._here
        title = " ".join(page.title.split()) if page.shows else ""
        entry = ResearchEntry(kind="page", url=page.evidence_url, title=title or None, outcome=page.outcome)
        visit = self._visits.get(self._place)
        entry = replace(entry, url=visit.url, at=visit.at) if visit is not None else entry
        entry = self._visits[self._place] = self._placed(entry)
        carried = self._place != self._opened_at
        if page.shows:
            session.research.open_page(session.bundle, session.rating, entry, carried=carried)
            return
        session.research.close_page()
        if not carried:
            self._add(entry)

    def _forget(self) -> None:
        self._page = self._place = self._opened_at = None
        self._visits = {}

    @property
    def _here(self) -> PagePlace:
        place = self._session.place
        return place.target, place.response if place.target is None else None

    def _add(self, entry: ResearchEntry) -> None:
        session = self._session
        if session.task is not None and not session.read_only:
            session.research.add(session.bundle, session.task.id, entry)

    def _placed(self, entry: ResearchEntry) -> ResearchEntry:
        target, response = self._here
        seconds = 0 if entry.kind == "page" else None
        return replace(
            entry, target=target, response=response, at=entry.at or format_time(self._now()), seconds=seconds
        )
