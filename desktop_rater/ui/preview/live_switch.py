"""Between the two views of a page: its text in the reader, and the page as its makers made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStackedWidget

    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.live_view import LiveView


class LiveSwitch(QObject):
    """The live view is made when it is first wanted. Where it goes by itself, the reader follows when it is wanted."""

    changed = Signal()  # the view, or what the live one shows

    def __init__(
        self, views: QStackedWidget, browsing: Browsing, make: Callable[[], LiveView], parent: QObject | None = None
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
        """What is selected on the live page."""
        return self.view.selected_text if self.is_on and self.view is not None else ""

    def can_step(self, by: int) -> bool:
        """Whether the live view has a page before or behind the one that it shows."""
        view = self.view
        return self.is_on and view is not None and (view.can_go_back if by < 0 else view.can_go_forward)

    def step(self, by: int) -> bool:
        """Go there, and say whether there was one."""
        if self.view is None or not self.can_step(by):
            return False
        (self.view.back if by < 0 else self.view.forward)()
        return True

    def reload(self) -> bool:
        """Load anew, and say whether the live view is the one that is seen."""
        if self.is_on and self.view is not None:
            self.view.reload()
        return self.is_on

    def open(self, url: str) -> None:
        """Show a page live."""
        view = self._view()
        self.is_on = True
        view.open(url)
        self.changed.emit()

    def off(self) -> str:
        """Back to the reader: the URL that it has to fetch, where the live view went elsewhere."""
        if not self.is_on:
            return ""
        self.is_on = False
        live, page = self.url, self._browsing.page
        known = {page_of(page.url), page_of(page.final_url)} if page is not None else set()
        self.changed.emit()
        return live if page_of(live) is not None and page_of(live) not in known else ""

    def forget(self) -> None:
        """The page is closed, and nothing of it stays."""
        self.is_on = False
        if self.view is not None:
            self.view.forget()

    def _view(self) -> LiveView:
        if self.view is None:
            view = self.view = self._make()
            self._views.addWidget(view)
            view.shown.connect(self._browsing.count)
            for told in (view.title_changed, view.address_changed, view.moved):
                told.connect(self._moved)
        return self.view

    def _moved(self, *_what: object) -> None:
        if self.is_on:
            self.changed.emit()
