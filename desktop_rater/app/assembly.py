"""Build the parts of a window and wire them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_rater.app.lead_screens import LeadScreens
from desktop_rater.hooks import installed_plugins, load_rows
from desktop_rater.model.change import Change
from desktop_rater.paths import log_file
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.store import Store
from desktop_rater.ui.hub.commands import HubCommands, HubContext
from desktop_rater.ui.hub.exchange import HubAccess
from desktop_rater.ui.hub.lead import LeadHubCommands
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.live_support import LiveViewSupport
from desktop_rater.ui.pages.page_search import ClaimSearch, ResearchRecorder, StoredSearchCommands
from desktop_rater.ui.pages.page_views import LinkListUpdater, LinkPrefetch
from desktop_rater.ui.rating.guided_task import GuidedTask
from desktop_rater.ui.rating.history_pane import HistoryCommands
from desktop_rater.ui.rating.practice import PracticeFlow
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.repeat_commands import RepeatCommands
from desktop_rater.ui.rating.research_commands import ResearchCommands
from desktop_rater.ui.rating.returned_tasks import ReturnedCommands
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.rating.task_model import TaskModel
from desktop_rater.ui.rating.task_search import OutputCommands
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.rating.writing import WritingCommands
from desktop_rater.ui.start.bundle_list import BundleProgress
from desktop_rater.ui.store.connections import ReadOnlyMode, StoreConnections, StorePlace, UpdatedStore, open_stores
from desktop_rater.ui.store.restore import BackupRestorer
from desktop_rater.ui.store.store_check import StoreCheck
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.browser import open_in_browser
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS
from desktop_rater.ui.window import companions, welcome
from desktop_rater.ui.window.bundle_dialogs import BundleCommands
from desktop_rater.ui.window.commands import ActionProvider, Commands
from desktop_rater.ui.window.companions import Companions
from desktop_rater.ui.window.crash_report import CrashReport
from desktop_rater.ui.window.help_commands import HelpCommands
from desktop_rater.ui.window.jobs import Jobs, WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.page_window import PageWindowCommands
from desktop_rater.ui.window.palette_sources import PaletteSources
from desktop_rater.ui.window.preferences import Preferences, settings_warning
from desktop_rater.ui.window.screens import START, RatingScreen, Screens
from desktop_rater.ui.window.signing import ResultsSigner
from desktop_rater.ui.window.startup import LookUpdater
from desktop_rater.ui.window.transfer import FileChoice, FileDialogs, Transfer
from desktop_rater.ui.window.window_place import PlaceKeeper
from desktop_rater.web.guard import Guard
from desktop_rater.web.response import WebLimits
from desktop_rater.web.web_client import Web
from desktop_rater.work.rating import save
from desktop_rater.work.rating.settings_file import SettingsFile

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView
    from desktop_rater.ui.start.screen import StartScreen


@dataclass(frozen=True, kw_only=True)
class Application:
    """All parts of an open window."""

    stores: StoreConnections
    jobs: Jobs
    perform: WorkRunner
    saver: RatingSaver
    session: Session
    web: Web
    browsing: PageBrowser
    desk: TaskLoader
    window: MainWindow
    transfer: Transfer
    commands: Commands
    crash: CrashReport
    preferences: Preferences
    companions: Companions
    restoring: BackupRestorer
    store_check: StoreCheck
    read_only: ReadOnlyMode
    place: StorePlace
    screens: Screens
    lead_screens: LeadScreens
    hub: HubCommands
    lead_hub: LeadHubCommands
    context: HubContext
    plugin_parts: dict[str, object] = field(default_factory=dict)  # by the names in the hook `window_parts`

    @property
    def writer(self) -> Store:
        """Return the store to write to; only valid if this window may write."""
        assert self.stores.writer is not None, self.stores.why
        return self.stores.writer

    @property
    def reader(self) -> Store:
        return self.stores.reader

    def close(self, *, keep_writer: bool = False) -> None:
        """Finish every requested write, then close the stores; the writer not if the next window goes on with it."""
        self.preferences.flush()
        self.jobs.close()
        self.web.close()
        self.stores.close(keep_writer=keep_writer)


def build_application(  # noqa: PLR0913 - the parts that a test or the tour replaces
    folder: Path,
    *,
    rater: str,
    now: Callable[[], datetime],
    clock: Callable[[], float] = time.monotonic,
    files: FileChoice | None = None,
    open_url: Callable[[str], None] = open_in_browser,
    save: Callable[..., Change] = save.save_rating,
    settings: SettingsFile | None = None,
    web: Web | None = None,
    machine: LiveViewSupport | None = None,
    window: MainWindow | None = None,
    updated: UpdatedStore | None = None,
    reach: HubAccess | None = None,
    start_page: bool = False,
) -> Application:
    """Open the store and build a window on it. Raises `RaterError` if the store can't be opened.

    `window` is a bare frame that is shown already, `updated` the result of updating a store of an older version. The
    settings are kept in memory only unless a file of them is given; `reach` opens hubs. If neither the settings nor
    `rater` name the rater, the window asks. `start_page`: begin there if the settings say so and there are bundles.
    """
    settings = settings or SettingsFile()
    rater = rater or settings.settings.rater
    stores = open_stores(folder, now(), updated)
    jobs = Jobs()
    perform = WorkRunner(jobs, stores.writer, stores.reader, jobs, read_only=stores.why)
    saver = RatingSaver(perform, save, now, jobs)
    session = Session(saver, ActiveTime(clock, settings.settings.pause_after), jobs)
    web = web or Web(Guard(proxy=settings.settings.proxy), WebLimits(), clock, now)
    browsing = PageBrowser(perform, session, web, now, jobs)
    live = partial(_live_view, web.guard, secrets.token_urlsafe(24), machine)
    window = window or MainWindow()
    window.build(session, saver, TaskModel(perform, rater, jobs), browsing, live)
    context = HubContext(
        window=window,
        perform=perform,
        saver=saver,
        session=session,
        desk=TaskLoader(perform, session, rater, jobs),
        preferences=Preferences(settings, jobs, jobs),
        files=files or FileDialogs(),
        reach=reach or HubAccess(folder, now),
        rater=rater,
        now=now,
    )
    application = _assemble(
        context, stores=stores, jobs=jobs, web=web, browsing=browsing, machine=machine, open_url=open_url
    )
    _connect(application)
    _add_plugins(application)
    if start_page:
        _begin(application, at_start=settings.settings.open_with == START)
    follow_settings(application, settings)
    theme.add_style_sheet()
    application.desk.start()
    application.hub.start()
    application.restoring.backing_up.start_later()
    return application


def _assemble(
    context: HubContext,
    *,
    stores: StoreConnections,
    jobs: Jobs,
    web: Web,
    browsing: PageBrowser,
    machine: LiveViewSupport | None,
    open_url: Callable[[str], None],
) -> Application:
    """Build the commands and the other parts that work on a complete window."""
    window, perform, session, desk = context.window, context.perform, context.session, context.desk
    preferences, files, now, folder = context.preferences, context.files, context.now, stores.reader.folder
    signer = ResultsSigner(perform, window.banners, context.reach, context.rater, window)
    transfer = Transfer(perform, session, desk, window.banners, files, signer, now=now, parent=window)
    restoring = BackupRestorer(perform, session, window, folder, now=now, choose=files.backup)
    store_check = StoreCheck(window, perform, folder, restoring.ask)
    hub = HubCommands(context)
    lead_hub = LeadHubCommands(context, hub.exchange, hub.joining.open)
    screens = Screens(window, preferences, RatingScreen(window, session))
    lead_screens = LeadScreens(context, screens=screens, web=web, hub=lead_hub)
    screens.offer_start(lambda: _start_screen(context, screens, transfer, hub, commands))
    commands = _build_commands(
        context,
        web=web,
        browsing=browsing,
        machine=machine,
        transfer=transfer,
        screens=screens,
        others=(restoring, store_check, hub, lead_hub, HelpCommands(window, files, log_file(folder))),
        open_url=open_url,
        lead=lead_screens,
    )
    progress = BundleProgress(window.task_list.bundles, perform, preferences, context.rater, now)
    desk.bundles_listed.connect(lambda _rows: progress.read())
    return Application(
        stores=stores,
        jobs=jobs,
        perform=perform,
        saver=context.saver,
        session=session,
        web=web,
        browsing=browsing,
        desk=desk,
        window=window,
        transfer=transfer,
        commands=commands,
        crash=CrashReport(window, files),
        preferences=preferences,
        companions=companions.start_companions(perform, session, desk, window, context.rater, now),
        restoring=restoring,
        store_check=store_check,
        read_only=ReadOnlyMode(window, folder, stores, commands.actions),
        place=StorePlace(window, perform, context.saver, stores.writer),
        screens=screens,
        lead_screens=lead_screens,
        hub=hub,
        lead_hub=lead_hub,
        context=context,
    )


def _build_commands(  # noqa: PLR0913 - it wires what the commands use
    context: HubContext,
    *,
    web: Web,
    browsing: PageBrowser,
    machine: LiveViewSupport | None,
    transfer: Transfer,
    screens: Screens,
    others: tuple[ActionProvider, ...],
    open_url: Callable[[str], None],
    lead: LeadScreens,
) -> Commands:
    window, perform, session, preferences = context.window, context.perform, context.session, context.preferences
    searching = ClaimSearch(window, session, browsing, preferences, machine)
    window.preview.machine = machine or window.preview.machine
    ResearchRecorder(session, window.preview.in_view, searching, context.now)
    page_window = PageWindowCommands(window, session, preferences)
    link_updater = LinkListUpdater(
        perform, session, browsing, window.preview.in_view, window.preview.links, context.now
    )
    commands = Commands(
        window,
        session,
        context.desk,
        transfer,
        preferences,
        browsing,
        screens=screens,
        history=HistoryCommands(window, session, perform),
        research=ResearchCommands(window, session, context.now),
        practice=PracticeFlow(window, session, context.desk, perform, browsing.open),
        returned=ReturnedCommands(window, session),
        guide=GuidedTask(window, session, context.desk, transfer),
        others=(
            LinkPrefetch(perform, session, web, window.banners, link_updater),
            StoredSearchCommands(window, session, browsing, perform, web),
            searching,
            page_window,
            BundleCommands(window, perform, context.now),
            RepeatCommands(window, session),
            OutputCommands(window, session),
            WritingCommands(window, session, perform, preferences, context.rater),
            *others,
        ),
        open_url=open_url,
        open_results=lead.open_results,
    )
    page_window.bind(commands.actions, commands.view.trigger_key, commands.menus)
    PaletteSources(context, commands, browsing, screens)
    return commands


def _connect(application: Application) -> None:
    window, desk, commands = application.window, application.desk, application.commands
    titles: dict[str, str] = {}

    def show_bundles(rows: tuple[BundleRow, ...]) -> None:
        titles.update({row.id: row.title for row in rows})
        window.task_list.show_bundles(rows, desk.bundle)
        window.show_put_away(sum(row.put_away for row in rows))
        if all(row.put_away for row in rows):
            window.show_bundle(None)

    def show_opened_bundle(bundle: str) -> None:
        window.show_bundle(titles.get(bundle, bundle))
        window.task_list.show_bundle(bundle)

    desk.bundles_listed.connect(show_bundles)
    window.task_list.put_away_wanted.connect(application.commands.actions["bundles"].trigger)
    desk.bundle_opened.connect(show_opened_bundle)
    desk.prefetched.connect(window.text_pane.prepare)
    after_painting = DelayedCall(
        window.task_list, PAINT_FIRST_MS, lambda: window.task_list.show_open(desk.task, desk.position)
    )
    application.session.opened.connect(after_painting.start)
    window.task_list.model.filled.connect(lambda: window.task_list.show_open(desk.task, desk.position))
    application.perform.failed.connect(application.store_check.show_error)
    application.perform.crashed.connect(application.crash.show)
    for part in (commands.history, commands.practice, commands.returned, commands.guide):
        part.announced.connect(application.companions.announcer.say)
    application.hub.exchange.ended.connect(application.transfer.signer.after_sync)
    application.perform.changed.connect(
        lambda _change: application.store_check.warn_journal(application.stores.journal_failure)
    )
    if application.stores.log_was_gone:
        application.store_check.warn_missing_log()


def _add_plugins(application: Application) -> None:
    """Create what plug-ins add to the window, and show a banner for those that can't be loaded."""
    parts = load_rows("window_parts", application)
    application.plugin_parts.update(parts)
    with_actions = [part for part in parts.values() if hasattr(part, "actions") and not isinstance(part, QWidget)]
    if with_actions:
        application.commands.add(with_actions)
    if faults := installed_plugins().faults:
        application.window.banners.show_banner("plugins", "warn", visible("\n".join(faults)))


