"""Questions that are answered by a step of a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.rubric.values import same
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.question import QuestionRow
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.theme import quiet

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Number, Question

MOST_STEPS = 101


def steps_of(question: Question) -> tuple[Number, ...]:
    """The steps from `min` to `max`."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    count = min(MOST_STEPS, round((high - low) / step) + 1)
    return tuple(_whole(low + index * step) for index in range(count))


def _whole(number: Number) -> Number:
    rounded = round(number, 9)
    return int(rounded) if rounded == int(rounded) else rounded


def sentence_of(question: Question, value: Number) -> str:
    """What a step means: its anchor, else the level that it falls into."""
    for anchor in question.anchors:
        if same(anchor.at, value):
            return anchor.label
    return next((level.label for level in question.levels if value <= level.to), "")


class ScaleQuestion(QuestionRow):
    """A button a step; beneath them the sentence of the step under the pointer, else of the one that is taken."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = steps_of(question)
        self._value: Any = None
        self._current = False
        # Where each step is a digit, that digit takes it; elsewhere the steps are counted.
        self._digits = all(isinstance(step, int) and 0 <= step <= 9 for step in self._steps)
        self._row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        flow = FlowLayout(self._row)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons: list[ChoiceButton] = []
        for index, step in enumerate(self._steps):
            button = ChoiceButton(_shown(step), hint=sentence_of(question, step))
            button.setObjectName(f"step_{question.id}_{step}")
            button.set_meaning(sentence_of(question, step))
            button.set_place(index + 1, len(self._steps))
            button.setAccessibleDescription(question.ask)
            button.installEventFilter(self)
            if not self._digits:
                button.reserve_key()
            self._group.addButton(button, index)
            self._buttons.append(button)
            flow.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)
        self.put(self._row)
        self._sentence = WrappedLabel(name=f"sentence_{question.id}")
        quiet(self._sentence)
        self._sentence.setMinimumHeight(self._sentence.fontMetrics().lineSpacing())
        self._column.insertWidget(1, self._sentence)
        self._sentence.setHidden(not (question.anchors or question.levels))

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    def control(self) -> QWidget:
        return self._buttons[0]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        self._current = current
        for index, (step, button) in enumerate(zip(self._steps, self._buttons, strict=True)):
            button.setChecked(value is not None and same(step, value))
            counted = str(index + 1) if current and not self._digits and index < 9 else ""
            button.set_key(counted)
        self._show_sentence(value)

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same(step, value))

    def take_key(self, key: str) -> bool:
        """Take the step that the digit stands for, while the rail is here."""
        if not self._current or not key.isdigit():
            return False
        index = next((at for at, step in enumerate(self._steps) if _shown(step) == key), None)
        if not self._digits:
            index = int(key) - 1 if 0 < int(key) <= len(self._steps) else None
        if index is None:
            return False
        self.answered.emit(self.question.id, self._steps[index])
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Enter, QEvent.Type.FocusIn} and isinstance(watched, ChoiceButton):
            self._show_sentence(self._steps[self._buttons.index(watched)])
        elif event.type() in {QEvent.Type.Leave, QEvent.Type.FocusOut}:
            self._show_sentence(self._value)
        return False

    def _show_sentence(self, value: Any) -> None:
        low, high = self._steps[0], self._steps[-1]
        if value is None:
            ends = (sentence_of(self.question, low), sentence_of(self.question, high))
            text = f"{_shown(low)}  {ends[0]}   –   {_shown(high)}  {ends[1]}" if all(ends) else ""
        else:
            text = f"{_shown(value)}  {sentence_of(self.question, value)}"
        self._sentence.setText(text)

    def _clicked(self, button: QAbstractButton) -> None:
        step = self._steps[self._group.id(button)]
        self.answered.emit(self.question.id, None if same(step, self._value) else step)


def _shown(step: Number) -> str:
    return f"{step:+d}".replace("-", "−").replace("+0", "0") if isinstance(step, int) and step < 0 else str(step)
