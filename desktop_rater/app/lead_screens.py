"""Screens of a QA lead and of plug-ins: their modules are loaded on first use."""

from collections.abc import Sequence
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from desktop_rater.hooks import load_rows, resolve
from desktop_rater.pages.web_client import Web
from desktop_rater.translation import N_
from desktop_rater.ui.hub.exchange import HubContext
from desktop_rater.ui.window.action_row import ScreenRow
from desktop_rater.ui.window.screens import LEAD, REPORT, REVIEW, Screen, Screens

if TYPE_CHECKING:
    from desktop_rater.ui.window.screen_context import ScreenContext

_ROLE = "role"  # the banner that asks for it
LOAD_AHEAD_MS = 1_500
_AHEAD = ("desktop_rater.ui.review.screen", "desktop_rater.ui.hub.commands", "desktop_rater.ui.report.screen")
_ROWS = {
    REVIEW: ScreenRow(N_("ScreenTabs", "Review"), "desktop_rater.ui.review.screen:ReviewScreen"),
    REPORT: ScreenRow(N_("ScreenTabs", "Report"), "desktop_rater.ui.report.screen:ReportScreen"),
}


class LeadScreens(QObject):
    """Adds the screens beside the rating screen to the window; creates them and their context on first use."""

    results_imported = Signal(object)  # ImportedResults

    def __init__(self, hub_context: HubContext, *, screens: Screens, web: Web) -> None:
        super().__init__(hub_context.perform)
        self._hub_context = hub_context
        self._screens = screens
        self._web = web
        # Those of the core come first, and are not replaced.
        screens.offer({**_ROWS, **load_rows("screens"), **_ROWS}, self._create)
        hub_context.preferences.changed.connect(lambda name: self._load_ahead() if name == "role" else None)
        if hub_context.preferences.now.role == LEAD:
            QTimer.singleShot(LOAD_AHEAD_MS, hub_context.window, self._load_ahead)

    def _load_ahead(self) -> None:
        """Load the modules of a lead's review while the window is idle: when it is opened that would be a gap."""
        shared = self._hub_context
        if shared.preferences.now.role == LEAD:
            shared.perform.fetch(
                lambda _progress: (*map(import_module, _AHEAD), load_rows("review_parts")), done=lambda _loaded: None
            )

    @cached_property
    def context(self) -> "ScreenContext":
        """The parts of the window that the lead's screens share."""
        from desktop_rater.ui.review.results_import import AuditedBundle, ResultsImporter  # noqa: PLC0415 - lead only
        from desktop_rater.ui.window.screen_context import ScreenContext  # noqa: PLC0415 - lead only

        shared = self._hub_context
        audited = AuditedBundle(shared.perform, shared.window)
        results = ResultsImporter(shared.perform, audited, shared.window.banners, shared.rater, shared.now)
        results.wanted.connect(lambda: self._screens.go(REVIEW))
        audited.imported.connect(self.results_imported)
        return ScreenContext(
            window=shared.window,
            perform=shared.perform,
            session=shared.session,
            preferences=shared.preferences,
            files=shared.files,
            web=self._web,
            screens=self._screens,
            audited=audited,
            results=results,
            lead=shared.rater,
            now=shared.now,
            hub=shared.window.parts["hub"].lead,
        )

    def open_results(self, paths: Sequence[Path]) -> None:
        self._screens.go(REVIEW)
        self.context.results.import_files(paths)

    def import_dropped(self, paths: Sequence[Path]) -> bool:
        """Import dropped files of records as results if an audit is being reviewed; return whether that was done."""
        if self._screens.name == REVIEW:
            self.context.results.import_files(paths)
        return self._screens.name == REVIEW

    def begin(self) -> None:
        """Open the review in a store with audits and without tasks; ask a new user whether they are a QA lead."""
        from desktop_rater.operations.audit.audit_status import lead_start  # noqa: PLC0415 - a store of tasks needs no audit

        shared = self._hub_context

        def arrived(start: tuple[Sequence[str], bool]) -> None:
            audits, answered = start
            if audits and shared.preferences.now.role == LEAD:
                self._screens.go(REVIEW)
            elif audits and not answered:
                self._ask_role()

        shared.perform.ask(lead_start, done=arrived)

    def _ask_role(self) -> None:
        translate = QCoreApplication.translate
        banners = self._hub_context.window.banners
        text = translate(
            "Start", "There are results of raters here to review, and no tasks to rate. What is your role?"
        )
        ways = ((translate("Start", "QA lead"), LEAD), (translate("Start", "Rater"), "rater"))
        banners.show_banner(_ROLE, "info", text, [(label, partial(self._answer_role, role)) for label, role in ways])

    def _answer_role(self, role: str) -> None:
        from desktop_rater.operations.audit.audit_status import record_role_answer  # noqa: PLC0415 - as above

        shared = self._hub_context
        shared.window.banners.drop(_ROLE)
        shared.preferences.set("role", role)
        shared.perform.perform(record_role_answer)
        if role == LEAD:
            self._screens.go(REVIEW)

    def import_collected(self, project: str) -> None:
        self.context.results.import_collected(project)

    def _create(self, place: str) -> Screen:
        return resolve(place)(self.context)
