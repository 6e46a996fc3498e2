"""The widgets of a main window that only tests reach for."""

from PySide6.QtWidgets import QStackedWidget

from desktop_rater.ui.window.focus import FocusRing
from desktop_rater.ui.window.panes import Panes
from desktop_rater.ui.window.window_widgets import Header, StatusLine


class WindowParts:
    """The widgets of a complete window; `stack` is the rating screen, `pages` has one page for each screen."""

    def __init__(self, room):
        window = room.window
        self.header = self._child(window, Header)
        self.status = self._child(window, StatusLine)
        self.empty_page = window.parts["empty_page"]
        self.panes_page = self._child(window, Panes)
        self.focus_ring = self._child(window, FocusRing)
        self.stack = window.rating_widget
        pages = self.stack.parentWidget()
        assert isinstance(pages, QStackedWidget)
        self.pages = pages

    @staticmethod
    def _child(window, kind):
        child = window.findChild(kind)
        assert child is not None, kind
        return child
