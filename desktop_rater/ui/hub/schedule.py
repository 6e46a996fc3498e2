"""When the window syncs by itself: soon after the start, every so many minutes, and when there is a reason to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.settings import Settings
    from desktop_rater.ui.hub.exchange import Exchange
    from desktop_rater.work.synced import Synced

AFTER_START_MS, SOON_MS, MINUTE_MS = 4_000, 1_500, 60_000
LEAST_AGAIN_MS = 1_000
# Trying these again by itself helps nobody, and may lock somebody out. All others may mend themselves: a login page of
# a hotel is left behind, a stick is put in. Until the marker is right nothing is written.
FOR_SOMEBODY = {"sign_in", "rights"}


class Schedule(QObject):
    """Two clocks: one goes round, the other one runs when something is worth another try sooner."""

    def __init__(self, exchange: Exchange, settings: Callable[[], Settings], parent: QObject) -> None:
        super().__init__(parent)
        self._exchange = exchange
        self._settings = settings
        self._network: QObject | None = None
        self.round = QTimer(self)
        self.round.timeout.connect(self._sync)
        self.sooner = QTimer(self)
        self.sooner.setSingleShot(True)
        self.sooner.timeout.connect(self._sync)
        exchange.ended.connect(self._ended)

    @property
    def is_on(self) -> bool:
        """Whether anything goes by itself."""
        return self._settings().sync_minutes > 0

    def start(self) -> None:
        """Begin; nothing is asked before the window has come to rest."""
        self.follow()
        if self.is_on:
            self.sooner.start(AFTER_START_MS)
            QTimer.singleShot(AFTER_START_MS, self, self._follow_network)

    def follow(self) -> None:
        """Go as often as the settings say now."""
        self.round.stop()
        if self.is_on:
            self.round.start(self._settings().sync_minutes * MINUTE_MS)
        else:
            self.sooner.stop()

    def soon(self) -> None:
        """There is a reason: a bundle is complete, or the network is back."""
        if self.is_on:
            self.sooner.start(SOON_MS)

    def stop(self) -> None:
        """The window closes."""
        self.round.stop()
        self.sooner.stop()

    def _sync(self) -> None:
        hub = self._exchange.shown.hub
        if hub is not None and hub.paused_kind not in FOR_SOMEBODY:
            self._exchange.sync(at_once=False)

    def _ended(self, synced: Synced | None) -> None:
        """What mends itself is tried again when it may be, even where the round takes longer."""
        if synced is not None and synced.again is not None and self.is_on:
            wait = max(LEAST_AGAIN_MS, int(synced.again * 1_000))
            if wait < self.round.remainingTime():
                self.sooner.start(wait)

    def _follow_network(self) -> None:
        """Where the system tells it, the network's return is a reason to sync."""
        from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - it asks the system, which may take a while

        if QNetworkInformation.loadBackendByFeatures(QNetworkInformation.Feature.Reachability):
            network = QNetworkInformation.instance()
            self._network = network
            network.reachabilityChanged.connect(self._reached)

    def _reached(self, reach: object) -> None:
        from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - loaded by now

        if reach == QNetworkInformation.Reachability.Online and self._exchange.shown.offline:
            self.soon()
