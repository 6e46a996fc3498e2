"""Scoring by the language model: cost estimate, the lead's consent, the run, and its scores."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.errors import RaterError
from desktop_rater.settings import Settings
from desktop_rater.ui.scoring.model_run import ModelRun, ModelRunOffer
from desktop_rater.ui.scoring.text_pane import ScoringPage
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit.review import Lead
from desktop_rater.work.scoring.justifications import JustificationScores


class ModelScoring(QObject):
    """Connects the model run with its page. `scored`: the model's scores are now those of the report."""

    changed = Signal()
    scored = Signal()

    def __init__(
        self,
        page: ScoringPage,
        perform: WorkRunner,
        settings: Callable[[], Settings],
        lead: Callable[[], Lead],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._offer: ModelRunOffer | None = None
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
        """Show what a run would cost, or the progress of a run."""
        self._bundle = bundle
        if not self.run.is_running:
            self._page.model.show_waiting()
            self.run.ask_cost(bundle)
        self._page.stack.setCurrentWidget(self._page.model)
        self._page.model.take_focus()

    def close(self) -> None:
        """Cancel the run: another bundle is opened."""
        self.run.cancel()
        self._offer, self._bundle = None, ""

    @property
    def is_shown(self) -> bool:
        return self._page.stack.currentWidget() is self._page.model

    def _offered(self, offer: ModelRunOffer) -> None:
        if offer.bundle == self._bundle:
            self._offer = offer
            self._page.model.show_offer(offer)
            if self.is_shown and self._page.isVisible():
                self._page.model.take_focus()

    def _start(self, own_points: bool) -> None:
        if self._offer is not None:
            self._page.banners.drop("model")
            self._page.model.show_run(0, 0)
            self.run.start(self._offer, own_points=own_points)
            self._page.model.take_focus()
            self.changed.emit()

    def _ended(self) -> None:
        """Estimate the cost again: less is left to ask."""
        self._offer = None
        self._page.model.show_ended()
        if self.is_shown and self._bundle:
            self.run.ask_cost(self._bundle)
        self.changed.emit()

    def _scored(self, scores: JustificationScores, model: str) -> None:
        self._page.scores.show_scores(scores, model)
        if self.is_shown:
            self._page.stack.setCurrentWidget(self._page.scores)
            if self._page.isVisible():
                self._page.scores.setFocus()
        self.scored.emit()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self._page.banners.show_error(error, "model")
