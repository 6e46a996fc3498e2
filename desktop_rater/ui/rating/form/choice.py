"""Questions answered by choosing one or several choices."""

from typing import Any

from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.layouts import FlowLayout


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
