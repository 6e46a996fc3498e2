"""The comparison grid: the raters side by side, one column each, with its headers."""

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_rater.ui.review import cells
from desktop_rater.ui.review.cells import CellPart, Comparison, ComparisonCell, ComparisonColumn, PartLayout
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import draw_text, name_widget, plain_tooltip, text_direction, visible
from desktop_rater.ui.widgets.list_view import ink_of
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

CHOSEN_BORDER = 2


def paint_cell_background(
    painter: QPainter, rect: QRect, widget: QWidget, *, chosen: bool, focused: bool = False
) -> str:
    """Paint the background of a cell and its border lines; return the name of the background."""
    ground = "info_back" if chosen else "surface"
    painter.fillRect(rect, theme.color(widget, ground))
    line = theme.color(widget, "line")
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
    if chosen:
        side, accent = theme.px(CHOSEN_BORDER), theme.color(widget, "accent")
        painter.fillRect(rect.left(), rect.top(), side, rect.height(), accent)
        painter.fillRect(rect.right() + 1 - side, rect.top(), side, rect.height(), accent)
    else:
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), line)
    if focused:
        painter.setPen(QPen(theme.color(widget, "accent"), 1))
        painter.drawRect(rect.adjusted(4, 3, -5, -4))
    return ground


def paint_corner(painter: QPainter, rect: QRect, widget: QWidget) -> None:
    """Paint the field between row and column headers."""
    painter.fillRect(rect, theme.color(widget, "panel"))
    line = theme.color(widget, "line")
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
    painter.fillRect(rect.right(), rect.top(), 1, rect.height(), line)


HEIGHT, PAD, GAP = 38, 12, 8


class RaterHeader(QHeaderView):
    """Shortcut key, name and active time of each rater; a click chooses the rater."""

    def __init__(self, model: "ComparisonModel", grid: "ComparisonGrid") -> None:
        super().__init__(Qt.Orientation.Horizontal, grid)
        self._model, self._grid = model, grid
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))

    def sizeHint(self) -> QSize:
        return QSize(0, theme.px(HEIGHT))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        column = self._model.comparison.columns[section]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_cell_background(painter, rect, self, chosen=section == self._grid.chosen_column)
        self._paint_text(painter, rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0), column)
        painter.restore()

    def _paint_text(self, painter: QPainter, rect: QRect, column: ComparisonColumn) -> None:
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if column.key:
            cap = key_cap_size(self, column.key)
            x = rect.right() + 1 - cap.width() if mirrored else rect.left()
            cap_rect = QRectF(x, rect.center().y() - cap.height() / 2 + 0.5, cap.width(), cap.height())
            draw_key_cap(painter, cap_rect, column.key, self)
            used = cap.width() + theme.px(GAP)
            rect = rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)
        if column.mark:
            rect = self._paint_mark(painter, rect, column, mirrored=mirrored)
        bold = font_of(self._grid.font(), bold=True)
        small = font_of(self._grid.font(), pixels=theme.px(TYPE["small"][0]))
        aside = " · ".join(part for part in (column.model, column.aside) if part)
        whole = QFontMetrics(bold).horizontalAdvance(column.name)
        max_width = rect.width() - min(whole, rect.width() // 2) - theme.px(GAP)
        needed = whole + theme.px(GAP) + QFontMetrics(small).horizontalAdvance(aside)
        if column.group is not None and needed > rect.width():
            aside = ""  # the label is never shortened for the time
        aside = QFontMetrics(small).elidedText(aside, Qt.TextElideMode.ElideRight, max_width)
        near, far = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        near, far = (far, near) if mirrored else (near, far)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine
        draw_text(painter, rect, far | flags, aside, font=small, ink=theme.color(self, "text2"))
        painter.setFont(bold)
        painter.setPen(theme.color(self, "text"))
        name_width = rect.width() - QFontMetrics(small).horizontalAdvance(aside) - theme.px(GAP)
        name = QFontMetrics(bold).elidedText(column.name, Qt.TextElideMode.ElideRight, name_width)
        painter.setLayoutDirection(text_direction(name, self.layoutDirection()))
        draw_text(painter, rect, near | flags, name)

    def _paint_mark(self, painter: QPainter, rect: QRect, column: ComparisonColumn, *, mirrored: bool) -> QRect:
        """Paint the shape of a group's label; return the remaining rectangle."""
        size, tone = theme.px(16), theme.tone(column.tone)
        ink = QColor(tone.ink) if tone is not None else theme.color(self, ink_of(column.mark))
        left = rect.right() + 1 - size if mirrored else rect.left()
        field = QRectF(left, rect.center().y() + 0.5 - size / 2, size, size)
        shapes.paint_shape(painter, field, column.mark, ink, theme.color(self, "surface"))
        used = size + theme.px(GAP)
        return rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)


