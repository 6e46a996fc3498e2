"""Notification of the desktop when work arrives while the window is in the background."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QStyle, QSystemTrayIcon

from desktop_rater.ui.hub.context import HubContext
from desktop_rater.ui.hub.exchange import HubExchange
from desktop_rater.ui.widgets import formatting

SETTING, ON = "notify", "on"
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
        if new and self._context.preferences.now.notify == ON and not self._is_active:
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
