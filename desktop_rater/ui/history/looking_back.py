"""An earlier state of the rating in the place of the one that counts: to look at, not to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model import edit
from desktop_rater.model.difference import differences
from desktop_rater.rubric import check
from desktop_rater.ui.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.difference import Difference
    from desktop_rater.model.rating import Rating, TimeSpent
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Outcome, Rubric

WENT_BACK = "go back"  # as it is stored with the revision


class LookingBack(Ledger):
    """While it lasts every view shows the earlier state, and nothing can be changed."""

    _present: tuple[Rating, str] | None = None  # what counts, and why that could not be changed

    @property
    def looks_back(self) -> bool:
        return self._present is not None

    @property
    def present(self) -> Rating:
        return self._present[0] if self._present is not None else self.rating

    @property
    def may_go_back(self) -> bool:
        """Whether an earlier state can become the one that counts."""
        return not (self._present[1] if self._present is not None else self.read_only)

    def take(
        self,
        bundle: str,
        task: Task | None,
        rating: Rating | None,
        rubric: Rubric | None,
        spent: TimeSpent | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        self._forget_what_is_shown()
        super().take(bundle, task, rating, rubric, spent, outcome)

    def look_back(self, rating: Rating, words: str, changed: Sequence[Difference] = ()) -> None:
        """Show an earlier state, at the first of what was `changed`; `words` say why nothing can be changed now."""
        self.pause_typing()
        if self._present is None:
            self._present = self.rating, self.read_only
        self.read_only = words
        self._stand_at(changed)
        self._show(self._as_of_now(rating))

    def come_back(self) -> None:
        """Show what counts again."""
        if self._present is not None:
            self._forget_what_is_shown()
            self._show(self.rating)

    def go_back(self, rating: Rating) -> None:
        """Make an earlier state the one that counts: a step like every other, which can be undone."""
        stays = self.looks_back
        self.come_back()
        self.pause_typing()
        rating = self._as_of_now(rating)
        changed = differences(self.rating, rating)
        self.change(rating, WENT_BACK)
        if not stays and not self.read_only:
            self._stand_at(changed)
            self.settle()
            self.count_here()
            self.place_changed.emit()

    def _forget_what_is_shown(self) -> None:
        if self._present is not None:
            (self._rating, self.read_only), self._present = self._present, None

    def _show(self, rating: Rating) -> None:
        """Put a rating before the rater that is stored already."""
        if self.task is None or self.rubric is None or self._source is None:
            return
        self._rating = rating
        self.task = edit.corrected(self._source, rating)
        self._outcome = check(self.rubric, self.task, rating)
        self.settle()
        self.borders_changed.emit()
        self.rating_changed.emit()
        self.place_changed.emit()
