"""Page in the preview: opening, storing and history, and its address bar."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs
from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QStackedWidget, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.page import DEAD_STATES, NO_ANSWER_STATES, Page, PageState
from desktop_rater.format.rating import LibraryName, PageOutcome
from desktop_rater.format.values import format_time
from desktop_rater.operations.pages.stored_pages import StoredCopy, find_stored_copy, store_page, stored_pictures
from desktop_rater.pages.guard import host_display
from desktop_rater.pages.response import Rendering, WebError
from desktop_rater.pages.web_client import FetchedPage, FetchedPicture, Web
from desktop_rater.text.urls import page_key, readable_url
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import Chips
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import draw_text, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import fill
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.window.jobs import WorkRunner

MAX_VISITS = 50
MAX_LOADED_PAGES = 5  # pages in memory; others are opened again from the store


class PagePassage(Struct, frozen=True):
    """Position in a page: a quote with the text before and after it."""

    quote: str
    prefix: str = ""
    suffix: str = ""


class PageVisit(Struct, frozen=True):
    """Requested page: from the network, or `stored`, then by its snapshot if one is given."""

    url: str
    snapshot: str = ""
    stored: bool = False
    offline: bool = False  # the stored copy is shown because the network gave no answer
    passage: PagePassage | None = None
    page: Page | None = None
    copy: StoredCopy | None = None  # the stored copy that is shown, with its origin


def page_outcome(state: PageState, *, shows: bool) -> PageOutcome:
    """Return the outcome of a page from which nothing was taken yet; `shows`: its content can be seen."""
    if state == "login":
        return "sign_in"
    if state in DEAD_STATES:
        return "dead"
    return "nothing" if shows else "not_shown"


class ShownPage(Struct, frozen=True):
    """A page that can be seen, or what the site or the program says in its place.

    `url` was requested, `final_url` is its own address. `shows`: its content can be seen and taken. `answered`: the
    site's answer can be seen, so that the link counts as opened. `library`: it was read from there.
    """

    url: str
    final_url: str
    title: str
    outcome: PageOutcome
    shows: bool
    answered: bool
    live: bool = False
    library: LibraryName | None = None

    @classmethod
    def in_reader(cls, page: Page) -> "ShownPage":
        outcome, answered = page_outcome(page.state, shows=page.shows), not page.is_unseen
        url, library = page.final_url or page.url, page.library
        return cls(page.url, url, page.title, outcome, page.shows, answered, library=library)

    @property
    def evidence_url(self) -> str:
        """Return the URL that evidence and the record store.

        It is the requested one if that is the same page, or if the site led to an address outside the web; otherwise
        the final one.
        """
        return self.url if page_key(self.final_url) in {None, page_key(self.url)} else self.final_url


class PageHistory:
    """Browsing history. As in a browser, a new visit discards the forward entries."""

    def __init__(self) -> None:
        self._all: list[PageVisit] = []
        self._index = -1

    @property
    def here(self) -> PageVisit | None:
        return self._all[self._index] if self._index >= 0 else None

    @property
    def can_go_back(self) -> bool:
        return self._index > 0

    @property
    def can_go_forward(self) -> bool:
        return self._index + 1 < len(self._all)

    def add(self, visit: PageVisit) -> None:
        """Add a page that was opened anew."""
        del self._all[self._index + 1 :]
        self._all.append(visit)
        del self._all[:-MAX_VISITS]
        self._index = len(self._all) - 1
        self._release_pages()

    def put(self, visit: PageVisit) -> None:
        """Replace the current entry after a reload."""
        self._all[self._index] = visit
        self._release_pages()

    def move(self, by: int) -> PageVisit:
        self._index = max(0, min(self._index + by, len(self._all) - 1))
        return self._all[self._index]

    def forget(self) -> None:
        self._all, self._index = [], -1

    def _release_pages(self) -> None:
        """Drop the pages that are furthest from the current one; their entries stay."""
        loaded = [index for index, visit in enumerate(self._all) if visit.page is not None]
        loaded.sort(key=lambda index: abs(index - self._index))
        for index in loaded[MAX_LOADED_PAGES:]:
            self._all[index] = structs.replace(self._all[index], page=None)


class PageBrowser(QObject):
    """Browser of one page at a time; a new request cancels the one before. `PageInView` knows what is visible."""

    about_to_load = Signal()  # the first page makes the pane
    loading = Signal(str)  # a URL
    loading_cancelled = Signal()  # loading was cancelled; the page shown before stays
    page_shown = Signal(object)  # Page
    failed = Signal(object)  # Page that holds the error
    passage_wanted = Signal(object)  # Passage in the page just shown
    store_failed = Signal(object)  # RaterError: the page is shown but could not be stored
    closed = Signal()

    def __init__(
        self,
        perform: WorkRunner,
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
        self._latest = LatestRequest()
        self._job: Progress | None = None
        self.visits = PageHistory()
        self.page: Page | None = None  # the visible page, or the error in its place
        self.stored_copy: StoredCopy | None = None  # stored copy of a page that could not be fetched
        self.loading_url = ""  # the URL that is being loaded
        session.opened.connect(self.close)

    @property
    def is_loading(self) -> bool:
        return bool(self.loading_url)

    @property
    def is_open(self) -> bool:
        return self.is_loading or self.page is not None

    @property
    def is_offline(self) -> bool:
        """Return whether the stored copy is shown because the network gave no answer."""
        here = self.visits.here
        return here is not None and here.offline

    @property
    def copy_here(self) -> StoredCopy | None:
        """The stored copy that is shown; `None` for a page that was fetched just now."""
        here = self.visits.here
        return here.copy if here is not None else None

    # -- navigation

    def open(self, url: str, passage: PagePassage | None = None) -> None:
        """Fetch a page and show it, at a passage if one is given; without an answer, show the stored copy."""
        if self._is_address(url):
            self._fetch(PageVisit(url, passage=passage), fresh=True)

    def open_stored(self, url: str, snapshot: str = "", passage: PagePassage | None = None) -> None:
        """Show a stored page: the given snapshot, or else the newest; fetch the page if none is stored."""
        if self._is_address(url):
            self._find_stored(PageVisit(url, snapshot=snapshot, stored=True, passage=passage), fresh=True)

    def show_passage(self, passage: PagePassage) -> None:
        if self.page is not None and self.page.shows:
            self.passage_wanted.emit(passage)

    def reload(self) -> None:
        """Fetch the current page from the network, even if it is shown from the store."""
        here = self.visits.here
        if here is not None:
            self._fetch(PageVisit(here.url, passage=here.passage), fresh=False)

    def show_copy(self) -> None:
        """Show the stored copy of a page that could not be fetched."""
        here = self.visits.here
        if here is not None and self.stored_copy is not None:
            self._begin(here.url)
            visit = PageVisit(here.url, snapshot=self.stored_copy.sha256, stored=True)
            self._reopen(visit, fresh=False, copy=self.stored_copy)

    def back(self) -> None:
        if self.visits.can_go_back:
            self._revisit(self.visits.move(-1))

    def forward(self) -> None:
        if self.visits.can_go_forward:
            self._revisit(self.visits.move(1))

    def cancel(self) -> None:
        if not self.is_loading:
            return
        if self.page is None:
            self.close()
        else:
            self._stop()
            self.loading_cancelled.emit()

    def close(self) -> None:
        self._stop()
        self.page = self.stored_copy = None
        self.visits.forget()
        self.closed.emit()

    def count_as_opened(self) -> None:
        """Count the page as opened although it does not answer, at the rater's request."""
        if self.page is not None:
            self.count(self.page.url, seen=False)

    def store_rendering(self, rendering: Rendering, done: Callable[[Page], None]) -> None:
        """Store a page that the live view rendered, and pass it on; without a text it shows nothing."""

        def store(fetched: FetchedPage) -> None:
            self._store(fetched, done)

        self._perform.fetch(partial(self._web.read_rendering, rendering), done=store)

    def read_picture(self, done: Callable[[bytes], None]) -> None:
        """Pass on the picture that is stored with the rendered page shown; empty if there is none."""
        if self.copy_here is not None:
            self._perform.fetch(partial(self._web.read_picture, self.copy_here.path), done=self._latest.only(done))

    # -- loading

    def _is_address(self, url: str) -> bool:
        if self._session.task is None:
            return False
        if page_key(url) is None:
            self._session.hinted.emit(self.tr("This is not a valid web address."))
            return False
        return True

    def _begin(self, url: str) -> None:
        self._stop()
        self.loading_url = url
        self.about_to_load.emit()
        self.loading.emit(url)

    def _stop(self) -> None:
        self._latest.replace()
        self.loading_url = ""
        if self._job is not None:
            self._perform.cancel(self._job)
            self._job = None

    def _revisit(self, visit: PageVisit) -> None:
        if visit.page is None:
            again = self._find_stored if visit.stored or visit.snapshot else self._fetch
            again(visit, fresh=False)
            return
        self._stop()
        self.stored_copy = None
        self._show(visit, visit.page)

    def _fetch(self, visit: PageVisit, *, fresh: bool) -> None:
        self._begin(visit.url)
        only = self._latest.only

        def failed(error: Exception) -> None:
            self._look_for_copy(visit, _error_page(visit.url, error), fresh=fresh)

        self._job = self._perform.fetch(
            partial(self._web.open, visit.url), done=only(partial(self._fetched, visit, fresh)), failed=only(failed)
        )

    def _fetched(self, visit: PageVisit, fresh: bool, fetched: FetchedPage) -> None:
        # Store it before it is shown: evidence must not refer to a page that is not stored.
        self._job = self._store(fetched, self._latest.only(partial(self._stored, visit, fresh)))

    def find_pictures(self, urls: Sequence[str], show: Callable[[dict[str, bytes]], None]) -> None:
        """Look for the stored pictures of a response, without using the network."""
        self._perform.ask(stored_pictures, urls, self._session.bundle, done=show)

    def fetch_picture(self, url: str, show: Callable[[Page, bytes], None]) -> None:
        """Fetch a picture and store it, then show it; without one, `show` gets the page that says why."""
        bundle = self._session.bundle

        def store(picture: FetchedPicture) -> None:
            page = picture.fetched.page
            if not picture.data:
                show(page, b"")
                return
            self._perform.perform(
                store_page,
                picture.fetched,
                bundle,
                done=lambda _stored: show(page, picture.data),
                failed=self._picture_failed,
            )

        self._perform.fetch(partial(self._web.open_picture, url), done=store)

    def _picture_failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            self.store_failed.emit(error)

    def _store(self, fetched: FetchedPage, show: Callable[[Page], None]) -> Progress:

        def failed(error: Exception) -> None:
            if isinstance(error, RaterError):
                self.store_failed.emit(error)
            show(msgspec.structs.replace(fetched.page, snapshot=None))

        return self._perform.perform(
            store_page, fetched, self._session.bundle, done=lambda stored: show(stored.page), failed=failed, first=True
        )

    def _stored(self, visit: PageVisit, fresh: bool, page: Page) -> None:
        if page.shows:
            read = structs.replace(visit, stored=False, offline=False, snapshot=page.snapshot or "", copy=None)
            self._arrive(read, page, fresh=fresh)
        else:
            self._look_for_copy(visit, page, fresh=fresh)

    def _look_for_copy(self, visit: PageVisit, page: Page, *, fresh: bool) -> None:
        def show_copy(copy: StoredCopy | None) -> None:
            self.stored_copy = copy
            if copy is not None and page.state in NO_ANSWER_STATES:
                self._reopen(structs.replace(visit, stored=True, offline=True), fresh=fresh, copy=copy)
            else:
                self._arrive(visit, page, fresh=fresh)

        self._ask_for_copy(visit, "", show_copy)

    def _find_stored(self, visit: PageVisit, *, fresh: bool) -> None:
        def show_copy(copy: StoredCopy | None) -> None:
            if copy is None:
                self._fetch(visit, fresh=fresh)
            else:
                self._reopen(visit, fresh=fresh, copy=copy)

        self._begin(visit.url)
        self._ask_for_copy(visit, visit.snapshot, show_copy)

    def _ask_for_copy(self, visit: PageVisit, snapshot: str, show: Callable[[StoredCopy | None], None]) -> None:
        bundle, done = self._session.bundle, self._latest.only(show)
        self._job = self._perform.ask(find_stored_copy, visit.url, snapshot, bundle, done=done)

    def _reopen(self, visit: PageVisit, *, fresh: bool, copy: StoredCopy) -> None:
        def show_page(page: Page) -> None:
            # Keep the requested address, whatever the stored bytes declare.
            read = msgspec.structs.replace(page, url=visit.url, snapshot=copy.sha256, stored=True)
            self._arrive(structs.replace(visit, snapshot=copy.sha256, copy=copy), read, fresh=fresh)

        def failed(error: Exception) -> None:
            self.stored_copy = None
            self._arrive(visit, _error_page(visit.url, error), fresh=fresh)

        only = self._latest.only
        self._job = self._perform.fetch(partial(self._web.reopen, copy.path), done=only(show_page), failed=only(failed))

    # -- showing

    def _arrive(self, visit: PageVisit, page: Page, *, fresh: bool) -> None:
        self._job = None
        self.loading_url = ""
        visit = structs.replace(visit, page=page)
        if fresh or self.visits.here is None:
            self.visits.add(visit)
        else:
            self.visits.put(visit)
        self._show(visit, page)

    def _show(self, visit: PageVisit, page: Page) -> None:
        self.page = page
        if not page.shows:
            self.failed.emit(page)
            return
        self.stored_copy = None
        self.page_shown.emit(page)
        if visit.passage is not None:
            self.passage_wanted.emit(visit.passage)

    def count(self, url: str, *, seen: bool = True) -> str:
        """Record that a page can be seen, or that it is only counted as opened; return the time."""
        when = self.current_time
        self._session.record_opened_link(url, when, seen=seen)
        return when

    @property
    def current_time(self) -> str:
        return format_time(self._now())


