"""What was done to a rating, step by step, to take back and to do again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Rating


@dataclass(frozen=True)
class Step:
    """A rating as it stood, and where the rater stood when it was changed."""

    rating: Rating
    place: Place
    rail: str | None


class History:
    """Two stacks. Typing in one field, with nothing done elsewhere, is one step."""

    def __init__(self) -> None:
        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self._typing: object = None

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def add(self, before: Step, typing: object = None) -> None:
        """Something is done to `before.rating`; `typing` names the field that is typed in."""
        if typing is None or typing != self._typing:
            self._undo.append(before)
        self._typing = typing
        self._redo.clear()

    def pause(self) -> None:
        """What is typed next is a step of its own."""
        self._typing = None

    def undo(self, rating: Rating) -> Step:
        """The step to go back to; `rating` is what stands there now."""
        self._typing = None
        step = self._undo.pop()
        self._redo.append(replace(step, rating=rating))
        return step

    def redo(self, rating: Rating) -> Step:
        self._typing = None
        step = self._redo.pop()
        self._undo.append(replace(step, rating=rating))
        return step
