"""A table of the report: rows with a line under each, figures at the end of their column, labels with their shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.plain import text_direction
from desktop_rater.ui.report.columns import Widths, head_width, in_lines
from desktop_rater.ui.report.table_model import CELL_ROLE, Index, ReportTableModel
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.audit.report_tables import Cell, Table

ROW, PAD, SIGN, GAP, HEAD = 30, 6, 14, 6, 38
LEAST = 120  # of the first column, where it is wider


class Heads(QHeaderView):
    """The heads of the columns, in two lines at most."""

    def __init__(self, view: ReportTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._view = view
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEAD)))

    def font_of(self) -> QFont:
        font = QFont(self._view.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        return font

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        column = self._view.shown.table.columns[section]
        painter.save()
        painter.fillRect(rect, theme.color(self, "surface"))
        painter.setFont(self.font_of())
        painter.setPen(theme.color(self, "text2"))
        across = Qt.AlignmentFlag.AlignRight if column.figures else Qt.AlignmentFlag.AlignLeft
        lines = in_lines(column.title, QFontMetrics(self.font_of()))
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), -theme.px(4))
        painter.drawText(
            inner, across | Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignAbsolute, "\n".join(lines)
        )
        painter.setPen(theme.color(self, "edge"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()


class CellDelegate(QStyledItemDelegate):
    """Paints a cell: what stands before it, its shape, its words."""

    def __init__(self, view: ReportTable) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(theme.px(40), theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: Cell = index.data(CELL_ROLE)
        colors, view = theme.tokens(view_of(self)), self._view
        rect: QRect = option.rect
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, QColor(colors.sel if chosen else colors.surface))
        painter.setPen(QColor(colors.line))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if chosen and (colors.high or view.hasFocus()):
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawLine(rect.left(), rect.top() + 1, rect.right(), rect.top() + 1)
            painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        column = view.shown.table.columns[index.column()]
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0)
        self._words(painter, inner, cell, figures=column.figures, bold=index.column() == 0 and view.names)
        painter.restore()

    def _words(self, painter: QPainter, rect: QRect, cell: Cell, *, figures: bool, bold: bool) -> None:
        colors, x = theme.tokens(view_of(self)), rect.left()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine
        if cell.before:
            painter.setPen(QColor(colors.text2))
            painter.setLayoutDirection(text_direction(cell.before, Qt.LayoutDirection.LeftToRight))
            painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | middle, cell.before)
            x += QFontMetrics(painter.font()).horizontalAdvance(cell.before) + theme.px(GAP)
        if cell.shape:
            size, tone = theme.px(SIGN), theme.tone(cell.tone)
            box = QRectF(x, rect.center().y() - size / 2 + 0.5, size, size)
            ink = QColor(tone.ink if tone is not None else colors.text2)
            shapes.paint(painter, box, cell.shape, ink, QColor(colors.surface))
            x += size + theme.px(GAP)
        font = QFont(self._view.font())
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(QColor(colors.text2 if cell.quiet else colors.text))
        room = rect.right() - x + 1
        words = QFontMetrics(font).elidedText(" ".join(cell.words.split()), Qt.TextElideMode.ElideRight, room)
        painter.setLayoutDirection(text_direction(words, Qt.LayoutDirection.LeftToRight))
        across = Qt.AlignmentFlag.AlignRight if figures else Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRect(x, rect.top(), room, rect.height()), across | middle, words)


def view_of(delegate: CellDelegate) -> QWidget:
    """The view that a delegate paints for."""
    parent = delegate.parent()
    assert isinstance(parent, QTableView), "a delegate of a table"
    return parent


class ReportTable(QTableView):
    """`moved` tells of the row where the keyboard stands, -1 where there is none. `names`: the first column is bold."""

    moved = Signal(int)

    def __init__(self, name: str, *, heads: bool = True, names: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.names = names
        self.shown = ReportTableModel(self)
        self.setModel(self.shown)
        self.setItemDelegate(CellDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures do not mirror
        self._heads = Heads(self)
        self.setHorizontalHeader(self._heads)
        self._heads.setVisible(heads)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        theme.follow(self, self._measure)

    def show_table(self, table: Table) -> None:
        """Show another table; the row where the keyboard stands stays where it stands for the same."""
        key = self.key
        self.shown.show_table(table)
        if key in table.keys:
            self.selectRow(table.keys.index(key))
        self._fit()
        self.moved.emit(self.currentIndex().row())

    @property
    def key(self) -> tuple[str, ...]:
        """What the chosen row stands for; empty without one."""
        row, keys = self.currentIndex().row(), self.shown.table.keys
        return keys[row] if self.selectedIndexes() and 0 <= row < len(keys) else ()

    def choose(self, row: int) -> None:
        """Stand in a row; -1: in none."""
        if 0 <= row < self.shown.rowCount():
            self.setCurrentIndex(self.shown.index(row, 0))
        else:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())

    def sizeHint(self) -> QSize:
        head = 0 if self._heads.isHidden() else theme.px(HEAD)
        return QSize(theme.px(240), head + theme.px(ROW) * max(1, self.shown.rowCount()) + 2)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.moved.emit(current.row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.shown.rowCount():
            self.choose(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _measure(self) -> None:
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self._fit()

    def _fit(self) -> None:
        """Each column as wide as it needs; what is left goes to all of them, or to the one that can use it."""
        table = self.shown.table
        count = len(table.columns)
        if not count:
            return
        widths = Widths(QFontMetrics(self.font()), theme.px(SIGN + GAP), 2 * theme.px(PAD))
        heads = QFontMetrics(self._heads.font_of())
        head = 0 if self._heads.isHidden() else 2 * theme.px(PAD)
        needed = [
            max(widths.column(table, at), head_width(table.columns[at].title, heads) + head if head else 0)
            for at in range(count)
        ]
        room = self.viewport().width()
        if head and sum(needed) > room:  # a sentence where a figure is missing moves no figures out of sight
            half = max(theme.px(LEAST), room // 2)
            needed[1:] = [min(width, half) for width in needed[1:]]
        left = room - sum(needed)
        if left < 0 or not head:  # the first column gives way; in a list it takes what is left too
            fits = needed[0] + left >= theme.px(LEAST)
            least = theme.px(LEAST) if fits else max(theme.px(LEAST), room // 2)
            needed[0] = max(min(needed[0], least), needed[0] + left)
        else:
            needed = [width + left // count for width in needed]
        for at, width in enumerate(needed):
            self.setColumnWidth(at, width)
