"""What a sync came to, said in a banner: always where somebody has to do something, else only to who asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.hub import words as said

if TYPE_CHECKING:
    from desktop_rater.ui.banner import Way
    from desktop_rater.ui.hub.banners import HubBanners
    from desktop_rater.ui.hub.exchange import Exchange
    from desktop_rater.work.synced import NotSent, Stopped, Synced

BANNER, FORK = "hub", "fork"
STEP, WELL = "step", "well"  # properties of a banner: what is being done, and what went well
PATIENCE_MS = 300  # what is over sooner needs no word
MOST_NAMED = 3
AWAY, SIGN_IN = {"away", "busy"}, "sign_in"


class Notices(QObject):
    """Offline is no trouble: it is said once to who asked, and stands in the status line."""

    sign_in_wanted = Signal()
    hub_wanted = Signal()
    sync_wanted = Signal()

    def __init__(self, exchange: Exchange, banners: HubBanners, parent: QObject) -> None:
        super().__init__(parent)
        self._exchange = exchange
        self._banners = banners
        self._asked = self._was_asked = False
        self._told: tuple[str, str] = ("", "")  # the trouble that was said last: it is not said with every round
        self._forks: frozenset[str] = frozenset()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(PATIENCE_MS)
        self._wait.timeout.connect(self._show_step)
        exchange.changed.connect(self._step)
        exchange.ended.connect(self._ended)
        exchange.failed.connect(self._failed)

    def expect(self) -> None:
        """Somebody asked for the sync that begins now, and is told of it."""
        self._asked = True
        self._wait.start()

    def seen(self) -> None:
        """What went well was seen by the time somebody answers a question."""
        banner = self._banners.banner(BANNER)
        if banner is not None and banner.property(WELL):
            self._banners.drop(BANNER)

    def _step(self) -> None:
        if self._asked and not self._wait.isActive():
            self._show_step()

    def _show_step(self) -> None:
        step = self._exchange.shown.running
        if not self._asked or step is None:
            return
        banner = self._banners.banner(BANNER)
        if banner is not None and len(banner.buttons) == 1 and banner.property(STEP):
            banner.label.setText(said.step(step))
            return
        ways = [(self.tr("Cancel"), self._cancel)]
        self._banners.show_banner(BANNER, "info", said.step(step), ways).setProperty(STEP, True)

    def _cancel(self) -> None:
        self._asked = False
        self._exchange.cancel()

    def _ended(self, synced: Synced | None) -> None:
        asked, self._asked = self._asked, False
        self._was_asked = asked
        self._wait.stop()
        banner = self._banners.banner(BANNER)
        if banner is not None and (banner.property(STEP) or synced is not None):
            self._banners.drop(BANNER)
        if synced is None:
            return
        if synced.stopped is not None:
            self._stopped(synced, synced.stopped, asked=asked)
            return
        if synced.refused or any(one.state == "failed" for one in synced.waiting):
            self._some_failed(synced, asked=asked)
        else:
            self._told = ("", "")
            if asked:
                self._banners.show_banner(BANNER, "info", self._went(synced)).setProperty(WELL, True)
        new = frozenset(synced.forks) - self._forks
        if new:
            self._forks |= new
            self._say_fork(sorted(new))

    def _stopped(self, synced: Synced, why: Stopped, *, asked: bool) -> None:
        count = sum(one.state != "failed" and one.kind != "key" for one in synced.waiting)
        waits = said.waiting(count, goes=why.kind in AWAY)
        words = " ".join(part for part in (_sentence(why.title), why.message, why.hint, waits) if part)
        if why.kind in AWAY:
            if asked:
                lost = " ".join(part for part in (_sentence(why.title), why.message, waits) if part)
                self._banners.show_banner(BANNER, "info", lost, [(self.tr("Sync now"), self.sync_wanted.emit)])
            return
        if not asked and self._told == (why.kind, why.message):
            return
        self._told = (why.kind, why.message)
        ways: list[Way] = [(self.tr("Try again"), self.sync_wanted.emit), (self.tr("Hub …"), self.hub_wanted.emit)]
        if why.kind == SIGN_IN:
            ways = [(self.tr("Sign in …"), self.sign_in_wanted.emit)]
        self._banners.show_banner(BANNER, "warn", words, ways)

    def _some_failed(self, synced: Synced, *, asked: bool) -> None:
        failed = [one for one in synced.waiting if one.state == "failed"]
        reasons = [one.why for one in failed] + [one.why for one in synced.refused]
        why = " ".join(dict.fromkeys(_sentence(one) for one in reasons[:MOST_NAMED] if one))
        if not asked and self._told == ("some", why):
            return
        self._told = ("some", why)
        count = len(reasons)
        words = self.tr("1 thing did not go through: {why}") if count == 1 else self.tr("{n} did not go through: {why}")
        ways = [(self.tr("Hub …"), self.hub_wanted.emit)]
        self._banners.show_banner(BANNER, "warn", words.format(n=spelling.number(count), why=why), ways)

    def _went(self, synced: Synced) -> str:
        """What a sync that went well has done."""
        sent = len(synced.uploaded)
        one, many = self.tr("1 was sent and read back."), self.tr("{n} were sent and read back.")
        parts = [self.tr("Synced.")]
        if sent:
            parts.append((one if sent == 1 else many).format(n=spelling.number(sent)))
        elif not synced.fetched:
            parts.append(self.tr("There was nothing new."))
        parts += map(self._stays, synced.not_sent[:MOST_NAMED])
        return " ".join(part for part in (*parts, said.skewed(synced.skew)) if part)

    def _stays(self, one: NotSent) -> str:
        if one.open:
            words = self.tr("{bundle} stays here: 1 task is not finished.")
            if one.open > 1:
                words = self.tr("{bundle} stays here: {n} tasks are not finished.")
        elif one.strange:
            words = self.tr("{bundle} stays here: it did not come from this hub.")
        else:
            words = self.tr("{bundle} stays here: {why}")
        return words.format(bundle=isolated(one.bundle[:80]), n=spelling.number(one.open), why=one.why)

    def _say_fork(self, bundles: list[str]) -> None:
        names = ", ".join(isolated(one[:80]) for one in bundles[:MOST_NAMED])
        words = self.tr("Another laptop has sent results of {bundles} too. Both stay there, and the QA lead sees both.")
        self._banners.show_banner(FORK, "warn", words.format(bundles=names))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # a bug has the crash dialog
            if not self._was_asked and self._told == ("failed", str(error)):
                return
            self._told = ("failed", str(error))
            ways = [(self.tr("Try again"), partial(self.sync_wanted.emit))]
            self._banners.show_banner(BANNER, "block", str(error), ways)


def _sentence(words: str) -> str:
    return words if not words or words.endswith((".", "?")) else f"{words}."
