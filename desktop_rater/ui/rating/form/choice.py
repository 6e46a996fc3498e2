"""Questions answered by choices, a typed text or number, or a list of rows."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Document
from desktop_rater.format.values import MAX_ROW_LENGTH, MAX_ROWS, AnswerRow
from desktop_rater.rubric.condition import ListDomain, answer_rows, domain_of
from desktop_rater.rubric.load import label_of_value
from desktop_rater.ui.rating.form.question import QuestionRow, RowLink
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import ChoiceButton, LinkButton
from desktop_rater.ui.widgets.fields import FULL_TEXT_WIDTH, FieldEdit, GrowingTextEdit, LineField, focus_parent
from desktop_rater.ui.widgets.labels import PlainLabel, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, height_for_width, tight_column, tight_row
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


EMPTY_ROW = AnswerRow(text="")
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}
_LEAVE = 0
_STEPS = {Qt.Key.Key_Return: 1, Qt.Key.Key_Enter: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Escape: _LEAVE}


class RowEditor(NamedGroup):
    """One row: its text, and beneath it the choices and the documents.

    Enter in the text gives the row itself the focus, where keys choose: those of the choices, and digits for documents.
    `changed`: the row as it is now, and whether its text was typed. `moved`: to the text of another row, or `_LEAVE`.
    """

    changed = Signal(object, bool)
    moved = Signal(int)

    def __init__(self, question: Question, number: int) -> None:
        super().__init__(name=f"row_{question.id}_{number}")
        self._question = question
        self.row = EMPTY_ROW
        self.field = LineField(
            name=f"row_text_{question.id}_{number}",
            label=visible(self.tr("{question} Row {n}").format(question=question.ask, n=number)),
            placeholder=self.tr("Write a row, then press Enter"),
            entered=self._entered,
            left=lambda: self.moved.emit(_LEAVE),
        )
        self.field.setMaxLength(MAX_ROW_LENGTH)
        self.field.textEdited.connect(lambda text: self.changed.emit(replace(self.row, text=text), True))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._buttons: dict[str | int, ChoiceButton] = {}  # by the choice, or by the number of the document
        self._keys: dict[str, str | int] = {choice.key.upper(): choice.id for choice in question.choices if choice.key}
        self._box = QWidget()
        self._box.setSizePolicy(height_for_width())
        self._flow = FlowLayout(self._box, alike=False)
        for choice in question.choices:
            self._add_button(choice.id, choice.label, choice.hint)
            self._buttons[choice.id].reserve_key()
        tight_column(self, tight_row(None, PlainLabel(f"{number}", ink="text2"), (self.field, 1)), self._box, spacing=4)

    def _add_button(self, value: str | int, label: str, hint: str) -> None:
        name = f"{self.objectName()}_{value}"
        button = ChoiceButton(label, "", hint, name=name, clicked=lambda _on: self._choose(value), parent=self._box)
        self._flow.addWidget(button)
        self._buttons[value] = button

    def show_row(self, row: AnswerRow, documents: tuple[Document, ...]) -> None:
        """Show a row; the cursor stays where its text is shown already."""
        self.row = row
        if self.field.text() != row.text:
            self.field.setText(row.text)
        for number, document in enumerate(documents[: MAX_ROWS if self._question.documents else 0], 1):
            if number not in self._buttons:
                self._add_button(number, str(number), "")
                self._buttons[number].set_meaning(self.tr("document"))
                self._keys[str(number)] = number
            set_tooltip(self._buttons[number], document.title)
        for value, button in self._buttons.items():
            button.setChecked(value == row.choice or value in row.documents)
            button.setHidden(isinstance(value, int) and value > len(documents))
        self._box.setHidden(row == EMPTY_ROW or not self._buttons)
        self.setAccessibleName(visible(label_of_value(self._question, to_builtins(row))))

    def show_keys(self) -> None:
        """Show the keys of the choices while they choose."""
        for choice in self._question.choices:
            self._buttons[choice.id].set_key(choice.key.upper() if self.hasFocus() else "")

    def _choose(self, value: str | int) -> None:
        """Choose a choice, or name a document, or no more; with it the first choice whose rows name documents."""
        choice, documents, named = self.row.choice, self.row.documents, self._question.documents
        if isinstance(value, int):
            documents = tuple(sorted({*documents} ^ {value}))
            choice = choice if choice in named else named[0]
        else:
            choice, documents = value, documents if value in named else ()
        self.changed.emit(replace(self.row, choice=choice, documents=documents), False)

    def _entered(self, step: int) -> None:
        written = bool(self.row.text.strip())
        if written and step > 0 and self._buttons:
            self.setFocus()
        else:
            self.moved.emit(step if written or step < 0 else _LEAVE)

    def _action(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key does while the row itself has the focus."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return None
        if event.key() in _STEPS:
            return partial(self.moved.emit, _STEPS[Qt.Key(event.key())])
        if event.key() in _REMOVING:
            return partial(self.changed.emit, EMPTY_ROW, False)
        value = self._keys.get(event.text().upper())
        return partial(self._choose, value) if value in self._buttons and self.row.text else None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self.hasFocus():
            event.setAccepted(self._action(event) is not None)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key does; of the keys of the field only those arrive here that it does not use."""
        action = self._action(event)
        if action is not None:
            action()
        else:
            super().keyPressEvent(event)


