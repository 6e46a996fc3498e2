"""Automatic syncs, and the import of what they download."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.operations.hub.context import LeadKey, SyncResult, SyncStop, UnsentBundle
from desktop_rater.settings import Settings
from desktop_rater.ui.hub import texts
from desktop_rater.ui.hub.exchange import HubContext, HubExchange
from desktop_rater.ui.hub.texts import MOST_NAMED
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import Banner, BannerAction, BannerKind, Banners
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rater.operations.hub.receive import ImportedArrivals


class HubBanners:
    """Banners at the foot of the form while it is visible (they grow upwards), otherwise at the top of the window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def _places(self) -> tuple[Banners, Banners]:
        return self._window.banners, self._window.form_pane.banners

    def show_banner(self, key: str, kind: BannerKind, text: str, ways: Sequence[BannerAction] = ()) -> Banner:
        """Show a banner in the place that suits the current screen."""
        top, foot = self._places
        here = foot if self._window.form_pane.isVisible() else top
        (top if here is foot else foot).drop(key)
        return here.show_banner(key, kind, text, ways)

    def drop(self, key: str) -> None:
        for place in self._places:
            place.drop(key)

    def banner(self, key: str) -> Banner | None:
        return next((banner for place in self._places if (banner := place.banner(key)) is not None), None)

    def text(self, key: str) -> str | None:
        """Return the text of a banner, or `None` if it is not shown."""
        banner = self.banner(key)
        return banner.label.text() if banner is not None else None


SYNC_BANNER, FORK_BANNER, HELD_BANNER, LEAD_BANNER = "hub", "fork", "held", "lead_key"
PROGRESS_PROPERTY, SUCCESS_PROPERTY = "step", "well"  # properties of a banner: progress, success
PROGRESS_DELAY_MS = 300  # shorter syncs show no progress
AWAY_KINDS, SIGN_IN = {"away", "busy"}, "sign_in"


