"""Questions that are answered by a step of a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from desktop_rater.rubric.values import same
from desktop_rater.ui import spelling
from desktop_rater.ui.form.question import QuestionRow
from desktop_rater.ui.form.scale_field import Band, ScaleField
from desktop_rater.ui.form.scale_step import ScaleStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rubric import Number, Question
    from desktop_rater.ui.form.choice_button import ChoiceButton

MOST_STEPS = 101
DIGITS = 9


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


def bands_of(question: Question, steps: Sequence[Number]) -> tuple[Band, ...]:
    """The named stretches that hold a step, where no step has a sentence of its own."""
    bands: list[Band] = []
    at = 0
    for level in () if question.anchors else question.levels:
        last = at
        while last < len(steps) and steps[last] <= level.to:
            last += 1
        if last > at:
            ends = shown_step(steps[at]), shown_step(steps[last - 1])
            bands.append(Band(at, last - 1, level.label, ends[0] if last - at == 1 else f"{ends[0]}–{ends[1]}"))
        at = last
    return tuple(bands)


def keys_of(steps: Sequence[Number]) -> tuple[str, ...]:
    """The digit that takes each step while the rail is there; empty where there is none.

    A step that is a digit is taken by it, and the halves by the digits that are left. Below zero the steps are counted.
    Where the tens are steps and most digits are not, a digit stands for so many tens.
    """
    if any(step < 0 for step in steps):
        return tuple(str(at) if at <= DIGITS else "" for at in range(1, len(steps) + 1))
    if _by_tens(steps):
        return tuple(str(step // 10) if step % 10 == 0 and step // 10 <= DIGITS else "" for step in steps)
    own = {step: str(step) for step in steps if isinstance(step, int) and step <= DIGITS}
    left = iter([str(digit) for digit in range(1, DIGITS + 1) if str(digit) not in own.values()])
    return tuple(own.get(step) or next(left, "") for step in steps)


def _by_tens(steps: Sequence[Number]) -> TypeGuard[Sequence[int]]:
    """Whether a scale goes in fives, say: 5 must not be the one digit that is meant as it stands."""
    digits, tens = [step for step in steps if 0 < step <= DIGITS], [step for step in steps if step % 10 == 0]
    whole = all(isinstance(step, int) for step in steps)
    return whole and steps[0] == 0 and steps[-1] > 2 * 10 and len(digits) == 1 and len(tens) > len(digits) + 1


class ScaleQuestion(QuestionRow):
    """A button a step, with the sentence of each in view, or the names of its stretches."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = steps_of(question)
        self._keys = keys_of(self._steps)
        self._value: Any = None
        self._current = False
        bands = bands_of(question, self._steps)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._buttons = [self._make_step(at, banded=bool(bands)) for at in range(len(self._steps))]
        self._group.buttonClicked.connect(self._clicked)
        self.field = ScaleField(self._buttons, bands)
        if any(map(self._cap_of, range(len(self._steps)))) and not self.field.in_lines:
            for button in self._buttons:  # figures in a row stand alike, whether or not a key comes to them
                button.reserve_key()
        self.put(self.field)

    def _make_step(self, at: int, *, banded: bool) -> ScaleStep:
        step = self._steps[at]
        words = sentence_of(self.question, step)
        button = ScaleStep(shown_step(step), "" if banded else words)
        button.set_meaning(words or self._between(at))
        button.setObjectName(f"step_{self.question.id}_{step}")
        button.set_place(at + 1, len(self._steps))
        button.setAccessibleDescription(self.question.ask)
        if self._cap_of(at):
            button.reserve_key()
        self._group.addButton(button, at)
        return button

    def _between(self, at: int) -> str:
        """What a step without a sentence means, where the steps beside it have one."""
        beside = self._steps[max(0, at - 1)], self._steps[min(at + 1, len(self._steps) - 1)]
        one, other = (sentence_of(self.question, step) for step in beside)
        return self.tr("between “{one}” and “{other}”").format(one=one, other=other) if one and other else ""

    def _cap_of(self, at: int) -> str:
        """The key cap of a step: where its figure is the key, the figure says it."""
        key = self._keys[at]
        return "" if key == shown_step(self._steps[at]) else key

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        return tuple(self._buttons)

    def control(self) -> QWidget:
        return self._buttons[0]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        self._current = current
        taken: int | None = None
        for at, (step, button) in enumerate(zip(self._steps, self._buttons, strict=True)):
            on = value is not None and same(step, value)
            taken = at if on else taken
            button.setChecked(on)
            button.set_key(self._cap_of(at) if current else "")
        self.field.choose(taken)

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same(step, value))

    def take_key(self, key: str) -> bool:
        """Take the step that the digit stands for, while the rail is here."""
        if not self._current or not key or key not in self._keys:
            return False
        self.answered.emit(self.question.id, self._steps[self._keys.index(key)])
        return True

    def _clicked(self, button: QAbstractButton) -> None:
        step = self._steps[self._group.id(button)]
        self.answered.emit(self.question.id, None if same(step, self._value) else step)


def shown_step(step: Number) -> str:
    """A step in figures, with a minus that is as wide as they are."""
    return spelling.figure(step)
