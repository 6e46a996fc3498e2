"""Scale across the whole width of the window, with a named button per step."""

from typing import Any

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.rubric.condition import same_value
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.form.scale import scale_steps, step_meaning
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.layouts import ItemsLayout

MAX_WIDE_STEPS = 9  # one digit each
MAX_STEP_NAME_LENGTH = 40
WIDE_STEP_SPACING = 5


def is_wide_scale(question: Question) -> bool:
    """Return whether every step of a scale has a name that fits on a button."""
    if question.kind != "scale":
        return False
    steps = scale_steps(question)
    names = [anchor.label for anchor in question.anchors if any(same_value(anchor.at, step) for step in steps)]
    return len(names) == len(steps) <= MAX_WIDE_STEPS and all(len(name) <= MAX_STEP_NAME_LENGTH for name in names)


class EvenLayout(ItemsLayout):
    """Layout of equally wide widgets, in rows as even as possible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, spacing=WIDE_STEP_SPACING)

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
        for index, item in enumerate(self._items):
            row, column = divmod(index, columns)
            left, right = round(column * (wide + gap)), round(column * (wide + gap) + wide)
            place = QRect(rect.left() + left, rect.top() + row * (high + gap), right - left, high)
            item.setGeometry(self.in_window(rect, place))

    def _columns(self, width: int) -> int:
        """Return the number of columns that fit, with rows as even as possible."""
        total = max(1, len(self._items))
        fit = max(1, (width + self.spacing()) // (self._width() + self.spacing()))
        return -(-total // -(-total // min(total, fit)))

    def _width(self) -> int:
        return max((item.sizeHint().width() for item in self._items), default=1)

    def _height(self) -> int:
        return max((item.sizeHint().height() for item in self._items), default=1)


class WideScaleQuestion(QuestionRow):
    """Scale whose steps are counted from the left: the first digit chooses the first step."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = scale_steps(question)
        self._value: Any = None
        self._row = NamedGroup()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        even = EvenLayout(self._row)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: list[ChoiceButton] = []
        for index, step in enumerate(self._steps):
            button = ChoiceButton(step_meaning(question, step), name=f"step_{question.id}_{step}")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.reserve_key()
            button.align_to_start()
            button.set_place(index + 1, len(self._steps))
            button.setAccessibleDescription(visible(question.ask))
            button.setAutoExclusive(True)  # as in a question with choices
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
            button.setChecked(value is not None and same_value(step, value))
            key = str(index + 1)
            button.set_key(key if current and key not in self.taken_keys else "")

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same_value(step, value))

    def take_key(self, key: str) -> bool:
        """Choose the step whose key cap shows `key`."""
        position = next((index for index, button in enumerate(self._buttons) if button.key == key), None)
        if position is None:
            return False
        self.answered.emit(self.question.id, self._steps[position])
        return True

    def _clicked(self, button: QAbstractButton) -> None:
        button.setChecked(True)  # Qt unchecks the chosen one
        self.answered.emit(self.question.id, self._steps[self._group.id(button)])
