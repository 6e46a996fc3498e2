"""A scale of more steps than buttons are good for: the step is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.rubric.domains import Steps
from desktop_rater.ui import theme
from desktop_rater.ui.form.scale import shown_step
from desktop_rater.ui.form.typed import NumberQuestion
from desktop_rater.ui.plain import WrappedLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.rubric import Question

MOST_BUTTONS = 31


def is_long(question: Question) -> bool:
    """Whether a question is a scale of too many steps for a button each."""
    low, high, step = question.min or 0, question.max or 0, question.step or 1
    return question.kind == "scale" and round((high - low) / step) >= MOST_BUTTONS


class LongScale(NumberQuestion):
    """A number field that takes the steps alone; what some of them mean stands beneath it."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(question, parent)
        self._offered = Steps(low=question.min or 0, high=question.max or 0, step=question.step or 1)
        said = [f"{shown_step(one.at)} {one.label}" for one in question.anchors]
        if not said:
            up_to = self.tr("{level} up to {n}")
            said = [up_to.format(level=one.label, n=shown_step(one.to)) for one in question.levels]
        if said:
            self.put_beneath(self._legend("  ·  ".join(said)))

    def _legend(self, words: str) -> QWidget:
        legend = WrappedLabel(words)
        legend.setObjectName(f"legend_{self.question.id}")
        theme.write(legend, "small")
        theme.quiet(legend)
        return legend

    def offers(self, number: float) -> bool:
        return self._offered.offers(number)
