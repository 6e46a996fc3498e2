"""Tab goes through the window as one reads it: Qt would go in the order in which the parts were made."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QLayout, QScrollArea, QSplitter, QWidget

from desktop_rater.ui.problems.rows import ProblemList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.session import Session


AFTER_MS = 60  # what was just answered or opened is painted first


class TabOrder(QObject):
    """Orders the parts anew when some have come or gone; until then nothing is touched."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: tuple[QWidget, ...] = ()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_MS)
        self._later.timeout.connect(self.put)
        for told in (session.opened, session.place_changed, session.rating_changed):
            told.connect(self._later.start)
        for banners in (window.banners, window.form_pane.banners):
            banners.came.connect(self._later.start)
        window.tabbed.connect(self._put_now)

    def _put_now(self) -> None:
        if self._later.isActive():
            self._later.stop()
            self.put()

    def put(self) -> None:
        """Put the parts in order: tasks, text, form from top to bottom, problems, footer, and the header at the end."""
        window = self._window
        over = (window.form_pane.banners,) if window.form_pane.banners.is_over else ()
        roots = (window.banners, *over, window.panes_page, window.status, window.header)
        parts = tuple(part for root in roots for part in in_order(root))
        if parts != self._before:
            self._before = parts
            for one, next_one in pairwise(parts):
                QWidget.setTabOrder(one, next_one)


def in_order(widget: QWidget) -> Iterator[QWidget]:
    """What Tab can reach in a widget, itself first."""
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    if isinstance(widget, QSplitter):
        inside = [widget.widget(at) for at in range(widget.count())]
    elif isinstance(widget, QScrollArea):
        inside = [widget.widget()]
    elif isinstance(widget, ProblemList):
        inside = widget.row_widgets()
    else:
        inside = _laid_out(widget, layout) if layout is not None else []
    for one in inside:
        if one is not None:
            yield from in_order(one)


def _laid_out(widget: QWidget, layout: QLayout) -> list[QWidget]:
    """What a layout holds, in its order. Its items are not asked for: their wrappers can outlive them."""
    direct = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    layouts = [one for one in layout.children() if isinstance(one, QLayout)]
    inside = [(layout.indexOf(one), [one]) for one in direct]
    inside += [(layout.indexOf(one), _laid_out(widget, one)) for one in layouts]
    return [one for at, several in sorted(inside, key=lambda pair: pair[0]) if at >= 0 for one in several]
