"""Reads stored pages that came with a bundle and were never shown, one after the other, so that a search finds them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.work.stored_pages import put_read, waiting

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.perform import Perform
    from desktop_rater.web.open_web import Reopened, Web
    from desktop_rater.work.stored_pages import Waiting


class StoredReading(QObject):
    """A page is read on the net's lane and noted on the store's: answers are never kept waiting."""

    left_to_read = Signal(int)

    def __init__(self, perform: Perform, web: Web, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._web = web
        self._pages: list[Waiting] = []
        self._running: Progress | None = None

    def start(self) -> None:
        """Read what is not read yet; nothing happens where that is going on."""
        if self._running is None:
            self._running = self._perform.ask(waiting, done=self._begin)

    def stop(self) -> None:
        """Read no more; what was read stays read."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._running, self._pages = None, []

    def _begin(self, pages: list[Waiting]) -> None:
        self._pages = list(pages)
        self._next()

    def _next(self) -> None:
        self.left_to_read.emit(len(self._pages))
        if not self._pages:
            self._running = None
            return
        page = self._pages.pop(0)
        read = partial(self._web.reread, page.path)
        self._running = self._perform.fetch(read, done=partial(self._note, page), failed=lambda _error: self._next())

    def _note(self, page: Waiting, read: Reopened) -> None:
        note = self._perform.perform
        self._running = note(put_read, page.sha256, read, done=lambda _change: self._next())
