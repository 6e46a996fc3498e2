"""How the parts of a task and the questions of a rubric are called in Label Studio."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from desktop_rater.model.rubric import Question

TARGET, CLAIM = "target", "claim"

Control = Literal["choices", "rating", "number", "textarea"]

_STARS = 10
_OWN = re.compile(r"prompt|reference|context|history|rater|note|skip_reason|(?:response|spans|evidence)_[0-9]+")
# What XML 1.0 can't hold.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def fit(text: str) -> str:
    """Text that XML can hold."""
    return _UNFIT.sub("\ufffd", text)


def response_name(number: int) -> str:
    """The object that shows a response, and the key of its text; they are counted from 1."""
    return f"response_{number}"


def spans_name(number: int) -> str:
    """The control that marks the targets and claims of a response."""
    return f"spans_{number}"


def evidence_name(number: int) -> str:
    """The control that holds the evidence of a response."""
    return f"evidence_{number}"


def question_name(question: Question, number: int) -> str:
    """The control of a question for a response; a question of the task has one, whatever the number.

    No question comes near the other names: those of ours have no full stop.
    """
    name = fit(question.id)
    if question.per == "task":
        return f"task.{name}" if _OWN.fullmatch(name) or "." in name else name
    return f"{number}.{name}"


def control_of(question: Question) -> Control:
    """The kind of control that takes the question's answers. Stars count from 1 in whole steps."""
    match question.kind:
        case "choice" | "choices":
            return "choices"
        case "scale":
            stars = question.min == 1 and question.step in (None, 1) and question.max in range(2, _STARS + 1)
            return "rating" if stars else "number"
        case "number":
            return "number"
    return "textarea"
