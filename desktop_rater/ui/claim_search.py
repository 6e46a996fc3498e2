"""A search of the web for what the rater is judging, in the live view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject

from desktop_rater.ui.preview.live_available import Machine, why_not
from desktop_rater.ui.preview.search_engines import ENGINES, search_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.session import Session


class ClaimSearch(QObject):
    """Asks the engine that is set. Where there is no live view, the reader shows what it found."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        browsing: Browsing,
        preferences: Preferences,
        machine: Machine | None = None,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._preferences = preferences
        self._machine = machine
        self._pane = window.preview

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"search_claim": self.search}

    def search(self) -> None:
        """Search for the claim at hand, else for the words of the target."""
        words = self._words()
        if not words:
            self._session.hinted.emit(self.tr("Only a claim or a target can be searched for."))
            return
        template = ENGINES[self._preferences.now.search_engine]
        language = QLocale.system().name().partition("_")[0]
        url = search_url(template, words, language if language.isalpha() and language != "C" else "en")
        show = self._browsing.open if why_not(self._machine or Machine()) else self._pane.show_live
        show(url)

    def _words(self) -> str:
        session = self._session
        claim = next((one for one in session.claims if one.id == session.place.claim), None)
        if claim is not None:
            return claim.text.strip()
        return (session.target.quote or "").strip() if session.target is not None else ""
