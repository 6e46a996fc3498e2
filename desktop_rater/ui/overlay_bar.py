"""A scroll bar that lies over what it scrolls, so that nothing changes its width when the bar comes and goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QScrollBar

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollArea


class OverlayBar(QScrollBar):
    """Stands at the trailing edge of a scroll area, in its padding, and follows the area's own bar."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._area = area
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        own = area.verticalScrollBar()
        own.rangeChanged.connect(self._range)
        own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(own.setValue)
        area.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._area and event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutDirectionChange}:
            self._stand()
        return False

    def _range(self, low: int, high: int) -> None:
        own = self._area.verticalScrollBar()
        self.setRange(low, high)
        self.setPageStep(own.pageStep())
        self.setSingleStep(own.singleStep())
        self.setValue(own.value())
        self.setVisible(high > low)
        self._stand()

    def _stand(self) -> None:
        wide = self.sizeHint().width()
        mirrored = self._area.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 0 if mirrored else self._area.width() - wide
        self.setGeometry(left, 0, wide, self._area.height())
        self.raise_()
