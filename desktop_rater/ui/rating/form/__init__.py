"""Rows of the form, by kind of question."""

from desktop_rater.format.rubric import GuidelineDocument, Question
from desktop_rater.ui.rating.form.choice import (
    ChoiceQuestion,
    ChoicesQuestion,
    ListQuestion,
    NumberQuestion,
    TextQuestion,
)
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
    "list": ListQuestion,
}


def question_row(question: Question, document: GuidelineDocument | None = None, *, wide: bool = False) -> QuestionRow:
    """Return a row for a question; with `wide`, a scale whose steps all have names shows them.

    `document`: the guideline that its source stands for.
    """
    row_class = WideScaleQuestion if wide and is_wide_scale(question) else ROW_CLASSES[question.kind]
    row = LongScaleQuestion(question) if is_long_scale(question) else row_class(question)
    row.show_document(document)
    return row