def _error_page(url: str, error: Exception) -> Page:
    """Return a page that holds the error of a failed fetch."""
    state: PageState = error.state if isinstance(error, WebError) else "broken"
    return Page(url=url, final_url=url, state=state, why=str(error) if isinstance(error, RaterError) else "")


class UrlParts(Struct, frozen=True):
    """Parts of a URL. `host` in Unicode; `ascii_host` in punycode, if that is different."""

    scheme: str = ""
    host: str = ""
    ascii_host: str = ""
    rest: str = ""

    @property
    def spoken(self) -> str:
        ascii_host = f" ({self.ascii_host})" if self.ascii_host else ""
        return f"{self.scheme}{self.host}{ascii_host}{self.rest}"


def split_url(url: str) -> UrlParts:
    """Split a URL. The scheme is left out for https only."""
    names = host_display(url)
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return UrlParts(rest=url)
    if not names.shown:
        return UrlParts(rest=url)
    host = f"[{names.shown}]" if ":" in names.shown else names.shown
    scheme = "" if parts.scheme == "https" else f"{parts.scheme}://"
    rest = url.split("://", 1)[-1][len(parts.netloc) :]
    ascii_host = names.ascii if names.ascii != names.shown else ""
    return UrlParts(scheme, f"{host}{port}", ascii_host, "" if rest == "/" else readable_url(rest))


