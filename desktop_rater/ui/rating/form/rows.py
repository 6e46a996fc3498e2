"""Question answered by a list of rows: a text, one of the choices, and numbers of documents."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Document
from desktop_rater.format.values import MAX_ROW_LENGTH, MAX_ROWS, AnswerRow
from desktop_rater.rubric.condition import ListDomain, answer_rows, domain_of
from desktop_rater.rubric.load import label_of_value
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.fields import FULL_TEXT_WIDTH, LineField, focus_parent
from desktop_rater.ui.widgets.labels import PlainLabel, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, height_for_width, tight_column, tight_row

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

    @property
    def is_text(self) -> bool:
        return True

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
