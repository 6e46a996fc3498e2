"""Keeps each step on the store's lane as soon as it is made, and reads what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.work.score_by_hand import (
    keep_answers,
    keep_points,
    load_desk,
    place_words,
    score_by_hand,
    trust,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.audit.filed import Audit
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.scoring.sheet import Sheet, Step
    from desktop_rater.work.review import Lead
    from desktop_rater.work.score_by_hand import HandScores


class Keeping(QObject):
    """Of one bundle. Of several times that it is read, the last one counts."""

    came = Signal(object)  # HandDesk
    not_read = Signal(object)
    refused = Signal(object)
    kept = Signal()

    def __init__(self, perform: Perform, lead: Callable[[], Lead], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._lead = lead
        self._asked = 0
        self._place: tuple[str, str] | None = None
        self.bundle = ""

    def read(self) -> None:
        """Read all anew."""
        if not self.bundle:
            return
        self._asked += 1
        self._perform.ask(
            load_desk, self.bundle, done=self._latest(self.came.emit), failed=self._latest(self.not_read.emit)
        )

    def _latest(self, tell: Callable[[object], None]) -> Callable[[object], None]:
        asked = self._asked

        def told(found: object) -> None:
            if asked == self._asked:
                tell(found)

        return told

    def forget(self) -> None:
        """Another bundle is looked at; what comes of this one is heard no more."""
        self._asked += 1
        self.bundle, self._place = "", None

    def read_place(self, sheet: Sheet, audit: Audit, show: Callable[[str], None]) -> None:
        """Of what the text at hand speaks, where that is another place than before."""
        place = sheet.text.task, sheet.text.where
        if place == self._place:
            return
        self._place = place
        show("")
        self._perform.ask(
            place_words,
            audit,
            *place,
            sheet.desk.language,
            done=lambda words: show(words) if place == self._place else None,
        )

    def keep(self, step: Step) -> None:
        """Keep the points, or what was said of a text, as a step left them."""
        after, lead = step.after, self._lead()
        if isinstance(after, tuple):
            self._perform.perform(
                keep_points, self.bundle, step.cluster, after, lead, done=self._told, failed=self.refused.emit
            )
        else:
            self._perform.perform(
                *(keep_answers, self.bundle, step.cluster, step.text, after, lead),
                done=self._told,
                failed=self.refused.emit,
            )

    def _told(self, _change: object) -> None:
        self.kept.emit()

    def trust(self, raters: tuple[str, ...]) -> None:
        """Let these raters' texts count as gold too, and read what that makes of it."""
        self._perform.perform(
            *(trust, self.bundle, raters, self._lead()), done=lambda _done: self.read(), failed=self.refused.emit
        )

    def score(self, done: Callable[[HandScores], None] | None = None) -> None:
        """Score what is answered, and keep the scores for the report."""
        self._perform.perform(score_by_hand, self.bundle, self._lead(), done=done, failed=self.refused.emit)