def display_host(url: str) -> str:
    """Return the host of a page in Unicode, or the start of an invalid URL."""
    return split_url(url).host or url[:80]


HEIGHT = 34
LONGEST = 10_000
VIEWS = ("reader", "page")
LEFT_ALIGNED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


class AddressLine(QAbstractButton):
    """Address as text. Its host stays visible as long as possible. A click starts editing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("address_line")
        self._shown = UrlParts()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        theme.set_type(self)

    def show_url(self, url: str) -> None:
        self._shown = split_url(url)
        self.setText(visible(url))
        self.setShortcut(QKeySequence())  # an & in an address defines no mnemonic
        self.setAccessibleName(visible(self.tr("Address: {url}").format(url=self._shown.spoken)))
        set_tooltip(self, "\n".join(dict.fromkeys((url, self._shown.spoken))))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(80), theme.px(24))

    def sizeHint(self) -> QSize:
        return QSize(theme.px(240), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        # Addresses are written from left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        left = 0
        for text, bold, side in self._pieces():
            font = font_of(self.font(), bold=bold)
            metrics, width = QFontMetrics(font), self.width() - left
            painter.setFont(font)
            painter.setPen(theme.color(self, "text" if bold else "text2"))
            elided = metrics.elidedText(text, side, width)
            draw_text(painter, QRect(left, 0, width, self.height()), LEFT_ALIGNED | Qt.TextFlag.TextSingleLine, elided)
            left += metrics.horizontalAdvance(elided)
            if elided != text:
                break
        painter.end()

    def _pieces(self) -> tuple[tuple[str, bool, Qt.TextElideMode], ...]:
        url = self._shown
        # Elide the start of a host: its end identifies the owner.
        plain, host = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideLeft
        ascii_host = f" ({url.ascii_host})" if url.ascii_host else ""
        return (url.scheme, False, plain), (url.host, True, host), (ascii_host, False, plain), (url.rest, False, plain)


class AddressBar(QWidget):
    """Address bar, and the switch between the two views of its page."""

    entered = Signal(str)  # a URL
    left = Signal()
    view_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        theme.set_ground(self, "panel")
        self._stack = QStackedWidget()
        self._stack.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._line = AddressLine()
        self._line.clicked.connect(self.edit)
        self.field = LineField(
            name="address_field",
            label=self.tr("Address of a page"),
            placeholder=self.tr("Paste or type an address"),
            entered=self._enter,
            left=self._leave,
        )
        self.field.setMaxLength(LONGEST)
        self.field.editingFinished.connect(self._show_line)
        for widget in (self._line, self.field):
            self._stack.addWidget(widget)
        row = fill(QHBoxLayout(self), (self._stack, 1))
        self.views = Chips("preview_view", VIEWS)
        self.views.setAccessibleName(self.tr("View"))
        self.views.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.views.show_words("reader", self.tr("Reader"))
        self.views.show_words("page", self.tr("Page"))
        self.views.chosen.connect(self.view_chosen)
        row.addWidget(self.views, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.pad(row, 16, 0, 12, 0, spacing=8, height=HEIGHT)

    def show_url(self, url: str) -> None:
        self._url = url
        self._line.show_url(url)

    def edit(self) -> None:
        self.show()  # it is hidden above a search
        self.field.setText(self._url)
        self._stack.setCurrentWidget(self.field)
        self.field.setFocus()
        self.field.selectAll()

    def _enter(self, _by: int) -> None:
        url = self.field.text().strip()
        if url:
            # Typed addresses often have no scheme.
            self.entered.emit(url if "://" in url else f"https://{url}")
        self._leave()

    def _leave(self) -> None:
        self._show_line()
        self.left.emit()

    def _show_line(self) -> None:
        self._stack.setCurrentWidget(self._line)
