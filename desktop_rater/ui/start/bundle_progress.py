"""The progress and the due date of each bundle in the box above the list of tasks."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject

from desktop_rater.ui.rating.bundle_box import BundleBox, BundleChoice
from desktop_rater.ui.start import texts
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.work.rating.overview import read_progress
from desktop_rater.work.rating.start_rules import BundleOverview, ordered_bundles


class BundleProgress(QObject):
    """Reads the progress when the bundles are listed, and when the box is opened."""

    def __init__(
        self, box: BundleBox, perform: WorkRunner, preferences: Preferences, rater: str, now: Callable[[], datetime]
    ) -> None:
        super().__init__(box)
        self._box = box
        self._preferences = preferences
        self._now = now
        self.read = partial(perform.ask, read_progress, rater, done=self._show)
        box.opening.connect(self.read)

    def _show(self, bundles: tuple[BundleOverview, ...]) -> None:
        ordered = ordered_bundles(bundles, self._preferences.now.bundle_order)
        self._box.show_details([BundleChoice(bundle.id, "", self._detail(bundle)) for bundle in ordered])

    def _detail(self, bundle: BundleOverview) -> str:
        due = texts.due_text(bundle) if bundle.due and bundle.open else ""
        return ", ".join(part for part in (texts.progress_text(bundle), due) if part)
