"""Questions that are answered by typing: a text or a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from desktop_rater.text.offsets import ShownMap
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.form.question import QuestionRow
from desktop_rater.ui.theme_style import FIELD_FRAME
from desktop_rater.ui.theme_tokens import CONTROL

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question

LEAST_LINES, MOST_LINES = 2, 6
FULL_WIDTH = 10_000  # a text wants all there is, so its label stands above it
PARAGRAPH = "\u2029"


class GrowingEdit(QPlainTextEdit):
    """From two to six lines, as the text needs; while nobody writes one, in a low window or where it is to rest in one.

    Tab leaves it; Escape and Ctrl Enter are the window's.
    """

    left = Signal()
    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.rests_in_one_line = False
        self.least_height = 0
        self.textChanged.connect(self._changed)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())

    def text(self) -> str:
        """What was typed. `toPlainText` would change no-break spaces and line separators."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def show_text(self, text: str) -> None:
        """Show a text; one that stands here already keeps its cursor, and its line ends if nobody types."""
        if text != self._shown:
            self._shown = text
            self.blockSignals(True)
            self.setPlainText(ShownMap(text).shown)
            self.blockSignals(False)
            self.updateGeometry()

    def _changed(self) -> None:
        text = self.text()
        if text != self._shown:
            self._shown = text
            self.typed.emit(text)

    def sizeHint(self) -> QSize:
        # A plain text document counts its height in lines. In a low window one is shown until somebody writes.
        rests = (self.rests_in_one_line or bool(self.window().property("low"))) and not self.hasFocus()
        lines = 1 if rests else max(LEAST_LINES, min(MOST_LINES, int(self.document().size().height())))
        margins = 2 * (self.document().documentMargin() + theme.px(FIELD_FRAME))
        # Of a line that rests alone, nothing of the next one shows beneath it.
        spare = 2 if lines > 1 else -self.document().documentMargin()
        height = int(lines * self.fontMetrics().lineSpacing() + margins + spare)
        return QSize(FULL_WIDTH, max(height, theme.px(self.least_height)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Beside one line there is no room for a bar.
        one_line = self.height() < 2 * self.fontMetrics().lineSpacing()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if one_line else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.updateGeometry()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.updateGeometry()
        self.left.emit()


class FieldEdit(QLineEdit):
    """One line. Return keeps what was typed and leaves, instead of going on as everywhere else."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.textEdited.connect(self._remember)
        self.setMinimumHeight(28)

    def show_text(self, text: str) -> None:
        """Show a text; one that stands here already keeps its cursor."""
        if text != self._shown:
            self._shown = text
            self.setText(text)
            self.setCursorPosition(0)

    def _remember(self, text: str) -> None:
        self._shown = text

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and _is_plain_return(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_plain_return(event):
            self._leave()
            return
        super().keyPressEvent(event)

    def _leave(self) -> None:
        """Give the keys to what holds the field: while nothing has them, nobody knows where the rater is."""
        above = self.parentWidget()
        while above is not None and above.focusPolicy() == Qt.FocusPolicy.NoFocus:
            above = above.parentWidget()
        if above is not None:
            above.setFocus()
        else:
            self.clearFocus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def _is_plain_return(event: QEvent) -> bool:
    if not isinstance(event, QKeyEvent):
        return False
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and plain == Qt.KeyboardModifier.NoModifier


class TextQuestion(QuestionRow):
    """A text of one line or of many."""

    _in_reach = False

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._placeholder = ""
        self.edit = GrowingEdit()
        self.edit.setObjectName(f"text_{question.id}")
        self.edit.setAccessibleName(question.ask)
        self.edit.typed.connect(lambda text: self.typed.emit(question.id, text or None))
        self.edit.left.connect(self.left)
        self.edit.installEventFilter(self)
        self.put(self.edit)

    def _make_link(self) -> Link:
        """The key that puts the cursor here."""
        link = Link("", "W")
        link.setObjectName(f"write_{self.question.id}")
        link.setAccessibleName(self.tr("Write, W"))
        link.clicked.connect(self._begin)
        return link

    def _show_link(self) -> None:
        self._link.setVisible(not self._compact or self._in_reach)

    def show_reach(self, *, in_reach: bool) -> None:
        """Of a compact row: whether W comes here, and its cap with it."""
        self._in_reach = in_reach
        self._show_link()

    def make_compact(self, *, low: bool) -> None:
        super().make_compact(low=low)
        self.edit.rests_in_one_line = low
        self.edit.least_height = CONTROL
        self._placeholder = self.question.hint  # there is no other room for it
        self.edit.setPlaceholderText(self._placeholder)

    def _begin(self) -> None:
        self.edit.setFocus()

    @property
    def is_text(self) -> bool:
        return True

    def control(self) -> QWidget:
        return self.edit

    def show_value(self, value: Any, *, current: bool) -> None:
        del current
        self.edit.show_text(value if isinstance(value, str) else "")

    def show_suggestion(self, value: Any) -> None:
        """It stands where nothing is typed yet, in the ink of what is none of the rater's words."""
        words = self.tr("Suggested: {text}").format(text=value) if isinstance(value, str) else ""
        self.edit.setPlaceholderText(words or self._placeholder)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
        return False


class NumberQuestion(QuestionRow):
    """A number; a decimal comma is understood. What is no number is no answer, and the field says so."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self.edit = FieldEdit()
        self.edit.setObjectName(f"number_{question.id}")
        self.edit.setAccessibleName(question.ask)
        self.edit.setMaximumWidth(160)
        self.edit.setPlaceholderText(self._range())
        self._value: Any = None
        self.edit.textEdited.connect(self._edited)
        self.edit.left.connect(self.left)
        self.edit.installEventFilter(self)
        self.put(self.edit)

    @property
    def is_text(self) -> bool:
        return True

    def control(self) -> QWidget:
        return self.edit

    def show_value(self, value: Any, *, current: bool) -> None:
        del current
        if value != self._value or (value is None and not self.edit.hasFocus()):
            self._value = value
            self.edit.setText("" if value is None else spelling.figure(value))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
            if isinstance(event, QFocusEvent) and event.reason() == Qt.FocusReason.OtherFocusReason:
                self.edit.selectAll()  # W or Enter came here: what is typed is another number, not more figures of it
        return False

    def show_suggestion(self, value: Any) -> None:
        words = self.tr("Suggested: {text}").format(text=spelling.figure(value)) if value is not None else ""
        self.edit.setPlaceholderText(words or self._range())

    def _range(self) -> str:
        low, high = self.question.min, self.question.max
        if low is not None and high is not None:
            return self.tr("{low} to {high}").format(low=spelling.figure(low), high=spelling.figure(high))
        return self.tr("A number")

    def _edited(self, text: str) -> None:
        number = number_in(text)
        # What is typed so far may be out of bounds. It is no answer then, and stays where it is typed.
        self._value = number if number is not None and self.offers(number) else None
        wrong = bool(text.strip()) and self._value is None
        self.show_problems([self.tr("That is not a number that is offered here.")] if wrong else [], [])
        self.typed.emit(self.question.id, self._value)

    def offers(self, number: float) -> bool:
        """Whether a number may be the answer."""
        low, high = self.question.min, self.question.max
        return (low is None or number >= low) and (high is None or number <= high)


def number_in(text: str) -> int | float | None:
    """The number that was typed, a whole one as such; `None` where it is none."""
    try:
        number = float(text.strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number == int(number) else number
