"""The list beside what is judged; where there is no room for both, one of them at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.folds import FORM_NARROWS, ONE_PANE

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.ui.pane_sizes import PaneSizes

LIST, NARROW_LIST, LEAST = 300, 248, 200
NAME = "review/list"


class Sides(QWidget):
    """F6, and picking a place, bring the one that is folded away."""

    def __init__(self, first: QWidget, second: QWidget, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first, self._second, self._sizes = first, second, sizes
        self._shows_first = False  # where there is room for one
        self._by_hand = False
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("review_sides")
        self._split.setHandleWidth(1)
        self._split.addWidget(first)
        self._split.addWidget(second)
        self._split.setStretchFactor(1, 1)
        self._split.setChildrenCollapsible(True)
        self._split.splitterMoved.connect(lambda _at, _handle: self._keep())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._split)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        sizes.changed.connect(self.refold)
        theme.follow(self, self.refold)

    @property
    def one_pane(self) -> bool:
        """Whether there is room for one of them only."""
        return self.width() < theme.px(ONE_PANE)

    def toggle(self) -> None:
        """Fold the list, or unfold it."""
        if self.one_pane:
            (self._second if self._shows_first else self._first).setFocus()
        else:
            self._by_hand = not self._by_hand
            self.refold()

    def refold(self) -> None:
        """Take the widths that are right for the room."""
        wide = self.width()
        if self.one_pane:
            self._split.setSizes([wide, 0] if self._shows_first else [0, wide])
            return
        usual = NARROW_LIST if wide < theme.px(FORM_NARROWS) else LIST
        first = 0 if self._by_hand else max(theme.px(LEAST), self._sizes.width(NAME, usual))
        self._split.setSizes([first, wide - first])

    def _keep(self) -> None:
        if not self.one_pane and not self._by_hand and self._split.sizes()[0]:
            self._sizes.keep_width(NAME, self._split.sizes()[0])

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or not self.isVisible():
            return
        in_first = new is self._first or self._first.isAncestorOf(new)
        if self.one_pane and in_first is not self._shows_first and self.isAncestorOf(new):
            self._shows_first = in_first
            self.refold()
        elif in_first and self._by_hand:
            self._by_hand = False
            self.refold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