def follow_settings(application: Application, settings: SettingsFile) -> None:
    """Apply changed settings to the parts of the window, and report settings that could not be read."""
    window, preferences = application.window, application.preferences

    def follow(name: str) -> None:
        if name == "pause_after":
            application.session.active_time.awake_seconds = preferences.now.pause_after
        elif name == "proxy":
            application.web.guard.use_proxy(preferences.now.proxy)

    preferences.changed.connect(follow)
    guide = application.commands.guide
    application.commands.actions["sample"].triggered.connect(
        lambda: guide.begin_when_open() if preferences.now.guide == "new" else None
    )
    guide.ended.connect(lambda: preferences.set("guide", "ended"))
    preferences.changed.connect(LookUpdater(preferences).follow)
    window.closed.connect(PlaceKeeper(window, preferences).store)
    preferences.write_failed.connect(lambda error: window.banners.show_error(error, "settings"))
    application.desk.rater_wanted.connect(lambda: welcome.ask_rater_name(window.rating_widget, preferences))
    message = settings_warning(settings)
    if message:
        window.banners.show_banner("settings", "warn", message)


def _start_screen(
    context: HubContext, screens: Screens, transfer: Transfer, hub: HubCommands, commands: Commands
) -> StartScreen:
    """Create the start page when it is first shown; its modules are not loaded earlier."""
    from desktop_rater.ui.start.screen import StartScreen  # noqa: PLC0415

    shared = {**commands.shared_with_start, "start_guide": commands.guide.begin}
    return StartScreen(context, screens, transfer, hub, shared)


def _begin(application: Application, *, at_start: bool) -> None:
    """Show the start page as soon as the bundles are listed; without any, the audits or the first-run page."""
    desk = application.desk

    def begin(rows: tuple[BundleRow, ...]) -> None:
        desk.bundles_listed.disconnect(begin)
        if not any(not row.put_away for row in rows):
            application.lead_screens.begin()
        elif at_start:
            application.screens.go(START)

    desk.bundles_listed.connect(begin)


def _live_view(guard: Guard, token: str, machine: LiveViewSupport | None) -> LiveView:
    """Create the live view when a page is first opened in it; its modules are not loaded earlier."""
    from desktop_rater.ui.pages.live_view import LiveView  # noqa: PLC0415

    return LiveView(guard, token, machine=machine)
