"""Build the parts of a window and wire them."""

import secrets
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.app.lead_screens import LeadScreens
from desktop_rater.format.change import Change
from desktop_rater.hooks import hook, installed_plugins, load_row, load_rows
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import Web
from desktop_rater.paths import log_file
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.hubs import current_hub
from desktop_rater.store.store import Store
from desktop_rater.ui.hub.exchange import HubAccess, HubContext
from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.live_support import LiveViewSupport
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.repeat_commands import RepeatCommands
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.rating.task_model import TaskModel
from desktop_rater.ui.rating.work_time import ActiveTime
from desktop_rater.ui.start.bundle_list import BundleProgress
from desktop_rater.ui.store.connections import (
    BackupRunner,
    ReadOnlyMode,
    StoreConnections,
    StorePlace,
    UpdatedStore,
    open_stores,
)
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS
from desktop_rater.ui.window import companions, welcome
from desktop_rater.ui.window.commands import Commands
from desktop_rater.ui.window.companions import Companions
from desktop_rater.ui.window.file_dialogs import FileChoice, FileDialogs, open_in_browser
from desktop_rater.ui.window.jobs import Jobs, WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences, settings_warning
from desktop_rater.ui.window.screens import START, RatingScreen, Screens
from desktop_rater.ui.window.startup import LookUpdater
from desktop_rater.ui.window.transfer import SearchIndexer, Transfer
from desktop_rater.ui.window.window_place import PlaceKeeper

if TYPE_CHECKING:
    from desktop_rater.ui.hub.commands import HubCommands
    from desktop_rater.ui.pages.live_view import LiveView
    from desktop_rater.ui.start.screen import StartScreen


PLUGIN_PARTS_MS = 200  # after a task was opened, which is painted first


class Application(Struct, frozen=True, kw_only=True):
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
    preferences: Preferences
    companions: Companions
    read_only: ReadOnlyMode
    place: StorePlace
    screens: Screens
    lead_screens: LeadScreens
    context: HubContext
    plugin_parts: dict[str, object] = {}  # by the names in the hook `window_parts`

    @property
    def writer(self) -> Store:
        """Return the store to write to; only valid if this window may write."""
        assert self.stores.writer is not None, self.stores.why
        return self.stores.writer

    @property
    def reader(self) -> Store:
        return self.stores.reader

    @property
    def hub(self) -> "HubCommands":
        return self.window.parts["hub"]

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
    window.build(session, saver, TaskModel(perform, rater, jobs), browsing, live, machine)
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
    transfer = Transfer(perform, session, desk, window.banners, files, context.rater, now=now, parent=window)
    window.parts.offer(
        "signer",
        "ui.window.signing:ResultsSigner",
        *(perform, window.banners, context.reach, context.rater, window),
    )
    screens = Screens(window, preferences, RatingScreen(window, session))
    lead_screens = LeadScreens(context, screens=screens, web=web)
    screens.offer_start(lambda: _start_screen(context, screens, transfer, commands))
    _offer_hub(context, transfer, lead_screens)
    _offer_dialogs(window, perform, session, files, now, folder)
    commands = _build_commands(
        context,
        web=web,
        browsing=browsing,
        machine=machine,
        transfer=transfer,
        screens=screens,
        open_url=open_url,
        lead=lead_screens,
    )
    progress = BundleProgress(window.task_list.bundles, perform, preferences, context.rater, now)
    # There is a choice among two or more. Counting reads every task: the one that is opened is read and painted first.
    count = DelayedCall(window, PAINT_FIRST_MS, progress.read)
    after_next = partial(desk.settled.connect, count.start, Qt.ConnectionType.SingleShotConnection)
    desk.bundles_listed.connect(lambda rows: len(rows) > 1 and (count.start() if desk.task else after_next()))
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
        preferences=preferences,
        companions=companions.start_companions(perform, session, desk, window, context.rater, now),
        read_only=ReadOnlyMode(window, folder, stores, commands.actions),
        place=StorePlace(window, perform, context.saver, stores.writer),
        screens=screens,
        lead_screens=lead_screens,
        context=context,
    )


