"""Questions answered by choosing one or several choices, and those answered by typing a text or a number."""

import math
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.ui.rating.form.question import QuestionRow, RowLink
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.banners import MAX_TEXT_LENGTH, say_refused
from desktop_rater.ui.widgets.buttons import ChoiceButton, LinkButton
from desktop_rater.ui.widgets.labels import draw_text, visible
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.theme import FIELD_FRAME
from desktop_rater.ui.widgets.theme_tokens import CONTROL


class ChoiceQuestion(QuestionRow):
    """Question with one choice. A click and a key answer alike; choosing the answer again keeps it."""

    _only_one = True  # heard as radio buttons; in a group, Qt unchecks no other button for it

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._row = NamedGroup()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        flow = FlowLayout(self._row)
        # Not an exclusive group, in which the answer could not be cleared. The rating decides which button is
        # checked.
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: list[ChoiceButton] = []
        for index, choice in enumerate(question.choices):
            button = ChoiceButton(
                choice.label, choice.key.upper(), choice.hint, name=f"choice_{question.id}_{choice.id}"
            )
            if question.required is not False:
                button.reserve_key()
            if all(any_choice.shape for any_choice in question.choices):
                button.set_look(choice.tone, choice.shape)
            button.set_place(index + 1, len(question.choices))
            button.setAccessibleDescription(visible(f"{question.ask} {choice.hint}".rstrip()))
            button.pointed.connect(lambda near, pointed=button: self._show_meaning(pointed if near else None))
            button.setAutoExclusive(self._only_one)
            self._group.addButton(button, index)
            self._buttons.append(button)
            flow.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)
        self._keys = self._keys_of_rubric = tuple(choice.key.upper() for choice in question.choices)
        self._suggested: Any = None
        self._value: Any = None
        self.put(self._row)

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    @property
    def _own_keys(self) -> tuple[str, ...]:
        """Return the key of each choice at the rail: that of the rubric, else a digit."""
        if all(self._keys_of_rubric):
            return self._keys_of_rubric
        digits = [str(number) if number < 10 else "" for number in range(1, len(self._buttons) + 1)]
        return tuple([key or digit for key, digit in zip(self._keys_of_rubric, digits, strict=True)])

    @property
    def rail_keys(self) -> frozenset[str]:
        return frozenset(self._own_keys)

    def control(self) -> QWidget:
        return self._buttons[0]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        choices = self.question.choices
        keys = self._own_keys if current else self._keys_of_rubric
        keys = tuple(["" if key in self.taken_keys else key for key in keys])
        if keys != self._keys:
            self._keys = keys
            for button, key in zip(self._buttons, keys, strict=True):
                button.set_key(key)
        for choice, button in zip(choices, self._buttons, strict=True):
            on = self._is_on(choice.id)
            if button.isChecked() is not on:
                button.setChecked(on)
        self._show_meaning()

    def _show_meaning(self, near: ChoiceButton | None = None) -> None:
        """Show the meaning of the choice under the pointer or with the focus, else of the chosen one."""
        pointed = chosen = ""
        for choice, button in zip(self.question.choices, self._buttons, strict=True):
            if near is button:
                pointed = choice.hint
            elif button.isChecked():
                chosen = choice.hint
        self.show_hint(pointed or chosen)

    def show_suggestion(self, value: Any) -> None:
        if value == self._suggested:
            return
        self._suggested = value
        suggested = value if isinstance(value, list | tuple) else (value,)
        for choice, button in zip(self.question.choices, self._buttons, strict=True):
            button.set_suggested(choice.id in suggested)

    def take_key(self, key: str) -> bool:
        """Choose the choice whose key cap shows `key`."""
        if not key or key not in self._keys:
            return False
        self.answered.emit(self.question.id, self._value_for(self._keys.index(key)))
        return True

    def _is_on(self, choice: str) -> bool:
        return self._value == choice

    def _value_for(self, index: int) -> Any:
        return self.question.choices[index].id

    def _clicked(self, button: QAbstractButton) -> None:
        if self._only_one:
            button.setChecked(True)  # Qt unchecks the chosen one
        self.answered.emit(self.question.id, self._value_for(self._group.id(button)))


