"""Automatic syncs, and the import of what they download."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.model.change import Progress
from desktop_rater.settings import Settings
from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.context import HubContext
from desktop_rater.ui.hub.exchange import HubExchange
from desktop_rater.ui.hub.notices import HubBanners
from desktop_rater.ui.hub.texts import MOST_NAMED
from desktop_rater.ui.widgets import formatting
from desktop_rater.work.hub.context import SyncResult

if TYPE_CHECKING:
    from desktop_rater.work.hub.receive import ImportedArrivals

ARRIVALS_BANNER, IMPORT_BANNER, HIDING_BANNER = "arrivals", "importing", "hiding"


class ArrivalsImport(QObject):
    """Question whether to import, shown unless the hub dialog shows it already."""

    def __init__(self, context: HubContext, exchange: HubExchange, banners: HubBanners) -> None:
        super().__init__(context.window)
        self._perform = context.perform
        self._exchange = exchange
        self._banners = banners
        self._desk = context.desk
        self._rater = context.rater
        self._now = context.now
        self._answered: frozenset[int] = frozenset()
        self._asked_keys: frozenset[int] = frozenset()
        self._running: Progress | None = None
        self.is_shown_elsewhere: Callable[[], bool] = lambda: False  # whether another place shows it
        exchange.changed.connect(self._show_question)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def _show_question(self) -> None:
        arrivals = self._exchange.hub_state.to_import
        keys = frozenset(arrival.key for arrival in arrivals)
        if not keys - self._answered or self.is_running or self.is_shown_elsewhere():
            if self._asked_keys and not keys & self._asked_keys:
                self._asked_keys = frozenset()
                self._banners.drop(ARRIVALS_BANNER)
            return
        if keys == self._asked_keys:
            return
        self._asked_keys = keys
        ways = [(self.tr("Import"), self.import_all), (self.tr("Later"), partial(self._later, keys))]
        banner = self._banners.show_banner(ARRIVALS_BANNER, "info", texts.arrivals_text(arrivals), ways)
        banner.close_button.clicked.connect(partial(self._later, keys))

    def _later(self, keys: frozenset[int], _checked: bool = False) -> None:
        self._answered |= keys
        self._asked_keys = frozenset()

    def drop_success(self) -> None:
        """Remove the success banner once a question is answered."""
        banner = self._banners.banner(IMPORT_BANNER)
        if banner is not None and banner.kind == "info" and not self.is_running:
            self._banners.drop(IMPORT_BANNER)

    def mark_answered(self) -> None:
        self._later(frozenset(arrival.key for arrival in self._exchange.hub_state.to_import))

    def import_all(self) -> None:
        self.import_some(frozenset(arrival.key for arrival in self._exchange.hub_state.to_import))

    def import_some(self, keys: frozenset[int], *, unsigned: bool = False, hide_work: bool = False) -> None:
        """Import some of the downloads; `unsigned` and `hide_work` are the rater's word for them."""
        from desktop_rater.work.hub.receive import import_arrivals  # noqa: PLC0415 - only when it is used

        state = self._exchange.hub_state
        if state.hub is None or not keys or self.is_running:
            return
        self._answered |= keys
        self._asked_keys = frozenset()
        self._banners.drop(ARRIVALS_BANNER)
        ways = [(self.tr("Cancel"), self._cancel)]
        self._banners.show_banner(IMPORT_BANNER, "info", self.tr("Importing from the hub …"), ways)
        self._running = self._perform.perform(
            partial(import_arrivals, now=self._now, only=keys, unsigned=unsigned, hide_work=hide_work),
            state.hub.project,
            self._rater,
            done=partial(self._imported, unsigned=unsigned),
            failed=self._failed,
            progressed=self._progressed,
        )

    def _cancel(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._running = None
            self._exchange.start()  # complete imports are already recorded

    def _progressed(self, count: int, total: int) -> None:
        banner = self._banners.banner(IMPORT_BANNER)
        if banner is not None and total and self.is_running:
            template = self.tr("Importing from the hub: {done} of {total}")
            banner.label.setText(template.format(done=formatting.number(count), total=formatting.number(total)))

    def _imported(self, result: ImportedArrivals, *, unsigned: bool = False) -> None:
        self._running = None
        self._banners.drop(IMPORT_BANNER)
        hiding = [item for item in result.held if item.why]
        if hiding:
            keys = frozenset(item.arrival.key for item in hiding)
            import_anyway = partial(self.import_some, keys, unsigned=unsigned, hide_work=True)
            ways = [(self.tr("Import anyway"), import_anyway), (self.tr("Not now"), lambda: None)]
            why = " ".join(item.why for item in hiding[:MOST_NAMED])
            self._banners.show_banner(HIDING_BANNER, "warn", why, ways)
        if result.refused:
            why = "; ".join(item.why.rstrip(".") for item in result.refused[:MOST_NAMED])
            self._banners.show_banner(IMPORT_BANNER, "block", self.tr("Not imported: {why}.").format(why=why))
        elif result.lost:
            message = self.tr("A downloaded file is missing. It will be downloaded again at the next sync.")
            self._banners.show_banner(IMPORT_BANNER, "warn", message)
        elif result.imported:
            tasks = sum(bundle.imported for bundle in result.imported)
            template = self.tr("1 task was imported.") if tasks == 1 else self.tr("{n} tasks were imported.")
            self._banners.show_banner(IMPORT_BANNER, "info", template.format(n=formatting.number(tasks)))
        if result.imported and not self._desk.task:
            self._desk.open_bundle(result.imported[0].id)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.show_banner(IMPORT_BANNER, "block", str(error))


FIRST_SYNC_MS, SOON_MS, MINUTE_MS = 4_000, 1_500, 60_000
MIN_RETRY_MS = 1_000
# Retrying these automatically does not help, and may lock an account. Other errors may resolve themselves: the
# login page of a hotel, a missing USB stick. Nothing is written until the marker is right.
NEEDS_USER = {"sign_in", "rights"}


class SyncSchedule(QObject):
    """Two timers: one for the interval, one for an earlier retry."""

    def __init__(self, exchange: HubExchange, settings: Callable[[], Settings], parent: QObject) -> None:
        super().__init__(parent)
        self._exchange = exchange
        self._settings = settings
        self._network: QObject | None = None
        self.round = QTimer(self)
        self.round.timeout.connect(self._sync)
        self.retry_timer = QTimer(self, singleShot=True)
        self.retry_timer.timeout.connect(self._sync)
        exchange.ended.connect(self._ended)

    @property
    def is_on(self) -> bool:
        return self._settings().sync_minutes > 0

    def start(self) -> None:
        """Start the timers, with a delay so that the window can finish loading."""
        self.follow()
        if self.is_on:
            self.retry_timer.start(FIRST_SYNC_MS)
            QTimer.singleShot(FIRST_SYNC_MS, self, self._follow_network)

    def follow(self) -> None:
        self.round.stop()
        if self.is_on:
            self.round.start(self._settings().sync_minutes * MINUTE_MS)
        else:
            self.retry_timer.stop()

    def sync_soon(self) -> None:
        """Sync soon: a bundle is complete, or the network is back."""
        if self.is_on:
            self.retry_timer.start(SOON_MS)

    def stop(self) -> None:
        self.round.stop()
        self.retry_timer.stop()

    def _sync(self) -> None:
        hub = self._exchange.hub_state.hub
        if hub is not None and hub.paused_kind not in NEEDS_USER:
            self._exchange.sync(at_once=False)

    def _ended(self, synced: SyncResult | None) -> None:
        """Retry at the time a sync suggests, if that is before the next interval."""
        if synced is not None and synced.again is not None and self.is_on:
            wait = max(MIN_RETRY_MS, int(synced.again * 1_000))
            if wait < self.round.remainingTime():
                self.retry_timer.start(wait)

    def _follow_network(self) -> None:
        """Sync when the network returns, on systems that report it."""
        from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - it asks the system, which may take a while

        if QNetworkInformation.loadBackendByFeatures(QNetworkInformation.Feature.Reachability):
            network = QNetworkInformation.instance()
            self._network = network
            network.reachabilityChanged.connect(self._reached)

    def _reached(self, reach: object) -> None:
        from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - loaded by now

        if reach == QNetworkInformation.Reachability.Online and self._exchange.hub_state.offline:
            self.sync_soon()
