"""A scale over the whole width of the window: a button a step, with its name on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.rubric.values import same
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.question import QuestionRow
from desktop_rater.ui.form.scale import sentence_of, steps_of
from desktop_rater.ui.items_layout import ItemsLayout

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question

MOST_STEPS = 9  # each has a digit
LONGEST_NAME = 40
SPACING = 5


def is_wide(question: Question) -> bool:
    """Whether every step of a scale has a name that fits on a button."""
    if question.kind != "scale":
        return False
    steps = steps_of(question)
    names = [anchor.label for anchor in question.anchors if any(same(anchor.at, step) for step in steps)]
    return len(names) == len(steps) <= MOST_STEPS and all(len(name) <= LONGEST_NAME for name in names)


class EvenLayout(ItemsLayout):
    """Widgets of one width beside each other; in as many rows of the same length as it takes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, spacing=SPACING)

    def heightForWidth(self, width: int) -> int:
        rows = -(-len(self._items) // self._columns(width))
        return rows * self._height() + (rows - 1) * self.spacing()

    def sizeHint(self) -> QSize:
        return QSize(self._width() * len(self._items) + self.spacing() * (len(self._items) - 1), self._height())

    def minimumSize(self) -> QSize:
        return QSize(self._width(), self._height())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        columns, gap = self._columns(rect.width()), self.spacing()
        wide, high = (rect.width() - gap * (columns - 1)) / columns, self._height()
        for at, item in enumerate(self._items):
            row, column = divmod(at, columns)
            left, right = round(column * (wide + gap)), round(column * (wide + gap) + wide)
            place = QRect(rect.left() + left, rect.top() + row * (high + gap), right - left, high)
            item.setGeometry(self.in_window(rect, place))

    def _columns(self, width: int) -> int:
        """As many as fit, in rows that are as even as can be."""
        total = max(1, len(self._items))
        fit = max(1, (width + self.spacing()) // (self._width() + self.spacing()))
        return -(-total // -(-total // min(total, fit)))

    def _width(self) -> int:
        return max((item.sizeHint().width() for item in self._items), default=1)

    def _height(self) -> int:
        return max((item.sizeHint().height() for item in self._items), default=1)


class WideScale(QuestionRow):
    """Its steps are counted from the left: the first digit takes the first one."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = steps_of(question)
        self._value: Any = None
        self._row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        even = EvenLayout(self._row)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: list[ChoiceButton] = []
        for index, step in enumerate(self._steps):
            button = ChoiceButton(sentence_of(question, step))
            button.setObjectName(f"step_{question.id}_{step}")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.reserve_key()
            button.write_at_start()
            button.set_place(index + 1, len(self._steps))
            button.setAccessibleDescription(question.ask)
            self._group.addButton(button, index)
            self._buttons.append(button)
            even.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)
        self.put(self._row)

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    def control(self) -> QWidget:
        return self._buttons[0]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        for index, (step, button) in enumerate(zip(self._steps, self._buttons, strict=True)):
            button.setChecked(value is not None and same(step, value))
            button.set_key(str(index + 1) if current else "")

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same(step, value))

    def take_key(self, key: str) -> bool:
        """Take the step whose key cap shows `key`."""
        found = next((at for at, button in enumerate(self._buttons) if button.key == key), None)
        if found is None:
            return False
        self.answered.emit(self.question.id, self._steps[found])
        return True

    def _clicked(self, button: QAbstractButton) -> None:
        step = self._steps[self._group.id(button)]
        self.answered.emit(self.question.id, None if same(step, self._value) else step)