class ChoicesQuestion(ChoiceQuestion):
    """Question with any number of choices; the answer is a list of their ids in the rubric's order."""

    _only_one = False

    def _is_on(self, choice: str) -> bool:
        return isinstance(self._value, list | tuple) and choice in self._value

    def _value_for(self, index: int) -> Any:
        changed = self.question.choices[index].id
        on = [choice.id for choice in self.question.choices if self._is_on(choice.id) != (choice.id == changed)]
        return on or None


MIN_TEXT_LINES, MAX_TEXT_LINES = 2, 6
FULL_TEXT_WIDTH = 10_000  # a text takes the full width, so its label is above it
PARAGRAPH_SEPARATOR = "\u2029"


class GrowingTextEdit(QPlainTextEdit):
    """Text field that grows from two to six lines; one line without focus in a low window or a compact row.

    Tab leaves it; Escape and Ctrl Enter are handled by the window.
    """

    left = Signal()
    typed = Signal(str)

    def __init__(
        self, parent: QWidget | None = None, *, name: str = "", label: str = "", placeholder: str = ""
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self._shown = ""
        self._unvisited = False  # no cursor was put into this text yet
        self.rests_in_one_line = False
        self.least_height = 0
        self.max_length = MAX_TEXT_LENGTH
        self.textChanged.connect(self._changed)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow_language(self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())

    def text(self) -> str:
        """Return the typed text; `toPlainText` would change no-break spaces and line separators."""
        return self.document().toRawText().replace(PARAGRAPH_SEPARATOR, "\n")

    def show_text(self, text: str) -> None:
        """Show a text; the cursor and line ends are unchanged if it is shown already."""
        if text != self._shown:
            self._shown, self._unvisited = text, True
            self.blockSignals(True)
            self.setPlainText(WidgetTextMap(text).shown)
            self.blockSignals(False)
            self.updateGeometry()

    def write_on(self) -> None:
        """Focus the field with the cursor at the end of its text."""
        self.setFocus()
        self.moveCursor(QTextCursor.MoveOperation.End)

    def _changed(self) -> None:
        text = self.text()
        if text != self._shown:
            self._shown = text
            self.typed.emit(text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert what is pasted or dropped, unless the text would be too long to be edited at ease."""
        selected = self.textCursor().selectionEnd() - self.textCursor().selectionStart()
        length = self.document().characterCount() - 1 - selected + len(source.text())
        if length > self.max_length:
            say_refused(self, self.typed, length, self.max_length)
        else:
            super().insertFromMimeData(source)

    def sizeHint(self) -> QSize:
        # A plain text document measures its height in lines. In a low window one is shown without the focus.
        rests = (self.rests_in_one_line or bool(self.window().property("low"))) and not self.hasFocus()
        lines = 1 if rests else max(MIN_TEXT_LINES, min(MAX_TEXT_LINES, int(self.document().size().height())))
        margins = 2 * (self.document().documentMargin() + theme.px(FIELD_FRAME))
        # Hide the top of the next line beneath a single line.
        spare = 2 if lines > 1 else -self.document().documentMargin()
        height = int(lines * self.fontMetrics().lineSpacing() + margins + spare)
        return QSize(FULL_TEXT_WIDTH, max(height, theme.px(self.least_height)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # There is no space for a scroll bar beside a single line.
        one_line = self.height() < 2 * self.fontMetrics().lineSpacing()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if one_line else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)

    @property
    def hides_lines(self) -> bool:
        """Return whether only the first line of several is visible, without a scroll bar."""
        one_line = self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        return one_line and self.document().size().height() > 1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an ellipsis at the end of the line if there are more."""
        super().paintEvent(event)
        if self.hides_lines:
            painter, view = QPainter(self.viewport()), self.viewport().rect()
            field = QRect(0, 0, self.fontMetrics().horizontalAdvance("…") + theme.px(8), view.height())
            if not self.isRightToLeft():
                field.moveRight(view.right())
            painter.fillRect(field, self.palette().base())
            painter.setPen(theme.color(self, "text2"))
            draw_text(painter, field, Qt.AlignmentFlag.AlignCenter, "…")
            painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._unvisited and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.moveCursor(QTextCursor.MoveOperation.End)
        self._unvisited = False
        self.updateGeometry()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.updateGeometry()
        self.left.emit()


class FieldEdit(QLineEdit):
    """Line edit in which Return leaves the field, instead of going on to the next question as elsewhere."""

    left = Signal()

    def __init__(
        self, parent: QWidget | None = None, *, name: str = "", label: str = "", placeholder: str = ""
    ) -> None:
        super().__init__(parent, placeholderText=placeholder)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self._shown = ""
        self.textEdited.connect(self._remember)
        self.setMinimumHeight(28)
        theme.follow_language(self)

    def show_text(self, text: str) -> None:
        """Show a text; the cursor is unchanged if it is shown already."""
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
        """Give the focus to the nearest parent that accepts it, so that keys still reach the form."""
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
    """Question answered by a text of one or many lines."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self.edit = GrowingTextEdit(name=f"text_{question.id}")
        self.edit.setProperty("offers", "comment")
        self.edit.setAccessibleName(visible(question.ask))
        self.edit.typed.connect(lambda text: self.typed.emit(question.id, text or None))
        self.edit.left.connect(self.left)
        self.edit.installEventFilter(self)
        self.put(self.edit)

    def _make_link(self) -> LinkButton:
        """Return the link with the key that focuses the field."""
        link = RowLink("", "W")
        link.setObjectName(f"write_{self.question.id}")
        link.setAccessibleName(self.tr("Write, W"))
        link.clicked.connect(self.write)
        return link

    def _show_link(self) -> None:
        self._link.show()

    def make_low(self) -> None:
        """Rest in one line, too."""
        super().make_low()
        self.edit.rests_in_one_line, self.edit.least_height = True, CONTROL

    def write(self) -> None:
        self.edit.write_on()

    @property
    def is_text(self) -> bool:
        return True

    def control(self) -> QWidget:
        return self.edit

    def show_value(self, value: Any, *, current: bool) -> None:
        del current
        self.edit.show_text(value if isinstance(value, str) else "")

    def show_suggestion(self, value: Any) -> None:
        """Show the suggestion as the placeholder of the empty field."""
        suggestion = self.tr("Suggested: {text}").format(text=value) if isinstance(value, str) else ""
        self.edit.setPlaceholderText(visible(suggestion))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
        return False


class NumberQuestion(QuestionRow):
    """Question answered by a number; a decimal comma is accepted. Invalid input is no answer and shows a problem."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self.edit = FieldEdit(name=f"number_{question.id}", label=visible(question.ask), placeholder=self._range())
        self.edit.setMaximumWidth(160)
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
            self.edit.setText("" if value is None else formatting.figure(value))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
            if isinstance(event, QFocusEvent) and event.reason() == Qt.FocusReason.OtherFocusReason:
                self.edit.selectAll()  # W or Enter focused the field: typing replaces the number
        return False

    def show_suggestion(self, value: Any) -> None:
        suggestion = self.tr("Suggested: {text}").format(text=formatting.figure(value)) if value is not None else ""
        self.edit.setPlaceholderText(visible(suggestion or self._range()))

    def _range(self) -> str:
        low, high = self.question.min, self.question.max
        if low is not None and high is not None:
            return self.tr("{low} to {high}").format(low=formatting.figure(low), high=formatting.figure(high))
        return self.tr("A number")

    def _edited(self, text: str) -> None:
        number = typed_number(text)
        # An incomplete number may be out of bounds; it stays in the field without being an answer.
        self._value = number if number is not None and self.offers(number) else None
        wrong = bool(text.strip()) and self._value is None
        self.show_problems([self.tr("This number is not a valid answer.")] if wrong else [], [])
        self.typed.emit(self.question.id, self._value)

    def offers(self, number: float) -> bool:
        low, high = self.question.min, self.question.max
        return (low is None or number >= low) and (high is None or number <= high)


def typed_number(text: str) -> int | float | None:
    """Return the typed number, an `int` if it is whole; `None` if it is not a number."""
    try:
        number = float(text.strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number == int(number) else number
