"""Commands of the hub: its two actions, the status line, the dialog and the automatic notices."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QStyle, QSystemTrayIcon

from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.connection import HubDialogController
from desktop_rater.ui.hub.exchange import HubContext, HubExchange
from desktop_rater.ui.hub.lead import LeadHubCommands
from desktop_rater.ui.hub.schedule import ArrivalsImport, HubBanners, SyncNotices, SyncSchedule
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.widgets import formatting

AGE_MS = 20_000
RED_DAYS_SETTING = "sync_red_days"
ARRIVED = {"fetched", "taken"}


class ArrivalNotifier(QObject):
    """Shows how much has arrived, never what it says. A click on the message activates the window."""

    notified = Signal(str)

    def __init__(self, context: HubContext, exchange: HubExchange, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._exchange = exchange
        self._known: frozenset[int] | None = None  # downloads of earlier times, as of the start
        self._icon: QSystemTrayIcon | None = None
        exchange.changed.connect(self._remember_first)
        exchange.settled.connect(self._follow)
        context.session.rating_changed.connect(self.hide)
        context.window.closed.connect(self.hide)

    @property
    def _arrived(self) -> dict[int, str]:
        return {row.key: row.kind for row in self._exchange.hub_state.arrivals if row.state in ARRIVED}

    def _remember_first(self) -> None:
        if self._known is None and self._exchange.hub_state.hub is not None and not self._exchange.is_running:
            self._known = frozenset(self._arrived)

    def _follow(self) -> None:
        """Notify of all that a sync has brought, in one message."""
        if self._exchange.hub_state.hub is None or self._exchange.is_running:
            return
        arrived = self._arrived
        known, self._known = self._known, frozenset(arrived) | (self._known or frozenset())
        new = [kind for key, kind in arrived.items() if known is not None and key not in known]
        if new and self._context.preferences.now.notify == "on" and not self._is_active:
            self._notify(new.count("assignment"), new.count("returned"))

    @property
    def _is_active(self) -> bool:
        active = QApplication.activeWindow()
        window = self._context.window
        return active is not None and (active is window or window.isAncestorOf(active))

    def _notify(self, assigned: int, returned: int) -> None:
        parts = []
        if assigned:
            text = self.tr("1 bundle has arrived.") if assigned == 1 else self.tr("{n} bundles have arrived.")
            parts.append(text.format(n=formatting.number(assigned)))
        if returned:
            text = self.tr("1 bundle was sent back.") if returned == 1 else self.tr("{n} bundles were sent back.")
            parts.append(text.format(n=formatting.number(returned)))
        text = " ".join(parts)
        window = self._context.window
        QApplication.alert(window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._icon is None:
                picture = window.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxInformation)
                self._icon = QSystemTrayIcon(picture, self)
                self._icon.messageClicked.connect(self._open_window)
                self._icon.activated.connect(self._open_window)
            self._icon.show()
            self._icon.showMessage(self.tr("Desktop Rater"), text)
        self.notified.emit(text)

    def _open_window(self) -> None:
        self._context.window.showNormal() if self._context.window.isMinimized() else self._context.window.show()
        self._context.window.raise_()
        self._context.window.activateWindow()
        self.hide()

    def hide(self) -> None:
        """Remove the icon from the system tray."""
        if self._icon is not None:
            self._icon.hide()


class HubCommands(QObject):
    """Create the parts of the hub and connect them."""

    def __init__(self, context: HubContext) -> None:
        super().__init__(context.window)
        self._context = context
        self.exchange = HubExchange(context.perform, context.saver, context.reach, context.rater, self)
        self.banners = HubBanners(context.window)
        self.arrivals = ArrivalsImport(context, self.exchange, self.banners)
        self.notices = SyncNotices(self.exchange, self.banners, self)
        self.notifier = ArrivalNotifier(context, self.exchange, self)
        self.joining = HubDialogController(context, self.exchange, self.arrivals)
        self.lead = LeadHubCommands(context, self.exchange, self.joining.open)
        self.schedule = SyncSchedule(self.exchange, lambda: context.preferences.now, self)
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self._show)
        self._wire(context.desk)
        context.session.rating_changed.connect(self.notices.drop_success)
        context.session.rating_changed.connect(self.arrivals.drop_success)

    def _wire(self, desk: TaskLoader) -> None:
        self.exchange.changed.connect(self._show)
        self._context.preferences.changed.connect(self._set)
        self._context.window.closed.connect(self._stop)
        self.joining.sync_wanted.connect(self.sync)
        self.joining.connecting.found.connect(lambda joined: self.exchange.begin() if joined.is_usable else None)
        self.notices.sync_wanted.connect(self.sync)
        self.notices.hub_wanted.connect(self.joining.open)
        self.notices.sign_in_wanted.connect(self.joining.sign_in)
        desk.all_done.connect(self.schedule.sync_soon)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"sync": self.sync, "hub": self.joining.open, **self.lead.actions()}

    def start(self) -> None:
        """Show the current state and start the schedule."""
        self.exchange.start()
        self.schedule.start()
        self._age.start()

    def sync(self) -> None:
        """F5: sync now; without a hub, open the dialog to connect to one."""
        if self.exchange.hub_state.hub is None:
            self.joining.open()
            return
        if self._context.perform.read_only:
            self.joining.open()  # the dialog says why not
            return
        self._context.session.pause_typing()  # includes the answer that is being typed
        if not self.joining.is_open:
            self.notices.report_next_sync()
        self.exchange.sync(at_once=True)

    def _set(self, name: str) -> None:
        if name == "sync_minutes":
            self.schedule.follow()
        elif name == RED_DAYS_SETTING:
            self._show()

    def _show(self) -> None:
        state = self.exchange.hub_state
        text, ink = texts.status_text(state, self._context.now(), self._context.preferences.now.sync_red_days)
        more = "" if state.hub is None else " ".join(part for part in (state.hub.title, state.hub.paused) if part)
        self._context.window.show_hub_state(text, ink, more)

    def _stop(self) -> None:
        self.schedule.stop()
        self._age.stop()
        self.joining.connecting.cancel()
        self.exchange.cancel()
