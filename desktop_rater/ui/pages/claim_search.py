"""Web search for the claim being judged, and the search engines to choose from."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from PySide6.QtCore import QLocale, QObject, Signal

from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences

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

    searched = Signal(str, str, str)  # words, engine, URL of the results

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        browsing: PageBrowser,
        preferences: Preferences,
        machine: LiveViewSupport | None = None,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._preferences = preferences
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
        self.searched.emit(query, engine, url)
        show = self._browsing.open if live_view_obstacle(self._machine or LiveViewSupport()) else self._pane.show_live
        show(url)
