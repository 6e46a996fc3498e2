"""Questions answered by a step of a scale, chosen by a button or typed."""

from collections.abc import Sequence
from typing import Any, TypeGuard

from PySide6.QtWidgets import QWidget

from desktop_rater.model.rubric import Number, Question
from desktop_rater.rubric.condition import ScaleDomain, same_value
from desktop_rater.ui.rating.form.choice import ButtonQuestion, NumberQuestion
from desktop_rater.ui.rating.form.scale_layouts import ScaleBand, ScaleField, ScaleStep
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.labels import WrappedLabel

MAX_SCALE_STEPS = 101
DIGIT_KEYS = 9


def scale_steps(question: Question) -> tuple[Number, ...]:
    """Return the steps from `min` to `max`."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    count = min(MAX_SCALE_STEPS, round((high - low) / step) + 1)
    numbers = (round(low + index * step, 9) for index in range(count))
    return tuple(int(number) if number == int(number) else number for number in numbers)


def step_meaning(question: Question, value: Number) -> str:
    """Return the meaning of a step: its anchor, else the level that it falls into."""
    for anchor in question.anchors:
        if same_value(anchor.at, value):
            return anchor.label
    return next((level.label for level in question.levels if value <= level.to), "")


def scale_bands(question: Question, steps: Sequence[Number]) -> tuple[ScaleBand, ...]:
    """Return the named ranges of a scale whose steps have no sentences of their own."""
    bands: list[ScaleBand] = []
    first = 0
    for level in () if question.anchors else question.levels:
        last = first
        while last < len(steps) and steps[last] <= level.to:
            last += 1
        if last > first:
            ends = step_text(steps[first]), step_text(steps[last - 1])
            bands.append(
                ScaleBand(first, last - 1, level.label, ends[0] if last - first == 1 else f"{ends[0]}–{ends[1]}")
            )
        first = last
    return tuple(bands)


def step_keys(steps: Sequence[Number]) -> tuple[str, ...]:
    """Return the digit that chooses each step of the current question; empty if there is none.

    A step that is a digit has that key; halves get the remaining digits. With negative steps the steps are counted. A
    scale with many tens and few digits among its steps uses a digit for tens.
    """
    if any(step < 0 for step in steps):
        return tuple(str(number) if number <= DIGIT_KEYS else "" for number in range(1, len(steps) + 1))
    if _by_tens(steps):
        return tuple(str(step // 10) if step % 10 == 0 and step // 10 <= DIGIT_KEYS else "" for step in steps)
    own = {step: str(step) for step in steps if isinstance(step, int) and step <= DIGIT_KEYS}
    left = iter([str(digit) for digit in range(1, DIGIT_KEYS + 1) if str(digit) not in own.values()])
    return tuple(own.get(step) or next(left, "") for step in steps)


def _by_tens(steps: Sequence[Number]) -> TypeGuard[Sequence[int]]:
    """Return whether digits stand for tens, as in a scale of fives: 5 must not be the one digit taken literally."""
    digits, tens = [step for step in steps if 0 < step <= DIGIT_KEYS], [step for step in steps if step % 10 == 0]
    whole = all(isinstance(step, int) for step in steps)
    return whole and steps[0] == 0 and steps[-1] > 2 * 10 and len(digits) == 1 and len(tens) > len(digits) + 1


class StepsQuestion(ButtonQuestion):
    """Scale with a button per step."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._steps = scale_steps(question)

    def _value_for(self, index: int) -> Any:
        return self._steps[index]

    def show_value(self, value: Any, *, current: bool) -> None:
        self._value = value
        for index, (step, button) in enumerate(zip(self._steps, self._buttons, strict=True)):
            button.setChecked(value is not None and same_value(step, value))
            cap = self._cap_text(index)
            button.set_key(cap if current and cap not in self.taken_keys else "")

    def _cap_text(self, index: int) -> str:
        """Return the key shown on the cap of a step while the question is the current one."""
        raise NotImplementedError

    def show_suggestion(self, value: Any) -> None:
        for step, button in zip(self._steps, self._buttons, strict=True):
            button.set_suggested(value is not None and same_value(step, value))


class ScaleQuestion(StepsQuestion):
    """Scale with the sentence of each step or the names of its ranges in view."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._keys = step_keys(self._steps)
        self._current = False
        bands = scale_bands(question, self._steps)
        steps = [self._make_step(index, banded=bool(bands)) for index in range(len(self._steps))]
        self.field = ScaleField(steps, bands)
        if any(map(self._cap_text, range(len(steps)))) and not self.field.in_lines:
            for button in steps:  # buttons in a row have one width, with or without a key
                button.reserve_key()
        self.put(self.field)

    def _make_step(self, index: int, *, banded: bool) -> ScaleStep:
        step = self._steps[index]
        meaning = step_meaning(self.question, step)
        button = ScaleStep(step_text(step), "" if banded else meaning)
        button.set_meaning(meaning or self._meaning_between(index))
        button.setObjectName(f"step_{self.question.id}_{step}")
        if self._cap_text(index):
            button.reserve_key()
        self._add_button(button, len(self._steps))
        return button

    def _meaning_between(self, index: int) -> str:
        """Return the meaning of a step between two steps that have a sentence."""
        neighbours = self._steps[max(0, index - 1)], self._steps[min(index + 1, len(self._steps) - 1)]
        before, after = (step_meaning(self.question, step) for step in neighbours)
        return self.tr("between “{one}” and “{other}”").format(one=before, other=after) if before and after else ""

    def _cap_text(self, index: int) -> str:
        """Return the key shown on the cap of a step; none if the label is the key."""
        key = self._keys[index]
        return "" if key == step_text(self._steps[index]) else key

    def show_value(self, value: Any, *, current: bool) -> None:
        super().show_value(value, current=current)
        self._current = current
        self.field.choose(next((index for index, button in enumerate(self._buttons) if button.isChecked()), None))

    @property
    def rail_keys(self) -> frozenset[str]:
        return frozenset(self._keys)

    def take_key(self, key: str) -> bool:
        """Choose the step of a digit, if this is the current question."""
        if not self._current or not key or key not in self._keys:
            return False
        self._answer(self._keys.index(key))
        return True


def step_text(step: Number) -> str:
    """Return a step as text, with a minus sign of figure width."""
    return formatting.figure(step)


MAX_STEP_BUTTONS = 31


def is_long_scale(question: Question) -> bool:
    """Return whether a question is a scale with too many steps for a button each."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    return question.kind == "scale" and round((high - low) / step) >= MAX_STEP_BUTTONS


class LongScaleQuestion(NumberQuestion):
    """Number field that accepts the steps only, with a legend beneath it."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._offered = ScaleDomain(low=question.min or 0, high=question.max or 0, step=question.step or 1)
        meanings = [f"{step_text(anchor.at)} {anchor.label}" for anchor in question.anchors]
        if not meanings:
            up_to = self.tr("{level} up to {n}")
            meanings = [up_to.format(level=level.label, n=step_text(level.to)) for level in question.levels]
        if meanings:
            self.add_beneath(self._legend("  ·  ".join(meanings)))

    def _legend(self, text: str) -> QWidget:
        legend = WrappedLabel(text, name=f"legend_{self.question.id}")
        theme.set_type(legend, "small")
        theme.set_ink(legend)
        return legend

    def offers(self, number: float) -> bool:
        return self._offered.offers(number)
