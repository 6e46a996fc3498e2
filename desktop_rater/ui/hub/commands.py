"""The hub as the user meets it: two actions, the status line, the dialog, and what is said unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.ui.hub import words as said
from desktop_rater.ui.hub.arrivals import Arrivals
from desktop_rater.ui.hub.banners import HubBanners
from desktop_rater.ui.hub.exchange import Exchange
from desktop_rater.ui.hub.joining import Joining
from desktop_rater.ui.hub.notices import Notices
from desktop_rater.ui.hub.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.hub.around import AroundHub

AGE_MS = 20_000
DAYS = "sync_red_days"


class HubCommands(QObject):
    """Builds the parts and wires them."""

    def __init__(self, around: AroundHub) -> None:
        super().__init__(around.window)
        around.reach.settings = lambda: around.preferences.now
        self._window = around.window
        self._perform = around.perform
        self._preferences = around.preferences
        self._now = around.now
        self._session = around.session
        self.exchange = Exchange(around.perform, around.saver, around.reach, around.rater, self)
        self.banners = HubBanners(around.window)
        self.arrivals = Arrivals(around, self.exchange, self.banners)
        self.notices = Notices(self.exchange, self.banners, self)
        self.joining = Joining(around, self.exchange, self.arrivals)
        self.schedule = Schedule(self.exchange, lambda: around.preferences.now, self)
        self._age = QTimer(self, interval=AGE_MS)
        self._age.timeout.connect(self._show)
        self._wire(around.desk)
        around.session.rating_changed.connect(self.notices.seen)
        around.session.rating_changed.connect(self.arrivals.seen)

    def _wire(self, desk: Desk) -> None:
        self.exchange.changed.connect(self._show)
        self._preferences.changed.connect(self._set)
        self._window.status.hub.clicked.connect(self.joining.open)
        self._window.empty_page.hub_wanted.connect(self.joining.open)
        self._window.closed.connect(self._stop)
        self.joining.sync_wanted.connect(self.sync)
        self.joining.connecting.found.connect(lambda joined: self.exchange.begin() if joined.joined else None)
        self.notices.sync_wanted.connect(self.sync)
        self.notices.hub_wanted.connect(self.joining.open)
        self.notices.sign_in_wanted.connect(self.joining.sign_in)
        desk.all_done.connect(self.schedule.soon)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"sync": self.sync, "hub": self.joining.open}

    def start(self) -> None:
        """Say how things stand, and go by the schedule from now on."""
        self.exchange.start()
        self.schedule.start()
        self._age.start()

    def sync(self) -> None:
        """F5: sync now; without a hub, how to get one."""
        if self.exchange.shown.hub is None:
            self.joining.open()
            return
        if self._perform.read_only:
            self.joining.open()  # which says why not
            return
        self._session.pause_typing()  # what is being typed is an answer by now
        if not self.joining.is_open:
            self.notices.expect()
        self.exchange.sync(at_once=True)

    def _set(self, name: str) -> None:
        if name == "sync_minutes":
            self.schedule.follow()
        elif name == DAYS:
            self._show()

    def _show(self) -> None:
        shown = self.exchange.shown
        status = said.status(shown, self._now(), self._preferences.now.sync_red_days)
        more = "" if shown.hub is None else " ".join(part for part in (shown.hub.title, shown.hub.paused) if part)
        self._window.status.hub.show_words(status.words, status.ink, more)

    def _stop(self) -> None:
        self.schedule.stop()
        self._age.stop()
        self.joining.connecting.cancel()
        self.exchange.cancel()
