"""Text that is read, not written: it is shown as it stands, and never read back from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from desktop_rater.text.offsets import ShownMap
from desktop_rater.ui.direction import right_to_left

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

READING, READING_LINE = 15, 27
TALL_READING, TALL_READING_LINE = 17, 33  # scripts with marks above and below


class ReadText(QTextEdit):
    """Plain text with room between the lines, running the way its script runs."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.shown_map = ShownMap("")

    def show_text(self, text: str, *, size: int = READING, line: int = READING_LINE) -> None:
        """Show a text from its start."""
        self.shown_map = ShownMap(text)
        backwards = right_to_left(text)
        if backwards or _is_tall(text):
            size, line = size * TALL_READING // READING, line * TALL_READING_LINE // READING_LINE
        font = QFont(self.font())
        font.setPixelSize(size)
        self.setFont(font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        self.setPlainText(self.shown_map.shown)
        self._space_lines(line)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def _space_lines(self, line: int) -> None:
        spaced = QTextBlockFormat()
        spaced.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spaced)


class FittedText(ReadText):
    """As high as its text, up to a number of lines; then it scrolls."""

    def __init__(self, name: str, most_lines: int, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._most_lines = most_lines
        self._line = 21
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())

    def show_text(self, text: str, *, size: int = 14, line: int = 21) -> None:
        super().show_text(text, size=size, line=line)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        lines = self._most_lines * self._line + 4
        return QSize(200, min(int(self.document().size().height()) + 2, lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), self._line + 4))


def fixed_font() -> QFont:
    """The font for what programs wrote."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


def _is_tall(text: str) -> bool:
    return any("\u0590" <= character <= "\u08ff" or "\u0900" <= character <= "\u097f" for character in text[:500])
