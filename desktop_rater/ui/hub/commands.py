"""Commands of the hub: its two actions, the status line, the dialog and the automatic notices."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.arrival_notifier import ArrivalNotifier
from desktop_rater.ui.hub.connection import HubDialogController
from desktop_rater.ui.hub.context import HubContext
from desktop_rater.ui.hub.exchange import HubExchange
from desktop_rater.ui.hub.schedule import ArrivalsImport, HubBanners, SyncNotices, SyncSchedule
from desktop_rater.ui.rating.task_loader import TaskLoader

AGE_MS = 20_000
RED_DAYS_SETTING = "sync_red_days"


class HubCommands(QObject):
    """Create the parts of the hub and connect them."""

    def __init__(self, context: HubContext) -> None:
        super().__init__(context.window)
        self._context = context
        context.reach.settings = lambda: context.preferences.now
        self.exchange = HubExchange(context.perform, context.saver, context.reach, context.rater, self)
        self.banners = HubBanners(context.window)
        self.arrivals = ArrivalsImport(context, self.exchange, self.banners)
        self.notices = SyncNotices(self.exchange, self.banners, self)
        self.notifier = ArrivalNotifier(context, self.exchange, self)
        self.joining = HubDialogController(context, self.exchange, self.arrivals)
        self.schedule = SyncSchedule(self.exchange, lambda: context.preferences.now, self)
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self._show)
        self._wire(context.desk)
        context.session.rating_changed.connect(self.notices.drop_success)
        context.session.rating_changed.connect(self.arrivals.drop_success)

    def _wire(self, desk: TaskLoader) -> None:
        self.exchange.changed.connect(self._show)
        self._context.preferences.changed.connect(self._set)
        self._context.window.hub_wanted.connect(self.joining.open)
        self._context.window.closed.connect(self._stop)
        self.joining.sync_wanted.connect(self.sync)
        self.joining.connecting.found.connect(lambda joined: self.exchange.begin() if joined.is_usable else None)
        self.notices.sync_wanted.connect(self.sync)
        self.notices.hub_wanted.connect(self.joining.open)
        self.notices.sign_in_wanted.connect(self.joining.sign_in)
        desk.all_done.connect(self.schedule.sync_soon)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"sync": self.sync, "hub": self.joining.open}

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
        status = texts.status_text(state, self._context.now(), self._context.preferences.now.sync_red_days)
        more = "" if state.hub is None else " ".join(part for part in (state.hub.title, state.hub.paused) if part)
        self._context.window.show_hub_state(status.text, status.ink, more)

    def _stop(self) -> None:
        self.schedule.stop()
        self._age.stop()
        self.joining.connecting.cancel()
        self.exchange.cancel()
