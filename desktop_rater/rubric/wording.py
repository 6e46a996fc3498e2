"""Texts about a rubric's questions and answers, and the looks that a choice can have."""

from typing import Any

from desktop_rater.model.rubric import Question
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
