"""Tells the link checklist what happens: which page is shown, and how the others stood when they were fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.work.link_states import states_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.page import Page
    from desktop_rater.store.pages import LastState
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.link_list import LinkList
    from desktop_rater.ui.session import Session

AFTER_OPENING_MS = 50  # what was opened is painted first


class LinkWatch(QObject):
    """The list knows no store and no clock."""

    def __init__(
        self, perform: Perform, session: Session, browsing: Browsing, links: LinkList, now: Callable[[], datetime]
    ) -> None:
        super().__init__(links)
        self._perform = perform
        self._session = session
        self._links = links
        self._now = now
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(AFTER_OPENING_MS)
        self._soon.timeout.connect(self.read)
        session.opened.connect(self._soon.start)
        browsing.shown.connect(self._shown)
        browsing.failed.connect(self._shown)
        browsing.closed.connect(links.show_page)
        self.read()

    def read(self) -> None:
        """Ask the store how the links of this task stood."""
        session, links = self._session, self._links.links
        pages = {link.page for link in links if link.page is not None}
        if not pages:
            return

        def done(states: dict[str, LastState]) -> None:
            if self._links.links is links:
                self._links.show_states({page: one.state for page, one in states.items()})

        self._perform.ask(states_of, session.bundle, pages, done=done)

    def _shown(self, page: Page) -> None:
        self._links.add_state(page.url, page.state)
        self._links.show_page(page.url, page.final_url, when=self._now())
