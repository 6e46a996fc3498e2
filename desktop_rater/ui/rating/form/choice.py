"""Questions answered by choosing one or several choices, and those answered by typing a text or a number."""

import math
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from desktop_rater.format.rubric import Question
from desktop_rater.ui.rating.form.question import QuestionRow, RowLink
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import ChoiceButton, LinkButton
from desktop_rater.ui.widgets.fields import FieldEdit, GrowingTextEdit
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, height_for_width
from desktop_rater.ui.widgets.theme_tokens import CONTROL


class ButtonQuestion(QuestionRow):
    """Question answered by a button. A click and a key answer alike; choosing the answer again keeps it."""

    _only_one = True  # heard as radio buttons; in a group, Qt unchecks no other button for it

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._value: Any = None
        # Not an exclusive group, in which the answer could not be cleared. The rating decides which button is
        # checked.
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.buttonClicked.connect(self._clicked)
        self._buttons: list[ChoiceButton] = []

    def _add_button(self, button: ChoiceButton, total: int, hint: str = "") -> None:
        """Add the button of the next of `total` values."""
        index = len(self._buttons)
        button.set_place(index + 1, total)
        button.setAccessibleDescription(visible(f"{self.question.ask} {hint}".rstrip()))
        button.setAutoExclusive(self._only_one)
        self._group.addButton(button, index)
        self._buttons.append(button)

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    def control(self) -> QWidget:
        return self._buttons[0]

    def _value_for(self, index: int) -> Any:
        """Return the answer that a button gives."""
        raise NotImplementedError

    def _answer(self, index: int) -> None:
        self.answered.emit(self.question.id, self._value_for(index))

    def _clicked(self, button: QAbstractButton) -> None:
        if self._only_one:
            button.setChecked(True)  # Qt unchecks the chosen one
        self._answer(self._group.id(button))


class ChoiceQuestion(ButtonQuestion):
    """Question with one choice."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        row = NamedGroup()
        row.setSizePolicy(height_for_width())
        flow = FlowLayout(row)
        for choice in question.choices:
            button = ChoiceButton(
                choice.label, choice.key.upper(), choice.hint, name=f"choice_{question.id}_{choice.id}"
            )
            if question.required is not False:
                button.reserve_key()
            if all(any_choice.shape for any_choice in question.choices):
                button.set_look(choice.tone, choice.shape)
            button.pointed.connect(lambda near, pointed=button: self._show_meaning(pointed if near else None))
            self._add_button(button, len(question.choices), choice.hint)
            flow.addWidget(button)
        self._keys = self._keys_of_rubric = tuple(choice.key.upper() for choice in question.choices)
        self._suggested: Any = None
        self.put(row)

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
        self._answer(self._keys.index(key))
        return True

    def _is_on(self, choice: str) -> bool:
        return self._value == choice

    def _value_for(self, index: int) -> Any:
        return self.question.choices[index].id


class ChoicesQuestion(ChoiceQuestion):
    """Question with any number of choices; the answer is a list of their ids in the rubric's order."""

    _only_one = False

    def _is_on(self, choice: str) -> bool:
        return isinstance(self._value, list | tuple) and choice in self._value

    def _value_for(self, index: int) -> Any:
        changed = self.question.choices[index].id
        on = [choice.id for choice in self.question.choices if self._is_on(choice.id) != (choice.id == changed)]
        return on or None


class TextQuestion(QuestionRow):
    """Question answered by a text of one or many lines."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self.edit = GrowingTextEdit(name=f"text_{question.id}", label=visible(question.ask))
        self.edit.setProperty("offers", "comment")
        self.edit.typed.connect(lambda text: self.typed.emit(question.id, text or None))
        self.edit.left.connect(self.left)
        self.edit.installEventFilter(self)
        self.put(self.edit)

    def _make_link(self) -> LinkButton:
        """Return the link with the key that focuses the field."""
        link = RowLink("", "W", name=f"write_{self.question.id}", clicked=self.write)
        link.setAccessibleName(self.tr("Write, W"))
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
