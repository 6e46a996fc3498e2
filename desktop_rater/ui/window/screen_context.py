"""The parts of the window that the screens of a QA lead use."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from desktop_rater.pages.web_client import Web
from desktop_rater.ui.hub.lead import LeadHubCommands
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.review.results_import import AuditedBundle, ResultsImporter
from desktop_rater.ui.window.action_palette import ActionPalette
from desktop_rater.ui.window.file_dialogs import FileChoice
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import Screens


@dataclass(frozen=True, kw_only=True)
class ScreenContext:
    """Parts shared by the lead's screens. `lead`: the name of the QA lead."""

    window: MainWindow
    perform: WorkRunner
    session: Session
    preferences: Preferences
    files: FileChoice
    web: Web
    screens: Screens
    audited: AuditedBundle
    results: ResultsImporter
    lead: str
    now: Callable[[], datetime]
    hub: LeadHubCommands

    @property
    def palette(self) -> ActionPalette:
        """The searchable list over the window."""
        return self.window.parts["palette"]