class RowsGroup(NamedGroup):
    """The rows, which take the full width, so that the question is above them."""

    def sizeHint(self) -> QSize:
        return QSize(FULL_TEXT_WIDTH, super().sizeHint().height())


class ListQuestion(QuestionRow):
    """Question answered by rows. Beneath the rows of the answer there is an empty one, to write the next."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        domain = domain_of(question)
        assert isinstance(domain, ListDomain)
        self._domain = domain
        self._rows: list[RowEditor] = []
        self._given: tuple[AnswerRow, ...] = ()
        self._list = RowsGroup()
        self._list.setSizePolicy(height_for_width(QSizePolicy.Policy.Preferred))
        self._column_of_rows = tight_column(self._list, spacing=8)
        self.show_value(None, current=False)
        self.put(self._list)

    def control(self) -> QWidget:
        return self._rows[0].field

    def show_value(self, value: Any, *, current: bool) -> None:
        del current
        self._given = answer_rows(value)
        count = min(len(self._given) + 1, self._domain.most)
        while len(self._rows) < count:
            self._add_row(len(self._rows) + 1)
        for index, row in enumerate(self._rows):
            row.show_row(self._given[index] if index < len(self._given) else EMPTY_ROW, self.documents)
            row.setHidden(index >= count)

    def _add_row(self, number: int) -> None:
        row = RowEditor(self.question, number)
        row.changed.connect(lambda changed, typing: self._change(row, changed, typing=typing))
        row.moved.connect(lambda step: self._move(number - 1 + step if step else len(self._rows)))
        row.field.editingFinished.connect(self._leave_row)
        for part in (row, row.field):
            part.installEventFilter(self)
        self._rows.append(row)
        self._column_of_rows.addWidget(row)

    def _in_use(self) -> tuple[AnswerRow, ...]:
        """Return the rows up to the last one in use, without those that were emptied and left."""
        rows = [row.row for row in self._rows if row.row != EMPTY_ROW or row.field.hasFocus()]
        while rows and rows[-1] == EMPTY_ROW:
            rows.pop()
        return tuple(rows)

    def _change(self, row: RowEditor, changed: AnswerRow, *, typing: bool) -> None:
        row.row = changed
        (self.typed if typing else self.answered).emit(self.question.id, to_plain(to_builtins(self._in_use())) or None)

    def _leave_row(self) -> None:
        if self._in_use() != self._given:
            self.typed.emit(self.question.id, to_plain(to_builtins(self._in_use())) or None)
        self.left.emit()

    def _move(self, index: int) -> None:
        if 0 <= index < len(self._rows) and not self._rows[index].isHidden():
            self._rows[index].field.setFocus()
        else:
            focus_parent(self._list)

    def write(self) -> None:
        """Focus the first row that is not finished: its text, or the row itself if only its choice is missing."""
        rows = [row for row in self._rows if not row.isHidden()]
        row = next((row for row in rows if self._domain.gap([to_builtins(row.row)], len(self.documents))), rows[-1])
        (row if row.row.text.strip() else row.field).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut} and isinstance(watched, RowEditor):
            watched.show_keys()
        return super().eventFilter(watched, event)
