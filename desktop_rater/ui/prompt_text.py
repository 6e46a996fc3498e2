"""The prompt: a few lines, and in a low window one, until it has the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.read_text import FittedText


class FirstLine(ElidedLabel):
    """The beginning of the prompt. A click, or the focus, opens the whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, name="prompt_line")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.write(self, "prompt")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


class PromptText(QWidget):
    """Both faces of the same text; one of them is shown."""

    def __init__(self, most_lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = FittedText("prompt_text", most_lines)
        theme.paper(self.text, "panel")
        self._line = FirstLine()
        self._low = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._line)
        column.addWidget(self.text)
        self._line.hide()
        self._line.installEventFilter(self)
        self.text.installEventFilter(self)

    def show_text(self, text: str) -> None:
        """Show another text."""
        self._line.setText(text[:400])
        self.text.show_text(text)

    def set_low(self, low: bool) -> None:
        """Whether the window is low."""
        if low != self._low:
            self._low = low
            self._show(whole=not low or self.text.hasFocus())

    def _show(self, *, whole: bool) -> None:
        self.text.setVisible(whole)
        self._line.setVisible(not whole)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._low or not isinstance(event, QFocusEvent):
            return False
        if watched is self._line and event.type() == QEvent.Type.FocusIn:
            self._show(whole=True)
            self.text.setFocus(event.reason())
        elif watched is self.text and event.type() == QEvent.Type.FocusOut:
            # A menu or another window only borrows the focus.
            kept = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}
            self._show(whole=event.reason() in kept)
        return False