class SyncNotices(QObject):
    """Banners of syncs. Being offline is no error: it shows once after a requested sync, and in the status line."""

    sign_in_wanted = Signal()
    hub_wanted = Signal()
    sync_wanted = Signal()

    def __init__(self, exchange: HubExchange, banners: HubBanners, parent: QObject) -> None:
        super().__init__(parent)
        self._exchange = exchange
        self._banners = banners
        self._requested = self._was_requested = False
        self._last_error: tuple[str, str] = ("", "")  # the last error shown: it is not repeated after each sync
        self._forks: frozenset[str] = frozenset()
        self._held: frozenset[int] = frozenset()  # downloads that were named before
        self._named_lead_key: str | None = None  # the key that was warned of
        self._delay = DelayedCall(self, PROGRESS_DELAY_MS, self._show_step)
        exchange.changed.connect(self._step)
        exchange.changed.connect(self._show_held)
        exchange.ended.connect(self._ended)
        exchange.failed.connect(self._failed)

    def report_next_sync(self) -> None:
        self._requested = True
        self._delay.start()

    def drop_success(self) -> None:
        """Remove the success banner once a question is answered."""
        banner = self._banners.banner(SYNC_BANNER)
        if banner is not None and banner.property(SUCCESS_PROPERTY):
            self._banners.drop(SYNC_BANNER)

    def _step(self) -> None:
        if self._requested and not self._delay.isActive():
            self._show_step()

    def _show_step(self) -> None:
        step = self._exchange.hub_state.running
        if not self._requested or step is None:
            return
        banner = self._banners.banner(SYNC_BANNER)
        if banner is not None and len(banner.buttons) == 1 and banner.property(PROGRESS_PROPERTY):
            banner.label.setText(texts.sync_step_text(step))
            return
        ways = [(self.tr("Cancel"), self._cancel)]
        self._banners.show_banner(SYNC_BANNER, "info", texts.sync_step_text(step), ways).setProperty(
            PROGRESS_PROPERTY, True
        )

    def _cancel(self) -> None:
        self._requested = False
        self._exchange.cancel()

    def _ended(self, synced: SyncResult | None) -> None:
        requested, self._requested = self._requested, False
        self._was_requested = requested
        self._delay.stop()
        banner = self._banners.banner(SYNC_BANNER)
        if banner is not None and (banner.property(PROGRESS_PROPERTY) or synced is not None):
            self._banners.drop(SYNC_BANNER)
        if synced is None:
            return
        if synced.stopped is not None:
            self._stopped(synced, synced.stopped, requested=requested)
            return
        if synced.refused or any(upload.state == "failed" for upload in synced.waiting):
            self._some_failed(synced, requested=requested)
        else:
            self._last_error = ("", "")
            if requested:
                self._banners.show_banner(SYNC_BANNER, "info", self._success_text(synced)).setProperty(
                    SUCCESS_PROPERTY, True
                )
        self._show_lead_key(synced.lead)
        new = frozenset(synced.forks) - self._forks
        if new:
            self._forks |= new
            names = ", ".join(isolated(bundle[:80]) for bundle in sorted(new)[:MOST_NAMED])
            template = self.tr(
                "Another computer has also sent results of {bundles}. Both are on the hub, and the QA lead sees both."
            )
            self._banners.show_banner(FORK_BANNER, "warn", template.format(bundles=names))

    def _show_lead_key(self, lead: LeadKey) -> None:
        """Say once that the lead's key was pinned, or has changed."""
        if lead.is_new:
            template = self.tr(
                "The lead's key of this hub is {key}. From now on only what is signed with it counts as the lead's. "
                "Compare the key with theirs."
            )
            self._banners.show_banner(LEAD_BANNER, "info", template.format(key=fingerprint(lead.pinned)))
        elif lead.has_changed and lead.named != self._named_lead_key:
            ways = [(self.tr("Hub …"), self.hub_wanted.emit)]
            self._banners.show_banner(LEAD_BANNER, "warn", texts.changed_lead_key_text(lead), ways)
        elif not lead.has_changed:
            self._named_lead_key = None
            return
        self._named_lead_key = lead.named

    def _show_held(self) -> None:
        """Name the downloads that the lead has not signed, once."""
        held = self._exchange.hub_state.held
        keys = frozenset(arrival.key for arrival in held)
        if keys - self._held:
            ways = [(self.tr("Hub …"), self.hub_wanted.emit)]
            self._banners.show_banner(HELD_BANNER, "warn", texts.held_text(held), ways)
        elif not keys:
            self._banners.drop(HELD_BANNER)
        self._held = keys

    def _stopped(self, synced: SyncResult, why: SyncStop, *, requested: bool) -> None:
        count = sum(upload.state != "failed" and upload.kind != "key" for upload in synced.waiting)
        waits = texts.waiting_text(count, goes=why.kind in AWAY_KINDS)
        message = " ".join(part for part in (_sentence(why.title), why.message, why.hint, waits) if part)
        if why.kind in AWAY_KINDS:
            if requested:
                lost = " ".join(part for part in (_sentence(why.title), why.message, waits) if part)
                self._banners.show_banner(SYNC_BANNER, "info", lost, [(self.tr("Sync now"), self.sync_wanted.emit)])
            return
        if not requested and self._last_error == (why.kind, why.message):
            return
        self._last_error = (why.kind, why.message)
        ways: list[BannerAction] = [
            (self.tr("Try again"), self.sync_wanted.emit),
            (self.tr("Hub …"), self.hub_wanted.emit),
        ]
        if why.kind == SIGN_IN:
            ways = [(self.tr("Sign in …"), self.sign_in_wanted.emit)]
        self._banners.show_banner(SYNC_BANNER, "warn", message, ways)

    def _some_failed(self, synced: SyncResult, *, requested: bool) -> None:
        failed = [item for item in synced.waiting if item.state == "failed"]
        reasons = [item.why for item in failed] + [item.why for item in synced.refused]
        why = " ".join(dict.fromkeys(_sentence(item) for item in reasons[:MOST_NAMED] if item))
        if not requested and self._last_error == ("some", why):
            return
        self._last_error = ("some", why)
        count = len(reasons)
        template = self.tr("1 transfer failed: {why}") if count == 1 else self.tr("{n} transfers failed: {why}")
        ways = [(self.tr("Hub …"), self.hub_wanted.emit)]
        self._banners.show_banner(SYNC_BANNER, "warn", template.format(n=formatting.number(count), why=why), ways)

    def _success_text(self, synced: SyncResult) -> str:
        sent = len(synced.uploaded)
        singular, plural = self.tr("1 upload was sent and verified."), self.tr("{n} uploads were sent and verified.")
        parts = [self.tr("Synced.")]
        if sent:
            parts.append((singular if sent == 1 else plural).format(n=formatting.number(sent)))
        elif not synced.fetched:
            parts.append(self.tr("There was nothing new."))
        parts += map(self._not_sent_text, synced.not_sent[:MOST_NAMED])
        return " ".join(part for part in (*parts, texts.clock_skew_text(synced.skew)) if part)

    def _not_sent_text(self, item: UnsentBundle) -> str:
        if item.open:
            template = self.tr("{bundle} was not sent: 1 task is not finished.")
            if item.open > 1:
                template = self.tr("{bundle} was not sent: {n} tasks are not finished.")
        elif item.strange:
            template = self.tr("{bundle} was not sent: it did not come from this hub.")
        else:
            template = self.tr("{bundle} was not sent: {why}")
        return template.format(bundle=isolated(item.bundle[:80]), n=formatting.number(item.open), why=item.why)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # a bug has the crash dialog
            if not self._was_requested and self._last_error == ("failed", str(error)):
                return
            self._last_error = ("failed", str(error))
            actions = [(self.tr("Try again"), partial(self.sync_wanted.emit))]
            self._banners.show_banner(SYNC_BANNER, "block", str(error), actions)


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?")) else f"{text}."


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
        from desktop_rater.operations.hub.receive import import_arrivals  # noqa: PLC0415 - only when it is used

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

    def _imported(self, result: "ImportedArrivals", *, unsigned: bool = False) -> None:
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
