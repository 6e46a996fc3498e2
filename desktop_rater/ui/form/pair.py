"""A question's words and its control: side by side where there is room, else one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt

from desktop_rater.ui.items_layout import ItemsLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayoutItem, QWidget

BETWEEN, BELOW, NEAR = 16, 2, 8
FIRST_LINE = 30  # of a control: the words stand in its middle
SLACK = 4  # above and below words of one line: a link beside them is so much higher
MOST_SHARE = 0.5  # a control up to so wide may stand beside words that wrap
MOST_LINES = 2
EMPTY = 2  # the width of no words


class PairLayout(ItemsLayout):
    """Takes the words and the control; then, in the line of the words while the control is beneath, a hint and a link.

    A hint that does not fit there has a line of its own, whether or not the link is shown: nothing moves by it. With a
    `column` the words have that width, and the control has the rest, beside them however many lines it takes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.most_lines = MOST_LINES
        self.column = self.first_line = 0
        self.awaits_link = False  # it comes and goes, and its room is kept

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

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
        """The words with what stands beside and beneath them; their height."""
        label, _control, *beside = self._items
        hint, link = (*beside, None, None)[:2]
        awaited = link is not None and (self.awaits_link or not link.isEmpty())
        size = _widget(link).sizeHint() if link is not None and awaited else QSize()
        room = rect.width() - (size.width() + BETWEEN if awaited else 0)
        words, said = _natural_width(label) + 1, _natural_width(hint) if hint is not None else 0
        fits = words + NEAR + said <= room
        height = _height(label, room) + 2 * SLACK
        line = _line(hint) if hint is not None and said > EMPTY and not fits else 0
        if not move:
            return height + line
        self._place(rect, label, QRect(rect.left(), rect.top(), words if fits else room, height))
        if hint is not None:
            beneath = QRect(rect.left(), rect.top() + height - SLACK, rect.width(), line)
            end = rect.left() + words + NEAR
            near = QRect(end, rect.top(), rect.left() + room - end, height)
            self._place(rect, hint, near if fits else beneath if line else QRect())
        if link is not None and not link.isEmpty():
            end = rect.right() + 1 - size.width()
            self._place(rect, link, QRect(end, rect.top() + (height - size.height()) // 2, size.width(), size.height()))
        return height + line

    def _place(self, rect: QRect, item: QLayoutItem, place: QRect) -> None:
        item.setGeometry(self.in_window(rect, place))


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _widget(item: QLayoutItem) -> QWidget:
    label = item.widget()
    assert label is not None, "each item is a widget"
    return label


def _line(item: QLayoutItem) -> int:
    return _widget(item).fontMetrics().lineSpacing() + 1


def _natural_width(item: QLayoutItem) -> int:
    """The width of a label in one line."""
    label = _widget(item)
    return label.fontMetrics().horizontalAdvance(label.property("text") or "") + EMPTY
