"""The language model while justifications are scored: its cost, the lead's word, the run, and its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.scoring.model_run import ModelRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.settings import Settings
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.scoring.model_run import Offer
    from desktop_rater.ui.scoring.page import ScoringPage
    from desktop_rater.work.review import Lead
    from desktop_rater.work.score_justifications import Scores


class ByModel(QObject):
    """`scored` tells that the model's scores are those of the report now."""

    changed = Signal()
    scored = Signal()

    def __init__(
        self,
        page: ScoringPage,
        perform: Perform,
        settings: Callable[[], Settings],
        lead: Callable[[], Lead],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._offer: Offer | None = None
        self._bundle = ""
        self.run = ModelRun(perform, settings, lead, self)
        page.model.agreed.connect(self._start)
        page.model.cancelled.connect(self.run.cancel)
        self.run.offered.connect(self._offered)
        self.run.progressed.connect(page.model.show_run)
        self.run.ended.connect(self._ended)
        self.run.scored.connect(self._scored)
        self.run.failed.connect(self._failed)

    def open(self, bundle: str) -> None:
        """What a run would cost, or how far it is."""
        self._bundle = bundle
        if not self.run.is_running:
            self._page.model.show_waiting()
            self.run.ask_cost(bundle)
        self._page.stack.setCurrentWidget(self._page.model)
        self._page.model.take_focus()

    def close(self) -> None:
        """Another bundle is looked at."""
        self.run.cancel()
        self._offer, self._bundle = None, ""

    @property
    def is_shown(self) -> bool:
        return self._page.stack.currentWidget() is self._page.model

    def _offered(self, offer: Offer) -> None:
        if offer.bundle == self._bundle:
            self._offer = offer
            self._page.model.show_offer(offer)
            if self.is_shown and self._page.isVisible():
                self._page.model.take_focus()

    def _start(self, own: bool) -> None:
        if self._offer is not None:
            self._page.banners.drop("model")
            self._page.model.show_run(0, 0)
            self.run.start(self._offer, own_points=own)
            self._page.model.take_focus()
            self.changed.emit()

    def _ended(self) -> None:
        """What is left to ask costs less than what was offered."""
        self._offer = None
        self._page.model.show_ended()
        if self.is_shown and self._bundle:
            self.run.ask_cost(self._bundle)
        self.changed.emit()

    def _scored(self, scores: Scores, model: str) -> None:
        self._page.scores.show_scores(scores, model)
        if self.is_shown:
            self._page.stack.setCurrentWidget(self._page.scores)
            if self._page.isVisible():
                self._page.scores.setFocus()
        self.scored.emit()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self._page.banners.trouble(error, "model")
