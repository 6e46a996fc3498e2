"""The list of evidence: stance, page and quote in a row; the selected row opens to its whole quote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.direction import right_to_left
from desktop_rater.ui.rows import LINE_ROLE, Index, Line, LineDelegate, LineList, ink_of

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

MOST_QUOTE_LINES = 5
MARK, PAD, ABOVE, BETWEEN = 16, 11, 5, 8
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True)
class EvidenceLine(Line):
    """`title` is the page's, `end` its host, `detail` the quote; `opened` and `kept` stand at the end of each line."""

    stance: str = ""
    opened: str = ""
    kept: str = ""
    warned: bool = False

    @property
    def spoken(self) -> str:
        """The row in one breath."""
        parts = (self.stance, self.title, self.end, self.detail, self.opened, self.kept)
        return ", ".join(part for part in parts if part)


class EvidenceDelegate(LineDelegate):
    """Rows of two lines; one may be open."""

    def __init__(self, view: EvidenceList) -> None:
        super().__init__(view, two_lines=True, pad=PAD)
        self._view = view
        self._whole = QRect()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the list gives the width
        line: EvidenceLine = index.data(LINE_ROLE)
        lines = self._quote_lines(line) if index.row() == self._view.open_row else 1
        return QSize(80, self.height() + (lines - 1) * QFontMetrics(self.small).lineSpacing())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: EvidenceLine = index.data(LINE_ROLE)
        rect: QRect = option.rect
        painter.save()
        # All is placed from left to right, and each place turned over where the window runs the other way.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._whole = rect
        self._ground(painter, rect, option.state, line, last=index.row() + 1 == index.model().rowCount())
        column = self._columns(rect)
        first = QFontMetrics(self.font).height()
        top = rect.top() + theme.px(ABOVE)
        self._stance(painter, QRect(rect.left(), top, rect.width(), first), column, line)
        words = QRect(column[1], top, column[2] - column[1], first)
        painter.setFont(self.font)
        self._page(painter, words, line)
        painter.setFont(self.small)
        below = QRect(words.left(), words.bottom() + theme.px(1), words.width(), rect.bottom() - words.bottom())
        self._quote(painter, below, line, whole=index.row() == self._view.open_row)
        self._ends(painter, rect, top, first, column[2], line)
        painter.restore()

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, line: Line, *, last: bool) -> None:
        self.frame(painter, rect, state, line)
        if not last:
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self._widget, "line"))

    def _turned(self, part: QRect) -> QRect:
        return QStyle.visualRect(self._widget.layoutDirection(), self._whole, part)

    def _flags(self, *, end: bool = False) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if end is not self.mirrored else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute

    def _columns(self, rect: QRect) -> tuple[int, int, int]:
        """Where the word of the stance, the page and the ends begin."""
        bold = QFontMetrics(self.font)
        small = QFontMetrics(self.small)
        word = rect.left() + theme.px(PAD + MARK + 4)
        page = word + max(map(bold.horizontalAdvance, self._view.stance_words)) + theme.px(BETWEEN)
        end = rect.right() - theme.px(PAD) - max(map(small.horizontalAdvance, self._view.end_words))
        return word, page, end - theme.px(BETWEEN)

    def _stance(self, painter: QPainter, where: QRect, column: tuple[int, int, int], line: EvidenceLine) -> None:
        side = theme.px(MARK)
        place = self._turned(QRect(where.left() + theme.px(PAD), where.top(), side, where.height()))
        field = QRectF(place.left(), where.center().y() + 0.5 - side / 2, side, side)
        ink = theme.color(self._widget, ink_of(line.mark))
        shapes.paint(painter, field, line.mark, ink, theme.color(self._widget, "surface"))
        painter.setFont(self.font)
        painter.setPen(theme.color(self._widget, "text" if line.stance else "text3"))
        room = QRect(column[0], where.top(), column[1] - column[0], where.height())
        words = line.stance or self._view.no_stance
        painter.drawText(self._turned(room), self._flags() | Qt.TextFlag.TextSingleLine, words)

    def _page(self, painter: QPainter, where: QRect, line: EvidenceLine) -> None:
        """The title as far as it fits; the host is kept as long as it can."""
        small = QFontMetrics(self.small)
        host = small.elidedText(line.end, Qt.TextElideMode.ElideRight, where.width() // 2)
        beside = small.horizontalAdvance(host) + theme.px(5) if host else 0
        metrics = painter.fontMetrics()
        title = metrics.elidedText(line.title, Qt.TextElideMode.ElideRight, where.width() - beside)
        painter.setPen(theme.color(self._widget, "text"))
        painter.drawText(self._turned(where), self._flags() | Qt.TextFlag.TextSingleLine, title)
        if host:
            painter.setFont(self.small)
            painter.setPen(self.soft)
            left = where.left() + metrics.horizontalAdvance(title) + theme.px(5)
            room = QRect(left, where.top(), where.right() - left + 1, where.height())
            painter.drawText(self._turned(room), self._flags() | Qt.TextFlag.TextSingleLine, host)

    def _quote(self, painter: QPainter, where: QRect, line: EvidenceLine, *, whole: bool) -> None:
        ink = theme.color(self._widget, "warn" if line.warned else "text2")
        metrics = painter.fontMetrics()
        if line.warned:
            side = theme.px(14)
            mark = self._turned(QRect(where.left(), where.top(), side, side))
            field = QRectF(mark.left(), where.top() + (metrics.height() - side) / 2, side, side)
            shapes.paint(painter, field, "warns", ink, theme.color(self._widget, "surface"))
            where = where.adjusted(side + theme.px(4), 0, 0, 0)
        painter.setPen(ink)
        backwards = right_to_left(line.detail)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        where = self._turned(where)
        side_flag = Qt.AlignmentFlag.AlignRight if backwards or self.mirrored else Qt.AlignmentFlag.AlignLeft
        start = side_flag | Qt.AlignmentFlag.AlignAbsolute
        if whole:
            painter.drawText(where, WRAP | start, self._fitting(line.detail, where.width()))
        else:
            first = QRect(where.left(), where.top(), where.width(), metrics.height())
            shown = metrics.elidedText(line.detail, Qt.TextElideMode.ElideRight, where.width())
            painter.drawText(first, Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignTop | start, shown)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _ends(self, painter: QPainter, rect: QRect, top: int, first: int, left: int, line: EvidenceLine) -> None:
        painter.setPen(self.soft)
        painter.setFont(self.small)
        room = QRect(left, top, rect.right() - theme.px(PAD) - left + 1, first)
        for place, words in ((room, line.opened), (room.translated(0, first), line.kept)):
            painter.drawText(self._turned(place), self._flags(end=True) | Qt.TextFlag.TextSingleLine, words)

    def _quote_lines(self, line: EvidenceLine) -> int:
        column = self._columns(QRect(0, 0, self._view.viewport().width(), 10))
        metrics = QFontMetrics(self.small)
        beside = theme.px(14) + theme.px(4) if line.warned else 0
        width = max(60, column[2] - column[1] - beside)
        room = metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP.value, line.detail)
        return max(1, min(MOST_QUOTE_LINES, round(room.height() / metrics.lineSpacing())))

    def _fitting(self, text: str, width: int) -> str:
        """What of a text fits into the lines of an open row."""
        metrics = QFontMetrics(self.small)
        most = MOST_QUOTE_LINES * metrics.lineSpacing()
        low, high = 0, len(text)
        if metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP.value, text).height() <= most:
            return text
        while low + 1 < high:
            middle = (low + high) // 2
            cut = f"{text[:middle]}…"
            fits = metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP.value, cut).height() <= most
            low, high = (middle, high) if fits else (low, middle)
        return f"{text[:low]}…"


class EvidenceList(LineList):
    """`open_row` is the row that shows its whole quote; −1 where there is no height for it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=True, parent=parent)
        self.setUniformItemSizes(False)
        self.open_row = -1
        self.no_stance = self.tr("Stance?")
        self.stance_words = (self.tr("Supports"), self.tr("Contradicts"), self.no_stance)
        self.end_words = (self.tr("opened {time}").format(time="00:00"), self.tr("not opened"), self.tr("page kept"))
        self.line_delegate = EvidenceDelegate(self)
        self.setItemDelegate(self.line_delegate)

    def open_at(self, row: int) -> None:
        """Open one row, and shut the one that was open."""
        if row != self.open_row:
            self.open_row = row
            self.scheduleDelayedItemsLayout()

    def fit_rows(self, most: int) -> None:
        """Be as high as the rows, at most as high as `most` shut ones and what the open one is higher."""
        rows = [self.sizeHintForRow(row) for row in range(self.model().rowCount())]
        limit = most * self.line_delegate.height() + max(0, max(rows, default=0) - self.line_delegate.height())
        self.setFixedHeight(min(sum(rows), limit) + 2 * self.frameWidth())
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
