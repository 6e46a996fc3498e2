"""The dialog at work: it connects, shows what was found, and passes on what the user wants."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.hub.connecting import Connecting, Joined
from desktop_rater.ui.hub.dialog import HubDialog
from desktop_rater.ui.hub.sign_in import is_folder
from desktop_rater.work.connect_hub import disconnect
from desktop_rater.work.send_again import send_again

if TYPE_CHECKING:
    from desktop_rater.ui.hub.around import AroundHub
    from desktop_rater.ui.hub.arrivals import Arrivals
    from desktop_rater.ui.hub.exchange import Exchange

AT_ONCE = {"away", "busy", "sign_in"}  # the way out is the dialog itself


class Joining(QObject):
    """Owns the dialog. `sync_wanted` is the rater's own word, as F5 is."""

    sync_wanted = Signal()

    def __init__(self, around: AroundHub, exchange: Exchange, arrivals: Arrivals) -> None:
        super().__init__(around.window)
        self._perform = around.perform
        self._exchange = exchange
        self._arrivals = arrivals
        self._preferences = around.preferences
        self._files = around.files
        self._rater = around.rater
        self._now = around.now
        self._looking = False  # for the first time, what the hub has
        self._tries_next = False  # as soon as the sync that is under way has ended
        self._window = around.window
        self._dialog: HubDialog | None = None
        self.connecting = Connecting(around.perform, around.reach, around.now, self)
        self.connecting.found.connect(self._found)
        self.connecting.failed.connect(self._failed)
        arrivals.elsewhere = lambda: self.is_open
        exchange.changed.connect(self._show)
        exchange.ended.connect(lambda _synced: self._looked())

    @property
    def dialog(self) -> HubDialog:
        """Made when it is first wanted: the window starts without it."""
        if self._dialog is None:
            self._dialog = HubDialog(self._window, self._now)
            self._connect_pages(self._dialog)
        return self._dialog

    @property
    def is_open(self) -> bool:
        """Whether the dialog is shown."""
        return self._dialog is not None and self._dialog.isVisible()

    def _connect_pages(self, dialog: HubDialog) -> None:
        page, found, state = dialog.connect_page, dialog.found_page, dialog.state_page
        page.wanted.connect(self._try)
        page.left.connect(self._leave)
        page.fields.folder_wanted.connect(self._choose_folder)
        page.fields.certificates_wanted.connect(self._choose_certificates)
        found.back_wanted.connect(lambda: dialog.go(page))
        found.left.connect(self._close_found)
        found.import_wanted.connect(self._import)
        state.sync_wanted.connect(self.sync_wanted)
        state.stop_wanted.connect(self._exchange.cancel)
        state.again_wanted.connect(self._send_again)
        state.import_wanted.connect(self._import)
        state.sign_in_wanted.connect(self.sign_in)
        state.other_wanted.connect(self.other)
        state.disconnect_wanted.connect(self._disconnect)
        state.left.connect(dialog.accept)
        self.connecting.ticked.connect(page.show_trial)

    # -- opening

    def open(self) -> None:
        """How things stand; without a hub, how to get one."""
        if self.is_open:
            return
        if self._exchange.shown.hub is None:
            self.other()
            return
        self.dialog.state_page.show_state(self._exchange.shown)
        self.dialog.state_page.begin(self._perform.read_only)
        self.dialog.ask(self.dialog.state_page)

    def other(self) -> None:
        """Connect to a hub, in the place of the one that there is."""
        name = None if self._rater else ""
        self.dialog.connect_page.begin(None, self._preferences.now.hub_certificates, name=name)
        self.dialog.ask(self.dialog.connect_page)

    def sign_in(self) -> None:
        """Say once more who one is to the hub that is connected."""
        hub = self._exchange.shown.hub
        if hub is not None:
            self.dialog.connect_page.begin(hub, self._preferences.now.hub_certificates, name=None)
            self.dialog.ask(self.dialog.connect_page)

    # -- connecting

    def _choose_folder(self) -> None:
        folder = self._files.hub(self.dialog)
        if folder is not None:
            address = f"folder:{folder}"
            self.dialog.connect_page.fields.address.setText(address)
            self.dialog.connect_page.take_focus()

    def _choose_certificates(self) -> None:
        path = self._files.certificates(self.dialog)
        if path is not None:
            self.dialog.connect_page.fields.certificates.setText(str(path))

    def _try(self) -> None:
        if not self._exchange.is_running:
            self.connecting.start(self.dialog.connect_page.fields.asked)
            return
        self._tries_next = True  # a sync that went by itself makes way
        self.dialog.connect_page.show_trial(0)
        self._exchange.cancel()

    def _leave(self) -> None:
        """Esc: stop the trial; else back to how things stand, or out."""
        if self.connecting.is_running or self._tries_next:
            self._tries_next = False
            self.connecting.cancel()
            self.dialog.connect_page.show_trouble("")
        elif self._exchange.shown.hub is not None:
            self.dialog.state_page.show_state(self._exchange.shown)
            self.dialog.go(self.dialog.state_page)
        else:
            self.dialog.accept()

    def _failed(self, error: RaterError) -> None:
        kind = error.kind if isinstance(error, HubTrouble) else ""
        if kind in AT_ONCE:  # "It is tried again by itself": not before it is connected
            error = RaterError(error.title, error.message)
        self.dialog.connect_page.show_trouble(str(error), kind)

    def _found(self, joined: Joined) -> None:
        page, found = self.dialog.connect_page, self.dialog.found_page
        asked = page.fields.asked
        page.show_trial(None)
        trouble = ""
        if not joined.joined and joined.probe.usable:
            trouble = self.tr(
                "This place is no hub yet: it holds no hub.json. Who leads the project sets it up with “hub init”."
            )
        found.show_probe(joined.title, joined.probe, self._kept(joined), trouble)
        if joined.joined:
            page.fields.forget_password()
            if not is_folder(asked.url):  # which has none, and another hub may need its own again
                self._preferences.set("hub_certificates", asked.certificates)
            self._looking = True
        self.dialog.go(found)
        if joined.joined:
            self._name_rater(page.name.text().strip())

    def _name_rater(self, name: str) -> None:
        """With the name of who rates the window is built anew, and syncs then."""
        if not self._rater and name:
            self.dialog.accept()
            self._preferences.set("rater", name)

    def _kept(self, joined: Joined) -> str:
        """Where the password is; nobody has to guess."""
        if joined.keeper:
            return self.tr("The password is kept in {keeper}.").format(keeper=joined.keeper)
        if not joined.session:
            return ""
        words = self.tr(
            "No keyring here keeps a password safely: it is known until the program ends, and nowhere kept."
        )
        return f"{joined.why} {words}".strip() if joined.why else words

    def _looked(self) -> None:
        self._looking = False
        self._show()
        if self._tries_next:
            self._tries_next = False
            self._try()

    def _show(self) -> None:
        """What is shown while the dialog is open."""
        shown = self._exchange.shown
        if not self.is_open:
            return
        if shown.hub is not None:
            self.dialog.state_page.show_state(shown)
        if self.dialog.page is self.dialog.found_page:
            self.dialog.found_page.show_arrivals(shown.to_import, looking=self._looking)

    # -- what follows

    def _close_found(self) -> None:
        self._arrivals.answered()
        self.dialog.accept()

    def _import(self) -> None:
        self.dialog.accept()
        self._arrivals.take()

    def _send_again(self) -> None:
        hub = self._exchange.shown.hub
        if hub is not None:
            work = partial(send_again, now=self._now())
            self._perform.perform(work, hub.project, done=lambda _change: self.sync_wanted.emit())

    def _disconnect(self) -> None:
        hub = self._exchange.shown.hub
        if hub is not None:
            self.dialog.accept()
            self._perform.perform(disconnect, hub.project)
