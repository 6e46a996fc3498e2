"""Which page is open in the preview, how it comes, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop_rater.model.limits import format_time
from desktop_rater.model.page import NO_ANSWER, UNSEEN, Page
from desktop_rater.model.trouble import RaterError
from desktop_rater.text.pages import page_of
from desktop_rater.ui.preview.visits import Passage, Visit, Visits
from desktop_rater.web.trouble import WebError
from desktop_rater.work.gather_evidence import keep
from desktop_rater.work.stored_pages import copy_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.page import PageState
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.web.open_web import Fetched, Web
    from desktop_rater.work.stored_pages import StoredCopy


class Browsing(QObject):
    """Of several pages that are asked for the last one counts; the one before is given up.

    A page counts as opened when it stands before the rater: fetched, or as it is stored. What a server answered in the
    place of a page counts too; that nobody answered, or nothing that can be read, does not, unless the rater says so.
    """

    loading = Signal(str)  # a URL
    gave_up = Signal()  # loading has ended, and what was shown before stays
    shown = Signal(object)  # Page
    failed = Signal(object)  # Page: why there is none
    place_wanted = Signal(object)  # Passage, in the page that was just shown
    not_kept = Signal(object)  # RaterError: the page is shown, but could not be stored
    closed = Signal()

    def __init__(
        self,
        perform: Perform,
        session: Session,
        web: Web,
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._web = web
        self._now = now
        self._asked = 0
        self._job: Progress | None = None
        self.visits = Visits()
        self.page: Page | None = None  # what is shown: the page, or why there is none
        self.copy: StoredCopy | None = None  # of a page that did not come
        self.shown_at = ""  # when the page came before the rater, a time of the formats
        self.wanted = ""  # the URL that is on its way
        session.opened.connect(self.close)

    @property
    def is_loading(self) -> bool:
        return bool(self.wanted)

    @property
    def is_open(self) -> bool:
        return self.is_loading or self.page is not None

    @property
    def is_offline(self) -> bool:
        """Whether the page is shown as it is stored because nobody answered."""
        here = self.visits.here
        return here is not None and here.offline

    # -- going somewhere

    def open(self, url: str, passage: Passage | None = None) -> None:
        """Fetch a page and show it, at a passage where one is given; without an answer, as it is stored."""
        if self._is_address(url):
            self._fetch(Visit(url, passage=passage), fresh=True)

    def open_stored(self, url: str, snapshot: str = "", passage: Passage | None = None) -> None:
        """Show a page as it is stored: that snapshot, else the newest; one that is not stored is fetched."""
        if self._is_address(url):
            self._find_stored(Visit(url, snapshot=snapshot, stored=True, passage=passage), fresh=True)

    def show_place(self, passage: Passage) -> None:
        """Bring a passage of the page into view."""
        if self.page is not None and self.page.shows:
            self.place_wanted.emit(passage)

    def reload(self) -> None:
        """Fetch the page at hand from the network, also one that is shown as it is stored."""
        here = self.visits.here
        if here is not None:
            self._fetch(Visit(here.url, passage=here.passage), fresh=False)

    def show_copy(self) -> None:
        """Show what is stored of the page that did not come."""
        here = self.visits.here
        if here is not None and self.copy is not None:
            visit = Visit(here.url, snapshot=self.copy.sha256, stored=True)
            self._reopen(visit, self._begin(here.url), fresh=False, copy=self.copy)

    def back(self) -> None:
        if self.visits.can_go_back:
            self._revisit(self.visits.move(-1))

    def forward(self) -> None:
        if self.visits.can_go_forward:
            self._revisit(self.visits.move(1))

    def cancel(self) -> None:
        """Give up the page that is on its way."""
        if not self.is_loading:
            return
        if self.page is None:
            self.close()
        else:
            self._stop()
            self.gave_up.emit()

    def close(self) -> None:
        """Nothing is open any more."""
        self._stop()
        self.page = self.copy = None
        self.shown_at = ""
        self.visits.forget()
        self.closed.emit()

    def count_as_opened(self) -> None:
        """The rater says that nobody will ever answer there."""
        if self.page is not None:
            self.count(self.page.url)

    # -- the ways a page comes

    def _is_address(self, url: str) -> bool:
        if self._session.task is None:
            return False
        if page_of(url) is None:
            self._session.hinted.emit(self.tr("This is not a web address yet."))
            return False
        return True

    def _begin(self, url: str) -> int:
        self._stop()
        self.wanted = url
        self.loading.emit(url)
        return self._asked

    def _stop(self) -> None:
        self._asked += 1
        self.wanted = ""
        if self._job is not None:
            self._perform.cancel(self._job)
            self._job = None

    def _revisit(self, visit: Visit) -> None:
        if visit.page is None:
            again = self._find_stored if visit.stored or visit.snapshot else self._fetch
            again(visit, fresh=False)
            return
        self._stop()
        self.copy = None
        self._show(visit, visit.page)

    def _fetch(self, visit: Visit, *, fresh: bool) -> None:
        asked, web, url = self._begin(visit.url), self._web, visit.url

        def work(progress: Progress) -> Fetched:
            return web.open(url, progress)

        self._job = self._perform.fetch(
            work,
            done=partial(self._fetched, asked, visit, fresh),
            failed=partial(self._not_fetched, asked, visit, fresh),
        )

    def _fetched(self, asked: int, visit: Visit, fresh: bool, fetched: Fetched) -> None:
        if asked != self._asked:
            return
        # It is kept before it is shown: nothing that is taken from it may name what is not stored.
        self._job = self._perform.perform(
            keep,
            fetched,
            self._session.bundle,
            done=lambda kept: self._kept(asked, visit, fresh, kept.page),
            failed=partial(self._not_kept, asked, visit, fresh, fetched.page),
            first=True,
        )

    def _kept(self, asked: int, visit: Visit, fresh: bool, page: Page) -> None:
        if asked != self._asked:
            return
        if page.shows:
            self._arrive(replace(visit, stored=False, offline=False, snapshot=page.snapshot or ""), page, fresh=fresh)
        else:
            self._look_for_copy(asked, visit, page, fresh=fresh)

    def _not_kept(self, asked: int, visit: Visit, fresh: bool, page: Page, error: Exception) -> None:
        if isinstance(error, RaterError):
            self.not_kept.emit(error)
        self._kept(asked, visit, fresh, msgspec.structs.replace(page, snapshot=None))

    def _not_fetched(self, asked: int, visit: Visit, fresh: bool, error: Exception) -> None:
        if asked == self._asked:
            self._look_for_copy(asked, visit, _page_of_trouble(visit.url, error), fresh=fresh)

    def _look_for_copy(self, asked: int, visit: Visit, page: Page, *, fresh: bool) -> None:
        def found(copy: StoredCopy | None) -> None:
            if asked != self._asked:
                return
            self.copy = copy
            if copy is not None and page.state in NO_ANSWER:
                self._reopen(replace(visit, stored=True, offline=True), asked, fresh=fresh, copy=copy)
            else:
                self._arrive(visit, page, fresh=fresh)

        self._job = self._perform.ask(copy_of, visit.url, done=found)

    def _find_stored(self, visit: Visit, *, fresh: bool) -> None:
        asked = self._begin(visit.url)

        def found(copy: StoredCopy | None) -> None:
            if asked != self._asked:
                return
            if copy is None:
                self._fetch(visit, fresh=fresh)
            else:
                self._reopen(visit, asked, fresh=fresh, copy=copy)

        self._job = self._perform.ask(copy_of, visit.url, visit.snapshot, done=found)

    def _reopen(self, visit: Visit, asked: int, *, fresh: bool, copy: StoredCopy) -> None:
        web = self._web

        def work(progress: Progress) -> Page:
            return web.reopen(copy.path, progress)

        def opened(page: Page) -> None:
            if asked == self._asked:
                # It stands under the address that was asked for, whatever the stored bytes call themselves.
                read = msgspec.structs.replace(page, url=visit.url, snapshot=copy.sha256, stored=True)
                self._arrive(replace(visit, snapshot=copy.sha256), read, fresh=fresh)

        def failed(error: Exception) -> None:
            if asked == self._asked:
                self.copy = None
                self._arrive(visit, _page_of_trouble(visit.url, error), fresh=fresh)

        self._job = self._perform.fetch(work, done=opened, failed=failed)

    # -- and stands there

    def _arrive(self, visit: Visit, page: Page, *, fresh: bool) -> None:
        self._job = None
        self.wanted = ""
        visit = replace(visit, page=page)
        if fresh or self.visits.here is None:
            self.visits.add(visit)
        else:
            self.visits.put(visit)
        self._show(visit, page)

    def _show(self, visit: Visit, page: Page) -> None:
        self.page = page
        self.shown_at = format_time(self._now())
        if page.state not in UNSEEN:
            self.count(visit.url)
        if not page.shows:
            self.failed.emit(page)
            return
        self.copy = None
        self.shown_at = format_time(self._now())
        self.shown.emit(page)
        if visit.passage is not None:
            self.place_wanted.emit(visit.passage)

    def count(self, url: str) -> None:
        """A page stands before the rater now, in whichever view."""
        self._session.opened_link(url, format_time(self._now()))


def _page_of_trouble(url: str, error: Exception) -> Page:
    """Why there is no page, where that came as an exception."""
    state: PageState = error.state if isinstance(error, WebError) else "broken"
    return Page(url=url, final_url=url, state=state, why=str(error) if isinstance(error, RaterError) else "")
