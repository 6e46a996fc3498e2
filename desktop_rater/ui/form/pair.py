"""A label and what it is about: side by side where there is room, else one above the other."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

BETWEEN, BELOW = 16, 6


class PairLayout(QLayout):
    """Takes two items."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:
        label, control = (item.sizeHint() for item in self._items)
        return QSize(max(label.width(), control.width()), label.height() + BELOW + control.height())

    def minimumSize(self) -> QSize:
        label, control = (item.minimumSize() for item in self._items)
        return QSize(max(label.width(), control.width()), max(label.height(), control.height()))

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        label, control = self._items
        label_size, control_size = label.sizeHint(), control.sizeHint()
        words = _natural_width(label)
        if words + BETWEEN + control_size.width() <= rect.width():
            height = max(label_size.height(), control_size.height())
            if move:
                left = QRect(rect.left(), rect.top(), rect.width() - control_size.width() - BETWEEN, height)
                right = QRect(rect.right() + 1 - control_size.width(), rect.top(), control_size.width(), height)
                self._place(rect, label, left)
                self._place(rect, control, right)
            return height
        above = _height(label, rect.width())
        below = _height(control, rect.width())
        if move:
            label.setGeometry(QRect(rect.left(), rect.top(), rect.width(), above))
            control.setGeometry(QRect(rect.left(), rect.top() + above + BELOW, rect.width(), below))
        return above + BELOW + below

    def _place(self, rect: QRect, item: QLayoutItem, place: QRect) -> None:
        parent = self.parentWidget()
        if parent is not None and parent.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            place.moveLeft(rect.left() + rect.right() - place.right())
        item.setGeometry(place)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _natural_width(item: QLayoutItem) -> int:
    """The width of a label in one line."""
    label = item.widget()
    assert label is not None, "the first item is a label"
    return label.fontMetrics().horizontalAdvance(label.property("text") or "") + 2
