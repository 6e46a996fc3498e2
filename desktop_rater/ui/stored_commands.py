"""Where did I read this: the search through stored pages, in the place of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.ui.preview.stored_reading import StoredReading
from desktop_rater.ui.preview.stored_search import StoredSearch
from desktop_rater.ui.preview.visits import Passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.store.pages import Hit
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.session import Session
    from desktop_rater.web.open_web import Web

LONGEST = 80  # of a selection that is looked for


class StoredCommands(QObject):
    """Knows the preview, what is open in it, and the search."""

    def __init__(self, window: MainWindow, session: Session, browsing: Browsing, perform: Perform, web: Web) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._pane = window.preview
        self.search = StoredSearch(session, perform)
        self.reading = StoredReading(perform, web, self)
        self._pane.add_view(self.search)
        self.search.begun.connect(self.reading.start)
        self.search.left.connect(self.leave)
        self.search.hit_chosen.connect(self._open)
        self.reading.left_to_read.connect(self.search.show_waiting)
        browsing.closed.connect(self.reading.stop)
        session.opened.connect(self.reading.stop)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"find_read": self.ask}

    def ask(self) -> None:
        """Look through the stored pages, for what is selected on the page if that is short."""
        if self._session.task is None:
            return
        passage = self._pane.reader.passage if self._pane.shows_reader else None
        words = passage.quote if passage is not None and len(passage.quote) <= LONGEST else ""
        self._pane.show_view(self.search)
        self.search.begin(words)

    def leave(self) -> None:
        """Back to the page, or to the task where none is open."""
        self.reading.stop()
        if self._browsing.page is None:
            self._browsing.close()
        else:
            self._pane.show_page_again()

    def _open(self, hit: Hit) -> None:
        """The stored page at what was found in it."""
        self.reading.stop()
        self._pane.show_page_again()
        self._browsing.open_stored(hit.url, hit.sha256, _passage(hit))


def _passage(hit: Hit) -> Passage | None:
    """The words that were found, with what stands around them."""
    if not hit.marks:
        return None
    start, end = hit.marks[0]
    return Passage(hit.snippet[start:end], hit.snippet[max(0, start - 32) : start], hit.snippet[end : end + 32])
