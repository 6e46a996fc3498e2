"""Scale across the whole width of the window, with a named button per step."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.rubric.condition import same_value
from desktop_rater.ui.rating.form.scale import StepsQuestion, scale_steps, step_meaning
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.layouts import ItemsLayout, height_for_width

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


class WideScaleQuestion(StepsQuestion):
    """Scale whose steps are counted from the left: the first digit chooses the first step."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        row = NamedGroup()
        row.setSizePolicy(height_for_width())
        even = EvenLayout(row)
        for step in self._steps:
            button = ChoiceButton(step_meaning(question, step), name=f"step_{question.id}_{step}")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.reserve_key()
            button.align_to_start()
            self._add_button(button, len(self._steps))
            even.addWidget(button)
        self.put(row)

    def _cap_text(self, index: int) -> str:
        return str(index + 1)

    def take_key(self, key: str) -> bool:
        """Choose the step whose key cap shows `key`."""
        position = next((index for index, button in enumerate(self._buttons) if button.key == key), None)
        if position is None:
            return False
        self._answer(position)
        return True
