"""Output of the tool calls of one of two responses, above its text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QStyle, QWidget

from desktop_rater.model.task import Response
from desktop_rater.ui.rating.form.choice_button import draw_key_cap, key_cap_size
from desktop_rater.ui.rating.task_texts.tool_output import ToolOutput, call_menu_rows
from desktop_rater.ui.rating.tool_view import ToolCallModel
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.context_menus import MenuRow, offer_menu
from desktop_rater.ui.widgets.json_tree import Path
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, ListRow, ListRowDelegate, RowList
from desktop_rater.ui.widgets.theme import fixed_font, font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

CALLS_KEY = "T"
CALL_SIDE_PADDING, CALL_TOP_PADDING, CALL_MARK_SIZE, CALL_GAP = 16, 6, 14, 6
LIST_SHARE, CALLS_SHARE = 0.2, 0.55  # of the height of the response: the list, and the list with an output
MIN_OUTPUT_HEIGHT = 120


class ToolCallDelegate(ListRowDelegate):
    """Delegate that paints name, status and time, then input and output, then an error in a line of its own."""

    view: ToolCallList

    def text_font(self, *, bold: bool = False, fixed: bool = False) -> QFont:
        """Return the font of a row, or of tool input and output."""
        return font_of(
            fixed_font() if fixed else self.font, pixels=theme.px(TYPE["small" if fixed else "interface"][0]), bold=bold
        )

    def line_height(self) -> int:
        return max(QFontMetrics(self.text_font()).height(), QFontMetrics(self.text_font(fixed=True)).height())

    def height_of(self, index: Index) -> int:
        row: ListRow = index.data(LIST_ROW_ROLE)
        lines = 1 + bool(row.detail) + bool(row.detail_end)
        return lines * self.line_height() + 2 * theme.px(CALL_TOP_PADDING) + 1

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        colors, px = theme.tokens(), theme.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, rect, state, index)
        # Tool data and its time run from left to right in every window.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        rect = rect.adjusted(px(CALL_SIDE_PADDING), px(CALL_TOP_PADDING), -px(CALL_SIDE_PADDING), 0)
        high = self.line_height()
        ink = QColor(getattr(colors, shapes.STATES[row.mark][1]))
        self._head(painter, QRect(rect.left(), rect.top(), rect.width(), high), index, row, ink)
        painter.setFont(self.text_font(fixed=True))
        top = rect.top() + high
        for text, color in ((row.detail, QColor(colors.text2)), (row.detail_end, ink)):
            if text:
                elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
                painter.setPen(color)
                flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
                draw_text(painter, QRect(rect.left(), top, rect.width(), high), flags, elided)
                top += high

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, index: Index) -> None:
        colors = theme.tokens()
        unfolded = bool(state & QStyle.StateFlag.State_Selected)
        if unfolded or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(colors.sel if unfolded else colors.hover))
        if state & QStyle.StateFlag.State_HasFocus and self.view.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
        painter.setPen(QPen(QColor(colors.line), 1))
        if index.row() < index.model().rowCount() - 1:
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _head(self, painter: QPainter, rect: QRect, index: Index, row: ListRow, ink: QColor) -> None:
        colors, px = theme.tokens(), theme.px
        end = rect.width()
        if index.row() == 0 and self.view.cap:
            cap = key_cap_size(self.view, CALLS_KEY)
            field = QRectF(self._at(rect, end - cap.width(), cap.width()))
            field = QRectF(field.left(), rect.center().y() - cap.height() / 2, cap.width(), cap.height())
            draw_key_cap(painter, field, CALLS_KEY, self.view)
            end -= cap.width() + px(8)
        painter.setFont(self.text_font())
        metrics = painter.fontMetrics()
        wide = metrics.horizontalAdvance(row.end) + 2 if row.end else 0
        painter.setPen(QColor(colors.text2))
        draw_text(painter, self._at(rect, end - wide, wide), Qt.AlignmentFlag.AlignVCenter, row.end)
        end -= wide + px(8) if wide else 0
        status = self.text_font(bold=row.mark != "done")
        word = QFontMetrics(status).horizontalAdvance(row.state) + 2
        room = max(0, end - word - px(CALL_MARK_SIZE + 2 * CALL_GAP))
        painter.setFont(self.text_font(bold=True, fixed=True))
        name = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideMiddle, room)
        used = painter.fontMetrics().horizontalAdvance(name) + 2
        painter.setPen(QColor(colors.text))
        draw_text(painter, self._at(rect, 0, used), Qt.AlignmentFlag.AlignVCenter, name)
        used += px(CALL_GAP)
        mark = QRectF(self._at(rect, used, px(CALL_MARK_SIZE)))
        shapes.paint_shape(painter, mark, row.mark, ink, QColor(colors.surface))
        painter.setFont(status)
        painter.setPen(ink)
        used += px(CALL_MARK_SIZE + CALL_GAP)
        draw_text(painter, self._at(rect, used, word), Qt.AlignmentFlag.AlignVCenter, row.state)

    def _at(self, rect: QRect, start: int, width: int) -> QRect:
        """Return a part of a row, `start` from its leading edge."""
        left = rect.left() + rect.width() - start - width if self.mirrored else rect.left() + start
        return QRect(left, rect.top(), width, rect.height())


class ToolCallList(RowList):
    """List with rows of different heights; failed calls come first."""

    delegate_class = ToolCallDelegate
    row_delegate: ToolCallDelegate
    space_pressed = Signal()

    def __init__(self, name: str, *, cap: bool, parent: QWidget | None = None) -> None:
        super().__init__(f"{name}_calls", two_lines=False, parent=parent)
        self.setAccessibleName(self.tr("Tool calls"))
        self.cap = cap
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.vary_heights()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.space_pressed.emit()
        else:
            super().keyPressEvent(event)


class ToolCalls(QWidget):
    """Output of a tool call, hidden until it is opened. `fit` sets the available height.

    A list of several calls is above it; beyond its share it scrolls.
    """

    opened = Signal(int)  # row of the call whose output is open, -1 for none

    def __init__(self, name: str, *, cap: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._room = 400
        self.is_open = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column = tight_column(self, spacing=0)
        self.model = ToolCallModel(self)
        self.list = ToolCallList(name, cap=cap)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.space_pressed.connect(lambda: self.set_open(not self.is_open))
        offer_menu(self.list, self._menu_rows)
        self._unfolded = -1
        column.addWidget(self.list)
        self._rule = horizontal_line()
        column.addWidget(self._rule)
        self.output = ToolOutput(name)
        column.addWidget(self.output, 1)
        self._end = horizontal_line()
        column.addWidget(self._end)
        theme.follow(self, self._measure)

    def show_tools(self, response: Response) -> None:
        self.model.show_calls(response.tools)
        self.is_open = False
        if response.tools:
            self.list.setCurrentIndex(self.model.index(0))
            self.list.scrollToTop()
        self.opened.emit(-1)
        self._measure()

    def set_open(self, wanted: bool) -> None:
        self.is_open = wanted and self.model.rowCount() > 0
        self._fill()
        self._measure()
        self.opened.emit(self._unfolded)

    def toggle_call(self, row: int) -> None:
        """Open the output of a call, or close it if it is open."""
        opens = not (self.is_open and row == self._unfolded)
        self.list.setCurrentIndex(self.model.index(row))
        self.set_open(opens)

    def show_match(self, number: int, path: Path, start: int, end: int, *, in_key: bool) -> None:
        """Show a match of a search in a call, by its number in call order."""
        self.list.setCurrentIndex(self.model.index(self.model.row_of(number)))
        self.set_open(True)
        self.output.show_match(path, start, end, in_key=in_key)

    def _menu_rows(self, place: QPoint) -> list[MenuRow | str]:
        index = self.list.indexAt(place)
        return call_menu_rows(self.model.call(index.row())) if index.isValid() else []

    def fit(self, room: int) -> None:
        """Limit the height to a share of the response's height."""
        if room != self._room:
            self._room = room
            self._measure()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()

    def _measure(self) -> None:
        self.setVisible(self.is_open)
        several = self.model.rowCount() > 1
        for widget in (self.list, self._rule):
            widget.setVisible(several)
        if not self.is_open:
            return
        whole = self.list.rows_height() if several else 0
        least = min(whole, self.list.row_delegate.line_height() * 3)
        rows = max(least, min(whole, round(self._room * LIST_SHARE)))
        most = max(round(self._room * CALLS_SHARE), least + theme.px(MIN_OUTPUT_HEIGHT))
        self.list.setFixedHeight(rows)
        self.setFixedHeight(min(most, rows + 1 + self.output.preferred_height()) + 1)
        self.list.scheduleDelayedItemsLayout()
        self.list.viewport().update()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and self.is_open:
            self._fill()
            self._measure()
            self.opened.emit(self._unfolded)

    def _fill(self) -> None:
        self._unfolded = self.list.currentIndex().row() if self.is_open else -1
        if self.is_open:
            self.output.show_call(self.model.call(self._unfolded))
            self.list.scrollTo(self.model.index(self._unfolded))
