"""What came from the hub: one question for all of it, and then it is imported. Nobody is asked twice in a sitting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.ui import spelling
from desktop_rater.ui.hub import words as said
from desktop_rater.work.take_arrivals import take_arrivals

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.hub.around import AroundHub
    from desktop_rater.ui.hub.banners import HubBanners
    from desktop_rater.ui.hub.exchange import Exchange
    from desktop_rater.work.take_arrivals import Taken

BANNER, WORK = "arrivals", "importing"
MOST_NAMED = 3


class Arrivals(QObject):
    """Says what is there, unless the hub's dialog says it already."""

    def __init__(self, around: AroundHub, exchange: Exchange, banners: HubBanners) -> None:
        super().__init__(around.window)
        self._perform = around.perform
        self._exchange = exchange
        self._banners = banners
        self._desk = around.desk
        self._rater = around.rater
        self._now = around.now
        self._answered: frozenset[int] = frozenset()
        self._asks: frozenset[int] = frozenset()
        self._running: Progress | None = None
        self.elsewhere: Callable[[], bool] = lambda: False  # whether it is said in another place
        exchange.changed.connect(self._look)

    @property
    def is_running(self) -> bool:
        """Whether something is being imported."""
        return self._running is not None

    def _look(self) -> None:
        there = self._exchange.shown.to_import
        keys = frozenset(one.key for one in there)
        if not keys - self._answered or self.is_running or self.elsewhere():
            if self._asks and not keys & self._asks:
                self._asks = frozenset()
                self._banners.drop(BANNER)
            return
        if keys == self._asks:
            return
        self._asks = keys
        ways = [(self.tr("Import"), self.take), (self.tr("Later"), partial(self._later, keys))]
        banner = self._banners.show_banner(BANNER, "info", said.arrived(there), ways)
        banner.close_button.clicked.connect(partial(self._later, keys))

    def _later(self, keys: frozenset[int], _checked: bool = False) -> None:
        self._answered |= keys
        self._asks = frozenset()

    def seen(self) -> None:
        """What went well was seen by the time somebody answers a question."""
        banner = self._banners.banner(WORK)
        if banner is not None and banner.kind == "info" and not self.is_running:
            self._banners.drop(WORK)

    def answered(self) -> None:
        """It was said elsewhere, and that is enough."""
        self._later(frozenset(one.key for one in self._exchange.shown.to_import))

    def take(self) -> None:
        """Import all that is there."""
        shown = self._exchange.shown
        keys = frozenset(one.key for one in shown.to_import)
        if shown.hub is None or not keys or self.is_running:
            return
        self._answered |= keys
        self._asks = frozenset()
        self._banners.drop(BANNER)
        ways = [(self.tr("Cancel"), self._cancel)]
        self._banners.show_banner(WORK, "info", self.tr("Importing what came from the hub …"), ways)
        self._running = self._perform.perform(
            partial(take_arrivals, now=self._now, only=keys),
            shown.hub.project,
            self._rater,
            done=self._taken,
            failed=self._failed,
            progressed=self._progressed,
        )

    def _cancel(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._running = None
            self._exchange.start()  # what came in whole is noted

    def _progressed(self, done: int, total: int) -> None:
        banner = self._banners.banner(WORK)
        if banner is not None and total and self.is_running:
            words = self.tr("Importing what came from the hub: {done} of {total}")
            banner.label.setText(words.format(done=spelling.number(done), total=spelling.number(total)))

    def _taken(self, taken: Taken) -> None:
        self._running = None
        self._banners.drop(WORK)
        if taken.refused:
            why = "; ".join(one.why.rstrip(".") for one in taken.refused[:MOST_NAMED])
            self._banners.show_banner(WORK, "block", self.tr("Not imported: {why}.").format(why=why))
        elif taken.lost:
            words = self.tr("What came was gone from the disk: it is fetched once more with the next sync.")
            self._banners.show_banner(WORK, "warn", words)
        elif taken.imported:
            self._banners.show_banner(WORK, "info", self._words(taken))
        if taken.imported and not self._desk.task:
            self._desk.open_bundle(taken.imported[0].id)

    def _words(self, taken: Taken) -> str:
        tasks = sum(one.imported for one in taken.imported)
        words = self.tr("1 task came in.") if tasks == 1 else self.tr("{n} tasks came in.")
        return words.format(n=spelling.number(tasks))

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.show_banner(WORK, "block", str(error))
