"""The whole input and output of one tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_rater.text.offsets import ShownMap
from desktop_rater.text.weight import has_long_word
from desktop_rater.ui import theme
from desktop_rater.ui.read_text import fixed_font
from desktop_rater.ui.theme_tokens import TYPE
from desktop_rater.ui.tools.json_tree import JsonTree, is_foldable
from desktop_rater.ui.tools.words import shown_json, when_words

if TYPE_CHECKING:
    from desktop_rater.model.task import ToolCall

ABOVE, DOCUMENT_MARGIN = 4, 4
MOST_ROWS = 100


class ToolOutput(QWidget):
    """Text where the output is a text, else a tree that can be folded. Both are bounded."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        theme.pad(column, 12, ABOVE, 8, 0)
        self.text = self._make_text(name)
        self.tree = JsonTree(f"{name}_json")
        self.tree.setAccessibleName(self.tr("Output of the tool call"))
        column.addWidget(self.text)
        column.addWidget(self.tree)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        font = fixed_font()
        font.setPixelSize(theme.px(TYPE["small"][0]))
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
        text.document().setDocumentMargin(DOCUMENT_MARGIN)
        return text

    def show_call(self, call: ToolCall) -> None:
        """Show a call, its output with the moment at which the tool answered."""
        when = when_words(call.at)
        output = self.tr("Output, {time}").format(time=when) if when else self.tr("Output")
        parts = {self.tr("Input"): call.input} if call.input is not None else {}
        parts[output] = self.tr("(nothing)") if call.output in (None, "") else call.output
        folds = is_foldable(call.output)
        self.tree.setVisible(folds)
        self.text.setVisible(not folds)
        if folds:
            self.tree.show_value(parts)
            return
        said = "\n\n".join(f"{name}\n{shown_json(value)}" for name, value in parts.items())
        self.text.clear()  # what stood there would be laid out once more
        modes = QTextOption.WrapMode
        breaks = has_long_word(said)
        self.text.setWordWrapMode(modes.WrapAnywhere if breaks else modes.WrapAtWordBoundaryOrAnywhere)
        self.text.setPlainText(ShownMap(said).shown)

    def wanted_height(self) -> int:
        """How high it is when all of it is seen; of long output no more than matters to a layout."""
        margins = theme.px(ABOVE) + 2 * DOCUMENT_MARGIN
        if self.tree.isVisibleTo(self):
            rows, index = 0, self.tree.model().index(0, 0)
            while index.isValid() and rows < MOST_ROWS:
                rows, index = rows + 1, self.tree.indexBelow(index)
            return rows * max(1, self.tree.sizeHintForRow(0)) + margins
        lines = min(MOST_ROWS, int(self.text.document().size().height()))  # in lines, of a plain text
        return (lines + 1) * self.text.fontMetrics().lineSpacing() + margins
