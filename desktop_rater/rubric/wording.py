"""Texts about a rubric's questions and answers, their sources, and the looks that a choice can have."""

from typing import Any

from desktop_rater.model.rubric import Choice, Question, SourcedStruct
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.values import same_value


def label_of_value(question: Question, value: Any) -> str:
    """Return the label of a value: its choice's label, its anchor, or itself."""
    for choice in question.choices:
        if same_value(choice.id, value):
            return choice.label
    for anchor in question.anchors:
        if same_value(anchor.at, value):
            return anchor.label
    return str(value)


def format_answer(question: Question, value: Any) -> str:
    """Return an answer as text: the labels of all its choices."""
    parts = value if isinstance(value, list | tuple) else (value,)
    return ", ".join(label_of_value(question, part) for part in parts)


CHOICE_TONES = frozenset({"accurate", "inaccurate", "unsupported", "disputed", "not factual", "skipped"})
CHOICE_SHAPES = frozenset(
    {
        "circle-tick",
        "square-cross",
        "diamond-question",
        "half-circle",
        "ring-bar",
        "ring-plus",
        "square-minus",
        "circle",
        "square",
        "bar-triangle",
        "skipped",
    }
)


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
