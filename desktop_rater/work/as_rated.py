"""A task as it was rated, whoever asks later: its targets where the rater had them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.bundle.targets import Prepared, prepare

if TYPE_CHECKING:
    from desktop_rater.model.rating import Rating
    from desktop_rater.model.task import Target, Task
    from desktop_rater.rubric import Rubric


class Places:
    """Where the targets of one task stand, found once for all of its ratings. `lang` is the bundle's language."""

    def __init__(self, task: Task, rubric: Rubric, lang: str) -> None:
        self._task = task
        self._rubric = rubric
        self._lang = lang

    def of(self, rating: Rating) -> Task:
        """The targets that find their place, and those that the rating speaks of.

        Whether a place that is only close was taken is the importer's choice, and shows in the rating.
        """
        exact = self._exact
        if not exact.unplaced:
            return exact.task or self._task
        spoken = self._certain | rating.answers.targets.keys() | rating.claims.keys()
        return self._with(frozenset(spoken & self._close.keys()))

    @property
    def all(self) -> Task:
        """With each target that finds a place at all."""
        return self._with(frozenset(self._close)) if self._exact.unplaced else self._exact.task or self._task

    def _with(self, names: frozenset[str]) -> Task:
        return replace(self._task, targets=tuple(one for name, one in self._close.items() if name in names))

    @cached_property
    def _exact(self) -> Prepared:
        return self._prepared(accept_close=False)

    @cached_property
    def _close(self) -> dict[str, Target]:
        close = self._prepared(accept_close=True).task or self._task
        return {target.id: target for target in close.targets or ()}

    @cached_property
    def _certain(self) -> frozenset[str]:
        return frozenset(target.id for target in (self._exact.task.targets if self._exact.task else None) or ())

    def _prepared(self, *, accept_close: bool) -> Prepared:
        return prepare(self._task, per_target=self._rubric.per_target, accept_close=accept_close, lang=self._lang)
