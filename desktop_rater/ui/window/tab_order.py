"""Tab order in reading order: Qt's own is the order in which the widgets were created."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QSplitter, QWidget

from desktop_rater.ui.rating.problem_fixes import ProblemList
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.window.main_window import MainWindow


class TabOrder(QObject):
    """Updates the tab order when Tab is pressed after widgets may have been added or removed."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: tuple[QWidget, ...] = ()
        self._is_stale = False
        for signal in (session.opened, session.updated):
            signal.connect(self._make_stale)
        for banners in (window.banners, window.form_pane.banners):
            banners.changed.connect(self._make_stale)
        window.tab_pressed.connect(self._update)

    def _make_stale(self) -> None:
        self._is_stale = True

    def _update(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self.put()

    def put(self) -> None:
        """Order the widgets: tasks, text, form from top to bottom, problems, footer, and the header last."""
        parts = tuple(part for root in self._window.tab_roots() for part in tab_stops(root))
        if parts != self._before:
            self._before = parts
            for widget, next_widget in pairwise(parts):
                QWidget.setTabOrder(widget, next_widget)


def tab_stops(widget: QWidget) -> Iterator[QWidget]:
    """Yield the widgets in a widget that Tab can reach, itself first."""
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    if isinstance(widget, QSplitter):
        inside = [widget.widget(index) for index in range(widget.count())]
    elif isinstance(widget, QScrollArea):
        inside = [widget.widget()]
    elif isinstance(widget, ProblemList):
        inside = widget.row_widgets()
    else:
        inside = _layout_widgets(widget, layout) if layout is not None else []
    for child in inside:
        if child is not None:
            yield from tab_stops(child)


def _layout_widgets(widget: QWidget, layout: QLayout) -> list[QWidget]:
    """Return the widgets of a layout in its order, without touching its items: their wrappers can outlive them."""
    direct = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    layouts = [child for child in layout.children() if isinstance(child, QLayout)]
    inside = [(layout.indexOf(child), [child]) for child in direct]
    inside += [(layout.indexOf(nested), _layout_widgets(widget, nested)) for nested in layouts]
    in_layout = sorted((pair for pair in inside if pair[0] >= 0), key=lambda pair: pair[0])
    return [child for _index, group in in_layout for child in group]
