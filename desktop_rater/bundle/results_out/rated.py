"""One rated task on its way out of results into another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Task
from desktop_rater.rubric import Rubric

if TYPE_CHECKING:
    from desktop_rater.model.rating import Decided


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """A task as it was rated, with its rating in the leaving form, and the bundle that it comes from."""

    bundle: str
    revision: int
    rubric: Rubric
    task: Task
    rating: Rating

    def decided(self, where: str) -> dict[str, Decided]:
        """What the facts decide there: question → what, and by which row."""
        return self.rating.decided.get(where, {})

    def labels(self, where: str, answers: dict[str, Any]) -> dict[str, Any]:
        """What counts there, in the order of the rubric: the answer given, else what was decided."""
        decided = self.decided(where)
        return {
            name: answers.get(name, decided[name].value if name in decided else None)
            for name in self.rubric.order
            if name in answers or name in decided
        }
