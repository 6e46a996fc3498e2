"""Searches: of the stored pages of the bundle and, on the web, for a claim; and the recorder of such research."""

from collections.abc import Callable, Mapping
from datetime import datetime
from urllib.parse import quote

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QLocale, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import LibraryName, ResearchEntry
from desktop_rater.format.values import format_time
from desktop_rater.operations.pages.stored_pages import search_stored_pages
from desktop_rater.pages.web_client import Web
from desktop_rater.rubric.research import entries_at
from desktop_rater.store.pages import PageHit
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser, PagePassage, ShownPage, display_host
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.pages.page_views import PageInView, StoredPageParser
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.formatting import day_text
from desktop_rater.ui.widgets.labels import WrappedLabel, isolated
from desktop_rater.ui.widgets.layouts import fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences

PAUSE_MS, MAX_HITS = 150, 50
STEPS: dict[int, int] = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
HIT_CONTEXT = 30  # characters of context before the first match


class StoredSearch(QWidget):
    """Search shown in place of the page; the arrow keys choose a hit, Enter opens it."""

    hit_chosen = Signal(object)  # Hit
    left = Signal()
    begun = Signal()

    def __init__(self, session: Session, perform: WorkRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stored_search")
        self.setAccessibleName(self.tr("Where did I read this"))
        self._session = session
        self._perform = perform
        self._search_job: Progress | None = None
        self._hits: tuple[PageHit, ...] = ()
        self._unread = 0  # stored pages not parsed yet
        theme.set_ground(self, "surface")
        self.field = LineField(
            name="stored_field",
            label=self.tr("Find in the stored pages"),
            placeholder=self.tr("Words from the page"),
            entered=lambda _by: self._choose(self.list.currentIndex()),
            left=self.left,
        )
        self.field.textChanged.connect(lambda _text: self._pause.start())
        self.field.installEventFilter(self)
        self.text_label = WrappedLabel(name="stored_words", ink="text2")
        self.list = RowList("stored_hits", two_lines=True, label=self.tr("Stored pages with these words"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._choose)
        self._pause = DelayedCall(self, PAUSE_MS, self.ask)
        self._lay_out()
        session.opened.connect(self._forget)

    def _lay_out(self) -> None:
        head = fill(QVBoxLayout(), self.field, self.text_label)
        tight_column(self, head, horizontal_line(), (self.list, 1), spacing=0)
        self.setFocusProxy(self.field)

        def measure() -> None:
            head.setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(8))
            head.setSpacing(theme.px(6))

        theme.follow(self, measure)

    def begin(self, words: str = "") -> None:
        """Focus the field, with the given words first."""
        if words:
            self.field.setText(words)
        self.field.setFocus()
        self.field.selectAll()
        self.begun.emit()
        self.ask()

    def show_waiting(self, count: int) -> None:
        """Show how many stored pages are still being parsed; search again when none are left."""
        self._unread = count
        if count:
            self._update_text()
        else:
            self.ask()

    def ask(self) -> None:
        self._pause.stop()
        if self._search_job is not None:
            self._perform.cancel(self._search_job)
            self._search_job = None
        query = self.field.text().strip()
        if query and self._session.bundle:
            self._search_job = self._perform.ask(
                search_stored_pages, self._session.bundle, query, MAX_HITS, done=self._show
            )
        else:
            self._show([])

    def _show(self, hits: list[PageHit]) -> None:
        self._search_job = None
        self._hits = tuple(hits)
        self.model.show([self._line(hit) for hit in hits])
        if hits:
            self.list.setCurrentIndex(self.model.index(0))
        self._update_text()

    def _update_text(self) -> None:
        count = len(self._hits)
        if not self.field.text().strip():
            text = self.tr("Searches the text of every page opened in this bundle.")
        elif not count:
            text = self.tr("No stored page of this bundle has these words.")
        elif count >= MAX_HITS:
            text = self.tr("The best {n} pages").format(n=MAX_HITS)
        else:
            text = self.tr("1 page") if count == 1 else self.tr("{n} pages").format(n=count)
        if self._unread:
            reading = self.tr("1 stored page is still being read.")
            if self._unread > 1:
                reading = self.tr("{n} stored pages are still being read.").format(n=formatting.number(self._unread))
            text = f"{text} {reading}"
        self.text_label.setText(text)

    def _line(self, hit: PageHit) -> ListRow:
        title = " ".join(hit.title.split()) or display_host(hit.url)
        source = self.tr("results of {rater}").format(rater=isolated(hit.origin.rater))
        if hit.origin.kind != "results":
            source = isolated(hit.origin.library) or day_text(hit.fetched)
        return ListRow(hit.sha256, title, end=display_host(hit.url), detail=_context_of(hit), detail_end=source)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.hit_chosen.emit(self._hits[index.row()])

    def _forget(self) -> None:
        self._pause.stop()
        self._unread = 0
        self._show([])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the hits with the arrow keys while the field has the focus."""
        if watched is not self.field or not isinstance(event, QKeyEvent) or event.key() not in STEPS:
            return False
        if event.type() == QEvent.Type.KeyPress:
            row = self.list.currentIndex().row() + STEPS[event.key()]
            self.list.setCurrentIndex(self.model.index(max(0, min(row, self.model.rowCount() - 1))))
        return event.type() == QEvent.Type.KeyPress


def _context_of(hit: PageHit) -> str:
    first = hit.marks[0][0] if hit.marks else 0
    begin = hit.snippet.rfind(" ", 0, max(0, first - HIT_CONTEXT)) + 1
    return ("…" if begin else "") + " ".join(hit.snippet[begin:].split())


MAX_QUERY = 80  # maximum length of a selection to search for


class StoredSearchCommands(QObject):
    """Commands of the search: connect it with the preview and the parser of unread pages."""

    def __init__(
        self, window: MainWindow, session: Session, browsing: PageBrowser, perform: WorkRunner, web: Web
    ) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._pane = window.preview
        self.search = StoredSearch(session, perform)
        self.reading = StoredPageParser(perform, web, self)
        self._pane.add_view(self.search)
        self.search.begun.connect(self.reading.start)
        self.search.left.connect(self.leave)
        self.search.hit_chosen.connect(self._open)
        self.reading.unread_count_changed.connect(self.search.show_waiting)
        browsing.closed.connect(self.reading.stop)
        session.opened.connect(self.reading.stop)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"find_read": self.ask}

    def ask(self) -> None:
        """Search the stored pages, for the selection on the page if it is short."""
        if self._session.task is None:
            return
        passage = self._pane.reader.passage if self._pane.shows_reader else None
        query = passage.quote if passage is not None and len(passage.quote) <= MAX_QUERY else ""
        self._pane.show_view(self.search)
        self.search.begin(query)

    def leave(self) -> None:
        """Return to the page, or to the task if none is open."""
        self.reading.stop()
        if self._browsing.page is None:
            self._browsing.close()
        else:
            self._pane.show_page_again()

    def _open(self, hit: PageHit) -> None:
        """Open the stored page at the hit."""
        self.reading.stop()
        self._pane.show_page_again()
        self._browsing.open_stored(hit.url, hit.sha256, _passage(hit))


def _passage(hit: PageHit) -> PagePassage | None:
    """Return the first matching words of a hit with their context."""
    if not hit.marks:
        return None
    start, end = hit.marks[0]
    return PagePassage(hit.snippet[start:end], hit.snippet[max(0, start - 32) : start], hit.snippet[end : end + 32])


# The first two and the last also work without JavaScript.
ENGINES: Mapping[str, str] = {
    "duckduckgo": "https://html.duckduckgo.com/html/?q={words}",
    "bing": "https://www.bing.com/search?q={words}",
    "google": "https://www.google.com/search?q={words}",
    "wikipedia": "https://{language}.wikipedia.org/w/index.php?search={words}",
}
LONGEST = 300


def search_url(template: str, words: str, language: str = "en") -> str:
    """Return the URL that searches for `words`; a query that is too long is cut at a blank."""
    query = " ".join(words.split())
    if len(query) > LONGEST:
        query = query[:LONGEST].rpartition(" ")[0] or query[:LONGEST]
    return template.format(words=quote(query, safe=""), language=language)


class ClaimSearch(QObject):
    """Search with the configured engine, in the live view or, without one, in the reader."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        browsing: PageBrowser,
        preferences: Preferences,
        searched: Callable[[str, str, str], object],
        machine: LiveViewSupport | None = None,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._preferences = preferences
        self._searched = searched  # called with words, engine, and URL of the results
        self._machine = machine
        self._pane = window.preview

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"search_claim": self.search}

    def search(self) -> None:
        """Search for the current claim, or else for the quote of the target."""
        query = claim_or_quote(self._session).strip()
        if not query:
            self._session.hinted.emit(self.tr("Select a claim or a target to search for."))
            return
        engine = self._preferences.now.search_engine
        language = QLocale.system().name().partition("_")[0]
        url = search_url(ENGINES[engine], query, language if language.isalpha() and language != "C" else "en")
        self._searched(query, engine, url)
        show = self._browsing.open if live_view_obstacle(self._machine or LiveViewSupport()) else self._pane.show_live
        show(url)