class RowHeader(QHeaderView):
    """The heading of each row at its top, and a note below it."""

    def __init__(self, model: "ComparisonModel", grid: "ComparisonGrid") -> None:
        super().__init__(Qt.Orientation.Vertical, grid)
        self._model, self._grid = model, grid
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        below = self.length() - self.offset()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(0, below, self.width(), max(0, self.height() - below), theme.color(self, "surface"))

    def _font(self) -> QFont:
        return font_of(self._grid.font(), pixels=theme.px(TYPE["small"][0]))

    def height_of(self, section: int) -> int:
        row = self._model.comparison.rows[section]
        lines = QFontMetrics(self._font()).lineSpacing()
        return self._text_height(row.title) + theme.px(14) + (lines + theme.px(2) if row.note else 0)

    def _text_height(self, text: str) -> int:
        width = max(theme.px(24), self.width() - theme.px(PAD) - theme.px(4))
        flags = Qt.TextFlag.TextWordWrap
        return QFontMetrics(self._font()).boundingRect(QRect(0, 0, width, 10_000), flags, text).height()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        row = self._model.comparison.rows[section]
        px = theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, theme.color(self, "panel"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self, "line"))
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.color(self, "line"))
        painter.setFont(self._font())
        painter.setPen(theme.color(self, "text2"))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        near, far = (px(4), px(PAD)) if mirrored else (px(PAD), px(4))
        inner = rect.adjusted(near, px(7), -far, -px(4))
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        draw_text(painter, inner, flags, row.title)
        if row.note:
            top = inner.top() + self._text_height(row.title) + px(2)
            height = QFontMetrics(self._font()).lineSpacing()
            self._paint_note(painter, QRect(inner.left(), top, inner.width(), height), row.note, flags)
        painter.restore()

    def _paint_note(self, painter: QPainter, rect: QRect, note: str, flags: Qt.AlignmentFlag | Qt.TextFlag) -> None:
        size = theme.px(14)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        ink = theme.color(self, "warn")
        left = rect.right() + 1 - size if mirrored else rect.left()
        field = QRectF(left - 1, rect.center().y() - size / 2 - 0.5, size + 2, size + 2)
        shapes.paint_shape(painter, field, "warns", ink, theme.color(self, "panel"))
        used = size + theme.px(4)
        painter.setPen(ink)
        text_rect = rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)
        draw_text(painter, text_rect, int(flags), note)


Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
CELL_ROLE = Qt.ItemDataRole.UserRole
MIN_COLUMN_WIDTH, MIN_GROUP_WIDTH, ROW_HEADER_WIDTH = 230, 184, 104
MIN_GRID_ROW = 31
MAX_CACHED_LAYOUTS = 2_000


