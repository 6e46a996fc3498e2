"""What keys, links and buttons do about pages: opening them here or outside, and going between page and task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.text.pages import page_of
from desktop_rater.ui.preview.shown_url import shown_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.workplace import Workplace


class PreviewCommands(QObject):
    """Knows the preview and what is open in it."""

    def __init__(
        self, window: Workplace, session: Session, browsing: Browsing, *, open_url: Callable[[str], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self.browsing = browsing
        self._pane = window.preview
        self._open_url = open_url
        self._asked_outside = ""  # the page that was asked about
        window.text_pane.page_wanted.connect(browsing.open)
        window.text_pane.link_wanted.connect(self.open_next_link)
        self._pane.links.next_wanted.connect(self.open_next_link)
        self._pane.outside_wanted.connect(self.open_outside)
        browsing.not_kept.connect(lambda error: self._pane.banners.trouble(error, "not_kept"))
        session.opened.connect(lambda: self._drop("outside"))
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {
            "open_link": self.open_chosen,
            "next_link": self.open_next_link,
            "address": self.go_to_address,
            "fetch_again": self._pane.reload,
            "open_outside": self.open_outside,
            "page_back": lambda: self._pane.step(-1),
            "page_forward": lambda: self._pane.step(1),
            "reader_or_page": self._pane.toggle_view,
            "text_or_page": self._window.switch_text_and_page,
        }

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None:
            self._window.form_pane.show_way_back(elsewhere=self._pane.has_keys)

    def leave(self) -> bool:
        """Give up a page that is on its way, else close the one that is shown; False where nothing is open."""
        if self._drop("outside"):
            return True
        if self.browsing.is_loading and self.browsing.page is not None:
            self.browsing.cancel()
            return True
        if not self._pane.is_open:
            return False
        self.browsing.close()
        return True

    def open_chosen(self) -> None:
        """The link whose row has the keys, else the page of the selected evidence."""
        links = self._pane.links
        if links.list.hasFocus() and links.chosen_url is not None:
            self.browsing.open(links.chosen_url)
        else:
            self._window.form_pane.form.evidence.open_selected()

    def open_next_link(self) -> None:
        """The first link of the task that was not opened yet, that of the response at hand before the others."""
        if self._session.task is None:
            return
        url = self._pane.links.next_url
        if url is not None:
            self.browsing.open(url)
        else:
            opened, none = self.tr("Every link of this task is opened."), self.tr("This task has no links.")
            self._session.hinted.emit(opened if self._pane.links.links else none)

    def go_to_address(self) -> None:
        """Type the address of a page."""
        if self._session.task is None:
            return
        if not self._pane.is_open:
            self._pane.open_empty()
        self._pane.address.edit()

    # -- in the system's own browser

    def open_outside(self) -> None:
        """Ask whether a page may be opened outside; asked about the same page again, that is the answer."""
        url = self._page_at_hand()
        if url is None:
            self._session.hinted.emit(self.tr("No page is open, and no evidence with an address is selected."))
            return
        if url == self._asked_outside and self._banners.text("outside") is not None:
            self._go_outside(url)
            return
        self._drop("outside")
        self._asked_outside = url
        words = self.tr("Open {host} in the browser of the system? There it is fetched again, outside of this program.")
        ways = [(self.tr("Open it there"), lambda: self._go_outside(url))]
        self._banners.show_banner("outside", "info", words.format(host=_whole_host(url)), ways)

    def _go_outside(self, url: str) -> None:
        self._drop("outside")
        self._open_url(url)

    def _page_at_hand(self) -> str | None:
        """The page that is open, else that of the evidence that keys are about."""
        if self._pane.url:
            return self._pane.url
        piece = self._window.form_pane.form.evidence.selected
        return piece.url if piece is not None and page_of(piece.url) is not None else None

    @property
    def _banners(self) -> Banners:
        return self._pane.banners if self._pane.is_open else self._window.form_pane.banners

    def _drop(self, key: str) -> bool:
        """Take a banner away, and say whether there was one."""
        there = [one for one in (self._pane.banners, self._window.form_pane.banners) if one.text(key) is not None]
        for banners in there:
            banners.drop(key)
        return bool(there)


def _whole_host(url: str) -> str:
    """The host as the network knows it, first and whole: it is what decides whose page it is."""
    shown = shown_url(url)
    return f"{shown.ascii_host} ({shown.host})" if shown.ascii_host else shown.host
