"""Sources: whether the guideline or this project states a question, a decision or a rule."""

from desktop_rater.model.rubric import Question, SourcedStruct
from desktop_rater.rubric.compiled import Rubric


def source_of_problem(rubric: Rubric, rule: str) -> SourcedStruct | None:
    """Return the question, decision or rule that a problem names; `None` if this rubric has none of that name."""
    kind, _, name = rule.rpartition(":")
    rows: tuple[SourcedStruct, ...] = {
        "required": rubric.file.questions,
        "contradicts": rubric.file.decide,
        "": rubric.file.rules,
    }.get(kind, ())
    return next((row for row in rows if getattr(row, "id", None) == name), None)


def source_of_choices(question: Question) -> SourcedStruct:
    """Return what states the choices of a question: the first that is the project's own, else the question."""
    return next((choice for choice in question.choices if choice.source != question.source), question)
