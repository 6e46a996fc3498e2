"""The two views of a page, its text in the reader and the live page, and the page that can be seen in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser, ShownPage

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView


class LiveSwitch(QObject):
    """Switch that creates the live view on first use. The reader follows its navigation when switched back."""

    changed = Signal()  # the view has changed, or the content of the live view
    reader_wanted = Signal(str, str)  # URL of a page that the live view can't show, and the reason
    used = Signal()  # the rater scrolls or selects

    def __init__(
        self, views: QStackedWidget, browsing: PageBrowser, make: Callable[[], LiveView], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._views = views
        self._browsing = browsing
        self._make = make
        self.view: LiveView | None = None
        self.is_on = False

    @property
    def url(self) -> str:
        return self.view.url if self.view is not None else ""

    @property
    def title(self) -> str:
        return self.view.title if self.view is not None else ""

    @property
    def shown(self) -> ShownPage | None:
        return self.view.shown if self.is_on and self.view is not None else None

    @property
    def is_loading(self) -> bool:
        return self.is_on and self.view is not None and self.view.is_loading

    @property
    def selected_text(self) -> str:
        return self.view.selected_text if self.is_on and self.view is not None else ""

    def can_step(self, by: int) -> bool:
        view = self.view
        return self.is_on and view is not None and (view.can_go_back if by < 0 else view.can_go_forward)

    def step(self, by: int) -> bool:
        """Go back or forward; return False if there is no such page."""
        if self.view is None or not self.can_step(by):
            return False
        (self.view.back if by < 0 else self.view.forward)()
        return True

    def reload(self) -> bool:
        """Reload the live page; return whether the live view is visible."""
        if self.is_on and self.view is not None:
            self.view.reload()
        return self.is_on

    def switch_script(self) -> bool:
        """Switch JavaScript on or off; return False if no live page is visible."""
        page = self.view.page if self.is_on and self.view is not None else None
        if self.view is not None and page is not None:
            self.view.run_script(not page.runs_script)
        return page is not None

    def open(self, url: str) -> None:
        view = self._view()
        self.is_on = True
        view.open(url)
        self.changed.emit()

    def switch_off(self) -> str:
        """Switch to the reader; return the URL it has to fetch if the live view has navigated away."""
        if not self.is_on:
            return ""
        self.is_on = False
        live, page = self.url, self._browsing.page
        current_pages = {page_key(page.url), page_key(page.final_url)} if page is not None else set()
        self.changed.emit()
        return live if page_key(live) is not None and page_key(live) not in current_pages else ""

    def forget(self) -> None:
        """Forget the page when it is closed."""
        self.is_on = False
        if self.view is not None:
            self.view.forget()

    def _view(self) -> LiveView:
        if self.view is None:
            view = self.view = self._make()
            self._views.addWidget(view)
            view.reader_wanted.connect(self.reader_wanted)
            view.used.connect(self.used)
            for signal in (view.title_changed, view.address_changed, view.moved):
                signal.connect(self._on_moved)
        return self.view

    def _on_moved(self, *_what: object) -> None:
        if self.is_on:
            self.changed.emit()


class PageInView(QObject):
    """The page that can be seen now: what counts as opened, read, timed, judged and quoted.

    There is none while a page is loading, and while the pane is hidden or shows something else.
    """

    changed = Signal()
    used = Signal()  # the rater scrolls or selects in the page, or takes something from it

    def __init__(
        self, browsing: PageBrowser, live: LiveSwitch, shows_pages: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._browsing = browsing
        self._live = live
        self._shows_pages = shows_pages
        self.now: ShownPage | None = None
        self.since = ""  # a time of the file formats
        self.loads = 0  # number of pages that were requested
        self._was_loading = False
        for signal in (
            *(browsing.loading, browsing.loading_cancelled, browsing.page_shown, browsing.failed, browsing.closed),
            live.changed,
        ):
            signal.connect(lambda *_values: self.refresh())
        live.used.connect(self.use)

    @property
    def is_loading(self) -> bool:
        """Return whether another page is about to take the place of the one in view."""
        return self._live.is_loading if self._live.is_on else self._browsing.is_loading

    def refresh(self) -> None:
        self.loads += self.is_loading and not self._was_loading
        self._was_loading = self.is_loading
        page = self._find()
        if page == self.now:
            return
        self.now = page
        if page is not None:
            self.since = self._browsing.count(page.url) if page.answered else self._browsing.current_time
        self.changed.emit()

    def use(self) -> None:
        if self.now is not None:
            self.used.emit()

    def _find(self) -> ShownPage | None:
        if not self._shows_pages() or self.is_loading:
            return None
        if self._live.is_on:
            return self._live.shown
        return ShownPage.in_reader(self._browsing.page) if self._browsing.page is not None else None
