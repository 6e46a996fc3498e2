"""Pictures of responses: fetched when the rater asks for one, and from then on shown from the store."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from shiboken6 import isValid

from desktop_rater.model.page import Page
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.rating.guidelines import read_picture
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.text_pane import TaskTextPane

MAX_STORED = 20  # stored pictures shown by themselves in one response


class ResponsePictures(QObject):
    """Shows the pictures of all responses of a pane."""

    def __init__(self, browser: PageBrowser, pane: TaskTextPane) -> None:
        super().__init__(pane)
        self._browser = browser
        pane.pictures_placed.connect(self._find)
        pane.picture_wanted.connect(self._fetch)

    def _find(self, view: ResponseView) -> None:
        """Show the pictures that are stored already."""
        self._browser.find_pictures(view.pictures[:MAX_STORED], partial(self._show, view))

    def _fetch(self, view: ResponseView, url: str) -> None:
        view.show_picture(url, self.tr("Fetching the picture …"))
        self._browser.fetch_picture(url, partial(self._fetched, view, url))

    def _fetched(self, view: ResponseView, url: str, page: Page, data: bytes) -> None:
        if data:
            self._show(view, {url: data})
        elif isValid(view) and url in view.pictures:
            view.show_picture(url, self.tr("No picture: {why}").format(why=page.why))

    def _show(self, view: ResponseView, pictures: dict[str, bytes]) -> None:
        for url, data in pictures.items():
            if not isValid(view) or url not in view.pictures:
                continue  # another task is open
            image = read_picture(data)
            unreadable = self.tr("No picture: this is none that can be shown")
            view.show_picture(url, unreadable if image.isNull() else image)
