"""What each layout of our own has to do alike: keep its items, and mirror with the window."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class ItemsLayout(QLayout):
    """Its height hangs on its width. Where the items stand is what each layout says by itself."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 0) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def in_window(self, rect: QRect, place: QRect) -> QRect:
        """A place in `rect`, counted from the side where reading begins, as it is on the screen."""
        parent = self.parentWidget()
        if parent is None or parent.layoutDirection() != Qt.LayoutDirection.RightToLeft or not place.isValid():
            return place
        mirrored = QRect(place)
        mirrored.moveLeft(rect.left() + rect.right() - place.right())
        return mirrored
