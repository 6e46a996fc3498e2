"""A splitter that shows one pane at a time where they do not fit beside each other."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import OrderedSplitter
from desktop_rater.ui.widgets.layouts import tight_row


class FocusSplitter(QWidget):
    """Panes side by side; below `one_pane_width` (at 100 %) only the one with the focus.

    Subclasses return the widths of the panes from `_widths`, and end their constructor with
    `theme.follow(self, self.arrange)`.
    """

    def __init__(self, name: str, panes: Sequence[QWidget], *, one_pane_width: int, visible: int) -> None:
        super().__init__()
        self._panes, self._one_pane_width, self._visible = tuple(panes), one_pane_width, visible
        self._split = OrderedSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName(name)
        self._split.setHandleWidth(1)
        for pane in panes:
            self._split.addWidget(pane)
        row = tight_row(self)
        row.addWidget(self._split)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    @property
    def one_pane(self) -> bool:
        """Return whether only one pane fits."""
        return self.width() < theme.px(self._one_pane_width)

    def arrange(self) -> None:
        """Set the widths that suit the available size."""
        if self.one_pane:
            self._split.setSizes([self.width() if index == self._visible else 0 for index in range(len(self._panes))])
        else:
            self._split.setSizes(self._widths())

    def _widths(self) -> Sequence[int]:
        """Return the widths of the panes side by side."""
        raise NotImplementedError

    def _show_pane(self, index: int) -> None:
        self._visible = index
        self.arrange()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or not self.isVisible():
            return
        for index, pane in enumerate(self._panes):
            if pane is new or pane.isAncestorOf(new):
                self._pane_focused(index)
                return

    def _pane_focused(self, index: int) -> None:
        """Handle the focus moving into a pane."""
        if index != self._visible:
            self._visible = index
            if self.one_pane:
                self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
