"""The hub's dialog: one page to connect, one with what was found there, one for how things stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.focus_ring import FocusRing
from desktop_rater.ui.hub.connect_page import ConnectPage
from desktop_rater.ui.hub.found_page import FoundPage
from desktop_rater.ui.hub.page import PAD, PAD_TOP, Page
from desktop_rater.ui.hub.state_page import StatePage

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtGui import QKeyEvent

WIDTH, AROUND = 640, 32
AGE_MS = 20_000
GO = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class HubDialog(QDialog):
    """Enter goes on, Esc a step back, and Tab walks through. The focus returns to where it was."""

    closed = Signal()

    def __init__(self, window: QWidget, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self.setObjectName("hub")
        self.setWindowTitle(self.tr("Hub"))
        self._window = window
        self._focus = FocusBack()
        self.connect_page, self.found_page, self.state_page = ConnectPage(), FoundPage(), StatePage(now)
        self.stack = QStackedWidget()
        for page in (self.connect_page, self.found_page, self.state_page):
            self.stack.addWidget(page)
            page.laid.connect(self.fit)
        self.connect_page.fields.fewer.connect(lambda: self.fit(anew=True))
        column = QVBoxLayout(self)
        theme.pad(column, PAD, PAD_TOP, PAD, PAD)
        column.addWidget(self.stack)
        FocusRing(self)
        theme.follow(self, lambda: self.fit(anew=True))
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self.state_page.show_age)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        shown = self.stack.currentWidget()
        assert isinstance(shown, Page)
        return shown

    def ask(self, page: Page) -> None:
        """Open with a page, or go on to it."""
        self.go(page)
        if self.isVisible():
            return
        self._focus.remember()
        self._age.start()
        self.fit(anew=True)
        self.open()
        page.settle()  # nothing does before it is shown
        self.fit(anew=True)
        page.take_focus()  # what is not shown takes no focus

    def go(self, page: Page) -> None:
        """Show another page."""
        self.stack.setCurrentWidget(page)
        page.settle()
        self.fit(anew=True)
        page.take_focus()

    def fit(self, *, anew: bool = False) -> None:
        """Be as high as the page, within the window; not lower than before unless `anew`, so that nothing moves."""
        width = min(theme.px(WIDTH), self._window.width() - AROUND)
        margins = self.contentsMargins()
        inner = width - 2 * theme.px(PAD) - margins.left() - margins.right()
        wanted = self.page.height_at(inner) + theme.px(PAD_TOP) + theme.px(PAD)
        if self.isVisible() and not anew:
            wanted = max(wanted, self.height())
        self.resize(width, min(wanted, self._window.height() - AROUND))

    def reject(self) -> None:
        """Esc: what the page makes of it."""
        page = self.page
        if page is self.state_page:
            self.state_page.step_back()
        elif page is self.connect_page:
            self.connect_page.left.emit()
        else:
            self.found_page.left.emit()

    def done(self, result: int) -> None:
        """Close; the focus goes back to where it was."""
        self._age.stop()
        self.connect_page.fields.forget_password()
        super().done(result)
        self.closed.emit()
        self._focus.give(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in GO:
            self.page.confirm()
            return
        if event.key() == Qt.Key.Key_F5 and self.page is self.state_page:
            self.state_page.sync()
            return
        super().keyPressEvent(event)
