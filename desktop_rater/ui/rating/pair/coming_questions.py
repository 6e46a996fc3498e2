"""Questions that an answer to the current question would add. Pure."""

from PySide6.QtCore import QCoreApplication

from desktop_rater.model import edit
from desktop_rater.model.rubric import Choice, Question
from desktop_rater.model.values import Place
from desktop_rater.rubric import check_rating
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.rating_state import RatingState

MAX_TRIED_CHOICES = 9


def coming_questions(state: RatingState, place: Place, current: str) -> dict[str, tuple[Choice, ...]]:
    """Return the questions of a place that are asked only after some answers to an open one, with these answers."""
    question = state.rubric.questions[current].question
    asked = {active.question.id: active.asked.value for active in state.questions(place)}
    tried = question.choices[:MAX_TRIED_CHOICES] if question.kind == "choice" and asked.get(current) is None else ()
    coming: dict[str, tuple[Choice, ...]] = {}
    for choice in tried:
        rating = edit.with_answer(state.rating, place, current, choice.id)
        outcome = check_rating(state.rubric, state.task, rating, before=state.outcome)
        for active in task_stops.form_questions(state.rubric, outcome, place):
            name = active.question.id
            if name not in asked:
                coming[name] = (*coming.get(name, ()), choice)
    return coming


def condition_text(question: Question, choices: tuple[Choice, ...]) -> str:
    """Return with which answers to `question` another one is asked."""
    translate = QCoreApplication.translate
    left_out = [choice.label for choice in question.choices if choice not in choices]
    if not left_out:
        return translate("ComingQuestions", "asked with any answer")
    if len(left_out) == 1 and len(choices) > 1:
        return translate("ComingQuestions", "asked with any answer but {label}").format(label=left_out[0])
    either = translate("ComingQuestions", " or ").join(choice.label for choice in choices)
    return translate("ComingQuestions", "asked with {labels}").format(labels=either)
