"""Tool calls of one of two responses: their output above its text, and chips in its head."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QSplitter, QStyle, QTextEdit, QWidget

from desktop_rater.format.task import Response, ToolCall
from desktop_rater.ui.rating.pair.lines import COLUMN_GAP, ChipRow
from desktop_rater.ui.rating.tool_output import (
    ToolOutput,
    call_menu_rows,
    failed_first,
    has_long_output,
    tool_call_row,
)
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import PaintedButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.json_tree import Path
from desktop_rater.ui.widgets.labels import draw_text, name_widget, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, LazyRowModel, ListRow, ListRowDelegate, RowList
from desktop_rater.ui.widgets.menu_chooser import MenuRow, offer_menu
from desktop_rater.ui.widgets.text_document import height_up_to
from desktop_rater.ui.widgets.theme import fixed_font, font_of, paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import TYPE
from desktop_rater.ui.window.window_place import PaneSizes


class ToolCallModel(LazyRowModel):
    """Tool calls, failed ones first, else in call order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calls: tuple[ToolCall, ...] = ()

    def show_calls(self, calls: Sequence[ToolCall]) -> None:
        ordered = failed_first(calls)
        self._calls = tuple(call for _number, call in ordered)
        self._numbers = [number for number, _call in ordered]
        self.show(len(calls), lambda row: self.row_of_call(self._calls[row]), reset=True)

    def row_of_call(self, call: ToolCall) -> ListRow:
        return tool_call_row(call, self._calls)

    def call(self, row: int) -> ToolCall:
        return self._calls[row]

    def row_of(self, number: int) -> int:
        """Return the row of a call, by its number in call order."""
        return self._numbers.index(number)


class CallLineModel(ToolCallModel):
    """Tool calls in rows of one line: name, input and output; status and time at the end."""

    def row_of_call(self, call: ToolCall) -> ListRow:
        row = super().row_of_call(call)
        end = ", ".join(filter(None, (row.state, row.end)))
        detail = " → ".join(filter(None, (row.detail, row.detail_end)))
        return ListRow(None, row.title, end=end, detail=detail, mark=row.mark, back=CALL_BACKGROUNDS.get(row.mark, ""))


MAX_CALL_ROWS = 3
TOOL_HEAD_HEIGHT, MIN_SPLIT_HEIGHT = 30, 100
TOOL_VIEW_SHARE, MAX_TOOL_VIEW_SHARE = 0.3, 0.62  # the second one is reached only where the text leaves room
TOOL_SHARE_NAME = "response/tools"  # settings key of the share
TOOL_VIEW_KEY = "T"
CALL_BACKGROUNDS = {"failed": "block_back", "warns": "warn_back"}


