"""The report's tables: model, view and column widths."""

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_rater.audit.report_panels import ReportCell, ReportTableData, column_meanings
from desktop_rater.ui.report.texts_and_colors import translated_wording
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, plain_tooltip, text_direction, visible
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
CELL_ROLE = Qt.ItemDataRole.UserRole
EMPTY_TABLE = ReportTableData((), ())
MIN_TOOLTIP_LENGTH = 24  # characters from which a cell also has a tooltip, as it may be elided


class ReportTableModel(QAbstractTableModel):
    """A read-only model of one report table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = EMPTY_TABLE

    def show_table(self, table: ReportTableData) -> None:
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def cell(self, row: int, column: int) -> ReportCell:
        return self.table.rows[row][column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self.cell(index.row(), index.column())
        text = visible(" ".join(part for part in (cell.before, cell.text) if part))
        if role == CELL_ROLE:
            return cell
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.table.columns[index.column()].title}: {text}"
        return plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole and len(text) > MIN_TOOLTIP_LENGTH else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        title = self.table.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            meanings = column_meanings(translated_wording())
            meaning = meanings.get(title) or meanings.get(title.rpartition(", ")[0], "")  # without its base
            return plain_tooltip(meaning) if meaning else None
        return title if role == Qt.ItemDataRole.DisplayRole else None


MAX_MEASURED_ROWS = 200  # rows measured; later ones are elided where they are wider
MAX_MEASURED_LENGTH = 60


def cell_width(cell: ReportCell, metrics: QFontMetrics) -> int:
    """Return the width of a cell in pixels; bold names take about a twelfth more."""
    text = visible(" ".join(part for part in (cell.before, cell.text) if part))[:MAX_MEASURED_LENGTH]
    width = metrics.horizontalAdvance(text)
    return width + width // 12 + (theme.px(SIGN + GAP) if cell.shape else 0) + 2 * theme.px(PAD)


def title_lines(title: str, metrics: QFontMetrics) -> tuple[str, ...]:
    """Split a header into one line, or into two of widths as equal as possible."""
    words = title.split()
    splits = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    if not splits:
        return (title,)
    return min(splits, key=lambda split: max(map(metrics.horizontalAdvance, split)))


def title_width(title: str, metrics: QFontMetrics) -> int:
    """Return the width of the longer line of a header."""
    return max(map(metrics.horizontalAdvance, title_lines(title, metrics)))


ROW, PAD, SIGN, GAP, HEAD, ARROW = 30, 6, 14, 6, 38, 10
MIN_FIRST_COLUMN = 120  # minimum width of the first column


class ReportTableHeader(QHeaderView):
    """A header with titles of up to two lines."""

    def __init__(self, view: "ReportTable") -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._view = view
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEAD)))

    def font_of(self) -> QFont:
        return font_of(self._view.font(), pixels=theme.px(TYPE["small"][0]))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        column = self._view.table_model.table.columns[section]
        painter.save()
        painter.fillRect(rect, theme.color(self, "surface"))
        painter.setFont(self.font_of())
        painter.setPen(theme.color(self, "text2"))
        across = Qt.AlignmentFlag.AlignRight if column.figures else Qt.AlignmentFlag.AlignLeft
        lines = title_lines(column.title, QFontMetrics(self.font_of()))
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), -theme.px(4))
        draw_text(
            painter, inner, across | Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignAbsolute, "\n".join(lines)
        )
        if self._view.sorted_by is not None and self._view.sorted_by[0] == section:
            size = theme.px(ARROW)
            box = QRectF(rect.right() - size - 1, rect.top() + 1, size, size)
            shape = "chevron-down" if self._view.sorted_by[1] else "chevron-up"
            shapes.paint_shape(painter, box, shape, theme.color(self, "accent"), theme.color(self, "surface"))
        painter.setPen(theme.color(self, "edge"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()


class ReportCellDelegate(QStyledItemDelegate):
    """A delegate that paints a cell: leading text, shape, text."""

    def __init__(self, view: "ReportTable") -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(theme.px(40), theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: ReportCell = index.data(CELL_ROLE)
        colors, view = theme.tokens(delegate_view(self)), self._view
        rect: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, QColor(colors.sel if chosen else colors.surface))
        painter.setPen(QColor(colors.line))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        if chosen and (colors.high or view.hasFocus()):
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawLine(rect.left(), rect.top() + 1, rect.right(), rect.top() + 1)
            painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        column = view.table_model.table.columns[index.column()]
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0)
        self._paint_text(painter, inner, cell, figures=column.figures, bold=index.column() == 0 and view.names)
        painter.restore()

    def _paint_text(self, painter: QPainter, rect: QRect, cell: ReportCell, *, figures: bool, bold: bool) -> None:
        colors, x = theme.tokens(delegate_view(self)), rect.left()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine
        if cell.before:
            painter.setPen(QColor(colors.text2))
            painter.setLayoutDirection(text_direction(cell.before, Qt.LayoutDirection.LeftToRight))
            draw_text(painter, rect, Qt.AlignmentFlag.AlignLeft | middle, cell.before)
            x += QFontMetrics(painter.font()).horizontalAdvance(cell.before) + theme.px(GAP)
        if cell.shape:
            size, tone = theme.px(SIGN), theme.tone(cell.tone)
            box = QRectF(x, rect.center().y() - size / 2 + 0.5, size, size)
            ink = QColor(tone.ink if tone is not None else colors.text2)
            shapes.paint_shape(painter, box, cell.shape, ink, QColor(colors.surface))
            x += size + theme.px(GAP)
        font = font_of(self._view.font(), bold=bold)
        painter.setFont(font)
        painter.setPen(QColor(colors.text2 if cell.quiet else colors.text))
        available = rect.right() - x + 1
        text = QFontMetrics(font).elidedText(" ".join(cell.text.split()), Qt.TextElideMode.ElideRight, available)
        painter.setLayoutDirection(text_direction(text, Qt.LayoutDirection.LeftToRight))
        across = Qt.AlignmentFlag.AlignRight if figures else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, QRect(x, rect.top(), available, rect.height()), across | middle, text)


def delegate_view(delegate: ReportCellDelegate) -> QWidget:
    """Return the view that a delegate paints for."""
    parent = delegate.parent()
    assert isinstance(parent, QTableView), "a delegate of a table"
    return parent


class ReportTable(QTableView):
    """A report table; with `names` the first column is bold."""

    moved = Signal(int)  # current row, -1 for none
    sort_wanted = Signal(int)  # column

    def __init__(self, name: str, *, heads: bool = True, names: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.names = names
        self.table_model = ReportTableModel(self)
        self.setModel(self.table_model)
        self.setItemDelegate(ReportCellDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures are not mirrored
        self._heads = ReportTableHeader(self)
        self.setHorizontalHeader(self._heads)
        self._heads.setVisible(heads)
        self._heads.sectionClicked.connect(self.sort_wanted)
        self.sorted_by: tuple[int, bool] | None = None  # column, and whether it descends
        self._measured: list[int] = []  # width that each column needs; empty until measured
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        theme.follow(self, self._update_row_height)

    def show_table(self, table: ReportTableData) -> None:
        """Show another table, and keep the current row where its key is still present."""
        key = self.key
        self.table_model.show_table(table)
        if key in table.keys:
            self.selectRow(table.keys.index(key))
        self._measured = []
        self._fit_columns()
        self.moved.emit(self.currentIndex().row())

    @property
    def key(self) -> tuple[str, ...]:
        row, keys = self.currentIndex().row(), self.table_model.table.keys
        return keys[row] if self.selectedIndexes() and 0 <= row < len(keys) else ()

    def choose(self, row: int) -> None:
        if 0 <= row < self.table_model.rowCount():
            self.setCurrentIndex(self.table_model.index(row, 0))
        else:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())

    def sizeHint(self) -> QSize:
        head = 0 if self._heads.isHidden() else theme.px(HEAD)
        return QSize(theme.px(240), head + theme.px(ROW) * max(1, self.table_model.rowCount()) + 2)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.moved.emit(current.row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measured = []
            self._fit_columns()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.table_model.rowCount():
            self.choose(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _update_row_height(self) -> None:
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self._measured = []
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Set the column widths; spare width goes to all columns, or to the first where there is no header."""
        table = self.table_model.table
        count = len(table.columns)
        if not count:
            return
        head = 0 if self._heads.isHidden() else 2 * theme.px(PAD)
        if not self._measured:
            metrics = QFontMetrics(self.font())
            heads = QFontMetrics(self._heads.font_of())
            self._measured = [
                max(
                    *(cell_width(row[column], metrics) for row in table.rows[:MAX_MEASURED_ROWS]),
                    title_width(table.columns[column].title, heads) + head if head else 0,
                    0,
                )
                for column in range(count)
            ]
        needed = [*self._measured]
        available = self.viewport().width()
        if head and sum(needed) > available:  # a long text must not push figures out of view
            half = max(theme.px(MIN_FIRST_COLUMN), available // 2)
            needed[1:] = [min(width, half) for width in needed[1:]]
        spare = available - sum(needed)
        if spare < 0 or not head:  # the first column shrinks; in a list it also takes spare width
            fits = needed[0] + spare >= theme.px(MIN_FIRST_COLUMN)
            least = theme.px(MIN_FIRST_COLUMN) if fits else max(theme.px(MIN_FIRST_COLUMN), available // 2)
            needed[0] = max(min(needed[0], least), needed[0] + spare)
        else:
            needed = [width + spare // count for width in needed]
        for column, width in enumerate(needed):
            self.setColumnWidth(column, width)