def _build_commands(
    context: HubContext,
    *,
    web: Web,
    browsing: PageBrowser,
    machine: LiveViewSupport | None,
    transfer: Transfer,
    screens: Screens,
    open_url: Callable[[str], None],
    lead: LeadScreens,
) -> Commands:
    window, perform, session, preferences = context.window, context.perform, context.session, context.preferences
    parts, offer = window.parts, window.parts.offer
    offer(
        "pages",
        "ui.pages.commands:PageCommands",
        *(window, session, browsing, perform, context.now, open_url),
        actions="supports contradicts does_not_decide all_claims quote whole_page open_link next_link address "
        "fetch_again open_outside page_back page_forward reader_or_page text_or_page live_script "
        "link_matches link_differs link_dead link_sign_in",
    )
    offer(
        "claim_search",
        "ui.pages.page_search:ClaimSearch",
        *(window, session, browsing, preferences, parts.later("pages", "recorder.add_search"), machine),
        actions="search_claim",
    )
    offer(
        "link_prefetch",
        "ui.pages.page_views:LinkPrefetch",
        *(perform, session, web, window.banners, parts.later("pages", "link_states.read")),
        actions="fetch_task_links fetch_bundle_links",
    )
    offer(
        "stored_search",
        "ui.pages.page_search:StoredSearchCommands",
        *(window, session, browsing, perform, web),
        actions="find_read",
    )
    offer(
        "page_window",
        "ui.window.page_window:PageWindowCommands",
        *(window, session, preferences, lambda: commands),
        actions="page_window",
    )
    offer("pictures", "ui.pages.commands:ResponsePictures", browsing, window.text_pane)
    _offer_rating_parts(context, transfer, browsing)
    commands = Commands(
        window,
        session,
        context.desk,
        transfer,
        preferences,
        browsing,
        screens=screens,
        others=(RepeatCommands(window, session),),
        open_results=lead.open_results,
    )
    offer("palette_sources", "ui.window.action_palette:PaletteSources", context, commands, browsing, screens)
    return commands


def _offer_rating_parts(context: HubContext, transfer: Transfer, browsing: PageBrowser) -> None:
    """Offer the parts of the rating screen besides list, texts, page and form."""
    window, perform, session, desk = context.window, context.perform, context.session, context.desk
    preferences, offer = context.preferences, window.parts.offer
    offer("history", "ui.rating.history_pane:HistoryCommands", window, session, perform, actions="history")
    offer(
        "research",
        "ui.rating.research_commands:ResearchCommands",
        *(window, session, context.now),
        actions="research stopwatch draft_comment",
    )
    offer("practice", "ui.rating.practice:PracticeFlow", window, session, desk, perform, browsing.open)
    offer(
        "returned",
        "ui.rating.returned_tasks:ReturnedCommands",
        *(window, session),
        actions="next_comment previous_comment",
    )
    offer(
        "guide",
        "ui.rating.guided_task:GuidedTask",
        *(window, session, desk, transfer, partial(preferences.set, "guide", "ended")),
        actions="guided_task",
    )
    offer(
        "comparison",
        "ui.rating.comparison:ResponseComparison",
        *(window.text_pane, session, preferences),
        actions="differences scroll_together",
    )
    offer(
        "tool_comparison",
        "ui.rating.comparison:ToolComparison",
        *(window.text_pane, session),
        actions="tool_comparison",
    )
    offer(
        "output",
        "ui.rating.task_search:OutputCommands",
        *(window, session),
        actions="print_task copy_task copy_target",
    )
    offer(
        "writing",
        "ui.rating.writing:WritingCommands",
        *(window, session, perform, preferences, context.rater),
        actions="text_blocks",
    )
    _make_parts_of_tasks(context)


