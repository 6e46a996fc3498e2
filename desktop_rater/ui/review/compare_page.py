"""The right side of the review room: what is judged, the raters beside each other, a stored page, the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.review.decide_bar import DecideBar
from desktop_rater.ui.review.excerpt import Excerpt
from desktop_rater.ui.review.grid import Grid
from desktop_rater.ui.review.sample_panel import SamplePanel
from desktop_rater.ui.review.stored_page import StoredPage
from desktop_rater.ui.review.verdict_bar import VerdictBar

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.ui.perform import Perform
    from desktop_rater.web.open_web import Web

LOW, LEAST_GRID, BESIDE, PAGE = 620, 96, 1_000, 440


class ComparePage(QWidget):
    """In a low room the text is short, and gone while a verdict is written; a narrow one has a page over the raters."""

    def __init__(self, perform: Perform, web: Web, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compare_page")
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.excerpt = Excerpt()
        column.addWidget(self.excerpt)
        self.grid = Grid()
        self.stored = StoredPage(perform, web)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("review_split")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self.grid)
        self._split.addWidget(self.stored)
        self._split.setStretchFactor(0, 1)
        column.addWidget(self._split, 1)
        self.banners = Banners()
        column.addWidget(self.banners)
        self.decide = DecideBar()
        column.addWidget(self.decide)
        self.sample = SamplePanel()
        column.addWidget(self.sample)
        self.verdict = VerdictBar()
        column.addWidget(self.verdict)
        self.stored.left.connect(self.shut_page)
        theme.follow(self, self.refold)

    def open_page(self) -> None:
        """Make room for a stored page."""
        self.refold()
        wide = self._split.width()
        if wide >= theme.px(BESIDE):
            page = max(theme.px(PAGE), wide * 2 // 5)
            self._split.setSizes([wide - page, page])

    def shut_page(self) -> bool:
        """Put the page away, and give the keys back to the raters; whether there was one."""
        had_keys = self.stored.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        was = self.stored.shut()
        self.refold()
        if was and had_keys:
            self.grid.setFocus()
        return was

    def refold(self) -> None:
        """Fit into the room that there is."""
        low = self.height() < theme.px(LOW)
        self.excerpt.set_low(low=low)
        self.verdict.setVisible(not self.sample.is_open)
        self.excerpt.setVisible(not (low and (self.verdict.is_writing or self.decide.is_open or self.sample.is_open)))
        self.grid.setMinimumHeight(theme.px(LEAST_GRID))
        self.grid.setVisible(not self.stored.is_open or self.width() >= theme.px(BESIDE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refold()
