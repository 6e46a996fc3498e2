"""Points and text side by side; where there is no room for both, the one that has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.folds import ONE_PANE

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.ui.pane_sizes import PaneSizes

USUAL, LEAST = 0.42, 280  # the points have their answers beside them
NAME = "report/points"


class PointsSides(QWidget):
    """With the text stands the point that is asked for, so the text alone is enough to answer."""

    def __init__(self, points: QWidget, text: QWidget, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points, self._text, self._sizes = points, text, sizes
        self._shows_points = False  # where there is room for one
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName("scoring_sides")
        self._split.setHandleWidth(1)
        self._split.addWidget(points)
        self._split.addWidget(text)
        self._split.splitterMoved.connect(lambda _at, _handle: self._keep())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._split)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]
        sizes.changed.connect(self._share)
        theme.follow(self, self._share)

    @property
    def one_pane(self) -> bool:
        """Whether there is room for one of them only."""
        return self.width() < theme.px(ONE_PANE)

    def _share(self) -> None:
        wide = self.width()
        if self.one_pane:
            self._split.setSizes([wide, 0] if self._shows_points else [0, wide])
            return
        points = max(theme.px(LEAST), round(wide * self._sizes.share(NAME, USUAL)))
        self._split.setSizes([points, wide - points])

    def _keep(self) -> None:
        if not self.one_pane:
            self._sizes.keep_share(NAME, self._split, 0)

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None or not self.isVisible() or not self.isAncestorOf(new):
            return
        in_points = self._points.isAncestorOf(new)
        if in_points is not self._shows_points:
            self._shows_points = in_points
            if self.one_pane:
                self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
