"""Hub dialog with three pages: connect, result of the trial, and state."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui.hub.connect_page import HubConnectPage
from desktop_rater.ui.hub.dialog_page import PAD, PAD_TOP, HubDialogPage, fit_dialog
from desktop_rater.ui.hub.state_page import HubStatePage, HubTrialPage
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.focus import FocusRestorer, FocusRing

WIDTH = 640
AGE_MS = 20_000
CONFIRM_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class HubDialog(QDialog):
    """Dialog of the hub. Enter continues, Esc goes back. On closing, the focus returns to where it was."""

    closed = Signal()

    def __init__(self, window: QWidget, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self.setObjectName("hub")
        self.setWindowTitle(self.tr("Hub"))
        self._window = window
        self._focus = FocusRestorer()
        self.connect_page, self.found_page, self.state_page = HubConnectPage(), HubTrialPage(), HubStatePage(now)
        self.stack = QStackedWidget()
        for page in (self.connect_page, self.found_page, self.state_page):
            self.stack.addWidget(page)
            page.layout_changed.connect(self.fit)
        self.connect_page.fields.fields_changed.connect(lambda: self.fit(anew=True))
        column = QVBoxLayout(self)
        theme.pad(column, PAD, PAD_TOP, PAD, PAD)
        column.addWidget(self.stack)
        FocusRing(self)
        theme.follow(self, lambda: self.fit(anew=True))
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self.state_page.show_age)

    @property
    def page(self) -> HubDialogPage:
        page = self.stack.currentWidget()
        assert isinstance(page, HubDialogPage)
        return page

    def ask(self, page: HubDialogPage) -> None:
        """Open the dialog with a page, or switch to it."""
        self.go(page)
        if self.isVisible():
            return
        self._focus.remember()
        self._age.start()
        self.fit(anew=True)
        self.open()
        page.process_layout()  # layout requests are handled only once it is visible
        self.fit(anew=True)
        page.take_focus()  # hidden widgets do not accept the focus

    def go(self, page: HubDialogPage) -> None:
        self.stack.setCurrentWidget(page)
        page.process_layout()
        self.fit(anew=True)
        page.take_focus()

    def fit(self, *, anew: bool = False) -> None:
        """Resize to the page, within the window; never shrink while open unless `anew`, so that nothing moves."""
        fit_dialog(self, self.page, self._window, WIDTH, may_shrink=anew)

    def reject(self) -> None:
        """Esc: let the page decide."""
        page = self.page
        if page is self.state_page:
            self.state_page.step_back()
        elif page is self.connect_page:
            self.connect_page.left.emit()
        else:
            self.found_page.left.emit()

    def done(self, result: int) -> None:
        """Close, and return the focus to where it was."""
        self._age.stop()
        self.connect_page.fields.forget_password()
        super().done(result)
        self.closed.emit()
        self._focus.restore(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in CONFIRM_KEYS:
            self.page.confirm()
            return
        if event.key() == Qt.Key.Key_F5 and self.page is self.state_page:
            self.state_page.sync()
            return
        super().keyPressEvent(event)
