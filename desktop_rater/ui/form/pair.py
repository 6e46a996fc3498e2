"""A question's words and its control: side by side where there is room, else one above the other."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

BETWEEN, BELOW, NEAR = 16, 2, 8
FIRST_LINE = 30  # of a control: the words stand in its middle
SLACK = 4  # above and below words of one line: a link beside them is so much higher
MOST_SHARE = 0.5  # a control up to so wide may stand beside words that wrap
MOST_LINES = 2
LEAST_HINT = 60


class PairLayout(QLayout):
    """Takes the words and the control; then, in the line of the words while the control is beneath, a hint and a link.

    What has no room there is not shown. With a `column` the words have that width, and the control has the rest, beside
    them however many lines it takes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.most_lines = MOST_LINES
        self.column = self.first_line = 0
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
        label, control = (item.sizeHint() for item in self._items[:2])
        if self.column:
            return QSize(self.column + control.width(), control.height())
        return QSize(max(label.width(), control.width()), label.height() + BELOW + control.height())

    def minimumSize(self) -> QSize:
        label, control = (item.minimumSize() for item in self._items[:2])
        if self.column:
            return QSize(self.column + control.width(), max(label.height(), control.height()))
        return QSize(max(label.width(), control.width()), max(label.height(), control.height()))

    def stands_beside(self, width: int) -> bool:
        """Whether the control stands beside the words at that width: then there is no room for a hint or a link."""
        label, control = self._items[:2]
        if self.column:
            return True
        size = control.sizeHint()
        room = width - size.width() - BETWEEN
        if control.isEmpty():
            return False
        if _natural_width(label) <= room:
            return True
        return size.width() <= width * MOST_SHARE and _height(label, room) <= self.most_lines * _line(label)

    def _in_columns(self, rect: QRect, *, move: bool) -> int:
        label, control, *beside = self._items
        link = beside[1] if len(beside) > 1 and not beside[1].isEmpty() else None
        size = link.sizeHint() if link is not None else QSize()
        room = self.column - NEAR - (size.width() if link is not None else 0)
        words, height = _height(label, room), _height(control, rect.width() - self.column)
        if not move:
            return max(words, height)
        line = min(height, self.first_line)
        self._place(rect, label, QRect(rect.left(), rect.top() + max(0, (line - words) // 2), room, words))
        left = rect.left() + self.column
        self._place(rect, control, QRect(left, rect.top(), rect.right() + 1 - left, height))
        if link is not None:
            above = max(0, (line - size.height()) // 2)
            self._place(rect, link, QRect(rect.left() + room, rect.top() + above, size.width(), size.height()))
        for item in beside[:1]:
            item.setGeometry(QRect())
        return max(words, height)

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        if self.column:
            return self._in_columns(rect, move=move)
        label, control = self._items[:2]
        if control.isEmpty():
            return self._words(rect, move=move)
        size = control.sizeHint()
        room = rect.width() - size.width() - BETWEEN
        if not self.stands_beside(rect.width()):
            above = self._words(rect, move=move)
            below = _height(control, rect.width())
            if move:
                control.setGeometry(QRect(rect.left(), rect.top() + above + BELOW, rect.width(), below))
            return above + BELOW + below
        words = _height(label, room)
        height = max(words, size.height())
        if move:
            first = rect.top() + SLACK
            self._place(rect, label, QRect(rect.left(), first + (height - words) // 2, room, words))
            end = rect.right() + 1 - size.width()
            self._place(rect, control, QRect(end, first + (height - size.height()) // 2, size.width(), size.height()))
            for item in self._items[2:3]:
                item.setGeometry(QRect())
        return height + SLACK

    def _words(self, rect: QRect, *, move: bool) -> int:
        """The words with what stands beside them; their height."""
        label, _control, *beside = self._items
        link = beside[1] if len(beside) > 1 and not beside[1].isEmpty() else None
        taken = link.sizeHint().width() + BETWEEN if link is not None else 0
        room = rect.width() - taken
        height = _height(label, room) + 2 * SLACK
        if not move:
            return height
        words = min(room, _natural_width(label) + 1)
        left = rect.left() + words + NEAR
        rest = rect.left() + room - left
        self._place(rect, label, QRect(rect.left(), rect.top(), room if rest < LEAST_HINT else words, height))
        if beside:
            hint = QRect(left, rect.top(), rest, height) if rest >= LEAST_HINT else QRect()
            self._place(rect, beside[0], hint)
        if link is not None:
            size = link.sizeHint()
            end = rect.right() + 1 - size.width()
            self._place(rect, link, QRect(end, rect.top() + (height - size.height()) // 2, size.width(), size.height()))
        return height

    def _place(self, rect: QRect, item: QLayoutItem, place: QRect) -> None:
        parent = self.parentWidget()
        if parent is not None and parent.layoutDirection() == Qt.LayoutDirection.RightToLeft and place.isValid():
            place.moveLeft(rect.left() + rect.right() - place.right())
        item.setGeometry(place)


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _widget(item: QLayoutItem) -> QWidget:
    label = item.widget()
    assert label is not None, "the first item is a label"
    return label


def _line(item: QLayoutItem) -> int:
    return _widget(item).fontMetrics().lineSpacing() + 1


def _natural_width(item: QLayoutItem) -> int:
    """The width of a label in one line."""
    label = _widget(item)
    return label.fontMetrics().horizontalAdvance(label.property("text") or "") + 2
