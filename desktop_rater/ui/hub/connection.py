"""Connect to a hub: the trial on a worker thread, and the controller of the dialog."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub, ProbeResult, SignIn
from desktop_rater.operations.hub.connect import connect_to_hub, disconnect_from_hub, probe_hub, trust_lead_key
from desktop_rater.operations.hub.context import StoreRunner
from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.dialog import HubDialog, HubSignIn, is_folder_address
from desktop_rater.ui.hub.exchange import HubContext, HubExchange
from desktop_rater.ui.hub.schedule import ArrivalsImport
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner

TRIAL_TICK_MS = 1_000


class TrialEnvironment(Protocol):
    """Functions needed to try a hub. All are called on the worker thread."""

    def open_for_trial(self, url: str, sign_in: SignIn, certificates: str) -> Hub: ...
    def keep(self, url: str, sign_in: SignIn) -> tuple[str, str]: ...


class HubTrialResult(Change, frozen=True, kw_only=True):
    """Result of a trial. `joined`: the hub is usable, and is now the one to sync with.

    `url` is the address as it is stored. `keeper` names the keyring that stores the password; with `session` no keyring
    does, and `why` gives the reason, unless there simply is no keyring. `lead_text`: who vouches for its bundles.
    """

    url: str
    probe: ProbeResult
    is_usable: bool
    title: str = ""
    keeper: str = ""
    session: bool = False
    why: str = ""
    moved: bool = False
    lead_text: str = ""


class HubConnector(QObject):
    """Runner of one trial at a time. Callbacks of a cancelled trial are ignored."""

    ticked = Signal(int)  # seconds since the trial began
    found = Signal(object)  # Joined
    failed = Signal(object)  # RaterError

    def __init__(
        self, perform: WorkRunner, tries: TrialEnvironment, now: Callable[[], datetime], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._tries = tries
        self._now = now
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._seconds = 0
        self._tick = QTimer(self, interval=TRIAL_TICK_MS)
        self._tick.setTimerType(Qt.TimerType.CoarseTimer)
        self._tick.timeout.connect(self._count_up)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def start(self, values: HubSignIn) -> None:
        if self.is_running:
            return
        self._latest.replace()
        self._seconds = 0
        self._running = self._perform.exchange(
            partial(self._try, values), done=self._latest.only(self._done), failed=self._latest.only(self._fail)
        )
        self._tick.start()
        self.ticked.emit(0)

    def cancel(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._latest.replace()
            self._end()

    def _try(self, values: HubSignIn, on_store: StoreRunner, progress: Progress) -> HubTrialResult:
        """Try the hub. Runs on the network queue."""
        from desktop_rater.hub.address import parse_address  # noqa: PLC0415 - only when it is used

        url = parse_address(values.url, here=Path.home()).url
        sign_in = SignIn(values.user, values.password)
        hub = self._tries.open_for_trial(url, sign_in, values.certificates)
        try:
            probe, marker = probe_hub(hub, progress)
        finally:
            hub.close()
        if marker is None or not probe.usable:
            return HubTrialResult(url=url, probe=probe, is_usable=False, title=marker.title if marker else "")
        connected = on_store(lambda store: connect_to_hub(store, marker, url, values.user, self._now()))
        keeper, why = self._tries.keep(url, sign_in) if values.password else ("", "")
        return HubTrialResult(
            url=url,
            probe=probe,
            is_usable=True,
            title=marker.title or marker.project,
            keeper=keeper,
            session=bool(values.password) and not keeper,
            why=why,
            moved=connected.change == "moved",
            lead_text=texts.lead_key_text(connected.row, connected.lead)[0],
            hub=True,
        )

    def _count_up(self) -> None:
        self._seconds += 1
        self.ticked.emit(self._seconds)

    def _done(self, joined: HubTrialResult) -> None:
        self._end()
        self.found.emit(joined)

    def _fail(self, error: Exception) -> None:
        self._end()
        if isinstance(error, RaterError):  # a bug has the crash dialog
            self.failed.emit(error)

    def _end(self) -> None:
        self._running = None
        self._tick.stop()


RETRIED_KINDS = {"away", "busy", "sign_in"}  # the dialog itself is the way to correct these


class HubDialogController(QObject):
    """Owner of the hub dialog. `sync_wanted` counts as a request by the rater, as F5 does."""

    sync_wanted = Signal()

    def __init__(self, context: HubContext, exchange: HubExchange, arrivals: ArrivalsImport) -> None:
        super().__init__(context.window)
        self._context = context
        self._perform = context.perform
        self._exchange = exchange
        self._arrivals = arrivals
        self._now = context.now
        self._is_listing = False  # the first listing of the hub is under way
        self._tries_next = False  # start the trial when the running sync has ended
        self._dialog: HubDialog | None = None
        self.connecting = HubConnector(context.perform, context.reach, context.now, self)
        self.connecting.found.connect(self._show_result)
        self.connecting.failed.connect(self._failed)
        arrivals.is_shown_elsewhere = lambda: self.is_open
        exchange.changed.connect(self._show)
        exchange.ended.connect(lambda _synced: self._sync_ended())

    @property
    def dialog(self) -> HubDialog:
        """Return the dialog, created on first use to keep the start of the window fast."""
        if self._dialog is None:
            self._dialog = HubDialog(self._context.window, self._now)
            self._connect_pages(self._dialog)
        return self._dialog

    @property
    def is_open(self) -> bool:
        return self._dialog is not None and self._dialog.isVisible()

    def _connect_pages(self, dialog: HubDialog) -> None:
        page, result_page, state = dialog.connect_page, dialog.found_page, dialog.state_page
        page.wanted.connect(self._try)
        page.left.connect(self._leave)
        page.fields.folder_wanted.connect(self._choose_folder)
        page.fields.certificates_wanted.connect(self._choose_certificates)
        result_page.back_wanted.connect(lambda: dialog.go(page))
        result_page.left.connect(self._close_found)
        result_page.import_wanted.connect(self._import)
        state.sync_wanted.connect(self.sync_wanted)
        state.stop_wanted.connect(self._exchange.cancel)
        state.again_wanted.connect(self._send_again)
        state.import_wanted.connect(self._import)
        state.sign_in_wanted.connect(self.sign_in)
        state.other_wanted.connect(self.other)
        state.disconnect_wanted.connect(self._disconnect)
        state.take_wanted.connect(self._take)
        state.trust_wanted.connect(self._trust)
        state.left.connect(dialog.accept)
        self.connecting.ticked.connect(page.show_trial)

    # -- opening

    def open(self) -> None:
        """Show the state of the hub; without a hub, the page to connect to one."""
        if self.is_open:
            return
        if self._exchange.hub_state.hub is None:
            self.other()
            return
        self.dialog.state_page.show_state(self._exchange.hub_state)
        self.dialog.state_page.begin(self._perform.read_only)
        self.dialog.ask(self.dialog.state_page)

    def other(self) -> None:
        """Connect to a hub that replaces the current one."""
        name = None if self._context.rater else ""
        self.dialog.connect_page.begin(None, self._context.preferences.now.hub_certificates, name=name)
        self.dialog.ask(self.dialog.connect_page)

    def sign_in(self) -> None:
        """Ask again for the credentials of the connected hub."""
        hub = self._exchange.hub_state.hub
        if hub is not None:
            self.dialog.connect_page.begin(hub, self._context.preferences.now.hub_certificates, name=None)
            self.dialog.ask(self.dialog.connect_page)

    # -- connecting

    def _choose_folder(self) -> None:
        folder = self._context.files.hub(self.dialog)
        if folder is not None:
            address = f"folder:{folder}"
            self.dialog.connect_page.fields.address.setText(address)
            self.dialog.connect_page.take_focus()

    def _choose_certificates(self) -> None:
        path = self._context.files.certificates(self.dialog)
        if path is not None:
            self.dialog.connect_page.fields.certificates.setText(str(path))

    def _try(self) -> None:
        if not self._exchange.is_running:
            self.connecting.start(self.dialog.connect_page.fields.entered)
            return
        self._tries_next = True  # cancel an automatic sync that is running
        self.dialog.connect_page.show_trial(0)
        self._exchange.cancel()

    def _leave(self) -> None:
        """Esc: stop the trial; otherwise go back to the state page or close the dialog."""
        if self.connecting.is_running or self._tries_next:
            self._tries_next = False
            self.connecting.cancel()
            self.dialog.connect_page.show_error("")
        elif self._exchange.hub_state.hub is not None:
            self.dialog.state_page.show_state(self._exchange.hub_state)
            self.dialog.go(self.dialog.state_page)
        else:
            self.dialog.accept()

    def _failed(self, error: RaterError) -> None:
        kind = error.kind if isinstance(error, HubError) else ""
        if kind in RETRIED_KINDS:  # their hint promises automatic retries, which need a connection
            error = RaterError(error.title, error.message)
        self.dialog.connect_page.show_error(str(error), kind)

    def _show_result(self, joined: HubTrialResult) -> None:

        page, result_page = self.dialog.connect_page, self.dialog.found_page
        values = page.fields.entered
        page.show_trial(None)
        error = ""
        if not joined.is_usable and joined.probe.usable:
            error = self.tr(
                "This location is not a hub yet: it has no hub.json. The project lead sets it up with “hub init”."
            )
        result_page.show_probe(joined.title, joined.probe, self._password_text(joined), error, joined.lead_text)
        if joined.is_usable:
            page.fields.forget_password()
            if not is_folder_address(values.url):  # a folder has none; another hub may need its own again
                self._context.preferences.set("hub_certificates", values.certificates)
            self._is_listing = True
        self.dialog.go(result_page)
        name = page.name.text().strip()
        if joined.is_usable and not self._context.rater and name:
            self.dialog.accept()
            self._context.preferences.set("rater", name)  # the window is then rebuilt, and syncs

    def _password_text(self, joined: HubTrialResult) -> str:
        if joined.keeper:
            return self.tr("The password is stored in {keeper}.").format(keeper=joined.keeper)
        if not joined.session:
            return ""
        text = self.tr(
            "No secure keyring is available. The password is held in memory until the program ends, and is not saved."
        )
        return f"{joined.why} {text}".strip() if joined.why else text

    def _sync_ended(self) -> None:
        self._is_listing = False
        self._show()
        if self._tries_next:
            self._tries_next = False
            self._try()

    def _show(self) -> None:
        state = self._exchange.hub_state
        if not self.is_open:
            return
        if state.hub is not None:
            self.dialog.state_page.show_state(state)
        if self.dialog.page is self.dialog.found_page:
            self.dialog.found_page.show_arrivals(state.to_import, looking=self._is_listing)

    # -- after connecting

    def _close_found(self) -> None:
        self._arrivals.mark_answered()
        self.dialog.accept()

    def _import(self) -> None:
        self.dialog.accept()
        self._arrivals.import_all()

    def _take(self, key: int) -> None:
        self.dialog.accept()
        self._arrivals.import_some(frozenset({key}), unsigned=True)

    def _trust(self, key: str) -> None:

        hub = self._exchange.hub_state.hub
        if hub is not None:
            self._perform.perform(trust_lead_key, hub.project, key, done=lambda _change: self.sync_wanted.emit())

    def _send_again(self) -> None:
        from desktop_rater.operations.hub.transfer import retry_all  # noqa: PLC0415 - only when it is used

        hub = self._exchange.hub_state.hub
        if hub is not None:
            work = partial(retry_all, now=self._now())
            self._perform.perform(work, hub.project, done=lambda _change: self.sync_wanted.emit())

    def _disconnect(self) -> None:

        hub = self._exchange.hub_state.hub
        if hub is not None:
            self.dialog.accept()
            self._perform.perform(disconnect_from_hub, hub.project)
