"""Rows whose title is read whole, in as many lines as it takes: for short lists only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from desktop_rater.ui import theme
from desktop_rater.ui.rows import LINE_ROLE, MARK_ROOM, PAD, Index, Line, LineDelegate, LineList

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

ABOVE = 6
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop


class WrappedDelegate(LineDelegate):
    """A title that wraps, and a second line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, two_lines=True)
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the list gives the width
        line: Line = index.data(LINE_ROLE)
        return QSize(80, self._title(line.title).height() + QFontMetrics(self._list.font()).height() + 2 * ABOVE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        painter.save()
        rect, state = option.rect, option.state
        inner = self.frame(painter, rect, state, line)
        height = QFontMetrics(self._list.font()).height()
        self.mark(painter, rect, inner.top() + ABOVE + height / 2, line)
        title = inner.adjusted(0, ABOVE, 0, -ABOVE - height)
        painter.setFont(self._list.font())
        painter.setPen(theme.color(self._list, "text"))
        painter.drawText(title, WRAP, " ".join(line.title.split()))
        below = QRect(inner.left(), inner.bottom() - ABOVE - height, inner.width(), height)
        self.pair(painter, below, line.detail, line.detail_end, self.soft, self.tone(line))
        painter.restore()

    def _title(self, text: str) -> QRect:
        width = max(100, self._list.width() - theme.px(2 * PAD + MARK_ROOM + 20))
        flat = " ".join(text.split())
        return QFontMetrics(self._list.font()).boundingRect(QRect(0, 0, width, 10_000), WRAP.value, flat)


class WrappedList(LineList):
    """A list of `Line`s with wrapped titles."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=True, parent=parent)
        self.setUniformItemSizes(False)
        self.setItemDelegate(WrappedDelegate(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def fit_height(self, most: int) -> None:
        """Be as high as the rows, at most `most` pixels: then it scrolls."""
        rows = (self.sizeHintForRow(row) for row in range(self.model().rowCount()))
        self.setFixedHeight(min(most, sum(rows) + 2 * self.frameWidth()))
