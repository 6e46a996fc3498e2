"""Sources: whether the guideline or this project states a question, a decision or a rule."""

from desktop_rater.model.rubric import Choice, Question, SourcedStruct
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


def source_of_question(question: Question) -> SourcedStruct:
    """Return the question, or its first choice if a guideline's question has only choices of the project's own."""
    return question.choices[0] if question.choices and own_choices(question) == question.choices else question


def own_choices(question: Question) -> tuple[Choice, ...]:
    """Return the choices that a project adds to a question of the guideline."""
    if question.source == "project":
        return ()
    return tuple(choice for choice in question.choices if choice.source == "project")
