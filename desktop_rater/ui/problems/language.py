"""What the engine says around a rubric's own words, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from desktop_rater.model.rating import Problem

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

# As `rubric.check` and `rubric.words` write it: the words of the rubric stand for {said}.
FRAMES = (
    QT_TRANSLATE_NOOP("ProblemLanguage", "The guideline says {said}."),
    QT_TRANSLATE_NOOP("ProblemLanguage", "Not answered: {said}"),
    QT_TRANSLATE_NOOP("ProblemLanguage", "{said} is not answered."),
)
DECIDED = FRAMES[0]


def said_of(problem: Problem) -> str:
    """The message of a problem, or its rule where it has none."""
    text = problem.message or problem.rule
    if problem.rule.startswith("contradicts:"):
        before, begins, after = text.rpartition(DECIDED.partition("{said}")[0])
        if begins:
            return f"{before}{_framed(DECIDED, begins + after)}"
    if problem.rule.startswith("required:"):
        return next((framed for frame in FRAMES[1:] if (framed := _framed(frame, text))), text)
    return text


def _framed(frame: str, text: str) -> str:
    """`text` in the translated frame; "" where it is not in that frame."""
    before, _, after = frame.partition("{said}")
    if not (text.startswith(before) and text.endswith(after)):
        return ""
    said = text.removeprefix(before).removesuffix(after)
    return QCoreApplication.translate("ProblemLanguage", frame).format(said=said)
