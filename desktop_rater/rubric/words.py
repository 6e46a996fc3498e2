"""What the engine says of a rubric's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.rubric.values import same

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question


def label_of(question: Question, value: Any) -> str:
    """How a value of a question is called: its choice's label, its anchor, or itself."""
    for choice in question.choices:
        if same(choice.id, value):
            return choice.label
    for anchor in question.anchors:
        if same(anchor.at, value):
            return anchor.label
    return str(value)


def answer_words(question: Question, value: Any) -> str:
    """An answer in words: of several choices each."""
    parts = value if isinstance(value, list | tuple) else (value,)
    return ", ".join(label_of(question, part) for part in parts)


def required_message(question: Question) -> str:
    """What is said of a required question without an answer."""
    return f"{question.ask} is not answered." if not question.ask.endswith("?") else f"Not answered: {question.ask}"
