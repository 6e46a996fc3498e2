"""The exchange with the hub: one at a time, off the window, and what is known of it for whoever shows it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal

from desktop_rater.model.change import Change
from desktop_rater.store import hubs, inbox, outbox
from desktop_rater.store.opening import open_reader
from desktop_rater.ui.hub.shown import Shown
from desktop_rater.work import sync as syncing
from desktop_rater.work.between import Between, Step, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.hub.interface import Hub
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.hubs import HubRow
    from desktop_rater.store.store import Store
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.saving import Saver
    from desktop_rater.work.between import OnStore, SyncMeans
    from desktop_rater.work.synced import Synced

AWAY = "away"
Also: TypeAlias = "Callable[[Between], Change]"


class Means(Protocol):
    """What an exchange needs of the world; it is asked on the exchange's own thread, where it may take its time."""

    def open(self, url: str, user: str) -> Hub: ...
    def sync_means(self, rater: str) -> SyncMeans: ...


class Exchange(QObject):
    """Syncs, one after the other; a lead's window does more after each (`also`)."""

    changed = Signal()  # what is shown
    ended = Signal(object)  # Synced, or `None` where it failed or was stopped
    failed = Signal(object)  # RaterError
    _stepped = Signal(object)
    _over = Signal()

    def __init__(self, perform: Perform, saver: Saver, means: Means, rater: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._saver = saver
        self._means = means
        self._rater = rater
        self.shown = Shown()
        self.also: Also | None = None
        self._progress: Progress | None = None
        self._asked_again = False  # while one was under way
        self._stopped = False  # before it began
        self._result: Synced | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._stepped.connect(self._show_step, queued)
        self._over.connect(self._ended, queued)
        perform.changed.connect(self._follow)

    # -- what is known

    def start(self) -> None:
        """Read what the store knows."""
        self._perform.ask(partial(_read, rater=self._rater), done=self._read)

    def begin(self) -> None:
        """A hub was just connected: read it, and see what it has."""

        def read(found: Shown) -> None:
            self._read(found)
            self.sync(at_once=True)

        self._perform.ask(partial(_read, rater=self._rater), done=read)

    def _follow(self, change: Change) -> None:
        if change.hub:
            self.start()

    def _read(self, read: Shown) -> None:
        offline = self.shown.offline and read.hub is not None
        self.shown = replace(read, running=self.shown.running, offline=offline)
        self.changed.emit()

    # -- syncing

    @property
    def is_running(self) -> bool:
        """Whether an exchange is under way, or is ending."""
        return self.shown.running is not None

    @property
    def can_sync(self) -> bool:
        """Whether there is a hub, and somebody who rates, and a store to write to."""
        return self.shown.hub is not None and bool(self._rater) and not self._perform.read_only

    def sync(self, *, at_once: bool) -> None:
        """Sync; `at_once` also what waits for its next try. What was typed last goes along."""
        if not self.can_sync or self.is_running:
            self._asked_again = self._asked_again or (at_once and self.is_running)
            return
        self._show(running=Step("asking"))
        self._saver.when_settled(lambda _saved: self._begin(at_once=at_once))

    def _begin(self, *, at_once: bool) -> None:
        row = self.shown.hub
        if row is None or self._stopped:
            self._ended()
            return
        self._result = None
        run = partial(self._run, row, Wanted(at_once=at_once, scheduled=not at_once))
        self._progress = self._perform.exchange(run, done=self._done, failed=self._fail)

    def _run(self, row: HubRow, wanted: Wanted, on_store: OnStore, progress: Progress) -> Change:
        """On the net's lane."""
        try:
            folder = on_store(lambda store: store.folder)
            hub = self._means.open(row.url, row.user)
            reader = open_reader(folder)
            assert reader is not None, "the store is open"
            try:
                means = self._means.sync_means(self._rater)
                told = self._stepped.emit
                return self._both(Between(on_store, reader, hub, row, self._rater, means, progress, told), wanted)
            finally:
                reader.close()
                hub.close()
        finally:
            self._over.emit()

    def _both(self, between: Between, wanted: Wanted) -> Change:
        done = syncing.sync(between, wanted)
        self._result = done
        if self.also is None or done.stopped is not None:
            return done
        return joined(done, self.also(between))

    def cancel(self) -> None:
        """Stop at the next moment; what is half done goes with the next sync."""
        if self._progress is None:
            self._stopped = self.is_running  # it waits for a save, and does not begin then
        elif self._perform.cancel(self._progress):
            self._progress = None
            self._over.emit()  # it never began, so nobody else says that it is over

    def _show_step(self, step: Step) -> None:
        if self.is_running:
            self._show(running=step)
            self.start()  # each step has written something

    def _done(self, _change: Change) -> None:
        """The broadcast has told the others."""

    def _fail(self, error: Exception) -> None:
        self.failed.emit(error)

    def _ended(self) -> None:
        result, self._result = self._result, None
        self._progress, self._stopped = None, False
        away = result is not None and result.stopped is not None and result.stopped.kind == AWAY
        self._show(running=None, offline=away if result is not None else self.shown.offline)
        self.start()
        self.ended.emit(result)
        if self._asked_again:
            self._asked_again = False
            self.sync(at_once=True)

    def _show(self, **what: object) -> None:
        self.shown = replace(self.shown, **what)
        self.changed.emit()


def _read(store: Store, rater: str) -> Shown:
    """What the store knows of the hub that syncs go to."""
    hub = hubs.current(store)
    if hub is None:
        return Shown()
    outgoing = outbox.listed(store, hub.project)
    came = inbox.listed(store, hub.project, rater=rater, kinds=("assignment", "returned"))
    return Shown(hub=hub, outgoing=tuple(reversed(outgoing)), arrivals=tuple(reversed(came)))


def joined(one: Change, other: Change) -> Change:
    """What two pieces of work touched."""
    return Change(
        bundles=one.bundles | other.bundles,
        tasks=one.tasks | other.tasks,
        audits=one.audits | other.audits,
        hub=one.hub or other.hub,
    )
