"""The page as a window of its own, such as on a second monitor. It is the same pane, taken out of the main window."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.pages.evidence_fields import CLAIM_KEYS
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import WrappedLabel, isolated, set_window_title
from desktop_rater.ui.widgets.layouts import fill, tight_column
from desktop_rater.ui.window.commands import Commands, ContextMenus
from desktop_rater.ui.window.focus import FocusRing
from desktop_rater.ui.window.keys import ANSWER_KEYS, KeyFallback
from desktop_rater.ui.window.main_window import INPUT, MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.window_place import (
    TITLE_HEIGHT,
    PlaceKeeper,
    available_size,
    keep_within_screen,
    place_window,
)

SETTING = "page_window_place"
USUAL_SIZE = QSize(720, 900)


class PageWindow(QWidget):
    """Holds the page while it is out of the main window; the keys of the main window work here too."""

    def __init__(self, window: MainWindow, session: Session, preferences: Preferences) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setObjectName("page_window")
        self._main, self._session, self._preferences = window, session, preferences
        self._column = tight_column(self, spacing=0)
        self._empty = WrappedLabel(
            self.tr("The next page that is opened is shown here. Close this window to put the page back."),
            name="page_window_empty",
            ink="text2",
        )
        theme.set_ground(self, "surface")
        theme.follow(self._empty, lambda: self._empty.setContentsMargins(*(theme.px(24),) * 4))
        fill(self._column, self._empty, 0)
        FocusRing(self)
        self._keeper = PlaceKeeper(self, preferences, SETTING)
        self._is_placed = False
        window.preview.opened.connect(self._follow_page)
        window.preview.closed.connect(self._page_closed)
        window.preview.head.titled.connect(self._show_title)
        window.closed.connect(self.close)
        window.share_clock(self)
        self._show_title()

    def take_page(self) -> None:
        """Take the page out of the main window."""
        preview = self._main.preview
        was_open = self._main.take_page_out()
        self._column.insertWidget(0, preview, 1)
        preview.setVisible(was_open)
        self._follow_page()
        if not self._is_placed:
            self._is_placed = True
            usual = QSize(theme.px(USUAL_SIZE.width()), theme.px(USUAL_SIZE.height()))
            self.resize(usual.boundedTo(available_size(self) - QSize(0, TITLE_HEIGHT)))
            if place := self._preferences.now.page_window_place:
                place_window(self, place)
        self.show()
        keep_within_screen(self)
        self.windowHandle().installEventFilter(self)
        self.activateWindow()
        if was_open:
            preview.focus_page()

    def _follow_page(self) -> None:
        self._empty.setVisible(not self._main.preview.is_open)

    def _page_closed(self) -> None:
        self._follow_page()
        if self.isActiveWindow():
            self._main.activateWindow()

    def _show_title(self) -> None:
        title, name = self._main.preview.head.title, self.tr("Page")
        set_window_title(self, f"{isolated(title[:120])} – {name}" if title else name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.windowHandle() and event.type() in INPUT:
            self._session.active_time.touch()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._main.update_clock()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_title()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Put the page back into the main window."""
        self._keeper.store()
        if self._main.preview.window() is self:
            self._main.put_page_back()
        super().closeEvent(event)
        if self._main.isVisible():
            self._main.activateWindow()


class PageWindowCommands(QObject):
    """Opens the window of the page."""

    def __init__(
        self, window: MainWindow, session: Session, preferences: Preferences, commands: Callable[[], Commands]
    ) -> None:
        super().__init__(window)
        self.window = PageWindow(window, session, preferences)
        self._bind(commands().actions, commands().view.trigger_key, commands().menus)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"page_window": self.toggle}

    def _bind(self, built: Mapping[str, QAction], take_key: Callable[[str], bool], menus: ContextMenus) -> None:
        """Let the keys and menus of the main window do the same here."""
        window = self.window
        window.addActions(list(built.values()))
        menus.follow(window)
        window.winId()  # creates the handle
        KeyFallback(window.windowHandle(), take_key)
        for key in (*ANSWER_KEYS, *CLAIM_KEYS):
            shortcut = QShortcut(QKeySequence(key), window)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(take_key, key))

    def toggle(self) -> None:
        """Show the page in its own window, or put it back."""
        if self.window.isVisible():
            self.window.close()
        else:
            self.window.take_page()
