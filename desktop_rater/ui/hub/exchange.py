"""Exchange with the hub: access, background syncs one at a time, and the state that the window shows."""

from __future__ import annotations

import os
import random
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct, field, structs
from PySide6.QtCore import QObject, Qt, Signal

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.hub.context import (
    LeadKey,
    StoreRunner,
    SyncContext,
    SyncEnvironment,
    SyncOptions,
    SyncResult,
    SyncStep,
)
from desktop_rater.settings import Settings
from desktop_rater.store import hubs, mailbox
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.mailbox import Arrival, Outgoing
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.store import Store
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.window.file_dialogs import FileChoice
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub, HubEnvironment, SignIn
    from desktop_rater.operations.hub.connect import HubSecrets
    from desktop_rater.operations.hub.keys import RaterKeys


class HubState(Struct, frozen=True, kw_only=True):
    """Snapshot of the hub's state. `running`: the step of a running sync. `offline`: the last sync got no answer.

    `lead`: the lead's key as of the last sync. `outgoing` lists all uploads, past ones too, the newest first.
    """

    hub: HubRow | None = None
    outgoing: tuple[Outgoing, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    running: SyncStep | None = None
    offline: bool = False
    lead: LeadKey = field(default_factory=LeadKey)

    @property
    def waiting(self) -> tuple[Outgoing, ...]:
        """Return the pending uploads, not yet verified on the hub; a rater's key is no work and does not count."""
        return tuple(
            upload for upload in self.outgoing if upload.state not in {"verified", "failed"} and upload.kind != "key"
        )

    @property
    def stopped(self) -> tuple[Outgoing, ...]:
        """Return the uploads that are not retried automatically."""
        return tuple(upload for upload in self.outgoing if upload.state == "failed")

    @property
    def refused(self) -> tuple[Arrival, ...]:
        """Return the downloads that cannot be used and are not requested again automatically."""
        return tuple(arrival for arrival in self.arrivals if arrival.state == "refused" and arrival.kind != "results")

    @property
    def to_import(self) -> tuple[Arrival, ...]:
        """Return the downloads that wait for the rater's consent."""
        return self._fetched(signed=True)

    @property
    def held(self) -> tuple[Arrival, ...]:
        """Return the downloads that the lead has not signed. Each is imported only by the rater's word for it."""
        return self._fetched(signed=False)

    def _fetched(self, *, signed: bool) -> tuple[Arrival, ...]:
        fetched = [arrival for arrival in self.arrivals if arrival.state == "fetched" and arrival.kind != "results"]
        if not fetched:
            return ()
        from desktop_rater.operations.hub.receive import is_vouched_for  # noqa: PLC0415 - only when it is used

        lead_key = self.hub.lead_key if self.hub is not None else ""
        return tuple(arrival for arrival in fetched if is_vouched_for(arrival, lead_key) is signed)


AWAY_KIND = "away"
AfterSync: TypeAlias = Callable[[SyncContext], Change]


class ExchangeEnvironment(Protocol):
    """Access to the hub and the environment of a sync. Called on the worker thread, where it may block."""

    def open(self, url: str, user: str) -> Hub: ...
    def sync_means(self, rater: str) -> SyncEnvironment: ...


class HubExchange(QObject):
    """Runner of syncs, one after the other. A lead's window adds further work after each (`also`)."""

    changed = Signal()  # the state changed
    ended = Signal(object)  # Synced, or `None` if it failed or was cancelled
    settled = Signal()  # the state after a sync was read
    failed = Signal(object)  # RaterError
    _stepped = Signal(object)
    _over = Signal()

    def __init__(
        self,
        perform: WorkRunner,
        saver: RatingSaver,
        means: ExchangeEnvironment,
        rater: str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._saver = saver
        self._means = means
        self._rater = rater
        self.hub_state = HubState()
        self.after_sync: AfterSync | None = None
        self._progress: Progress | None = None
        self._sync_requested = False  # another sync was requested while one was running
        self._stopped = False  # cancelled before it began
        self._result: SyncResult | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._stepped.connect(self._show_step, queued)
        self._over.connect(self._ended, queued)
        perform.changed.connect(self._follow)

    # -- state

    def start(self) -> None:
        self._perform.ask(partial(_read, rater=self._rater), done=self._read)

    def begin(self) -> None:
        """Read the state of a newly connected hub, and sync."""

        def read(state: HubState) -> None:
            self._read(state)
            self.sync(at_once=True)

        self._perform.ask(partial(_read, rater=self._rater), done=read)

    def _follow(self, change: Change) -> None:
        if change.hub:
            self.start()

    def _read(self, state: HubState) -> None:
        offline = self.hub_state.offline and state.hub is not None
        lead = self.hub_state.lead
        if state.hub is None or state.hub.lead_key != lead.pinned:
            lead = LeadKey()
        self.hub_state = structs.replace(state, running=self.hub_state.running, offline=offline, lead=lead)
        self.changed.emit()

    def _settle(self, state: HubState) -> None:
        self._read(state)
        self.settled.emit()

    # -- syncing

    @property
    def is_running(self) -> bool:
        """Return whether a sync is running or ending."""
        return self.hub_state.running is not None

    @property
    def can_sync(self) -> bool:
        """Return whether there is a hub, a rater's name and a writable store."""
        return self.hub_state.hub is not None and bool(self._rater) and not self._perform.read_only

    def sync(self, *, at_once: bool) -> None:
        """Sync after saving the last input. With `at_once`, also uploads that wait for their next retry."""
        if not self.can_sync or self.is_running:
            self._sync_requested = self._sync_requested or (at_once and self.is_running)
            return
        self._show(running=SyncStep("asking"))
        self._saver.when_settled(lambda _saved: self._begin(at_once=at_once))

    def _begin(self, *, at_once: bool) -> None:
        row = self.hub_state.hub
        if row is None or self._stopped:
            self._ended()
            return
        self._result = None
        run = partial(self._run, row, SyncOptions(at_once=at_once, scheduled=not at_once))
        self._progress = self._perform.exchange(run, done=self._done, failed=self._fail)

    def _run(self, row: HubRow, options: SyncOptions, on_store: StoreRunner, progress: Progress) -> Change:
        """Sync. Runs on the network queue."""
        from desktop_rater.operations.hub import sync as syncing  # noqa: PLC0415 - only when it is used

        try:
            folder = on_store(lambda store: store.folder)
            hub = self._means.open(row.url, row.user)
            reader = open_reader(folder)
            assert reader is not None, "the store is open"
            try:
                means = self._means.sync_means(self._rater)
                notify = self._stepped.emit
                context = SyncContext(on_store, reader, hub, row, self._rater, means, progress, notify)
                synced = self._result = syncing.sync_with_hub(context, options)
                if self.after_sync is None or synced.stopped is not None:
                    return synced
                return merged_change(synced, self.after_sync(context))
            finally:
                reader.close()
                hub.close()
        finally:
            self._over.emit()

    def cancel(self) -> None:
        """Stop as soon as possible; unfinished transfers continue with the next sync."""
        if self._progress is None:
            self._stopped = self.is_running  # it still waits for a save, and will not begin
        elif self._perform.cancel(self._progress):
            self._progress = None
            self._over.emit()  # it never began, so nothing else will emit this

    def _show_step(self, step: SyncStep) -> None:
        if self.is_running:
            self._show(running=step)
            self.start()  # each step has written to the store

    def _done(self, _change: Change) -> None:
        """Ignore the result: the broadcast of the change has informed all views."""

    def _fail(self, error: Exception) -> None:
        self.failed.emit(error)

    def _ended(self) -> None:
        result, self._result = self._result, None
        self._progress, self._stopped = None, False
        away = result is not None and result.stopped is not None and result.stopped.kind == AWAY_KIND
        lead = result.lead if result is not None and result.stopped is None else self.hub_state.lead
        self._show(running=None, offline=away if result is not None else self.hub_state.offline, lead=lead)
        self._perform.ask(partial(_read, rater=self._rater), done=self._settle)
        self.ended.emit(result)
        if self._sync_requested:
            self._sync_requested = False
            self.sync(at_once=True)

    def _show(self, **changes: object) -> None:
        self.hub_state = structs.replace(self.hub_state, **changes)
        self.changed.emit()


def _read(store: Store, rater: str) -> HubState:
    """Read the state of the current hub from the store."""
    hub = hubs.current_hub(store)
    if hub is None:
        return HubState()
    outgoing = mailbox.list_items(store, hub.project)
    arrivals = mailbox.list_arrivals(store, hub.project, rater=rater, kinds=("assignment", "returned"))
    return HubState(hub=hub, outgoing=tuple(reversed(outgoing)), arrivals=tuple(reversed(arrivals)))


def merged_change(first: Change, second: Change) -> Change:
    """Merge two changes."""
    return Change(
        bundles=first.bundles | second.bundles,
        tasks=first.tasks | second.tasks,
        audits=first.audits | second.audits,
        hub=first.hub or second.hub,
    )


class HubAccess:
    """Access to hubs that outlives a rebuilt window: passwords that no keyring stores are held only here."""

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        *,
        passwords: HubSecrets | None = None,
        keys: RaterKeys | None = None,
        allow_loopback: bool = False,
    ) -> None:
        self._folder = folder
        self._now = now
        if passwords is not None:
            self._passwords = passwords
        if keys is not None:
            self.keys = keys
        self._allow_loopback = allow_loopback
        self.settings: Callable[[], Settings] | None = None  # settings of the open window

    @cached_property
    def _passwords(self) -> HubSecrets:
        from desktop_rater.operations.hub.connect import HubSecrets  # noqa: PLC0415 - only when it is used

        return HubSecrets(None)

    @cached_property
    def keys(self) -> RaterKeys:
        """The signing keys of raters."""
        from desktop_rater.operations.hub.keys import open_rater_keys  # noqa: PLC0415 - only when it is used

        return open_rater_keys(self._folder, os.environ)

    def open(self, url: str, user: str) -> Hub:
        """Open the remembered hub with the stored password."""
        from desktop_rater.operations.hub.connect import open_hub_at  # noqa: PLC0415 - only when it is used

        certificates = self.settings().hub_certificates if self.settings is not None else ""
        return open_hub_at(url, user, self._passwords, self._means(certificates))

    def open_for_trial(self, url: str, sign_in: SignIn, certificates: str) -> Hub:
        """Open a hub to try it, with the entered credentials; without a password, with the stored one."""
        from desktop_rater.hub.address import open_hub, parse_address  # noqa: PLC0415 - only when it is used
        from desktop_rater.operations.hub.connect import open_hub_at  # noqa: PLC0415 - only when it is used

        means = self._means(certificates)
        if sign_in.user and not sign_in.secret:
            return open_hub_at(url, sign_in.user, self._passwords, means)
        return open_hub(parse_address(url), means._replace(sign_in=sign_in))

    def keep(self, url: str, sign_in: SignIn) -> tuple[str, str]:
        """Store the password and return the keyring's name; on failure hold it in memory and return the reason."""
        try:
            return self._passwords.keep(url, sign_in.user, sign_in.secret.reveal()), ""
        except RaterError as error:
            self._passwords.for_session(url, sign_in)
            return "", str(error)

    def sync_means(self, rater: str) -> SyncEnvironment:
        """Return clock, randomness and the rater's key, which is created if missing and a keyring can store it."""
        return SyncEnvironment(self._now, random.random, self.keys.for_use(rater).key)

    def _means(self, certificates: str) -> HubEnvironment:
        from desktop_rater.operations.hub.connect import store_hub_environment  # noqa: PLC0415 - only when it is used

        return store_hub_environment(
            self._folder,
            clock=time.monotonic,
            now=self._now,
            token=lambda: secrets.token_hex(8),
            certificates=certificates,
            allow_loopback=self._allow_loopback,
        )


class HubContext(Struct, frozen=True):
    """Objects of the window that the parts of the hub need. `rater` is empty until a name is set."""

    window: MainWindow
    perform: WorkRunner
    saver: RatingSaver
    session: Session
    desk: TaskLoader
    preferences: Preferences
    files: FileChoice
    reach: HubAccess
    rater: str
    now: Callable[[], datetime]
