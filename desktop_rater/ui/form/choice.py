"""Questions that are answered by taking a choice, or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.question import QuestionRow

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question


class ChoiceQuestion(QuestionRow):
    """One of the choices. Clicking the one that is taken, or Backspace, takes the answer away."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        flow = FlowLayout(self._row)
        # Not an exclusive group: in one of those the answer could not be taken away. The rating says what is on.
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: list[ChoiceButton] = []
        for index, choice in enumerate(question.choices):
            button = ChoiceButton(choice.label, choice.key.upper(), choice.hint)
            button.setObjectName(f"choice_{question.id}_{choice.id}")
            if question.required is not False:
                button.reserve_key()
            if all(one.shape for one in question.choices):
                button.set_look(choice.tone, choice.shape)
            button.set_place(index + 1, len(question.choices))
            button.setAccessibleDescription(question.ask)
            self._group.addButton(button, index)
            self._buttons.append(button)
            flow.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)
        self._value: Any = None
        self.put(self._row)

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    def control(self) -> QWidget:
        return self._buttons[0]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        for index, (choice, button) in enumerate(zip(self.question.choices, self._buttons, strict=True)):
            button.setChecked(self._is_on(choice.id))
            digit = str(index + 1) if current and index < 9 else ""
            button.set_key(choice.key.upper() or digit)

    def show_suggestion(self, value: Any) -> None:
        suggested = value if isinstance(value, list | tuple) else (value,)
        for choice, button in zip(self.question.choices, self._buttons, strict=True):
            button.set_suggested(choice.id in suggested)

    def take_key(self, key: str) -> bool:
        """Take the choice whose key cap shows `key`."""
        found = next((index for index, button in enumerate(self._buttons) if button.key == key), None)
        if found is None:
            return False
        self.answered.emit(self.question.id, self._taken(found, clearing=False))
        return True

    def _is_on(self, choice: str) -> bool:
        return self._value == choice

    def _taken(self, index: int, *, clearing: bool) -> Any:
        choice = self.question.choices[index].id
        return None if clearing and self._value == choice else choice

    def _clicked(self, button: QAbstractButton) -> None:
        value = self._taken(self._group.id(button), clearing=True)
        self.answered.emit(self.question.id, value)


class ChoicesQuestion(ChoiceQuestion):
    """Any number of the choices; the answer is a list of their ids, in the rubric's order."""

    def _is_on(self, choice: str) -> bool:
        return isinstance(self._value, list | tuple) and choice in self._value

    def _taken(self, index: int, *, clearing: bool) -> Any:
        del clearing
        changed = self.question.choices[index].id
        on = [one.id for one in self.question.choices if self._is_on(one.id) != (one.id == changed)]
        return on or None
