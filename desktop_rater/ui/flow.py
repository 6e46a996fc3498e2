"""A row of widgets that wraps where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize

from desktop_rater.ui.items_layout import ItemsLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

FOUR = 4


class FlowLayout(ItemsLayout):
    """From the leading side; each row as high as its highest widget. Four that are `alike` wrap two by two."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 5, alike: bool = True) -> None:
        super().__init__(parent, spacing=spacing)
        self._alike = alike

    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self.spacing() * max(0, len(shown) - 1)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        x, y, row, placed = rect.x(), rect.y(), 0, 0
        column = self._column(rect.width())
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(rect.width(), 10_000))
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            width = column or size.width()
            full = placed == 2 if column else x + width > rect.x() + rect.width()
            if x > rect.x() and full:
                x, y, row, placed = rect.x(), y + row + self.spacing(), 0, 0
            if move:
                item.setGeometry(self.in_window(rect, QRect(QPoint(x, y), size)))
            x, row, placed = x + width + self.spacing(), max(row, size.height()), placed + 1
        return y + row - rect.y()

    def _column(self, width: int) -> int:
        """The width of each of two columns; 0 where there are none."""
        shown = [item.sizeHint().width() for item in self._items if not item.isEmpty()]
        wraps = sum(shown) + self.spacing() * (len(shown) - 1) > width
        fits = self._alike and len(shown) == FOUR and 2 * max(shown) + self.spacing() <= width
        return max(shown) if wraps and fits else 0
