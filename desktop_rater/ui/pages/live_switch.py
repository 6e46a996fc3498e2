"""Switch between the two views of a page: its text in the reader, and the live page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import PageBrowser

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView


class LiveSwitch(QObject):
    """Switch that creates the live view on first use. The reader follows its navigation when switched back."""

    changed = Signal()  # the view has changed, or the content of the live view
    page_shown = Signal(str)  # URL of a page that is visible in the live view

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
            view.page_shown.connect(self._browsing.count)
            view.page_shown.connect(self.page_shown)
            for signal in (view.title_changed, view.address_changed, view.moved):
                signal.connect(self._on_moved)
        return self.view

    def _on_moved(self, *_what: object) -> None:
        if self.is_on:
            self.changed.emit()
