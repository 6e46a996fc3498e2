"""How the labels of a rubric look in lists: shape and tone where it names them, else words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rater.audit.judged import Judged, judged_questions

if TYPE_CHECKING:
    from desktop_rater.audit.disagreement import Label
    from desktop_rater.audit.judged import Look, Value
    from desktop_rater.rubric import Rubric

MOST_WORDS = 14


@dataclass(frozen=True)
class Token:
    """A label in little room: a shape, or a short word where it has none. `count`: so many raters gave it."""

    shape: str = ""
    tone: str = ""
    words: str = ""
    count: int = 0


HIDDEN, NONE = Token("todo"), Token("nothing")


class Looks:
    """The judged questions of a rubric, by id."""

    def __init__(self, rubric: Rubric | None = None) -> None:
        self.judged: dict[str, Judged] = {one.id: one for one in judged_questions(rubric)} if rubric else {}

    @property
    def closing(self) -> frozenset[str]:
        """The questions whose answers can be the label of a place."""
        return frozenset(name for one in self.judged.values() for name, _value, _label in one.closing)

    def closes(self, question: str, value: Value) -> bool:
        """Whether an answer is the label of its place."""
        return any((question, value) == one[:2] for judged in self.judged.values() for one in judged.closing)

    def look(self, question: str, value: Value) -> Look | None:
        """The look of one value, where the rubric knows it."""
        judged = self.judged.get(question)
        return next((one for one in judged.looks if one.id == value), None) if judged is not None else None

    def words(self, label: Label | None) -> str:
        """A label as it is read; empty without one."""
        if label is None:
            return ""
        judged = self.judged.get(label.question)
        return judged.words(label.value) if judged is not None else str(label.value)

    def token(self, label: Label | None, count: int = 0) -> Token:
        """A label where there is little room."""
        if label is None:
            return Token("nothing", count=count)
        look = self.look(label.question, label.value)
        if look is not None and look.shape:
            return Token(look.shape, look.tone, count=count)
        words = f"{label.value:g}" if isinstance(label.value, float) else self.words(label)
        return Token(words=words if len(words) <= MOST_WORDS else f"{words[: MOST_WORDS - 1]}…", count=count)
