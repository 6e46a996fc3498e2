"""Tool calls of a single response beneath its text, their model, and the full output of one call."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QAbstractButton, QFrame, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from desktop_rater.model.task import Response, ToolCall
from desktop_rater.text.offsets import WidgetTextMap
from desktop_rater.text.untrusted import has_long_word
from desktop_rater.ui.rating.form.choice_button import draw_key_cap, key_cap_size
from desktop_rater.ui.rating.tool_texts import (
    JsonTree,
    call_time_text,
    failed_first,
    formatted_json,
    is_foldable,
    tool_call_row,
)
from desktop_rater.ui.widgets import icons, theme
from desktop_rater.ui.widgets.labels import draw_text, visible
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, LazyRowModel, ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.text_view import small_fixed_font
from desktop_rater.ui.widgets.theme_tokens import TYPE
from desktop_rater.ui.window.pane_layout import PaneSizes


class ToolCallModel(LazyRowModel):
    """Tool calls, failed ones first, else in call order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calls: tuple[ToolCall, ...] = ()

    def show_calls(self, calls: Sequence[ToolCall]) -> None:
        self._calls = tuple(call for _number, call in failed_first(calls))
        self.show(len(calls), lambda row: tool_call_row(self._calls[row]), reset=True)

    def call(self, row: int) -> ToolCall:
        return self._calls[row]


OUTPUT_TOP_MARGIN, OUTPUT_DOCUMENT_MARGIN = 4, 4
MAX_OUTPUT_ROWS = 100


class ToolOutput(QWidget):
    """Text for textual output, else a foldable tree. Both are limited in size."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        theme.pad(column, 12, OUTPUT_TOP_MARGIN, 8, 0)
        self.text = self._make_text(name)
        self.tree = JsonTree(f"{name}_json")
        self.tree.setAccessibleName(self.tr("Output of the tool call"))
        column.addWidget(self.text)
        column.addWidget(self.tree)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        font = small_fixed_font()
        self.text.setFont(font)
        self.tree.setFont(font)

    def _make_text(self, name: str) -> QPlainTextEdit:
        text = QPlainTextEdit()
        text.setObjectName(f"{name}_text")
        text.setAccessibleName(self.tr("Input and output of the tool call"))
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setFrameShape(QFrame.Shape.NoFrame)
        text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        text.document().setDocumentMargin(OUTPUT_DOCUMENT_MARGIN)
        return text

    def show_call(self, call: ToolCall) -> None:
        """Show a call; the heading of the output has the time of the response."""
        when = call_time_text(call.at)
        output = self.tr("Output, {time}").format(time=when) if when else self.tr("Output")
        parts = {self.tr("Input"): call.input} if call.input is not None else {}
        parts[output] = self.tr("(nothing)") if call.output in (None, "") else call.output
        folds = is_foldable(call.output)
        self.tree.setVisible(folds)
        self.text.setVisible(not folds)
        if folds:
            self.tree.show_value(parts)
            return
        text = "\n\n".join(f"{name}\n{formatted_json(value)}" for name, value in parts.items())
        self.text.clear()  # otherwise the old text would be laid out once more
        modes = QTextOption.WrapMode
        breaks = has_long_word(text)
        self.text.setWordWrapMode(modes.WrapAnywhere if breaks else modes.WrapAtWordBoundaryOrAnywhere)
        self.text.setPlainText(visible(WidgetTextMap(text).shown))

    def preferred_height(self) -> int:
        """Return the height that shows everything, up to a limit for long output."""
        margins = theme.px(OUTPUT_TOP_MARGIN) + 2 * OUTPUT_DOCUMENT_MARGIN
        if self.tree.isVisibleTo(self):
            rows, index = 0, self.tree.model().index(0, 0)
            while index.isValid() and rows < MAX_OUTPUT_ROWS:
                rows, index = rows + 1, self.tree.indexBelow(index)
            return rows * max(1, self.tree.sizeHintForRow(0)) + margins
        lines = min(MAX_OUTPUT_ROWS, int(self.text.document().size().height()))  # in lines, for plain text
        return (lines + 1) * self.text.fontMetrics().lineSpacing() + margins


MAX_CALL_ROWS = 3
TOOL_HEAD_HEIGHT, TOOL_VIEW_SHARE, MIN_SPLIT_HEIGHT = 30, 0.3, 100
TOOL_SHARE_NAME = "response/tools"  # settings key of the share
TOOL_VIEW_KEY = "T"
CALL_BACKGROUNDS = {"failed": "block_back", "warns": "warn_back"}


class ToolHead(QAbstractButton):
    """Strip at the bottom of a response: a summary of its calls, and the button that opens them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_head")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
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
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        over = self.underMouse() and self.isEnabled()
        painter.fillRect(self.rect(), QColor(colors.hover if over else colors.panel))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        pad, size, cap = px(16), px(16), key_cap_size(self, TOOL_VIEW_KEY)
        middle = self.height() / 2
        ink = QColor(colors.block if self._has_failures else colors.text2)
        icon_x = self.width() - pad - size if mirrored else pad
        icons.paint_icon(painter, QRectF(icon_x, middle - size / 2, size, size), "prompt", ink)
        left, right = pad + size + px(8), pad + cap.width() + px(8)
        text_rect = self.rect().adjusted(right if mirrored else left, 0, -left if mirrored else -right, 0)
        font = QFont(self.font())
        font.setPixelSize(px(TYPE["small"][0]))
        painter.setFont(font)
        painter.setPen(ink)
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text_rect.width())
        draw_text(painter, text_rect, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, text)
        if self.isEnabled():
            cap_x = pad if mirrored else self.width() - pad - cap.width()
            draw_key_cap(
                painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), TOOL_VIEW_KEY, self
            )
        painter.end()


