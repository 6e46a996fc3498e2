"""Rows of the form, by kind of question."""

from desktop_rater.format.rubric import Question
from desktop_rater.ui.rating.form.choice import ChoiceQuestion, ChoicesQuestion, NumberQuestion, TextQuestion
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.form.scale import (
    LongScaleQuestion,
    ScaleQuestion,
    WideScaleQuestion,
    is_long_scale,
    is_wide_scale,
)

ROW_CLASSES: dict[str, type[QuestionRow]] = {
    "choice": ChoiceQuestion,
    "choices": ChoicesQuestion,
    "scale": ScaleQuestion,
    "text": TextQuestion,
    "number": NumberQuestion,
}


def question_row(question: Question, *, wide: bool = False) -> QuestionRow:
    """Return a row for a question; with `wide`, a scale whose steps all have names shows them."""
    if is_long_scale(question):
        return LongScaleQuestion(question)
    return WideScaleQuestion(question) if wide and is_wide_scale(question) else ROW_CLASSES[question.kind](question)
