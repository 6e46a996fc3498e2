"""Question answered by a list of rows: a text, one of the choices, and numbers of documents."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.format.rubric import Question
from desktop_rater.format.strict_json import to_plain
from desktop_rater.format.task import Document
from desktop_rater.format.values import MAX_ROW_LENGTH, MAX_ROWS, AnswerRow
from desktop_rater.rubric.condition import answer_rows
from desktop_rater.rubric.load import label_of_value
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.fields import LineField, focus_parent
from desktop_rater.ui.widgets.labels import PlainLabel, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, height_for_width, tight_column, tight_row
from desktop_rater.ui.window import keys

EMPTY_ROW = AnswerRow(text="")
_NEXT, _BEFORE = 1, -1
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}
_MOVES = {Qt.Key.Key_Up: _BEFORE, Qt.Key.Key_Down: _NEXT}
_ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class ListRow(NamedGroup):
    """One row: its text, and beneath it the choices and the documents.

    Enter in the text gives the row itself the focus, where keys choose: those of the choices, and digits for documents.
    """

    changed = Signal(object)  # the row as it is now; `None` to remove it
    typed = Signal(object)
    moved = Signal(int)  # to the text of the next row, or of the one before
    left = Signal()

    def __init__(self, question: Question, number: int) -> None:
        super().__init__(name=f"row_{question.id}_{number}")
        self._question, self._number = question, number
        self.row = EMPTY_ROW
        self.field = LineField(name=f"row_text_{question.id}_{number}", entered=self._entered, left=self.left)
        self.field.setMaxLength(MAX_ROW_LENGTH)
        self.field.setAccessibleName(visible(self.tr("{question} Row {n}").format(question=question.ask, n=number)))
        self.field.setPlaceholderText(
            self.tr("{key} to write, Enter to answer, Enter for the next row").format(key=keys.cap_text("W"))
        )
        self.field.textEdited.connect(self._edited)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._buttons: dict[str, ChoiceButton] = {}
        self._documents: list[ChoiceButton] = []
        self._box = QWidget()
        self._box.setSizePolicy(height_for_width())
        self._flow = FlowLayout(self._box, alike=False)
        for choice in question.choices:
            button = self._add_button(choice.label, choice.hint, f"row_{question.id}_{number}_{choice.id}")
            button.reserve_key()
            button.clicked.connect(lambda _on=False, name=choice.id: self._choose(name))
            self._buttons[choice.id] = button
        label = PlainLabel(f"{number}", ink="text2")
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme.follow(label, lambda: label.setFixedWidth(theme.px(20)))
        tight_column(self, tight_row(None, label, (self.field, 1), spacing=4), self._box, spacing=4)
        theme.follow(self._box, lambda: self._box.setContentsMargins(theme.px(24), 0, 0, 0))
        self._show_keys()

    def _add_button(self, label: str, hint: str, name: str) -> ChoiceButton:
        button = ChoiceButton(label, "", hint, name=name, parent=self._box)
        self._flow.addWidget(button)
        return button

    def show_row(self, row: AnswerRow, documents: tuple[Document, ...]) -> None:
        """Show a row; the cursor stays where its text is shown already."""
        if row.text != self.row.text:
            self.field.setText(row.text)
        self.row = row
        if self._question.documents and len(self._documents) != min(len(documents), MAX_ROWS):
            self._make_documents(documents)
        self._box.setHidden(row == EMPTY_ROW or not self._buttons)
        for name, button in self._buttons.items():
            button.setChecked(row.choice == name)
        for number, button in enumerate(self._documents, 1):
            button.setChecked(number in row.documents)
        self.setAccessibleName(visible(label_of_value(self._question, to_plain(row))))

    @property
    def is_finished(self) -> bool:
        """Return whether the row has its text, its choice and its documents."""
        row = self.row
        has_choice = row.choice is not None or not self._buttons
        return bool(row.text.strip()) and has_choice and bool(row.documents) is (row.choice in self._question.documents)

    def _make_documents(self, documents: tuple[Document, ...]) -> None:
        for button in self._documents:
            self._flow.removeWidget(button)
            button.deleteLater()
        self._documents = []
        for number, document in enumerate(documents[:MAX_ROWS], 1):
            button = self._add_button(str(number), document.title, f"{self.objectName()}_document_{number}")
            button.set_meaning(self.tr("document"))
            button.clicked.connect(lambda _on=False, number=number: self._name_document(number))
            button.show()
            self._documents.append(button)

    def _edited(self, text: str) -> None:
        self.row = replace(self.row, text=text)
        self.typed.emit(self.row)

    def _choose(self, choice: str) -> None:
        documents = self.row.documents if choice in self._question.documents else ()
        self.changed.emit(replace(self.row, choice=choice, documents=documents))

    def _name_document(self, number: int) -> None:
        """Name a document, or no more; the first choice whose rows name documents is chosen with it."""
        names = tuple(sorted({*self.row.documents} ^ {number}))
        named = self._question.documents
        self.changed.emit(
            replace(self.row, documents=names, choice=self.row.choice if self.row.choice in named else named[0])
        )

    def _entered(self, step: int) -> None:
        if step < 0:
            self.moved.emit(_BEFORE)
        elif not self.row.text.strip():
            self.left.emit()
        elif self._buttons:
            self.setFocus()
        else:
            self.moved.emit(_NEXT)

    def _action(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key does while the row itself has the focus."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return None
        if event.key() in _ENDS:
            return lambda: self.moved.emit(_BEFORE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _NEXT)
        if event.key() in _REMOVING:
            return lambda: self.changed.emit(None)
        key = event.text().upper()
        choice = next((choice.id for choice in self._question.choices if key and choice.key.upper() == key), None)
        if choice is not None:
            return lambda: self._choose(choice)
        number = (int(key) or 10) if key.isdecimal() and key.isascii() else 0
        return (lambda: self._name_document(number)) if 0 < number <= len(self._documents) else None

    def event(self, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.hasFocus()
        if is_key and self._action(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._action(event) if self.hasFocus() else None
        if action is not None:
            action()
        elif event.key() in _MOVES and not event.modifiers():
            self.moved.emit(_MOVES[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_keys()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_keys()

    def _show_keys(self) -> None:
        """Show the keys of the choices while they choose."""
        for choice in self._question.choices:
            self._buttons[choice.id].set_key(choice.key.upper() if self.hasFocus() else "")


class ListQuestion(QuestionRow):
    """Question answered by rows. Beneath the rows of the answer there is an empty one, to write the next."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._rows: list[ListRow] = []
        self._most = MAX_ROWS if question.max is None else int(question.max)
        self._list = NamedGroup()
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
        given = answer_rows(value)
        shown = min(len(given) + 1, self._most)
        while len(self._rows) < shown:
            self._add_row()
        for index, row in enumerate(self._rows):
            row.show_row(given[index] if index < len(given) else EMPTY_ROW, self.documents)
            row.setHidden(index >= shown)

    def _add_row(self) -> None:
        index = len(self._rows)
        row = ListRow(self.question, index + 1)
        row.changed.connect(lambda changed: self._change(index, changed))
        row.typed.connect(lambda _row: self.typed.emit(self.question.id, self._value()))
        row.moved.connect(lambda step: self._move(index + step))
        row.left.connect(lambda: focus_parent(self._list))
        row.field.editingFinished.connect(self._leave_row)
        for part in (row, row.field):
            part.installEventFilter(self)
        self._rows.append(row)
        self._column_of_rows.addWidget(row)

    def _value(self, *, with_blanks: bool = True) -> list[dict[str, Any]] | None:
        """Return the answer, up to the last row in use; blank rows above it stay while one types."""
        rows = [row.row for row in self._rows if with_blanks or row.row != EMPTY_ROW]
        while rows and rows[-1] == EMPTY_ROW:
            rows.pop()
        return [to_plain(row) for row in rows] or None

    def _change(self, index: int, changed: AnswerRow | None) -> None:
        self._rows[index].row = changed or EMPTY_ROW
        if changed is None:
            self._rows[index].field.clear()
        self.answered.emit(self.question.id, self._value(with_blanks=changed is not None))

    def _leave_row(self) -> None:
        """Drop the rows that were emptied, once the text is left."""
        value = self._value(with_blanks=False)
        if value != self._value():
            self.typed.emit(self.question.id, value)
        self.left.emit()

    def _move(self, index: int) -> None:
        if index < len(self._rows) and not self._rows[max(index, 0)].isHidden():
            self._rows[max(index, 0)].field.setFocus()
        else:
            focus_parent(self._list)

    def write(self) -> None:
        """Focus the first row that is not finished: its text, or the row itself if only its choice is missing."""
        rows = [row for row in self._rows if not row.isHidden()]
        row = next((row for row in rows if not row.is_finished), rows[-1])
        (row if row.row.text.strip() else row.field).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.touched.emit(self.question.id)
        return super().eventFilter(watched, event)
