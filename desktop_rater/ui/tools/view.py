"""What the tools of a response were asked and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import icons, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.rows import LINE_ROLE, Line, LineList, Lines
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import TYPE
from desktop_rater.ui.tools.output import ToolOutput
from desktop_rater.ui.tools.words import state_of, words_of, worst_first

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.task import Response, ToolCall
    from desktop_rater.ui.pane_sizes import PaneSizes

MOST_ROWS = 3
HEIGHT, SHARE, LEAST_ROOM = 30, 0.3, 100
NAME = "response/tools"  # of the share that is kept
KEY = "T"
BACKS = {"failed": "block_back", "warns": "warn_back"}


class ToolHead(QAbstractButton):
    """The strip at the foot of a response: it says how the calls went, and opens and shuts them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_head")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._bad = False
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))

    def show_words(self, words: str, *, bad: bool) -> None:
        """Say something; `bad` where a call did not go well."""
        self.setText(words)
        self.setAccessibleName(f"{words}, {KEY}")
        self._bad = bad
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        over = self.underMouse() and self.isEnabled()
        painter.fillRect(self.rect(), QColor(colors.hover if over else colors.panel))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        pad, size, cap = px(16), px(16), cap_size(self, KEY)
        middle = self.height() / 2
        ink = QColor(colors.block if self._bad else colors.text2)
        icon_x = self.width() - pad - size if mirrored else pad
        icons.paint(painter, QRectF(icon_x, middle - size / 2, size, size), "prompt", ink)
        left, right = pad + size + px(8), pad + cap.width() + px(8)
        words = self.rect().adjusted(right if mirrored else left, 0, -left if mirrored else -right, 0)
        font = QFont(self.font())
        font.setPixelSize(px(TYPE["small"][0]))
        painter.setFont(font)
        painter.setPen(ink)
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        shown = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, shown)
        if self.isEnabled():
            cap_x = pad if mirrored else self.width() - pad - cap.width()
            draw_cap(painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), KEY, self)
        painter.end()


class ToolView(QWidget):
    """The calls, those that did not go well first, and the input and output of the selected one.

    Shut it is a strip that says so; it opens by itself where a call was made, and where its output was kept.
    """

    def __init__(self, name: str, sizes: PaneSizes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._sizes = sizes
        self._calls: dict[str, ToolCall] = {}
        self.is_open = False
        self._is_due = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.head = ToolHead(name)
        self.head.clicked.connect(lambda: self.set_open(not self.is_open))
        column.addWidget(self.head)
        self._body = QWidget()
        column.addWidget(self._body, 1)
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        self.list = LineList(f"{name}_calls", two_lines=False, pad=16)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Tool calls"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        body.addWidget(self.list)
        body.addWidget(line())
        self.output = ToolOutput(name)
        body.addWidget(self.output, 1)
        self._body.hide()
        sizes.changed.connect(self._share_out)
        theme.follow(self, lambda: self.set_open(self.is_open))

    def dragged(self, split: QSplitter) -> None:
        """The rater gave them another part of the height."""
        if self.is_open:
            self._sizes.keep_share(NAME, split, split.indexOf(self))

    def set_open(self, wanted: bool) -> None:
        """Open the calls beneath the response, at 30 % of its height or as they were dragged, or shut them."""
        self.is_open = wanted and bool(self._calls)
        self._body.setVisible(self.is_open)
        self.setMaximumHeight(16_777_215 if self.is_open else theme.px(HEIGHT))
        self._share_out()

    def _share_out(self) -> None:
        """Its part of the height. Where nothing is laid out yet there is none to share: then with the first size."""
        split = self.parentWidget()
        if not isinstance(split, QSplitter):
            return
        room = split.height()
        self._is_due = room < LEAST_ROOM
        part = self._sizes.share(NAME, SHARE)
        share = round(room * part) if self.is_open else theme.px(HEIGHT)
        split.setStretchFactor(0, round(100 * (1 - part)) if self.is_open else 1)
        split.setStretchFactor(1, round(100 * part) if self.is_open else 0)
        split.setSizes([room - share, share])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_due and self.is_open:
            QTimer.singleShot(0, self, self._share_out)

    def show_tools(self, response: Response) -> None:
        """Show the calls of a response."""
        self._calls = {str(number): call for number, call in worst_first(response.tools)}
        bad = sum(call.status != "ok" for call in response.tools)
        self.head.show_words(self._words(response, bad), bad=bad > 0)
        self.head.setEnabled(bool(self._calls))
        self.model.show([self._line(number, call) for number, call in self._calls.items()])
        if self._calls:
            self.list.fit_rows(MOST_ROWS)
            self.list.setCurrentIndex(self.model.index(0))
            self.output.show_call(next(iter(self._calls.values())))
        self.set_open(any(call.status != "missing" for call in response.tools))

    def _words(self, response: Response, bad: int) -> str:
        total = len(response.tools)
        if not total:
            return self.tr("Tool output: this response called no tools")
        if all(call.status == "missing" for call in response.tools):
            none = self.tr("Tool output: {n} calls, no output kept")
            return self.tr("Tool output: 1 call, no output kept") if total == 1 else none.format(n=total)
        if bad == total == 1:
            return self.tr("Tool output: the call gave no answer")
        if bad:
            return self.tr("Tool output: {n} of {total} calls gave no answer").format(n=bad, total=total)
        return self.tr("Tool output: 1 call") if total == 1 else self.tr("Tool output: {n} calls").format(n=total)

    def _line(self, number: str, call: ToolCall) -> Line:
        said, mark = words_of(call), state_of(call)
        end = ", ".join(filter(None, (said.status, said.when)))
        return Line(number, said.name, end=end, mark=mark, back=BACKS.get(mark, ""))

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.output.show_call(self._calls[index.data(LINE_ROLE).id])
