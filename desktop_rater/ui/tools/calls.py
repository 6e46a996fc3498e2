"""The tool calls of one of two responses, above its text: a few lines each, which unfold to the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QStyle, QStyledItemDelegate, QVBoxLayout, QWidget

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.read_text import fixed_font
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import TYPE
from desktop_rater.ui.tools.model import WORDS_ROLE, ToolCallModel
from desktop_rater.ui.tools.output import ToolOutput

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from desktop_rater.model.task import Response
    from desktop_rater.ui.rows import Index
    from desktop_rater.ui.tools.words import CallWords

KEY = "T"
SIDE, ABOVE, MARK, GAP = 16, 6, 14, 6
SHARE, OPEN_SHARE = 0.22, 0.42  # of the room of the response, shut and unfolded
OPEN_OUTPUT = 120


class CallDelegate(QStyledItemDelegate):
    """Name, status and time above; input and output beneath in the font of programs; an error on a line of its own."""

    def __init__(self, view: CallList) -> None:
        super().__init__(view)
        self._view = view

    def font(self, *, bold: bool = False, fixed: bool = False) -> QFont:
        """The font of a row's words, or of what programs wrote."""
        font = QFont(fixed_font() if fixed else self._view.font())
        font.setPixelSize(theme.px(TYPE["small" if fixed else "interface"][0]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def line_height(self) -> int:
        """The height of one line of a row."""
        return max(QFontMetrics(self.font()).height(), QFontMetrics(self.font(fixed=True)).height())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the width is the view's
        said: CallWords = index.data(WORDS_ROLE)
        lines = 1 + bool(said.line) + bool(said.below)
        return QSize(80, lines * self.line_height() + 2 * theme.px(ABOVE) + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors, px = theme.tokens(), theme.px
        said: CallWords = index.data(WORDS_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option, index)
        # What programs wrote, and its time, run from left to right in every window.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        rect = option.rect.adjusted(px(SIDE), px(ABOVE), -px(SIDE), 0)
        high = self.line_height()
        ink = QColor(getattr(colors, shapes.STATES[said.state][1]))
        self._head(painter, QRect(rect.left(), rect.top(), rect.width(), high), index, said, ink)
        painter.setFont(self.font(fixed=True))
        lines = ((said.line, QColor(colors.text2)), (said.below, ink))
        top = rect.top() + high
        for words, color in lines:
            if words:
                shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, rect.width())
                painter.setPen(color)
                flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
                painter.drawText(QRect(rect.left(), top, rect.width(), high), flags, shown)
                top += high
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors, rect = theme.tokens(), option.rect
        unfolded = self._view.unfolded and bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if unfolded or over:
            painter.fillRect(rect, QColor(colors.sel if unfolded else colors.hover))
        if option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
        painter.setPen(QPen(QColor(colors.line), 1))
        if index.row() < index.model().rowCount() - 1:
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _head(self, painter: QPainter, rect: QRect, index: Index, said: CallWords, ink: QColor) -> None:
        colors, px = theme.tokens(), theme.px
        end = rect.width()
        if index.row() == 0 and self._view.cap:
            cap = cap_size(self._view, KEY)
            field = QRectF(self._at(rect, end - cap.width(), cap.width()))
            field = QRectF(field.left(), rect.center().y() - cap.height() / 2, cap.width(), cap.height())
            draw_cap(painter, field, KEY, self._view)
            end -= cap.width() + px(8)
        painter.setFont(self.font())
        metrics = painter.fontMetrics()
        wide = metrics.horizontalAdvance(said.when) + 2 if said.when else 0
        painter.setPen(QColor(colors.text2))
        painter.drawText(self._at(rect, end - wide, wide), Qt.AlignmentFlag.AlignVCenter, said.when)
        end -= wide + px(8) if wide else 0
        status = self.font(bold=said.state != "done")
        word = QFontMetrics(status).horizontalAdvance(said.status) + 2
        room = max(0, end - word - px(MARK + 2 * GAP))
        painter.setFont(self.font(bold=True, fixed=True))
        name = painter.fontMetrics().elidedText(said.name, Qt.TextElideMode.ElideMiddle, room)
        used = painter.fontMetrics().horizontalAdvance(name) + 2
        painter.setPen(QColor(colors.text))
        painter.drawText(self._at(rect, 0, used), Qt.AlignmentFlag.AlignVCenter, name)
        used += px(GAP)
        mark = QRectF(self._at(rect, used, px(MARK)))
        shapes.paint(painter, mark, said.state, ink, QColor(colors.surface))
        painter.setFont(status)
        painter.setPen(ink)
        used += px(MARK + GAP)
        painter.drawText(self._at(rect, used, word), Qt.AlignmentFlag.AlignVCenter, said.status)

    def _at(self, rect: QRect, start: int, width: int) -> QRect:
        """A part of a row, `start` from where the row begins."""
        mirrored = self._view.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = rect.left() + rect.width() - start - width if mirrored else rect.left() + start
        return QRect(left, rect.top(), width, rect.height())


class CallList(QListView):
    """Rows of different heights; those that did not go well stand first."""

    space_pressed = Signal()

    def __init__(self, name: str, *, cap: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_calls")
        self.setAccessibleName(self.tr("Tool calls"))
        self.cap = cap
        self.unfolded = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.call_delegate = CallDelegate(self)
        self.setItemDelegate(self.call_delegate)

    def keyboardSearch(self, _search: str) -> None:
        """Letters answer; they do not search here."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.space_pressed.emit()
        else:
            super().keyPressEvent(event)

    def whole_height(self) -> int:
        """How high all the rows are."""
        option: Any = None
        model = self.model()
        return sum(self.call_delegate.sizeHint(option, model.index(at, 0)).height() for at in range(model.rowCount()))


class ToolCalls(QWidget):
    """Nothing where a response called no tools. `fit` says how much room there is; what is higher scrolls by itself."""

    def __init__(self, name: str, *, cap: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._room = 400
        self.is_open = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.model = ToolCallModel(self)
        self.list = CallList(name, cap=cap)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.clicked.connect(self._clicked)
        self.list.space_pressed.connect(lambda: self.set_open(not self.is_open))
        self._unfolded = -1
        column.addWidget(self.list)
        self._rule = line()
        column.addWidget(self._rule)
        self.output = ToolOutput(name)
        self.output.hide()
        column.addWidget(self.output, 1)
        self._end = line()
        column.addWidget(self._end)
        theme.follow(self, self._measure)

    def show_tools(self, response: Response) -> None:
        """Show the calls of a response, folded."""
        self.model.show_calls(response.tools)
        self.is_open = False
        if response.tools:
            self.list.setCurrentIndex(self.model.index(0))
            self.list.scrollToTop()
        self.setVisible(bool(response.tools))
        self._measure()

    def set_open(self, wanted: bool) -> None:
        """Unfold the selected call to its whole, or fold it."""
        self.is_open = wanted and self.model.rowCount() > 0
        self._fill()
        self._measure()

    def fit(self, room: int) -> None:
        """Take no more than a share of the room that the response has."""
        if room != self._room:
            self._room = room
            self._measure()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()

    def _measure(self) -> None:
        whole = self.list.whole_height()
        self.list.unfolded = self.is_open
        self.output.setVisible(self.is_open)
        self._rule.setVisible(self.is_open)
        least = min(whole, self.list.call_delegate.line_height() * 3)
        if self.is_open:
            rows = max(least, min(whole, round(self._room * (OPEN_SHARE - SHARE))))
            most = max(round(self._room * OPEN_SHARE), least + theme.px(OPEN_OUTPUT))
            room = min(most, rows + 1 + self.output.wanted_height())
        else:
            room = rows = max(least, min(whole, round(self._room * SHARE)))
        self.list.setFixedHeight(rows)
        self.setFixedHeight(room + 1)
        self.list.scheduleDelayedItemsLayout()
        self.list.viewport().update()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and self.is_open:
            self._show(index.row())
            self._measure()

    def _clicked(self, index: QModelIndex) -> None:
        """A click unfolds a call, and folds the one that is unfolded."""
        # The press has made it the current one already.
        self.set_open(not (self.is_open and index.row() == self._unfolded))

    def _fill(self) -> None:
        self._unfolded = self.list.currentIndex().row() if self.is_open else -1
        if self.is_open:
            self._show(self._unfolded)

    def _show(self, row: int) -> None:
        self.output.show_call(self.model.call(row))
        self.list.scrollTo(self.model.index(row))