class ComparisonModel(QAbstractTableModel):
    """The model of a comparison: a row for each aspect, a column for each rater."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.comparison = Comparison()

    def show(self, comparison: Comparison) -> None:
        """Show another comparison; with the same rows and columns its cells are only repainted."""
        before = self.comparison
        heads = [(column.rater, column.group) for column in comparison.columns]
        alike = before.rows == comparison.rows and [(column.rater, column.group) for column in before.columns] == heads
        if not alike:
            self.beginResetModel()
        self.comparison = comparison
        if not alike:
            self.endResetModel()
        elif heads and comparison.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(comparison.rows) - 1, len(heads) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(heads) - 1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.comparison.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.comparison.columns)

    def cell(self, row: int, column: int) -> ComparisonCell:
        return self.comparison.columns[column].cells[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not (index.row() < self.rowCount() and 0 <= index.column() < self.columnCount()):  # as in headerData
            return None
        cell = self.cell(index.row(), index.column())
        if role == CELL_ROLE:
            return cell
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            rater, row = self.comparison.columns[index.column()].name, self.comparison.rows[index.row()].title
            return visible(f"{rater}, {row}: {cell.spoken}")
        return plain_tooltip(cell.tip) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return None
        parts = self.comparison.rows if orientation == Qt.Orientation.Vertical else self.comparison.columns
        if not 0 <= section < len(parts):  # during a reset one header is queried before the other is updated
            return None
        if orientation == Qt.Orientation.Vertical:
            row = self.comparison.rows[section]
            if row.note and role == Qt.ItemDataRole.AccessibleTextRole:
                return self.tr("{question}, answers differ: {count}").format(question=row.title, count=row.note)
            return ", ".join(part for part in (row.title, row.note) if part)
        column = self.comparison.columns[section]
        return ", ".join(part for part in (column.name, column.model, column.aside) if part)


class ComparisonCellDelegate(QStyledItemDelegate):
    """A delegate that paints cells, and caches their layouts until theme or zoom change."""

    def __init__(self, view: "ComparisonGrid") -> None:
        super().__init__(view)
        self._view = view
        self._laid: dict[tuple[ComparisonCell, int], tuple[PartLayout, ...]] = {}

    def forget(self) -> None:
        self._laid.clear()

    def laid(self, row: int, column: int, width: int) -> tuple[PartLayout, ...]:
        cell = self._view.comparison_model.cell(row, column)
        layouts = self._laid.get((cell, width))
        if layouts is None:
            if len(self._laid) > MAX_CACHED_LAYOUTS:
                self._laid.clear()
            layouts = self._laid[cell, width] = cells.lay_out_cell(cell, width, self._view)
        return layouts

    def height(self, row: int, column: int) -> int:
        return cells.cell_height(self.laid(row, column, self._view.columnWidth(column)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, rect = self._view, option.rect
        chosen = index.column() == view.chosen_column
        focused = view.hasFocus() and index == view.currentIndex()
        painter.save()
        ground = paint_cell_background(painter, rect, view, chosen=chosen, focused=focused)
        painter.setClipRect(rect)
        layouts = self.laid(index.row(), index.column(), rect.width())
        cells.paint_cell(painter, rect.topLeft().toPointF(), layouts, view, ground)
        painter.restore()

    def part_at(self, index: Index, rect_corner: QPoint, position: QPoint) -> CellPart | None:
        inside = (position - rect_corner).toPointF()
        width = self._view.columnWidth(index.column())
        layouts = self.laid(index.row(), index.column(), width)
        return next((layout.part for layout in layouts if layout.rect.contains(inside)), None)


class ComparisonGrid(QTableView):
    """The view of a comparison. The current column is the rater being judged, and stays visible."""

    column_chosen = Signal()  # a rater or a group
    rater_wanted = Signal(object)  # CellPart: the rater of a group, or the list of all raters
    evidence_wanted = Signal(object)  # CellPart: of the rater that is then chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "comparison", self.tr("Raters side by side"))
        self.comparison_model = ComparisonModel(self)
        self.setModel(self.comparison_model)
        self._delegate = ComparisonCellDelegate(self)
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
        theme.set_ground(self.viewport(), "surface")
        self.setHorizontalHeader(RaterHeader(self.comparison_model, self))
        self.setVerticalHeader(RowHeader(self.comparison_model, self))
        self.horizontalHeader().sectionClicked.connect(self.choose)
        self._fit_timer = DelayedCall(self, 0, self.fit)
        self._corner = self.findChild(QAbstractButton)
        if self._corner is not None:
            self._corner.installEventFilter(self)
        theme.follow(self, self._theme_changed)

    # -- content

    @property
    def comparison(self) -> Comparison:
        return self.comparison_model.comparison

    @property
    def chosen_column(self) -> int:
        return max(0, self.currentIndex().column()) if self.comparison.columns else -1

    @property
    def current_column(self) -> ComparisonColumn | None:
        """The chosen rater or group."""
        return self.comparison.columns[self.chosen_column] if self.comparison.columns else None

    @property
    def chosen(self) -> str:
        """The chosen rater; empty while a group is chosen."""
        column = self.current_column
        return column.rater if column is not None else ""

    def show_comparison(self, comparison: Comparison, chosen: int = -1) -> None:
        """Show another comparison; `chosen` is the column to judge, by default the first."""
        if comparison == self.comparison and chosen in {-1, self.currentIndex().column()}:
            return
        same_place = comparison.name == self.comparison.name
        row, down = max(0, self.currentIndex().row()), self.verticalScrollBar().value()
        self.comparison_model.show(comparison)
        self.fit()
        column = max(0, chosen)
        if comparison.columns:
            target_row = min(row, len(comparison.rows) - 1) if same_place else 0
            self.setCurrentIndex(self.comparison_model.index(target_row, column))
        self.verticalScrollBar().setValue(down if same_place else 0)
        self._scroll_to(column)

    def choose(self, column: int) -> bool:
        """Choose the rater of that column; return `False` where there is none."""
        if not 0 <= column < len(self.comparison.columns):
            return False
        down = self.verticalScrollBar().value()
        self.setCurrentIndex(self.comparison_model.index(max(0, self.currentIndex().row()), column))
        self.verticalScrollBar().setValue(down)
        return True

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.column() != previous.column():
            self.viewport().update()
            self.horizontalHeader().viewport().update()
            self._scroll_to(current.column())
            if current.isValid():
                self.column_chosen.emit()

    # -- sizes

    def fit(self) -> None:
        """Share the width among the columns, with a minimum for each; rows get the height they need."""
        columns = len(self.comparison.columns)
        if not columns:
            return
        available = self.viewport().width()
        least = MIN_GROUP_WIDTH if all(column.group for column in self.comparison.columns) else MIN_COLUMN_WIDTH
        width = max(theme.px(least), available // columns)
        spare = available - width * columns
        for column in range(columns):
            self.setColumnWidth(column, width + (1 if column < spare else 0))
        for row in range(len(self.comparison.rows)):
            cells = (self._delegate.height(row, column) for column in range(columns))
            self.setRowHeight(row, max(theme.px(MIN_GRID_ROW), self._row_header.height_of(row), *cells))
        self._scroll_to(self.chosen_column)

    @property
    def _row_header(self) -> RowHeader:
        header = self.verticalHeader()
        assert isinstance(header, RowHeader)
        return header

    def _theme_changed(self) -> None:
        self._delegate.forget()
        self._row_header.setFixedWidth(theme.px(ROW_HEADER_WIDTH))
        self._fit_timer.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._theme_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_timer.start()

    def _scroll_to(self, column: int) -> None:
        """Scroll the whole column into view."""
        if column < 0:
            return
        bar, left = self.horizontalScrollBar(), self.columnViewportPosition(column)
        right, visible = left + self.columnWidth(column), self.viewport().width()
        if left < 0:
            bar.setValue(bar.value() + left)
        elif right > visible:
            bar.setValue(bar.value() + right - visible)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the corner between the headers, which Qt paints as a button."""
        if watched is self._corner and event.type() == QEvent.Type.Paint and self._corner is not None:
            with QPainter(self._corner) as painter:
                paint_corner(painter, self._corner.rect(), self)
            return True
        return super().eventFilter(watched, event)

    # -- keys and mouse

    def keyboardSearch(self, _search: str) -> None:
        """Ignore letters: they are shortcuts of the screen."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        row = self.currentIndex().row()
        if step is not None and self.comparison.rows and (row + step in {-1, len(self.comparison.rows)}):
            bar = self.verticalScrollBar()  # on the first and the last row scroll the rest of a tall row into view
            bar.setValue(bar.value() + step * bar.singleStep() * 3)
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        part = self._part_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and part is not None and part.opens:
            wanted = self.evidence_wanted if part.piece is not None or part.url else self.rater_wanted
            wanted.emit(part)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        part = self._part_at(event.position().toPoint())
        opens = part is not None and part.opens
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)

    def _part_at(self, position: QPoint) -> CellPart | None:
        index = self.indexAt(position)
        if not index.isValid():
            return None
        return self._delegate.part_at(index, self.visualRect(index).topLeft(), position)