PagePlace = tuple[str | None, str | None]  # target, or else response


class ResearchRecorder(QObject):
    """Records the page in view for the place where the rater is.

    A page that stays open when the rater goes on to another place counts there once it is used, or looked at for a
    while (`CARRIED_SECONDS`).
    """

    def __init__(self, session: Session, in_view: PageInView, now: Callable[[], datetime], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._in_view = in_view
        self._now = now
        self._page: ShownPage | None = None  # the page in view, or the last one
        self._visits: dict[PagePlace, ResearchEntry] = {}  # entries of that page
        self._place: PagePlace | None = None  # where it was recorded last
        self._opened_at: PagePlace | None = None  # where the rater opened it
        self._loads = 0  # of the browser, when it was shown
        self._results: str | None = None  # the page of search results, which is no page of its own
        in_view.changed.connect(self._show)
        in_view.used.connect(session.research.use_page)
        session.place_changed.connect(self._follow)
        session.opened.connect(self._forget)

    def add_search(self, words: str, engine: str, url: str) -> None:
        self._results = page_key(url)
        self.add(ResearchEntry(kind="search", query=words, engine=engine))

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
        unread = (earlier for earlier in self._visits_here(page.evidence_url) if not earlier.seconds)
        visit = self._visits.get(self._place) or next(unread, None)
        if page.library is not None and (visit is None or visit.libraries):  # what was read on the web once, counts so
            entry = replace(entry, libraries=(page.library,))
        entry = replace(entry, url=visit.url, at=visit.at) if visit is not None else entry
        entry = self._visits[self._place] = self._placed(entry)
        carried = self._place != self._opened_at
        if page.shows:
            session.research.open_page(session.bundle, session.rating, entry, carried=carried)
            return
        session.research.close_page()
        if not carried:
            self.add(entry)

    def _forget(self) -> None:
        self._page = self._place = self._opened_at = None
        self._visits = {}

    @property
    def _here(self) -> PagePlace:
        place = self._session.place
        return place.target, place.response if place.target is None else None

    def add(self, entry: ResearchEntry, *libraries: LibraryName | None) -> None:
        """Add an entry for the place where the rater is, of these libraries, and of now unless it has a time.

        Where something is taken from a page without opening it, an entry of the page that is there stays the only one.
        """
        session, names = self._session, tuple(name for name in libraries if name is not None)
        entry = replace(entry, libraries=names) if names else entry
        if session.task is None or session.read_only:
            return
        if entry.outcome != "taken" or not self._visits_here(entry.url or ""):
            session.research.add(session.bundle, session.task.id, self._placed(entry))

    def _visits_here(self, url: str) -> list[ResearchEntry]:
        """Return the entries of a page at this place that it was shown for, or that something was taken for."""
        entries = entries_at(self._session.research.with_all(self._session.bundle, self._session.rating), *self._here)
        return [
            entry
            for entry in entries
            if entry.outcome in {"taken", "nothing"} and page_key(entry.url or "") == page_key(url)
        ]

    def _placed(self, entry: ResearchEntry) -> ResearchEntry:
        target, response = self._here
        seconds = 0 if entry.kind == "page" else None
        return replace(
            entry, target=target, response=response, at=entry.at or format_time(self._now()), seconds=seconds
        )