class ToolView(QWidget):
    """List of calls, failed ones first, with input and output of the selected one.

    Closed, only the summary strip is visible. It opens by itself if a call has output.
    """

    def __init__(self, name: str, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._sizes = sizes
        self._calls: dict[str, ToolCall] = {}
        self.is_open = False
        self._is_due = False
        column = tight_column(self, spacing=0)
        self.head = ToolHead(name)
        self.head.clicked.connect(lambda: self.set_open(not self.is_open))
        column.addWidget(self.head)
        self._body = QWidget()
        column.addWidget(self._body, 1)
        body = tight_column(self._body, spacing=0)
        self.list = RowList(f"{name}_calls", two_lines=False, pad=16)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Tool calls"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        body.addWidget(self.list)
        body.addWidget(horizontal_line())
        self.output = ToolOutput(name)
        body.addWidget(self.output, 1)
        self._body.hide()
        sizes.changed.connect(self._apply_share)
        theme.follow(self, lambda: self.set_open(self.is_open))

    def dragged(self, split: QSplitter) -> None:
        """Save the share of the height that the rater dragged."""
        if self.is_open:
            self._sizes.store_share(TOOL_SHARE_NAME, split, split.indexOf(self))

    def set_open(self, wanted: bool) -> None:
        """Open the calls at 30 % of the height, or at the share last dragged, or close them."""
        self.is_open = wanted and bool(self._calls)
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
        part = self._sizes.share(TOOL_SHARE_NAME, TOOL_VIEW_SHARE)
        share = round(room * part) if self.is_open else theme.px(TOOL_HEAD_HEIGHT)
        split.setStretchFactor(0, round(100 * (1 - part)) if self.is_open else 1)
        split.setStretchFactor(1, round(100 * part) if self.is_open else 0)
        split.setSizes([room - share, share])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_due and self.is_open:
            QTimer.singleShot(0, self, self._apply_share)

    def show_tools(self, response: Response) -> None:
        self._calls = {str(number): call for number, call in failed_first(response.tools)}
        bad = sum(call.status != "ok" for call in response.tools)
        self.head.show_words(self._summary(response, bad), bad=bad > 0)
        self.head.setEnabled(bool(self._calls))
        self.model.show([self._line(number, call) for number, call in self._calls.items()])
        if self._calls:
            self.list.fit_rows(MAX_CALL_ROWS)
            self.list.setCurrentIndex(self.model.index(0))
            self.output.show_call(next(iter(self._calls.values())))
        self.set_open(any(call.status != "missing" for call in response.tools))

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

    def _line(self, number: str, call: ToolCall) -> ListRow:
        row = tool_call_row(call)
        end = ", ".join(filter(None, (row.state, row.end)))
        return ListRow(number, row.title, end=end, mark=row.mark, back=CALL_BACKGROUNDS.get(row.mark, ""))

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.output.show_call(self._calls[index.data(LIST_ROW_ROLE).id])
