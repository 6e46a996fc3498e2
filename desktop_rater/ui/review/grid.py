"""The raters beside each other, a column each. It knows cells; what they mean stands elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFrame, QStyledItemDelegate, QTableView

from desktop_rater.ui import theme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.review import cell_paint
from desktop_rater.ui.review.cells import Comparison
from desktop_rater.ui.review.grid_heads import RaterHeads, RowHeads
from desktop_rater.ui.review.grid_lines import paint_column, paint_corner

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from desktop_rater.ui.review.cell_paint import Laid
    from desktop_rater.ui.review.cells import Cell, Part

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
CELL_ROLE = Qt.ItemDataRole.UserRole
LEAST_COLUMN, NAMES = 230, 104
LEAST_ROW = 31
MOST_LAID = 2_000


class ComparisonModel(QAbstractTableModel):
    """Rows of what is compared, a column for each rater."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = Comparison()

    def show(self, comparison: Comparison) -> None:
        """Compare something else."""
        self.beginResetModel()
        self.shown = comparison
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.shown.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.shown.columns)

    def cell(self, row: int, column: int) -> Cell:
        return self.shown.columns[column].cells[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not (index.row() < self.rowCount() and 0 <= index.column() < self.columnCount()):  # as for the headers
            return None
        cell = self.cell(index.row(), index.column())
        if role == CELL_ROLE:
            return cell
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            rater, row = self.shown.columns[index.column()].rater, self.shown.rows[index.row()].words
            return f"{rater}, {row}: {cell.spoken}"
        return plain_tooltip(cell.tip) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return None
        parts = self.shown.rows if way == Qt.Orientation.Vertical else self.shown.columns
        if not 0 <= section < len(parts):  # as everything changes one header is asked before the other has heard of it
            return None
        if way == Qt.Orientation.Vertical:
            row = self.shown.rows[section]
            return ", ".join(part for part in (row.words, row.note) if part)
        column = self.shown.columns[section]
        return ", ".join(part for part in (column.rater, column.model, column.aside) if part)


class CellDelegate(QStyledItemDelegate):
    """Paints cells; what it laid out is kept, since many cells say the same, until the look changes."""

    def __init__(self, view: Grid) -> None:
        super().__init__(view)
        self._view = view
        self._laid: dict[tuple[Cell, int], tuple[Laid, ...]] = {}

    def forget(self) -> None:
        self._laid.clear()

    def laid(self, row: int, column: int, width: int) -> tuple[Laid, ...]:
        """The parts of a cell in a column of that width."""
        cell = self._view.model_.cell(row, column)
        found = self._laid.get((cell, width))
        if found is None:
            if len(self._laid) > MOST_LAID:
                self._laid.clear()
            found = self._laid[cell, width] = cell_paint.lay(cell, width, self._view)
        return found

    def height(self, row: int, column: int) -> int:
        """How high a cell has to be in its column."""
        return cell_paint.height_of(self.laid(row, column, self._view.columnWidth(column)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, rect = self._view, option.rect
        chosen = index.column() == view.chosen_column
        here = view.hasFocus() and index == view.currentIndex()
        painter.save()
        ground = paint_column(painter, rect, view, chosen=chosen, here=here)
        painter.setClipRect(rect)
        laid = self.laid(index.row(), index.column(), rect.width())
        cell_paint.paint(painter, rect.topLeft().toPointF(), laid, view, ground)
        painter.restore()

    def part_at(self, index: Index, rect_corner: QPoint, at: QPoint) -> Part | None:
        """The part of a cell under a point."""
        inside = (at - rect_corner).toPointF()
        width = self._view.columnWidth(index.column())
        laid = self.laid(index.row(), index.column(), width)
        return next((one.part for one in laid if one.rect.contains(inside)), None)


class Grid(QTableView):
    """The current column is the rater that is judged; where there are many it is kept in view."""

    rater_chosen = Signal(str)
    evidence_wanted = Signal(object)  # Part: of the rater that is chosen by then

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparison")
        self.setAccessibleName(self.tr("Raters side by side"))
        self.model_ = ComparisonModel(self)
        self.setModel(self.model_)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        theme.ground(self.viewport(), "surface")
        self.setHorizontalHeader(RaterHeads(self.model_, self))
        self.setVerticalHeader(RowHeads(self.model_, self))
        self.horizontalHeader().sectionClicked.connect(self._clicked_head)
        self._fitting = QTimer(self)
        self._fitting.setSingleShot(True)
        self._fitting.setInterval(0)
        self._fitting.timeout.connect(self.fit)
        self._corner = self.findChild(QAbstractButton)
        if self._corner is not None:
            self._corner.installEventFilter(self)
        theme.follow(self, self._look_changed)

    # -- what is shown

    @property
    def comparison(self) -> Comparison:
        return self.model_.shown

    @property
    def chosen_column(self) -> int:
        return max(0, self.currentIndex().column()) if self.comparison.columns else -1

    @property
    def chosen(self) -> str:
        """The rater that is judged."""
        at = self.chosen_column
        return self.comparison.columns[at].rater if at >= 0 else ""

    def show_comparison(self, comparison: Comparison, chosen: str = "") -> None:
        """Compare something else; `chosen` is the rater that is judged, else the first."""
        if comparison == self.comparison and comparison.column_of(chosen) in {-1, self.currentIndex().column()}:
            return
        same_place = comparison.name == self.comparison.name
        row, down = max(0, self.currentIndex().row()), self.verticalScrollBar().value()
        self.model_.show(comparison)
        self.fit()
        column = max(0, comparison.column_of(chosen))
        if comparison.columns:
            at = min(row, len(comparison.rows) - 1) if same_place else 0
            self.setCurrentIndex(self.model_.index(at, column))
        self.verticalScrollBar().setValue(down if same_place else 0)
        self._bring(column)

    def choose(self, column: int) -> bool:
        """Judge the rater of that column; `False` where there is none."""
        if not 0 <= column < len(self.comparison.columns):
            return False
        down = self.verticalScrollBar().value()
        self.setCurrentIndex(self.model_.index(max(0, self.currentIndex().row()), column))
        self.verticalScrollBar().setValue(down)
        return True

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.column() != previous.column():
            self.viewport().update()
            self.horizontalHeader().viewport().update()
            self._bring(current.column())
            if current.isValid():
                self.rater_chosen.emit(self.chosen)

    # -- sizes

    def fit(self) -> None:
        """As many columns as have room beside each other, the others can be scrolled to; rows as high as they need."""
        columns = len(self.comparison.columns)
        if not columns:
            return
        room = self.viewport().width()
        wide = max(theme.px(LEAST_COLUMN), room // columns)
        spare = room - wide * columns
        for column in range(columns):
            self.setColumnWidth(column, wide + (1 if column < spare else 0))
        for row in range(len(self.comparison.rows)):
            cells = (self._delegate.height(row, column) for column in range(columns))
            self.setRowHeight(row, max(theme.px(LEAST_ROW), self._names.height_of(row), *cells))

    @property
    def _names(self) -> RowHeads:
        found = self.verticalHeader()
        assert isinstance(found, RowHeads)
        return found

    def _look_changed(self) -> None:
        self._delegate.forget()
        self._names.setFixedWidth(theme.px(NAMES))
        self._fitting.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._look_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fitting.start()

    def _bring(self, column: int) -> None:
        """The whole column into view."""
        if column < 0:
            return
        bar, left = self.horizontalScrollBar(), self.columnViewportPosition(column)
        right, room = left + self.columnWidth(column), self.viewport().width()
        if left < 0:
            bar.setValue(bar.value() + left)
        elif right > room:
            bar.setValue(bar.value() + right - room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The corner between the heads, which Qt paints as a button."""
        if watched is self._corner and event.type() == QEvent.Type.Paint and self._corner is not None:
            painter = QPainter(self._corner)
            paint_corner(painter, self._corner.rect(), self)
            painter.end()
            return True
        return super().eventFilter(watched, event)

    # -- keys and mouse

    def keyboardSearch(self, _search: str) -> None:
        """Letters are keys of the room; they do not search."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        row = self.currentIndex().row()
        if step is not None and self.comparison.rows and (row + step in {-1, len(self.comparison.rows)}):
            bar = self.verticalScrollBar()  # at the first and the last row the rest of a long one comes into view
            bar.setValue(bar.value() + step * bar.singleStep() * 3)
            return
        super().keyPressEvent(event)

    def _clicked_head(self, column: int) -> None:
        self.choose(column)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        part = self._part_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and part is not None and part.opens:
            self.evidence_wanted.emit(part)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        part = self._part_at(event.position().toPoint())
        opens = part is not None and part.opens
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)

    def _part_at(self, at: QPoint) -> Part | None:
        index = self.indexAt(at)
        if not index.isValid():
            return None
        return self._delegate.part_at(index, self.visualRect(index).topLeft(), at)
