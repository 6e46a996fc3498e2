"""A splitter that shows one pane at a time where they do not fit beside each other."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import OrderedSplitter
from desktop_rater.ui.widgets.layouts import tight_row


class FocusSplitter(QWidget):
    """Panes side by side; below `one_pane_width` (at 100 %) only the one with the focus.

    Subclasses return the widths of the panes from `_widths`, and call `theme.follow(self, self.arrange)` after they
    have added them, so that the panes have their new sizes first. Panes may be made as children of `splitter`: a
    widget with children that gets another parent is styled again with all of them.
    """

    def __init__(
        self,
        name: str,
        panes: Sequence[QWidget] = (),
        *,
        one_pane_width: int,
        visible: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._panes: tuple[QWidget, ...] = ()
        self._one_pane_width, self._visible = one_pane_width, visible
        self._is_cramped = False  # a pane is wider than it should be, since it needs so much
        self.splitter = OrderedSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setObjectName(name)
        self.splitter.setHandleWidth(1)
        self.add_panes(*panes)
        row = tight_row(self)
        row.addWidget(self.splitter)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def add_panes(self, *panes: QWidget) -> None:
        """Add panes behind those that are there."""
        self._panes += panes
        for pane in panes:
            self.splitter.addWidget(pane)

    @property
    def one_pane(self) -> bool:
        """Return whether only one pane fits."""
        return self.width() < theme.px(self._one_pane_width)

    def arrange(self) -> None:
        """Set the widths that suit the available size."""
        whole = [self.width() if index == self._visible else 0 for index in range(len(self._panes))]
        widths = whole if self.one_pane else self._widths()
        self.splitter.setSizes(widths)
        self._is_cramped = any(width > wanted for width, wanted in zip(self.splitter.sizes(), widths, strict=False))

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

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._is_cramped:
            self.arrange()  # a pane may need less now
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
