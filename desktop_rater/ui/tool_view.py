"""What the tools of a response were asked and answered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_rater.text.offsets import ShownMap
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.read_text import fixed_font
from desktop_rater.ui.rows import LINE_ROLE, Line, LineList, Lines
from desktop_rater.ui.tokens import quiet

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from desktop_rater.model.task import Response, ToolCall

MOST_CHARACTERS = 200_000
MOST_ROWS = 3


def shown_json(value: Any) -> str:
    """A tool's input or output: text as it stands, JSON with indents."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS]


def _shown_time(at: str) -> str:
    return at.replace("T", " ").replace("Z", " UTC")


class ToolView(QWidget):
    """The calls, those that did not go well first, and the input and output of the selected one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._calls: dict[str, ToolCall] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(24, 8, 16, 4)
        self.title = ElidedLabel()
        quiet(self.title)
        head.addWidget(self.title, 1)
        column.addLayout(head)
        self.list = LineList(f"{name}_calls", two_lines=False, pad=24)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(self.tr("Tool calls"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(self.list)
        self.text = QPlainTextEdit()
        self.text.setObjectName(f"{name}_text")
        self.text.setAccessibleName(self.tr("Input and output of the tool call"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setFont(fixed_font())
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.document().setDocumentMargin(4)
        inner = QVBoxLayout()
        inner.setContentsMargins(20, 4, 8, 0)
        inner.addWidget(self.text)
        column.addLayout(inner, 1)

    def show_tools(self, response: Response) -> None:
        """Show the calls of a response."""
        numbered = list(enumerate(response.tools, 1))
        numbered.sort(key=lambda pair: pair[1].status == "ok")
        self._calls = {str(number): call for number, call in numbered}
        bad = sum(call.status != "ok" for call in response.tools)
        words = self.tr("Tool output")
        if bad:
            words = self.tr("Tools: {n} of {total} gave no answer")
        self.title.setText(words.format(n=bad, total=len(response.tools)))
        quiet(self.title, "block" if bad else "text2")
        self.model.show([self._line(number, call) for number, call in self._calls.items()])
        if self._calls:
            self.list.fit_rows(MOST_ROWS)
            self.list.setCurrentIndex(self.model.index(0))
            self._show(next(iter(self._calls.values())))

    def _line(self, number: str, call: ToolCall) -> Line:
        well = call.status == "ok"
        end = self._status(call.status)
        return Line(number, call.name, end=end, mark="done" if well else "blocked", back="" if well else "block_back")

    def _status(self, status: str) -> str:
        return {
            "ok": self.tr("answered"),
            "no_results": self.tr("no results"),
            "empty": self.tr("empty answer"),
            "error": self.tr("failed"),
            "missing": self.tr("no output kept"),
        }.get(status, status)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._show(self._calls[index.data(LINE_ROLE).id])

    def _show(self, call: ToolCall) -> None:
        parts = []
        if call.input is not None:
            parts += [self.tr("Input"), shown_json(call.input), ""]
        output = self.tr("(nothing)") if call.output in (None, "") else shown_json(call.output)
        # Prices and times are judged by the moment at which the tool answered.
        when = self.tr("Output, {time}").format(time=_shown_time(call.at)) if call.at else self.tr("Output")
        parts += [when, output]
        self.text.setPlainText(ShownMap("\n".join(parts)).shown)
