"""What was done to a rating, step by step, to take back and to do again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_rater.model.difference import plain_content

if TYPE_CHECKING:
    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Rating
    from desktop_rater.work.history import Trail

MOST_TASKS = 30  # of so many tasks of this sitting each step is known; of others what was stored
Key = tuple[str, str]  # bundle, task


@dataclass(frozen=True)
class Step:
    """A rating as it stood, and where the rater stood when it was changed: not known of an earlier sitting.

    `typed`: what changed it was typing.
    """

    rating: Rating
    place: Place | None = None
    rail: str | None = None
    typed: bool = False


class History:
    """Two stacks. Typing in one field, with nothing done elsewhere, is one step.

    `earlier` is the last revision of before this sitting where it is not known yet what was done until then, else 0.
    """

    def __init__(self, earlier: int = 0) -> None:
        self.earlier = earlier
        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self._typing: object = None
        self._begun = False

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back, or may be one."""
        return bool(self._undo or self.earlier)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo or (self.earlier and not self._begun))

    @property
    def knows_undo(self) -> bool:
        """Whether a step can be taken back at once."""
        return bool(self._undo)

    @property
    def knows_redo(self) -> bool:
        return bool(self._redo)

    def add(self, before: Step, typing: object = None) -> None:
        """Something is done to `before.rating`; `typing` names the field that is typed in."""
        if typing is None or typing != self._typing:
            self._undo.append(replace(before, typed=typing is not None))
        self._typing = typing
        self._begun = True
        self._redo.clear()

    def pause(self) -> None:
        """What is typed next is a step of its own."""
        self._typing = None

    def undo(self, rating: Rating) -> Step:
        """The step to go back to; `rating` is what stands there now."""
        self._typing = None
        step = self._undo.pop()
        while self._undo and step.typed and plain_content(step.rating) == plain_content(rating):
            step = self._undo.pop()  # what was typed away and typed again is nothing that could be taken back
        self._redo.append(replace(step, rating=rating))
        return step

    def redo(self, rating: Rating) -> Step:
        self._typing = None
        step = self._redo.pop()
        self._undo.append(replace(step, rating=rating))
        return step

    def reach_back(self, trail: Trail, rating: Rating) -> None:
        """Now it is known what was done before this sitting; `rating` is what stands there now."""
        steps = [Step(one) for one in trail.undo]
        first = self._undo[0].rating if self._undo else rating
        # What was handed over and not stored yet when the task was opened is a step of its own.
        here = _same(trail.now, first)
        self._undo[:0] = steps if here else [*steps, Step(trail.now)]
        if here and not self._begun:
            self._redo = [Step(one) for one in trail.redo]
        self.earlier = 0


class Histories:
    """The histories of the tasks that were on the desk lately, each with the rating that it ends at."""

    def __init__(self) -> None:
        self._kept: dict[Key, tuple[History, Rating]] = {}

    def keep(self, key: Key, history: History, rating: Rating) -> None:
        self._kept.pop(key, None)
        self._kept[key] = history, rating
        while len(self._kept) > MOST_TASKS:
            del self._kept[next(iter(self._kept))]

    def take(self, key: Key, rating: Rating) -> History | None:
        """The history of a task, unless somebody else has changed its rating meanwhile."""
        history, last = self._kept.pop(key, (None, None))
        return history if last is not None and _same(last, rating) else None


def _same(one: Rating, other: Rating) -> bool:
    """Whether two states are one: where a task has changed, a complete one has become incomplete by itself."""
    return {**plain_content(one), "status": ""} == {**plain_content(other), "status": ""}