class ToolHead(PaintedButton):
    """Strip at the bottom of a response: a summary of its calls, and the button that opens them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, name=f"{name}_head")
        self._has_failures = False
        theme.follow(self, lambda: self.setFixedHeight(theme.px(TOOL_HEAD_HEIGHT)))

    def show_words(self, text: str, *, bad: bool) -> None:
        """Show a text; `bad` if a call failed."""
        self.setText(visible(text))
        self.setAccessibleName(visible(f"{text}, {TOOL_VIEW_KEY}"))
        self._has_failures = bad
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        with smooth_painter(self) as painter:
            over = self.underMouse() and self.isEnabled()
            painter.fillRect(self.rect(), QColor(colors.hover if over else colors.panel))
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            pad, size, cap = px(16), px(16), key_cap_size(self, TOOL_VIEW_KEY)
            middle = self.height() / 2
            ink = QColor(colors.block if self._has_failures else colors.text2)
            icon_x = self.width() - pad - size if mirrored else pad
            shapes.paint_icon(painter, QRectF(icon_x, middle - size / 2, size, size), "prompt", ink)
            left, right = pad + size + px(8), pad + cap.width() + px(8)
            text_rect = self.rect().adjusted(right if mirrored else left, 0, -left if mirrored else -right, 0)
            painter.setFont(font_of(self.font(), pixels=px(TYPE["small"][0])))
            painter.setPen(ink)
            start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text_rect.width())
            draw_text(painter, text_rect, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, text)
            if self.isEnabled():
                cap_x = pad if mirrored else self.width() - pad - cap.width()
                draw_key_cap(
                    painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), TOOL_VIEW_KEY, self
                )


class ToolView(QWidget):
    """List of calls, failed ones first, with input and output of the selected one.

    Closed, only the summary strip is visible. It opens by itself if a call has output.
    """

    def __init__(self, name: str, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._sizes = sizes
        self.response: Response | None = None
        self.is_open = False
        self._is_due = False
        self.head = ToolHead(name)
        self.head.clicked.connect(lambda: self.set_open(not self.is_open))
        self._body = QWidget()
        tight_column(self, self.head, (self._body, 1), spacing=0)
        self.list = RowList(f"{name}_calls", two_lines=False, pad=16, label=self.tr("Tool calls"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.model = CallLineModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.output = ToolOutput(name)
        tight_column(self._body, self.list, horizontal_line(), (self.output, 1), spacing=0)
        offer_menu(self.list, self._menu_rows)
        self._body.hide()
        sizes.changed.connect(self._apply_share)
        theme.follow(self, lambda: self.set_open(self.is_open))

    def dragged(self, split: QSplitter) -> None:
        """Save the share of the height that the rater dragged."""
        if self.is_open:
            self._sizes.store_share(TOOL_SHARE_NAME, split, split.indexOf(self))

    def set_open(self, wanted: bool) -> None:
        """Open the calls at the share last dragged, else at the height that they need and the text leaves."""
        self.is_open = wanted and self.model.rowCount() > 0
        self._body.setVisible(self.is_open)
        self.setMaximumHeight(16_777_215 if self.is_open else theme.px(TOOL_HEAD_HEIGHT))
        self._apply_share()

    def _apply_share(self) -> None:
        """Apply the share of the height; before the first layout, wait for the first resize."""
        split = self.parentWidget()
        if not isinstance(split, QSplitter):
            return
        room = split.height()
        self._is_due = room < MIN_SPLIT_HEIGHT
        part = self._sizes.share(TOOL_SHARE_NAME, self._needed_share(split))
        share = round(room * part) if self.is_open else theme.px(TOOL_HEAD_HEIGHT)
        split.setStretchFactor(0, round(100 * (1 - part)) if self.is_open else 1)
        split.setStretchFactor(1, round(100 * part) if self.is_open else 0)
        split.setSizes([room - share, share])

    def _needed_share(self, split: QSplitter) -> float:
        """Return the share that shows the selected call, as far as a short response leaves it."""
        text = split.widget(0)
        if not self.is_open or self._is_due or not isinstance(text, QTextEdit):
            return TOOL_VIEW_SHARE
        needed = theme.px(TOOL_HEAD_HEIGHT) + self.list.height() + self.output.preferred_height()
        if self.response and any(map(has_long_output, self.response.tools)):  # the height is the same for each call
            needed = split.height()
        left = split.height() - height_up_to(text.document(), split.height())
        return min(MAX_TOOL_VIEW_SHARE, max(TOOL_VIEW_SHARE, min(needed, left) / split.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.scrollTo(self.list.currentIndex())
        if self._is_due and self.is_open:
            QTimer.singleShot(0, self, self._apply_share)

    def show_tools(self, response: Response) -> None:
        self.response = response
        bad = sum(call.status not in {"ok", "not_recorded"} for call in response.tools)
        self.head.show_words(self._summary(response, bad), bad=bad > 0)
        self.head.setEnabled(bool(response.tools))
        self.model.show_calls(response.tools)
        if response.tools:
            self.list.fit_rows(MAX_CALL_ROWS)
            self.list.setMinimumHeight(min(self.list.maximumHeight(), self.list.sizeHintForRow(0)))  # in low panes
            self.list.setCurrentIndex(self.model.index(0))  # which shows the call
        self.set_open(any(call.status not in {"missing", "not_recorded"} for call in response.tools))

    def _summary(self, response: Response, bad: int) -> str:
        total = len(response.tools)
        if not total:
            return self.tr("Tool output: this response called no tools")
        if all(call.status == "missing" for call in response.tools):
            none = self.tr("Tool output: {n} calls, output not stored")
            return self.tr("Tool output: 1 call, output not stored") if total == 1 else none.format(n=total)
        if bad == total == 1:
            return self.tr("Tool output: the call returned no result")
        if bad:
            return self.tr("Tool output: {n} of {total} calls returned no result").format(n=bad, total=total)
        return self.tr("Tool output: 1 call") if total == 1 else self.tr("Tool output: {n} calls").format(n=total)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.output.show_call(self.model.call(index.row()))

    def show_match(self, number: int, path: Path, start: int, end: int, *, in_key: bool) -> None:
        """Show a match of a search in a call, by its number in call order."""
        self.set_open(True)
        self.list.setCurrentIndex(self.model.index(self.model.row_of(number)))
        self.output.show_match(path, start, end, in_key=in_key)

    def _menu_rows(self, place: QPoint) -> list[MenuRow | str]:
        index = self.list.indexAt(place)
        return call_menu_rows(self.model.call(index.row())) if index.isValid() else []


CALLS_KEY = "T"
CALL_SIDE_PADDING, CALL_TOP_PADDING, CALL_MARK_SIZE, CALL_GAP = 16, 6, 14, 6
LIST_SHARE, CALLS_SHARE = 0.2, 0.55  # of the height of the response: the list, and the list with an output
MIN_OUTPUT_HEIGHT = 120


class ToolCallDelegate(ListRowDelegate):
    """Delegate that paints name, status and time, then input and output, then an error in a line of its own."""

    view: "ToolCallList"

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
        draw_text(
            painter, self._at(rect, end - wide, wide), Qt.AlignmentFlag.AlignVCenter, row.end, ink=QColor(colors.text2)
        )
        end -= wide + px(8) if wide else 0
        status = self.text_font(bold=row.mark != "done")
        word = QFontMetrics(status).horizontalAdvance(row.state) + 2
        room = max(0, end - word - px(CALL_MARK_SIZE + 2 * CALL_GAP))
        painter.setFont(self.text_font(bold=True, fixed=True))
        name = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideMiddle, room)
        used = painter.fontMetrics().horizontalAdvance(name) + 2
        draw_text(painter, self._at(rect, 0, used), Qt.AlignmentFlag.AlignVCenter, name, ink=QColor(colors.text))
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
        self.model = ToolCallModel(self)
        self.list = ToolCallList(name, cap=cap)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.space_pressed.connect(lambda: self.set_open(not self.is_open))
        offer_menu(self.list, self._menu_rows)
        self._unfolded = -1
        self._rule = horizontal_line()
        self.output = ToolOutput(name)
        self._end = horizontal_line()
        tight_column(self, self.list, self._rule, (self.output, 1), self._end, spacing=0)
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


CHIP_HEIGHT, CHIP_PADDING, CHIP_GAP, MAX_NAME_WIDTH, MAX_CHIPS = 24, 6, 4, 150, 20
MORE = "more"


class ToolChip(PaintedButton):
    """Name and status of a call, in the colour of the status; filled while its output is open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status, self._ink = "", "edge"
        self.setCheckable(True)

    def show_words(self, name: str, status: str, ink: str, details: str = "") -> None:
        """Show a call; `ink` is the theme's name of the colour of its status, `details` are its input and output."""
        self._status, self._ink = visible(status), ink
        self.setText(visible(name))
        self.setAccessibleName(", ".join(filter(None, (self.text(), self._status))))
        tooltip = QCoreApplication.translate("ToolChip", "Tool output of {name}, T").format(name=self.text())
        set_tooltip(self, "\n".join(filter(None, (tooltip, details))))
        self.setAccessibleDescription(visible(details))
        self.update()

    def _font(self, *, fixed: bool) -> QFont:
        return font_of(fixed_font() if fixed else self.font(), pixels=theme.px(TYPE["small"][0]), bold=True)

    def _widths(self) -> tuple[int, int]:
        name = QFontMetrics(self._font(fixed=True)).horizontalAdvance(self.text()) + 2
        status = QFontMetrics(self._font(fixed=False)).horizontalAdvance(self._status) + 2 if self._status else 0
        return min(name, theme.px(MAX_NAME_WIDTH)), status

    def sizeHint(self) -> QSize:
        name, status = self._widths()
        gap = CHIP_GAP if status else 0
        return QSize(name + status + theme.px(2 * CHIP_PADDING + gap), theme.px(CHIP_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        with smooth_painter(self) as painter:
            ground = colors.sel if self.isChecked() else colors.hover if self.underMouse() else colors.surface
            paint_box(
                painter,
                QRectF(self.rect()).adjusted(1, 2, -1, -2),
                px(4),
                fill=QColor(ground),
                edge=QPen(QColor(getattr(colors, self._ink)), 2 if self.isChecked() else 1),
            )
            name, status = self._widths()
            start = px(CHIP_PADDING)
            texts = ((self.text(), True, colors.text, name), (self._status, False, getattr(colors, self._ink), status))
            for text, fixed, ink, width in texts:
                painter.setFont(self._font(fixed=fixed))
                painter.setPen(QColor(ink))
                mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
                rect = QRectF(self.width() - start - width if mirrored else start, 0, width, self.height())
                elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, width)
                draw_text(painter, rect, Qt.AlignmentFlag.AlignCenter, elided)
                start += width + px(CHIP_GAP)


class ToolChips(ChipRow):
    """A chip for each call, failed ones first. Those that do not fit are behind the last one."""

    chosen = Signal(int)  # row of the call

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, name, self.tr("Tool calls"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._total = 0
        self._calls: list[tuple[str, str, str, str]] | None = (
            None  # name, status, mark and details of each call that has a chip
        )
        self._more = ToolChip(self)
        self._more.setObjectName(f"{name}_more")
        self._more.clicked.connect(lambda: self.chosen.emit(self._shown_count()))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the first chip and the one with the number of the others."""
        first = next((chip.sizeHint().width() for chip in self.chips.values()), 0)
        more = self._more.sizeHint().width() + theme.px(COLUMN_GAP) if self._total > 1 else 0
        return QSize(first + more, self.sizeHint().height())

    def show_calls(self, model: ToolCallModel) -> None:
        rows = [model.row(number) for number in range(min(model.rowCount(), MAX_CHIPS))]
        calls = [(row.title, row.state, row.mark, row.detail) for row in rows]
        if calls == self._calls and model.rowCount() == self._total:
            return
        self._calls, self._total = calls, model.rowCount()
        names = [str(row) for row in range(len(calls))]
        for row, name in enumerate(names):
            if name not in self.chips:
                chip = self.chips[name] = ToolChip(self)
                chip.clicked.connect(lambda _on=False, chosen=row: self.chosen.emit(chosen))
            chip = self.chips[name]
            if isinstance(chip, ToolChip):
                title, status, mark, details = calls[row]
                chip.show_words(title, status, shapes.STATES[mark][1], details)
        self.keep(names)
        self.setVisible(bool(names))

    def mark(self, opened: int) -> None:
        """Mark the call whose output is open; -1 for none."""
        for name, chip in self.chips.items():
            chip.setChecked(int(name) == opened)
        self._more.setChecked(opened >= self._shown_count())

    def _shown_count(self) -> int:
        return sum(not chip.isHidden() for chip in self.chips.values())

    def place(self) -> None:
        self.reserved = 0
        super().place()
        hidden = self._total - self._shown_count() if self.chips else 0
        if hidden:
            self._more.show_words(f"+{self._total}", "", "edge")
            self.reserved = self._more.sizeHint().width() + theme.px(COLUMN_GAP)
            super().place()
            shown = [chip for chip in self.chips.values() if not chip.isHidden()]
            left = sum(chip.width() + theme.px(COLUMN_GAP) for chip in shown)
            self._more.show_words(f"+{self._total - len(shown)}", "", "edge")
            wide = self._more.sizeHint().width()
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self._more.setGeometry(self.width() - left - wide if mirrored else left, 0, wide, self.height())
        self._more.setVisible(bool(hidden))
