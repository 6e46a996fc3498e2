"""Which row belongs to which kind of question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.ui.form.choice import ChoiceQuestion, ChoicesQuestion
from desktop_rater.ui.form.long_scale import LongScale, is_long
from desktop_rater.ui.form.scale import ScaleQuestion
from desktop_rater.ui.form.typed import NumberQuestion, TextQuestion
from desktop_rater.ui.form.wide_scale import WideScale, is_wide

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question
    from desktop_rater.ui.form.question import QuestionRow

KINDS: dict[str, type[QuestionRow]] = {
    "choice": ChoiceQuestion,
    "choices": ChoicesQuestion,
    "scale": ScaleQuestion,
    "text": TextQuestion,
    "number": NumberQuestion,
}


def row_for(question: Question, *, wide: bool = False) -> QuestionRow:
    """A row for a question; where it may be `wide`, a scale whose every step has a name shows the names."""
    if is_long(question):
        return LongScale(question)
    return WideScale(question) if wide and is_wide(question) else KINDS[question.kind](question)