def _make_parts_of_tasks(context: HubContext) -> None:
    """Make the offered parts that an open task, a setting or the focus needs."""
    window, session, preferences = context.window, context.session, context.preferences
    desk, parts = context.desk, context.window.parts

    def follow_task() -> None:
        compares = "on" in {preferences.now.differences, preferences.now.scroll_together}
        if session.comments:
            parts["returned"].refresh()
        if compares and session.task is not None and len(session.task.responses) > 1:
            _ = parts["comparison"]

    def follow_focus(_old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.property("offers") and parts.made("writing") is None and new.window() is window:
            _ = parts["writing"]

    session.opened.connect(follow_task)
    preferences.changed.connect(follow_task)
    desk.bundle_opened.connect(lambda: parts["practice"] if desk.practice else None)
    focus_changed = QApplication.instance().focusChanged  # ty: ignore[missing-attribute]
    focus_changed.connect(follow_focus)
    window.form_pane.destroyed.connect(lambda: focus_changed.disconnect(follow_focus))


def _offer_hub(context: HubContext, transfer: Transfer, lead_screens: LeadScreens) -> None:
    """Offer the parts of the hub, and make them as soon as the store has one."""
    parts, perform = context.window.parts, context.perform
    context.reach.settings = lambda: context.preferences.now

    def make() -> "HubCommands":
        from desktop_rater.ui.hub.commands import HubCommands  # noqa: PLC0415 - many work without a hub

        hub = HubCommands(context)
        hub.exchange.ended.connect(transfer.signer.after_sync)
        hub.lead.results_collected.connect(lead_screens.import_collected)
        hub.start()
        return hub

    parts.offer("hub", make, actions="sync hub hub_publish")
    context.window.hub_wanted.connect(parts.later("hub", "joining.open"))
    perform.ask(current_hub, done=lambda row: parts["hub"] if row is not None else None)
    perform.changed.connect(lambda change: parts["hub"] if change.hub else None)


def _offer_dialogs(
    window: MainWindow,
    perform: WorkRunner,
    session: Session,
    files: FileChoice,
    now: Callable[[], datetime],
    folder: Path,
) -> None:
    """Offer the dialogs about the store and the program, and start the backups."""
    parts, backups = window.parts, BackupRunner(perform, window, folder, now)
    backups.start_later()
    SearchIndexer(perform, window)
    parts.offer("bundles", "ui.window.bundle_dialogs:BundleCommands", window, perform, now, actions="bundles")
    parts.offer(
        "restoring",
        "ui.store.restore:BackupRestorer",
        *(perform, session, window, backups, folder, now, files.backup),
        actions="back_up restore",
    )
    parts.offer(
        "store_check",
        "ui.store.store_check:StoreCheck",
        *(window, perform, folder, parts.later("restoring", "ask")),
        actions="check_store",
    )
    parts.offer("crash", "ui.window.crash_report:CrashReport", window, files)
    parts.offer(
        "help",
        "ui.window.manual:HelpCommands",
        *(window, files, log_file(folder)),
        actions="manual show_log report_problem about",
    )


def _connect(application: Application) -> None:
    window, desk = application.window, application.desk
    titles: dict[str, str] = {}

    def show_bundles(rows: tuple[BundleRow, ...]) -> None:
        titles.update({row.id: row.title for row in rows})
        window.task_list.show_bundles(rows, desk.bundle)
        if all(row.put_away for row in rows):
            window.show_bundle(None)
        window.show_put_away(sum(row.put_away for row in rows))

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
    parts, say, stores = window.parts, application.companions.announcer.say, application.stores
    parts.created = lambda part: part.announced.connect(say) if hasattr(part, "announced") else None
    application.perform.failed.connect(parts.later("store_check", "show_error"))
    application.perform.crashed.connect(parts.later("crash", "show"))

    def warn_journal() -> None:
        if stores.journal_failure or parts.made("store_check") is not None:
            parts["store_check"].warn_journal(stores.journal_failure)

    application.perform.changed.connect(warn_journal)
    if stores.log_was_gone:
        parts["store_check"].warn_missing_log()


def _add_plugins(application: Application) -> None:
    """Create or offer what plug-ins add to the window, and show a banner for those that can't be loaded."""
    parts, groups, session = application.window.parts, load_rows("actions"), application.session
    for name, place in hook("rating_parts").items():
        ids = " ".join(row.id for row in groups.get(name, ()))
        parts.offer(name, partial(load_row, name, place, application), actions=ids)
        make = DelayedCall(application.window, PLUGIN_PARTS_MS, partial(parts.__getitem__, name))
        application.desk.settled.connect(lambda make=make: make.start() if session.task is not None else None)
    application.plugin_parts.update(load_rows("window_parts", application))
    functions = parts.actions
    for part in application.plugin_parts.values():
        if hasattr(part, "actions") and not isinstance(part, QWidget):
            functions = part.actions() | functions  # ty: ignore[not-callable]
    application.commands.add(functions)
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
    application.commands.actions["sample"].triggered.connect(
        lambda: window.parts["guide"].begin_when_open() if preferences.now.guide == "new" else None
    )
    preferences.changed.connect(LookUpdater(preferences).follow)
    window.closed.connect(PlaceKeeper(window, preferences).store)
    preferences.write_failed.connect(lambda error: window.banners.show_error(error, "settings"))
    application.desk.rater_wanted.connect(lambda: welcome.ask_rater_name(window.rating_widget, preferences))
    message = settings_warning(settings)
    if message:
        window.banners.show_banner("settings", "warn", message)


def _start_screen(context: HubContext, screens: Screens, transfer: Transfer, commands: Commands) -> "StartScreen":
    """Create the start page when it is first shown; its modules are not loaded earlier."""
    from desktop_rater.ui.start.screen import StartScreen  # noqa: PLC0415

    shared = {**commands.shared_with_start, "start_guide": context.window.parts.later("guide", "begin")}
    return StartScreen(context, screens, transfer, context.window.parts["hub"], shared)


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


def _live_view(guard: Guard, token: str, machine: LiveViewSupport | None) -> "LiveView":
    """Create the live view when a page is first opened in it; its modules are not loaded earlier."""
    from desktop_rater.ui.pages.live_view import LiveView  # noqa: PLC0415

    return LiveView(guard, token, machine=machine)
